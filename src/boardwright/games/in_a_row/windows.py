"""The windows that are still open to each side: what they prove (`bounds`) and what they promise (`estimate`)."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
import numpy.typing as npt

from boardwright.games.in_a_row.rules import LineRules


class Windows(LineRules):
    """A window is `line` points in a row: a place where a line could be."""

    def bounds(self, s, low, high):
        """Erdos and Selfridge (1973): count each window that the other has no stone in as 1/2 for every stone that it
        lacks. Below 1 in all (1/2 if it is one's own turn), the other can spoil them all, and so does not lose."""
        first_hopes, second_hopes = 0.0, 0.0
        for i in range(len(self.windows)):
            direction, ray, spot = self.windows[i, 0], self.windows[i, 1], self.windows[i, 2]
            first = s.rays[0, direction, ray] >> spot & (2**self.line - 1)
            second = s.rays[1, direction, ray] >> spot & (2**self.line - 1)
            if second == 0:
                first_hopes += self.halves[self.stones(first)]
            if first == 0:
                second_hopes += self.halves[self.stones(second)]
        me = self.turn(s)
        high[0] = 0.0 if first_hopes < (0.5 if me == 0 else 1.0) else 1.0
        high[1] = 0.0 if second_hopes < (0.5 if me == 1 else 1.0) else 1.0
        for player in range(2):
            low[player] = -high[1 - player]

    @cached_property
    def starts(self) -> npt.NDArray[np.int64]:
        """[direction, ray]: the first spots, as bits, of all windows on a ray."""
        table = np.zeros((4, self.columns + self.height - 1), np.int64)
        for direction, ray, spot in self.windows:
            table[direction, ray] |= 1 << spot
        return table

    def stones(self, bits):
        """How many bits are set."""
        count = 0
        while bits != 0:
            bits &= bits - 1
            count += 1
        return count

    @cached_property
    def halves(self) -> npt.NDArray[np.float64]:
        """[stones]: what a window with so many counts."""
        return np.asarray(0.5 ** (self.line - np.arange(self.line + 1)))

    @cached_property
    def windows(self) -> npt.NDArray[np.int64]:
        """[window]: direction, ray and first spot of each place where a line could be."""
        found = []
        for cell in range(self.actions):
            row, column = divmod(cell, self.columns)
            for direction, (down, right) in enumerate(((0, 1), (1, 0), (1, 1), (-1, 1))):
                last_row, last_column = row + down * (self.line - 1), column + right * (self.line - 1)
                if 0 <= last_row < self.height and last_column < self.columns:
                    found.append((direction, self.ray(cell, direction), self.spot(cell, direction)))
        return np.array(found)


class Prospects(Windows):
    """An `estimate` from them, with weights for five in a row."""

    def estimate(self, s, out):
        """Windows open to one side speak for it, the more the fewer stones they lack; the weights were fitted to the
        results of games between searches (logistic regression), and give what the player to act can expect."""
        me, odds = self.turn(s), self.outlook[0, 0]
        for direction in range(4):
            for ray in range(self.columns + self.height - 1):
                own, other = s.rays[me, direction, ray], s.rays[1 - me, direction, ray]
                if own | other != 0:
                    odds += self.prospects(own, other, self.starts[direction, ray], 0)
                    odds += self.prospects(other, own, self.starts[direction, ray], 1)
        out[me] = math.tanh(odds / 2)
        out[1 - me] = -out[me]

    def prospects(self, own, other, starts, side):
        """What the windows of one ray are worth to whose stones are `own`; side 0 is the player to act."""
        one, two, three, four, five, taken = 0, 0, 0, 0, 0, 0  # windows that lack so many stones or more
        for k in range(self.line):
            absent = ~(own >> k)
            five |= four & absent
            four |= three & absent
            three |= two & absent
            two |= one & absent
            one |= absent
            taken |= other >> k
        free = starts & ~taken
        return (
            self.outlook[side, 1] * self.stones(free & two & ~three)
            + self.outlook[side, 2] * self.stones(free & three & ~four)
            + self.outlook[side, 3] * self.stones(free & four & ~five)
        )

    @cached_property
    def outlook(self) -> npt.NDArray[np.float64]:
        """[side]: tempo (of side 0), then the worth of a window that lacks two, three, four stones."""
        return np.array([[0.0, 0.338, 0.074, 0.004], [0.0, -0.197, -0.054, -0.002]])
