"""A figure of the report: its name, value, interval, unit and definition; and the sections that figures stand in."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from boardwright.arena.intervals import Estimate
from boardwright.playtesting.estimates import ratio
from boardwright.playtesting.trace import Trace

ByDeal = Mapping[int, tuple[float, float]]  # deal -> (numerator, denominator)


@dataclass(frozen=True)
class Figure:
    """One number that a designer may want to know."""

    key: str  # section.name, for programs
    name: str
    estimate: Estimate
    unit: str  # "%" for shares of 0 to 1, else a word or nothing
    means: str  # its definition, in words
    games: int  # behind it
    by_deal: ByDeal = field(default_factory=dict, repr=False)  # for comparisons on common deals

    @property
    def known(self) -> bool:
        """Whether there is anything to say."""
        return not math.isnan(self.estimate.value) and math.isfinite(self.estimate.margin)

    def to_dict(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "name": self.name,
            **self.estimate.to_dict(),
            "unit": self.unit,
            "definition": self.means,
            "games": self.games,
        }


@dataclass(frozen=True)
class Verdict:
    """A sentence in plain words. `sure`: the interval bears it out."""

    text: str
    sure: bool


@dataclass(frozen=True)
class Rows:
    """A table; cells are texts or estimates with their unit."""

    heading: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    means: str


@dataclass
class Section:
    """One of the report's questions."""

    key: str
    title: str
    question: str
    verdicts: list[Verdict] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    tables: list[Rows] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)  # for plots, and for programs

    def figure(self, key: str) -> Figure:
        return next(one for one in self.figures if one.key == f"{self.key}.{key}")

    def to_dict(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "title": self.title,
            "verdicts": [{"text": one.text, "sure": one.sure} for one in self.verdicts],
            "figures": [one.to_dict() for one in self.figures],
            "tables": [
                {
                    "heading": list(one.heading),
                    "definition": one.means,
                    "rows": [[plain(cell) for cell in row] for row in one.rows],
                }
                for one in self.tables
            ],
            "data": {name: plain(value) for name, value in self.data.items()},
        }


def plain(value: Any) -> Any:
    """For JSON."""
    if isinstance(value, Estimate):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def deals_of(games: Sequence[Trace]) -> dict[int, list[Trace]]:
    """Games by deal, in the order of deals and of games."""
    found: dict[int, list[Trace]] = {}
    for one in sorted(games, key=lambda one: (one.deal, one.game)):
        found.setdefault(one.deal, []).append(one)
    return found


def by_course(games: Sequence[Trace]) -> list[Trace]:
    """The same games as if those that went alike, move for move, were of one deal. Without chance nothing else is
    common to the games of a deal, and a game that a player repeats says no more than it did the first time. Games that
    begin with moves at random have these in common."""

    def course(one: Trace) -> int:  # below 0: no deal has that number
        common = one.steps[: one.opened] or one.steps
        return -1 - int.from_bytes(hashlib.sha256(repr(common).encode()).digest()[:7])

    return [replace(one, deal=course(one)) if one.steps else one for one in games]


def over_games(
    key: str,
    name: str,
    games: Sequence[Trace],
    count: Any,  # Trace -> (numerator, denominator)
    unit: str,
    means: str,
) -> Figure:
    """A figure that is a sum over games divided by another, such as moves by games."""
    by_deal: dict[int, tuple[float, float]] = {}
    for one in games:
        top, below = count(one)
        had = by_deal.get(one.deal, (0.0, 0.0))
        by_deal[one.deal] = (had[0] + top, had[1] + below)
    tops, belows = [top for top, _ in by_deal.values()], [below for _, below in by_deal.values()]
    return Figure(key, name, ratio(tops, belows, share=unit == "%"), unit, means, len(games), by_deal)
