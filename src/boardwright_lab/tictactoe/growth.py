"""Table 7 and figure 1: how the time of a game grows with the board."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from boardwright.arena.plots import COLOURS, new_figure
from boardwright.bench.search import TABLE_7_SIMULATIONS, GameTime

OURS, THEIRS = COLOURS[0], COLOURS[1]


@dataclass(frozen=True)
class Power:
    """y = factor * x ** exponent, the straight line through logarithms with the least squared error."""

    factor: float
    exponent: float

    def __call__(self, x: float) -> float:
        return float(self.factor * x**self.exponent)


def fit_power(xs: Sequence[float], ys: Sequence[float]) -> Power:
    """The power law nearest to two or more points, all above 0."""
    lx, ly = [math.log(x) for x in xs], [math.log(y) for y in ys]
    middle_x, middle_y = sum(lx) / len(lx), sum(ly) / len(ly)
    spread = sum((x - middle_x) ** 2 for x in lx)
    exponent = sum((x - middle_x) * (y - middle_y) for x, y in zip(lx, ly, strict=True)) / spread
    return Power(math.exp(middle_y - exponent * middle_x), exponent)


@dataclass(frozen=True)
class Growth:
    """Power laws in n, the side of the board. A game is moves x simulations a move x time of a simulation."""

    reported: Power  # milliseconds a game
    ours: Power  # milliseconds a game
    moves: Power  # a game
    simulations: Power  # a move: a proof ends a search early
    simulation: Power  # microseconds


def simulations_a_move(one: GameTime) -> float:
    """How many were made of those that were allowed: a search stops once all is proven."""
    return 1000.0 * one.milliseconds / (one.microseconds * one.moves)


def growth(times: Sequence[GameTime]) -> Growth:
    sizes = [float(one.size) for one in times]
    return Growth(
        reported=fit_power(sizes, [one.reported_milliseconds for one in times]),
        ours=fit_power(sizes, [one.milliseconds for one in times]),
        moves=fit_power(sizes, [one.moves for one in times]),
        simulations=fit_power(sizes, [simulations_a_move(one) for one in times]),
        simulation=fit_power(sizes, [one.microseconds for one in times]),
    )


def table_7(times: Sequence[GameTime]) -> tuple[list[str], list[list[str]]]:
    """Heading and rows."""
    heading = [
        "board",
        "report, ms a game",
        "ours, ms a game",
        "report / ours",
        "moves a game",
        "simulations a move",
        "µs each",
    ]
    rows = [
        [
            f"{one.size}x{one.size}",
            f"{one.reported_milliseconds:,.0f}",
            f"{one.milliseconds:.1f}",
            f"{one.reported_milliseconds / one.milliseconds:,.0f}",
            f"{one.moves:.0f}",
            f"{simulations_a_move(one):.0f}",
            f"{one.microseconds:.1f}",
        ]
        for one in times
    ]
    return heading, rows


def figure_1(times: Sequence[GameTime], fits: Growth) -> Any:
    """Both programs over the side of the board, on logarithmic axes: a power law is a straight line there."""
    figure, axes = new_figure(3.8)
    sizes = [one.size for one in times]
    for ys, fit, colour, name in (
        ([one.reported_milliseconds for one in times], fits.reported, THEIRS, "the report, as reported"),
        ([one.milliseconds for one in times], fits.ours, OURS, "ours, playing both sides"),
    ):
        axes.plot(sizes, [fit(n) for n in sizes], color=colour, linewidth=1.2, linestyle="--")
        axes.plot(sizes, ys, "o", color=colour, markersize=6, label=f"{name}: grows as n to the {fit.exponent:.1f}")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks(sizes, [f"{n}x{n}" for n in sizes])
    axes.minorticks_off()
    axes.set_xlabel("board")
    axes.set_ylabel("milliseconds a game")
    axes.legend(frameon=False, loc="upper left")
    return figure


def why(fits: Growth) -> str:
    """The growth taken apart, from the fits alone."""
    return f"""A game is moves x simulations x the time of a simulation, so the three exponents add up:

- **Moves**: n to the {fits.moves.exponent:.2f}. With n in a row to win, a game between equals nearly fills the n²
  cells.
- **Simulations a move**, {TABLE_7_SIMULATIONS} at most: n to the {fits.simulations.exponent:.2f}. On small boards
  proofs end the search early.
- **A simulation**: n to the {fits.simulation.exponent:.2f}. It plays on to the end, up to n² moves more; beside
  that stands what costs the same on every board, the way down the tree and the start of a search.
- **Together**: n to the {fits.ours.exponent:.2f}.

The report's playout tries every empty cell at every step, copies the board for each try and looks over the whole copy
for a line: M³ for M = n² cells by its own reckoning. Its times grow as n to the {fits.reported.exponent:.2f}."""
