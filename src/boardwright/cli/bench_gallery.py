"""`boardwright bench gallery`: how fast and how strong the games of docs/examples are."""

from __future__ import annotations

import json
import math
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from boardwright.bench.gallery import GalleryRow


def gallery(
    game: Annotated[
        list[str] | None, typer.Argument(metavar="GAME", help="Files of docs/examples without .py; all games if none.")
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.001, help="CPU time of one search whose speed is measured.")] = 0.5,
    rounds: Annotated[int, typer.Option(min=1, help="In how many rounds; speeds are medians over them.")] = 5,
    games: Annotated[int, typer.Option(min=1, help="Games of each step of a ladder.")] = 200,
    rungs: Annotated[
        int, typer.Option(min=1, max=12, help="Searching players on a ladder: 25 simulations, and so often doubled.")
    ] = 4,
    minutes: Annotated[
        float,
        typer.Option(
            min=0.0, help="About how long all of it may take, compiling aside; 0: until all games are played."
        ),
    ] = 15.0,
    seed: Annotated[int, typer.Option(help="The same seed, the same draws and openings.")] = 1,
    workers: Annotated[
        int | None, typer.Option(min=0, help="Processes that play; 0: this one.", show_default="one a core")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Put the rows into this file, such as docs/gallery.md.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure every game of the gallery: simulations per second beside OpenSpiel's, and a ladder of search.

    Each game has an equal share of the minutes; where that is too short, the steps of its ladder have fewer games.
    Ctrl-C keeps what was measured; games that were played are not played again.
    """
    from boardwright.arena.report import check_writable
    from boardwright.arena.summary import duration
    from boardwright.bench.gallery import chosen, measure_game, write_gallery
    from boardwright.cli.terminal import Ticker

    files = chosen(game)
    if out is not None:
        check_writable(out)
    processes = (os.cpu_count() or 1) if workers is None else workers
    until = time.monotonic() + (60.0 * minutes or math.inf)
    measured: list[GalleryRow] = []
    try:
        with Ticker() as tick:
            for done, file in enumerate(files):
                began = time.monotonic()
                left = f", about {duration(max(0.0, until - began))} left" if minutes else ""
                tick.heading = f"{file.stem} ({done + 1} of {len(files)}{left}): "
                one = measure_game(
                    file,
                    tick,
                    seconds=seconds,
                    rounds=rounds,
                    games=games,
                    rungs=rungs,
                    seed=seed,
                    workers=processes,
                    budget=(until - began) / (len(files) - done),
                )
                measured.append(one)
                if out is not None:  # a game at a time: what is measured is kept
                    write_gallery(out, measured, rungs)
                    tick("")
                    typer.echo(f"Wrote {file.stem} to {out} after {duration(time.monotonic() - began)}.", err=True)
    finally:
        if as_json:
            typer.echo(json.dumps([one.to_dict() for one in measured], indent=2))
        elif measured:
            _show(measured)


def _show(measured: list[GalleryRow]) -> None:
    from boardwright.bench.gallery import ladder_heading, speed_cells
    from boardwright.cli.terminal import console, figures

    out = console()
    speed = [[one.file, *speed_cells(one.speed)] for one in measured]
    out.print(figures(["game", "simulations/s", "OpenSpiel C++", "times as fast"], speed), soft_wrap=False)
    rows = [[one.file, *(rung.text for rung in one.ladder)] for one in measured]
    out.print(figures(["game", *ladder_heading(len(measured[0].ladder))], rows), soft_wrap=False)
