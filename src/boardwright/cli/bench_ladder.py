"""`boardwright bench strength`: the standard ladder of players for each game."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from boardwright.cli.options import Cluster, hire


def strength(
    game: Annotated[
        list[str] | None, typer.Argument(metavar="GAME", help="Games that have a ladder; all of them if none.")
    ] = None,
    player: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SPEC",
            help="Who climbs the ladder too, such as piskvork:./pbrain-rival; may be given again. With one GAME.",
        ),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="Games of each two players (alone: of each player).")] = 200,
    seed: Annotated[int, typer.Option(help="The same seed, the same draws and openings.")] = 1,
    workers: Annotated[
        int | None, typer.Option(min=0, help="Processes; 0: this one.", show_default="one a core")
    ] = None,
    cluster: Cluster = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Put the tables into this file, such as docs/strength.md.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Let the standard players of each game meet, and rate them.

    Ctrl-C keeps what was played; the same command goes on.
    """
    import json

    from boardwright.arena import MatchProgress
    from boardwright.arena.report import check_writable
    from boardwright.arena.summary import duration
    from boardwright.bench.ladder import ladders, measure_strength, section, write_sections
    from boardwright.cli.terminal import Ticker
    from boardwright.contract.errors import InputError

    known = ladders()
    specs = game or list(known)
    for spec in specs:
        if spec not in known:
            raise InputError(f"no ladder for {spec!r}; there are {', '.join(known)}")
    if player and len(specs) != 1:
        raise InputError("--player goes with one GAME, whose ladder it climbs")
    if out is not None:
        check_writable(out)
    command = shlex.join(["boardwright", *sys.argv[1:]])
    hired = hire(cluster)
    processes = (os.cpu_count() or 1) if workers is None else workers
    measured = []
    stopped = False
    for spec in specs:
        with Ticker(f"{spec}: ") as tick:

            def show(progress: MatchProgress, tick: Ticker = tick) -> None:
                left = f", {duration(progress.left)} left" if progress.left == progress.left else ""
                tick(f"{progress.done} of {progress.total} games{left}")

            one = measure_strength(spec, games, seed, processes, show, hired, player or ())
        measured.append(one)
        if not as_json:
            typer.echo(f"{one.result}\n")
        if not one.complete:
            stopped = True
            break
        if out is not None:  # a ladder at a time: what is measured is kept
            write_sections(out, {spec: section(one, command)})
            typer.echo(f"Wrote {spec} to {out}.", err=True)
    if as_json:
        typer.echo(
            json.dumps(
                [{"ladder": one.spec, "complete": one.complete, **one.result.to_dict()} for one in measured], indent=2
            )
        )
    if stopped:
        typer.echo(f"Stopped; finished games are kept. Go on with: {command}", err=True)
        raise typer.Exit(130)
