"""Which models come with Boardwright for a game. Reads the headings of files only: no weights, no JAX."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.games.named import game_argument, source_of
from boardwright.learn.models import KEY, SHIPPED, shipped_models

NETWORK, VALUE = "net", "value"  # kinds of models: by self-play of networks, and inside the kernel
AUTO = "auto"  # in a spec: the model that comes with Boardwright


def shipped_model(game: Game, kind: str) -> str | None:
    """The name of the model of a kind for this game with these options, if there is one."""
    for name, options in shipped_options(game, kind).items():
        if all(options.get(option) == value for option, value in game.options.items()):
            return name
    return None


def shipped_files(game: Game) -> list[Path]:
    """The files of all models, of whatever kind, that come with Boardwright for this game with these options."""
    headings = _headings(game)
    fit = [name for name, one in headings.items() if one.get("options") == game.options or one.get("kind") == "tuples"]
    return [SHIPPED / f"{name}.safetensors" for name in fit]  # tables are asked for by the size of the board alone


def shipped_options(game: Game, kind: str) -> dict[str, dict[str, Any]]:
    """The models of a kind that come with Boardwright for a game: name -> the options that each was trained with."""
    return {name: dict(one.get("options", {})) for name, one in _headings(game).items() if one.get("kind") == kind}


def _headings(game: Game) -> dict[str, dict[str, Any]]:
    """The models that come with Boardwright for a game, whatever its options: name -> what the file says of itself."""
    if source_of(game):  # a file of a stranger's may bear the name of one of ours
        return {}
    headings = {name: model_heading(SHIPPED / f"{name}.safetensors") for name in shipped_models()}
    return {name: one for name, one in headings.items() if one.get("game") == game.name}


def default_model(game: Game, kind: str) -> str:
    """The same, or refused with what there is."""
    name = shipped_model(game, kind)
    if name is not None:
        return name
    train = f"boardwright train {game_argument(game)}"
    others, what = shipped_options(game, kind), "network" if kind == NETWORK else "value"
    if not others:
        raise InputError(f"{game.name}: no {what} comes with Boardwright; train one: {train}")
    listed = ", ".join(
        f"{name} ({game.name}:{','.join(f'{key}={json.dumps(value)}' for key, value in options.items())})"
        for name, options in others.items()
    )
    raise InputError(f"no {what} comes with Boardwright for {game}; there is {listed}; train one: {train}")


def model_heading(path: Path) -> dict[str, Any]:
    """What a model file says of itself: kind, game, options, settings, about; empty if it is none."""
    try:
        from safetensors import SafetensorError, safe_open

        with safe_open(path, framework="np") as file:
            read = json.loads((file.metadata() or {})[KEY])
    except (ImportError, OSError, SafetensorError, ValueError, KeyError):
        return {}
    return read if isinstance(read, dict) else {}
