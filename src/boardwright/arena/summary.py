"""A match result as plain text, and the wording that all reports share."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from boardwright.arena.intervals import Estimate

if TYPE_CHECKING:
    from boardwright.arena.match import MatchResult
    from boardwright.arena.standings import PairStanding


MOST_DECIMALS = 6


def percent(estimate: Estimate) -> str:
    """62.5 % (58.1 to 66.7)"""
    if math.isnan(estimate.value):
        return "-"
    return f"{100 * estimate.value:.1f} % ({100 * estimate.low:.1f} to {100 * estimate.high:.1f})"


def points(estimate: Estimate | None, sign: str = "") -> str:
    """71.2 (69.8 to 72.6), with as many decimals as the interval deserves; unknown ends are left out."""
    if estimate is None or math.isnan(estimate.value):
        return "-"
    form = f"{sign},.{decimals(estimate)}f"
    if math.isinf(estimate.low) or math.isinf(estimate.high):
        return f"{estimate.value:{form}}"
    return f"{estimate.value:{form}} ({estimate.low:{form}} to {estimate.high:{form}})"


def decimals(estimate: Estimate) -> int:
    """How many say something: half the interval keeps two figures where it begins with 1 to 3.5, else one, so that
    rounding moves an end by less than a seventh of it. One decimal where the interval is not known or has no width."""
    half = estimate.margin
    if not 0.0 < half < math.inf:
        return 0 if abs(estimate.value) >= 1000 else 1
    power = math.floor(math.log10(half))
    figures = 2 if half / 10**power < 3.55 else 1
    return min(max(figures - 1 - power, 0), MOST_DECIMALS)


def elo(estimate: Estimate) -> str:
    """+35 (+12 to +58); open ends in words."""
    if math.isnan(estimate.value):
        return "-"
    if math.isinf(estimate.low) and math.isinf(estimate.high):
        return "unknown"
    if math.isinf(estimate.high):
        return f"above {estimate.low:+.0f}"
    if math.isinf(estimate.low):
        return f"below {estimate.high:+.0f}"
    return f"{estimate.value:+.0f} ({estimate.low:+.0f} to {estimate.high:+.0f})"


def seconds(value: float) -> str:
    """A thinking time in the unit that fits."""
    if value >= 1.0:
        return f"{value:.2f} s"
    return f"{1000 * value:.3g} ms"


def duration(value: float) -> str:
    """How long something will take, for people."""
    if math.isnan(value):
        return "?"
    if value < 90:
        return f"{value:.0f} s"
    return f"{value / 60:.0f} min" if value < 5400 else f"{value / 3600:.1f} h"


def columns(result: MatchResult) -> tuple[list[str], list[list[str]]]:
    """The table of players, best first: headings and rows."""
    table = result.table
    alone = table.ratings is None
    heading = ["player", "games"]
    if not alone:
        heading += ["won", "drawn", "lost", "share of comparisons"]
        if len(table.players) > 2:
            heading.append("Elo")
    with_points = any(line.points for line in table.players)
    if with_points:
        heading.append("points a game")
    heading += ["time a move", "simulations a move"]
    if any(line.forfeits for line in table.players):
        heading.append("forfeits")
    rows = []
    for number in order(result):
        line = table.players[number]
        row = [line.name, str(line.games)]
        if table.ratings is not None:
            row += [str(line.wins), str(line.draws), str(line.losses), percent(line.share)]
            if len(table.players) > 2:
                row.append(elo(table.ratings.rating(number)) + (" *" if table.ratings.unbounded[number] else ""))
        if with_points:
            row.append(points(line.points))
        row += [seconds(line.seconds), f"{line.simulations:,.0f}" if line.simulations else "-"]
        if "forfeits" in heading:
            row.append(str(line.forfeits))
        rows.append(row)
    return heading, rows


def order(result: MatchResult) -> list[int]:
    """Players, best first."""
    ratings = result.table.ratings
    return sorted(range(len(result.players)), key=lambda i: -ratings.values[i] if ratings else i)


def pair_rows(result: MatchResult) -> tuple[list[str], list[list[str]]]:
    """Every two players who met, the better first."""
    with_points = any(line.points for line in result.table.pairs)
    heading = [
        "players",
        "won",
        "drawn",
        "lost",
        "share",
        "Elo difference",
        *(["points difference"] if with_points else []),
        "chance to be better",
    ]
    rows = []
    for line in result.table.pairs:
        seen = line if not line.share.value < 0.5 else turned(line)
        row = [
            f"{result.players[seen.one]} : {result.players[seen.other]}",
            str(seen.wins), str(seen.draws), str(seen.losses), percent(seen.share), elo(seen.elo),
        ]  # fmt: skip
        if with_points:
            row.append(points(seen.points, "+"))
        rows.append([*row, f"{100 * seen.superiority:.1f} %"])
    return heading, rows


def turned(line: PairStanding) -> PairStanding:
    """The same meeting, seen from the other player."""
    from boardwright.arena.standings import PairStanding

    def flip(estimate: Estimate, whole: float) -> Estimate:
        return Estimate(whole - estimate.value, whole - estimate.high, whole - estimate.low)

    return PairStanding(
        one=line.other, other=line.one, sets=line.sets, wins=line.losses, draws=line.draws, losses=line.wins,
        share=flip(line.share, 1.0), elo=flip(line.elo, 0.0),
        points=flip(line.points, 0.0) if line.points else None, superiority=1.0 - line.superiority,
    )  # fmt: skip


def seat_rows(result: MatchResult) -> tuple[list[str], list[list[str]]]:
    """What each seat was worth."""
    with_points = any(line.points for line in result.table.seats)
    heading = ["seat", "share of wins", *(["points a game"] if with_points else [])]
    return heading, [
        [str(line.seat + 1), percent(line.wins), *([points(line.points)] if with_points else [])]
        for line in result.table.seats
    ]


def headline(result: MatchResult) -> str:
    """What was played, in a line."""
    table = result.table
    drawn = f", opening of {result.terms.opening} random moves" if result.terms.opening else ""
    sets = f" in {table.sets} set{'' if table.sets == 1 else 's'} of the same luck" if table.sets < table.games else ""
    return (
        f"{result.game}: {table.games} games{sets}, {table.distinct} of them distinct; seed {result.terms.seed}{drawn}"
    )


def verdict(result: MatchResult) -> str:
    """The answer in a sentence; nothing where there is no question."""
    if len(result.players) != 2 or not result.table.pairs:
        return ""
    line = result.table.pairs[0]
    line = line if not line.share.value < 0.5 else turned(line)
    one, other = result.players[line.one], result.players[line.other]
    if line.share.low > 0.5:
        return f"{one} is stronger than {other}: Elo difference {elo(line.elo)}."
    return f"No difference is proven between {one} and {other}: Elo difference {elo(line.elo)}."


def text_table(result: MatchResult) -> str:
    """The whole result as plain text."""
    parts = [headline(result)]
    for heading, rows in (columns(result), pair_rows(result), seat_rows(result)):
        if rows:
            parts.append(_aligned(heading, rows))
    if result.test:
        parts.append(f"SPRT: {result.test}")
    parts += [text for text in (verdict(result), *result.notes) if text]
    parts.append("In brackets: 95 % intervals.")
    return "\n\n".join(parts)


def _aligned(heading: list[str], rows: list[list[str]]) -> str:
    widths = [max(len(row[i]) for row in [heading, *rows]) for i in range(len(heading))]
    lines = [
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in [heading, *rows]
    ]
    return "\n".join(line.rstrip() for line in lines)
