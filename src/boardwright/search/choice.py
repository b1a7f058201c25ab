"""A move, and what whoever chose it knew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Choice:
    """A move, and what the player knew when it chose. Players fill in what they know."""

    move: int  # its number
    value: tuple[float, ...] | None = None  # value[i]: what the player expects player i to get
    visits: Mapping[int, int] = field(default_factory=dict)  # how often the search tried each move
    values: Mapping[int, float] = field(default_factory=dict)  # each move's value to the player who moves
    priors: Mapping[int, float] = field(default_factory=dict)  # each move's liking before the search
    line: tuple[int, ...] = ()  # the best line found, `move` first; draws on the way included
    simulations: int = 0  # that were made for it
    seconds: float = 0.0  # that it took
    note: str = ""  # one sentence for people: proven, out of memory, ...
