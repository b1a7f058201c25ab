"""A search taken one simulation at a time, with the tree as it was before each: the kernel that plays in earnest,
called for one simulation instead of thousands. One seed, one tree, bit for bit, however it is grown."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from boardwright.contract.errors import InputError
from boardwright.contract.game import OVER
from boardwright.contract.position import Position
from boardwright.contract.state import copy_record
from boardwright.search.search import Search
from boardwright.search.tree import UNSEEN, Tree

PROVEN, FULL, SPENT = "proven", "full", "spent"  # why a search has no next simulation


@dataclass(frozen=True)
class Simulation:
    """One simulation: where it went, what it found, and the tree before it. `value[i]` is player i's."""

    number: int  # the first is 1
    path: tuple[int, ...]  # slots, from the root to the leaf
    opened: tuple[int, ...]  # of these, those that got their children now
    before: Tree  # the slots that there are after it, with what they held before: nothing, if they are new
    valued: str  # how the leaf was: over (the rules say), proven, rollout, estimate
    value: npt.NDArray[np.float64]  # (players,): of the leaf
    end: npt.NDArray[np.void] | None  # (1,): the state in which the last playout ended

    @property
    def leaf(self) -> int:
        return self.path[-1]


class Stepper:
    """One search of one position. `done` simulations are in the tree, and `last` is the last of them."""

    def __init__(self, search: Search, position: Position) -> None:
        """search: with a budget in simulations, and nobody else's from now on."""
        if type(search) is not Search:
            raise InputError(f"{position.game.name}: its own search cannot be stopped between two simulations")
        if position.player < 0:
            what = (
                "the game is over" if position.is_over else "chance moves here, and a search begins at a player's turn"
            )
            raise InputError(f"{position.game.name}: {what}")
        assert search.settings.simulations > 0 and not search.settings.seconds
        self.search, self.position = search, position
        self.rewind()

    def rewind(self) -> None:
        """Back to before the first simulation."""
        self.search.forget()
        self.limit = self.search.begin(self.position)
        self.done = 0
        self.ended = ""  # PROVEN, FULL or SPENT: there is no next simulation
        self.last: Simulation | None = None

    @property
    def tree(self) -> Tree:
        assert self.search.tree is not None
        return self.search.tree

    def skip(self, simulations: int) -> int:
        """So many simulations without a look at them; how many were done."""
        due = min(simulations, self.limit - self.done)
        done = self.search.step(due) if due > 0 and not self.ended else 0
        self.done += done
        if done:
            self.last = None
        if not self.ended:
            root = self.tree.root
            full = done < due and bool(self.tree.stats["full"][0])
            proven = bool(root["proven"] and root["first"])
            self.ended = FULL if full else PROVEN if proven else SPENT if self.done == self.limit else ""
        return done

    def step(self) -> Simulation | None:
        """One simulation; None if there is none any more."""
        slots, stats = copy_record(self.tree.used), copy_record(self.tree.stats)
        if not self.skip(1):
            return None
        before = self._before(slots, stats)
        path = self._path(before)
        leaf, tree, plan, work = path[-1], self.tree, self.search.plan, self.search.work
        exact = bool(tree.slots["proven"][leaf])
        over = int(tree.slots["actor"][leaf]) == OVER
        valued = "over" if over else "proven" if exact else "rollout" if plan.rollouts else "estimate"
        end = None
        if valued == "rollout":
            place = 1 if plan.rollouts == 1 else 2
            end = copy_record(work.states[place : place + 1])
        self.last = Simulation(
            number=self.done,
            path=path,
            opened=tuple(slot for slot in path if before.slots["first"][slot] == 0 and tree.slots["first"][slot] != 0),
            before=before,
            valued=valued,
            # Where something is proven on the way up, work.value becomes that; it begins at a leaf that is exact.
            value=np.array(tree.slots["value"][leaf]) if exact else work.value.copy(),
            end=end,
        )
        return self.last

    def _before(self, slots: npt.NDArray[np.void], stats: npt.NDArray[np.void]) -> Tree:
        """What all slots of today's tree held then. Those that did not exist have their move and prior already."""
        was = copy_record(self.tree.used)
        was.view(np.uint8)[: slots.nbytes] = slots.view(np.uint8)
        for name in ("value", "visits", "first", "raw", "count", "proven"):
            was[name][len(slots) :] = 0
        was["actor"][len(slots) :] = UNSEEN
        return Tree(was, stats)

    def _path(self, before: Tree) -> tuple[int, ...]:
        """The slots that the simulation came through: each has one visit more. What lies behind the leaf in work.path
        is of simulations before."""
        path = [0]
        for slot in self.search.work.path[1:].tolist():
            new = slot in self.tree.children(path[-1])
            if not new or self.tree.slots["visits"][slot] != before.slots["visits"][slot] + 1:
                break
            path.append(slot)
        return tuple(path)
