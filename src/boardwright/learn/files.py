"""Files that are whole or absent: written aside, brought to the disk, moved into place; and a folder's lock."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from boardwright.contract.errors import InputError
from boardwright.contract.position import shorten


def place(path: Path, data: bytes) -> None:
    """Write a file so that a reader, now or after a power cut, sees all of it or the one before."""
    aside = unfinished(path)
    try:
        aside.unlink(missing_ok=True)  # what a kill left; a link there would be written through
        with aside.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _move(aside, path)
    except OSError as error:
        _forget(aside)
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None


def save_arrays(path: Path, arrays: Mapping[str, npt.NDArray[Any]], metadata: Mapping[str, str]) -> str:
    """Write arrays as one safetensors file, whole or not at all; returns the file's SHA-256."""
    from safetensors import SafetensorError
    from safetensors.numpy import save_file

    aside = unfinished(path)
    try:
        aside.unlink(missing_ok=True)
        save_file({name: np.ascontiguousarray(array) for name, array in arrays.items()}, aside, dict(metadata))
        aside.chmod(0o644)  # it is made for its owner alone, unlike the files beside it
        with aside.open("rb+") as file:
            os.fsync(file.fileno())
        digest = digest_of(aside)
        _move(aside, path)
    except (OSError, SafetensorError) as error:
        _forget(aside)
        raise InputError(f"cannot write {path}: {error}; is the disk full?") from None
    return digest


def unfinished(path: Path) -> Path:
    """Where a file stands while it is written; a kill may leave it there."""
    return path.with_name(f".{path.name}.writing")


def _forget(aside: Path) -> None:
    try:
        aside.unlink(missing_ok=True)
    except OSError:
        pass  # what hindered the writing hinders this too, and has been told


def read_arrays(path: Path) -> tuple[dict[str, npt.NDArray[Any]], dict[str, str]]:
    """The arrays of a safetensors file and its metadata; refused with the reason if it is none, or cut."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="np") as file:
            names = file.keys()
            return {name: file.get_tensor(name) for name in names}, dict(file.metadata() or {})
    except (OSError, SafetensorError, ValueError, TypeError, AttributeError, KeyError) as error:
        raise InputError(f"{path.name} is no whole safetensors file ({shorten(str(error), 200)})") from None


def digest_of(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _move(aside: Path, path: Path) -> None:
    os.replace(aside, path)
    if os.name == "posix":  # a rename, too, must reach the disk
        handle = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


_held: set[Path] = set()  # by this process: the system's locks are between processes only


class FolderLock:
    """One process at a time in a folder. The system frees it when the process ends, however it ends."""

    NAME = "lock"

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._file: IO[bytes] | None = None
        if self._folder in _held:
            raise InputError(f"this process already trains in {folder}; choose another --out")
        try:
            self._file = (self._folder / self.NAME).open("ab")
        except OSError as error:
            raise InputError(f"cannot write into {folder}: {error.strerror or error}") from None
        if not _lock(self._file):
            self._file.close()
            raise InputError(f"another process trains in {folder}; wait for it, stop it, or choose another --out")
        _held.add(self._folder)

    def release(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
            _held.discard(self._folder)


if sys.platform == "win32":

    def _lock(file: IO[bytes]) -> bool:
        import msvcrt

        try:
            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:

    def _lock(file: IO[bytes]) -> bool:
        import fcntl

        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # unlike flock's, not inherited by forked workers
        except OSError:
            return False
        return True
