"""The report's look at a place: the levels round the tile, and how alike two such looks are (section 5, figure 2).

A window is the 3 x 4 box of an upright tile with two squares more on each side: 7 wide, 8 high; of a tile that lies, 8
wide, 7 high. Each of its 56 squares holds the highest level with a tile there, before the move, or nothing. The squares
are numbered zone by zone: the 12 of the box, the 18 round them, the 26 round those.

A window is kept as four numbers of 56 bits: bit i of number b is bit b of (1 + level) on square i. Two windows are then
compared by a few operations for all squares at once: five times as fast as square by square.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.compile.kernel import kernel
from boardwright.games.nmbr9.tiles import LEVELS, RING

SQUARES = 56
PLANES = 4  # bits of 1 + level
BOX, NEAR, FAR = (1 << 12) - 1, (1 << 30) - (1 << 12), (1 << 56) - (1 << 30)  # the zones of 12, 18 and 26 squares
SAME = 1.0 - 1e-9  # a similarity that only equal windows have
AROUND = 8  # squares kept round the layout: a tile beside it is 4 long, its window reaches 2 further
SPAN = RING + 2 * AROUND
KINDS = 40 * LEVELS  # of placements: number, quarter turns, level


def _squares(tall: int, wide: int) -> list[tuple[int, int]]:
    """Row and column of each square of a window, counted from the top left corner of the box; zone by zone."""
    places = [(y, x) for y in range(-2, tall + 2) for x in range(-2, wide + 2)]
    return sorted(places, key=lambda place: max(-place[0], place[0] - tall + 1, -place[1], place[1] - wide + 1, 0))


PLACES: npt.NDArray[np.int64] = np.array([_squares(4, 3), _squares(3, 4)])  # [upright or lying, square, row or column]


@kernel
def lay_heights(game: Any, s: Any, heights: Any) -> None:
    """heights[y, x]: 1 + the highest level with a tile on that square, 0 without; (AROUND, AROUND) is the top left
    corner of the box round all tiles. int64, SPAN x SPAN; that box and what windows see beside it is written."""
    for y in range(s.tall + 2 * AROUND):
        for x in range(s.wide + 2 * AROUND):
            heights[y, x] = 0
    for k in range(s.count):
        shape = 4 * s.number[k] + s.turned[k]
        top = (s.row[k] - s.top) % RING + AROUND
        left = (s.column[k] - s.start_column) % RING + AROUND
        for y in range(game.shape_tall[shape]):
            for x in range(game.shape_wide[shape]):
                if (game.shape_bits[shape, y] >> x) & 1:
                    heights[top + y, left + x] = 1 + s.level[k]


@kernel
def cut_window(s: Any, heights: Any, turned: Any, row: Any, column: Any, window: Any) -> None:
    """What lies round a tile, the top left corner of whose box is to be at (row, column) on or beside the layout s:
    into int64 window[:PLANES]. heights: of that layout."""
    for b in range(PLANES):
        window[b] = 0
    if s.count == 0:
        return
    lying = turned % 2
    top = (row - s.top + AROUND) % RING
    left = (column - s.start_column + AROUND) % RING
    for i in range(SQUARES):
        height = heights[top + PLACES[lying, i, 0], left + PLACES[lying, i, 1]]
        if height != 0:
            for b in range(PLANES):
                window[b] |= ((height >> b) & 1) << i


@kernel
def ones(bits: Any) -> Any:
    """How many of 56 bits are set: added up in pairs, fours, eights, then all eights at once (256 is 1 modulo 255)."""
    bits = bits - ((bits >> 1) & 0x55555555555555)
    bits = (bits & 0x33333333333333) + ((bits >> 2) & 0x33333333333333)
    return ((bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F) % 255


@kernel
def similarity(one: Any, other: Any, enough: Any) -> Any:
    """The report's similarity score of two windows, 0 to 1 (section 5); below 0 once it cannot exceed `enough`.

    A square with equal levels (or nothing in both) counts 1, one with tiles on different levels a half.
    """
    differ = (one[0] ^ other[0]) | (one[1] ^ other[1]) | (one[2] ^ other[2]) | (one[3] ^ other[3])
    covered = (one[0] | one[1] | one[2] | one[3]) & (other[0] | other[1] | other[2] | other[3])
    apart = differ & ~covered
    score = 0.5 - 0.5 / 24 * (ones(differ & BOX) + ones(apart & BOX))
    if score + 0.5 <= enough:
        return -1.0
    score += 0.4 - 0.4 / 36 * (ones(differ & NEAR) + ones(apart & NEAR))
    if score + 0.1 <= enough:
        return -1.0
    return score + 0.1 - 0.1 / 52 * (ones(differ & FAR) + ones(apart & FAR))


@kernel
def recall(windows: Any, used: Any, values: Any, kind: Any, window: Any, otherwise: Any) -> Any:
    """The value of the stored window of this kind that is most like `window`; `otherwise` if none is stored.

    windows: int64 [kind, place, plane]; used: how many places of a kind are taken; values: [kind, place], points.
    """
    best = -1.0
    value = otherwise
    for i in range(used[kind]):
        alike = similarity(windows[kind, i], window, best)
        if alike > best:
            best = alike
            value = values[kind, i]
            if alike > SAME:
                break
    return value
