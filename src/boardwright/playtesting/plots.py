"""The plots of the report, as SVG whose colours are the page's: small, readable on a phone, no library needed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from boardwright.arena.intervals import Estimate

WIDTH = 440  # of every plot, in its own units; the page scales it
LEFT, RIGHT, TOP, FOOT = 44, 22, 10, 34


def whiskers(
    rows: Sequence[tuple[str, Estimate]], label: str, *, marks: Mapping[float, str] = {}, seats: bool = False
) -> str:
    """Shares as dots with their intervals, one a line, on a scale of 0 to 100 %; `marks` are lines to compare with."""
    left, step = 168, 30
    height = TOP + 18 + step * len(rows) + FOOT - 8
    parts, x = [], _scale(0.0, 1.0, left, WIDTH - RIGHT)
    bottom = height - FOOT + 8
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(f'<line class="grid" x1="{x(share):.1f}" x2="{x(share):.1f}" y1="{TOP + 14}" y2="{bottom}"/>')
        parts.append(f'<text x="{x(share):.1f}" y="{bottom + 16}" text-anchor="middle">{100 * share:.0f} %</text>')
    for share, text in marks.items():
        side = "middle" if len(marks) == 1 else "end" if share == min(marks) else "start"  # two would touch
        parts.append(f'<line class="mark" x1="{x(share):.1f}" x2="{x(share):.1f}" y1="{TOP + 12}" y2="{bottom}"/>')
        parts.append(f'<text class="soft" x="{x(share):.1f}" y="{TOP + 8}" text-anchor="{side}">{escape(text)}</text>')
    for number, (name, estimate) in enumerate(rows):
        y = TOP + 18 + step * (number + 0.5)
        shown = name if len(name) <= 24 else name[:23] + "…"
        parts.append(f'<text x="{left - 10}" y="{y + 4:.1f}" text-anchor="end">{escape(shown)}</text>')
        if math.isnan(estimate.value):
            continue
        colour = f"p{number % 4}" if seats else "main"
        parts.append(
            f'<line class="whisker {colour}" x1="{x(estimate.low):.1f}" x2="{x(estimate.high):.1f}" y1="{y}" y2="{y}"/>'
            f'<circle class="dot {colour}" cx="{x(estimate.value):.1f}" cy="{y}" r="5.5"/>'
        )
    return _svg(height, label, parts)


def histogram(values: Sequence[float], label: str, unit: str) -> str:
    """How often each value came."""
    if not values:
        return ""
    low, high = min(values), max(values)
    bins = int(min(high - low + 1, 24)) if high > low else 1
    size = (high - low + 1) / bins
    counts = [0] * bins
    for value in values:
        counts[min(int((value - low) / size), bins - 1)] += 1
    height = 190
    bottom = height - FOOT
    x, most = _scale(0, bins, LEFT, WIDTH - RIGHT), max(counts)
    parts = []
    for count, text in ((0, "0"), (most, f"{most:,}")):
        y = bottom - (bottom - TOP - 14) * count / most
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{text}</text>')
    for number, count in enumerate(counts):
        tall = (bottom - TOP - 14) * count / most
        wide = x(1) - x(0)
        parts.append(
            f'<rect class="bar" x="{x(number) + wide * 0.06:.1f}" y="{bottom - tall:.1f}" width="{wide * 0.88:.1f}" '
            f'height="{tall:.1f}" rx="1.5"/>'
        )
    middle = sorted(values)[len(values) // 2]
    for value, anchor in ((low, "start"), (high, "end")):
        place = LEFT if anchor == "start" else WIDTH - RIGHT
        parts.append(f'<text x="{place}" y="{bottom + 16}" text-anchor="{anchor}">{value:g}</text>')
    at = x((middle - low + 0.5) / size)
    parts.append(f'<line class="mark" x1="{at:.1f}" x2="{at:.1f}" y1="{TOP + 12}" y2="{bottom}"/>')
    anchor = "middle" if 80 < at < WIDTH - 80 else "start" if at <= 80 else "end"
    parts.append(
        f'<text class="soft" x="{at:.1f}" y="{TOP + 8}" text-anchor="{anchor}">half have {middle:g} or fewer</text>'
    )
    parts.append(f'<text class="soft" x="{WIDTH / 2}" y="{bottom + 30}" text-anchor="middle">{escape(unit)}</text>')
    return _svg(height, label, parts)


def band(points: Sequence[Mapping[str, float]], label: str) -> str:
    """Shares over the course of a game with their intervals; nothing where none is known."""
    height = 210
    bottom = height - FOOT
    x, y = _scale(0, len(points) - 1, LEFT + 6, WIDTH - RIGHT - 6), _scale(0.0, 1.0, bottom, TOP)
    known = [(i, point) for i, point in enumerate(points) if not math.isnan(point["value"])]
    if not known:
        return ""
    parts = _shares(y, "over the game")
    upper = [f"{x(i):.1f},{y(point['high']):.1f}" for i, point in known]
    lower = [f"{x(i):.1f},{y(point['low']):.1f}" for i, point in reversed(known)]
    parts.append(f'<polygon class="area" points="{" ".join(upper + lower)}"/>')
    middle = " ".join(f"{x(i):.1f},{y(point['value']):.1f}" for i, point in known)
    parts.append(f'<polyline class="line" points="{middle}"/>')
    return _svg(height, label, parts)


def lines(curves: Sequence[Mapping[str, Any]], label: str, seats: int) -> str:
    """Seat 1's chance of winning over the course of games, one line a game."""
    height = 230
    bottom = height - FOOT
    x, y = _scale(0.0, 1.0, LEFT, WIDTH - RIGHT), _scale(0.0, 1.0, bottom, TOP)
    parts = _shares(y, "over the game")
    parts.append(
        f'<line class="mark" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(1 / seats):.1f}" y2="{y(1 / seats):.1f}"/>'
    )
    for curve in curves:
        path = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in zip(curve["turns"], curve["first"], strict=True))
        who = "p0" if curve["winner"] == 0 else "p1" if curve["winner"] > 0 else "even"
        parts.append(f'<polyline class="thin {who}" points="{path}"/>')
    return _svg(height, label, parts)


def every_seat(curve: Mapping[str, Any], label: str) -> str:
    """The chance of each seat over the course of one game; seats are told by their colours and named at their ends."""
    height = 230
    right = WIDTH - RIGHT - 36
    x, y = _scale(0.0, 1.0, LEFT, right), _scale(0.0, 1.0, height - FOOT, TOP)
    parts = _shares(y, "over the game", right)
    for seat, chances in enumerate(curve["seats"]):
        path = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in zip(curve["turns"], chances, strict=True))
        parts.append(f'<polyline class="seat p{seat % 4}" points="{path}"/>')
    # Named where their chances were before the end, which leaves them all at 0 or 100 %.
    last = sorted(range(len(curve["seats"])), key=lambda seat: -curve["seats"][seat][max(len(curve["turns"]) - 2, 0)])
    for place, seat in enumerate(last):
        at = TOP + 12 + 18 * place
        parts.append(
            f'<line class="seat p{seat % 4}" x1="{WIDTH - 54}" x2="{WIDTH - 42}" y1="{at}" y2="{at}"/>'
            f'<text x="{WIDTH - 38}" y="{at + 4}">seat {seat + 1}</text>'
        )
    return _svg(height, label, parts)


def expectations(courses: Sequence[Mapping[str, Any]], label: str) -> str:
    """What was expected over the course of games, one line a game, on a scale of results."""
    height = 230
    bottom = height - FOOT
    ends = [value for one in courses for value in one["values"]]
    low, high = min(ends), max(ends)
    room = (high - low) * 0.06 or 1.0
    low, high = low - room, high + room
    x, y = _scale(0.0, 1.0, LEFT + 16, WIDTH - RIGHT), _scale(low, high, bottom, TOP)
    parts = []
    for value in round_values(low, high):
        parts.append(
            f'<line class="grid" x1="{LEFT + 16}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}"/>'
        )
        parts.append(f'<text x="{LEFT + 10}" y="{y(value) + 4:.1f}" text-anchor="end">{value:,g}</text>')
    for one in courses:
        path = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in zip(one["turns"], one["values"], strict=True))
        parts.append(f'<polyline class="thin p1" points="{path}"/>')
        parts.append(f'<circle class="dot p1" cx="{x(1.0):.1f}" cy="{y(one["result"]):.1f}" r="3.5"/>')
    for place, text, anchor in ((LEFT + 16, "start", "start"), (WIDTH - RIGHT, "end", "end")):
        parts.append(f'<text class="soft" x="{place}" y="{bottom + 18}" text-anchor="{anchor}">{text}</text>')
    return _svg(height, label, parts)


def pairs(rows: Sequence[tuple[str, Estimate, Estimate]], label: str) -> str:
    """Two shares a line: strong players', and random ones'."""
    left, step = 150, 30
    height = TOP + step * len(rows) + FOOT
    x, bottom = _scale(0.0, 1.0, left, WIDTH - RIGHT), height - FOOT + 4
    parts = []
    for share in (0.0, 0.5, 1.0):
        parts.append(f'<line class="grid" x1="{x(share):.1f}" x2="{x(share):.1f}" y1="{TOP}" y2="{bottom}"/>')
        parts.append(f'<text x="{x(share):.1f}" y="{bottom + 16}" text-anchor="middle">{100 * share:.0f} %</text>')
    for number, (name, strong, weak) in enumerate(rows):
        y = TOP + step * number
        shown = name if len(name) <= 20 else name[:19] + "…"
        parts.append(f'<text x="{left - 10}" y="{y + 19}" text-anchor="end">{escape(shown)}</text>')
        for down, estimate, kind in ((5, strong, "bar"), (16, weak, "bar weak")):
            if not math.isnan(estimate.value):
                wide = max(x(estimate.value) - x(0.0), 1.0)
                parts.append(
                    f'<rect class="{kind}" x="{x(0.0):.1f}" y="{y + down}" width="{wide:.1f}" height="9" rx="2"/>'
                    f'<line class="error" x1="{x(estimate.low):.1f}" x2="{x(estimate.high):.1f}" y1="{y + down + 4.5}" '
                    f'y2="{y + down + 4.5}"/>'
                )
    return _svg(height, label, parts)


def interval(estimate: Estimate) -> str:
    """A share's interval, as small as a word."""
    x = _scale(0.0, 1.0, 4, 116)
    return (
        '<svg class="spark" viewBox="0 0 120 16" aria-hidden="true"><line class="grid" x1="4" x2="116" y1="8" y2="8"/>'
        f'<line class="whisker main" x1="{x(estimate.low):.1f}" x2="{max(x(estimate.high), x(estimate.low) + 1):.1f}" '
        f'y1="8" y2="8"/><circle class="dot main" cx="{x(estimate.value):.1f}" cy="8" r="4"/></svg>'
    )


def round_values(low: float, high: float) -> list[float]:
    """Three to six round numbers between the two, for a scale."""
    rough = (high - low) / 5
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * size for size in (1, 2, 5, 10) if unit * size >= rough * (1 - 1e-9))
    return [round(step * number, 10) for number in range(math.ceil(low / step), math.floor(high / step) + 1)]


def sweep(names: Sequence[str], estimates: Sequence[Estimate], label: str, share: bool) -> str:
    """A figure over the values of an option."""
    height = 200
    bottom = height - FOOT
    ends = [end for one in estimates for end in (one.low, one.high, one.value) if math.isfinite(end)]
    if not ends:
        return ""
    low, high = (0.0, 1.0) if share else (min(ends), max(ends))
    room = (high - low) * 0.08 or 1.0
    y = _scale(low, high, bottom, TOP) if share else _scale(low - room, high + room, bottom, TOP)
    x = _scale(0, max(len(names) - 1, 1), LEFT + 22, WIDTH - RIGHT - 22)
    parts = []
    for value in (0.0, 0.25, 0.5, 0.75, 1.0) if share else round_values(low - room, high + room):
        text = f"{100 * value:.0f} %" if share else f"{value:g}"
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{text}</text>')
    told = [(i, one) for i, one in enumerate(estimates) if not math.isnan(one.value)]
    path = " ".join(f"{x(i):.1f},{y(one.value):.1f}" for i, one in told)
    parts.append(f'<polyline class="line" points="{path}"/>')
    for i, one in told:
        if math.isfinite(one.margin):
            parts.append(
                f'<line class="whisker main" x1="{x(i):.1f}" x2="{x(i):.1f}" y1="{y(one.low):.1f}" '
                f'y2="{y(one.high):.1f}"/>'
            )
        parts.append(f'<circle class="dot main" cx="{x(i):.1f}" cy="{y(one.value):.1f}" r="5"/>')
    for i, name in enumerate(names):
        parts.append(f'<text x="{x(i):.1f}" y="{bottom + 18}" text-anchor="middle">{escape(name)}</text>')
    return _svg(height, label, parts)


def _shares(y: Any, foot: str, right: float = WIDTH - RIGHT) -> list[str]:
    """The lines of a scale of shares, and what runs along the foot."""
    parts = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{right}" y1="{y(share):.1f}" y2="{y(share):.1f}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y(share) + 4:.1f}" text-anchor="end">{100 * share:.0f} %</text>')
    bottom = y(0.0)
    parts.append(f'<text class="soft" x="{LEFT}" y="{bottom + 18:.1f}">start</text>')
    parts.append(
        f'<text class="soft" x="{(LEFT + right) / 2}" y="{bottom + 18:.1f}" text-anchor="middle">{foot}</text>'
    )
    parts.append(f'<text class="soft" x="{right}" y="{bottom + 18:.1f}" text-anchor="end">end</text>')
    return parts


def _scale(low: float, high: float, start: float, end: float) -> Any:
    span = (high - low) or 1.0
    return lambda value: start + (value - low) / span * (end - start)


def _svg(height: float, label: str, parts: Sequence[str]) -> str:
    return (
        f'<svg class="plot" viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(label, quote=True)}">'
        + "".join(parts)
        + "</svg>"
    )
