"""`boardwright bench reports`: are the labels of a report right, and its errors what they say?"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from boardwright.bench.reports import ReportFigures


def reports(
    game: Annotated[
        list[str] | None, typer.Argument(metavar="GAME", help="Games whose truth is known; all of them if none.")
    ] = None,
    positions: Annotated[int, typer.Option(min=1, help="Moves of each game that are judged.")] = 200,
    rounds: Annotated[int, typer.Option(min=1, max=7, help="Rounds of the judge for each.")] = 1,
    seed: Annotated[int, typer.Option(help="Of the games and of the judge.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Labels and errors of reports against the truth: games solved, all positions valued, or a long comparison."""
    from boardwright.bench.cases import cases
    from boardwright.bench.reports import REPORTS, measure_reports
    from boardwright.cli.terminal import Ticker, console, figures

    measured: list[ReportFigures] = []
    try:
        with Ticker() as tick:
            for spec in game or list(cases(REPORTS)):
                measured.append(measure_reports(spec, positions, rounds, seed, tick))
    finally:  # Ctrl-C keeps what has been measured
        if as_json:
            typer.echo(json.dumps([one.to_dict() for one in measured], indent=2))
        elif measured:
            console().print(figures(("", *(one.game for one in measured)), _rows(measured)))


def _rows(measured: list[ReportFigures]) -> list[tuple[str, ...]]:
    """A row a figure, a column a game."""
    told = {
        "truth by": lambda one: one.truth,
        "moves judged": lambda one: f"{one.positions}",
        "called mistake or blunder, wrongly": lambda one: f"{one.wrong} of {one.serious}",
        "equal by symmetry, called worse": lambda one: f"{one.symmetric_wrong} of {one.symmetric}",
        "loss counted, nothing lost": lambda one: f"{one.nothing} of {one.counted}",
        "mistake called good": lambda one: f"{one.missed}",
        "unsure": lambda one: f"{100 * one.unsure / one.positions:.0f} %",
        "truth inside the 95 % interval": lambda one: f"{100 * one.within:.0f} %",
        "deviation in errors (1 is right)": lambda one: f"{one.deviation:.2f}",
        "seconds a move": lambda one: f"{one.seconds:.2f}",
        "first whole report": lambda one: f"{one.whole:.1f} s",
        "moves in it": lambda one: f"{one.moves}",
    }
    return [(name, *map(tell, measured)) for name, tell in told.items()]
