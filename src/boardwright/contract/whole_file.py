"""Files that a command writes: under their names only when they are whole, and never in place of a device."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from boardwright.contract.errors import InputError


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Write a file aside, bring it to the disk, move it into place: a reader sees all of it or the one before. What a
    link leads to is replaced, not the link; what is no plain file (a device, a pipe) is written into as it stands."""
    try:
        target = path.resolve()
        if target.exists() and not target.is_file():
            with target.open("wb") as file:
                yield file
            return
        aside = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            with aside.open("xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(aside, target)
        finally:
            aside.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None
