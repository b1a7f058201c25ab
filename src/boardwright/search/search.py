"""Drive the engine: one growing tree, budgets in simulations, seconds and megabytes, reuse of the tree."""

from __future__ import annotations

import importlib
import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import interpret, kernel
from boardwright.contract.errors import AT_POSITION, InputError, NoMove
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.contract.state import copy_record
from boardwright.search.evaluator import GAME_ESTIMATE, Evaluator
from boardwright.search.expand import ROOT_TRIES
from boardwright.search.gumbel import draw_gumbels, halving_order
from boardwright.search.rank import best_child
from boardwright.search.settings import ASKED, SearchSettings, decided, make_plan
from boardwright.search.simulate import simulate
from boardwright.search.stopping import SLICE_SECONDS
from boardwright.search.tree import (
    RUN,
    VISIT_CLASSES,
    Tree,
    copy_below,
    grown,
    new_tree,
    prune_to_half,
    slot_dtype,
)
from boardwright.search.work import new_work

DEFAULT_SIMULATIONS = 1000  # of a search that has no budget
FIRST_SLOTS = 8192
ORDER_TO_COME = np.full(1, -1, np.int32)  # in place of gumbel's order: expand the root, no more
MOST_AT_ONCE = 512e6  # bytes of a new tree
PRUNED_A_SECOND = 1e9  # bytes
LAST_SLICE = 0.005  # of the time: what is too little to begin another slice
ENDING = 0.0015  # seconds to make a choice of a tree
MOST_STEPS_BACK = 400  # how far from the last root a position may be for its tree to be used again


@kernel
def wins_by_force(game: Any, states: Any, choices: Any, tries: Any) -> Any:
    """Does the player to act in states[0] win by force, as far as the game sees after so many tries?"""
    return game.player(states[0]) >= 0 and game.winning(states[0], choices, tries) > 0


@kernel
def choose_child(tree: Any, tree_stats: Any, plan: Any, gumbel: Any) -> Any:
    """The root's child to play in earnest."""
    return best_child(tree, tree_stats[0], plan, gumbel, True)


@dataclass
class Stop:
    """Why a search ended."""

    simulations: int = 0
    full: bool = False
    pruned: bool = False  # the tree was full, and went on without what was rarely visited
    proven: bool = False
    cancelled: bool = False
    remark: str = ""  # what else there is to say


class Search:
    """One growing tree. `interpreted` runs the kernels as plain Python, for tests and debuggers."""

    def __init__(
        self, game: Game, settings: SearchSettings, evaluator: Evaluator | None = None, *, interpreted: bool = False
    ) -> None:
        self.game, self.settings = game, decided(game, settings)
        self.evaluator = evaluator or GAME_ESTIMATE
        learnt = self.evaluator.has_policy
        self.plan = make_plan(game, settings, learnt=learnt, valued=self.evaluator is not GAME_ESTIMATE)
        self.interpreted = interpreted
        self._rate = 0.0  # simulations a second, as far as known
        self.forget()

    def forget(self) -> None:
        """Drop the tree and start the random numbers again."""
        self.rng = Random(self.settings.seed)
        self.work = new_work(self.game, self.rng.state, self.settings.merge)
        self.tree: Tree | None = None
        self.root: Position | None = None

    def grow(self, position: Position, stopped: Callable[[], bool] | None = None) -> Stop:
        """Search from `position` until the budget is used up, the root is proven, or `stopped()`."""
        settings, stop = self.settings, Stop()
        began = time.perf_counter()
        until = began + thinking(settings.seconds)
        limit = self.begin(position)
        assert self.tree is not None
        # By the pace of the last search. Without one, a single simulation tells it: rules may be slow.
        size = int(max(1, min(32, self._rate * SLICE_SECONDS)))
        timed, thought = 0, 0.0  # simulations of all slices but the first, which may have compiled; and their seconds
        while stop.simulations < limit:
            due = min(size, limit - stop.simulations, self._fitting(stop, began, until))
            if due < 1:
                break
            before = time.perf_counter()
            done = self._simulate(due)
            spent = time.perf_counter() - before
            stop.simulations += done
            if done and spent > 0:
                self._rate = done / spent
                if stop.simulations > done:
                    timed, thought = timed + done, thought + spent
            if done == due:
                size = int(max(1, min(size * 4, size * SLICE_SECONDS / max(spent, 1e-6))))
            elif self.tree.stats["full"][0]:
                if not self._make_room():
                    stop.pruned = self._prune(until)
                    stop.full = not stop.pruned
                if stop.full:
                    break
            else:
                stop.proven = True
                break
            if stopped and stopped():
                stop.cancelled = True
                break
        if thought > 0.0:  # not that of the last slice: a few simulations cost mostly their call
            self._rate = timed / thought
        return stop

    def begin(self, position: Position) -> int:
        """Set the root; returns how many simulations the budget allows. `grow` begins so, and so does whoever takes one
        simulation at a time by `step`."""
        self._plant(position)
        return self._schedule(self._budget())

    def begin_at(self, record: npt.NDArray[np.void], steps: Sequence[int] | None, inside_turn: bool) -> int:
        """`begin` for whoever keeps states only. record: (1,), the state; steps: what led there from the last root, or
        None if nothing of its tree is to be used; inside_turn: whether the player to act has moved just before."""
        self._plant_at(record, steps, inside_turn)
        return self._schedule(self._budget())

    def sibling(self, seed: int) -> Search:
        """Another search of the same kind, with a tree and random numbers of its own."""
        other = copy(self)
        other.settings = replace(self.settings, seed=seed)
        other.forget()
        return other

    def step(self, simulations: int = 1) -> int:
        """Up to so many simulations more; how many were done: fewer if the root is proven, or if memory has no room."""
        assert self.tree is not None
        done = self._simulate(simulations)
        while done < simulations and self.tree.stats["full"][0] and self._make_room():
            done += self._simulate(simulations - done)
        return done

    def _fitting(self, stop: Stop, began: float, until: float) -> int:
        """How many simulations to do next so that the last ends in time; 0: no more. Half of what is left each time, as
        the pace of the next ones is a guess, the more so on a busy machine."""
        now = time.perf_counter()
        if not stop.simulations or until == math.inf:
            return 2**62 if until == math.inf else 1
        left = until - now
        if left < LAST_SLICE * (until - began):
            return 0
        fit = min(self._rate, stop.simulations / (now - began)) * left
        return int(max(1.0, 0.5 * fit)) if fit >= 1.0 else 0

    def best_child(self) -> int:
        """The child of the root to play: see rank.py. In plain Python: it is asked for once a move, and to compile it
        would add a second to the first."""
        assert self.tree is not None
        return int(interpret(choose_child)(*self.tree, self.plan, self.work.gumbel))

    # The parts of grow

    def _budget(self) -> int:
        """Simulations of a search."""
        return self.settings.simulations or (2**62 if self.settings.seconds else DEFAULT_SIMULATIONS)

    def _plant(self, position: Position) -> None:
        """Set the root: the part of the old tree that the game went into, or a new one."""
        if position.record.dtype != self.game.state_dtype:
            raise InputError(f"a search of {self.game.name} was given a position of {position.game.name}")
        steps, before = self._steps_to(position), position.previous
        self._plant_at(position.record, steps, before is not None and bool(steps) and before.player == position.player)
        self.root = position

    def _plant_at(self, record: npt.NDArray[np.void], steps: Sequence[int] | None, inside_turn: bool) -> None:
        """See begin_at. Inside a turn some of the player's moves may have been left out of the old tree."""
        fresh = steps is None or not self.settings.reuse or self.settings.select == "gumbel"
        kept = -1 if fresh else self._slot_after(steps or ())
        if kept > 0 and (
            self._is_foreseen(kept) or (self.settings.merge and inside_turn) or self._is_for_another(kept)
        ):
            kept = -1
        if kept > 0:
            assert self.tree is not None
            old = self.tree
            self.tree = new_tree(self.game.players, len(old.slots))
            self.tree.stats.view(np.uint8)[:] = old.stats.view(np.uint8)
            self._call(copy_below, old.slots, kept, *self.tree, np.zeros(len(old.slots), np.int32))
        elif kept < 0 or self.tree is None:
            self.tree = new_tree(self.game.players, self._first_slots())
        self.work.salt[0] += 1
        self.work.states[:1] = copy_record(record)
        if (
            kept > 0
            and self.plan.threats == ASKED
            and not self.tree.root["proven"]
            and self._call(wins_by_force, self.game, self.work.states, self.work.choices, ROOT_TRIES)
        ):
            self.tree = new_tree(self.game.players, self._first_slots())  # the root's own look will find the win

    def _is_foreseen(self, slot: int) -> bool:
        """Whether a slot was proven without a look at its moves: as a root it must have some to choose from."""
        assert self.tree is not None
        return bool(self.tree.slots["proven"][slot]) and not self.tree.slots["first"][slot]

    def _is_for_another(self, slot: int) -> bool:
        """Whether the tree holds the player who acts there to a rule: as a root's, that player's moves are free."""
        assert self.tree is not None
        return bool(self.plan.opponent) and self.tree.slots["actor"][slot] != self.tree.root["actor"]

    def _first_slots(self) -> int:
        """Room for a new tree. By the clock, all that there is up to MOST_AT_ONCE: the system gives memory when it is
        touched, and to copy a tree that grows takes time. By simulations a small search needs little, and to clear
        8,192 slots took a third of one on 3x3. Where chance acts or leaves go in batches the room stays: there a
        tree that fills up on the way grows otherwise."""
        simulations, most = self.settings.simulations, self.settings.megabytes * 1e6
        if self.settings.seconds:
            return int(max(1024, min(most, MOST_AT_ONCE) // slot_dtype(self.game.players).itemsize))
        wanted = max(FIRST_SLOTS, min(2 * simulations, 2**20))
        if simulations and not self.game.outcomes and not self.plan.batched:
            wanted = min(wanted, (simulations + 1) * self.game.actions + 1)
        return int(min(wanted, max(1024, most // slot_dtype(self.game.players).itemsize)))

    def _steps_to(self, position: Position) -> list[int] | None:
        """The moves and draws that led from the root to `position`; None if they did not, or are too many."""
        if self.tree is None or self.root is None:
            return None
        steps: list[int] = []
        here: Position | None = position
        for _ in range(MOST_STEPS_BACK):
            if here is None:
                return None
            if here.key == self.root.key:
                return steps[::-1]
            if here.step is None:
                return None
            steps.append(here.step)
            here = here.previous
        return None

    def _slot_after(self, steps: Sequence[int]) -> int:
        """The slot of the present tree that these steps lead to; -1 if there is none."""
        if self.tree is None:
            return -1
        slot = 0
        for step in steps:
            if self.tree.slots["actor"][slot] == RUN:
                return -1
            slot = next((child for child in self.tree.children(slot) if self.tree.slots["move"][child] == step), -1)
            if slot < 0 or self.tree.slots["visits"][slot] == 0:
                return -1
        return slot

    def _schedule(self, limit: int) -> int:
        """Set gumbel's noise and order of visits, small stand-ins for the other rules of selection; returns how many
        simulations to do, `limit` at most."""
        self.work = self.work._replace(gumbel=np.zeros(1), order=np.zeros(1, np.int32))
        if self.settings.select != "gumbel":
            return limit
        self._open_root()
        assert self.tree is not None
        considered = min(self.settings.considered, len(self.tree.children()))
        gumbel = np.zeros(len(self.tree.children()))
        self._call(draw_gumbels, self.tree.slots, self.rng.state, considered, False, gumbel)
        if self.settings.simulations == 0 and self.settings.seconds:
            limit = self._simulations_in(self.settings.seconds, considered)
        self.work = self.work._replace(gumbel=gumbel, order=halving_order(considered, limit))
        return len(self.work.order)

    def _open_root(self) -> None:
        """Give the root its children, whose number decides gumbel's order of visits."""
        assert self.tree is not None
        self.work = self.work._replace(order=ORDER_TO_COME)
        self._simulate(1)
        while self.tree.stats["full"][0]:
            self.tree = grown(self.tree, 2 * len(self.tree.slots))
            self._simulate(1)
        self.tree.slots["raw"][0] = np.nan

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

    def _simulate(self, simulations: int) -> int:
        """Up to so many simulations; how many were done."""
        assert self.tree is not None
        done = self._call(
            simulate, self.game, self.evaluator, self.evaluator.learned, *self.tree, self.plan, self.work, simulations
        )
        return int(done)

    def _call(self, kernel: Any, *args: Any) -> Any:
        try:
            return run_kernel(self.game, kernel, *args, interpreted=self.interpreted)
        except NoMove as error:
            raise NoMove(f"{error}{self._where()}") from None

    def _where(self) -> str:
        """Which of the states that the search was at has no move: a leaf, or one that a playout has come to."""
        for row in (1, 2):
            position = Position(self.game, copy_record(self.work.states[row : row + 1]))
            try:
                _ = position.answers
            except NoMove:
                return f"{AT_POSITION}{json.dumps(position.fields())})"
        return ""

    def _make_room(self) -> bool:
        assert self.tree is not None
        slots = min(2 * len(self.tree.slots), self._most_slots())
        if slots <= len(self.tree.slots):
            return False
        self.tree = grown(self.tree, slots)
        return True

    def _prune(self, until: float) -> bool:
        """Drop what lies below rarely visited nodes, until half of the slots are free; False if that would take more
        time than it gives, or free nothing. Between batches no leaf waits for a network, and all may go."""
        assert self.tree is not None
        took = self.tree.used.nbytes / PRUNED_A_SECOND
        if time.perf_counter() + 2 * took > until:
            return False
        room, places = np.zeros(VISIT_CLASSES, np.int64), np.zeros(len(self.tree.used), np.int32)
        if not self._call(prune_to_half, *self.tree, room, places):
            return False
        self.work.salt[0] += 1  # slots have other numbers now
        return True

    def give_visits(self, most: int, least: int, same: Mapping[int, tuple[int, ...]] | None = None) -> None:
        """See to it that the `most` best children of the root, by visits and policy, have `least` visits each: a value
        to show; of moves that are the `same` one is enough. The root itself counts none of these simulations: its value
        stays what the search made it."""
        assert self.tree is not None
        slots = self.tree.slots
        if slots["proven"][0] or len(self.tree.children()) < 2:
            return
        best = sorted(
            self.tree.children(), key=lambda child: (-int(slots["visits"][child]), -float(slots["prior"][child]))
        )
        if same is not None:
            firsts = {same[int(slots["move"][child])]: child for child in reversed(best)}
            best = [child for child in best if child in firsts.values()]
        root, plan = copy_record(slots[:1]), self.plan
        self.plan = plan._replace(proofs=0)  # the root must not be taken for proven by one child
        for child in best[:most]:
            while not self.tree.slots["proven"][child] and self.tree.slots["visits"][child] < least:
                self.tree.slots["first"][0], self.tree.slots["count"][0] = child, 1
                self._visit(least - int(self.tree.slots["visits"][child]))
                self.tree.slots.view(np.uint8)[: root.nbytes] = root.view(np.uint8)
                if self.tree.stats["full"][0] and not self._make_room():
                    break
        self.plan = plan

    def _visit(self, simulations: int) -> None:
        """Up to so many simulations that are not on the search's account."""
        self._simulate(simulations)

    def _most_slots(self) -> int:
        return int(self.settings.megabytes * 1e6 // slot_dtype(self.game.players).itemsize)


def thinking(seconds: float) -> float:
    """What of the seconds for a move is for the tree: about 97 %. In the rest a choice is made of it."""
    return max(min(0.97 * seconds, seconds - ENDING), 0.5 * seconds) if seconds else math.inf


def seconds_for(thought: float) -> float:
    """The seconds of which `thinking` leaves so much: for whoever has kept back already what an answer takes."""
    return max(thought / 0.97, thought + ENDING)


def make_search(game: Game, settings: SearchSettings, evaluator: Evaluator | None = None) -> Search:
    """The search for a game: the generic one, with this evaluator at its leaves, or the one that the game brings."""
    if evaluator is not None:
        return Search(game, settings, evaluator)
    module, _, title = game.card.search.own_search.partition(":")
    kind: type[Search] = getattr(importlib.import_module(module), title) if module else Search
    return kind(game, settings)
