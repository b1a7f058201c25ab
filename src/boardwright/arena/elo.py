"""Elo ratings by maximum likelihood, with intervals.

The model is Bradley and Terry's: player i is expected to get 1 / (1 + 10 ** ((r[j] - r[i]) / 400)) of a comparison
with player j, a draw being half. Every two players of a game are one comparison; in games played alone, two
players who met the same draws. Ratings are counted from the mean of the players, which is 0.

Intervals do not trust the model with how much results vary: draws make them vary less, and the games of one set
share their luck. They come from the sets themselves (the sandwich estimate of White 1982, clustered by sets).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from boardwright.arena.intervals import LEVEL, Estimate, student_quantile

SCALE = 400.0 / math.log(10.0)  # Elo points in one natural unit of the logistic curve

# A set's comparisons: points[i, j] = how much of `games[i, j]` comparisons with j player i got (a draw is half).
Points = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Ratings:
    """Ratings with their covariance, in Elo points; `unbounded[i]`: player i, or a group with it, won or lost
    everything against the largest group of the others, so that no finite rating is the most likely one."""

    players: tuple[str, ...]
    values: npt.NDArray[np.float64]
    covariance: npt.NDArray[np.float64]
    freedom: int  # sets behind the covariance, less 1
    unbounded: tuple[bool, ...]

    def rating(self, player: int, level: float = LEVEL) -> Estimate:
        """A player's rating, counted from the mean of all."""
        return self._estimate(self.values[player], self.covariance[player, player], level)

    def difference(self, one: int, other: int, level: float = LEVEL) -> Estimate:
        """How much better `one` is than `other`."""
        return self._estimate(self.values[one] - self.values[other], self._variance(one, other), level)

    def superiority(self, one: int, other: int) -> float:
        """How likely `one` is the better player, after these games and without any opinion before them."""
        spread = math.sqrt(self._variance(one, other))
        gap = float(self.values[one] - self.values[other])
        if spread == 0.0:
            return 0.5 if gap == 0 else float(gap > 0)
        return NormalDist().cdf(gap / spread)

    def _variance(self, one: int, other: int) -> float:
        c = self.covariance
        return max(float(c[one, one] + c[other, other] - 2 * c[one, other]), 0.0)

    def _estimate(self, value: float, spread: float, level: float) -> Estimate:
        half = student_quantile(max(self.freedom, 1), level) * math.sqrt(max(float(spread), 0.0))
        return Estimate(float(value), float(value) - half, float(value) + half)


def expected(difference: float) -> float:
    """The share that a player so many Elo points stronger is expected to get."""
    return 1.0 / (1.0 + math.exp(-difference / SCALE))


def elo_of_share(share: float) -> float:
    """The difference in rating behind an expected share; infinite for 0 and 1."""
    if share <= 0.0 or share >= 1.0:
        return -math.inf if share <= 0.0 else math.inf
    return SCALE * math.log(share / (1.0 - share))


def rate(players: Sequence[str], sets: Sequence[Points] | Points) -> Ratings:
    """The most likely ratings of `players` after `sets` of comparisons (see Points); none at all: all 0."""
    count = len(players)
    points = np.sum(sets, axis=0) if len(sets) else np.zeros((count, count))
    linked = _linked(points)
    unbounded = [not one for one in linked[int(linked.sum(axis=1).argmax())]]
    # Between groups of which one took all the points, the likelihood grows for ever. Half a comparison won and half a
    # one lost, lent to all of them who met, keeps it finite: a rating that so few games can tell.
    met = (points + points.T) > 0
    used = points + 0.5 * (met & ~linked)
    values = _most_likely(used)
    games = used + used.T
    information = _information(values, games)
    bread = np.linalg.pinv(information)  # the common level of all ratings is free: no plain inverse
    meat = _between_sets(values, sets) if len(sets) > 1 and not any(unbounded) else information
    if not np.trace(meat) > 0.0:  # all sets as expected to the letter (all drawn): what the model expects instead
        meat = information
    covariance = bread @ meat @ bread * SCALE**2
    return Ratings(tuple(players), values * SCALE, covariance, len(sets) - 1, tuple(unbounded))


def _most_likely(points: Points) -> npt.NDArray[np.float64]:
    """Newton's method on the log-likelihood, which has one top; natural units, mean 0."""
    games = points + points.T
    values = np.zeros(len(points))
    for _ in range(200):
        gradient = points.sum(axis=1) - (games * _shares(values)).sum(axis=1)
        step = np.linalg.pinv(_information(values, games)) @ gradient
        step *= min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-300))  # far off, a full step overshoots
        values = values + step
        if np.abs(step).max() < 1e-12:
            break
    return np.asarray(values - values.mean())


def _shares(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.asarray(1.0 / (1.0 + np.exp(values[None, :] - values[:, None])))


def _information(values: npt.NDArray[np.float64], games: Points) -> npt.NDArray[np.float64]:
    """The Hessian of the negative log-likelihood."""
    shares = _shares(values)
    weight = games * shares * (1.0 - shares)
    np.fill_diagonal(weight, 0.0)
    return np.asarray(np.diag(weight.sum(axis=1)) - weight)


def _between_sets(values: npt.NDArray[np.float64], sets: Sequence[Points] | Points) -> npt.NDArray[np.float64]:
    """How much the sets' pulls on the ratings vary, summed over sets."""
    shares = _shares(values)
    points = np.asarray(sets)
    pulls = points.sum(axis=2) - ((points + points.transpose(0, 2, 1)) * shares).sum(axis=2)
    return np.asarray(pulls.T @ pulls * (len(sets) / (len(sets) - 1)))


def _linked(points: Points) -> npt.NDArray[np.bool_]:
    """Which two players are linked both ways by points, over however many others: their difference is finite."""
    count = len(points)
    beats = (points > 0) | np.eye(count, dtype=bool)
    for k in range(count):  # Warshall's closure
        beats |= beats[:, k : k + 1] & beats[k : k + 1, :]
    return np.asarray(beats & beats.T)
