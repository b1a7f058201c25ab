"""What a position of stones in a row promises at a glance: the windows that are still open to each side."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
import numpy.typing as npt


class Prospects:
    """For a LineGame: its `estimate`. A window is `line` points in a row."""

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
