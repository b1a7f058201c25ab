"""NMBR 9 (Peter Wichmann, Abacusspiele 2017), played alone: twenty cards, twenty number tiles, stacked for points."""

from __future__ import annotations

from typing import Any

import numpy as np

from boardwright.contract.errors import InputError
from boardwright.contract.game import CHANCE, OVER, Game
from boardwright.contract.state import States
from boardwright.games.nmbr9.features import Features
from boardwright.games.nmbr9.places import Places
from boardwright.games.nmbr9.skill import GreedyPolicy
from boardwright.games.nmbr9.tiles import CARDS, LEVELS, MARGIN, RING, SHAPES, TileTables, squares

WINDOW = 28
OBSERVED = (
    "on the table", "covered", "height / 4", "top on level 0", "level 1", "level 2", "level 3", "level 4 or more",
    "the square to the right is as high but another tile's", "the square below is as high but another tile's",
    *(f"the tile to be placed is a {digit}" for digit in range(10)),
    *(f"cards left of digit {digit}, / 2" for digit in range(10)),
)  # fmt: skip


class Nmbr9(TileTables, Places, GreedyPolicy, Features, Game):
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

    # Symmetries: quarter turns of the table. No flips: a flipped tile is another tile.

    def mirror(self, s, image, out):
        for digit in range(10):
            out.left[digit] = s.left[digit]
        out.digit = s.digit
        out.count = s.count
        out.score = s.score
        out.highest = s.highest
        out.stuck = s.stuck
        for k in range(s.count):
            digit = s.number[k]
            turned = s.turned[k]
            out.number[k] = digit
            out.turned[k] = (turned + image) % self.looks[digit]
            out.level[k] = s.level[k]
            tall = self.shape_tall[4 * digit + turned]
            wide = self.shape_wide[4 * digit + turned]
            out.row[k], out.column[k] = self.turn_box(s.row[k], s.column[k], tall, wide, image)
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
            row, column = self.turn_box(row, column, 8 - turned, turned - 1, image)  # 4 x 3, or 3 x 4
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

    move_help = (
        "write turn@column,row: 90@3,-2 is the tile turned by 90 degrees clockwise, its top left corner in "
        "column 3, row -2"
    )
    text_styles = {
        r"\d[⁰]": "bright_black", r"\d[¹]": "cyan", r"\d[²]": "green", r"\d[³]": "yellow", r"\d[⁴⁵⁶⁷⁸⁹]": "bold red",
    }  # fmt: skip

    def move_text(self, s: Any, move: int) -> str:
        shape, row, column = self.placement(s.digit, move)
        y, x = (0, 0) if s.count == 0 and not self.table else self.coordinates(s, int(row), int(column))
        return f"{90 * int(shape % 4)}@{x},{y}"

    def coordinates(self, s: Any, row: int, column: int) -> tuple[int, int]:
        """Row and column as people count them, of a square of the layout or beside it."""
        if self.table:
            return row, column
        y, x = (row - s.top) % RING, (column - s.start_column) % RING
        y, x = y - RING * (y > RING - MARGIN), x - RING * (x > RING - MARGIN)
        return y - (s.row[0] - s.top) % RING, x - (s.column[0] - s.start_column) % RING

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
        from boardwright.games.nmbr9.look import why_not

        return why_not(self, s, text)

    def board(self, s: Any) -> str:
        from boardwright.games.nmbr9.look import board

        return board(self, s)

    def svg(self, s: Any) -> str:
        from boardwright.games.nmbr9.look import draw

        return draw(self, s)

    def unsound(self, s: Any) -> str:
        """A state tells its whole game: play it again by the rules and compare."""
        if not 0 <= s.count <= CARDS:
            return f"{s.count} tiles placed"
        rules: Any = self.interpreted
        again: Any = States(np.zeros(1, self.state_dtype))[0]
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
