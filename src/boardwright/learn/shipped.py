"""Which network comes with Boardwright for a game. Reads the headings of files only: no weights, no JAX."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.learn.models import KEY, SHIPPED, shipped_models

KIND = "net"


def shipped_network(game: Game) -> str | None:
    """The name of the network for this game with these options, if there is one."""
    for name, options in networks_of(game).items():
        if all(options.get(option) == value for option, value in game.options.items()):
            return name
    return None


def networks_of(game: Game) -> dict[str, dict[str, Any]]:
    """The networks for a game with whatever options: name -> the options that each was trained with."""
    return shipped_options(game, KIND)


def shipped_options(game: Game, kind: str) -> dict[str, dict[str, Any]]:
    """The models of a kind that come with Boardwright for a game: name -> the options that each was trained with."""
    if hasattr(type(game), "_source"):  # a file of a stranger's may bear the name of one of ours
        return {}
    found = {}
    for name in shipped_models():
        heading = model_heading(SHIPPED / f"{name}.safetensors")
        if heading.get("kind") == kind and heading.get("game") == game.name:
            found[name] = dict(heading.get("options", {}))
    return found


def default_network(game: Game) -> str:
    """The same, or refused with what there is."""
    name = shipped_network(game)
    if name is not None:
        return name
    train = f"boardwright train {getattr(type(game), '_source', game.name)}"
    others = networks_of(game)
    if not others:
        raise InputError(f"{game.name}: no network comes with Boardwright; train one: {train}")
    listed = ", ".join(
        f"{name} ({game.name}:{','.join(f'{key}={json.dumps(value)}' for key, value in options.items())})"
        for name, options in others.items()
    )
    raise InputError(f"no network comes with Boardwright for {game}; there is {listed}; train one: {train}")


def model_heading(path: Path) -> dict[str, Any]:
    """What a model file says of itself: kind, game, options, settings, about; empty if it is none."""
    try:
        from safetensors import SafetensorError, safe_open

        with safe_open(path, framework="np") as file:
            read = json.loads((file.metadata() or {})[KEY])
    except (ImportError, OSError, SafetensorError, ValueError, KeyError):
        return {}
    return read if isinstance(read, dict) else {}
