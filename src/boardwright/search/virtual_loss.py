"""One tree that hands out several leaves at once: search by a network for a single game.

A batch of leaves costs a network little more than one. While a leaf waits for its answer, the slots on its path count
one visit more at an unchanged mean (the "unobserved" visits of Liu et al. 2020, WU-UCT): the next descent is led
elsewhere, and nobody is told a loss that was not seen. Answers are backed up in the order of the descents.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.compile.kernel import kernel
from boardwright.contract.game import Game
from boardwright.search.backup import backup
from boardwright.search.expand import TRIES, attach, keep_forced
from boardwright.search.forest import masked_softmax
from boardwright.search.gumbel import draw_gumbels, halving_order
from boardwright.search.search import Search
from boardwright.search.settings import SearchSettings
from boardwright.search.simulate import DEEPEST, descend
from boardwright.search.tree import grown

# (states of leaves, who acts in each) -> (logits (n, actions), values (n, players): what player i can expect)
Network = Callable[
    [npt.NDArray[np.void], npt.NDArray[np.int8]], tuple[npt.NDArray[np.float32], npt.NDArray[np.float64]]
]
VISITS_A_LEAF = 4  # a batch grows with the tree: one leaf more for so many visits of the root


@kernel
def gather(
    game: Any,
    tree: Any,
    notes: Any,
    states: Any,
    leaves: Any,
    actors: Any,
    plan: Any,
    rng: Any,
    luck: Any,
    choices: Any,
    weights: Any,
    values: Any,
    paths: Any,
    depths: Any,
    pending: Any,
    gumbel: Any,
    order: Any,
    budget: Any,
) -> Any:
    """Descend until len(leaves) leaves wait for an answer or `budget` descents are made; leaves[j], actors[j]: their
    states. Finished games are backed up on the way. Stops early when a descent meets a leaf that waits already, when
    the root is proven, or when the tree is full. Returns (waiting leaves, descents that needed no answer)."""
    note = notes[0]
    note.full = 0
    count = 0
    exact = 0
    while count < len(leaves) and count + exact < budget:
        if tree[0].proven != 0 and tree[0].first != 0:
            break
        depth, known = descend(
            game, tree, note, states, plan, rng, luck, choices, weights, values[count], paths[count], gumbel, order
        )
        if note.full != 0:
            break
        if known:
            backup(tree, note, paths[count], depth, plan, values[count])
            exact += 1
            continue
        leaf = tree[paths[count, depth]]
        if leaf.visits > 0:
            break
        for level in range(depth + 1):
            slot = tree[paths[count, level]]
            above = tree[paths[count, max(level - 1, 0)]]
            mean = above if slot.visits == 0 else slot
            for i in range(values.shape[1]):
                pending[count, level, i] = mean.value[i] / max(mean.visits, 1)
        for level in range(depth + 1):
            slot = tree[paths[count, level]]
            slot.visits += 1
            for i in range(values.shape[1]):
                slot.value[i] += pending[count, level, i]
        note.simulations += 1
        depths[count] = depth
        actors[count] = leaf.actor
        leaves[count] = states[1]
        count += 1
    return count, exact


@kernel
def absorb(
    game: Any,
    tree: Any,
    notes: Any,
    leaves: Any,
    count: Any,
    plan: Any,
    choices: Any,
    weights: Any,
    values: Any,
    paths: Any,
    depths: Any,
    pending: Any,
    logits: Any,
) -> Any:
    """Take the waiting visits back, then expand each leaf with the network's priors and back its value up. Returns how
    many were; fewer than `count` if the tree is full."""
    note = notes[0]
    for j in range(count):
        for level in range(depths[j] + 1):
            slot = tree[paths[j, level]]
            slot.visits -= 1
            if slot.proven == 0:
                for i in range(values.shape[1]):
                    slot.value[i] -= pending[j, level, i]
        note.simulations -= 1
    for j in range(count):
        leaf = paths[j, depths[j]]
        slot = tree[leaf]
        if slot.first == 0 and slot.actor >= 0:
            moves = game.legal(leaves[j], choices)
            if plan.forcing != 0:
                moves = keep_forced(game, leaves[j], plan, choices, weights, moves)
            if plan.threats != 0 and moves > 1:
                moves = game.answers(leaves[j], choices, moves, choices[game.actions :], TRIES)
            if moves > len(tree) - note.used:
                note.full = 1
                return j
            masked_softmax(choices, moves, logits[j], weights)
            attach(tree, note, leaf, choices, weights, moves)
        if slot.visits == 0 and slot.actor >= 0:
            slot.raw = values[j, slot.actor]
        backup(tree, note, paths[j], depths[j], plan, values[j])
    return count


class LeafSearch(Search):
    """A growing tree whose leaves a network values, up to `leaves` at a time."""

    def __init__(
        self, game: Game, settings: SearchSettings, network: Network, leaves: int = 8, *, interpreted: bool = False
    ) -> None:
        super().__init__(game, settings, interpreted=interpreted)
        self.plan = self.plan._replace(batched=1, prior=0)
        self.network = network
        self._leaves = np.zeros(leaves, game.state_dtype)
        self._actors, self._depths = np.zeros(leaves, np.int8), np.zeros(leaves, np.int32)
        self._paths = np.zeros((leaves, DEEPEST), np.int32)
        self._values = np.zeros((leaves, game.players))
        self._pending = np.zeros((leaves, DEEPEST, game.players))
        self._left = self._ahead = 0  # simulations that may still be done; done already beyond what was asked for

    def _schedule(self, limit: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int32]]:
        """Gumbel's order of visits needs the root's children, and these the network's priors: ask for them first."""
        self._gumbel = np.zeros(1)
        order = np.zeros(1, np.int32)
        self._left, self._ahead = limit, 0
        if self.settings.select != "gumbel":
            return self._gumbel, order
        assert self.tree is not None
        while not self.tree.slots["first"][0] and not self._simulate(self._gumbel, order, 1):
            assert self.tree is not None
            self.tree = grown(self.tree, 2 * len(self.tree.slots))
        self.tree.notes["simulations"] = 0
        count = len(self.tree.children())
        considered = min(self.settings.considered, count)
        self._gumbel = np.zeros(count)
        self._call(draw_gumbels, self.tree.slots, self.rng.state, considered, False, self._gumbel)
        if self.settings.simulations == 0 and self.settings.seconds:
            limit = max(considered, int(self._rate * self.settings.seconds * 0.9) if self._rate else considered)
        order = halving_order(considered, limit)
        self._left, self._ahead = len(order), 0
        return self._gumbel, order

    def _simulate(self, gumbel: npt.NDArray[np.float64], order: npt.NDArray[np.int32], simulations: int) -> int:
        """Whole batches only, whatever the slice of time that is asked for: a tree must not depend on the clock. What a
        batch does beyond the slice is put to the account of the next."""
        assert self.tree is not None
        slots, notes = self.tree
        done = self._ahead
        while done < simulations:
            wanted = min(len(self._leaves), 1 + int(slots["visits"][0]) // VISITS_A_LEAF)
            count, exact = self._call(
                gather, self.game, slots, notes, self._states, self._leaves[:wanted], self._actors, self.plan,
                self.rng.state, self._luck, self._choices, self._weights, self._values, self._paths, self._depths,
                self._pending, gumbel, order, min(self._left, 2 * wanted),
            )  # fmt: skip
            count, new = int(count), int(exact)
            full = bool(notes["full"][0])
            if count:
                logits, values = self.network(self._leaves[:count], self._actors[:count])
                self._values[:count] = values
                new += int(
                    self._call(
                        absorb, self.game, slots, notes, self._leaves, count, self.plan, self._choices, self._weights,
                        self._values, self._paths, self._depths, self._pending,
                        np.ascontiguousarray(logits, np.float32),
                    )
                )  # fmt: skip
            done += new
            self._left -= new
            if full:
                notes["full"] = 1
            if notes["full"][0] or new == 0:
                break
        self._ahead = max(done - simulations, 0)
        return min(done, simulations)
