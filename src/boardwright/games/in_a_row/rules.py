"""Tic-tac-toe, Gomoku and their family: two players, stones in a row. One set of rules serves them all."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

import boardwright as bw

EMPTY, EDGE = 0, 3  # what a point holds; 1 is X, the first player's stone, 2 is O
LETTERS = "abcdefghijklmnopqrstuvwxy"
LONGEST_TABLE = 7  # lines up to this length have a table of tense neighbourhoods, 2^13 entries at most


class LineRules(bw.Game):
    """Two players place stones by turns; the first unbroken line of enough stones wins.

    Cells are numbered row by row from the top left: a move is the number of an empty cell. The board in the
    state has an edge around it (one column serves both sides), so that a walk along a line needs no other bounds:

        3 3 3 3
        3 . . .      cell 0 is point 5 here, cell 3 point 9:  point = cell + cell // columns + columns + 2
        3 . . .
        3 . . .
        3 3 3 3 3
    """

    size: int = 3  # columns
    rows: int = 0  # 0: as many as columns
    line: int = 3  # stones in a row that win

    exactly = False  # True: a longer line does not win
    smallest = 3  # sides of the board
    players = 2

    def __post_init__(self) -> None:
        for name, side in (("size", self.size), ("rows", self.rows or self.size)):
            if not self.smallest <= side <= len(LETTERS):
                raise bw.InputError(f"{self.name}: {name}={side}; choose {self.smallest} to {len(LETTERS)}")
        if not 3 <= self.line <= max(self.columns, self.height):
            longest = max(self.columns, self.height)
            raise bw.InputError(f"{self.name}: line={self.line} on {self.columns}x{self.height}; choose 3 to {longest}")

    # The board's geometry

    @property
    def columns(self) -> int:
        return self.size

    @property
    def height(self) -> int:
        return self.rows or self.size

    @property
    def actions(self) -> int:
        return self.columns * self.height

    @property
    def points(self) -> int:
        """Cells and edge."""
        return (self.height + 2) * (self.columns + 1) + 1

    @property
    def steps(self) -> tuple[int, int, int, int]:
        """From a point to its neighbour in each direction: across, down, falling and rising diagonal."""
        return 1, self.columns + 1, self.columns + 2, self.columns

    def point(self, cell):
        return cell + cell // self.columns + self.columns + 2

    # The rules

    def layout(self):
        number = "u1" if self.actions <= 256 else "u2"
        return [
            ("cells", "i1", (self.points,)),
            ("wins", "i1", (self.points,)),  # 1: X would win by playing here, 2: O would, 3: both
            ("threats", "i2", (2,)),  # how many empty points X, and O, would win on
            ("order", number, (self.actions,)),  # the empty cells; behind them the moves played, latest first
            ("place", number, (self.actions,)),  # where in `order` each cell stands
            ("rays", "i4", (2, 4, self.columns + self.height - 1)),  # [player, direction, ray]: its stones as bits
            ("left", "i2"),  # how many cells are empty
            ("winner", "i1"),  # 0 nobody yet, 1 X, 2 O
        ]

    def start(self, s):
        for point in range(self.points):
            s.cells[point] = EDGE
        for cell in range(self.actions):
            s.cells[self.point(cell)] = EMPTY
            s.order[cell] = cell
            s.place[cell] = cell
        s.left = self.actions

    def turn(self, s):
        """Whose stone comes next, by the count of stones: 0 or 1, also when the game is over."""
        return (self.actions - s.left) & 1

    def player(self, s):
        if s.winner != 0 or s.left == 0:
            return bw.OVER
        return self.turn(s)

    def legal(self, s, moves):
        for i in range(s.left):
            moves[i] = s.order[i]
        return s.left

    def play(self, s, move):
        self.put(s, move, self.turn(s) + 1)

    def put(self, s, cell, who):
        """A stone of X (1) or O (2) on an empty cell."""
        self.take(s, cell)
        point = self.point(cell)
        s.cells[point] = who
        if s.wins[point] != 0:
            self.forget(s, point)
        for direction in range(4):
            if self.tenses(s, cell, direction, who):
                self.extend(s, point, self.steps[direction], who)

    def take(self, s, cell):
        """Swap the cell with the last empty one, so that listing the empty cells is a copy, not a search."""
        s.left -= 1
        place = s.place[cell]
        last = s.order[s.left]
        s.order[place] = last
        s.place[last] = place
        s.order[s.left] = cell
        s.place[cell] = s.left

    def ray(self, cell, direction):
        """Which of the parallel lines of a direction runs through a cell."""
        row, column = cell // self.columns, cell % self.columns
        if direction == 0:
            return row
        if direction == 1:
            return column
        if direction == 2:
            return row - column + self.columns - 1
        return row + column

    def spot(self, cell, direction):
        """Where on its ray a cell lies."""
        return cell // self.columns if direction == 1 else cell % self.columns

    def near(self, bits, spot):
        """The bits less than `line` steps from a spot on a ray."""
        return (bits << (self.line - 1) >> spot) & (2 ** (2 * self.line - 1) - 1)

    def tenses(self, s, cell, direction, who):
        """Enter a stone on its ray; could it make a line there, or a line that lacks one stone? Two bits and a look
        into a table settle nearly every move: random games of Gomoku run 2.4 times as fast as with walks only."""
        ray, spot = self.ray(cell, direction), self.spot(cell, direction)
        s.rays[who - 1, direction, ray] |= 1 << spot
        return self.line > LONGEST_TABLE or self.tense[self.near(s.rays[who - 1, direction, ray], spot)]

    @cached_property
    def tense(self) -> npt.NDArray[np.bool_]:
        """[stones nearby, as bits, the new one in the middle]: do `line` points in a row hold all stones but one?"""
        if self.line > LONGEST_TABLE:
            return np.ones(1, np.bool_)
        windows = (np.arange(2 ** (2 * self.line - 1))[:, None] >> np.arange(self.line)) & (2**self.line - 1)
        return np.asarray((np.bitwise_count(windows) >= self.line - 1).any(axis=1))

    def extend(self, s, point, step, who):
        """A new stone: did it make a line? Where would one more stone make one?"""
        ahead = self.run(s, point, step, who)
        behind = self.run(s, point, -step, who)
        length = behind + 1 + ahead
        if self.enough(length):
            s.winner = who
        # A line that one more stone completes, through this stone, can lack only a point next to this run.
        self.look_beyond(s, point + (ahead + 1) * step, step, length, who)
        self.look_beyond(s, point - (behind + 1) * step, -step, length, who)

    def run(self, s, point, step, who):
        """How many of `who`'s stones stand in a row next to a point, not counting the point."""
        count = 0
        point += step
        while s.cells[point] == who:
            count += 1
            point += step
        return count

    def enough(self, length):
        if self.exactly:
            return length == self.line
        return length >= self.line

    def completes(self, s, point, who):
        """Would `who` win with a stone here?"""
        for step in self.steps:
            if self.enough(self.run(s, point, step, who) + 1 + self.run(s, point, -step, who)):
                return True
        return False

    def look_beyond(self, s, point, step, length, who):
        """`length` stones end before this point: mark it if a stone here would win, together with those behind it.
        Where only exactly `line` wins, a line that grew too long takes the mark away."""
        if s.cells[point] != EMPTY or length + 1 + self.run(s, point, step, who) < self.line:
            return
        good = not self.exactly or self.completes(s, point, who)
        if good != (s.wins[point] & who != 0):
            s.wins[point] ^= who
            s.threats[who - 1] += 1 if good else -1

    def forget(self, s, point):
        """Nobody wins any more on a point that was taken."""
        s.threats[0] -= s.wins[point] & 1
        s.threats[1] -= s.wins[point] >> 1
        s.wins[point] = 0

    def results(self, s, out):
        out[0] = 0.0
        out[1] = 0.0
        if s.winner != 0:
            out[s.winner - 1] = 1.0
            out[2 - s.winner] = -1.0
