"""Strength: two players meet in pairs of games with swapped seats, and the share of points gets its interval."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from boardwright.arena.intervals import Estimate, share
from boardwright.games.in_a_row import LineGame
from boardwright_lab.gomoku.games import Mover, RuleMover, play


@dataclass(frozen=True)
class Score:
    """Games as the first player saw them. A draw is half a point."""

    wins: int
    draws: int
    losses: int
    share: Estimate  # of the points, 0 to 1, with its interval of 95 %

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def text(self) -> str:
        """97.5 % (94 to 99)."""
        low, high = (100 * end for end in (self.share.low, self.share.high))
        return f"{100 * self.share.value:.1f} % ({low:.1f} to {high:.1f})"

    @property
    def counts(self) -> str:
        return f"{self.wins} / {self.draws} / {self.losses}"


Players = Callable[[int], Mover]  # a player from its seed


def meet(game: LineGame, one: Players, other: Players, games: int, seed: int, opening: int = 0) -> Score:
    """`games`, rounded up to pairs: both games of a pair begin with the same random moves, each player first in one."""
    pairs = (games + 1) // 2
    rng = np.random.default_rng(seed)
    seeds = np.repeat(rng.integers(2**64, size=pairs, dtype=np.uint64), 2)
    movers = one(int(rng.integers(2**63))), other(int(rng.integers(2**63)))
    results = play(game, movers, np.arange(2 * pairs) % 2, seeds, opening).results
    points = (results.reshape(pairs, 2).mean(axis=1) + 1.0) / 2.0
    wins, losses = int((results > 0).sum()), int((results < 0).sum())
    return Score(wins, 2 * pairs - wins - losses, losses, share(points.tolist(), 2))


def by_rule(game: LineGame, name: str) -> Players:
    """`random` or one of the game's policies."""
    return lambda seed: RuleMover(game, name, seed)
