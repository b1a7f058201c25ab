"""Exact values of small two-player games."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from boardwright.compile.diagnose import run_kernel
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.state import copy_record
from boardwright.search.exact.alphabeta import BOUNDS, FRAME, NOT_ZERO_SUM, QUESTION, TOO_DEEP, Guide, Stack, prove
from boardwright.search.exact.transposition import new_table, words_of
from boardwright.search.settings import policy_number
from boardwright.search.stopping import Pace, Stopped, Stopping

MOST_PLIES = 1000
BEYOND = 1e9  # more than any game pays
FIRST_SLICE, SLICE_NODES = 200, 20_000  # positions in a slice at first, and at most


@dataclass(frozen=True)
class SolverSettings:
    """How far to go for an exact value; `0` means no limit of that kind."""

    megabytes: float = 256.0  # size of the table
    nodes: int = 50_000_000  # give up on a move after so many positions
    seconds: float = 0.0  # give up on a move after so long
    polish: int = 200_000  # positions spent on finding the fastest win, or the slowest loss
    order: str = "auto"  # which move to try first: one of the game's policies, history, or auto (the first policy)
    symmetric: int = 6  # down to this depth the images of a position count as one
    seed: int = 0  # one seed, one way to choose among equals

    def __post_init__(self) -> None:
        for name in ("nodes", "seconds", "polish"):
            if not 0 <= getattr(self, name) <= 1e15:
                raise InputError(f"solver: {name}={getattr(self, name)} must be 0 or more")
        if not 1.0 <= self.megabytes <= 1e6:
            raise InputError(f"solver: megabytes={self.megabytes} must be 1 to 1000000")
        if not 0 <= self.symmetric <= MOST_PLIES:
            raise InputError(f"solver: symmetric={self.symmetric} must be 0 to {MOST_PLIES}")


class TooLarge(InputError):
    """A position could not be solved within the limits."""


class Solver:
    """Solves positions of one game; what it learns about one serves the next. `interpreted` runs the kernels as
    plain Python, for tests and debuggers."""

    def __init__(self, game: Game, settings: SolverSettings | None = None, *, interpreted: bool = False) -> None:
        if game.players != 2 or game.outcomes:
            what = "it has chance" if game.outcomes else f"its players number {game.players}"
            raise InputError(f"{game.name}: the solver needs two players and no chance; {what}: use expectimax or mcts")
        self.game, self.settings, self.interpreted = game, settings or SolverSettings(), interpreted
        self.guide = _guide(game, self.settings)
        depths, actions = MOST_PLIES + 3, max(game.actions, 1)
        states = np.zeros(depths, game.state_dtype)
        self._stack = Stack(
            frames=np.zeros(depths, FRAME),
            states=states,
            words=words_of(states),
            moves=np.zeros((depths, actions), np.int32),
            weights=np.zeros((depths, actions)),
            history=np.zeros((2, actions)),
            low=np.zeros(2),
            high=np.zeros(2),
        )
        self._question = np.zeros(1, QUESTION)
        self._pace = Pace(FIRST_SLICE, SLICE_NODES)
        self.stopping: Stopping | None = None  # asked between slices; once it says so, `ask` raises Stopped
        self.forget()

    def forget(self) -> None:
        """Empty the table."""
        self.table = new_table(BOUNDS, self.settings.megabytes)
        self._stack.history[:] = 0.0
        self.allow()

    def allow(self, nodes: int = 0) -> None:
        """Count nodes and seconds anew; with `nodes`, allow no more than that this time."""
        self.nodes, self._began = 0, time.perf_counter()
        self._most = min(nodes or 2**62, self.settings.nodes or 2**62)

    def value(self, position: Position) -> float:
        """What player 0 gets if both play perfectly."""
        most = self.ask(position, math.inf)
        while True:
            answer = self.ask(position, most)
            if answer >= most:
                return most
            most = answer

    def values(self, position: Position) -> dict[int, float]:
        """What each move is worth to the player who moves."""
        sign = 1.0 if position.player == 0 else -1.0
        return {move: sign * self.value(position.play(move)) + 0.0 for move in position.moves}

    def ask(self, position: Position, target: float, plies: int = 0, beyond: float = 0.0) -> float:
        """Does player 0 get at least `target`? If so, a number between target and value; if not, a number from the
        value up, below the target. With `plies`, games that are not over after so many moves count as `beyond`."""
        self._stack.states[:1] = copy_record(position.record)
        question = self._question
        question["target"], question["plies"], question["beyond"] = target, plies, beyond
        question["depth"], question["nodes"], question["trouble"] = 0, 0, 0
        done = False
        while not done:
            if self.stopping and self.stopping():
                raise Stopped
            left = self._most - self.nodes - int(question["nodes"][0])
            began, nodes = time.perf_counter(), min(self._pace.size, left)
            done = bool(self._prove(nodes))
            if not done:
                self._pace.took(time.perf_counter() - began, nodes)
                self._check_limits(int(question["nodes"][0]))
        self.nodes += int(question["nodes"][0])
        trouble = int(question["trouble"][0])
        if trouble == NOT_ZERO_SUM:
            raise InputError(f"{self.game.name}: the solver needs results that add up to 0, and these do not; use mcts")
        if trouble == TOO_DEEP:
            raise self._too_large(f"a game can go on for more than {MOST_PLIES} moves", "use mcts")
        return float(question["value"][0]) + 0.0

    def holds(self, position: Position, player: int, value: float, plies: int = 0) -> bool:
        """Can `player` see to it that player 0 gets `value`, or better for `player`; with `plies`, so soon?"""
        if player == 0:
            return self.ask(position, value, plies, -BEYOND) >= value
        above = float(np.nextafter(np.float32(value), np.float32(math.inf)))
        return self.ask(position, above, plies, BEYOND) < above

    def _check_limits(self, nodes: int) -> None:
        seconds, cure = self.settings.seconds, "a larger table (megabytes=...), a smaller board, or mcts"
        if self.nodes + nodes >= self._most:
            raise self._too_large(f"{self._most:,} positions were not enough", f"allow more by nodes=..., {cure}")
        if seconds and time.perf_counter() - self._began >= seconds:
            raise self._too_large(f"{seconds:g} seconds were not enough", f"allow more by seconds=..., {cure}")

    def _too_large(self, reason: str, cure: str) -> TooLarge:
        return TooLarge(f"{self.game.name}: position too large to solve: {reason}; {cure}")

    def _prove(self, nodes: int) -> Any:
        arguments = (self.game, self.table, self._stack, self._question, self.guide, nodes)
        return run_kernel(self.game, prove, *arguments, interpreted=self.interpreted)


def _order_number(game: Game, order: str) -> int:
    names = ["history", *(policy.replace("_", "-") for policy in game.policies)]
    if order.replace("_", "-") not in names:
        raise InputError(f"{game.name}: order={order} does not exist; there are auto, {', '.join(names)}")
    return names.index(order.replace("_", "-"))


def _guide(game: Game, settings: SolverSettings) -> Guide:
    order, forcing = settings.order, game.card.search.forcing
    if order == "auto":
        order = game.policies[0] if game.policies else "history"
    return Guide(
        forcing=policy_number(game, "forcing", forcing) if forcing else 0,
        order=_order_number(game, order),
        symmetric=settings.symmetric if 1 < game.symmetries <= 8 else 0,
        bounded=int(game.writes("bounds")),
    )
