"""The store of learnt windows: what placing a tile so was worth on average."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.games.nmbr9.tiles import CARDS
from boardwright_lab.nmbr9.windows import KINDS, PLANES


class Shelves(NamedTuple):
    """The store as kernels read it; `kinds` rows, of which each has room for the windows met most often."""

    windows: npt.NDArray[np.int64]  # [kind, place, plane]
    used: npt.NDArray[np.int64]  # [kind]: how many places are taken
    values: npt.NDArray[np.float64]  # [kind, place]: points from the placement to the end of the game
    turns_apart: int  # 1: windows of different turns are different kinds


@dataclass(frozen=True)
class Lessons:
    """Placements that a search tried, one a row."""

    kinds: npt.NDArray[np.int64]
    windows: npt.NDArray[np.int64]  # [row, plane]
    values: npt.NDArray[np.float64]  # points from the placement to the end, mean of its visits
    visits: npt.NDArray[np.int64]


class Store:
    """Windows by kind of placement: number, quarter turns and level, as the report has it; and, with `turns_apart`, the
    turn. A value is the mean over every visit of every placement that looked so."""

    def __init__(self, turns_apart: bool = False, room: int = 32) -> None:
        self.turns_apart, self.room = turns_apart, room
        self.total: dict[tuple[int, bytes], float] = {}  # points, summed over visits
        self.visits: Counter[tuple[int, bytes]] = Counter()
        self.shelves = self._shelve()

    def __len__(self) -> int:
        return len(self.visits)

    def add(self, lessons: Iterable[Lessons]) -> None:
        """Take in what was tried, and sort the shelves anew."""
        for one in lessons:
            for kind, window, value, visits in zip(one.kinds, one.windows, one.values, one.visits, strict=True):
                key = (int(kind), window.tobytes())
                self.total[key] = self.total.get(key, 0.0) + float(value) * int(visits)
                self.visits[key] += int(visits)
        self.shelves = self._shelve()

    def _shelve(self) -> Shelves:
        kinds = KINDS * (CARDS if self.turns_apart else 1)
        windows = np.zeros((kinds, self.room, PLANES), np.int64)
        used, values = np.zeros(kinds, np.int64), np.zeros((kinds, self.room))
        for (kind, window), visits in self.visits.most_common():  # the most met first: they are found first
            place = used[kind]
            if place < self.room:
                windows[kind, place] = np.frombuffer(window, np.int64)
                values[kind, place] = self.total[kind, window] / visits
                used[kind] += 1
        return Shelves(windows, used, values, int(self.turns_apart))
