"""The tiles of NMBR 9, and the tables from which rules and policy read their shapes."""

from __future__ import annotations

import re
from functools import cached_property

import numpy as np
import numpy.typing as npt

TILES = (
    ("###", "#.#", "#.#", "###"),
    ("##", ".#", ".#", ".#"),
    (".##", ".##", "##.", "###"),
    ("###", "..#", ".##", "###"),
    (".##", ".#.", "###", ".##"),
    ("###", "###", "..#", "###"),
    ("##.", "#..", "###", "###"),
    ("###", ".#.", "##.", "#.."),
    (".##", ".##", "##.", "##."),
    ("###", "###", "##.", "##."),
)

CARDS = 20  # two of each digit
LEVELS = 10  # a level carries the next with at least two tiles, so twenty tiles end on level 9 at the latest

# The rules know no edge of the table. Twenty tiles of length 4 in a row reach over 80 squares, so on a table
# rolled up to a ring both ways, 85 squares round, no layout with one more tile beside it ever meets itself:
# coordinates count modulo 85 and nothing has to be shifted. Odd, because a turn of the whole ring by 180 degrees
# then leaves one place of 4 x 3 squares as it was: the one place for a first tile (all are equal).
RING = 85

# Rows of bits; see places.py.
BITS = 61
STRIP = BITS - 5
FULL = (1 << BITS) - 1
MARGIN = 5  # rows and columns kept round the layout: a tile's length and one square more


def turn_tile(tile: tuple[str, ...], quarters: int) -> tuple[str, ...]:
    for _ in range(quarters):
        tile = tuple("".join(column) for column in zip(*tile[::-1], strict=True))
    return tile


def squares(shape: tuple[str, ...]) -> set[tuple[int, int]]:
    return {(y, x) for y, row in enumerate(shape) for x, square in enumerate(row) if square == "#"}


def shape_rows(shape: tuple[str, ...]) -> list[int]:
    return [sum(1 << x for x, square in enumerate(row) if square == "#") for row in (*shape, "", "", "")][:4]


# Shape = 4 x number + quarter turns clockwise.
SHAPES = [turn_tile(tile, quarters) for tile in TILES for quarters in range(4)]
SIDES = ((0, 1), (1, 0), (0, -1), (-1, 0))


class TileTables:
    """What a game of NMBR 9 knows of the 40 shapes, as arrays that compiled rules can read."""

    @cached_property
    def looks(self) -> npt.NDArray[np.int64]:
        """Distinct rotations of each number: 2 for the 0 and the 8, which look the same after half a turn."""
        return np.array([len({turn_tile(tile, k) for k in range(4)}) for tile in TILES])

    @cached_property
    def shape_tall(self) -> npt.NDArray[np.int64]:
        return np.array([len(shape) for shape in SHAPES])

    @cached_property
    def shape_wide(self) -> npt.NDArray[np.int64]:
        return np.array([len(shape[0]) for shape in SHAPES])

    @cached_property
    def shape_bits(self) -> npt.NDArray[np.int64]:
        """[shape, row]: bit c is the square in column c."""
        return np.array([shape_rows(shape) for shape in SHAPES])

    @cached_property
    def alone(self) -> npt.NDArray[np.int64]:
        """[shape, shape below]: bit 4y + x is set if the first lies wholly on the second when moved y down, x right."""
        table = np.zeros((len(SHAPES), len(SHAPES)), np.int64)
        covered = [squares(shape) for shape in SHAPES]
        for upper, above in enumerate(covered):
            for y, x in np.ndindex(4, 4):
                moved = {(row + y, column + x) for row, column in above}
                for lower, below in enumerate(covered):
                    if moved <= below:
                        table[upper, lower] |= 1 << (4 * y + x)
        return table

    @cached_property
    def alone_places(self) -> npt.NDArray[np.int64]:
        """[shape below, k]: its k-th place for another tile, as shape, rows down, columns right; -1 after the last."""
        places: list[list[tuple[int, int, int]]] = [[] for _ in SHAPES]
        for upper, below in np.ndindex(self.alone.shape):
            if upper % 4 < self.looks[upper // 4]:
                bits = int(self.alone[upper, below])
                places[below] += [(upper, b // 4, b % 4) for b in range(16) if bits >> b & 1]
        table = np.full((len(SHAPES), max(map(len, places)) + 1, 3), -1)
        for below, found in enumerate(places):
            table[below, : len(found)] = np.array(found).reshape(-1, 3)
        return table

    @cached_property
    def corner_column(self) -> npt.NDArray[np.int64]:
        """[shape]: where in the tile's box the square lies that names its place (see Nmbr9.row_number)."""
        right = [len(shape[0]) - 1 if number % 4 in (1, 2) else 0 for number, shape in enumerate(SHAPES)]
        return np.where(np.repeat(self.looks, 4) == 4, right, 0)

    @cached_property
    def corner_row(self) -> npt.NDArray[np.int64]:
        low = [len(shape) - 1 if number % 4 in (2, 3) else 0 for number, shape in enumerate(SHAPES)]
        return np.where(np.repeat(self.looks, 4) == 4, low, 0)

    @cached_property
    def runs(self) -> npt.NDArray[np.int64]:
        """[shape, k]: row, column and length - 1 of the tile's k-th run of squares; length - 1 is -1 after the last."""
        table = np.full((len(SHAPES), 8, 3), -1)
        for number, shape in enumerate(SHAPES):
            found = [(y, m.start(), len(m[0]) - 1) for y, row in enumerate(shape) for m in re.finditer("#+", row)]
            table[number, : len(found)] = found
        return table

    @cached_property
    def border(self) -> npt.NDArray[np.int64]:
        """[shape, 0]: squares beside the tile; [shape, 1]: those with two sides or more to it. Bit 6(y + 1) + x + 1."""
        table = np.zeros((len(SHAPES), 2), np.int64)
        for number, shape in enumerate(SHAPES):
            own = squares(shape)
            for y, x in np.ndindex(6, 6):
                sides = sum((y - 1 + dy, x - 1 + dx) in own for dy, dx in SIDES)
                for k in range(0 if (y - 1, x - 1) in own else min(sides, 2)):
                    table[number, k] |= 1 << (6 * y + x)
        return table

    @cached_property
    def bit_number(self) -> npt.NDArray[np.int64]:
        """[2^b modulo 67] = b: powers of two differ modulo 67, which finds a bit's number without a loop."""
        table = np.zeros(67, np.int64)
        for b in range(66):
            table[(1 << b) % 67] = b
        return table
