"""Tic-tac-toe, Gomoku and their family: two players, stones in a row. One set of rules serves them all."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

import boardwright as bw
from boardwright.contract.state import States
from boardwright.games.in_a_row.threats import ContinuousFours
from boardwright.games.in_a_row.windows import Prospects

EMPTY, EDGE = 0, 3  # what a point holds; 1 is X, the first player's stone, 2 is O
LETTERS = "abcdefghijklmnopqrstuvwxy"
QUIET = 1 / 16  # what an empty window is worth to the greedy player, where one stone of one's own makes it 8
LONGEST_TABLE = 7  # lines up to this length have a table of tense neighbourhoods, 2^13 entries at most


class LineGame(bw.Game):
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
    policies = ("greedy", "win_block", "win_block_middle")
    card = bw.Card(
        search=bw.SearchHints(
            playout="win_block",  # greedy costs twenty times as much a ply
            forcing="win_block",  # who can win at once does; who must block does: all else can be left out
        )
    )
    move_help = "a move is a column letter and a row number from the bottom, such as b2"
    text_styles = {r"\bX\b": "bold red", r"\bO\b": "bold cyan", r"[()]": "bold yellow", r"\.": "dim"}
    picture = "paper"  # how `svg` draws it

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

    @property
    def grid(self) -> dict[str, Any]:
        """Where the cells are, for learnt tables: field of the state, sides, values a cell may hold, places."""
        places = [self.point(cell) for cell in range(self.actions)]
        return {"field": "cells", "rows": self.height, "columns": self.columns, "values": 3, "places": places}

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

    # Policies

    def decisive(self, s):
        """Whose winning points a player who wins and blocks looks at: 1 or 2, or 0 for none."""
        me = self.turn(s) + 1
        if s.threats[me - 1] > 0:
            return me
        if s.threats[2 - me] > 0:
            return 3 - me
        return 0

    def win_block(self, s, moves, count, weights):
        """Win if you can, else block, else anything."""
        whose = self.decisive(s)
        for i in range(count):
            weights[i] = 1.0
        if whose != 0:
            for i in range(count):
                weights[i] = 1.0 if s.wins[self.point(moves[i])] & whose != 0 else 0.0

    def win_block_middle(self, s, moves, count, weights):
        """Win if you can, else block, else take the middle, else anything."""
        self.win_block(s, moves, count, weights)
        free = False
        for cell in self.middle:
            free = free or s.cells[self.point(cell)] == EMPTY
        if free and self.decisive(s) == 0:
            for i in range(count):
                weights[i] = 0.0
                for cell in self.middle:
                    if moves[i] == cell:
                        weights[i] = 1.0

    @property
    def middle(self) -> tuple[int, ...]:
        """The cell in the middle, or the two or four that share it where a side is even."""
        rows = {(self.height - 1) // 2, self.height // 2}
        columns = {(self.columns - 1) // 2, self.columns // 2}
        return tuple(row * self.columns + column for row in sorted(rows) for column in sorted(columns))

    def greedy(self, s, moves, count, weights):
        """Win, else block, else the cell that serves most of the lines still open to either side."""
        whose = self.decisive(s)
        for i in range(count):
            weights[i] = 0.0
            if whose == 0 or s.wins[self.point(moves[i])] & whose != 0:
                weights[i] = self.promise(s, moves[i], self.turn(s))

    def promise(self, s, cell, me):
        """Slide a window of `line` points along each line through a cell; a window with stones of one colour counts."""
        total = 0.0
        for direction in range(4):
            ray, spot = self.ray(cell, direction), self.spot(cell, direction)
            if self.near(s.rays[0, direction, ray] | s.rays[1, direction, ray], spot) == 0:
                total += self.calm[direction, cell]
                continue
            step = self.steps[direction]
            tail = point = self.point(cell)
            while tail != point - (self.line - 1) * step and s.cells[tail - step] != EDGE:
                tail -= step
            head, length, held = tail, 0, 0
            while head != point + self.line * step and s.cells[head] != EDGE:
                held += self.share[s.cells[head]]
                head += step
                length += 1
                if length > self.line:
                    held -= self.share[s.cells[tail]]
                    tail += step
                if length >= self.line:
                    total += self.worth[me, held]
        return total

    @cached_property
    def calm(self) -> npt.NDArray[np.float64]:
        """[direction, cell]: the promise of a line with no stone near, by how many windows through the cell it has."""
        table = np.zeros((4, self.actions))
        for direction, cell in np.ndindex(table.shape):
            row, column = divmod(cell, self.columns)
            left, right = column, self.columns - 1 - column
            above, below = row, self.height - 1 - row
            reach = (
                (left, right),
                (above, below),
                (min(left, above), min(right, below)),
                (min(left, below), min(right, above)),
            )
            behind, ahead = (min(self.line - 1, room) for room in reach[direction])
            table[direction, cell] = QUIET * max(0, behind + ahead + 2 - self.line)
        return table

    @cached_property
    def share(self) -> npt.NDArray[np.int64]:
        """What a point adds to the number by which `worth` knows a window: X counts ones, O counts `line`s."""
        return np.array([0, 1, self.line, 0])

    @cached_property
    def worth(self) -> npt.NDArray[np.float64]:
        """[player to move, number of a window]: what a stone there is worth. Eight-fold with each stone that it joins;
        stopping the other's stones is worth half of joining as many of one's own."""
        table = np.zeros((2, self.line * self.line))
        table[:, 0] = QUIET
        for stones in range(1, self.line):
            for me in range(2):
                table[me, stones * (1, self.line)[me]] = 8.0**stones
                table[me, stones * (self.line, 1)[me]] = 8.0**stones * 0.5
        return table

    # For networks

    @property
    def observe_shape(self) -> tuple[int, int, int]:
        return self.height, self.columns, 4

    def observe(self, s, out):
        """Planes: stones of the player to move, the other's stones, the latest stone, ones (where the board is)."""
        me = self.turn(s) + 1
        for cell in range(self.actions):
            row, column = cell // self.columns, cell % self.columns
            stone = s.cells[self.point(cell)]
            if stone != EMPTY:
                out[row, column, 0 if stone == me else 1] = 1.0
            out[row, column, 3] = 1.0
        if s.left < self.actions:
            last = s.order[s.left]
            out[last // self.columns, last % self.columns, 2] = 1.0

    @property
    def symmetries(self) -> int:
        return 8 if self.columns == self.height else 4

    @cached_property
    def images(self) -> npt.NDArray[np.int64]:
        """[image, cell]: where the cell lands. Bit 1 of an image turns rows round, 2 columns, 4 swaps them."""
        row, column = np.divmod(np.arange(self.actions), self.columns)
        images = []
        for image in range(self.symmetries):
            new_row = self.height - 1 - row if image & 1 else row
            new_column = self.columns - 1 - column if image & 2 else column
            if image & 4:
                new_row, new_column = new_column, new_row
            images.append(new_row * self.columns + new_column)
        return np.array(images)

    def mirror(self, s, image, out):
        for point in range(self.points):
            out.cells[point] = s.cells[point]
        for cell in range(self.actions):
            there = self.images[image, cell]
            out.cells[self.point(there)] = s.cells[self.point(cell)]
            out.wins[self.point(there)] = s.wins[self.point(cell)]
            out.order[s.place[cell]] = there
            out.place[there] = s.place[cell]
            for direction in range(4):
                if s.cells[self.point(cell)] != EMPTY:
                    self.tenses(out, there, direction, s.cells[self.point(cell)])
        out.threats[0] = s.threats[0]
        out.threats[1] = s.threats[1]
        out.left = s.left
        out.winner = s.winner

    def mirror_move(self, move, image):
        return self.images[image, move]

    # For solvers

    def key(self, s):
        """The stones alone: neither the order in which they came matters, nor that of the list of empty cells."""
        key = 0
        for row in range(self.height):
            for player in range(2):
                key = ((key ^ s.rays[player, 0, row]) * 6364136223846793005) & (2**63 - 1)
                key ^= key >> 31
        return key

    def bounds(self, s, low, high):
        """Erdos and Selfridge (1973): count each window that the other has no stone in as 1/2 for every stone that it
        lacks. Below 1 in all (1/2 if it is one's own turn), the other can spoil them all, and so does not lose."""
        first_hopes, second_hopes = 0.0, 0.0
        for i in range(len(self.windows)):
            direction, ray, spot = self.windows[i, 0], self.windows[i, 1], self.windows[i, 2]
            first = s.rays[0, direction, ray] >> spot & (2**self.line - 1)
            second = s.rays[1, direction, ray] >> spot & (2**self.line - 1)
            if second == 0:
                first_hopes += self.halves[self.stones(first)]
            if first == 0:
                second_hopes += self.halves[self.stones(second)]
        me = self.turn(s)
        high[0] = 0.0 if first_hopes < (0.5 if me == 0 else 1.0) else 1.0
        high[1] = 0.0 if second_hopes < (0.5 if me == 1 else 1.0) else 1.0
        for player in range(2):
            low[player] = -high[1 - player]

    @cached_property
    def starts(self) -> npt.NDArray[np.int64]:
        """[direction, ray]: the first spots, as bits, of all windows on a ray."""
        table = np.zeros((4, self.columns + self.height - 1), np.int64)
        for direction, ray, spot in self.windows:
            table[direction, ray] |= 1 << spot
        return table

    def stones(self, bits):
        """How many bits are set."""
        count = 0
        while bits != 0:
            bits &= bits - 1
            count += 1
        return count

    @cached_property
    def halves(self) -> npt.NDArray[np.float64]:
        """[stones]: what a window with so many counts."""
        return np.asarray(0.5 ** (self.line - np.arange(self.line + 1)))

    @cached_property
    def windows(self) -> npt.NDArray[np.int64]:
        """[window]: direction, ray and first spot of each place where a line could be."""
        found = []
        for cell in range(self.actions):
            row, column = divmod(cell, self.columns)
            for direction, (down, right) in enumerate(((0, 1), (1, 0), (1, 1), (-1, 1))):
                last_row, last_column = row + down * (self.line - 1), column + right * (self.line - 1)
                if 0 <= last_row < self.height and last_column < self.columns:
                    found.append((direction, self.ray(cell, direction), self.spot(cell, direction)))
        return np.array(found)

    # For people

    def cell_name(self, cell: int) -> str:
        return f"{LETTERS[cell % self.columns]}{self.height - cell // self.columns}"

    def move_text(self, s: Any, move: int) -> str:
        return self.cell_name(move)

    def explain(self, s: Any, text: str) -> str:
        found = re.fullmatch(r"([a-z])0*(\d{1,3})", text.lower())
        if not found:
            return ""
        column, row = ord(found[1]) - ord("a"), int(found[2])
        if column >= self.columns:
            return f"no column {found[1]}; columns are a to {LETTERS[self.columns - 1]}"
        if not 1 <= row <= self.height:
            return f"no row {row}; rows are 1 to {self.height}"
        taken = s.cells[self.point((self.height - row) * self.columns + column)]
        return f"{'XO'[taken - 1]} has {found[1]}{row}" if taken else f"write it {found[1]}{row}"

    def last_cell(self, s: Any) -> int:
        """The cell of the latest stone, -1 before the first."""
        return s.order[s.left] if s.left < self.actions else -1

    def winning_cells(self, s: Any) -> list[int]:
        """The cells of the line, or lines, that won."""
        cells: set[int] = set()
        last = self.point(self.last_cell(s))
        for step in self.steps if s.winner else ():
            ahead, behind = self.run(s, last, step, s.winner), self.run(s, last, -step, s.winner)
            if self.enough(behind + 1 + ahead):
                cells.update(last + i * step for i in range(-behind, ahead + 1))
        return [cell for cell in range(self.actions) if self.point(cell) in cells]

    def board(self, s: Any) -> str:
        margin = len(str(self.height))
        lines, last = [], self.last_cell(s)
        for row in range(self.height):
            text = f"{self.height - row:>{margin}} "
            for cell in range(row * self.columns, (row + 1) * self.columns):
                stone = ".XO"[s.cells[self.point(cell)]]
                text += f"({stone})" if cell == last else stone if text.endswith(")") else f" {stone}"
            lines.append(text)
        lines.append(" " * (margin + 2) + " ".join(LETTERS[: self.columns]))
        return "\n".join([*lines, "", self.status(s)])

    def status(self, s: Any) -> str:
        """Who moves or who won, in words."""
        if s.winner:
            return f"{'XO'[s.winner - 1]} wins: {' '.join(map(self.cell_name, self.winning_cells(s)))}"
        return f"{'XO'[self.turn(s)]} to move" if s.left else "A draw"

    def svg(self, s: Any) -> str:
        from boardwright.games.in_a_row.look import draw

        return draw(self, s)

    def unsound(self, s: Any) -> str:
        """The state holds its own moves: play them again and compare."""
        if not 0 <= s.left <= self.actions:
            return f"{s.left} empty cells on a board of {self.actions}"
        if sorted(s.order) != list(range(self.actions)):
            return "order must hold each cell once"
        rules = self.interpreted
        fresh: Any = States(np.zeros(1, self.state_dtype))[0]
        rules.start(fresh)
        for cell in reversed(s.order[s.left :].tolist()):
            if rules.player(fresh) == bw.OVER:
                return "it goes on after the game was won"
            rules.play(fresh, cell)
        for name in ("cells", "wins", "threats", "rays", "winner"):
            if getattr(s, name) != getattr(fresh, name):
                return f"{name} does not follow from the moves in order"
        if any(s.place[cell] != place for place, cell in enumerate(s.order)):
            return "place does not say where each cell stands in order"
        return ""


class TicTacToe(LineGame):
    """Tic-tac-toe on any board: the first line of three, or as many as you like, wins."""

    _name = "tictactoe"
    size: int = 3
    rows: int = 0
    line: int = 3


class Gomoku(ContinuousFours, Prospects, LineGame):
    """Gomoku: five in a row on a board of 15 lines; six or more count too, unless exactly five is asked for."""

    _name = "gomoku"
    size: int = 15
    rows: int = 0
    line: int = 5
    exactly: bool = False

    smallest = 5
    move_help = "a move is a column letter and a row number from the bottom, such as h8"
    picture = "wood"
