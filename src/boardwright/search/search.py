"""Drive the engine: budgets in simulations, seconds and megabytes, reuse of the tree, threads, and the choice."""

from __future__ import annotations

import importlib
import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.contract.state import copy_record
from boardwright.search.choice import Choice
from boardwright.search.evaluator import AtAGlance, Evaluator
from boardwright.search.expand import ROOT_TRIES
from boardwright.search.gumbel import draw_gumbels, halving_order
from boardwright.search.select import select_gumbel_root
from boardwright.search.settings import SELECT, SearchSettings, decided, make_plan
from boardwright.search.simulate import DEEPEST, simulate
from boardwright.search.stopping import SLICE_SECONDS
from boardwright.search.tree import RUN, UNSEEN, Tree, copy_below, grown, new_tree, slot_dtype

FIRST_SLOTS = 8192
ORDER_TO_COME = np.full(1, -1, np.int32)  # in place of gumbel's order: expand the root, no more
MOST_STEPS_BACK = 400  # how far from the last root a position may be for its tree to be used again


@kernel
def wins_by_force(game: Any, states: Any, choices: Any, tries: Any) -> Any:
    """Does the player to act in states[0] win by force, as far as the game sees after so many tries?"""
    return game.player(states[0]) >= 0 and game.winning(states[0], choices, tries) > 0


@kernel
def gumbel_choice(tree: Any, notes: Any, plan: Any, gumbel: Any, visits: Any) -> Any:
    """The best of the root's children with so many visits, by gumbel's rule; -1 if there is none."""
    return select_gumbel_root(tree, notes[0], plan, gumbel, visits)


@dataclass
class Stop:
    """Why a search ended, for its note."""

    simulations: int = 0
    full: bool = False
    proven: bool = False
    cancelled: bool = False
    remark: str = ""  # what else there is to say


class Search:
    """One growing tree. `interpreted` runs the kernels as plain Python, for tests and debuggers."""

    def __init__(
        self, game: Game, settings: SearchSettings, evaluator: Evaluator | None = None, *, interpreted: bool = False
    ) -> None:
        self.game, self.settings = game, decided(game, settings)
        self.plan = make_plan(game, settings)
        self.evaluator = evaluator or AtAGlance()
        self.interpreted = interpreted
        size = max(game.actions, game.outcomes, 1)
        self._choices, self._weights = np.zeros(max(size, 2 * game.actions), np.int32), np.zeros(size)
        self._value, self._total = np.zeros(game.players), np.zeros(game.players)
        self._path, self._luck = np.zeros(DEEPEST, np.int32), np.zeros(1, np.uint64)
        self._states = np.zeros(3, game.state_dtype)
        self._rate = 0.0  # simulations a second, as far as known
        self.forget()

    def forget(self) -> None:
        """Drop the tree and start the random numbers again."""
        self.rng = Random(self.settings.seed)
        self.tree: Tree | None = None
        self.root: Position | None = None

    def grow(self, position: Position, stopped: Callable[[], bool] | None = None) -> Stop:
        """Search from `position` until the budget is used up, the root is proven, or `stopped()`."""
        self._plant(position)
        assert self.tree is not None
        settings, stop = self.settings, Stop()
        began = time.perf_counter()
        limit = settings.simulations or (2**62 if settings.seconds else 1000)
        gumbel, order = self._schedule(limit)
        if settings.select == "gumbel":
            limit = min(limit, len(order))
        # By the pace of the last search. Without one, a single simulation tells it: rules may be slow.
        size = int(max(1, min(32, self._rate * SLICE_SECONDS)))
        while stop.simulations < limit:
            due = min(size, limit - stop.simulations)
            before = time.perf_counter()
            done = self._simulate(gumbel, order, due)
            spent = time.perf_counter() - before
            stop.simulations += done
            if done and spent > 0:
                self._rate = done / spent
            if done == due:
                size = int(max(1, min(size * 4, size * SLICE_SECONDS / max(spent, 1e-6))))
            elif self.tree.notes["full"][0]:
                if not self._make_room():
                    stop.full = True
                    break
            else:
                stop.proven = True
                break
            if settings.seconds and time.perf_counter() - began >= settings.seconds:
                break
            if stopped and stopped():
                stop.cancelled = True
                break
        return stop

    def best(self) -> int:
        """The child of the root to play: proven best, else by visits (gumbel: by its own rule; even: by value).
        Of several proven to be worth the same, the one after which a careless reply costs most."""
        assert self.tree is not None
        tree, plan = self.tree, self.plan
        player = int(tree.root["actor"])

        def quality(child: int) -> tuple[float, float, float]:
            slot = tree.slots[child]
            visits = int(slot["visits"])
            q = float(tree.q(child)[player]) if visits else -math.inf
            if slot["proven"] and q >= plan.best:
                return 2.0, q, visits
            if slot["proven"] and q <= plan.low:
                return 0.0, q, visits
            by_value = plan.select == SELECT["even"] or tree.root["proven"]
            return (1.0, q, visits) if by_value else (1.0, visits, q)

        ranked = max(tree.children(), key=quality)
        if tree.slots["proven"][ranked] and quality(ranked)[0] == 1.0:
            worth = tree.q(ranked)[player]
            exact = [child for child in tree.children() if tree.slots["proven"][child]]
            equals = [child for child in exact if tree.q(child)[player] == worth]
            return max(equals, key=lambda child: _after_any_reply(tree, child, player))
        if plan.select == SELECT["gumbel"] and quality(ranked)[0] == 1.0 and not tree.root["proven"]:
            alive = [child for child in tree.children() if quality(child)[0] == 1.0]
            most = max(int(tree.slots["visits"][child]) for child in alive)
            chosen = int(self._call(gumbel_choice, tree.slots, tree.notes, plan, self._gumbel, most))
            return chosen if chosen in alive else ranked
        return ranked

    # The parts of grow

    def _plant(self, position: Position) -> None:
        """Set the root: the part of the old tree that the game went into, or a new one."""
        kept = self._slot_of(position) if self.settings.reuse and self.settings.select != "gumbel" else 0
        if kept > 0 and self._is_foreseen(kept):
            kept = -1
        if kept > 0:
            assert self.tree is not None
            old = self.tree
            self.tree = new_tree(self.game.players, len(old.slots))
            self.tree.notes.view(np.uint8)[:] = old.notes.view(np.uint8)
            self._call(
                copy_below, old.slots, kept, self.tree.slots, self.tree.notes, np.zeros(len(old.slots), np.int32)
            )
        elif (
            kept < 0
            or self.tree is None
            or self.root is None
            or self.root.key != position.key
            or self.settings.select == "gumbel"
            or not self.settings.reuse
        ):
            self.tree = new_tree(self.game.players, self._first_slots())
        self.root = position
        self._states[:1] = copy_record(position.record)
        if (
            kept > 0
            and self.plan.threats
            and not self.tree.root["proven"]
            and self._call(wins_by_force, self.game, self._states, self._choices, ROOT_TRIES)
        ):
            self.tree = new_tree(self.game.players, self._first_slots())  # the root's own look will find the win

    def _is_foreseen(self, slot: int) -> bool:
        """Whether a slot was proven without a look at its moves: as a root it must have some to choose from."""
        assert self.tree is not None
        return bool(self.tree.slots["proven"][slot]) and not self.tree.slots["first"][slot]

    def _first_slots(self) -> int:
        wanted = max(FIRST_SLOTS, min(2 * self.settings.simulations, 2**20))
        return int(min(wanted, max(1024, self.settings.megabytes * 1e6 // slot_dtype(self.game.players).itemsize)))

    def _slot_of(self, position: Position) -> int:
        """The slot of the present tree that stands for `position`; 0 for the root itself, -1 if there is none."""
        if self.tree is None or self.root is None:
            return -1
        steps: list[int] = []
        here: Position | None = position
        for _ in range(MOST_STEPS_BACK):
            if here is None:
                return -1
            if here.key == self.root.key:
                break
            if here.step is None:
                return -1
            steps.append(here.step)
            here = here.previous
        else:
            return -1
        slot = 0
        for step in reversed(steps):
            if self.tree.slots["actor"][slot] == RUN:
                return -1
            slot = next((child for child in self.tree.children(slot) if self.tree.slots["move"][child] == step), -1)
            if slot < 0 or self.tree.slots["visits"][slot] == 0:
                return -1
        return slot

    def _schedule(self, limit: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int32]]:
        """Gumbel's noise and order of visits; small stand-ins for the other rules of selection."""
        self._gumbel = np.zeros(1)
        order = np.zeros(1, np.int32)
        if self.settings.select != "gumbel":
            return self._gumbel, order
        assert self.tree is not None
        self._simulate(self._gumbel, ORDER_TO_COME, 1)  # the root's children, whose number decides the order of visits
        while self.tree.notes["full"][0]:
            self.tree = grown(self.tree, 2 * len(self.tree.slots))
            self._simulate(self._gumbel, ORDER_TO_COME, 1)
        self.tree.slots["raw"][0] = np.nan
        count = len(self.tree.children())
        considered = min(self.settings.considered, count)
        self._gumbel = np.zeros(count)
        self._call(draw_gumbels, self.tree.slots, self.rng.state, considered, False, self._gumbel)
        if self.settings.simulations == 0 and self.settings.seconds:
            limit = self._simulations_in(self.settings.seconds, considered)
        return self._gumbel, halving_order(considered, limit)

    def _simulations_in(self, seconds: float, considered: int) -> int:
        """How many simulations fit: by the rate of the last search, or of a try that is thrown away."""
        if self._rate == 0.0:
            assert self.tree is not None
            trial = Search(
                self.game,
                replace(self.settings, seconds=0.0, simulations=considered, threads=1),
                self.evaluator,
            )
            assert self.root is not None
            trial.grow(self.root)
            trial.grow(self.root)
            self._rate = trial._rate
        return max(considered, int(self._rate * seconds * 0.97))

    def _simulate(self, gumbel: npt.NDArray[np.float64], order: npt.NDArray[np.int32], simulations: int) -> int:
        assert self.tree is not None
        return int(
            self._call(
                simulate,
                self.game,
                self.evaluator,
                self.evaluator.learned,
                *self.tree,
                self._states,
                self.plan,
                self.rng.state,
                self._luck,
                self._choices,
                self._weights,
                self._value,
                self._total,
                self._path,
                gumbel,
                order,
                simulations,
            )
        )

    def _call(self, door: Any, *args: Any) -> Any:
        return run_kernel(self.game, door, *args, interpreted=self.interpreted)

    def _make_room(self) -> bool:
        assert self.tree is not None
        most = int(self.settings.megabytes * 1e6 // slot_dtype(self.game.players).itemsize)
        slots = min(2 * len(self.tree.slots), most)
        if slots <= len(self.tree.slots):
            return False
        self.tree = grown(self.tree, slots)
        return True


def make_search(game: Game, settings: SearchSettings) -> Search:
    """The search for a game: the generic one, or the one that the game brings."""
    module, _, title = game.card.search.own_search.partition(":")
    kind: type[Search] = getattr(importlib.import_module(module), title) if module else Search
    return kind(game, settings)


def _after_any_reply(tree: Tree, slot: int, player: int) -> float:
    """What `player` gets if whoever acts in a slot takes any child alike; an unvisited one counts as the slot."""
    unseen = float(tree.q(slot)[player])
    replies = [
        float(tree.q(child)[player]) if tree.slots["visits"][child] or tree.slots["proven"][child] else unseen
        for child in tree.children(slot)
    ]
    return sum(replies) / len(replies) if replies else unseen


def search(position: Position, searches: list[Search], stopped: Callable[[], bool] | None = None) -> Choice:
    """Grow one tree a thread from `position` and answer with their common choice."""
    began = time.perf_counter()
    if len(searches) == 1:
        stops = [searches[0].grow(position, stopped)]
    else:
        with ThreadPoolExecutor(len(searches)) as pool:
            stops = list(pool.map(lambda one: one.grow(position, stopped), searches))
    return choice_of(position, searches, stops, time.perf_counter() - began)


def choice_of(position: Position, searches: list[Search], stops: list[Stop], seconds: float) -> Choice:
    """What trees grown from `position` have found by now, and why each has stopped."""
    player = position.player
    visits: dict[int, int] = dict.fromkeys(position.moves, 0)
    sums: dict[int, float] = dict.fromkeys(position.moves, 0.0)
    priors: dict[int, float] = {}
    root_value = np.zeros(position.game.players)
    for one in searches:
        tree = one.tree
        assert tree is not None
        for child in tree.children():
            slot = tree.slots[child]
            move, n = int(slot["move"]), int(slot["visits"])
            visits[move] += n
            sums[move] += float(tree.q(child)[player]) * n
            priors[move] = float(slot["prior"])
        root_value += tree.q(0)
    root_value /= len(searches)
    lead = next((one for one, stop in zip(searches, stops, strict=True) if stop.proven), searches[0])
    assert lead.tree is not None
    move = int(lead.tree.slots["move"][lead.best()])
    if len(searches) > 1 and not any(stop.proven for stop in stops) and lead.settings.select in ("ucb1", "puct"):
        move = max(visits, key=lambda m: (visits[m], sums[m]))
    notes = []
    if any(stop.proven for stop in stops):
        notes.append("proven")
    if any(stop.full for stop in stops):
        notes.append(f"stopped at {lead.settings.megabytes:g} megabytes")
    if any(stop.cancelled for stop in stops):
        notes.append("stopped on demand")
    notes += sorted({stop.remark for stop in stops if stop.remark})
    return Choice(
        move=move,
        value=tuple(root_value.tolist()),
        visits=visits,
        values={m: sums[m] / visits[m] for m in visits if visits[m]},
        priors=priors,
        line=best_line(lead.tree, move),
        simulations=sum(stop.simulations for stop in stops),
        seconds=seconds,
        note=", ".join(notes),
    )


def best_line(tree: Tree, move: int, most: int = 12) -> tuple[int, ...]:
    """`move` and what the tree thinks comes after it: the most visited child each time, draws included, to the
    first slot with fewer than two visits or a sampled run of draws."""
    line: list[int] = []
    slot = 0
    while tree.slots["first"][slot] and len(line) < most and tree.slots["actor"][slot] not in (RUN, UNSEEN):
        moves, visits = tree.slots["move"], tree.slots["visits"]
        children = tree.children(slot)
        slot = max(children, key=lambda c: int(visits[c])) if line else next(c for c in children if moves[c] == move)
        if line and visits[slot] < 2:
            break
        line.append(int(moves[slot]))
    return tuple(line)
