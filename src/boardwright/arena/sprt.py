"""The sequential test: play until it is known which of two hypotheses about the Elo difference holds (Wald 1945).

The test statistic is the generalised log-likelihood ratio of the sets' results (Van den Bergh, "The generalized
SPRT for chess engines"): how much more likely the sets seen are under the best distribution with the mean of
hypothesis 1 than under the best one with the mean of hypothesis 0. It needs no model of draws, and two games of
one set with seats exchanged count as one observation, whose luck cancels.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from boardwright.arena.elo import expected
from boardwright.contract.errors import InputError

FAINT = 1e-3  # observations lent to results never seen, so that neither hypothesis is ruled out by their absence


@dataclass(frozen=True)
class Hypotheses:
    """Hypothesis 0: the first player is `elo0` stronger than the second; hypothesis 1: `elo1` (above `elo0`)."""

    elo0: float
    elo1: float
    alpha: float = 0.05  # how often hypothesis 1 may be accepted wrongly
    beta: float = 0.05  # how often hypothesis 0 may be

    def __post_init__(self) -> None:
        for name, number in list(vars(self).items()):
            object.__setattr__(self, name, float(number))
        if not self.elo0 < self.elo1:
            raise InputError(
                f"sprt: {self.elo0:g},{self.elo1:g} - the second difference must be above the first, as 0,20"
            )
        if not (0.0 < self.alpha < 0.5 and 0.0 < self.beta < 0.5):
            raise InputError("sprt: alpha and beta are odds of an error, above 0 and below 0.5, such as 0.05")

    @classmethod
    def read(cls, text: str) -> Hypotheses:
        """`elo0,elo1` or `elo0,elo1,alpha,beta`."""
        try:
            numbers = [float(part) for part in text.split(",")]
            if not 2 <= len(numbers) <= 4 or not all(map(math.isfinite, numbers)):
                raise ValueError
        except ValueError:
            raise InputError(f"sprt: {text!r} - write elo0,elo1 or elo0,elo1,alpha,beta, such as 0,20") from None
        return cls(*numbers)

    @property
    def lower(self) -> float:
        """At or below this log-likelihood ratio hypothesis 0 is accepted."""
        return math.log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        """At or above this one hypothesis 1 is."""
        return math.log((1.0 - self.beta) / self.alpha)


@dataclass(frozen=True)
class SprtVerdict:
    """Where a test stands after `sets` sets."""

    test: Hypotheses
    ratio: float  # the log-likelihood ratio
    sets: int
    accepted: int | None  # which hypothesis; None: not known yet

    def __str__(self) -> str:
        test = self.test
        found = {
            None: "not decided yet",
            0: f"decided: nearer to {test.elo0:+g} than to {test.elo1:+g} Elo",
            1: f"decided: nearer to {test.elo1:+g} than to {test.elo0:+g} Elo",
        }[self.accepted]
        bounds = f"bounds {test.lower:.2f} and {test.upper:.2f}"
        return f"{found} (log-likelihood ratio {self.ratio:.2f}, {bounds}, after {self.sets} sets)"


class Sequential:
    """A test under way. Sets are added in their order; after the first bound is met nothing counts any more."""

    def __init__(self, test: Hypotheses, possible: Sequence[float]) -> None:
        """`possible`: every share of a set that the first player can get."""
        self._counts: Counter[float] = Counter(dict.fromkeys(possible, 0))
        self.verdict = SprtVerdict(test, 0.0, 0, None)

    def add(self, share: float) -> SprtVerdict:
        """The first player got this share of the next set."""
        now = self.verdict
        if now.accepted is None:
            self._counts[share] += 1
            ratio = log_likelihood_ratio(now.test, self._counts)
            known = ratio <= now.test.lower or ratio >= now.test.upper
            self.verdict = SprtVerdict(now.test, ratio, now.sets + 1, int(ratio > 0) if known else None)
        return self.verdict


def judge(test: Hypotheses, shares: Sequence[float], possible: Sequence[float]) -> SprtVerdict:
    """Where the test stands after the sets with these `shares`, in their order."""
    sequential = Sequential(test, possible)
    for share in shares:
        sequential.add(share)
    return sequential.verdict


def log_likelihood_ratio(test: Hypotheses, counts: Mapping[float, int]) -> float:
    """Of hypothesis 1 over hypothesis 0, for so many sets of each share."""
    total = sum(counts.values())
    if total == 0:
        return 0.0
    seen = {value: max(count, FAINT) for value, count in counts.items()}
    total_seen = sum(seen.values())
    odds = {value: count / total_seen for value, count in seen.items()}
    tilt0, tilt1 = (_tilt(odds, expected(elo)) for elo in (test.elo0, test.elo1))
    mean0, mean1 = expected(test.elo0), expected(test.elo1)
    return total_seen * sum(
        chance * math.log((1.0 + tilt0 * (value - mean0)) / (1.0 + tilt1 * (value - mean1)))
        for value, chance in odds.items()
    )


def _tilt(odds: dict[float, float], mean: float) -> float:
    """The t with sum of p (v - mean) / (1 + t (v - mean)) = 0: the distribution nearest to `odds` (in likelihood)
    with that mean is p / (1 + t (v - mean))."""
    low, high = -1.0 / (max(odds) - mean), -1.0 / (min(odds) - mean)
    margin = 1e-12 * (high - low)
    low, high = low + margin, high - margin
    for _ in range(60):
        middle = (low + high) / 2
        if sum(chance * (value - mean) / (1.0 + middle * (value - mean)) for value, chance in odds.items()) > 0.0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
