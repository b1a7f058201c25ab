"""Arguments and options that several commands have, in the same words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from boardwright.contract.errors import InputError

if TYPE_CHECKING:
    from boardwright.arena.workers import Hire

GameSpec = Annotated[str, typer.Argument(help="A built-in name, NAME:option=value, or path/to/file.py:Class.")]
Rules = Annotated[
    str | None,
    typer.Option("--game", metavar="SPEC", help="Rules of a game that is not built in: path/to/file.py:Class."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]

Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="WHERE",
        help="Play on a Ray cluster: auto (one that runs here, or RAY_ADDRESS), local:4 (starts one), or HOST:PORT.",
    ),
]


def hire(cluster: str | None) -> Hire | None:
    """Who works: None where no cluster was named."""
    if cluster is None:
        return None
    from boardwright.cluster.workers import on_cluster

    return on_cluster(cluster)


def searcher(metavar: str, help: str, plain: str) -> Any:
    """An option that names a player that searches; left out, whoever has learnt the game, else `plain`."""
    return typer.Option(metavar=metavar, help=help, show_default=f"what has learnt the game; else {plain}")


def named_players(told: list[str] | None, example: str) -> dict[str, str]:
    """What `--player NAME=SPEC`, given once or more often, says: spec by name."""
    players: dict[str, str] = {}
    for one in told or []:
        name, _, spec = one.partition("=")
        if not (name.strip() and spec.strip()):
            raise InputError(f"--player {one}: write NAME=SPEC, such as {example}")
        players[name.strip()] = spec.strip()
    return players
