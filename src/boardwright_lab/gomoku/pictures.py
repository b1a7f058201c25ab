"""The figures of the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from boardwright.arena.plots import COLOURS, FAINT, INK, new_figure
from boardwright_lab.gomoku.curves import COLUMNS
from boardwright_lab.gomoku.experiments import Slope
from boardwright_lab.gomoku.nets import LAYERS
from boardwright_lab.gomoku.store import Trained


def column(trained: Trained, name: str) -> Any:
    return trained.curve[:, COLUMNS.index(name)]


def gradient_figure(slopes: Sequence[Slope]) -> Any:
    """One line a form of the stack over its layers, on a logarithmic scale."""
    figure, axes = new_figure(height=3.8)
    for number, slope in enumerate(slopes):
        trained = "after" in slope.name
        axes.plot(
            range(len(LAYERS)), np.maximum(slope.norms, 1e-12), "s--" if trained else "o-", color=COLOURS[number],
            label=slope.name, linewidth=1.8, markersize=5,
        )  # fmt: skip
    axes.set_yscale("log")
    axes.set_xticks(range(len(LAYERS)), LAYERS)
    axes.set_ylabel("norm of d log p / d weights")
    axes.grid(axis="y", color=FAINT, linewidth=0.6)
    _legend_beside(axes)
    return figure


def learning_figure(
    curves: Mapping[str, Trained], rule: str, x: str, mark: float | None = None, wanted: float = 0.0
) -> Any:
    """Points against a rule over games or seconds, with intervals of 95 %. mark: where the report stopped; wanted: the
    share to reach."""
    figure, axes = new_figure(height=3.8)
    for number, (name, trained) in enumerate(curves.items()):
        low, high = (100 * column(trained, f"{rule} {end}") for end in ("low", "high"))
        at, colour = column(trained, x), COLOURS[number]
        axes.plot(at, 100 * column(trained, f"{rule} share"), "o-", color=colour, label=name, markersize=3.5)
        axes.fill_between(at, low, high, color=colour, alpha=0.13, linewidth=0)
    axes.set_xscale("log")
    axes.set_ylim(-2, 102)
    for share in (50.0, 100 * wanted) if wanted else (50.0,):
        axes.axhline(share, color=FAINT, linewidth=1, zorder=0)
    if wanted:
        axes.text(axes.get_xlim()[0], 100 * wanted, f" {100 * wanted:.0f} %", fontsize=8, color=INK, va="bottom")
    if mark:
        axes.axvline(mark, color=INK, linewidth=0.8, linestyle=":")
        axes.text(mark, 3, " the report's 1,000 games", fontsize=8, color=INK)
    axes.set_xlabel("games played" if x == "games" else "CPU seconds")
    axes.set_ylabel(f"% of the points against {rule.partition(',')[0]}")
    _legend_beside(axes)
    return figure


def _legend_beside(axes: Any) -> None:
    axes.legend(frameon=False, fontsize=8.5, ncols=2, loc="lower left", bbox_to_anchor=(0.0, 1.0), borderaxespad=0.2)
