"""Variants of a game, figure by figure: the same deals, the same players, and whether they differ for sure.

Two variants draw the same numbers in the same places, so a figure that is a sum over deals is compared deal by deal;
others as if the playtests had nothing to do with each other, which is safe. The comparison is looked at while it is
played and ends when nothing is open; p-values and intervals hold at all looks together (looks.py)."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any, cast

import numpy as np

from boardwright.arena.intervals import Estimate, normal_quantile, student_quantile, student_within
from boardwright.arena.report import write_text
from boardwright.arena.workers import Hire
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.playtesting.figure import Figure
from boardwright.playtesting.journal import journal_path
from boardwright.playtesting.ladder import common_ladder
from boardwright.playtesting.looks import corrected, widening
from boardwright.playtesting.page import document, figure_row, words
from boardwright.playtesting.plots import sweep as sweep_plot
from boardwright.playtesting.report import Report
from boardwright.playtesting.run import Playtest, Progress

REAL = 0.05  # a p-value: a difference that equal variants would show more seldom, in any figure, is called real
LOOKS, PLANNED = "looks", "planned looks"  # notes of the first variant's journal: how often it was asked, and may be
SHARED_TOP = 256  # simulations of the strongest search, the same for all variants, where none is named
PIECES = 8  # in which the minutes are used, the variants taking turns: between them it is asked whether all is known
PIECES_ELSEWHERE = 3  # on a cluster, where whoever plays begins anew with each piece
ALIKE = 0.05  # a share's difference that is surely smaller counts as none


@dataclass(frozen=True)
class Difference:
    """A figure of two variants."""

    one: Figure
    other: Figure
    estimate: Estimate  # the second less the first
    p: float  # how likely variants that do not differ would show so much, at one of the looks; two-sided
    common: int  # deals that both have, where they were compared deal by deal; 0 else
    family: float  # p, corrected: how likely they would show so much in any of the figures that are compared

    @property
    def chance(self) -> float:
        """How likely the variants differ in this direction, by these games alone: what a flat prior makes of p."""
        return 1.0 - self.p / 2

    @property
    def known(self) -> bool:
        """Whether they differ for certain, or for certain not by anything to speak of."""
        small = self.one.unit == "%" and max(abs(self.estimate.low), abs(self.estimate.high)) < ALIKE
        return self.real or small

    @property
    def real(self) -> bool:
        """Whether they differ for certain."""
        return self.family <= REAL

    def to_dict(self) -> dict[str, Any]:
        return {
            "key": self.one.key,
            "name": self.one.name,
            "unit": self.one.unit,
            "first": self.one.estimate.to_dict(),
            "second": self.other.estimate.to_dict(),
            "difference": self.estimate.to_dict(),
            "chance_of_sign": self.chance,
            "p_value": self.p,
            "p_value_of_all": self.family,
            "real": self.real,
            "common_deals": self.common,
        }


def compare(one: Report, other: Report, looks: int = 1) -> list[Difference]:
    """Every figure that both have; how often they are looked at, in all."""
    theirs = {figure.key: figure for figure in other.figures}
    return of_family(
        difference(figure, theirs[figure.key], looks)
        for figure in one.figures
        if figure.key in theirs and figure.known and theirs[figure.key].known
    )


def of_family(found: Iterable[Difference]) -> list[Difference]:
    """The same, with the p-values that count where all are looked at (Holm 1979): whatever the figures have to do with
    each other, where none differs one is called real in at most one comparison of twenty."""
    ordered, least, corrected_ones = sorted(found, key=lambda one: (one.p, one.one.key)), 0.0, []
    for number, one in enumerate(ordered):
        least = max(least, min(1.0, (len(ordered) - number) * one.p))
        corrected_ones.append(replace(one, family=least))
    return corrected_ones


def difference(one: Figure, other: Figure, looks: int = 1) -> Difference:
    """On common deals where both figures are ratios over deals, else of two independent estimates. The only figure that
    is looked at, as far as this knows."""
    common = sorted(set(one.by_deal) & set(other.by_deal))
    gap = other.estimate.value - one.estimate.value
    if len(common) >= 10 and 2 * len(common) >= max(len(one.by_deal), len(other.by_deal)):
        first, second = (np.array([figure.by_deal[deal] for deal in common]) for figure in (one, other))
        values = [
            float(some[:, 0].sum() / some[:, 1].sum()) if some[:, 1].sum() else math.nan for some in (first, second)
        ]
        if not any(map(math.isnan, values)):
            gap = values[1] - values[0]
            pulls = (second[:, 0] - values[1] * second[:, 1]) / second[:, 1].mean()
            pulls -= (first[:, 0] - values[0] * first[:, 1]) / first[:, 1].mean()
            freedom = len(common) - 1
            spread = math.sqrt(float((pulls**2).sum()) / freedom / len(common))
            return _difference(one, other, gap, spread, freedom, len(common), looks)
    # Intervals need not be even about their values: each side's own standard error points at the other figure.
    sides = (one.estimate.value - one.estimate.low, other.estimate.high - other.estimate.value)
    if gap > 0:
        sides = (one.estimate.high - one.estimate.value, other.estimate.value - other.estimate.low)
    spread = math.hypot(*sides) / normal_quantile()
    return _difference(one, other, gap, spread, 1_000_000, 0, looks)


def _difference(
    one: Figure, other: Figure, gap: float, spread: float, freedom: int, common: int, looks: int
) -> Difference:
    if not math.isfinite(spread) or not math.isfinite(gap):
        return Difference(one, other, Estimate(gap, -math.inf, math.inf), 1.0, common, 1.0)
    if spread == 0.0:
        alike = float(gap == 0.0)
        return Difference(one, other, Estimate(gap, gap, gap), alike, common, alike)
    large = freedom > 10_000
    half = (normal_quantile() if large else student_quantile(freedom)) * spread * widening(looks)
    within = math.erf(abs(gap) / spread / math.sqrt(2)) if large else student_within(abs(gap) / spread, freedom)
    most = 1.0 if one.unit == "%" else math.inf  # shares cannot be further apart
    estimate = Estimate(gap, max(gap - half, -most), min(gap + half, most))
    p = corrected(1.0 - within, looks)
    return Difference(one, other, estimate, p, common, p)


class Variants:
    """Playtests of several variants that take turns, with the same players, of whom the same is called strong. Each
    keeps its games, by the players, and goes on from there."""

    def __init__(
        self, games: Sequence[Game], names: Sequence[str], minutes: float, seed: int, *, top: int = 0, sets: int = 0
    ) -> None:
        if len(games) < 2:
            raise InputError("a comparison needs two variants or more")
        if len({str(game) + game.digest for game in games}) < len(games):
            raise InputError("the variants are the same game with the same options; name another option or file")
        self.names, self.minutes = tuple(names), minutes
        share, top = minutes / len(games), top or SHARED_TOP
        ladder = common_ladder(games, top)
        specs = [one.spec for one in ladder]
        self.tests = [
            Playtest(
                game, share, seed, top=top, sets=sets, ladder=ladder, path=journal_path(game, seed, top, sets, *specs)
            )
            for game in games
        ]

    def run(
        self,
        workers: int | None = None,
        progress: Callable[[str, Progress], None] | None = None,
        hire: Hire | None = None,
    ) -> None:
        """Play in turns, until the minutes are used up or, of two, every difference is known."""
        pieces = PIECES_ELSEWHERE if hire else PIECES
        whole, sets = [test.minutes for test in self.tests], [test.sets for test in self.tests]

        def told(name: str) -> Callable[[Progress], None]:
            return lambda one: progress(name, one) if progress else None

        notes, spent = self.tests[0].journal, max(test.spent for test in self.tests)
        if len(self.tests) == 2 and not any(sets):  # as often as it was asked before, and with every new piece
            new = sum(60 * max(whole) * piece / pieces > spent for piece in range(1, pieces + 1))
            notes.note(PLANNED, max(self.looks, self._looked + new))
        for piece in range(1, pieces + 1):
            before = self._games()
            for name, test, minutes in zip(self.names, self.tests, whole, strict=True):
                test.minutes = minutes * piece / pieces
                test.run(workers, told(name), hire=hire)
            if any(sets):
                return
            if len(self.tests) == 2:
                if self._games() > before:
                    notes.note(LOOKS, self._looked + 1)
                if self.decided():
                    return

    @property
    def looks(self) -> int:
        """How often the comparison may be looked at, in all runs: what p-values and intervals allow for."""
        return int(cast("int | None", self.tests[0].journal.noted(PLANNED)) or 1)

    @property
    def _looked(self) -> int:
        return int(cast("int | None", self.tests[0].journal.noted(LOOKS)) or 0)

    def _games(self) -> int:
        return sum(test.games for test in self.tests)

    def decided(self) -> bool:
        """Of two: whether nothing is left open that these figures can tell."""
        one, other = self.reports()
        return all(found.known for found in compare(one, other, self.looks) if found.one.by_deal)

    def reports(self) -> list[Report]:
        return [test.report() for test in self.tests]

    def report(self) -> VariantsReport:
        return VariantsReport(self.names, tuple(self.reports()), self.looks)

    def close(self) -> None:
        for test in self.tests:
            test.close()


@dataclass(frozen=True)
class VariantsReport:
    """What differs between variants; each has its own report too."""

    names: tuple[str, ...]
    reports: tuple[Report, ...]
    looks: int = 1  # at the comparison, while it was played

    @property
    def differences(self) -> list[Difference]:
        """Of the first two, the surest first."""
        return compare(self.reports[0], self.reports[1], self.looks)

    @property
    def strong(self) -> str:
        """Who is called strong in each variant."""
        return "Strong players: " + "; ".join(
            f"{name}: {one.levels[-1].name} ({one.levels[-1].spec})"
            for name, one in zip(short_names(self.names), self.reports, strict=True)
        )

    @property
    def means(self) -> str:
        """What is said of a difference, in words."""
        often = f" at any of the {self.looks} looks at these games" if self.looks > 1 else ""
        return (
            "Chance: how likely the second really has more, or less, as the difference says, by these games alone. p: "
            f"how likely variants that differ in nothing would show so much in any of the figures{often} (Holm's "
            f"correction); up to {REAL:g} the difference is called real"
        )

    def __str__(self) -> str:
        if len(self.reports) > 2:
            lines = [self.strong, ""]
            for key, name, unit in self._shared():
                told = "; ".join(
                    f"{label}: {' '.join(words(one[key].estimate, unit)[:1])} ({words(one[key].estimate, unit)[1]})"
                    for label, one in zip(self.names, self.reports, strict=True)
                )
                lines.append(f"{name}: {told}")
            return "\n".join(lines)
        lines = [f"{self.names[0]} against {self.names[1]}, on common deals", self.strong, ""]
        for one in self.differences:
            first, second = words(one.one.estimate, one.one.unit)[0], words(one.other.estimate, one.one.unit)[0]
            sure = "real" if one.real else "too early to say" if not one.known else "no difference to speak of"
            lines.append(f"{one.one.name}: {first} -> {second}, {sure} ({chance_text(one)}, p {p_text(one.family)})")
        return "\n".join([*lines, "", f"{self.means}."])

    def to_dict(self) -> dict[str, Any]:
        told: dict[str, Any] = {
            "variants": [{"name": name, **one.to_dict()} for name, one in zip(self.names, self.reports, strict=True)]
        }
        if len(self.reports) == 2:
            told["looks"] = self.looks
            told["differences"] = [one.to_dict() for one in self.differences]
        return told

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), indent=2, allow_nan=False)

    def html(self) -> str:
        body = self._pair() if len(self.reports) == 2 else self._curves()
        heading = " against ".join(self.names) if len(self.reports) == 2 else " · ".join(self.names)
        games = sum(one.games for one in self.reports)
        title = f"Playtest: {escape(heading)}"
        return document(
            f"Playtest: {heading}",
            f'<h1>{title}</h1><p class="sub">{games:,} games; every variant on the same deals, by the same players</p>'
            f'<p class="sub">{escape(self.strong)}</p>{body}{self._each()}',
        )

    def write(self, path: str | Path) -> None:
        write_text(Path(path), self.html())

    def _pair(self) -> str:
        rows = []
        for one in self.differences:
            label = "real" if one.real else "alike" if one.known else "open"
            estimates = (one.one.estimate, one.other.estimate, one.estimate)
            cells = "".join(
                f"<td>{value}<small>{span}</small></td>"
                for value, span in (words(estimate, one.one.unit) for estimate in estimates)
            )
            rows.append(
                f'<tr><td class="word">{escape(one.one.name)}</td>{cells}'
                f"<td>{chance_text(one)}</td><td>{p_text(one.family)}</td>"
                f'<td class="word"><span class="tag">{label}</span></td></tr>'
            )
        first, second = map(escape, short_names(self.names))
        head = f"<th>figure</th><th>{first}</th><th>{second}</th><th>difference</th>"
        return (
            '<section><h2>What differs</h2><p class="question">The surest difference first. Alike: surely less than '
            f"{100 * ALIKE:.0f} points apart. Open: too early to say. {escape(self.means)}. The intervals of "
            f'differences hold at all looks together, each for itself.</p><div class="scroll"><table><thead><tr>{head}'
            f"<th>chance</th><th>p</th><th></th></tr></thead><tbody>{''.join(rows)}</tbody></table></div></section>"
        )

    def _shared(self) -> list[tuple[str, str, str]]:
        first = {one.key: one for one in self.reports[0].figures if one.known}
        for report in self.reports[1:]:
            known = {one.key for one in report.figures if one.known}
            first = {key: one for key, one in first.items() if key in known}
        return [(key, one.name, one.unit) for key, one in first.items()]

    def _curves(self) -> str:
        plots = "".join(
            f"<figure><figcaption>{escape(_caption(name, unit))}</figcaption>"
            + sweep_plot(
                [name.rpartition("=")[2] for name in self.names],
                [one[key].estimate for one in self.reports],
                name,
                unit == "%",
            )
            + "</figure>"
            for key, name, unit in self._shared()
        )
        return f'<section><h2>Figure by figure</h2><div class="plots">{plots}</div></section>'

    def _each(self) -> str:
        return "".join(
            f"<section><h2>{escape(name)}</h2>"
            + "".join(figure_row(figure) for figure in one.figures if figure.known)
            + "</section>"
            for name, one in zip(self.names, self.reports, strict=True)
        )


def p_text(p: float) -> str:
    """A p-value with as many digits as anybody needs."""
    return f"{p:.3f}" if p >= 0.001 else "below 0.001"


def chance_text(one: Difference) -> str:
    """How likely the difference has its direction, and which that is."""
    if one.estimate.value == 0.0:
        return "even"
    chance = f"{100 * one.chance:.0f} %" if one.chance < 0.99 else f"{100 * one.chance:.1f} %"
    return f"{'above 99.9 %' if one.chance > 0.999 else chance} {'more' if one.estimate.value > 0 else 'less'}"


def _caption(name: str, unit: str) -> str:
    """A figure's name with its unit, where the name does not say it."""
    return name if unit == "%" or unit.lower() in name.lower() else f"{name}, {unit}"


def short_names(names: Sequence[str]) -> list[str]:
    """The names without the path and the words that they begin with in common: azul:players=2 and azul:players=3 are
    players=2 and players=3."""
    pieces = [re.split("(?<=[:,])", name.rpartition("/")[2]) for name in names]
    while all(len(one) > 1 for one in pieces) and len({one[0] for one in pieces}) == 1:
        pieces = [one[1:] for one in pieces]
    shorter = ["".join(one) for one in pieces]
    return shorter if all(shorter) and len(set(shorter)) == len(shorter) else list(names)


def read_sweep(text: str) -> tuple[str, list[str]]:
    """`option=1..5` or `option=a,b,c`: the option and its values."""
    name, equals, values = text.partition("=")
    low, dots, high = values.partition("..")
    found = [one.strip() for one in values.split(",") if one.strip()]
    if dots:
        try:
            found = [str(one) for one in range(int(low), int(high) + 1)]
        except ValueError:
            found = []
    if not equals or not name.strip().isidentifier() or not 2 <= len(found) <= 20:
        raise InputError(f"sweep {text!r}: write an option and 2 to 20 values, as size=3..5 or goal=10,20,40")
    return name.strip(), found
