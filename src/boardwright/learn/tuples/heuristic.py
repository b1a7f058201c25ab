"""A hand-made value of 2048 boards: order, empty cells and pairs, lane by lane. No training: a yardstick.

The measure of a lane is that of the game's `greedy` policy; a board is worth its four rows and four columns. As a
table of 65,536 rows it takes eight look-ups, in the place where a search asks learnt tables.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.contract.compiled import Compiled
from boardwright.contract.kernel import kernel
from boardwright.games.twenty48 import TwentyFortyEight
from boardwright.learn.tuples.bitboard import transpose

UNIT = 60.0  # points that one unit of order is worth against points made
STANDING = 40_000.0  # that the game goes on: no order is so bad that its end were better


class LaneOrder(Compiled):
    """The `board_value` of `learned`, a number a lane."""

    lanes: int = 8

    def rules(self) -> tuple[str, ...]:
        return ("board_value",)

    def board_value(self, learned: Any, board: Any) -> Any:
        return STANDING + UNIT * (four_rows(learned, board) + four_rows(learned, transpose(board)))


@kernel
def four_rows(numbers: Any, board: Any) -> Any:
    row = np.uint64(0xFFFF)
    return (
        numbers[board & row]
        + numbers[(board >> np.uint64(16)) & row]
        + numbers[(board >> np.uint64(32)) & row]
        + numbers[board >> np.uint64(48)]
    )


@cache
def lane_numbers() -> npt.NDArray[np.float32]:
    """[row]: its order, as the game's own policy measures it."""
    measure: Any = TwentyFortyEight().lane_order
    numbers = np.zeros(65536, np.float32)
    for row in range(65536):
        lane = [row >> 4 * k & 15 for k in range(4)]
        numbers[row] = measure(lane, 0, 1)
    numbers.flags.writeable = False
    return numbers
