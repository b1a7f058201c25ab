"""`boardwright bench selfplay` and `bench switches`: what learning by self-play costs, and what its parts are worth."""

from __future__ import annotations

import json
from typing import Annotated

import typer


def selfplay(
    rounds: Annotated[int, typer.Option(min=1, help="In how many rounds; figures are medians over them.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """What self-play costs end to end, trees and rules included, against the bare network on the same core."""
    from boardwright.bench.selfplay import measure_selfplay
    from boardwright.cli.terminal import Ticker, console, figures, rate

    with Ticker() as tick:
        found = measure_selfplay(rounds, tick)
    if as_json:
        typer.echo(json.dumps([one.to_dict() for one in found], indent=2))
        return
    rows = [(one.what, rate(one.end_to_end), rate(one.bare), f"{100 * one.share:.0f} %") for one in found]
    console().print(figures(("network", "self-play /s", "bare network /s", "share"), rows))
    console().print(f"Positions a CPU second of one core; medians over {rounds} rounds in turn.", markup=False)


def switches(
    game: Annotated[
        str | None, typer.Argument(help="The game to learn.", show_default="tic-tac-toe on 5x5, four in a row")
    ] = None,
    iterations: Annotated[int, typer.Option(min=1, help="Of each training.")] = 40,
    seeds: Annotated[int, typer.Option(min=1, help="Trainings with each switch off.")] = 2,
    games: Annotated[int, typer.Option(min=2, help="Between two networks.")] = 200,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """What each switch of self-play is worth: trainings with it off meet the same training with all on."""
    from boardwright.bench.cases import first_case
    from boardwright.bench.switches import measure_switches
    from boardwright.cli.terminal import Ticker, console, figures

    with Ticker() as tick:
        found = measure_switches(game or first_case("switches"), iterations, seeds, games, tick)
    if as_json:
        typer.echo(json.dumps([one.to_dict() for one in found], indent=2))
        return
    rows = [
        (one.switch, f"{100 * one.share:.1f} %", f"{100 * one.low:.0f} to {100 * one.high:.0f} %", str(one.games))
        for one in found
    ]
    console().print(figures(("switch", "share with it on", "95 % interval", "games"), rows))
    console().print("Against the same training with that switch off; above 50 %: it helps.", markup=False)
