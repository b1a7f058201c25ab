"""`boardwright bench page`: the page's budgets, measured in the system's Chromium."""

from __future__ import annotations

import json
from typing import Annotated

import typer


def page(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """First paint, hover and move latency of the page, the size of its scripts, and how soon a search is cancelled."""
    from boardwright.bench.page import measure_page
    from boardwright.cli.board import Ticker, console

    with Ticker() as tick:
        found = measure_page(tick)
    if as_json:
        typer.echo(json.dumps(found.to_dict(), indent=2))
        return
    from rich import box
    from rich.table import Table

    table = Table("what", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("measured", justify="right")
    table.add_column("budget", justify="right")
    table.add_row("own scripts", f"{found.script_bytes / 1000:.1f} kB", "150 kB")
    table.add_row("first paint, files cached", f"{found.first_paint:.0f} ms", "1000 ms")
    for game, (middle, slow) in found.hover.items():
        table.add_row(f"{game}: hover, median and slowest of twenty", f"{middle:.1f} and {slow:.1f} ms", "16 ms")
    for game, took in found.move.items():
        table.add_row(f"{game}: a move, saved and answered", f"{took:.0f} ms", "-")
    for game, (middle, slow) in found.cancel.items():
        table.add_row(
            f"{game}: a cancelled search's core is free, median and slowest",
            f"{middle:.0f} and {slow:.0f} ms",
            "200 ms",
        )
    console().print(table)
