"""`boardwright publish`: games with their players as a folder of static files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from boardwright.cli.options import named_players


def publish(
    game: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAME...",
            help="Which games, with their options: azul:players=3, path/to/file.py:Class.",
            show_default="the built-in ones",
        ),
    ] = None,
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where to write the site; one that is there is replaced.")
    ] = Path("site"),
    player: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=SPEC",
            help="One more opponent, such as Trained=value:model=runs/mygame; its model goes along.",
        ),
    ] = None,
) -> None:
    """Write games with their players as a folder of static files that any web server can show.

    Rules and search are compiled to WebAssembly, so that everything runs in the reader's browser. docs/publish.md says
    how to put the folder on the net, and what is public then.
    """
    from boardwright.games.built_in import BUILT_IN
    from boardwright.publish.site import publish as write

    players = named_players(player, "Trained=value:model=runs/mygame")
    sizes = write(game or list(BUILT_IN), out, lambda text: typer.echo(text, err=True), players)
    for name, size in sizes.items():
        typer.echo(f"{name:<16} {size.bytes:>10,} bytes {size.gzipped:>10,} gzipped")
    total = sum(size.gzipped for size in sizes.values())
    typer.echo(f"{'in all':<16} {sum(size.bytes for size in sizes.values()):>10,} bytes {total:>10,} gzipped")
    typer.echo(f"The site is in {out}. Try it: python -m http.server --directory {out}")
