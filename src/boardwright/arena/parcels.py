"""Files that go to other machines by their content: a path says something only where it was written.

A parcel is unpacked once a machine, in a folder of the cache that is named after its content, so that everybody there
finds the same files under the same paths, and kernels compiled from them are found again.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boardwright.contract.errors import BoardwrightError, InputError
from boardwright.contract.folders import cache_folder, expanded
from boardwright.contract.game import Game
from boardwright.games.load import load
from boardwright.players import PlayerSpec

MOST_BYTES = 1 << 30  # of one parcel
IN_A_RUN = "model.safetensors"  # what is taken of a training's folder


@dataclass(frozen=True)
class Parcel:
    """Files by name and content."""

    files: tuple[tuple[str, bytes], ...]

    def __post_init__(self) -> None:
        if sum(len(content) for _, content in self.files) > MOST_BYTES:
            raise InputError(f"{self.files[0][0]}: files above {MOST_BYTES >> 20} MB are not sent to other machines")

    @property
    def digest(self) -> str:
        sha = hashlib.sha256()
        for name, content in self.files:
            sha.update(f"{name}\0{len(content)}\0".encode() + content)
        return sha.hexdigest()[:32]

    def unpack(self) -> Path:
        """The folder that holds the files here. Whoever comes first makes it, aside, and moves it into place."""
        folder = cache_folder() / "parcels" / self.digest
        if folder.is_dir():
            return folder
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            aside = Path(tempfile.mkdtemp(prefix=".part-", dir=folder.parent))
            try:
                for name, content in self.files:
                    (aside / name).write_bytes(content)
                os.rename(aside, folder)
            except OSError:
                if not folder.is_dir():  # nobody else was quicker
                    raise
            finally:
                shutil.rmtree(aside, ignore_errors=True)
        except OSError as error:
            raise BoardwrightError(
                f"cannot unpack {self.files[0][0]} into {folder}: {error.strerror or error}"
            ) from None
        return folder


@dataclass(frozen=True)
class SentGame:
    """A game of a file, by the file's content, with the neighbours that it has imported."""

    parcel: Parcel
    kind: str  # the class
    options: dict[str, Any]
    digest: str  # of its rules

    @classmethod
    def of(cls, game: Game, source: str) -> SentGame:
        path, _, kind = source.rpartition(":")
        return cls(Parcel(tuple(_with_neighbours(Path(path)))), kind, dict(game.options), game.digest)

    def unpacked(self) -> Game:
        name = self.parcel.files[0][0]
        game = load(f"{self.parcel.unpack() / name}:{self.kind}", **self.options)
        if game.digest != self.digest:
            raise BoardwrightError(
                f"{name} says other rules here than where it came from: what it uses beside its own file differs"
            )
        return game


def _with_neighbours(path: Path) -> list[tuple[str, bytes]]:
    """The file, and those beside it that are imported under their own names, as a game may import them."""
    folder = path.parent
    beside = {
        Path(file)
        for name, module in list(sys.modules.items())
        if (file := getattr(module, "__file__", None)) and Path(file).parent == folder and Path(file).stem == name
    }
    try:
        return [(one.name, one.read_bytes()) for one in [path, *sorted(beside - {path})]]
    except OSError as error:
        raise InputError(f"cannot read {error.filename}: {error.strerror}") from None


@dataclass(frozen=True)
class SentSpec:
    """A player's spec with the files that it names: weights, a player of somebody's own."""

    spec: str
    files: tuple[tuple[str, Parcel], ...]  # by setting; "" is the file of the kind itself

    @classmethod
    def of(cls, text: str) -> SentSpec:
        spec = PlayerSpec.parse(text)
        if spec.is_program:
            raise InputError(f"{text}: a program plays on this machine only; leave --cluster out")
        named = {"": spec.file, **spec.settings}
        return cls(text, tuple((name, parcel) for name, value in named.items() if value and (parcel := _sent(value))))

    def unpacked(self) -> str:
        """The spec as it is written on this machine."""
        spec = PlayerSpec.parse(self.spec)
        for name, parcel in self.files:
            path = str(parcel.unpack() / parcel.files[0][0])
            spec = (
                spec.with_setting(name, path) if name else PlayerSpec(path + spec.kind[len(spec.file) :], spec.settings)
            )
        return str(spec)


def _sent(value: str) -> Parcel | None:
    """The file that a setting names, or the model in the folder that it names; None if it names neither."""
    try:
        for path in (expanded(value), expanded(value) / IN_A_RUN):
            if path.is_file():
                return Parcel(((path.name, path.read_bytes()),))
    except (OSError, ValueError):
        pass  # no path: a number, a word
    return None
