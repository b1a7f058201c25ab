"""What a value head learns, and back: results of -1 to 1 as they are, points as normalised points-to-come.

A network speaks by seats from the player to act; trees and results by players. Points are told as what is still to come
beyond the points so far, in units of a random game's points, and squeezed (sign(x) * (sqrt(|x| + 1) - 1), as Pohlen et
al. 2018 do), so that a game that pays 10 points or 100,000 is learnt alike.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel
from boardwright.contract.game import Game


@kernel
def values_by_player(game: Any, states: Any, actors: Any, seats: Any, unit: Any, out: Any, points: Any) -> None:
    """out[t, i] = what player i can expect in states[t]. seats[t, k]: the network's word on the player k seats after
    the one to act. unit: points that count as 1; 0 where results are not points."""
    players = out.shape[1]
    for t in range(len(actors)):
        first = max(actors[t], 0)
        if unit > 0.0:
            game.scores(states[t], points)
        for k in range(players):
            player = (first + k) % players
            value = float(seats[t, k])
            if unit > 0.0:
                size = abs(value) + 1.0
                value = points[player] + math.copysign(size * size - 1.0, value) * unit
            out[t, player] = value


@kernel
def values_by_seat(game: Any, states: Any, actors: Any, values: Any, unit: Any, out: Any, points: Any) -> None:
    """The way back: out[t, k] = what a network should say of values[t, i]."""
    players = out.shape[1]
    for t in range(len(actors)):
        first = max(actors[t], 0)
        if unit > 0.0:
            game.scores(states[t], points)
        for k in range(players):
            player = (first + k) % players
            value = values[t, player]
            if unit > 0.0:
                value = (value - points[player]) / unit
                value = math.copysign(math.sqrt(abs(value) + 1.0) - 1.0, value)
            out[t, k] = value


@dataclass(frozen=True)
class Targets:
    """The scale of one game's values. unit: points that count as 1; 0 for games that are won or lost."""

    game: Game
    unit: float

    @classmethod
    def of(cls, game: Game) -> Targets:
        if not game.counts_points:
            return cls(game, 0.0)
        from boardwright.learn.sampling import random_positions

        return cls(game, max(random_positions(game).size, 1e-6))

    def by_player(
        self, states: npt.NDArray[np.void], actors: npt.NDArray[Any], seats: npt.NDArray[np.float32]
    ) -> npt.NDArray[np.float64]:
        """(n, players) values of players from a network's answer (n, players) by seats."""
        out = np.zeros((len(actors), self.game.players))
        self._run(values_by_player, states, actors, np.ascontiguousarray(seats, np.float32), out)
        return out

    def by_seat(
        self, states: npt.NDArray[np.void], actors: npt.NDArray[Any], values: npt.NDArray[np.float64]
    ) -> npt.NDArray[np.float64]:
        """What a network should answer where players can expect `values` (n, players)."""
        out = np.zeros((len(actors), self.game.players))
        self._run(values_by_seat, states, actors, np.ascontiguousarray(values, np.float64), out)
        return out

    def _run(self, kernel: Any, states: Any, actors: Any, values: Any, out: Any) -> None:
        run_kernel(
            self.game, kernel, self.game, np.ascontiguousarray(states), np.ascontiguousarray(actors, np.int8), values,
            float(self.unit), out, np.zeros(self.game.players),
        )  # fmt: skip
