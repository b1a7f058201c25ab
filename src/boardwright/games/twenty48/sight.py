"""What networks and tables see of 2048, and which positions are the same to them."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

import boardwright as bw
from boardwright.games.twenty48.rules import DOWN, LEFT, RIGHT, UP, SlidingRules


class SlidingSight(SlidingRules):
    """Observation, grid and symmetries."""

    symmetries = 8

    @property
    def observe_shape(self) -> tuple[int, int, int]:
        return self.size, self.size, 18

    def observe(self, s, out):
        """Planes 0 to 16: the cell holds that exponent (16: or a larger one). Plane 17: ones if chance moves next."""
        for cell in range(self.area):
            row, column = cell // self.size, cell % self.size
            out[row, column, min(s.cells[cell], 16)] = 1.0
            if s.actor == bw.CHANCE:
                out[row, column, 17] = 1.0

    @cached_property
    def images(self) -> npt.NDArray[np.int64]:
        """[image, cell]: where the cell lands. Bit 1 of an image turns rows round, 2 columns, 4 swaps them."""
        row, column = np.divmod(np.arange(self.area), self.size)
        images = []
        for image in range(8):
            new_row = self.size - 1 - row if image & 1 else row
            new_column = self.size - 1 - column if image & 2 else column
            images.append(new_column * self.size + new_row if image & 4 else new_row * self.size + new_column)
        return np.array(images)

    def mirror(self, s, image, out):
        for cell in range(self.area):
            out.cells[self.images[image, cell]] = s.cells[cell]
        out.score = s.score
        out.tiles = s.tiles
        out.actor = s.actor

    def mirror_move(self, move, image):
        if image & 1 and move in (UP, DOWN):
            move = UP + DOWN - move
        if image & 2 and move in (LEFT, RIGHT):
            move = LEFT + RIGHT - move
        return LEFT - move if image & 4 else move  # swapping the axes swaps up with left and right with down

    @property
    def grid(self) -> dict[str, Any]:
        """Where the cells are, for learnt tables: field of the state, sides, values a cell may hold, places."""
        return {"field": "cells", "rows": self.size, "columns": self.size, "values": 16, "places": range(self.area)}
