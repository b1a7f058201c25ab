"""How a game is named again: the text of which `load` makes it, for commands that are advised and other processes."""

from __future__ import annotations

import dataclasses
import json
import shlex
from collections.abc import Mapping
from typing import Any

from boardwright.contract.game import Game
from boardwright.contract.settings import join_settings


def source_of(game: Game) -> str | None:
    """Where a game that is not built in comes from: `/path/to/file.py:Class`, `openspiel:NAME`; None for the others."""
    return getattr(type(game), "_source", None)


def come_from(kind: type[Game], source: str) -> None:
    """Note where a class of games comes from, for `source_of`."""
    kind._source = source  # type: ignore[attr-defined]  # it is no field: a game is no other for where it lies


def unusual_options(game: Game) -> dict[str, Any]:
    """The options that are not the usual ones."""
    usual = {field.name: field.default for field in dataclasses.fields(game) if field.init}
    return {name: game.options[name] for name, value in usual.items() if game.options[name] != value}


def in_words(game: Game, options: Mapping[str, Any]) -> list[str]:
    """Some of the game's options for people."""
    told = []
    for name, value in options.items():
        words = game.card.option_words.get(name, name)
        told.append((words if value else f"not: {words}") if isinstance(value, bool) else f"{words}: {value}")
    return told


def game_spec(game: Game) -> str:
    """The game with the options that are not the usual ones: `azul:players=3`, `/path/to/file.py:Class:size=5`."""
    options = join_settings(
        {name: value if isinstance(value, str) else json.dumps(value) for name, value in unusual_options(game).items()}
    )
    name = source_of(game) or game.name
    return f"{name}:{options}" if options else name


def game_argument(game: Game) -> str:
    """The same as a word of a command line."""
    return shlex.quote(game_spec(game))
