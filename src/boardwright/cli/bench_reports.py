"""`boardwright bench reports`: are the labels of a report right, and its errors what they say?"""

from __future__ import annotations

import json
import shlex
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from boardwright.bench.reports import ReportFigures


def reports(
    game: Annotated[
        list[str] | None, typer.Argument(metavar="GAME", help="Games whose truth is known; all of them if none.")
    ] = None,
    positions: Annotated[int, typer.Option(min=1, help="Moves of each game that are judged.")] = 200,
    rounds: Annotated[
        list[int] | None,
        typer.Option(min=1, max=7, help="Rounds of the judge for each, 1 if not said; may be given more than once."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the games and of the judge.")] = 1,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the tables into this file too, such as docs/reports.md.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Labels and errors of reports against the truth: games solved, all positions valued, or a long comparison."""
    from boardwright.arena.report import check_writable, commit, markdown_table, write_text
    from boardwright.bench.cases import cases
    from boardwright.bench.reports import REPORTS, measure_reports
    from boardwright.cli.terminal import Ticker, console, figures

    if out is not None:
        check_writable(out)
    measured: dict[int, list[ReportFigures]] = {}
    try:
        with Ticker() as tick:
            for number in sorted(set(rounds or [1])):
                for spec in game or list(cases(REPORTS)):
                    found = measure_reports(spec, positions, number, seed, tick, whole=number == min(rounds or [1]))
                    measured.setdefault(number, []).append(found)
    finally:  # Ctrl-C keeps what has been measured
        if as_json:
            told = [{"rounds": number, **one.to_dict()} for number, of in measured.items() for one in of]
            typer.echo(json.dumps(told, indent=2))
        else:
            for number, of in measured.items():
                console().print(_title(number), markup=False)
                console().print(figures(("", *(one.game for one in of)), _rows(of)))
    if out is not None:
        command = shlex.join(["boardwright", *sys.argv[1:]])
        parts = ["# Reports against the truth", f"Written by `{command}`, never typed."]
        parts.append(
            f"{positions} moves of each game, by a weak player and at random, judged and compared with the truth "
            "([how](methods/judge.md))."
        )
        for number, of in measured.items():
            parts += [
                f"## {_title(number)}",
                markdown_table(["", *(one.game for one in of)], list(map(list, _rows(of)))),
            ]
        parts.append(f"{datetime.now(UTC):%Y-%m-%d}, commit {commit()}.")
        write_text(out, "\n\n".join(parts) + "\n")
        typer.echo(f"Wrote {out}.", err=True)


def _title(rounds: int) -> str:
    return "After the first round" if rounds == 1 else f"After {rounds} rounds"


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
    }
    rows = [(name, *map(tell, measured)) for name, tell in told.items()]
    if any(one.moves for one in measured):
        rows.append(("first whole report", *(f"{one.whole:.1f} s, {one.moves} moves" for one in measured)))
    return rows
