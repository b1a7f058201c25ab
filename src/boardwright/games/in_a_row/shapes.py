"""What a stone would make on a line: a five, an open four, a closed three... One look into a table tells.

The table knows the points up to four steps to both sides, which is as far as a line of five through the new stone can
reach. Shapes are told apart by how they go on: an open three is one that a next stone turns into an open four.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from boardwright.games.in_a_row.rules import LineRules

# From the weakest on; a wide shape has more ways to go on than one or two.
NOTHING, CLOSED_ONE, ONE, CLOSED_TWO, TWO, WIDE_TWO, CLOSED_THREE, THREE, WIDE_THREE, FOUR, OPEN_FOUR, LINE = range(12)
SHAPES = 12
LONGEST_SHAPE = 5  # of longer lines the shapes are those of five

# What the two best shapes of a cell are together, from the weakest on.
QUIET, SOME, A_TWO, A_CLOSED_THREE, TWO_TWOS, A_THREE, THREE_AND_CLOSED, THREE_AND_TWO = range(8)
A_FOUR, FOUR_AND_TWO, TWO_THREES, FOUR_AND_THREE, STRAIGHT, WINS = range(8, 14)
RANKS = 14

NEAR = 2  # steps from a stone, along rows and columns, within which moves are looked at


class LineShapes(LineRules):
    """Shapes of lines, ranks of cells, and which cells are near the stones."""

    @property
    def reach(self) -> int:
        """How many points to each side count."""
        return min(self.line, LONGEST_SHAPE) - 1

    def around(self, bits, spot):
        """The bits of a ray up to `reach` steps from a spot, without the spot's own."""
        near = np.int64(bits) << self.reach >> spot
        return near & (2**self.reach - 1) | near >> 1 & (2**self.reach - 1) << self.reach

    def shapes_at(self, s, me, cell, direction):
        """What a stone on an empty cell would make in a direction, of player `me` and of the other: two shapes in one
        number, the other's in its low four bits."""
        ray, spot = self.ray(cell, direction), self.spot(cell, direction)
        own = self.around(s.rays[me, direction, ray], spot)
        others = self.around(s.rays[1 - me, direction, ray], spot)
        wall = np.int64(self.walls[cell, direction])
        mine = np.int64(self.shapes[own << 2 * self.reach | others | wall])
        return mine << 4 | self.shapes[others << 2 * self.reach | own | wall]

    def near_stones(self, s, row):
        """The empty cells of a row, as bits, within two steps of a stone; of the middle, while there is none."""
        found = 0
        if s.left == self.actions:
            if abs(2 * row - self.height + 1) <= 2 * NEAR:
                for column in range(self.columns):
                    if abs(2 * column - self.columns + 1) <= 2 * NEAR:
                        found |= 1 << column
            return found
        for other in range(max(row - NEAR, 0), min(row + NEAR + 1, self.height)):
            found |= s.rays[0, 0, other] | s.rays[1, 0, other]
        for _ in range(NEAR):
            found |= found << 1 | found >> 1
        return found & ~(s.rays[0, 0, row] | s.rays[1, 0, row]) & (2**self.columns - 1)

    @cached_property
    def shapes(self) -> npt.NDArray[np.int8]:
        """[own stones around the new one, as bits, and behind them what is closed: the other's stones, the edge]."""
        spots = 2 * self.reach
        closed = np.arange(2**spots)
        table = np.zeros((2**spots, 2**spots), np.int8)
        for own in reversed(range(2**spots)):  # one stone more is a larger number
            if self._lined(own):
                table[own] = LINE
                continue
            ways = np.zeros((SHAPES, 2**spots), np.int64)  # of each shape, how many spots make it
            for spot in range(spots):
                if own >> spot & 1 == 0:
                    free = closed >> spot & 1 == 0
                    np.add.at(ways, (table[own | 1 << spot], closed), free)
            fours = ways[OPEN_FOUR]
            threes = ways[THREE] + ways[WIDE_THREE]
            table[own] = np.select(
                [
                    ways[LINE] > 1, ways[LINE] > 0, fours > 1, fours > 0, ways[FOUR] > 0, threes > 2, threes > 0,
                    ways[CLOSED_THREE] > 0, ways[TWO] + ways[WIDE_TWO] > 0, ways[CLOSED_TWO] > 0,
                ],
                [OPEN_FOUR, FOUR, WIDE_THREE, THREE, CLOSED_THREE, WIDE_TWO, TWO, CLOSED_TWO, ONE, CLOSED_ONE],
                NOTHING,
            )  # fmt: skip
        return table.ravel()

    def _lined(self, own: int) -> bool:
        """Whether these stones and one in their middle make a line."""
        ahead = behind = 0
        while ahead < self.reach and own >> (self.reach + ahead) & 1:
            ahead += 1
        while behind < self.reach and own >> (self.reach - 1 - behind) & 1:
            behind += 1
        length, line = behind + 1 + ahead, self.reach + 1
        return length == line if self.exactly else length >= line

    @cached_property
    def walls(self) -> npt.NDArray[np.uint8]:
        """[cell, direction]: what of the points around a cell is not on the board, as bits."""
        rays = np.zeros((4, self.columns + self.height - 1), np.int64)  # the spots that are
        for cell, direction in np.ndindex(self.actions, 4):
            rays[direction, self.ray(cell, direction)] |= 1 << self.spot(cell, direction)
        around = [
            [
                self.around(rays[direction, self.ray(cell, direction)], self.spot(cell, direction))
                for direction in range(4)
            ]
            for cell in range(self.actions)
        ]
        return np.asarray(2 ** (2 * self.reach) - 1 - np.array(around), np.uint8)

    @cached_property
    def ranks(self) -> npt.NDArray[np.int8]:
        """[the best shape of a cell, the second best]: its rank."""
        table = np.zeros((SHAPES, SHAPES), np.int8)
        for best, second in np.ndindex(SHAPES, SHAPES):
            table[best, second] = _rank(best, min(best, second))
        return table


def _rank(best: int, second: int) -> int:
    three, two = second >= THREE, second in (TWO, WIDE_TWO)
    if best >= FOUR:
        if best == LINE:
            return WINS
        if best == OPEN_FOUR or second == FOUR:
            return STRAIGHT
        return FOUR_AND_THREE if three else FOUR_AND_TWO if two else A_FOUR
    if best >= THREE:
        if three:
            return TWO_THREES
        return THREE_AND_CLOSED if second == CLOSED_THREE else THREE_AND_TWO if two else A_THREE
    if best == CLOSED_THREE:
        return TWO_TWOS if two else A_CLOSED_THREE
    if best >= TWO:
        return TWO_TWOS if two else A_TWO
    return SOME if best >= ONE else QUIET
