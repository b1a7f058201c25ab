"""`boardwright engine`: talk to other programs, as an engine of theirs."""

from __future__ import annotations

from typing import Annotated

import typer

from boardwright.cli.options import GameSpec, searcher

SIMULATIONS = 1000  # of a query that says nothing
PLAIN = f"mcts:simulations={SIMULATIONS}"
app = typer.Typer(
    help="Talk to other programs: Gomoku managers, or anything that reads and writes JSON lines.",
    no_args_is_help=True,
)


@app.command()
def piskvork(
    threads: Annotated[int, typer.Option(min=1, max=64, help="Trees grown side by side.")] = 1,
    seed: Annotated[int, typer.Option(help="Of the search.")] = 0,
    prepare: Annotated[
        str, typer.Option(metavar="SIZE,SIZE,...", help="Compile for these boards, both rules, and exit.")
    ] = "",
) -> None:
    """Be a Gomoku engine for Piskvork and other Gomocup managers, on standard input and output.

    A board size that this machine never played takes some ten seconds to compile, in the background, while moves
    come from simple rules: before a tournament, run it once with --prepare 15,20.
    """
    if prepare:
        _prepare(prepare)
        return
    from boardwright.engine.piskvork import run_piskvork

    run_piskvork(threads, seed)


def _prepare(sizes: str) -> None:
    from boardwright.contract.errors import InputError
    from boardwright.contract.position import shorten
    from boardwright.engine.thinker import game_of, warm_up

    named = [size.strip() for size in sizes.split(",")]
    if not all(size.isascii() and size.isdigit() and len(size) < 6 for size in named):
        raise InputError(f"--prepare {shorten(sizes)}: name board sizes with commas between, such as 15,20")
    games = [game_of(int(size), int(size), exactly) for size in named for exactly in (False, True)]
    for game in games:
        warm_up(game)
        typer.echo(f"ready: {game}")


@app.command("json")
def json_lines(
    game: GameSpec,
    player: Annotated[
        str | None, searcher("SPEC", "Settings of a query that names none: mcts:NAME=VALUE,...", PLAIN)
    ] = None,
) -> None:
    """Analyse positions of any game for another program: a JSON object a line in, a JSON object a line out.

    The protocol is in docs/engines.md; docs/examples/analysis_client.py is a client of thirty lines.
    """
    from boardwright.cli.terminal import say
    from boardwright.engine.json_lines import run_json_lines
    from boardwright.games.load import load
    from boardwright.learn.strongest import best_searcher

    run_json_lines(game, player or best_searcher(load(game), SIMULATIONS, PLAIN, say))
