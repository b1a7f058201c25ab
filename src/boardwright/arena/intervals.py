"""Intervals: how far a measured figure may lie from the truth. All are for 95 % unless told otherwise.

Wins are counted, so their rate gets Wilson's interval (1927). Means get Student's. A *share* (wins and half the
draws, over games that come in sets played from one seed) gets Wilson's form too, with the number of games
replaced by the number of independent ones that would vary as much as the sets did (Kish's effective sample size).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist, fmean

LEVEL = 0.95


@dataclass(frozen=True)
class Estimate:
    """A figure with its interval, in the same unit."""

    value: float
    low: float
    high: float

    def __contains__(self, truth: float) -> bool:
        return self.low <= truth <= self.high

    @property
    def margin(self) -> float:
        """Half the interval's width."""
        return (self.high - self.low) / 2

    def times(self, factor: float) -> Estimate:
        """The same figure in a unit of which `factor` make one of ours; `factor` above 0."""
        return Estimate(self.value * factor, self.low * factor, self.high * factor)

    def to_dict(self) -> dict[str, float | None]:
        """For JSON, which has no infinity."""
        return {name: x if math.isfinite(x) else None for name, x in vars(self).items()}


def normal_quantile(level: float = LEVEL) -> float:
    """How many standard deviations each way hold `level` of a normal distribution: 1.96 for 95 %."""
    return NormalDist().inv_cdf((1 + level) / 2)


def wilson(successes: float, trials: float, level: float = LEVEL, quantile: float | None = None) -> Estimate:
    """A rate of so many `successes` in `trials`, with Wilson's score interval; anything is possible without trials."""
    if trials <= 0:
        return Estimate(math.nan, 0.0, 1.0)
    z2 = (quantile if quantile is not None else normal_quantile(level)) ** 2
    rate = successes / trials
    middle = (rate + z2 / (2 * trials)) / (1 + z2 / trials)
    half = math.sqrt(z2 * (rate * (1 - rate) / trials + z2 / (4 * trials**2))) / (1 + z2 / trials)
    # With a rate of 0 or 1 the end of the interval is that rate; rounding must not push it past.
    return Estimate(rate, min(max(middle - half, 0.0), rate), max(min(middle + half, 1.0), rate))


def mean(values: Sequence[float], level: float = LEVEL) -> Estimate:
    """The mean of independent values with Student's interval; unbounded with fewer than two of them."""
    if not values:
        return Estimate(math.nan, -math.inf, math.inf)
    middle = fmean(values)
    if len(values) < 2:
        return Estimate(middle, -math.inf, math.inf)
    half = student_quantile(len(values) - 1, level) * math.sqrt(_variance(values, middle) / len(values))
    return Estimate(middle, middle - half, middle + half)


def share(set_shares: Sequence[float], games_a_set: int, level: float = LEVEL) -> Estimate:
    """The mean of shares of 0 to 1, one a set of games that share their luck, with an interval inside 0 to 1.

    Sets that are all alike say nothing of how much sets vary: their games then count as independent ones.
    """
    sets = len(set_shares)
    if sets == 0:
        return Estimate(math.nan, 0.0, 1.0)
    middle = fmean(set_shares)
    seen = _variance(set_shares, middle) / sets if sets > 1 else 0.0  # of the mean
    if seen == 0.0:
        return wilson(middle * sets * games_a_set, sets * games_a_set, level)
    games = middle * (1 - middle) / seen
    return wilson(middle * games, games, quantile=student_quantile(sets - 1, level))


def _variance(values: Sequence[float], middle: float) -> float:
    """The variance about the mean `middle`: but for the last digit that of `statistics`, in a tenth of its time."""
    return math.fsum([(value - middle) ** 2 for value in values]) / (len(values) - 1)


# Student's distribution, exactly, as SciPy would give it.


@cache
def student_quantile(freedom: int, level: float = LEVEL) -> float:
    """How many standard errors each way hold `level` of Student's distribution: 2.262 for 95 % and 9 degrees."""
    low, high = 0.0, 1.0
    while student_within(high, freedom) < level:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        if student_within(middle, freedom) < level:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def student_within(t: float, freedom: int) -> float:
    """How likely Student's t lies between -t and t."""
    return 1.0 - incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))


def incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Lentz's method)."""
    if x <= 0.0 or x >= 1.0:
        return 0.0 if x <= 0.0 else 1.0
    if x > (a + 1) / (a + b + 2):  # the fraction converges fast on the other side
        return 1.0 - incomplete_beta(b, a, 1.0 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    tiny = 1e-300
    c, d = 1.0, 1.0 / max(1.0 - (a + b) * x / (a + 1), tiny)
    value = d
    for m in range(1, 1000):
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1.0 / (1.0 + step * d or tiny)
            c = 1.0 + step / c or tiny
            value *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return front * value
