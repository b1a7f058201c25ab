"""Model files: one safetensors file whose metadata says what it is, found by path, by run folder or by name."""

from __future__ import annotations

import hashlib
import json
import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.contract.errors import BoardwrightWarning, InputError
from boardwright.contract.folders import expanded
from boardwright.contract.game import Game
from boardwright.contract.position import shorten
from boardwright.learn.files import read_arrays, save_arrays

FORMAT = 2  # 1: the heading may lack its digest
FORMATS = (1, FORMAT)  # that are read
KEY = "boardwright_model"
SEAL = "heading_sha256"  # of the text under KEY
# Of models that came with Boardwright before headings had a digest: the digest of the arrays -> that of the heading.
# So they, and copies of them, are as safe as new ones, and their files stay what they are.
EARLY_SEALS = {
    # 2048-tuples-4x5
    "e3aa1a300ad097ce891ae1c9f51c9056de44cffab8ca05d3c9a020ff93b453d9":
        "fe78b1215466c7bfe357bf674c41521ede64b10f6306caacbf36fd7d0dab1900",
    # azul-2-players
    "36ec379436e9e3587fffdbb036eb746ca9c723e6828f7f92a6ad19ab179157a5":
        "855a47d95454e270c847649c5b091e65c6291dc0e9d712604868e4be34e7b731",
    # gomoku-7x7
    "0591b941e85e6afb43f4fad0b3a052e007ffdcbaf4df5c07459e12139e1d1144":
        "e9a2390958d53e68d6d1cfa8121a2f6048aa90e156c4fd31d0e186af49256a42",
    # nmbr9
    "f3254fb996a7fb4078f800504fff65e927a683bd9bea012b886e59ed2f5caf40":
        "16a1eac80bb1f15bb257293f34dd118b004923ec3ea9e153651bc5f6da83c259",
    # tictactoe-3x3
    "7431b72065764e59b71ed1b8f60ee7c4af07874b2db64544e963dfb3b00dfbb9":
        "d30a4ec21389577ec87226bdb99e9478ff866515b5139e78b112584319dba92c",
}  # fmt: skip
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
    sealed: bool = False  # whether the heading has a digest too: nothing else tells that it was altered


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
    reason if it is cut, foreign, of another kind or for another game. Warns of one whose heading has no digest.

    same: the game's options that must agree with those it was made for; all of them if None.
    """
    path = find_model(name)
    arrays, metadata = read_arrays(path)
    try:
        text = metadata[KEY]
        heading = json.loads(text)
        model = Model(
            str(heading["kind"]), str(heading["game"]), dict(heading["options"]), dict(heading["settings"]), arrays,
            dict(heading["about"]), path, str(metadata["sha256"]), bool(_seal_of(metadata)),
        )  # fmt: skip
        format_ = heading["format"]
    except (KeyError, ValueError, TypeError, RecursionError):
        raise InputError(f"{path.name} is a safetensors file, but no model of Boardwright") from None
    if format_ not in FORMATS:
        raise InputError(f"{path.name} is a model of format {shorten(str(format_))}; this Boardwright reads {FORMAT}")
    may_lack = format_ == 1 and not model.sealed
    if _digest(arrays) != model.digest or not (may_lack or _seal_of(metadata) == _seal(text)):
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
    if not model.sealed:
        warnings.warn(
            f"{path.name} is a model of format 1 whose heading has no digest, so that nothing tells whether it was "
            "altered: use it only if you know where it comes from, or go on with its training, which writes it anew",
            BoardwrightWarning,
            stacklevel=2,
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


def has_seal(path: Path) -> bool:
    """Whether a model's heading has a digest; those of Boardwright 0.1 have none."""
    return bool(_seal_of(read_arrays(path)[1]))


def _seal_of(metadata: Mapping[str, str]) -> str:
    """What the digest of the heading must be; empty if nobody says."""
    return metadata.get(SEAL) or EARLY_SEALS.get(metadata.get("sha256", ""), "")


def _seal(heading: str) -> str:
    return hashlib.sha256(heading.encode()).hexdigest()


def _digest(arrays: Mapping[str, npt.NDArray[Any]]) -> str:
    whole = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        whole.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        whole.update(array.reshape(-1).view(np.uint8).data)
    return whole.hexdigest()
