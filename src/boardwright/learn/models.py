"""Model files: one safetensors file whose metadata says what it is, found by path, by run folder or by name."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.contract.errors import InputError
from boardwright.contract.folders import expanded
from boardwright.contract.game import Game
from boardwright.contract.position import shorten
from boardwright.learn.files import read_arrays, save_arrays

FORMAT = 1
KEY = "boardwright_model"
SEAL = "heading_sha256"  # of the text under KEY
IN_A_RUN = "model.safetensors"
SHIPPED = Path(__file__).parent.parent / "models"


@dataclass(frozen=True)
class Model:
    """What a file holds. kind: who can play it (`tuples`, `net`, ...); settings: how it was made and is to be read;
    about: figures for people."""

    kind: str
    game: str
    options: dict[str, Any]
    settings: dict[str, Any]
    arrays: dict[str, npt.NDArray[Any]]
    about: dict[str, Any] = field(default_factory=dict)
    path: Path = Path()
    digest: str = ""  # of the arrays
    sealed: bool = False  # whether the heading has a digest too; models of Boardwright 0.1 have none


def save_model(
    path: Path,
    kind: str,
    game: Game,
    settings: Mapping[str, Any],
    arrays: Mapping[str, npt.NDArray[Any]],
    about: Mapping[str, Any] | None = None,
) -> Path:
    """Write a model whole or not at all."""
    heading = {
        "format": FORMAT,
        "kind": kind,
        "game": game.name,
        "options": game.options,
        "settings": dict(settings),
        "about": dict(about or {}),
    }
    text = json.dumps(heading, sort_keys=True)
    metadata = {KEY: text, "sha256": _digest(arrays), SEAL: _seal(text)}
    save_arrays(path, arrays, metadata)
    return path


def load_model(name: str | Path, kind: str, game: Game, same: tuple[str, ...] | None = None) -> Model:
    """The model `name`: a file, a run's folder, or the name of one that comes with Boardwright. Refused with the
    reason if it is cut, foreign, of another kind or for another game.

    same: the game's options that must agree with those it was made for; all of them if None.
    """
    path = find_model(name)
    arrays, metadata = read_arrays(path)
    try:
        text = metadata[KEY]
        heading = json.loads(text)
        model = Model(
            str(heading["kind"]), str(heading["game"]), dict(heading["options"]), dict(heading["settings"]), arrays,
            dict(heading["about"]), path, str(metadata["sha256"]), SEAL in metadata,
        )  # fmt: skip
        format_ = heading["format"]
    except (KeyError, ValueError, TypeError, RecursionError):
        raise InputError(f"{path.name} is a safetensors file, but no model of Boardwright") from None
    if format_ != FORMAT:
        raise InputError(f"{path.name} is a model of format {shorten(str(format_))}; this Boardwright reads {FORMAT}")
    if _digest(arrays) != model.digest or (model.sealed and metadata[SEAL] != _seal(text)):
        raise InputError(f"{path.name} was altered: its digest does not fit; copy it again")
    if model.kind != kind:
        raise InputError(f"{path.name} is a model for players of kind {shorten(model.kind)!r}, not {kind!r}")
    if model.game != game.name:
        raise InputError(f"{path.name} was made for {shorten(model.game)}, not for {game.name}")
    for option in game.options if same is None else same:
        if model.options.get(option) != game.options.get(option):
            raise InputError(
                f"{path.name} was made for {option}={shorten(json.dumps(model.options.get(option)))}, "
                f"not {option}={json.dumps(game.options.get(option))}"
            )
    return model


def find_model(name: str | Path) -> Path:
    """The file that `name` means."""
    path = expanded(name)
    if os.path.isdir(path):  # unlike Path's own, these say no to a name that no disk can hold
        path = path / IN_A_RUN
        if not path.is_file():
            raise InputError(f"{path.parent} holds no {IN_A_RUN} (yet): train there first")
        return path
    if os.path.isfile(path):
        return path
    if str(name) in shipped_models():
        return SHIPPED / f"{name}.safetensors"
    known = ", ".join(shipped_models())
    raise InputError(
        f"no model {shorten(str(name))!r}: no such file or run folder"
        + (f"; with Boardwright come {known}" if known else "")
    )


def shipped_models() -> list[str]:
    """The names of the models that come with Boardwright."""
    return sorted(path.stem for path in SHIPPED.glob("*.safetensors"))


def _seal(heading: str) -> str:
    return hashlib.sha256(heading.encode()).hexdigest()


def _digest(arrays: Mapping[str, npt.NDArray[Any]]) -> str:
    whole = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        whole.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        whole.update(array.reshape(-1).view(np.uint8).data)
    return whole.hexdigest()
