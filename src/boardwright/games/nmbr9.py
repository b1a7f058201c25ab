"""NMBR 9 (Peter Wichmann, Abacusspiele 2017), played alone: twenty cards, twenty number tiles, stacked for points."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.contract.errors import InputError
from boardwright.contract.game import CHANCE, OVER, Game
from boardwright.contract.record import States

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

# `legal` works on rows of bits: one AND of a shifted row asks for a whole row of places at once whether a square
# fits. 61 bits leave the sign alone, so that compiled numbers and Python's agree. A wider layout is worked off in
# strips: places for a tile's left edge are the bits 1..STRIP, beside them lies what such tiles can touch.
BITS = 61
STRIP = BITS - 5
FULL = (1 << BITS) - 1
MARGIN = 5  # rows and columns kept round the layout: a tile's length and one square more


class Nmbr9(Game):
    """NMBR 9: stack number tiles; a tile scores its number times its level."""

    table: int = 0  # side of a table with edges; 0: endless, as the rules have it
    levels: int = 0  # how many levels may be used, the table included; 0: no limit

    _name = "nmbr9"
    players = 1
    outcomes = 10
    symmetries = 4

    def __post_init__(self) -> None:
        if self.table != 0 and not 4 <= self.table <= 80:
            raise InputError(f"nmbr9: table={self.table}; give a side from 4 to 80 squares, or 0 for a table without edges")
        if not 0 <= self.levels <= LEVELS:
            raise InputError(f"nmbr9: levels={self.levels}; give 1 to {LEVELS}, or 0 for no limit")

    @property
    def side(self) -> int:
        return self.table or RING

    @property
    def level_limit(self) -> int:
        return self.levels or LEVELS

    @property
    def actions(self) -> int:
        return 6 * self.side * self.side

    def layout(self):
        return [
            ("left", "i1", (10,)),  # cards still in the deck, by digit
            ("digit", "i1"),  # the tile to be placed; -1: no card is turned up
            ("count", "i1"),  # tiles placed
            ("score", "i2"),
            ("stuck", "i1"),  # 1: the tile has no place (only where the table has edges)
            # The tiles in the order in which they were placed. Heights follow from them; a map of heights would
            # make a state of 14,000 bytes instead of 130, and `legal` no faster.
            ("number", "i1", (CARDS,)),
            ("turned", "i1", (CARDS,)),  # quarter turns clockwise
            ("row", "i1", (CARDS,)),  # top left corner of the tile's box
            ("column", "i1", (CARDS,)),
            ("level", "i1", (CARDS,)),
            # The box round all tiles: where it begins on the ring, how far it reaches.
            ("top", "i1"),
            ("start_column", "i1"),
            ("tall", "i1"),
            ("wide", "i1"),
        ]  # fmt: skip

    # The tiles as tables. Shape = 4 x number + quarter turns clockwise.

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
        for upper, lower in np.ndindex(table.shape):
            for y, x in np.ndindex(4, 4):
                below = squares(SHAPES[lower])
                if all((row + y, column + x) in below for row, column in squares(SHAPES[upper])):
                    table[upper, lower] |= 1 << (4 * y + x)
        return table

    @cached_property
    def corner_column(self) -> npt.NDArray[np.int64]:
        """[shape]: where in the tile's box the square lies that names its place (see `row_number`)."""
        return np.array([len(shape[0]) - 1 if n % 4 in (1, 2) and self.looks[n // 4] == 4 else 0 for n, shape in enumerate(SHAPES)])

    @cached_property
    def corner_row(self) -> npt.NDArray[np.int64]:
        return np.array([len(shape) - 1 if n % 4 in (2, 3) and self.looks[n // 4] == 4 else 0 for n, shape in enumerate(SHAPES)])

    @cached_property
    def runs(self) -> npt.NDArray[np.int64]:
        """[shape, k]: row, column and length - 1 of the tile's k-th run of squares; length - 1 is -1 after the last."""
        table = np.full((len(SHAPES), 8, 3), -1)
        for number, shape in enumerate(SHAPES):
            found = [(y, m.start(), len(m[0]) - 1) for y, row in enumerate(shape) for m in re.finditer("#+", row)]
            table[number, : len(found)] = found
        return table

    @cached_property
    def bit_number(self) -> npt.NDArray[np.int64]:
        """[2^b modulo 67] = b: powers of two differ modulo 67, which finds a bit's number without a loop."""
        table = np.zeros(67, np.int64)
        for b in range(BITS):
            table[(1 << b) % 67] = b
        return table

    # The rules.

    def start(self, s):
        for digit in range(10):
            s.left[digit] = 2
        s.digit = -1

    def player(self, s):
        if s.stuck == 1 or (s.digit < 0 and s.count == CARDS):
            return OVER
        return CHANCE if s.digit < 0 else 0

    def chances(self, s, outcomes, weights):
        count = 0
        for digit in range(10):
            if s.left[digit] > 0:
                outcomes[count] = digit
                weights[count] = s.left[digit]
                count += 1
        return count

    def draw(self, s, outcome):
        s.left[outcome] -= 1
        s.digit = outcome
        if self.table > 0:
            s.stuck = 1 - self.find_places(s, np.empty(1, np.int32), 1)

    def legal(self, s, moves):
        return self.find_places(s, moves, self.actions)

    def scores(self, s, out):
        out[0] = s.score

    def play(self, s, move):
        shape, row, column = self.placement(s.digit, move)
        level = self.level_of(s, shape, row, column)
        s.number[s.count] = s.digit
        s.turned[s.count] = shape % 4
        s.row[s.count] = row
        s.column[s.count] = column
        s.level[s.count] = level
        s.score += s.digit * level
        s.top, s.tall = self.stretch(s.top, s.tall, row, self.shape_tall[shape])
        s.start_column, s.wide = self.stretch(s.start_column, s.wide, column, self.shape_wide[shape])
        s.count += 1
        s.digit = -1

    def level_of(self, s, shape, row, column):
        """On which level a tile that may lie there lies: one above the newest tile below any of its squares."""
        dx = self.runs[shape, 0, 1]  # a square of the top row
        for k in range(s.count - 1, -1, -1):
            below = 4 * s.number[k] + s.turned[k]
            y = (row - s.row[k]) % RING
            if y < self.shape_tall[below]:
                x = (column + dx - s.column[k]) % RING
                if x < self.shape_wide[below] and (self.shape_bits[below, y] >> x) & 1:
                    return s.level[k] + 1
        return 0

    def stretch(self, begin, length, place, more):
        """The stretch of the ring that holds both the old one and `more` squares from `place` on."""
        if length == 0:
            return place, more
        ahead = (place - begin) % RING
        if ahead > RING - MARGIN:  # the tile begins before the old stretch
            return place, max(length + RING - ahead, more)
        return begin, max(length, ahead + more)

    # Moves as numbers. Mirrored, a move must become another without a look at the tile: so a tile with four looks
    # is named by the square of its upright top left corner, which turns with it; the 0 and the 8, which come
    # in two looks, by the top left corner of their box, in numbers of their own.

    def row_number(self, shape, row):
        """The number of a move with its box's top in `row`, to which the column of its corner must be added."""
        turned = shape % 4 + (4 if self.looks[shape // 4] == 2 else 0)
        return (turned * self.side + (row + self.corner_row[shape]) % RING) * self.side

    def placement(self, digit, move):
        """The shape, and row and column of its box's top left corner, that a move of that tile means."""
        shape = 4 * digit + move // (self.side * self.side) % 4
        row = (move // self.side % self.side - self.corner_row[shape]) % RING
        column = (move % self.side - self.corner_column[shape]) % RING
        return shape, row, column

    def find_places(self, s, moves, most):
        """Write the places of the tile to be placed, `most` at most; return how many."""
        if s.count == 0:
            return self.first_places(s, moves, most)
        found = 0
        highest = self.highest_level(s)
        work = np.empty((10 + highest + 2, s.tall + 2 * MARGIN), np.int64)
        carries, touches, fits, touching, taken = work[0:4], work[4:8], work[8], work[9], work[10:]
        for strip in range((s.wide + MARGIN + STRIP - 1) // STRIP):
            self.lay_out(s, strip, taken)
            first_column = s.start_column + strip * STRIP - MARGIN
            for level in range(min(highest + 2, self.level_limit)):
                if level > 0 and self.tiles_on(s, level - 1) < 2:
                    break
                begin, end = self.prepare(level, level > highest, taken, carries, touches)
                for turned in range(self.looks[s.digit]):
                    shape = 4 * s.digit + turned
                    stop = end - self.shape_tall[shape] + 1
                    places = self.columns(shape, first_column, s.wide + MARGIN - strip * STRIP)
                    self.match(shape, begin, stop, places, carries, touches, fits, touching)
                    if level > 0:
                        self.strike_out(s, shape, level - 1, strip, fits)
                    for i in range(begin, stop):
                        here = fits[i] & touching[i]
                        if here == 0:
                            continue
                        row = (s.top + i - MARGIN) % RING
                        if self.table > 0 and row > self.table - self.shape_tall[shape]:
                            continue
                        number = self.row_number(shape, row)
                        corner = first_column + self.corner_column[shape]
                        while here != 0:
                            bit = here & -here
                            here ^= bit
                            column = corner + self.bit_number[bit % 67]
                            if column < 0:
                                column += RING
                            elif column >= RING:
                                column -= RING
                            moves[found] = number + column
                            found += 1
                            if found == most:
                                return found
        return found

    def highest_level(self, s):
        highest = 0
        for k in range(s.count):
            highest = max(highest, s.level[k])
        return highest

    def tiles_on(self, s, level):
        tiles = 0
        for k in range(s.count):
            tiles += 1 if s.level[k] == level else 0
        return tiles

    def match(self, shape, begin, stop, places, carries, touches, fits, touching):
        rows = stop - begin
        for i in range(begin, stop):
            fits[i] = places
            touching[i] = 0
        for k in range(8):
            length = self.runs[shape, k, 2]
            if length < 0:
                break
            y = begin + self.runs[shape, k, 0]
            dx = self.runs[shape, k, 1]
            # Slices, because the compiler turns such loops into vector code: twice as fast.
            fit, touch = fits[begin:stop], touching[begin:stop]
            carry, near = carries[length, y : y + rows], touches[length, y : y + rows]
            for i in range(rows):
                fit[i] &= carry[i] >> dx
                touch[i] |= near[i] >> dx

    def strike_out(self, s, shape, level, strip, fits):
        """Two different tiles must lie below: take out the places where one tile of `level` carries it alone."""
        for k in range(s.count):
            if s.level[k] != level:
                continue
            alone = self.alone[shape, 4 * s.number[k] + s.turned[k]]
            if alone == 0:
                continue
            i = (s.row[k] - s.top) % RING + MARGIN
            x = (s.column[k] - s.start_column) % RING + MARGIN - strip * STRIP
            if -4 < x < BITS:
                for y in range(4):
                    fits[i + y] &= ~self.shifted((alone >> (4 * y)) & 15, x)

    def shifted(self, bits, x):
        return (bits << x) & FULL if x >= 0 else bits >> -x

    def first_places(self, s, moves, most):
        """The first tile: anywhere on a table with edges; on the endless one all places are equal, so in one.
        That place is its own image when the ring is turned by 180 degrees."""
        found = 0
        for turned in range(self.looks[s.digit]):
            shape = 4 * s.digit + turned
            tall = self.shape_tall[shape]
            wide = self.shape_wide[shape]
            if self.table == 0:
                row = (RING - tall) // 2 if tall % 2 == 1 else RING - tall // 2
                column = (RING - wide) // 2 if wide % 2 == 1 else RING - wide // 2
                moves[found] = self.row_number(shape, row) + (column + self.corner_column[shape]) % RING
                found += 1
                continue
            for row in range(self.table - tall + 1):
                for column in range(self.table - wide + 1):
                    if found < most:
                        moves[found] = self.row_number(shape, row) + (column + self.corner_column[shape]) % RING
                        found += 1
        return found

    def lay_out(self, s, strip, taken):
        """Rows of bits of one strip, by level: the squares that tiles lie on."""
        for level in range(taken.shape[0]):
            for i in range(taken.shape[1]):
                taken[level, i] = 0
        for k in range(s.count):
            shape = 4 * s.number[k] + s.turned[k]
            i = (s.row[k] - s.top) % RING + MARGIN
            x = (s.column[k] - s.start_column) % RING + MARGIN - strip * STRIP
            if -4 < x < BITS:
                for y in range(self.shape_tall[shape]):
                    taken[s.level[k], i + y] |= self.shifted(self.shape_bits[shape, y], x)

    def prepare(self, level, empty, taken, carries, touches):
        """For runs of 1 to 4 squares that begin at a bit: does the level below carry all of it, and does any
        of it share an edge with a tile of this level (the first tile of a level need not)."""
        last = taken.shape[1] - 1
        begin = last
        end = 0
        for i in range(last + 1):
            here = taken[level, i]
            free = FULL & ~here
            if level > 0:
                free &= taken[level - 1, i]
            near = FULL
            if not empty:
                near = ((here << 1) & FULL) | (here >> 1)
                if i > 0:
                    near |= taken[level, i - 1]
                if i < last:
                    near |= taken[level, i + 1]
            if free != 0:
                begin = min(begin, i)
                end = i + 1
            carries[0, i] = free
            touches[0, i] = near
            for more in range(1, 4):
                carries[more, i] = carries[more - 1, i] & (free >> more)
                touches[more, i] = touches[more - 1, i] | (near >> more)
        return begin, end

    def columns(self, shape, first_column, last):
        """Bits at which a tile's left edge may lie: 1..STRIP, up to `last`, and on the table."""
        low = 1
        high = min(STRIP, last)
        if self.table > 0:
            low = max(low, -first_column)
            high = min(high, self.table - self.shape_wide[shape] - first_column)
        if high < low:
            return 0
        return ((1 << (high + 1)) - 1) & ~((1 << low) - 1)

    # Symmetries: quarter turns of the table. No flips: a flipped tile is another tile.

    def mirror(self, s, image, out):
        for digit in range(10):
            out.left[digit] = s.left[digit]
        out.digit = s.digit
        out.count = s.count
        out.score = s.score
        out.stuck = s.stuck
        for k in range(s.count):
            digit = s.number[k]
            turned = s.turned[k]
            out.number[k] = digit
            out.turned[k] = (turned + image) % self.looks[digit]
            out.level[k] = s.level[k]
            shape = 4 * digit + turned
            out.row[k], out.column[k] = self.turn_box(s.row[k], s.column[k], self.shape_tall[shape], self.shape_wide[shape], image)
        out.top, out.start_column = self.turn_box(s.top, s.start_column, s.tall, s.wide, image)
        out.tall = s.tall if image % 2 == 0 else s.wide
        out.wide = s.wide if image % 2 == 0 else s.tall
        if s.count == 0:
            out.top = 0
            out.start_column = 0

    def turn_box(self, row, column, tall, wide, image):
        """The top left corner of a box after `image` quarter turns of the table clockwise."""
        for _ in range(image):
            row, column = column, (self.side - row - tall) % RING
            tall, wide = wide, tall
        return row, column

    def mirror_move(self, move, image):
        turned = move // (self.side * self.side)
        row = move // self.side % self.side
        column = move % self.side
        if turned < 4:
            row, column = self.turn_box(row, column, 1, 1, image)
            turned = (turned + image) % 4
        else:
            row, column = self.turn_box(row, column, 8 - turned, turned - 1, image)
            turned = 4 + (turned + image) % 2
        return (turned * self.side + row) * self.side + column


def turn_tile(tile: tuple[str, ...], quarters: int) -> tuple[str, ...]:
    for _ in range(quarters):
        tile = tuple("".join(column) for column in zip(*tile[::-1], strict=True))
    return tile


def squares(shape: tuple[str, ...]) -> set[tuple[int, int]]:
    return {(y, x) for y, row in enumerate(shape) for x, square in enumerate(row) if square == "#"}


def shape_rows(shape: tuple[str, ...]) -> list[int]:
    return [sum(1 << x for x, square in enumerate(row) if square == "#") for row in (*shape, "", "", "")][:4]


SHAPES = [turn_tile(tile, quarters) for tile in TILES for quarters in range(4)]
