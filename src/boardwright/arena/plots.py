"""The pictures of a report, each a function from a result to an SVG text. Needs Matplotlib."""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from boardwright.arena.match import MatchResult
from boardwright.arena.summary import order
from boardwright.contract.errors import InputError

COLOURS = ("#2f6fb0", "#c8553d", "#5b8c5a", "#8e6bb0", "#c79a2b", "#4a9c9c", "#9c4a6e", "#6b6b6b")
INK, FAINT = "#222831", "#d9dde3"
MOST_BARS = 40


def need_matplotlib() -> None:
    """Say now, not after hours of play, that pictures need Matplotlib."""
    try:
        import matplotlib  # noqa: F401 - is it installed?
    except ImportError:
        raise InputError("a report with plots needs Matplotlib: pip install 'boardwright[report]'") from None


def all_plots(result: MatchResult) -> list[tuple[str, str, str]]:
    """(name, caption, SVG) of every picture that this match has something for."""
    made = []
    for name, draw in PLOTS.items():
        drawn = draw(result)
        if drawn is not None:
            made.append((name, *drawn))
    return made


def elo_bars(result: MatchResult) -> tuple[str, str] | None:
    """Ratings with their intervals."""
    ratings = result.table.ratings
    if ratings is None:
        return None
    players = list(reversed(order(result)))
    figure, axes = new_figure(height=0.7 + 0.45 * len(players))
    for row, number in enumerate(players):
        estimate = ratings.rating(number)
        axes.errorbar(
            estimate.value, row, xerr=[[estimate.value - estimate.low], [estimate.high - estimate.value]], fmt="o",
            color=_colour(number), capsize=4, markersize=7, linewidth=2,
        )  # fmt: skip
    axes.axvline(0, color=FAINT, zorder=0)
    axes.set_yticks(range(len(players)), [_short(result.players[number]) for number in players])
    axes.set_ylim(-0.6, len(players) - 0.4)
    axes.set_xlabel("Elo, counted from the mean of these players")
    caption = "Strength: the dot is the most likely rating, the bar holds the true one with 95 % confidence."
    return caption, to_svg(figure)


def score_distribution(result: MatchResult) -> tuple[str, str] | None:
    """How points spread; of games without points, how they ended."""
    by_player = {
        number: [
            score
            for game in result.outcomes
            for score, who in zip(game.scores, game.seats, strict=True)
            if who == number
        ]
        for number in range(len(result.players))
    }
    everything = [score for scores in by_player.values() for score in scores]
    if not any(everything):
        return _endings(result)
    low, high = min(everything), max(everything)
    if low == high:
        return None
    figure, axes = new_figure()
    bins = np.linspace(low, high, min(MOST_BARS, max(8, int(math.sqrt(len(everything)) * 1.5))) + 1)
    for number, scores in by_player.items():
        weights = np.full(len(scores), 100.0 / max(len(scores), 1))
        axes.hist(
            scores, bins=bins, weights=weights, color=_colour(number), alpha=0.45, label=_short(result.players[number])
        )
        axes.hist(scores, bins=bins, weights=weights, color=_colour(number), histtype="step", linewidth=1.5)
        if scores:
            axes.axvline(float(np.mean(scores)), color=_colour(number), linestyle="--", linewidth=1)
    axes.set_xlabel("points in a game")
    axes.set_ylabel("% of games")
    axes.legend(frameon=False)
    return "Points: how often each player scored how much. Dashed lines are means.", to_svg(figure)


def _endings(result: MatchResult) -> tuple[str, str] | None:
    if not any(line.wins + line.draws + line.losses for line in result.table.players):
        return None
    players = list(reversed(order(result)))
    figure, axes = new_figure(height=0.9 + 0.45 * len(players))
    for row, number in enumerate(players):
        line = result.table.players[number]
        total, left = max(line.wins + line.draws + line.losses, 1), 0.0
        for count, colour, what in (
            (line.wins, "#5b8c5a", "won"),
            (line.draws, "#c9ced6", "drawn"),
            (line.losses, "#c8553d", "lost"),
        ):
            width = 100.0 * count / total
            axes.barh(row, width, left=left, color=colour, label=what if row == 0 else None, height=0.6)
            if width > 6:
                axes.text(left + width / 2, row, str(count), ha="center", va="center", color=INK, fontsize=9)
            left += width
    axes.set_yticks(range(len(players)), [_short(result.players[number]) for number in players])
    axes.set_xlim(0, 100)
    axes.set_xlabel("% of games")
    axes.legend(frameon=False, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return "How games ended for each player.", to_svg(figure)


def value_over_moves(result: MatchResult) -> tuple[str, str] | None:
    """What players that value positions expected, as their games went on."""
    figure, axes = new_figure()
    shown = 0
    for number in range(len(result.players)):
        lines = [
            np.asarray(values)
            for game in result.outcomes
            for values, who in zip(game.values, game.seats, strict=True)
            if who == number and len(values) > 1
        ]
        if not lines:
            continue
        shown += 1
        grid = np.linspace(0.0, 1.0, 41)
        stretched = np.array([np.interp(grid, np.linspace(0.0, 1.0, len(line)), line) for line in lines])
        middle, spread = stretched.mean(axis=0), stretched.std(axis=0)
        axes.plot(100 * grid, middle, color=_colour(number), linewidth=2, label=_short(result.players[number]))
        axes.fill_between(100 * grid, middle - spread, middle + spread, color=_colour(number), alpha=0.15, linewidth=0)
    if not shown:
        return None
    axes.set_xlabel("% of the player's moves made")
    axes.set_ylabel("points expected at the end" if result.rules.counts_points else "result expected (1 win, -1 loss)")
    axes.legend(frameon=False)
    return (
        "Expectation: what each player thought it would get, mean over games; the band is one standard deviation.",
        to_svg(figure),
    )


def mark_frequencies(result: MatchResult) -> tuple[str, str] | None:
    """How often each player reached how much of what the game marks at its end, such as the largest tile."""
    named = {name for game in result.outcomes for name in game.marks}
    if not named:
        return None
    mark = min(named)
    wanted = sorted({game.marks[mark] for game in result.outcomes if mark in game.marks})
    figure, axes = new_figure()
    width = 0.8 / len(result.players)
    for number, name in enumerate(result.players):
        reached = [game.marks[mark] for game in result.outcomes if game.seats[0] == number and mark in game.marks]
        shares = [100.0 * sum(one >= least for one in reached) / max(len(reached), 1) for least in wanted]
        places = [place + width * (number - (len(result.players) - 1) / 2) for place in range(len(wanted))]
        axes.bar(places, shares, width * 0.92, color=_colour(number), label=_short(name))
    axes.set_xticks(range(len(wanted)), [f"{least:g}" if least < 1e6 else f"{least:.0f}" for least in wanted])
    axes.set_xlabel(mark)
    axes.set_ylabel("% of games that reached it")
    axes.legend(frameon=False, ncols=min(3, len(result.players)), loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return f"{mark.capitalize()}: how often each player reached at least so much.", to_svg(figure)


PLOTS: dict[str, Callable[[MatchResult], tuple[str, str] | None]] = {
    "elo": elo_bars,
    "scores": score_distribution,
    "values": value_over_moves,
    "marks": mark_frequencies,
}


def new_figure(height: float = 3.4) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.6, height), layout="constrained")
    axes: Any = figure.add_subplot()
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color("#9aa3af")
    axes.tick_params(colors=INK, labelsize=9)
    return figure, axes


def to_svg(figure: Any) -> str:
    """The drawing as an <svg> element, the same for the same data."""
    import matplotlib

    out = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": "boardwright", "svg.fonttype": "path"}):
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    text = out.getvalue()
    return text[text.index("<svg") :]


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def _short(name: str, most: int = 44) -> str:
    # Matplotlib reads $...$ as mathematics.
    return (name if len(name) <= most else name[: most - 1] + "…").replace("$", r"\$")
