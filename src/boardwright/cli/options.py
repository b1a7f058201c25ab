"""Arguments and options that several commands have, in the same words."""

from __future__ import annotations

from typing import Annotated, Any

import typer

GameSpec = Annotated[str, typer.Argument(help="A built-in name, NAME:option=value, or path/to/file.py:Class.")]
Rules = Annotated[
    str | None,
    typer.Option("--game", metavar="SPEC", help="Rules of a game that is not built in: path/to/file.py:Class."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def searcher(metavar: str, help: str, plain: str) -> Any:
    """An option that names a player that searches; left out, whoever has learnt the game, else `plain`."""
    return typer.Option(metavar=metavar, help=help, show_default=f"what has learnt the game; else {plain}")
