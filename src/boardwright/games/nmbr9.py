"""NMBR 9 (Peter Wichmann, Abacusspiele 2017), played alone: twenty cards, twenty number tiles, stacked for points."""

from __future__ import annotations

import math
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

WINDOW = 28
OBSERVED = (
    "on the table", "covered", "height / 4", "top on level 0", "level 1", "level 2", "level 3", "level 4 or more",
    "the square to the right is as high but another tile's", "the square below is as high but another tile's",
    *(f"the tile to be placed is a {digit}" for digit in range(10)),
    *(f"cards left of digit {digit}, / 2" for digit in range(10)),
)  # fmt: skip
# What the greedy policy thinks of a place, by its level (4: and above). Each pair: a constant, and what the share of
# cards still in the deck adds to it; the level itself, an edge shared with a tile of the level, a gap made, an edge
# along which nothing carries a neighbour; and last, what each point of the tile's number adds.
WORTH = (
    ((0.00, 0.00), (1.56, 0.89), (-0.95, 0.30), (0.00, 0.00), (0.00, 0.00)),
    ((0.40, -2.00), (1.40, 0.92), (-0.20, -0.48), (0.37, -0.27), (1.77, 0.00)),
    ((0.89, 0.05), (1.89, 0.31), (-0.65, -1.35), (0.49, -1.08), (2.80, 0.00)),
    ((2.11, 8.05), (1.89, 0.31), (-0.65, -1.35), (0.49, -1.08), (3.37, 0.00)),
    ((4.39, 9.38), (1.89, 0.31), (-0.65, -1.35), (0.49, -1.08), (4.56, 0.00)),
)  # fmt: skip
STEEPNESS = 3.0  # weights fall e-fold for each third of a unit of worth
HOPELESS = math.exp(-12.0)  # what all worse places get

SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"


class Nmbr9(Game):
    """NMBR 9: stack number tiles; a tile scores its number times its level."""

    table: int = 0  # side of a table with edges; 0: endless, as the rules have it
    levels: int = 0  # how many levels may be used, the table included; 0: no limit

    _name = "nmbr9"
    players = 1
    outcomes = 10
    symmetries = 4
    policies = ("greedy",)
    observe_shape = (WINDOW, WINDOW, len(OBSERVED))

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
    def border(self) -> npt.NDArray[np.int64]:
        """[shape, 0]: squares beside the tile; [shape, 1]: those with two sides or more to it. Bit 6(y + 1) + x + 1."""
        table = np.zeros((len(SHAPES), 2), np.int64)
        for number, shape in enumerate(SHAPES):
            own = squares(shape)
            for y, x in np.ndindex(6, 6):
                sides = sum((y - 1 + dy, x - 1 + dx) in own for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)))
                for k in range(0 if (y - 1, x - 1) in own else min(sides, 2)):
                    table[number, k] |= 1 << (6 * y + x)
        return table

    @cached_property
    def worth_table(self) -> npt.NDArray[np.float64]:
        return np.array(WORTH)

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

    def move_at(self, shape, row, column):
        return self.row_number(shape, row) + (column + self.corner_column[shape]) % RING

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
                moves[found] = self.move_at(shape, row, column)
                found += 1
                continue
            for row in range(self.table - tall + 1):
                for column in range(self.table - wide + 1):
                    if found < most:
                        moves[found] = self.move_at(shape, row, column)
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

    # A policy worth playing against, tuned by the cross-entropy method on its mean score (see docs/games/nmbr9.md).

    def greedy(self, s, moves, count, weights):
        """Points, and what a place is good for later: edges shared with tiles of its level (they make a floor for
        the next level), few gaps that hardly any tile can fill. What these are worth depends on the level and on
        how many cards are left."""
        if s.count == 0:
            for k in range(count):
                weights[k] = 1.0
            return
        levels = self.highest_level(s) + 2
        work = np.empty((3 * levels, s.tall + 2 * MARGIN), np.int64)
        taken, bare, tight = work[:levels], work[levels : 2 * levels], work[2 * levels :]
        worth = np.empty((levels, 4), np.float64)
        left = (CARDS - 1 - s.count) / CARDS
        for level in range(levels):
            row = min(level, len(self.worth_table) - 1)
            for k in range(4):
                worth[level, k] = self.worth_table[row, k, 0] + self.worth_table[row, k, 1] * left
            worth[level, 0] += self.worth_table[row, 4, 0] * s.digit
        best = -1e9
        for strip in range((s.wide + MARGIN + STRIP - 1) // STRIP):
            self.lay_out(s, strip, taken)
            for level in range(levels):
                self.find_gaps(level, taken, bare[level], tight[level])
            for k in range(count):
                shape, row, column = self.placement(s.digit, int(moves[k]))
                i = (row - s.top + MARGIN) % RING
                x = (column - s.start_column + MARGIN) % RING - strip * STRIP
                if 1 <= x <= STRIP:
                    weights[k] = self.appraise(shape, i, x, taken, bare, tight, worth)
                    best = max(best, weights[k])
        for k in range(count):
            behind = (best - weights[k]) * STEEPNESS
            weights[k] = math.exp(-behind) if behind < 12.0 else HOPELESS

    def appraise(self, shape, i, x, taken, bare, tight, worth):
        """What a tile at row i, bit x is worth."""
        level = 0
        square = x + self.runs[shape, 0, 1]
        while (taken[level, i] >> square) & 1:
            level += 1
        # The squares round the tile, six in a row, as one number: then all are counted at once.
        tiles = 0
        cliffs = 0
        gaps = 0
        for y in range(self.shape_tall[shape] + 2):
            tiles |= ((taken[level, i + y - 1] >> (x - 1)) & 63) << (6 * y)
            cliffs |= ((bare[level, i + y - 1] >> (x - 1)) & 63) << (6 * y)
            gaps |= ((tight[level, i + y - 1] >> (x - 1)) & 63) << (6 * y)
        once = self.border[shape, 0]
        twice = self.border[shape, 1]
        value = worth[level, 0]
        value += worth[level, 1] * (self.ones(tiles & once) + self.ones(tiles & twice))
        value += worth[level, 2] * self.ones(gaps & once)
        if level > 0:
            value += worth[level, 3] * (self.ones(cliffs & once) + self.ones(cliffs & twice))
        return value

    def find_gaps(self, level, taken, bare, tight):
        """Squares where no tile of this level can lie because nothing carries it (`bare`), and free squares that
        are blocked on two sides or more (`tight`): a tile beside makes it three."""
        rows = taken.shape[1]
        for i in range(rows):
            bare[i] = 0 if level == 0 else FULL & ~taken[level - 1, i]
        for i in range(rows):
            here = taken[level, i] | bare[i]
            above = taken[level, i - 1] | bare[i - 1] if i > 0 else 0
            below = taken[level, i + 1] | bare[i + 1] if i + 1 < rows else 0
            left = (here << 1) & FULL
            right = here >> 1
            tight[i] = ((above & below) | (left & right) | ((above | below) & (left | right))) & ~here

    def ones(self, bits):
        """How many bits are set, of 36."""
        bits = bits - ((bits >> 1) & 0x555555555)
        bits = (bits & 0x333333333) + ((bits >> 2) & 0x333333333)
        bits = (bits + (bits >> 4)) & 0xF0F0F0F0F
        return bits % 255

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


    # What a network sees: a window of 28 x 28 squares with the layout in its middle (half a square off where the
    # layout's side is odd; what lies outside is not seen). Channels: see OBSERVED.

    def observe(self, s, out):
        y0 = (WINDOW - s.tall) // 2
        x0 = (WINDOW - s.wide) // 2
        for k in range(s.count):
            shape = 4 * s.number[k] + s.turned[k]
            for dy in range(self.shape_tall[shape]):
                for dx in range(self.shape_wide[shape]):
                    y = y0 + (s.row[k] - s.top) % RING + dy
                    x = x0 + (s.column[k] - s.start_column) % RING + dx
                    if (self.shape_bits[shape, dy] >> dx) & 1 and 0 <= y < WINDOW and 0 <= x < WINDOW:
                        out[y, x, 1] = 1 + k  # which tile is on top, until the seams are known
                        out[y, x, 2] = 1 + s.level[k]
        for y in range(WINDOW):
            for x in range(WINDOW):
                row = s.top + y - y0
                column = s.start_column + x - x0
                if self.table == 0 or (0 <= row < self.table and 0 <= column < self.table):
                    out[y, x, 0] = 1.0
                if s.digit >= 0:
                    out[y, x, 10 + s.digit] = 1.0
                for digit in range(10):
                    out[y, x, 20 + digit] = 0.5 * s.left[digit]
                height = out[y, x, 2]
                if height == 0.0:
                    continue
                if x + 1 < WINDOW and out[y, x + 1, 2] == height and out[y, x + 1, 1] != out[y, x, 1]:
                    out[y, x, 8] = 1.0
                if y + 1 < WINDOW and out[y + 1, x, 2] == height and out[y + 1, x, 1] != out[y, x, 1]:
                    out[y, x, 9] = 1.0
                out[y, x, 2 + min(int(height), 5)] = 1.0
        for y in range(WINDOW):
            for x in range(WINDOW):
                out[y, x, 1] = min(out[y, x, 1], 1.0)
                out[y, x, 2] *= 0.25

    # For people. Coordinates are column,row, counted right and down from the first tile's corner, or, on a table
    # with edges, from the table's corner.

    move_help = "write turn@column,row: 90@3,-2 is the tile turned by 90 degrees clockwise, its top left corner at column 3, row -2"
    text_styles = {
        r"\d[⁰]": "bright_black", r"\d[¹]": "cyan", r"\d[²]": "green", r"\d[³]": "yellow", r"\d[⁴⁵⁶⁷⁸⁹]": "bold red",
    }  # fmt: skip

    def move_text(self, s: Any, move: int) -> str:
        shape, row, column = self.placement(s.digit, move)
        y, x = (0, 0) if s.count == 0 and not self.table else self.coordinates(s, int(row), int(column))
        return f"{90 * int(shape % 4)}@{x},{y}"

    def coordinates(self, s: Any, row: int, column: int) -> tuple[int, int]:
        """Row and column as people count them."""
        if self.table:
            return row, column
        return (row - s.row[0] + RING // 2) % RING - RING // 2, (column - s.column[0] + RING // 2) % RING - RING // 2

    def stacks(self, s: Any) -> dict[tuple[int, int], list[int]]:
        """The tiles on each square, from the table up: {(row, column) as people count: places in the order of play}."""
        top, left = self.coordinates(s, s.top, s.start_column) if s.count else (0, 0)
        found: dict[tuple[int, int], list[int]] = {}
        for k in range(s.count):
            for y, x in squares(SHAPES[4 * s.number[k] + s.turned[k]]):
                square = top + (s.row[k] - s.top) % RING + y, left + (s.column[k] - s.start_column) % RING + x
                found.setdefault(square, []).append(k)
        return found

    def explain(self, s: Any, text: str) -> str:
        read = re.fullmatch(r"(\d{1,4})\s*@\s*(-?\d{1,4})\s*,\s*(-?\d{1,4})", text)
        if not read:
            return self.move_help
        degrees, column, row = map(int, read.groups())
        number = s.digit
        if degrees not in (0, 90, 180, 270):
            return f"a tile cannot be turned by {degrees} degrees; turn it by 0, 90, 180 or 270"
        if degrees >= 90 * self.looks[number]:
            return f"the {number} looks the same after half a turn: write {degrees - 180}@{column},{row}"
        place = {(row + y, column + x) for y, x in squares(SHAPES[4 * number + degrees // 90])}
        if self.table and not all(0 <= y < self.table and 0 <= x < self.table for y, x in place):
            return f"it would lie over the table's edge; columns and rows go from 0 to {self.table - 1}"
        if s.count == 0:
            return f"the first tile lies at 0,0: write {degrees}@0,0"
        stacks = self.stacks(s)
        heights = {square: len(stacks.get(square, ())) for square in sorted(place)}
        level, low = max(heights.values()), min(heights.values())
        if level != low:
            (y1, x1), (y2, x2) = max(heights, key=lambda q: heights[q]), min(heights, key=lambda q: heights[q])
            return f"it would not lie flat: it would be on level {level} at {x1},{y1} and on level {low} at {x2},{y2}"
        if level >= self.level_limit:
            return f"it would lie on level {level}; this game ends at level {self.level_limit - 1}"
        below = {stacks[square][-1] for square in place} if level else set()
        if len(below) == 1:
            return f"it would lie on the {s.number[below.pop()]} alone; two different tiles must be below it"
        beside = {(y + dy, x + dx) for y, x in place for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0))}
        if level in s.level[: s.count].tolist() and not any(len(stacks.get(square, ())) > level for square in beside):
            return f"it would share no edge with a tile on level {level}"
        return ""

    def board(self, s: Any) -> str:
        stacks = self.stacks(s)
        top, left = self.coordinates(s, s.top, s.start_column) if s.count else (0, 0)
        tall, wide = (s.tall, s.wide) if s.count else (4, 4)
        rows, columns = range(top - 1, top + tall + 1), range(left - 1, left + wide + 1)
        if self.table:
            rows, columns = range(self.table), range(self.table)
        lines = ["     " + "".join(f"{x:3}" for x in columns)]
        for y in rows:
            line, before = "", -1
            for x in columns:
                here = stacks.get((y, x), [-1])[-1]
                edge = "│" if here != before and x > columns[0] else " "
                line += edge + (f"{s.number[here]}{SUPERSCRIPTS[s.level[here]]}" if here >= 0 else "· ")
                before = here
            lines.append(f"{y:4}  {line}".rstrip())
        lines += ["", f"score {s.score}   tiles placed {s.count} of {CARDS}   a digit's superscript is its level"]
        if s.count:
            last = s.count - 1
            y, x = self.coordinates(s, s.row[last], s.column[last])
            lines.append(f"last: {s.number[last]} as {90 * s.turned[last]}@{x},{y} on level {s.level[last]}")
        lines.append("cards left: " + (" ".join(str(d) for d in range(10) for _ in range(s.left[d])) or "none"))
        if s.digit >= 0:
            lines += ["", *self.looks_of(s.digit)]
        if s.stuck:
            lines.append(f"the {s.digit} has no place: the game is over")
        return "\n".join(lines)

    def looks_of(self, digit: int) -> list[str]:
        """The tile to be placed in its rotations, side by side."""
        shapes = [SHAPES[4 * digit + turned] for turned in range(self.looks[digit])]
        lines = ["place   " + "".join(f"{f'{90 * turned}@':<12}" for turned in range(len(shapes)))]
        for y in range(4):
            rows = [shape[y] if y < len(shape) else "" for shape in shapes]
            cells = ["".join(f"{digit} " if square == "#" else "  " for square in row) for row in rows]
            lines.append(f"{digit if y == 0 else ' '}       " + "".join(f"{cell:<12}" for cell in cells))
        return [line.rstrip() for line in lines]

    def svg(self, s: Any) -> str:
        from boardwright.games.pictures.nmbr9 import draw

        return draw(self, s)

    def unsound(self, s: Any) -> str:
        """A state tells its whole game: play it again by the rules and compare."""
        if not 0 <= s.count <= CARDS:
            return f"{s.count} tiles placed"
        rules, again = self.interpreted, States(np.zeros(1, self.state_dtype))[0]
        moves = np.empty(self.actions, np.int32)
        rules.start(again)
        for k in range(s.count):
            number, turned, row, column = s.number[k], s.turned[k], s.row[k], s.column[k]
            if not 0 <= number <= 9 or again.left[number] == 0:
                return f"tile {k + 1} is a {number}, of which no card was left"
            rules.draw(again, number)
            if not (0 <= turned < self.looks[number] and 0 <= row < self.side and 0 <= column < self.side):
                return f"tile {k + 1} lies outside the table or is turned by more than it can be"
            move = rules.move_at(4 * number + turned, row, column)
            if again.stuck or move not in moves[: rules.legal(again, moves)]:
                return f"tile {k + 1}, the {number}, lies where it may not"
            rules.play(again, move)
        if s.digit >= 0:
            if s.digit > 9 or again.left[s.digit] == 0:
                return f"the card is a {s.digit}, of which none was left"
            rules.draw(again, s.digit)
        for name in self.state_dtype.names or ():
            ours, theirs = getattr(again, name), getattr(s, name)
            if ours != theirs:
                return f"field {name!r} does not follow from the tiles placed"
        return ""


def turn_tile(tile: tuple[str, ...], quarters: int) -> tuple[str, ...]:
    for _ in range(quarters):
        tile = tuple("".join(column) for column in zip(*tile[::-1], strict=True))
    return tile


def squares(shape: tuple[str, ...]) -> set[tuple[int, int]]:
    return {(y, x) for y, row in enumerate(shape) for x, square in enumerate(row) if square == "#"}


def shape_rows(shape: tuple[str, ...]) -> list[int]:
    return [sum(1 << x for x, square in enumerate(row) if square == "#") for row in (*shape, "", "", "")][:4]


SHAPES = [turn_tile(tile, quarters) for tile in TILES for quarters in range(4)]
