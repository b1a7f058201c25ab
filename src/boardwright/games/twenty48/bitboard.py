"""2048 on 4x4 as one number: 16 nibbles of 64 bits, slides by a table of rows, images by swapping nibbles.

Nibble k is cell k (cell 0 the top left one, counted row by row) and holds the exponent of its tile, 0 for none. A row
is 16 bits, so 65,536 rows exist and a slide is four look-ups; columns are the rows of the transposed board. This is
about ten times as fast as the rules' loops over cells, which any size can use and which the tests hold this to.
A nibble ends at 15, a tile of 32768: see `two_largest`.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.kernel import kernel, kernel_with

SIDE = 4
LARGEST = 15


class Rows(NamedTuple):
    """What becomes of a row, by its 16 bits."""

    left: npt.NDArray[np.uint16]
    right: npt.NDArray[np.uint16]
    reward: npt.NDArray[np.int32]  # the points of either slide


@cache
def row_tables() -> Rows:
    """Slide every row: tiles go to nibble 0, two equal ones merge once, those at the wall first. Two of 32768 become
    one of 32768 that pays 65536: the sum fits no nibble."""
    tiles, reward = all_lanes(), np.zeros(65536, np.int32)
    _close_gaps(tiles)
    for k in range(3):  # a tile that has merged meets a gap, and so merges no second time
        equal = (tiles[:, k] == tiles[:, k + 1]) & (tiles[:, k] != 0)
        reward += np.where(equal, 2 << tiles[:, k], 0).astype(np.int32)
        tiles[:, k] += equal
        tiles[equal, k + 1] = 0
    _close_gaps(tiles)
    np.minimum(tiles, LARGEST, out=tiles)
    left = (tiles << np.arange(0, 16, 4)).sum(1).astype(np.uint16)
    turned = (all_lanes()[:, ::-1] << np.arange(0, 16, 4)).sum(1)
    right = left[turned]
    return Rows(left, turned[right].astype(np.uint16), reward)


def all_lanes() -> npt.NDArray[np.int64]:
    """[row, place]: the exponents in every row that 16 bits can name."""
    return np.arange(65536)[:, None] >> np.arange(0, 16, 4) & 15


def _close_gaps(tiles: npt.NDArray[np.int64]) -> None:
    """Move the tiles of each row to its beginning, in place."""
    order = np.argsort(tiles == 0, axis=1, kind="stable")
    tiles[:] = np.take_along_axis(tiles, order, 1)


_ROW = np.uint64(0xFFFF)
_4, _8, _12, _16, _24, _32, _48 = (np.uint64(n) for n in (4, 8, 12, 16, 24, 32, 48))
_DIAGONAL_1, _UP_1, _DOWN_1 = (np.uint64(n) for n in (0xF0F00F0FF0F00F0F, 0x0000F0F00000F0F0, 0x0F0F00000F0F0000))
_DIAGONAL_2, _UP_2, _DOWN_2 = (np.uint64(n) for n in (0xFF00FF0000FF00FF, 0x00000000FF00FF00, 0x00FF00FF00000000))
_LOW_NIBBLES, _LOW_BYTES = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x00FF00FF00FF00FF)
_LOW_ROWS = np.uint64(0x0000FFFF0000FFFF)
_ONES = np.uint64(0x1111111111111111)
_0, _1, _2, _3 = (np.uint64(n) for n in (0, 1, 2, 3))


@kernel
def transpose(board: Any) -> Any:
    """Swap rows and columns: nibbles across the diagonal in blocks of 2x2, then the blocks."""
    board = (board & _DIAGONAL_1) | ((board & _UP_1) << _12) | ((board & _DOWN_1) >> _12)
    return (board & _DIAGONAL_2) | ((board & _UP_2) << _24) | ((board & _DOWN_2) >> _24)


@kernel
def flip_columns(board: Any) -> Any:
    """Each row from right to left."""
    board = ((board & _LOW_NIBBLES) << _4) | ((board >> _4) & _LOW_NIBBLES)
    return ((board & _LOW_BYTES) << _8) | ((board >> _8) & _LOW_BYTES)


@kernel
def flip_rows(board: Any) -> Any:
    """The last row first."""
    board = ((board & _LOW_ROWS) << _16) | ((board >> _16) & _LOW_ROWS)
    return (board << _32) | (board >> _32)


@kernel
def slide_rows(board: Any, table: Any) -> Any:
    """Every row as `table` has it."""
    return (
        np.uint64(table[board & _ROW])
        | (np.uint64(table[(board >> _16) & _ROW]) << _16)
        | (np.uint64(table[(board >> _32) & _ROW]) << _32)
        | (np.uint64(table[board >> _48]) << _48)
    )


@kernel
def sum_rows(board: Any, table: Any) -> Any:
    """The sum of what `table` has for the four rows."""
    return table[board & _ROW] + table[(board >> _16) & _ROW] + table[(board >> _32) & _ROW] + table[board >> _48]


@kernel
def slide(board: Any, rows: Any, direction: Any) -> Any:
    """(board, points) of a slide: 0 up, 1 right, 2 down, 3 left. The same board if nothing moves."""
    if direction == 3:
        return slide_rows(board, rows.left), sum_rows(board, rows.reward)
    if direction == 1:
        return slide_rows(board, rows.right), sum_rows(board, rows.reward)
    turned = transpose(board)
    if direction == 0:
        return transpose(slide_rows(turned, rows.left)), sum_rows(turned, rows.reward)
    return transpose(slide_rows(turned, rows.right)), sum_rows(turned, rows.reward)


def _count_nibbles_in_python(marked: Any) -> int:
    return int(marked).bit_count()


@kernel_with(_count_nibbles_in_python)
def count_nibbles(marked: Any) -> Any:
    """How many nibbles hold 1, where all hold 0 or 1."""
    marked = (marked + (marked >> _4)) & np.uint64(0x0F0F0F0F0F0F0F0F)  # pairs, up to 2 in a byte
    return np.int64((marked * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel
def empty_marks(board: Any) -> Any:
    """A 1 in every nibble that is empty."""
    filled = board | (board >> _2)
    filled |= filled >> _1
    return (filled & _ONES) ^ _ONES


@kernel
def two_largest(board: Any) -> Any:
    """Whether two tiles of 32768 are there. What they make, 65536, fits no nibble: play in kernels ends here, beyond
    900,000 points."""
    marks = board & (board >> _2)
    marks = marks & (marks >> _1) & _ONES
    return marks != _0 and (marks & (marks - _1)) != _0


@kernel
def add_tile(board: Any, unit: Any, four: Any) -> Any:
    """A new tile on an empty cell, as one number from 0 to 1 says: the same one that `pick` would draw from the
    rules' list of chances, cell by cell a 2 and a 4."""
    marks = empty_marks(board)
    point = unit * count_nibbles(marks)
    cell = np.int64(point)
    for _ in range(cell):
        marks &= marks - _1
    tile = _2 if point - cell >= 1.0 - four else _1
    return board | ((marks ^ (marks & (marks - _1))) * tile)


@kernel
def fits(cells: Any) -> Any:
    """Whether a nibble can hold each of 16 cells."""
    largest = 0
    for cell in range(16):
        largest = max(largest, cells[cell])
    return largest <= LARGEST


@kernel
def pack(cells: Any) -> Any:
    """The number of a board from its 16 cells."""
    board = _0
    for cell in range(16):
        board |= np.uint64(min(cells[cell], LARGEST)) << np.uint64(4 * cell)
    return board


def board_of(cells: Any) -> int:
    """The number of a board from its 16 cells."""
    return sum(min(int(tile), LARGEST) << 4 * k for k, tile in enumerate(cells))


def cells_of(board: int) -> list[int]:
    """The 16 cells of a board's number."""
    return [int(board) >> 4 * k & 15 for k in range(16)]
