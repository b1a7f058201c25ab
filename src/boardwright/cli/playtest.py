"""`boardwright playtest`: what a designer must know about a game."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardwright.cli.options import AsJson, Cluster, GameSpec, hire
from boardwright.contract.errors import InputError

if TYPE_CHECKING:
    from boardwright.arena.workers import Hire
    from boardwright.playtesting.report import Report
    from boardwright.playtesting.run import Playtest, Progress
    from boardwright.playtesting.variants import Variants, VariantsReport


def playtest(
    game: GameSpec,
    other: Annotated[
        str | None, typer.Argument(metavar="[VARIANT]", help="Another: figure by figure, on common deals.")
    ] = None,
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
    sweep: Annotated[
        str | None, typer.Option(metavar="OPTION=A..B", help="The game with each value of an option, as curves.")
    ] = None,
    kept: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE", help="Play nothing: the report of games that were kept in this file."),
    ] = None,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Play a game against itself, and say what its designer must know, with 95 % intervals.

    Fairness, length and choice, luck and skill, tension, what is worth what, what is broken, games to look at. Stopped
    or killed, the same command goes on where it was; with more minutes it goes on from there.
    """
    from boardwright.games.load import load
    from boardwright.playtesting import Playtest

    if out is not None:
        from boardwright.arena.report import check_writable

        check_writable(out)
    if kept is not None:
        if other is not None or sweep is not None or not kept.is_file():
            raise InputError(f"--from {kept}: name one game, and the file of its playtest, NAME-....sqlite")
        test = Playtest(load(game), minutes, seed, top=top, sets=sets, path=kept)
        if not test.begun:
            raise InputError(f"--from {kept}: no playtest was begun in it; leave out --from to play one")
        _finish(test, out, as_json, stopped=False)
        return
    if other is not None or sweep is not None:
        variants = _variants(game, other, sweep, minutes, seed, top, sets)
        _compare(variants, sets, workers, hire(cluster), out, as_json)
        return
    hired = hire(cluster)
    test = Playtest(load(game), minutes, seed, top=top, sets=sets)
    stopped = False
    with _Shown(sets) as show:
        try:
            test.run(workers, lambda progress: show(test.game.name, progress), hire=hired)
        except KeyboardInterrupt:
            stopped = True
    _finish(test, out, as_json, stopped)


def _finish(test: Playtest, out: Path | None, as_json: bool, stopped: bool) -> None:
    """The report of one game, whose games to look at go into the library."""
    from boardwright.playtesting.records import command_for

    report = test.report()
    report.save_records()
    test.close()
    _tell(report, out, as_json, stopped)
    if not as_json:
        look = next((one.record for one in report.looks if one.record), None)
        page = "" if out else "--out FILE for a page with plots"
        analyse = command_for("analyse", look, test.game) if look else ""
        typer.echo(f"\nNext: {', or '.join(filter(None, (analyse, page)))}." if analyse or page else "")


def _variants(
    game: str,
    other: str | None,
    sweep: str | None,
    minutes: float,
    seed: int,
    top: int,
    sets: int,
) -> Variants:
    from boardwright.games.load import load
    from boardwright.playtesting.variants import Variants, read_sweep

    if other is not None and sweep is not None:
        raise InputError("name a second variant or a sweep, not both")
    if sweep is not None:
        option, values = read_sweep(sweep)
        names = [f"{option}={value}" for value in values]
        known = load(game)
        if option not in known.options:
            raise InputError(f"{known.name}: no option {option!r}; it has {', '.join(known.options) or 'none'}")
        games = [load(f"{game}{',' if '=' in game.rpartition(':')[2] else ':'}{name}") for name in names]
    else:
        assert other is not None
        names, games = [game, other], [load(game), load(other)]
    return Variants(games, names, minutes, seed, top=top, sets=sets)


def _compare(
    test: Variants, sets: int, workers: int | None, hired: Hire | None, out: Path | None, as_json: bool
) -> None:
    stopped = False
    with _Shown(sets) as show:
        try:
            test.run(workers, show, hired)
        except KeyboardInterrupt:
            stopped = True
    report = test.report()
    test.close()
    _tell(report, out, as_json, stopped)


def _tell(report: Report | VariantsReport, out: Path | None, as_json: bool, stopped: bool) -> None:
    from boardwright.cli.terminal import clean

    typer.echo(report.to_json() if as_json else clean(str(report), "\n"))
    if out is not None:
        report.write(out)
        typer.echo(f"Wrote {out}.", err=True)
    if stopped:
        typer.echo(f"Stopped. Go on with: {shlex.join(['boardwright', *sys.argv[1:]])}", err=True)
        raise typer.Exit(130)


class _Shown:
    """A line of progress, at most twice a second."""

    def __init__(self, sets: int) -> None:
        from boardwright.cli.terminal import Ticker

        self._tick, self._sets, self._last = Ticker(), sets, 0.0

    def __enter__(self) -> _Shown:
        self._tick.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._tick.__exit__(*error)

    def __call__(self, name: str, progress: Progress) -> None:
        if time.monotonic() - self._last < 0.5 and progress.games:
            return
        self._last = time.monotonic()
        left = "" if self._sets else f", {max(progress.wanted - progress.seconds, 0.0) / 60:.1f} min left"
        doing = f"{progress.games:,} games{left}, now: {progress.doing}" if progress.games else progress.doing
        self._tick(f"{name}: {doing}")
