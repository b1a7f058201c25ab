"""What a trial is: where its attempts are, and how much of the time is its own."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

MIX = 0x9E3779B97F4A7C15  # of SplitMix64: neighbouring seeds have no attempts in common


class Finding(Exception):
    """Something that must not be. `kind` is what several findings of one cause have in common, for the table."""

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(f"{kind}: {detail}" if detail else kind)
        self.kind = kind


class Lacking(Exception):
    """This machine has not what the trial needs; the text says what. The table says so, and counts no failure."""


class Tell(Protocol):
    """What an attempt reports by."""

    def __call__(self, more: int) -> None:
        """So many things more were tried."""

    def note(self, text: str) -> None:
        """A figure for the table."""


# attempt(seed, seconds, tell): all that is random in it comes from the seed; `seconds` is what is left of the trial's
# time, which few attempts care for; tell(n) counts n things more that were tried. Raises what it finds.
Attempt = Callable[[int, float, Tell], None]


@dataclass(frozen=True)
class Trial:
    """name: as `--only` takes it, GROUP/WHAT. place: `module:function` of its attempt, imported in its own process."""

    name: str
    about: str  # one line for the table's reader
    place: str
    unit: str = "inputs"  # what is counted
    weight: float = 1.0  # of the time
    patience: float = 120.0  # seconds without a word after which an attempt hangs
    scales: bool = False  # one attempt takes all the time that it is given

    def attempt(self) -> Attempt:
        module, _, name = self.place.partition(":")
        found: Attempt = getattr(importlib.import_module(module), name)
        return found


def next_seed(seed: int) -> int:
    """The seed of the attempt that follows: from each seed a row of its own, which begins with the seed itself."""
    mixed = (seed + MIX) & (2**64 - 1)
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & (2**64 - 1)
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & (2**64 - 1)
    return (mixed ^ mixed >> 31) >> 32
