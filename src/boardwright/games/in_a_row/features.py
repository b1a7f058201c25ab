"""What a learnt value sees of Gomoku: how many cells there are at which a stone would make what, for either side.

Counts of cells by what both sides would make there say of a board of any size what matters, with a few hundred
features; where on the board they lie is left to the search.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from boardwright.games.in_a_row.shapes import RANKS, SHAPES, LineShapes

COUNTED = 4  # cells of a rank that are told apart by number
PHASES, STONES_A_PHASE = 16, 4

PAIRS = 0  # rank for the player to act, rank for the other: how many cells
OWN = PAIRS + RANKS * RANKS  # rank, 1 to 4 cells or more
OTHERS = OWN + RANKS * COUNTED
LINES = OTHERS + RANKS * COUNTED  # whose, shape: how many lines through cells
PHASE = LINES + 2 * SHAPES
FEATURES = PHASE + PHASES


class LineFeatures(LineShapes):
    """Features of a position, from the view of the player to act."""

    features_count = FEATURES
    features_most = FEATURES

    def features(self, s, indices, values):
        counts = np.zeros(FEATURES, np.int32)
        me = self.turn(s)
        for row in range(self.height):
            near = self.near_stones(s, row)
            column = 0
            while near != 0:
                if near & 1 != 0:
                    self.count_cell(s, me, row, column, counts)
                near >>= 1
                column += 1
        count = 0
        for rank in range(1, RANKS):
            for side in range(2):
                at = OWN + (side * RANKS + rank) * COUNTED
                cells = counts[at]
                counts[at] = 0
                if cells > 0:
                    counts[at + min(cells, COUNTED) - 1] = 1
        counts[LINES] = counts[LINES + SHAPES] = 0
        counts[PHASE + min((self.actions - s.left) // STONES_A_PHASE, PHASES - 1)] = 1
        for feature in range(FEATURES):
            if counts[feature] != 0:
                indices[count] = feature
                values[count] = self.amounts[min(counts[feature], len(self.amounts) - 1)]
                count += 1
        return count

    def count_cell(self, s, me, row, column, counts):
        """Add a cell to the counts of pairs, ranks and lines."""
        cell = row * self.columns + column
        best, second, best_other, second_other = 0, 0, 0, 0
        for direction in range(4):
            shapes = self.shapes_at(s, me, cell, direction)
            shape, other = shapes >> 4, shapes & 15
            counts[LINES + shape] += 1
            counts[LINES + SHAPES + other] += 1
            best, second = max(best, shape), max(second, min(best, shape))
            best_other, second_other = max(best_other, other), max(second_other, min(best_other, other))
        own, others = self.ranks[best, second], self.ranks[best_other, second_other]
        counts[PAIRS + own * RANKS + others] += 1
        counts[OWN + own * COUNTED] += 1
        counts[OTHERS + others * COUNTED] += 1

    @cached_property
    def amounts(self) -> npt.NDArray[np.float32]:
        """[count]: how much of a feature that is."""
        return np.asarray(0.5 + 0.5 * np.log2(1.0 + np.arange(256)), np.float32)
