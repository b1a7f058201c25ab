"""A greedy policy for NMBR 9: what a place is worth now and later."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
import numpy.typing as npt

from boardwright.games.nmbr9.rules import Nmbr9Rules
from boardwright.games.nmbr9.tiles import CARDS, FULL, MARGIN, RING, STRIP

# What the greedy policy thinks of a place, by its level (4: and above). Each pair: a constant, and what the share of
# cards still in the deck adds to it; the level itself, an edge shared with a tile of the level, a gap made, an edge
# along which nothing carries a neighbour; and last, what each point of the tile's number adds. Gaps never count
# in favour of a place; `appraise` relies on it.
WORTH = (
    ((0.00, 0.00), (1.56, 0.89), (-0.95, 0.30), (0.00, 0.00), (0.00, 0.00)),
    ((0.40, -2.00), (1.40, 0.92), (-0.20, -0.48), (0.37, -0.27), (1.77, 0.00)),
    ((0.89, 0.05), (1.89, 0.31), (-0.65, -1.35), (0.49, -1.08), (2.80, 0.00)),
    ((2.11, 8.05), (1.89, 0.31), (-0.65, -1.35), (0.49, -1.08), (3.37, 0.00)),
    ((4.39, 9.38), (1.89, 0.31), (-0.65, -1.35), (0.49, -1.08), (4.56, 0.00)),
)  # fmt: skip
MOST_EDGES = 20  # no tile has more
STEEPNESS = 3.0  # weights fall e-fold for each third of a unit of worth
BEHIND = 4.0  # places so far behind the best all get the same small weight
HOPELESS = math.exp(-BEHIND * STEEPNESS)


class Nmbr9Skill(Nmbr9Rules):
    """The `greedy` policy, tuned by the cross-entropy method on its mean score (docs/games/nmbr9.md)."""

    policies = ("greedy",)

    @cached_property
    def worth_table(self) -> npt.NDArray[np.float64]:
        return np.array(WORTH)

    def greedy(self, s, moves, count, weights):
        """Points, and what a place is good for later: edges shared with tiles of its level (they make a floor for
        the next level), few gaps that hardly any tile can fill. What these are worth depends on the level and on
        how many cards are left."""
        if s.count == 0:
            for k in range(count):
                weights[k] = 1.0
            return
        levels = s.highest + 2
        rows = s.tall + 2 * MARGIN
        squares = np.empty((3, levels, rows), np.int64)
        taken, bare, tight = squares[0], squares[1], squares[2]
        worth = np.empty((levels, 4), np.float64)
        left = (CARDS - 1 - s.count) / CARDS
        for level in range(levels):
            row = min(level, len(self.worth_table) - 1)
            for k in range(4):
                worth[level, k] = self.worth_table[row, k, 0] + self.worth_table[row, k, 1] * left
            worth[level, 0] += self.worth_table[row, 4, 0] * s.digit
        for strip in range((s.wide + MARGIN + STRIP - 1) // STRIP):
            self.lay_out(s, strip, taken)
            for level in range(levels):
                self.find_gaps(level, taken, bare, tight)
            self.appraise(s, strip, moves, count, squares, worth, weights)
        best = weights[0]
        for k in range(count):
            best = max(best, weights[k])
        for k in range(count):
            behind = best - weights[k]
            weights[k] = math.exp(-behind * STEEPNESS) if behind < BEHIND else HOPELESS

    def appraise(self, s, strip, moves, count, squares, worth, weights):
        """Write what each place in this strip is worth, or, if that is hopeless by the shared edges alone, anything
        as hopeless; `squares` has those that are taken, bare and tight. One loop, and the moves on high levels, which
        come last, first: both for speed."""
        taken, bare, tight = squares[0], squares[1], squares[2]
        best = -1e9
        for k in range(count - 1, -1, -1):
            shape, row, column = self.placement(s.digit, int(moves[k]))
            i = (row - s.top + MARGIN) % RING
            x = (column - s.start_column + MARGIN) % RING - strip * STRIP
            if x < 1 or x > STRIP:
                continue
            level = 0
            square = x + self.runs[shape, 0, 1]
            while (taken[level, i] >> square) & 1:
                level += 1
            # The 6 x 6 squares round the tile's box as one number, so that all can be counted at once.
            tiles = 0
            for y in range(6):
                tiles |= ((taken[level, i - 1 + y] >> (x - 1)) & 63) << (6 * y)
            once = self.border[shape, 0]
            twice = self.border[shape, 1]
            value = worth[level, 0] + worth[level, 1] * self.ones(tiles & once, tiles & twice)
            if value + MOST_EDGES * max(worth[level, 3], 0.0) < best - BEHIND:
                weights[k] = value
                continue
            cliffs = 0
            gaps = 0
            for y in range(6):
                cliffs |= ((bare[level, i - 1 + y] >> (x - 1)) & 63) << (6 * y)
                gaps |= ((tight[level, i - 1 + y] >> (x - 1)) & 63) << (6 * y)
            value += worth[level, 2] * self.ones(gaps & once, 0)
            value += worth[level, 3] * self.ones(cliffs & once, cliffs & twice)
            weights[k] = value
            best = max(best, value)

    def find_gaps(self, level, taken, bare, tight):
        """Squares where no tile of this level can lie because nothing carries it (`bare`), and free squares that
        are blocked on two sides or more (`tight`): a tile beside makes it three."""
        rows = taken.shape[1]
        for i in range(rows):
            bare[level, i] = 0 if level == 0 else FULL & ~taken[level - 1, i]
        for i in range(rows):
            here = taken[level, i] | bare[level, i]
            above = taken[level, i - 1] | bare[level, i - 1] if i > 0 else 0
            below = taken[level, i + 1] | bare[level, i + 1] if i + 1 < rows else 0
            left = (here << 1) & FULL
            right = here >> 1
            tight[level, i] = ((above & below) | (left & right) | ((above | below) & (left | right))) & ~here

    def ones(self, some, more):
        """How many bits are set in two numbers of 36 bits: added up in pairs, fours, eights, then all eights at once
        (256 is 1 modulo 255)."""
        some = some - ((some >> 1) & 0x555555555)
        more = more - ((more >> 1) & 0x555555555)
        both = (some & 0x333333333) + ((some >> 2) & 0x333333333) + (more & 0x333333333) + ((more >> 2) & 0x333333333)
        return ((both & 0xF0F0F0F0F) + ((both >> 4) & 0xF0F0F0F0F)) % 255
