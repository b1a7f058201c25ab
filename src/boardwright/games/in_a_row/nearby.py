"""Which moves of Gomoku a tree looks at: those near the stones."""

from __future__ import annotations

import numpy as np

from boardwright.games.in_a_row.shapes import LineShapes
from boardwright.games.in_a_row.skill import LineSkill


class NearStones(LineShapes, LineSkill):
    """A policy more, and a hint for the search in Gomoku's card."""

    policies = (*LineSkill.policies, "nearby")

    def nearby(self, s, moves, count, weights):
        """Any cell within two steps of a stone; around the middle, while there is none."""
        rows = np.zeros(self.height, np.int64)
        for row in range(self.height):
            rows[row] = self.near_stones(s, row)
        for i in range(count):
            weights[i] = float(rows[moves[i] // self.columns] >> (moves[i] % self.columns) & 1)
