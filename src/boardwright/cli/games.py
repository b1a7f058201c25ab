"""`boardwright games`: what can be played, and one game in detail."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from boardwright.contract.game import Game


def games(
    name: Annotated[
        str | None, typer.Argument(metavar="GAME", help="One game in detail: a name, or path/to/file.py:Class.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the built-in games, or show one in detail with its start."""
    from boardwright.games.built_in import BUILT_IN
    from boardwright.games.load import load

    if name is not None:
        _one(load(name), as_json)
    elif as_json:
        typer.echo(json.dumps([facts(load(name)) for name in BUILT_IN], indent=2))
    else:
        _table([load(name) for name in BUILT_IN])


def facts(game: Game) -> dict[str, Any]:
    """What `games` tells about a game, as JSON can hold it."""
    from boardwright.arena.levels import levels_of
    from boardwright.players import player_kinds

    best = game.card.strongest
    return {
        "name": game.name,
        "title": game.title,
        "players": game.players,
        "options": game.options,
        "actions": game.actions,
        "outcomes": game.outcomes,
        "symmetries": game.symmetries,
        "move_help": game.move_help,
        "strongest": best and {"name": best.name, "player": best.spec, "about": best.words},
        "how_to_train": game.card.how_to_train,
        "player_kinds": list(player_kinds(game)),
        "about_player_kinds": player_kinds(game),
        "levels": [
            {
                "name": one.name,
                "player": one.spec,
                "elo": one.player.elo,
                "low": one.player.low,
                "high": one.player.high,
            }
            for one in levels_of(game)
        ],
    }


def _table(every: list[Game]) -> None:
    from rich.table import Table
    from rich.text import Text

    from boardwright.cli.terminal import console

    # Two columns: seven would leave each too narrow to read in a terminal of 80.
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 1, 0))
    table.add_column("game", style="bold", no_wrap=True)
    table.add_column("about it")
    for game in every:
        about = Text(f"{game.title}\n")
        for what, detail in _about(game).items():
            about.append(f"{what}: ", style="dim").append(f"{detail}\n")
        about.right_crop(1)
        table.add_row(game.name, about)
    out = console()
    out.print(table, soft_wrap=False)
    out.print("One in detail: boardwright games NAME.  Play it: boardwright play NAME")


def _one(game: Game, as_json: bool) -> None:
    import inspect

    from boardwright.arena.levels import levels_of
    from boardwright.cli.terminal import board, console
    from boardwright.players import player_kinds

    # In the interpreter: a first look should not wait for the compiler.
    start = game.begin(debug=True)
    if as_json:
        typer.echo(json.dumps({**facts(game), "start": str(start)}, indent=2))
        return
    out = console()
    out.print(f"[bold]{game.name}[/bold]")
    out.print(inspect.cleandoc(type(game).__doc__ or game.title), markup=False)
    out.print()
    shown = _about(game)
    del shown["played by"]  # in full below
    for what, detail in shown.items():
        out.print(f"{what:>12}: {detail}", markup=False)
    out.print("\nPlayers:\n")
    kinds = {"human": "you, or whoever sits at the keyboard", **player_kinds(game)}
    for kind, about in kinds.items():
        out.print(f"  {kind:{max(map(len, kinds))}}  {about}", markup=False)
    levels = levels_of(game)
    if levels:
        out.print("\nLevels, as measured:\n")
        for one in levels:
            out.print(f"  {one.name:{max(len(each.name) for each in levels)}}  {one.words}", markup=False)
    out.print("\nA start (seed 0):\n")
    out.print(board(start))


def _about(game: Game) -> dict[str, str]:
    chance = f", {game.outcomes} outcomes of chance" if game.outcomes else ""
    best = game.card.strongest
    return {
        "players": str(game.players),
        "options": _options(game) or "none",
        "moves": f"{game.actions}{chance}",
        "a move": game.move_help.removeprefix("a move is ") or "its number",
        "played by": ", ".join(["human", *facts(game)["player_kinds"]]),
        **({"strongest": f"{best.spec}: {best.words}"} if best else {}),
        **({"to train": game.card.how_to_train} if game.card.how_to_train else {}),
    }


def _options(game: Game) -> str:
    return ", ".join(f"{name}={json.dumps(value)}" for name, value in game.options.items())
