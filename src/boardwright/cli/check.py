"""`boardwright check`: hold a game against the contract."""

from __future__ import annotations

import json
import shlex
from typing import Annotated

import typer

from boardwright.cli.options import AsJson, GameSpec


def check(
    game: GameSpec,
    games: Annotated[int, typer.Option(min=1, help="How many games to play.")] = 2000,
    seed: Annotated[int, typer.Option(help="The same seed, the same games.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Play thousands of games and check every promise of the contract.

    Exit code 0: all kept. 1: the rules broke one, and the message says which. 2: bad input.
    """
    from boardwright.check.check import check_game
    from boardwright.cli.terminal import Ticker, clean, console
    from boardwright.contract.errors import RuleError
    from boardwright.games.load import load

    out = console()
    try:
        loaded = load(game)
        with Ticker(f"{loaded.name}: ") as tick:
            report = check_game(loaded, games=games, seed=seed, progress=tick)
    except RuleError as error:
        if as_json:
            typer.echo(json.dumps({"game": game, "passed": False, "error": str(error)}))
        else:
            out.print("[bold red]✗[/bold red]", end=" ")
            out.print(clean(str(error), "\n"), markup=False)
        raise typer.Exit(1) from None
    if as_json:
        lines = [{"check": what, "detail": detail} for what, detail in report.lines]
        typer.echo(json.dumps({"game": str(loaded), "passed": True, "checks": lines}, indent=2))
        return
    for what, detail in report.lines:
        out.print(f"[green]✓[/green] [bold]{what}[/bold]", end="  ")
        out.print(detail, markup=False)
    out.print(f"\n{loaded} keeps the contract. Next: boardwright play {shlex.quote(clean(game))}", markup=False)
