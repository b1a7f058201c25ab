"""`boardwright serve`: the page in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from boardwright.cli.options import named_players


def serve(
    game: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME...", help="Which game to begin with; games of your own: path/to/file.py:Class."),
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="Where to listen.", show_default="8717 or the next free one")
    ] = None,
    host: Annotated[
        str, typer.Option(help="Who can reach it: by default only this machine. Elsewhere a token is needed.")
    ] = "127.0.0.1",
    name: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Another name by which browsers reach it; may be repeated.")
    ] = None,
    player: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=SPEC", help="A player of your own for the seats, such as Champion=mcts:seconds=8."),
    ] = None,
    runs: Annotated[
        list[Path] | None,
        typer.Option(metavar="FOLDER", help="A training, or a folder of them, to watch; may be repeated."),
    ] = None,
    threads: Annotated[
        int | None, typer.Option(min=1, max=64, help="Searches at one time.", show_default="one a core")
    ] = None,
    open_browser: Annotated[
        bool | None,
        typer.Option("--open/--no-open", help="Open a browser.", show_default="if this is a desktop"),
    ] = None,
    prepare: Annotated[
        bool, typer.Option("--prepare/--no-prepare", help="Compile the games in the background, once.")
    ] = True,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed that new games begin with.", show_default="a new one each")
    ] = None,
) -> None:
    """Play, analyse, replay and watch on a page in the browser. Ctrl-C ends it; every game is kept.

    Prints the address. Everything stays on this machine unless --host says otherwise.
    """
    from dataclasses import replace

    from boardwright.games.built_in import BUILT_IN
    from boardwright.serve.catalogue import Catalogue
    from boardwright.serve.launch import serve as run
    from boardwright.serve.limits import Limits

    specs = game or []
    files = tuple(spec for spec in specs if spec.partition(":")[0] not in BUILT_IN)
    players = named_players(player, "Champion=mcts:seconds=8")
    limits = Limits() if threads is None else replace(Limits(), threads=threads)
    catalogue = Catalogue(files, players, limits)
    if specs and not files:
        catalogue.first = specs[0].partition(":")[0]
    catalogue.seed = seed
    catalogue.seats.runs = tuple(runs or ())
    run(
        catalogue,
        host=host,
        port=port,
        names=tuple(name or ()),
        open_browser=has_desktop() if open_browser is None else open_browser,
        limits=limits,
        prepare=prepare,
        fragment=f"#/new/{catalogue.first}" if specs else "",
        say=lambda address: typer.echo(f"Boardwright is at {address}  (Ctrl-C to stop)"),
    )


def has_desktop() -> bool:
    """Whether a browser could show itself; a text browser would take the terminal over."""
    import os
    import sys

    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
