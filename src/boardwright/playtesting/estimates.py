"""The estimators of a playtest. Games of one deal share their luck: the deal is what is independent, and all intervals
are over deals. docs/playtest.md says which figure has which."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from boardwright.arena.intervals import Estimate, student_quantile, wilson

Numbers = npt.NDArray[np.float64]
RESAMPLES = 1000


def ratio(numerators: Sequence[float], denominators: Sequence[float], *, share: bool = False) -> Estimate:
    """Sum of numerators over sum of denominators, one of each a deal: a mean over games, turns or whatever the
    denominators count. The variance is that of the linearised ratio (Cochran 1977, 6.3); a share of 0 to 1 has
    Wilson's form of the interval, with the number of independent trials that would vary as much."""
    top, below = np.asarray(numerators, float), np.asarray(denominators, float)
    used = below > 0
    top, below = top[used], below[used]
    deals, whole = len(below), float(below.sum())
    if deals == 0:
        return Estimate(math.nan, 0.0, 1.0) if share else Estimate(math.nan, -math.inf, math.inf)
    value = float(top.sum()) / whole
    if deals < 2:
        return Estimate(value, 0.0, 1.0) if share else Estimate(value, -math.inf, math.inf)
    rest = top - value * below
    spread = float((rest**2).sum()) * deals / (deals - 1) / whole**2  # variance of the ratio
    quantile = student_quantile(deals - 1)
    if not share:
        half = quantile * math.sqrt(spread)
        return Estimate(value, value - half, value + half)
    return _share_interval(value, spread, deals, quantile)


def _share_interval(value: float, spread: float, deals: int, quantile: float) -> Estimate:
    """Wilson's form for a share whose variance was measured."""
    if spread <= 1e-15 or not 0.0 < value < 1.0:
        # All deals alike, such as all drawn: others may be as many as could have stayed unseen, and say anything.
        unseen = wilson(0, deals).high
        return Estimate(value, value - unseen * value, value + unseen * (1.0 - value))
    trials = value * (1.0 - value) / spread
    return wilson(value * trials, trials, quantile=quantile)


def mean(values: Sequence[float]) -> Estimate:
    """The mean of one number a deal."""
    return ratio(values, [1.0] * len(values))


def luck_share(results: Numbers) -> Estimate:
    """How much of the variance of results is between deals: the intraclass correlation of a one-way analysis of
    variance (Shrout and Fleiss 1979, ICC(1)). results[deal, replay, seat]; seats are summed. The interval is a
    jackknife by deals of the logarithm of the F ratio, brought back."""
    deals, replays = results.shape[:2]
    if deals < 3:
        return Estimate(math.nan, 0.0, 1.0)
    middles = results.mean(axis=1)
    within = ((results - middles[:, None, :]) ** 2).sum(axis=(1, 2))  # of each deal
    total = float(results.reshape(deals * replays, -1).var(axis=0, ddof=1).sum())
    if total <= 1e-12:
        return Estimate(math.nan, 0.0, 1.0)  # every game ended alike: nothing to explain

    between = float(replays * ((middles - middles.mean(axis=0)) ** 2).sum() / (deals - 1))
    inner = float(within.sum() / (deals * (replays - 1)))
    flips = int(np.count_nonzero(within > 1e-12))
    if flips < 2:  # replays that agree say how rare others are, at most
        rare = wilson(flips, deals).high
        size = float(within.max()) if flips else 1.0
        return Estimate(_of_f(between / inner, replays) if inner else 1.0, max(0.0, 1.0 - rare * size / total), 1.0)
    if between <= 1e-12:
        return Estimate(0.0, 0.0, min(1.0, wilson(0, deals).high))
    whole = math.log(between / inner)
    # Each deal left out in turn, by sums of squares.
    total_centre, total_square = middles.sum(axis=0), float((middles**2).sum())
    centre, square = total_centre - middles, total_square - (middles**2).sum(axis=1)
    betweens = replays * (square - (centre**2).sum(axis=1) / (deals - 1)) / (deals - 2)
    withins = (within.sum() - within) / ((deals - 1) * (replays - 1))
    left_out = np.log(np.maximum(betweens, 1e-12) / np.maximum(withins, 1e-12))
    spread = (deals - 1) / deals * float(((left_out - left_out.mean()) ** 2).sum())
    half = student_quantile(deals - 1) * math.sqrt(spread)
    # Games of a deal cannot be less alike than those of different deals: where they came out so, the upper end is that
    # of a share of 0, not below.
    ends = whole, whole - half, max(whole, 0.0) + half
    return Estimate(*(min(1.0, max(0.0, _of_f(math.exp(x), replays))) for x in ends))


def _of_f(f: float, replays: int) -> float:
    return (f - 1.0) / (f + replays - 1.0)


def better_share(one: Sequence[float], other: Sequence[float]) -> Estimate:
    """How likely a result of `one` is above one of `other` on another deal, equals being half: Mann and Whitney's
    share, with the variance of DeLong et al. (1988). Both by deal, in the same order."""
    a, b = np.asarray(one, float), np.asarray(other, float)
    deals = len(a)
    if deals < 3:
        return Estimate(math.nan, 0.0, 1.0)
    wins = (a[:, None] > b[None, :]) + 0.5 * (a[:, None] == b[None, :])
    np.fill_diagonal(wins, 0.0)  # the same deal is another question
    value = float(wins.sum()) / (deals * (deals - 1))
    pulls = (wins.sum(axis=1) + wins.sum(axis=0)) / (deals - 1) - 2 * value
    spread = float((pulls**2).sum()) / (deals - 1) / deals
    return _share_interval(value, spread, deals, student_quantile(deals - 1))


def bootstrap(deals: int, statistic: Callable[[npt.NDArray[np.int64]], float], seed: int = 0) -> Estimate:
    """Any figure of a sample of deals, given by their numbers, with the percentile interval of resampled deals."""
    if deals == 0:
        return Estimate(math.nan, -math.inf, math.inf)
    value = statistic(np.arange(deals))
    if deals < 5:
        return Estimate(value, -math.inf, math.inf)
    rng = np.random.default_rng(seed)
    found = [statistic(rng.integers(0, deals, deals)) for _ in range(RESAMPLES)]
    low, high = np.quantile(found, [0.025, 0.975])
    return Estimate(value, min(float(low), value), max(float(high), value))


def mapped(estimate: Estimate, curve: Callable[[float], float]) -> Estimate:
    """The same figure on another scale that only grows."""
    return Estimate(curve(estimate.value), curve(estimate.low), curve(estimate.high))
