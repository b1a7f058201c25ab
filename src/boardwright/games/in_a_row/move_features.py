"""What a learnt policy sees of a move in Gomoku: what it would make for either side, and how near last stones are."""

from __future__ import annotations

import numpy as np

from boardwright.games.in_a_row.features import LineFeatures
from boardwright.games.in_a_row.shapes import RANKS, SHAPES

FAR = 5  # steps from a stone, and more
DISTANCES = FAR * (FAR + 1) // 2  # more steps one way, fewer the other, up to four; and all that is further
MARGINS = 5  # steps from the edge that are told apart

LINES = 0  # four a move: what it makes in a direction for the mover, and would make for the other
RANKED = LINES + SHAPES * SHAPES  # the ranks of the cell, for the mover and for the other
FROM_LAST = RANKED + RANKS * RANKS
FROM_OWN = FROM_LAST + DISTANCES
MARGIN = FROM_OWN + DISTANCES


class LineMoveFeatures(LineFeatures):
    """Up to eight features a move."""

    move_features_count = MARGIN + MARGINS
    move_features_most = 8

    def move_features(self, s, move, indices):
        me = self.turn(s)
        best, second, best_other, second_other = 0, 0, 0, 0
        for direction in range(4):
            shapes = self.shapes_at(s, me, move, direction)
            shape, other = shapes >> 4, shapes & 15
            indices[direction] = LINES + shape * SHAPES + other
            best, second = max(best, shape), max(second, min(best, shape))
            best_other, second_other = max(best_other, other), max(second_other, min(best_other, other))
        indices[4] = RANKED + np.int64(self.ranks[best, second]) * RANKS + self.ranks[best_other, second_other]
        row, column = move // self.columns, move % self.columns
        margin = min(row, self.height - 1 - row, column, self.columns - 1 - column)
        indices[5] = MARGIN + min(margin, MARGINS - 1)
        count = 6
        if s.left < self.actions:
            indices[count] = FROM_LAST + self.distance(move, np.int64(s.order[s.left]))
            count += 1
        if s.left + 1 < self.actions:
            indices[count] = FROM_OWN + self.distance(move, np.int64(s.order[s.left + 1]))
            count += 1
        return count

    def distance(self, one, other):
        """Numbers how far two cells are apart, whatever the direction."""
        rows = abs(one // self.columns - other // self.columns)
        columns = abs(one % self.columns - other % self.columns)
        more, fewer = max(rows, columns), min(rows, columns)
        if more >= FAR:
            return DISTANCES - 1
        return more * (more + 1) // 2 + fewer - 1
