"""`boardwright bench`: how fast Boardwright is here, side by side with its peers."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Annotated

import typer

from boardwright.cli.bench_adapters import adapters
from boardwright.cli.bench_cluster import cluster
from boardwright.cli.bench_gallery import gallery
from boardwright.cli.bench_ladder import strength
from boardwright.cli.bench_learn import learn, openings, selfplay, switches
from boardwright.cli.bench_page import page
from boardwright.cli.bench_publish import publish
from boardwright.cli.bench_reports import reports
from boardwright.cli.bench_search import search
from boardwright.cli.bench_tuples import tiles, tuples

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
    from boardwright.cli.terminal import Ticker
    from boardwright.games.built_in import BUILT_IN
    from boardwright.games.load import load

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
    from boardwright.cli.terminal import console, rate

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


app.command()(search)
app.command()(learn)
app.command()(openings)
app.command()(selfplay)
app.command()(switches)
app.command()(strength)
app.command()(gallery)
app.command()(adapters)
app.command()(tuples)
app.command()(tiles)
app.command()(page)
app.command()(reports)
app.command()(publish)
app.command()(cluster)
