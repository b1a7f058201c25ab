"""Compiled kernels on disk, one file an entry, found by a digest of everything that shaped the code.

Numba's own cache keeps an index per function; two processes that fill it at once can lose an entry or run
another game's code. Here there is no index: the file's name is the digest, it is written aside and then
moved into place, and it carries a checksum. A reader finds the right entry, whole, or none. Of several
processes that find none, one compiles, and the others wait for what it makes.
The files hold machine code of this user's own kernels, are written for this user only, and live in a
folder of our own, so a read-only install works. A folder that cannot be written only costs time.
An entry without code says that a game's rules were found to compile: see compile/diagnose.py.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import llvmlite
import numba

from boardwright.contract.folders import cache_folder

FORMAT = 2
KEEP_DAYS = 60
KEEP_BYTES = 600_000_000
USED: set[str] = set()  # entries that this process found,
MADE: set[str] = set()  # and those that it wrote
PATIENCE = 120.0  # seconds: whoever compiles for longer may hang, so those who wait begin by themselves


class KernelStore:
    """One kernel's compiled forms on disk. `fingerprint`: a digest of all that its code does."""

    def __init__(self, name: str, fingerprint: Callable[[], str]) -> None:
        self._name = name
        self._fingerprint = fingerprint
        self._own = threading.local()  # the turn of each thread that is at the compiler, or waits for it

    def _path(self, shape: str) -> Path:
        made_with = (FORMAT, sys.version_info[:3], numba.__version__, llvmlite.__version__)
        key = hashlib.sha256(repr((made_with, self._fingerprint(), shape)).encode()).hexdigest()
        return cache_folder() / f"{self._name}-{key[:40]}.kernel"

    def read(self, shape: str) -> bytes | None:
        """The code compiled for this machine and these arguments, or nothing. `shape` says both. Without it the caller
        is to compile, and has the turn until `compiled`; who comes meanwhile waits here for what is made."""
        path = self._path(shape)
        found = self._read(path)
        if found is None:
            self._own.turn = Turn(path)
            found = self._read(path)  # made by another meanwhile?
        return found

    def compiled(self) -> None:
        """The compiler has ended, well or not: whoever waits for this kernel goes on."""
        turn: Turn | None = getattr(self._own, "turn", None)
        if turn is not None:
            self._own.turn = None
            turn.end()

    def _read(self, path: Path) -> bytes | None:
        try:
            data = path.read_bytes()
        except OSError:
            return None
        checksum, code = data[:32], data[32:]
        if hashlib.sha256(code).digest() != checksum:
            return None
        USED.add(path.name)
        try:
            os.utime(path)  # what is used stays; see prune
        except OSError:
            pass
        return code

    def write(self, shape: str, code: bytes) -> None:
        MADE.add(self._path(shape).name)
        write_whole(self._path(shape), hashlib.sha256(code).digest() + code)


class Turn:
    """One process at a time compiles a kernel. Where locks do not work, several do, which only costs time."""

    def __init__(self, kernel: Path) -> None:
        self._path = kernel.with_suffix(".compiling")
        self._file: int | None = None
        try:
            import fcntl

            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._file = os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600)
            until = time.monotonic() + PATIENCE
            while time.monotonic() < until:
                try:
                    fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    return
                except (BlockingIOError, PermissionError):  # another process has it
                    time.sleep(0.02)
        except (ImportError, OSError):
            return

    def end(self) -> None:
        if self._file is None:
            return
        try:
            self._path.unlink(missing_ok=True)  # whoever waits has it open; who comes later finds the kernel
        except OSError:
            pass
        os.close(self._file)
        self._file = None


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
