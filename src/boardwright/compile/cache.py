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
import pickle
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core import caching, compiler, serialize, types

from boardwright.contract.folders import cache_folder

FORMAT = 2
KEEP_DAYS = 60
KEEP_BYTES = 600_000_000


class KernelCache(caching._Cache):  # type: ignore[misc]
    """The disk cache of one kernel's overloads, in the place where Numba asks for its own."""

    def __init__(self, name: str, fingerprint: Callable[[], str]) -> None:
        self._name = name
        self._fingerprint = fingerprint
        self._impl = _Reducer()

    @property
    def cache_path(self) -> str:
        return str(cache_folder())

    def enable(self) -> None:
        pass

    def disable(self) -> None:
        pass

    def flush(self) -> None:
        pass

    def _path(self, sig: Any, context: Any) -> Path:
        machine = context.codegen().magic_tuple()
        made_with = (FORMAT, sys.version_info[:3], numba.__version__, llvmlite.__version__, machine)
        # Numba's name of a named tuple's type does not tell its fields, which a kernel takes by their place.
        told = str(sig) + "".join(str(kind.fields) for kind in sig if isinstance(kind, types.BaseNamedTuple))
        key = hashlib.sha256(repr((made_with, self._fingerprint(), told)).encode()).hexdigest()
        return cache_folder() / f"{self._name}-{key[:40]}.kernel"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        path = self._path(sig, target_context)
        try:
            data = path.read_bytes()
        except OSError:
            return None
        checksum, body = data[:32], data[32:]
        if hashlib.sha256(body).digest() != checksum:
            return None
        target_context.refresh()
        try:
            os.utime(path)  # what is used stays; see prune
        except OSError:
            pass
        return self._impl.rebuild(target_context, pickle.loads(body))  # noqa: S301 - our own file, see above

    def save_overload(self, sig: Any, data: Any) -> None:
        if not self._impl.check_cachable(data):
            return
        body = serialize.dumps(self._impl.reduce(data))
        path = self._path(sig, data.target_context)
        write_whole(path, hashlib.sha256(body).digest() + body)


class _Reducer(caching.CompileResultCacheImpl):  # type: ignore[misc]
    """Numba's own way to turn a compiled function into bytes and back, without its file layout."""

    def __init__(self) -> None:
        pass

    def check_cachable(self, cres: Any) -> bool:
        return not cres.library.has_dynamic_globals

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        return compiler.CompileResult._rebuild(target_context, *payload)


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
