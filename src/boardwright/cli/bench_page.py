"""`boardwright bench page`: the page's budgets, measured in the system's Chromium."""

from __future__ import annotations

import json
import shlex
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from boardwright.bench.page import PageFigures

OPENED_AFTER = 20.0  # seconds from the start to the first game
HEADING = ("what", "measured", "budget")


def page(
    game: Annotated[
        list[str] | None, typer.Argument(metavar="GAME", help="On whose boards; those whose cards say so if none.")
    ] = None,
    cold: Annotated[
        bool, typer.Option("--cold/--no-cold", help="Measure the first reply on an empty cache, half a minute a game.")
    ] = True,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the table into this file too, such as docs/page-speed.md."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """First paint, hover and move latency of the page, the size of its scripts, how soon a search is cancelled, and how
    soon Medium replies, and a hint is given, in a game that is opened 20 seconds after the first start ever."""
    from boardwright.arena.report import check_writable, commit, markdown_table, write_text
    from boardwright.bench.page import measure_page
    from boardwright.cli.terminal import Ticker, console, figures

    if out is not None:
        check_writable(out)
    with Ticker() as tick:
        found = measure_page(tick, game, after=OPENED_AFTER if cold else None)
    rows = _rows(found)
    if as_json:
        typer.echo(json.dumps(found.to_dict(), indent=2))
    else:
        console().print(figures(HEADING, rows))
    if out is not None:
        command = shlex.join(["boardwright", *sys.argv[1:]])
        parts = [
            "# Speed of the page",
            f"Written by `{command}`, never typed.",
            f"In Chromium, on the machine that serves. First replies and hints are those of a game that is opened "
            f"{OPENED_AFTER:.0f} seconds after the first start ever, each with a server and a cache of its own. A true "
            "bar tells how much of how many seconds is over; one whose seconds are used up does not count.",
            markdown_table(list(HEADING), [list(row) for row in rows]),
            *(f"Not measured: {why}" for why in found.failed),
            f"{datetime.now(UTC):%Y-%m-%d}, commit {commit()}.",
        ]
        write_text(out, "\n\n".join(parts) + "\n")
        typer.echo(f"Wrote {out}.", err=True)
    for why in found.failed:
        typer.echo(f"Not measured: {why}", err=True)
    if found.failed:
        raise typer.Exit(1)


def _rows(found: PageFigures) -> list[tuple[str, str, str]]:
    from boardwright.bench.page import SCRIPT_BYTES

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
    for game, reply in found.first_reply.items():
        rows.append((f"{game}: Medium's first reply", f"{reply.answered:.1f} s", "3 s"))
        rows.append((f"{game}: the longest wait for it without a true bar", f"{reply.silent:.1f} s", "12 s"))
    for game, hint in found.first_hint.items():
        rows.append((f"{game}: a hint then", f"{hint.answered:.1f} s", "-"))
        rows.append((f"{game}: the longest wait for it without a true bar", f"{hint.silent:.1f} s", "12 s"))
    return rows
