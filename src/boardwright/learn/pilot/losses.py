"""What a run's figures say: losses against knowing nothing, how fast they change, and what is wrong with them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from boardwright.arena.intervals import Estimate, student_quantile

Line = Mapping[str, Any]  # of metrics.jsonl

# figure -> (the same of who knows nothing, the least that can be reached, what it is)
AGAINST = {
    "error": ("known", "", "error of the value about its targets"),
    "value_loss": ("value_even", "", "loss of the value"),
    "policy_loss": ("policy_even", "policy_entropy", "loss of the policy"),
}
LAST_SHARE, LEAST_LINES = 0.2, 3  # of the lines: what counts as now
BLOCKS = 8  # means of so many stretches stand for a curve: neighbouring lines are too alike to count each
LEARNT = 0.03  # share of what can be learnt below which a loss shows no signal
WHOLE = 0.95  # share of games from which on nearly all are meant
MANY_CUT = 0.05  # share of games
NARROW = 0.03  # a policy's entropy as a share of the even one's: below, it has made up its mind everywhere


@dataclass(frozen=True)
class Loss:
    """A loss now, that of who knows nothing, and the least possible; `learnt` of 1 would be all."""

    name: str  # of the figure
    what: str
    value: float
    nothing: float
    least: float = 0.0

    @property
    def learnt(self) -> float:
        """Share of the way from knowing nothing to the least possible."""
        way = self.nothing - self.least
        return (self.nothing - self.value) / way if way > 1e-9 else math.nan


@dataclass(frozen=True)
class Trouble:
    """Something wrong: its name, what is seen, and what to try."""

    name: str
    seen: str
    cure: str


@dataclass(frozen=True)
class Slope:
    """How fast a figure changes: `rate` a minute, in `unit`."""

    rate: Estimate
    unit: str
    how: str  # measured

    def next_hundred(self) -> Estimate | None:
        """Minutes until 100 Elo more at this rate, unbounded above where it may not grow at all; None if it does not
        grow, or is not in Elo."""
        if self.unit != ELO or not self.rate.value > 0.0 or self.rate.high <= 0.0:
            return None
        slowest = 100.0 / self.rate.low if self.rate.low > 0.0 else math.inf
        return Estimate(100.0 / self.rate.value, 100.0 / self.rate.high, slowest)


ELO = "Elo"


def recent(lines: Sequence[Line], name: str) -> float:
    """The mean of a figure over the last part of a run; NaN where it has none."""
    found = [float(line[name]) for line in lines if isinstance(line.get(name), int | float)]
    count = max(LEAST_LINES, math.ceil(LAST_SHARE * len(found)))
    return fmean(found[-count:]) if found else math.nan


def losses(lines: Sequence[Line]) -> list[Loss]:
    """Every loss that the run tells, with that of knowing nothing beside it."""
    found = []
    explained = recent(lines, "explained")
    if math.isfinite(explained):
        found.append(Loss("explained", "variance of the outcomes left unforeseen", 1.0 - explained, 1.0))
    for name, (nothing, least, what) in AGAINST.items():
        value, even = recent(lines, name), recent(lines, nothing)
        if math.isfinite(value) and math.isfinite(even):
            reachable = recent(lines, least) if least else 0.0
            found.append(Loss(name, what, value, even, reachable if math.isfinite(reachable) else 0.0))
    return found


def slope_of(lines: Sequence[Line]) -> Slope | None:
    """How fast the run's own measure of strength changes now: Elo, points, or what is left of the error."""
    for name, unit in (("elo", ELO), ("score", "points"), ("error", "% of the error of who knows nothing")):
        points = [
            (float(line["seconds"]) / 60, _measure(line, name))
            for line in lines
            if isinstance(line.get(name), int | float) and isinstance(line.get("seconds"), int | float)
        ]
        points = [(x, y) for x, y in points[len(points) // 2 if len(points) >= 6 else 0 :] if math.isfinite(y)]
        rate = regression(points)
        if rate is not None:
            return Slope(rate, unit, "over the second half of the curve")
    return None


def _measure(line: Line, name: str) -> float:
    if name != "error":
        return float(line[name])
    known = line.get("known")
    return 100.0 * float(line[name]) / known if isinstance(known, int | float) and known > 0 else math.nan


def regression(points: Sequence[tuple[float, float]]) -> Estimate | None:
    """The slope of a straight line through points, with Student's interval; None with fewer than three."""
    size = math.ceil(len(points) / BLOCKS)
    blocks = [points[begin : begin + size] for begin in range(0, len(points), size)] if points else []
    xs, ys = [fmean(x for x, _ in one) for one in blocks], [fmean(y for _, y in one) for one in blocks]
    if len(blocks) < 3:
        return None
    x_mean, y_mean = fmean(xs), fmean(ys)
    spread = sum((x - x_mean) ** 2 for x in xs)
    if spread <= 0.0:
        return None
    rate = sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys, strict=True)) / spread
    left = sum((y - y_mean - rate * (x - x_mean)) ** 2 for x, y in zip(xs, ys, strict=True))
    freedom = len(blocks) - 2
    half = student_quantile(freedom) * math.sqrt(left / freedom / spread)
    return Estimate(rate, rate - half, rate + half)


def troubles(lines: Sequence[Line], settings: Mapping[str, Any], method: str, train: str) -> list[Trouble]:
    """What is wrong by the figures alone. train: the command line that trains this game by this method."""
    if not lines:
        return []
    found = [*_diverged(lines, settings, train)]
    for loss in losses(lines):
        if loss.learnt < LEARNT and len(lines) >= LEAST_LINES:
            found.append(
                Trouble(
                    "no signal",
                    f"the {loss.what} is {loss.value:.3g}, no better than the {loss.nothing:.3g} of who knows nothing",
                    _no_signal_cure(method, settings, train),
                )
            )
    even, entropy = recent(lines, "policy_even"), recent(lines, "policy_entropy")
    if math.isfinite(even) and even > 0.3 and entropy < NARROW * even:
        found.append(
            Trouble(
                "collapsed policy",
                f"what the searches teach is one move nearly everywhere (entropy {entropy:.3f} of {even:.2f} nats)",
                f"{train} --set trust=0.05 --set openings=8 --out ANOTHER (softer targets, more various games)",
            )
        )
    drawn = recent(lines, "drawn")
    if recent(lines, "known") < 1e-6:
        found.append(
            Trouble(
                "all games end alike",
                "every game has the same result, so that nothing can be learnt from results",
                "boardwright check GAME; results() must tell who did better",
            )
        )
    elif drawn >= WHOLE:
        more = "--set openings=8" if method == "selfplay" else "--set opening=8 --set explore=0.1"
        found.append(
            Trouble(
                "all games drawn",
                f"{100 * drawn:.0f} % of the games are drawn, so that results teach nothing",
                f"{train} {more} --out ANOTHER; if drawn by a limit of the rules, raise it, or let results tell by how "
                "much a game was won",
            )
        )
    longest = settings.get("longest")
    cut, turns = recent(lines, "cut"), recent(lines, "turns")
    if cut > MANY_CUT or (math.isnan(cut) and isinstance(longest, int) and turns >= 0.9 * longest):
        share = f"{100 * cut:.0f} % of the games are" if math.isfinite(cut) else "games are"
        found.append(
            Trouble(
                "games cut at the limit",
                f"{share} cut after longest={longest} and have no result of their own",
                f"{train} --set longest={4 * int(longest or 1000)} --out ANOTHER, or rules by which a game must end",
            )
        )
    return found


def _diverged(lines: Sequence[Line], settings: Mapping[str, Any], train: str) -> list[Trouble]:
    names = [name for name in AGAINST if any(name in line for line in lines)]
    if not any(name in lines[-1] and lines[-1][name] is None for name in names):
        return []
    rate = settings.get("rate", 0.002)
    return [
        Trouble(
            "diverged",
            "a loss is no number any more",
            f"{train} --set rate={float(rate) / 10:g} --out ANOTHER (a tenth of the learning rate)",
        )
    ]


def _no_signal_cure(method: str, settings: Mapping[str, Any], train: str) -> str:
    rate = float(settings.get("rate", 0.002))
    other = "selfplay" if method != "selfplay" else "kernel"
    return (
        f"features() that say what matters in a position, then {train}; or {train} --set rate={rate / 4:g} "
        f"--out ANOTHER; or --method {other}"
    )
