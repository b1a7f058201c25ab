"""`boardwright bench`: how fast Boardwright is here, side by side with its peers."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Annotated

import typer

from boardwright.cli.strength import strength

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
def search(
    rounds: Annotated[int, typer.Option(min=1, help="In how many rounds; figures are medians over them.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Simulations per CPU second, side by side with OpenSpiel's C++ search and with mctx; memory; start-up."""
    from boardwright.bench import search as bench_search
    from boardwright.cli.board import Ticker
    from boardwright.contract.load import BUILT_IN, load
    from boardwright.search.tree import slot_dtype

    with Ticker() as tick:
        found = bench_search.measure_openspiel(rounds, tick)
        found += bench_search.measure_mctx(rounds, tick)
        found.append(bench_search.measure_threads(rounds, tick))
        first = {spec: bench_search.measure_first_move(spec, tick) for spec in BUILT_IN}
    memory = {spec: slot_dtype(load(spec).players).itemsize for spec in BUILT_IN}
    if as_json:
        starts = {spec: {"cold_seconds": cold, "warm_seconds": warm} for spec, (cold, warm) in first.items()}
        typer.echo(
            json.dumps(
                {"versus": [one.to_dict() for one in found], "first_move": starts, "bytes_a_slot": memory}, indent=2
            )
        )
        return
    from rich import box
    from rich.table import Table

    from boardwright.cli.board import console, rate

    table = Table("what", "peer", box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("ours /s", "theirs /s", "ratio"):
        table.add_column(heading, justify="right")
    for one in found:
        table.add_row(one.what, one.peer, rate(one.ours), rate(one.theirs), f"{one.ratio:.2f}x")
    console().print(table)
    starts_table = Table("game", box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("first move, cold", "warm", "bytes an edge with its node"):
        starts_table.add_column(heading, justify="right")
    for spec, (cold, warm) in first.items():
        starts_table.add_row(spec, f"{cold:.1f} s", f"{warm:.2f} s", str(memory[spec]))
    console().print(starts_table)


app.command()(strength)
