"""A hand-made value of 2048 boards: order, empty cells and pairs, lane by lane. No training: a yardstick.

The measure of a lane is that of the game's `greedy` policy; a board is worth its four rows and four columns. As a
table of 65,536 rows it takes eight look-ups, in the place where a search asks learnt tables.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.contract.compilable import Compilable
from boardwright.games.twenty48.bitboard import sum_rows, transpose
from boardwright.games.twenty48.skill import SlidingSkill

UNIT = 60.0  # points that one unit of order is worth against points made
STANDING = 40_000.0  # that the game goes on: no order is so bad that its end were better


class LaneOrder(Compilable):
    """The `board_value` of `learned`, a number a lane."""

    lanes: int = 8

    def rules(self) -> tuple[str, ...]:
        return ("board_value",)

    def board_value(self, learned: Any, board: Any) -> Any:
        return STANDING + UNIT * (sum_rows(board, learned) + sum_rows(transpose(board), learned))


@cache
def lane_numbers() -> npt.NDArray[np.float32]:
    """[row]: its order, as the game's own policy measures it."""
    numbers = SlidingSkill().lane_orders.astype(np.float32)
    numbers.flags.writeable = False
    return numbers
