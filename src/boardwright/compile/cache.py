"""Compiled kernels on disk, one file an entry, found by a digest of everything that shaped the code.

Numba's own cache keeps an index per function; two processes that fill it at once can lose an entry or run
another game's code. Here there is no index: the file's name is the digest, it is written aside and then
moved into place, and it carries a checksum. A reader finds the right entry, whole, or none.
The files hold machine code of this user's own kernels, are written for this user only, and live in a
folder of our own, so a read-only install works. A folder that cannot be written only costs time.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import llvmlite
import numba

from boardwright.contract.folders import cache_folder

FORMAT = 2
KEEP_DAYS = 60
KEEP_BYTES = 600_000_000


class KernelStore:
    """One kernel's compiled forms on disk. `fingerprint`: a digest of all that its code does."""

    def __init__(self, name: str, fingerprint: Callable[[], str]) -> None:
        self._name = name
        self._fingerprint = fingerprint

    def _path(self, shape: str) -> Path:
        made_with = (FORMAT, sys.version_info[:3], numba.__version__, llvmlite.__version__)
        key = hashlib.sha256(repr((made_with, self._fingerprint(), shape)).encode()).hexdigest()
        return cache_folder() / f"{self._name}-{key[:40]}.kernel"

    def read(self, shape: str) -> bytes | None:
        """The code compiled for this machine and these arguments, or nothing. `shape` says both."""
        path = self._path(shape)
        try:
            data = path.read_bytes()
        except OSError:
            return None
        checksum, code = data[:32], data[32:]
        if hashlib.sha256(code).digest() != checksum:
            return None
        try:
            os.utime(path)  # what is used stays; see prune
        except OSError:
            pass
        return code

    def write(self, shape: str, code: bytes) -> None:
        write_whole(self._path(shape), hashlib.sha256(code).digest() + code)


def write_whole(path: Path, data: bytes) -> None:
    """Write a cache file so that a reader sees all of it or nothing; a folder that refuses is no error."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, aside = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(aside, path)
        except BaseException:
            os.unlink(aside)
            raise
    except OSError:
        return
    prune(path.parent)


def prune(folder: Path, days: float = KEEP_DAYS, most: int = KEEP_BYTES) -> None:
    """Forget entries unused for `days`, then the least recently used ones above `most` bytes in all."""
    entries = []
    for path in folder.iterdir():
        try:
            stat = path.stat()
        except OSError:
            continue
        entries.append((stat.st_mtime, stat.st_size, path))
    total, now = 0, time.time()
    for used, size, path in sorted(entries, reverse=True):
        total += size
        stale = now - used > (days * 86400 if path.suffix == ".kernel" else 3600)
        if stale or total > most:
            try:
                path.unlink()
            except OSError:
                pass
