"""What networks, tables and solvers see of stones in a row, and which positions are the same to them."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.games.in_a_row.rules import EMPTY, LineRules


class LineSight(LineRules):
    """Observation, grid, symmetries and the key of a position."""

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

    @property
    def grid(self) -> dict[str, Any]:
        """Where the cells are, for learnt tables: field of the state, sides, values a cell may hold, places."""
        places = [self.point(cell) for cell in range(self.actions)]
        return {"field": "cells", "rows": self.height, "columns": self.columns, "values": 3, "places": places}

    def key(self, s):
        """The stones alone: neither the order in which they came matters, nor that of the list of empty cells."""
        key = 0
        for row in range(self.height):
            for player in range(2):
                key = ((key ^ s.rays[player, 0, row]) * 6364136223846793005) & (2**63 - 1)
                key ^= key >> 31
        return key
