"""`boardwright bench adapters`: what it costs to cross to another ecosystem."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer


def adapters(
    rounds: Annotated[int, typer.Option(min=1, help="In how many rounds; figures are medians over them.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """OpenSpiel's search through our specs beside its bare bot; Gymnasium steps per CPU second."""
    from boardwright.bench import adapters as bench
    from boardwright.cli.terminal import Ticker

    with Ticker() as tick:
        found = bench.measure_search(rounds, tick) + bench.measure_environments(rounds, tick)
    if as_json:
        typer.echo(json.dumps([asdict(one) for one in found], indent=2))
        return
    from boardwright.cli.terminal import console, figures, rate

    rows = []
    last = ""
    for one in found:
        rows.append((one.what if one.what != last else "", one.who, rate(one.rate), f"{one.ratio:.3g}x"))
        last = one.what
    console().print(figures(("what", "who", "a CPU second", "ratio"), rows, words=2))
