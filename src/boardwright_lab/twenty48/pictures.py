"""The report's figures: score, tiles and time over one setting, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from boardwright.arena.plots import COLOURS, FAINT
from boardwright_lab.twenty48.reported import Told
from boardwright_lab.twenty48.sample import Sample

SHADES = ("#dfe8f2", "#b9cfe6", "#86abd0", "#5485b9", "#2f6fb0", "#1f4d7d", "#122f4e")  # of tiles, small to large


def panels(
    xs: Sequence[str],
    series: Sequence[tuple[str, Sequence[Sample]]],
    told: Sequence[tuple[int, Told]],
    setting: str,
) -> Any:
    """Three panels over the settings `xs`: mean score of every series, tiles and time of the last. `told` are the
    report's points, each with its place among `xs`."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.6, 3.1), layout="constrained")
    score, tiles, clock = figure.subplots(1, 3, width_ratios=(4, 4, 3))
    for axes in (score, tiles, clock):
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        axes.tick_params(labelsize=8)
        axes.set_xticks(range(len(xs)), xs)
        axes.set_xlabel(setting, fontsize=9)
    for number, (name, samples) in enumerate(series):
        colour = COLOURS[0] if number == len(series) - 1 else COLOURS[4]
        means = [one.score for one in samples]
        errors = [[one.value - one.low for one in means], [one.high - one.value for one in means]]
        score.errorbar(
            range(len(xs)), [one.value for one in means], yerr=errors, fmt="o-", color=colour, capsize=3, markersize=4,
            linewidth=1.2, label=name,
        )  # fmt: skip
        clock.plot(
            range(len(xs)), [one.milliseconds for one in samples], "o-", color=colour, markersize=4, linewidth=1.2
        )
    if told:
        score.plot([at for at, _ in told], [one.mean for _, one in told], "D", color=COLOURS[1], label="the report")
    _from_zero(score)
    _from_zero(clock)
    score.set_title("mean score", fontsize=10)
    clock.set_title("milliseconds a move", fontsize=10)
    _tile_bars(tiles, series[-1][1])
    figure.legend(*score.get_legend_handles_labels(), frameon=False, ncols=4, fontsize=8, loc="outside lower left")
    figure.legend(*tiles.get_legend_handles_labels(), frameon=False, ncols=7, fontsize=8, loc="outside lower right")
    return figure


def _from_zero(axes: Any) -> None:
    axes.set_ylim(0, 1.05 * axes.get_ylim()[1])
    axes.margins(x=0.08)
    axes.grid(axis="y", color=FAINT, linewidth=0.6)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}" if value >= 10 or value == 0 else f"{value:g}")


def _tile_bars(axes: Any, samples: Sequence[Sample]) -> None:
    """How many per cent of the games ended with which largest tile."""
    tiles = sorted({game.largest for one in samples for game in one.games})
    below = [0.0] * len(samples)
    for number, tile in enumerate(tiles):
        shade = SHADES[number * (len(SHADES) - 1) // max(len(tiles) - 1, 1)]
        parts = [100 * sum(game.largest == tile for game in one.games) / len(one.games) for one in samples]
        axes.bar(range(len(samples)), parts, bottom=below, color=shade, width=0.7, label=str(tile))
        below = [done + part for done, part in zip(below, parts, strict=True)]
    axes.set_ylim(0, 100)
    axes.set_title("% of games by largest tile", fontsize=10)
