"""Learnt numbers as a plain file: bits that say which are other than 0, where that saves something, then these, in half
precision where that loses nothing. So a file is about as large as the model that the numbers came from."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

PACKED_FROM = 0.1  # share of zeros from which a bit a number is worth it


@dataclass(frozen=True)
class NumbersFile:
    """A file of a site, and how the page reads it."""

    data: bytes
    count: int
    packed: bool
    precision: str  # float16, float32
    last: float  # the last number, which is a network's unit of output, in its own precision

    @property
    def name(self) -> str:
        return f"learnt-{hashlib.sha256(self.data).hexdigest()[:8]}.bin"

    def told(self) -> dict[str, Any]:
        return {
            "file": self.name, "count": self.count, "packed": self.packed, "precision": self.precision,
            "last": self.last,
        }  # fmt: skip


def numbers_file(learned: npt.NDArray[np.float32]) -> NumbersFile:
    """The file from which the page reads exactly these numbers."""
    assert learned.dtype == np.float32 and learned.ndim == 1 and np.isfinite(learned).all()
    touched = (learned != 0.0) | np.signbit(learned)
    touched[-1] = False
    packed = len(learned) > 1 and bool(1.0 - touched[:-1].mean() >= PACKED_FROM)
    kept = learned[touched] if packed else learned[:-1]
    with np.errstate(over="ignore"):
        halves = kept.astype("<f2")
    small = bool((halves.astype(np.float32) == kept).all())
    data = (np.packbits(touched).tobytes() if packed else b"") + (halves if small else kept.astype("<f4")).tobytes()
    return NumbersFile(data, len(learned), packed, "float16" if small else "float32", float(learned[-1]))
