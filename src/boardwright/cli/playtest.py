"""`boardwright playtest`: what a designer must know about a game."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from boardwright.cli.options import AsJson, GameSpec


def playtest(
    game: GameSpec,
    minutes: Annotated[float, typer.Option(min=0.01, help="Of play, in all runs together; compiling is extra.")] = 10.0,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the report: one HTML file.")] = None,
    seed: Annotated[int, typer.Option(help="The same seed, the same deals.")] = 0,
    top: Annotated[
        int, typer.Option(min=0, help="Tries a move of the strongest search.", show_default="by the minutes")
    ] = 0,
    sets: Annotated[
        int, typer.Option(min=0, help="So many deals of each kind of game, instead of minutes.", show_default="")
    ] = 0,
    workers: Annotated[
        int | None, typer.Option(min=0, help="Processes; 0: this one.", show_default="one a core")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play a game against itself, and say what its designer must know, with 95 % intervals.

    Fairness, length and choice, luck and skill, tension, what is worth what, what is broken, games to look at. Stopped
    or killed, the same command goes on where it was; with more minutes it goes on from there.
    """
    from boardwright.cli.terminal import Ticker, clean
    from boardwright.games.load import load
    from boardwright.playtesting import Playtest
    from boardwright.playtesting.run import Progress

    if out is not None:
        from boardwright.arena.report import check_writable

        check_writable(out)
    test = Playtest(load(game), minutes, seed, top=top, sets=sets)
    stopped = False
    with Ticker(f"{test.game.name}: ") as tick:
        shown = [0.0]

        def show(progress: Progress) -> None:
            if time.monotonic() - shown[0] < 0.5 and progress.games:
                return
            shown[0] = time.monotonic()
            left = "" if sets else f", {max(progress.wanted - progress.seconds, 0.0) / 60:.1f} min left"
            tick(f"{progress.games:,} games{left}, now: {progress.doing}" if progress.games else progress.doing)

        try:
            test.run(workers, show)
        except KeyboardInterrupt:
            stopped = True
    report = test.report()
    report.save_records()
    command = shlex.join(["boardwright", *sys.argv[1:]])
    typer.echo(report.to_json() if as_json else clean(str(report), "\n"))
    if out is not None:
        report.write(out)
        typer.echo(f"Wrote {out}.", err=True)
    test.close()
    if stopped:
        typer.echo(f"Stopped after {report.games:,} games. Go on with: {command}", err=True)
        raise typer.Exit(130)
    if not as_json:
        if report.looks and report.looks[0].record:
            typer.echo(f"\nNext: boardwright analyse {report.looks[0].record.id[:8]}", nl=False)
        typer.echo(", or --out FILE for a page with plots." if out is None else ".")
