"""NMBR 9 (Peter Wichmann, Abacusspiele 2017), played alone: twenty cards, twenty number tiles, stacked for points."""

from __future__ import annotations

import numpy as np

from boardwright.contract.errors import InputError
from boardwright.contract.game import CHANCE, OVER, Game
from boardwright.games.nmbr9.places import Places
from boardwright.games.nmbr9.tiles import CARDS, LEVELS, MARGIN, RING, TileTables


class Nmbr9Rules(TileTables, Places, Game):
    """The rules of NMBR 9, and nothing else; where a tile may lie is in places.py."""

    table: int = 0  # side of a table with edges; 0: endless, as the rules have it
    levels: int = 0  # how many levels may be used, the table included; 0: no limit

    players = 1
    outcomes = 10

    def __post_init__(self) -> None:
        if self.table != 0 and not 4 <= self.table <= 80:
            raise InputError(f"nmbr9: table={self.table}; give a side from 4 to 80 squares, or 0 for no edges")
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
            # make a state of 14,000 bytes instead of 120, and `legal` no faster.
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
            ("highest", "i1"),  # level with a tile
        ]  # fmt: skip

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
        s.highest = max(s.highest, level)
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
