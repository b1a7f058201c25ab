"""Players by a learnt value: greedy, one ply further with the exact mean over draws, or with guided rollouts."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.contract.state import copy_record
from boardwright.learn.values.choosing import new_choosing, value_moves
from boardwright.learn.values.lookahead import answer_draws, new_draws
from boardwright.learn.values.model import load_values
from boardwright.learn.values.rollouts import Rollouts, roll_out
from boardwright.players.control import Control, Progress
from boardwright.players.many import Chooser, chooser_by_state
from boardwright.players.player import Player
from boardwright.search.choice import Choice
from boardwright.search.gumbel import halving_rounds, visits_each
from boardwright.search.search import thinking
from boardwright.search.stopping import SLICE_SECONDS, STOPPED, Pace, Stopping

MOST_SWEEPS = 16  # rollouts of each move in a slice


@dataclass(frozen=True)
class ValuesSettings:
    """How far to look. Rollouts are used where `seconds` or `simulations` are given; else `plies` decide."""

    model: str = ""  # file or run folder; empty: the one that comes with Boardwright
    plies: int = 1  # 1: the afterstates of the moves; 2: each draw after the best of them and the best answer to it
    closely: int = 16  # moves that are looked at more closely: two plies deep
    finalists: int = 8  # the best of these, between which rollouts decide
    consider: int = 16  # answers that are valued: those that the game's first policy likes best; 0: all
    seconds: float = 0.0  # of rollouts a move
    simulations: int = 0  # rollouts a move
    depth: int = 6  # moves of a rollout, after which the value speaks
    weight: float = 10.0  # rollouts that the look two plies deep counts as
    seed: int = 0  # one seed, one result (not with seconds)
    RENAMED: ClassVar[Mapping[str, str]] = {"best": "closely"}

    def __post_init__(self) -> None:
        for right, message in (
            (self.plies in (1, 2), f"plies={self.plies} must be 1 or 2; for more give seconds or simulations"),
            (1 <= self.closely <= 10**6, f"closely={self.closely} must be 1 to 1000000"),
            (1 <= self.finalists <= 10**6, f"finalists={self.finalists} must be 1 to 1000000"),
            (0 <= self.consider <= 10**6, f"consider={self.consider} must be 0 to 1000000"),
            (0.0 <= self.seconds <= 1e6, f"seconds={self.seconds} must be 0 to 1000000"),
            (0 <= self.simulations <= 10**9, f"simulations={self.simulations} must be 0 to 1000000000"),
            (1 <= self.depth <= 10**6, f"depth={self.depth} must be 1 to 1000000"),
            (0.0 <= self.weight <= 1e6, f"weight={self.weight} must be 0 to 1000000"),
        ):
            if not right:
                raise InputError(f"player values: {message}")


@kernel
def value_all(game: Any, network: Any, learned: Any, states: Any, choosing: Any) -> Any:
    """The value of every move at states[0]; returns how many there are."""
    count, _ = value_moves(game, network, learned, states[0], choosing)
    return count


@kernel
def play_each(game: Any, states: Any, moves: Any, roots: Any) -> None:
    """roots[i] = the afterstate of moves[i] at states[0]."""
    for i in range(len(moves)):
        roots[i] = states[0]
        game.play(roots[i], moves[i])


@kernel
def answer_all(
    game: Any, network: Any, learned: Any, roots: Any, draws: Any, choosing: Any, closer: Any
) -> None:  # fmt: skip
    """closer[i] = what the afterstate roots[i] is worth one ply further."""
    for i in range(len(roots)):
        draws.states[0] = roots[i]
        closer[i] = answer_draws(game, network, learned, draws, choosing)


class ValuesPlayer(Player):
    """Chooses by a learnt value of afterstates."""

    def __init__(self, game: Game, spec: str, settings: ValuesSettings) -> None:
        self.game, self.spec, self.settings = game, spec, settings
        self.network, self.learned = load_values(settings.model, game)
        self.interpreted = False  # True: plain Python, for tests and debuggers
        self._choosing = new_choosing(game, 1 if game.policies and settings.consider else 0, settings.consider)
        self._state, self._draws = np.zeros(1, game.state_dtype), new_draws(game)
        self.forget()

    def forget(self) -> None:
        self._rng = Random(self.settings.seed)

    def chooser(self) -> Chooser | None:
        """Of one ply: more take their time."""
        return (
            None
            if self.settings.plies > 1 or self.settings.seconds or self.settings.simulations
            else chooser_by_state(self)
        )

    def choose(self, position: Position, control: Control | None = None) -> Choice:
        self.needs_to_move(position)
        began = time.perf_counter()
        moves, values = self._value(position)
        simulations = len(moves)
        visits: dict[int, int] = {}

        def stopping() -> bool:
            return control is not None and control.poll(lambda: Progress(simulations, time.perf_counter() - began))

        deep = self.settings.plies > 1 or self.settings.seconds > 0 or self.settings.simulations > 0
        if deep and len(moves) > 1:
            kept = np.argsort(-values, kind="stable")[: self.settings.closely]
            moves, values = moves[kept], values[kept]
            roots = np.zeros(len(moves), self.game.state_dtype)
            self._call(play_each, self.game, self._state, moves, roots)
            closer = self._answer(roots, stopping)
            values = values if closer is None else closer
            if closer is not None and (self.settings.seconds > 0 or self.settings.simulations > 0):
                # Between 16 moves the first round of halving has few rollouts each, and throws out good ones.
                kept = np.argsort(-values, kind="stable")[: self.settings.finalists]
                moves, roots = moves[kept], roots[kept]
                values, counts = self._roll(roots, values[kept], began, stopping)
                visits, simulations = dict(zip(moves.tolist(), counts.tolist(), strict=True)), int(counts.sum())
                # Those that dropped out early may look better by luck: only the last two can be chosen.
                values = np.where(counts == counts.max(), values, -math.inf)
        best = int(values.argmax())
        stopped = control is not None and control.stopping
        return Choice(
            move=int(moves[best]),
            value=(float(values[best]),),
            values={int(move): float(value) for move, value in zip(moves, values, strict=True) if value > -math.inf},
            visits=visits,
            line=(int(moves[best]),),
            simulations=simulations,
            seconds=time.perf_counter() - began,
            note="by the learnt value" + (f", {STOPPED}" if stopped else ""),
        )

    def _value(self, position: Position) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
        self._state[:] = copy_record(position.record)
        every = self._choosing._replace(policy=0, consider=0)
        count = self._call(value_all, self.game, self.network, self.learned, self._state, every)
        return every.moves[:count].copy(), every.values[:count].copy()

    def _answer(self, roots: npt.NDArray[np.void], stopping: Stopping) -> npt.NDArray[np.float64] | None:
        """Each afterstate's worth, one ply further; None if `stopping` said so before all were looked at."""
        closer = np.zeros(len(roots))
        for i in range(len(roots)):
            one, found = roots[i : i + 1], closer[i : i + 1]
            self._call(
                answer_all, self.game, self.network, self.learned, one, self._draws, self._choosing, found
            )  # fmt: skip
            if stopping():
                return None
        return closer

    def _roll(
        self, roots: npt.NDArray[np.void], seen: npt.NDArray[np.float64], began: float, stopping: Stopping
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
        """Sequential halving (Karnin et al. 2013): an equal share of the budget for each round, after which the better
        half goes on. Returns the mean of each afterstate's rollouts and of what was seen of it two plies deep, which
        counts as `weight` of them: few rollouts are mostly luck, and would outvote it. And how many there were."""
        settings, count = self.settings, len(roots)
        sums, visits = np.zeros(count), np.zeros(count, np.int64)
        alive = np.arange(count)
        rounds = halving_rounds(count)
        rollouts = Rollouts(roots, sums, self._state, self._rng.state, np.zeros(1, np.uint64), settings.depth)

        def means() -> npt.NDArray[np.float64]:
            weight = max(settings.weight, 1e-9)
            found: npt.NDArray[np.float64] = (sums + weight * seen) / (visits + weight)
            return found

        def sweep(sweeps: int) -> bool:
            """One slice; False: stop here."""
            before = time.perf_counter()
            self._call(
                roll_out, self.game, self.network, self.learned, self._choosing, rollouts, alive, sweeps
            )  # fmt: skip
            visits[alive] += sweeps
            pace.took(time.perf_counter() - before, sweeps)
            return not stopping()

        pace = Pace(1, MOST_SWEEPS)
        for number in range(rounds):
            if settings.simulations:
                due = visits_each(settings.simulations, rounds, len(alive))
                while due > 0:
                    size = min(pace.size, due)
                    due -= size
                    if not sweep(size):
                        return means(), visits
            else:
                until = began + thinking(settings.seconds) * (number + 1) / rounds
                size = 1
                while True:
                    before = time.perf_counter()
                    if not sweep(size):
                        return means(), visits
                    now = time.perf_counter()
                    each = max((now - before) / size, 1e-6)
                    size = int(max(1, min(SLICE_SECONDS / each, size * 4, (until - now) / each)))
                    if now + each > until:
                        break
            if len(alive) > 2:
                order = np.argsort(-means()[alive], kind="stable")
                alive = np.sort(alive[order[: (len(alive) + 1) // 2]])
        return means(), visits

    def _call(self, kernel: Any, *args: Any) -> Any:
        return run_kernel(self.game, kernel, *args, interpreted=self.interpreted)
