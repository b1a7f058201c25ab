"""`boardwright bench page`: the page's budgets, measured in the system's Chromium."""

from __future__ import annotations

import json
from typing import Annotated

import typer

OPENED_AFTER = 20.0  # seconds from the start to the first game


def page(
    cold: Annotated[
        bool, typer.Option("--cold/--no-cold", help="Measure the first reply on an empty cache, half a minute a game.")
    ] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """First paint, hover and move latency of the page, the size of its scripts, how soon a search is cancelled, and how
    soon Medium replies, and a hint is given, in a game that is opened 20 seconds after the first start ever."""
    from boardwright.bench.page import SCRIPT_BYTES, measure_page
    from boardwright.cli.terminal import Ticker, console, figures

    with Ticker() as tick:
        found = measure_page(tick, after=OPENED_AFTER if cold else None)
    if as_json:
        typer.echo(json.dumps(found.to_dict(), indent=2))
        return
    rows = [
        ("own scripts", f"{found.script_bytes / 1000:.1f} kB", f"{SCRIPT_BYTES / 1000:.0f} kB"),
        ("first paint, files cached", f"{found.first_paint:.0f} ms", "1000 ms"),
    ]
    for game, (middle, slow) in found.hover.items():
        rows.append((f"{game}: hover, median and slowest of twenty", f"{middle:.1f} and {slow:.1f} ms", "16 ms"))
    for game, took in found.move.items():
        rows.append((f"{game}: a move, saved and answered", f"{took:.0f} ms", "-"))
    for game, (middle, slow) in found.cancel.items():
        what = f"{game}: a cancelled search's core is free, median and slowest"
        rows.append((what, f"{middle:.0f} and {slow:.0f} ms", "200 ms"))
    for game, seconds in found.first_reply.items():
        rows.append(
            (
                f"{game}: Medium's first reply, {OPENED_AFTER:.0f} s after a start on an empty cache",
                f"{seconds:.1f} s",
                "3 s",
            )
        )
    for game, (silent, answered) in found.first_hint.items():
        rows.append((f"{game}: a hint then, until a bar or the hint is there", f"{silent:.1f} s", "12 s"))
        rows.append((f"{game}: until the hint is there", f"{answered:.1f} s", "-"))
    console().print(figures(("what", "measured", "budget"), rows))
