"""Policies for stones in a row: win, block, and what a cell promises."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from boardwright.games.in_a_row.rules import EDGE, EMPTY, LineRules

QUIET = 1 / 16  # what an empty window is worth to the greedy player, where one stone of one's own makes it 8


class LineSkill(LineRules):
    """Three policies, the best known first."""

    policies: ClassVar[tuple[str, ...]] = ("greedy", "win_block", "win_block_middle")

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
