"""`boardwright bench`: how fast Boardwright is here, side by side with its peers."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Annotated

import typer

from boardwright.cli.bench_adapters import adapters
from boardwright.cli.bench_search import search
from boardwright.cli.page import page
from boardwright.cli.strength import strength
from boardwright.cli.tiles import tiles, tuples

if TYPE_CHECKING:
    from boardwright.bench.rules import RulesFigures

app = typer.Typer(help="Measure how fast Boardwright runs here, side by side with its peers.", no_args_is_help=True)


@app.callback()
def bench() -> None:
    """Measure how fast Boardwright runs here, side by side with its peers."""


@app.command()
def rules(
    game: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME", help="Games as for `play`; all that are built in if none."),
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.1, help="How long to measure each game, compiling aside.")] = 6.0,
    rounds: Annotated[int, typer.Option(min=1, help="In how many rounds; figures are medians over them.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Random games per second: compiled rules, the same rules interpreted, and OpenSpiel's."""
    from boardwright.bench.rules import measure_rules
    from boardwright.cli.board import Ticker
    from boardwright.contract.load import BUILT_IN, load

    specs = game or list(BUILT_IN)
    for spec in specs:
        load(spec)  # a misspelt name is told now, not after minutes
    measured: list[RulesFigures] = []
    began = time.monotonic()
    try:
        with Ticker() as tick:
            for done, spec in enumerate(specs):
                left = f", about {(time.monotonic() - began) / done * (len(specs) - done):.0f} s left" if done else ""
                tick.heading = f"{spec} ({done + 1} of {len(specs)}{left}): "
                measured.append(measure_rules(spec, seconds, rounds, tick))
    finally:  # Ctrl-C keeps what has been measured
        if as_json:
            typer.echo(json.dumps([figures.to_dict() for figures in measured], indent=2))
        elif measured:
            _table(measured)


def _table(measured: list[RulesFigures]) -> None:
    from rich import box
    from rich.table import Table

    from boardwright.bench.rules import COMPILED, INTERPRETER, OPENSPIEL, OPENSPIEL_PYTHON, openspiel
    from boardwright.cli.board import console, rate

    def against(figures: RulesFigures, name: str) -> str:
        if name not in figures.speedup:
            return "-"
        return f"{rate(figures.games_per_second[name])}\n{figures.speedup[name]:.3g}x"

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column("game", style="bold", no_wrap=True)
    for heading in ("compiled", "interpreter", "OpenSpiel\nin C++", "OpenSpiel\nby Python"):
        table.add_column(heading, justify="right")
    for heading in ("plies", "compile", "cached"):
        table.add_column(heading, justify="right")
    for figures in measured:
        table.add_row(
            figures.spec,
            rate(figures.games_per_second[COMPILED]),
            against(figures, INTERPRETER),
            against(figures, OPENSPIEL),
            against(figures, OPENSPIEL_PYTHON),
            f"{figures.plies_per_game[COMPILED]:.1f}",
            f"{figures.cold_seconds:.2f} s",
            f"{figures.warm_seconds:.2f} s",
        )
    out = console()
    out.print(table, soft_wrap=False)
    out.print(
        "Random games per second, medians over rounds in turn; below, how many times as fast the compiled rules are.\n"
        "Plies: moves and draws a game. Compile and cached: the first call in a fresh process, cache empty and filled."
    )
    if openspiel() is None:
        out.print("OpenSpiel is not installed; to compare: pip install 'boardwright[openspiel]'", markup=False)


@app.command()
def selfplay(
    rounds: Annotated[int, typer.Option(min=1, help="In how many rounds; figures are medians over them.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """What self-play costs end to end, trees and rules included, against the bare network on the same core."""
    from boardwright.bench.selfplay import measure_selfplay
    from boardwright.cli.board import Ticker

    with Ticker() as tick:
        found = measure_selfplay(rounds, tick)
    if as_json:
        typer.echo(json.dumps([one.to_dict() for one in found], indent=2))
        return
    from rich import box
    from rich.table import Table

    from boardwright.cli.board import console, rate

    table = Table("network", box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("self-play /s", "bare network /s", "share"):
        table.add_column(heading, justify="right")
    for one in found:
        table.add_row(one.what, rate(one.end_to_end), rate(one.bare), f"{100 * one.share:.0f} %")
    console().print(table)
    console().print(f"Positions a CPU second of one core; medians over {rounds} rounds in turn.", markup=False)


app.command()(search)
app.command()(adapters)


@app.command()
def switches(
    game: Annotated[str, typer.Argument(help="The game to learn.")] = "tictactoe:size=5,line=4",
    iterations: Annotated[int, typer.Option(min=1, help="Of each training.")] = 40,
    seeds: Annotated[int, typer.Option(min=1, help="Trainings with each switch off.")] = 2,
    games: Annotated[int, typer.Option(min=2, help="Between two networks.")] = 200,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """What each switch of self-play is worth: trainings with it off meet the same training with all on."""
    from boardwright.bench.switches import measure_switches
    from boardwright.cli.board import Ticker

    with Ticker() as tick:
        found = measure_switches(game, iterations, seeds, games, tick)
    if as_json:
        typer.echo(json.dumps([one.to_dict() for one in found], indent=2))
        return
    from rich import box
    from rich.table import Table

    from boardwright.cli.board import console

    table = Table("switch", box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("share with it on", "95 % interval", "games"):
        table.add_column(heading, justify="right")
    for one in found:
        interval = f"{100 * one.low:.0f} to {100 * one.high:.0f} %"
        table.add_row(one.switch, f"{100 * one.share:.1f} %", interval, str(one.games))
    console().print(table)
    console().print("Against the same training with that switch off; above 50 %: it helps.", markup=False)


app.command()(strength)
app.command()(tuples)
app.command()(tiles)
app.command()(page)
