"""A function inside the kernel that values a position: what learnt tables and hand-made heuristics are to a search."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from boardwright.contract.compilable import Compilable


class Evaluator(Compilable):
    """Values positions of any game inside kernels. Subclasses are frozen dataclasses, like games; `learned` is
    an array of numbers that may change without compiling again."""

    RULES: ClassVar[tuple[str, ...]] = ("value", "prior")

    @property
    def has_policy(self) -> bool:
        """Whether `prior` says more than that all moves are alike."""
        return False

    def digest_values(self) -> dict[str, object]:
        return {"has_policy": self.has_policy}

    def value(self, game: Any, s: Any, learned: Any, out: Any) -> Any:
        """Write out[i] = what player i can expect to get in the end. Here: the points so far."""
        game.scores(s, out)

    def prior(self, game: Any, s: Any, learned: Any, moves: Any, count: Any, weights: Any) -> Any:
        """Write weights[i] = how much the player to act in `s` likes moves[i], of `count`. Here: all alike."""
        for i in range(count):
            weights[i] = 1.0

    @cached_property
    def learned(self) -> np.ndarray[Any, np.dtype[np.float32]]:
        """The numbers that `value` is given."""
        return np.zeros(1, np.float32)


class GameEstimate(Evaluator):
    """What the game itself estimates: the points so far, unless it knows better."""

    def value(self, game: Any, s: Any, learned: Any, out: Any) -> Any:
        game.estimate(s, out)


GAME_ESTIMATE = GameEstimate()  # one for all searches: to digest its rules takes 30 us


class PointsSoFar(Evaluator):
    """Knows nothing but the score: a game that is won by other means counts as even."""
