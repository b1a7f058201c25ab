"""`boardwright match`: who is better, with how much certainty."""

from __future__ import annotations

import gc
import os
import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardwright.cli.options import AsJson, Cluster, GameSpec, hire
from boardwright.cli.player_named import player_named

if TYPE_CHECKING:
    from boardwright.arena import MatchResult

PACE = 0.1  # seconds a move of players that nobody named


def match(
    game: GameSpec,
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PLAYER...",
            help="Who plays: levels such as Medium, or specs such as random or mcts:simulations=800.",
            show_default="the strongest there is and plain search",
        ),
    ] = None,
    games: Annotated[
        int, typer.Option(min=1, help="Games of each group that meets (alone: of each player), in whole sets.")
    ] = 200,
    seed: Annotated[int, typer.Option(help="The same seed, the same draws, openings and players' luck.")] = 0,
    round_robin: Annotated[
        bool, typer.Option("--round-robin", help="Every two players meet, instead of all at one table.")
    ] = False,
    opening: Annotated[
        int | None,
        typer.Option(min=0, help="Random moves at the start of each game.", show_default="some, where luck is missing"),
    ] = None,
    move_seconds: Annotated[
        float, typer.Option(min=0.0, help="Who thinks longer about a move loses the game; 0: no limit.")
    ] = 0.0,
    sprt: Annotated[
        str | None,
        typer.Option(metavar="ELO0,ELO1[,ALPHA,BETA]", help="Stop when it is known which difference is nearer."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=0, help="Processes; 0: this one.", show_default="one a core")
    ] = None,
    cluster: Cluster = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a report: one HTML file.")] = None,
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a report: Markdown, plots beside it.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Let players meet on the same draws with seats exchanged, and say who is better, with 95 % intervals.

    Every finished game is in the library at once. Stopped or killed, the same command goes on where it was; with
    more games or more players it goes on from there.
    """
    from boardwright.arena import Match, MatchProgress
    from boardwright.arena.sprt import Hypotheses
    from boardwright.arena.summary import duration
    from boardwright.cli.terminal import Ticker
    from boardwright.games.load import load

    for path in (html, markdown):
        if path is not None:
            from boardwright.arena.plots import need_matplotlib
            from boardwright.arena.report import check_writable

            need_matplotlib()
            check_writable(path)
    test = Hypotheses.read(sprt) if sprt else None
    hired = hire(cluster)
    rules = load(game)
    if not players:
        from boardwright.cli.terminal import say
        from boardwright.learn.strongest import best_known

        players = [best_known(rules, PACE, say), f"mcts:seconds={PACE:g}"]
        typer.echo(f"No players named: {players[0]}, the strongest there is, meets {players[1]}.", err=True)
    else:
        players = [player_named(one, rules) for one in players]
    planned = Match(
        rules,
        players,
        games,
        seed,
        round_robin=round_robin,
        opening=opening,
        move_seconds=move_seconds,
        test=test,
    )
    had = planned.recall()
    if had and not as_json:
        typer.echo(f"The library has {had} of these {planned.total} games already.", err=True)
    stopped = False
    gc.freeze()  # what is loaded by now stays: a whole collection takes as long as hundreds of quick games
    with Ticker() as tick:
        shown = [0.0]  # when; a match of quick games has more to tell than anybody reads

        def show(progress: MatchProgress) -> None:
            if time.monotonic() - shown[0] < 0.5 or not sys.stderr.isatty():
                return
            shown[0] = time.monotonic()
            most = "at most " if test else ""
            left = f", {most}{duration(progress.left)} left" if progress.left == progress.left else ""
            tick(f"{progress.done} of {progress.total} games{left}  {_leader(planned)}")

        try:
            planned.run((os.cpu_count() or 1) if workers is None else workers, show, hired)
        except KeyboardInterrupt:
            stopped = True
    result = planned.result()
    command = shlex.join(["boardwright", *sys.argv[1:]])
    if as_json:
        typer.echo(result.to_json())
    else:
        _show(result)
    if html is not None or markdown is not None:
        from boardwright.arena.report import write_html, write_markdown

        for path, write in ((html, write_html), (markdown, write_markdown)):
            if path is not None:
                write(result, path, command)
                typer.echo(f"Wrote {path}.", err=True)
    if stopped:
        typer.echo(f"Stopped with {len(planned.outcomes)} of {planned.total} games. Go on with: {command}", err=True)
        raise typer.Exit(130)
    if not as_json and result.outcomes:
        typer.echo(f"\nNext: boardwright analyse {result.outcomes[0].id[:8]}, or --html FILE for a report with plots.")


def _leader(planned: object) -> str:
    """How it stands between two players, in few words."""
    from boardwright.arena import Match

    assert isinstance(planned, Match)
    if len(planned.specs) != 2 or planned.total > 5000:
        return ""
    pairs = planned.result().table.pairs
    if not pairs:
        return ""
    share = pairs[0].share
    return f"({planned.specs[0]}: {100 * share.value:.1f} %, {100 * share.low:.0f} to {100 * share.high:.0f})"


def _show(result: MatchResult) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from boardwright.arena.summary import columns, headline, pair_rows, seat_rows, verdict
    from boardwright.cli.terminal import console

    out = console()
    if not out.is_terminal:
        typer.echo(str(result))  # a program, or a file, wants whole lines
        return
    out.print(headline(result), markup=False)
    for heading, rows in (columns(result), pair_rows(result), seat_rows(result)):
        if not rows:
            continue
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
        for number, name in enumerate(heading):
            table.add_column(name.replace(" ", "\n", 1), justify="right" if number else "left", overflow="fold")
        for row in rows:
            table.add_row(*(Text(cell.replace(" (", "\n(")) for cell in row))
        out.print(table, soft_wrap=False)
    if result.test:
        out.print(f"SPRT: {result.test}", markup=False)
    if verdict(result):
        out.print(verdict(result), style="bold", markup=False)
    for note in result.notes:
        out.print(note, style="yellow", markup=False)
    out.print("In brackets: 95 % intervals.", style="dim")
