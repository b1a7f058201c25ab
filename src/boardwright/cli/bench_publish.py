"""`boardwright bench publish`: the search of published games in Chromium, against the native one."""

from __future__ import annotations

import dataclasses
import json
from typing import Annotated

import typer


def publish(
    game: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME...", help="Which games.", show_default="the built-in ones"),
    ] = None,
    simulations: Annotated[int, typer.Option(min=100, help="Simulations of one search.")] = 20_000,
    rounds: Annotated[int, typer.Option(min=1, help="How often each searches, in turn, and a site is visited.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Simulations a second of published games in the system's Chromium and natively, in turn; sizes gzipped; and, with
    an empty cache, the first paint of a site of the game alone and Medium's first reply there."""
    from boardwright.bench.published import measure_published
    from boardwright.cli.terminal import Ticker, console, figures
    from boardwright.games.built_in import BUILT_IN

    with Ticker() as tick:
        found = measure_published(game or list(BUILT_IN), tick, simulations, rounds)
    if as_json:
        typer.echo(json.dumps([dataclasses.asdict(one) for one in found], indent=2))
        return
    rows = [
        (
            one.spec.rpartition("/")[2],
            f"{one.native:,.0f}",
            f"{one.browser:,.0f}",
            f"{one.ratio:.2f}",
            f"{one.module_gzipped / 1000:,.0f}",
            f"{one.site_gzipped / 1000:,.0f}",
            f"{one.first_paint:,.0f}",
            f"{one.first_reply:,.0f}",
        )
        for one in found
    ]
    heads = ("game", "native", "Chromium", "ratio", "module", "site", "paint", "reply")
    console().print(figures(heads, rows))
    console().print("Simulations a second; kilobytes gzipped; milliseconds with an empty cache.")
