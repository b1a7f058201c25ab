"""Which states of 2048 no play could lead to: guards positions that come from outside."""

from __future__ import annotations

from typing import Any

import numpy as np

import boardwright as bw
from boardwright.games.twenty48.rules import SlidingRules

LARGEST = 50  # a state from outside may hold tiles up to 2^50, so that no score leaves 64 bits


class SlidingSoundness(SlidingRules):
    """What `unsound` says."""

    def unsound(self, s: Any) -> str:
        largest = min(self.area + 1, LARGEST)
        if any(not 0 <= tile <= largest for tile in s.cells):
            return f"cells hold exponents from 0 to {largest}"
        tiles = [tile for tile in s.cells if tile]
        if s.tiles != len(tiles):
            return f"tiles says {s.tiles}, the board has {len(tiles)}"
        # A tile of 2^k made of 2s alone scored (k-1) 2^k; each 4 that came as such saves its makers 4 points.
        made_of_twos = sum((tile - 1) << tile for tile in tiles)
        most_fours = sum(1 << tile - 2 for tile in tiles if tile > 1)
        fours, rest = divmod(made_of_twos - s.score, 4)
        if rest or not 0 <= fours <= most_fours:
            return f"these tiles cannot have scored {s.score}"
        if (self.four == 0.0 and fours) or (self.four == 1.0 and (fours < most_fours or 1 in tiles)):
            return "chance does not make such tiles"
        return self._wrong_actor(s, len(tiles))

    def _wrong_actor(self, s: Any, tiles: int) -> str:
        """A new tile comes at the start and after a slide, which leaves the tiles packed; then somebody can slide."""
        cells = list(s.cells)
        opening = s.score == 0 and tiles <= 2 and max(cells) <= 2
        if s.actor == bw.CHANCE:
            fits = (opening and tiles < 2) or (0 < tiles < self.area and self._packed(cells))
            return "" if fits else "no slide leaves the tiles like this"
        newest = [cell for cell in range(self.area) if cells[cell] in (1, 2)]
        without = ([*cells[:cell], 0, *cells[cell + 1 :]] for cell in newest)
        if tiles < 2 or not (opening or any(map(self._packed, without))):
            return "no slide and new tile make such a board"
        expected = 0 if self.ways(s) else bw.OVER
        return "" if s.actor == expected else f"actor must be {expected} here"

    def _packed(self, cells: list[int]) -> bool:
        """Are all tiles as close to one of the walls as they can be?"""
        lanes = np.array(cells).reshape(self.size, self.size) != 0
        turned = (np.rot90(lanes, turn) for turn in range(4))
        return any(bool((rows[:, :-1] >= rows[:, 1:]).all()) for rows in turned)
