"""The report's own figures, and drawings of ours beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from boardwright.arena.intervals import wilson
from boardwright.arena.plots import COLOURS, FAINT, INK, new_figure
from boardwright_lab.azul.games import Score

# Section 1, output after `winning_state`: visits and mean values of the nine cells after 500 simulations.
REPORTED_WIN_VISITS = (0, 30, 31, 26, 0, 24, 30, 29, 330)
REPORTED_WIN_VALUES = (0, 0.42882333, 0.45042258, 0.34378846, 0, 0.25205, 0.43538333, 0.41591379, 1.0)
# Section 1, output after `root_state`: mean values of the cells that are free.
REPORTED_CENTRE_VALUES = {4: 0.83796296, 5: -0.749385, 7: -0.44, 8: -0.52227391}
# "AlphaZero Training Loop": games won of 200 against random after each batch, in percent. The last is damaged in the
# text ("22 0%"); with its 31.5 % lost and 13.5 % drawn it must be 55.
REPORTED_LOOP = (35.5, 33.0, 35.0, 43.0, 36.5, 41.5, 44.0, 41.0, 40.0, 49.0, 50.5, 54.0, 50.5, 53.5, 55.0)
# "Training directly from MCTS evaluations": the same after each epoch.
REPORTED_TREES = (64.5, 77.5, 77.5, 80.0, 89.5)
REPORTED_GAMES = 200  # behind each of these percentages
# "Can the model prevent an instant loss?": logits of the free cells. The block is at cell 7.
REPORTED_BLOCK_LOGITS = {2: -0.18763702, 5: -0.1333947, 7: -0.17181785}
REPORTED_WIN_LOGITS = {2: 3.2362182, 5: 0.6953783, 7: 0.37946904}


def learning_curves(
    reported: Sequence[float], ours: Mapping[str, Sequence[tuple[int, Score]]], steps: str, rival: str = "random"
) -> Any:
    """Games won against a rival, in percent, with 95 % bands. reported: its percentages, at 1, 2, 3, ..."""
    figure, axes = new_figure(height=3.8)
    lines: list[tuple[str, list[int], list[Any]]] = []
    if reported:
        told = [wilson(percent / 100 * REPORTED_GAMES, REPORTED_GAMES) for percent in reported]
        lines.append(("the report's figures", list(range(1, len(reported) + 1)), told))
    for name, scores in ours.items():
        lines.append((name, [number for number, _ in scores], [score.wins for _, score in scores]))
    for number, (name, places, shares) in enumerate(lines):
        colour = INK if reported and number == 0 else COLOURS[number % len(COLOURS)]
        axes.plot(
            places, [100 * one.value for one in shares], color=colour, label=name, linewidth=1.8,
            linestyle="--" if reported and number == 0 else "-", marker="o", markersize=3,
        )  # fmt: skip
        low, high = ([100 * getattr(one, end) for one in shares] for end in ("low", "high"))
        axes.fill_between(places, low, high, color=colour, alpha=0.12, linewidth=0)
    axes.set_ylim(0, 101)
    axes.grid(axis="y", color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel(steps)
    axes.set_ylabel(f"games won against {rival}, %")
    axes.legend(frameon=False, fontsize=9, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return figure


def histograms(scores: Mapping[str, Score]) -> Any:
    """The report's four histograms in one row: how games ended, in percent, with 95 % intervals."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.2, 2.9), layout="constrained")
    panels: Any = np.atleast_1d(figure.subplots(1, len(scores), sharey=True))
    for panel, (name, score) in zip(panels, scores.items(), strict=True):
        shares = [wilson(count, score.games) for count in (score.lost, score.drawn, score.won)]
        values = [100 * one.value for one in shares]
        ends = [[100 * (one.value - one.low) for one in shares], [100 * (one.high - one.value) for one in shares]]
        panel.bar(["lost", "drawn", "won"], values, color=("#c8553d", "#c9ced6", "#5b8c5a"), yerr=ends, ecolor=INK,
                  error_kw={"linewidth": 1, "capsize": 3})  # fmt: skip
        for place, one in enumerate(shares):
            panel.text(place, 100 * one.high + 2, f"{100 * one.value:.1f}", ha="center", fontsize=9, color=INK)
        panel.set_title(f"{name}\n{score.games} games", fontsize=9, color=INK)
        panel.set_ylim(0, 115)
        panel.set_yticks(range(0, 101, 25))
        panel.spines[["top", "right"]].set_visible(False)
        panel.tick_params(colors=INK, labelsize=9)
    panels[0].set_ylabel("% of games")
    return figure
