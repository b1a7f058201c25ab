"""Expectimax on bitboards: slides of the player, every new tile of chance, the evaluator's word at the end.

One ply is the slide itself: points plus the value of its afterstate. Each further ply looks at all new tiles and the
best slide after each. Values of afterstates are kept in a memory, under the least of their eight images, with the plies
that they were searched; it outlives moves, so a search often finds what an earlier one has looked at as deep or deeper.
The stack is explicit: a search can stop after so many positions and go on later.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.kernel import kernel
from boardwright.games.twenty48.bitboard import (
    LARGEST,
    count_nibbles,
    empty_marks,
    flip_columns,
    flip_rows,
    pack,
    slide,
    slide_rows,
    sum_rows,
    transpose,
)

NOTHING = -1e300  # below every value
BEYOND = 99  # larger than every tile's exponent
_0, _1, _2, _3 = (np.uint64(n) for n in (0, 1, 2, 3))
_MIX = np.uint64(0x9E3779B97F4A7C15)

FRAME = np.dtype(
    [
        ("after", "u8"),  # the afterstate whose value is looked for
        ("key", "u8"),
        ("marks", "u8"),  # cells on which a tile is still to be tried
        ("board", "u8"),  # with the tile in work
        ("total", "f8"),  # weighted values so far
        ("best", "f8"),  # of the slides after the tile in work
        ("points", "f8"),  # of the slide in work
        ("cells", "i8"),  # empty ones
        ("plies", "i8"),  # still to look ahead; 0: the evaluator speaks
        ("tile", "i8"),  # in work: 1 a 2, 2 a 4; 0: none yet
        ("turn", "i8"),  # the next slide to try
    ],
    align=True,
)
PROGRESS = np.dtype([("level", "i8"), ("nodes", "i8"), ("value", "f8")], align=True)
MEMORY = np.dtype([("key", "u8"), ("value", "f4"), ("plies", "i4")], align=True)  # plies 0: nothing here


def new_memory(megabytes: float) -> npt.NDArray[np.void]:
    """An empty memory of at most so many megabytes: a power of two of entries."""
    return np.zeros(1 << max(10, int(megabytes * 1e6 // MEMORY.itemsize).bit_length() - 1), MEMORY)


class Lookahead(NamedTuple):
    """What a search works with."""

    memory: npt.NDArray[np.void]
    stack: npt.NDArray[np.void]  # FRAME, one a ply and one more
    progress: npt.NDArray[np.void]  # (1,) PROGRESS
    values: npt.NDArray[np.float64]  # (4,): points to come by each slide


def new_lookahead(megabytes: float, plies: int) -> Lookahead:
    """An empty one, with a memory of at most so many megabytes, for up to so many plies."""
    return Lookahead(
        new_memory(megabytes), np.zeros(plies + 1, FRAME), np.zeros(1, PROGRESS), np.zeros(4)
    )  # fmt: skip


class Reach(NamedTuple):
    """How far to look, and at what."""

    plies: int
    four: float  # odds of a 4
    smallest: int  # see `downgraded`


@kernel
def best_slide(tables: Any, learned: Any, rows: Any, board: Any) -> Any:
    """(direction, afterstate, points, value) of the slide with most points plus value of its afterstate; direction -1
    if there is none. Ties go to the first of up, right, down, left."""
    turned = transpose(board)
    best, direction, chosen, points, worth = -1e300, -1, board, 0, 0.0
    across, along = sum_rows(board, rows.reward), sum_rows(turned, rows.reward)
    after = slide_rows(turned, rows.left)
    if after != turned:
        after = transpose(after)
        value = tables.board_value(learned, after)
        best, direction, chosen, points, worth = along + value, 0, after, along, value
    after = slide_rows(board, rows.right)
    if after != board:
        value = tables.board_value(learned, after)
        if across + value > best:
            best, direction, chosen, points, worth = across + value, 1, after, across, value
    after = slide_rows(turned, rows.right)
    if after != turned:
        after = transpose(after)
        value = tables.board_value(learned, after)
        if along + value > best:
            best, direction, chosen, points, worth = along + value, 2, after, along, value
    after = slide_rows(board, rows.left)
    if after != board:
        value = tables.board_value(learned, after)
        if across + value > best:
            best, direction, chosen, points, worth = across + value, 3, after, across, value
    return direction, chosen, points, worth


@kernel
def least_image(board: Any) -> Any:
    """The least number among the board's eight images."""
    least = board
    for _ in range(2):
        turned = flip_rows(board)
        least = min(least, min(board, turned))
        board = flip_columns(board)
        least = min(least, min(board, flip_columns(turned)))
        board = transpose(board)
    return least


@kernel
def memory_slot(memory: Any, key: Any) -> Any:
    mixed = (key ^ (key >> np.uint64(32))) * _MIX
    return np.int64(mixed >> np.uint64(20)) & (len(memory) - 1)


@kernel
def expect(tables: Any, learned: Any, rows: Any, lookahead: Any, four: Any, nodes: Any) -> Any:
    """Go on for about so many positions; True once progress[0].value is the value of stack[0].after, looked at for
    stack[0].plies. To begin: progress[0].level = 0, stack[0].tile = -1. four: odds of a 4."""
    memory, stack, progress = lookahead.memory, lookahead.stack, lookahead.progress[0]
    limit = progress.nodes + nodes
    level = progress.level
    while progress.nodes < limit:
        frame = stack[level]
        value = NOTHING
        if frame.plies == 0:
            progress.nodes += 1
            value = tables.board_value(learned, frame.after)
        elif frame.tile < 0:
            frame.key = least_image(frame.after)
            entry = memory[memory_slot(memory, frame.key)]
            if entry.key == frame.key and entry.plies >= frame.plies:
                value = np.float64(entry.value)
            else:
                frame.marks = empty_marks(frame.after)
                frame.cells = count_nibbles(frame.marks)
                frame.total = 0.0
                frame.tile = 0
                frame.turn = 4
        elif frame.turn < 4:
            after, points = slide(frame.board, rows, frame.turn)
            frame.turn += 1
            if after != frame.board:
                frame.points = points
                level += 1
                stack[level].after = after
                stack[level].plies = frame.plies - 1
                stack[level].tile = -1
        else:
            if frame.tile > 0:  # the best slide after this tile is known; without any, nothing more is won
                gained = frame.best if frame.best > NOTHING else 0.0
                frame.total += gained * (four if frame.tile == 2 else 1.0 - four)
                if frame.tile == 2:
                    frame.marks &= frame.marks - _1
            if frame.marks == _0:
                value = frame.total / frame.cells
                entry = memory[memory_slot(memory, frame.key)]
                entry.key = frame.key
                entry.value = value
                entry.plies = frame.plies
            else:
                frame.tile = 2 if frame.tile == 1 else 1
                frame.board = frame.after | ((frame.marks & (_0 - frame.marks)) << np.uint64(frame.tile - 1))
                frame.best = NOTHING
                if frame.plies == 1:
                    progress.nodes += 1
                    direction, _after, points, worth = best_slide(tables, learned, rows, frame.board)
                    if direction >= 0:
                        frame.best = points + worth
                else:
                    frame.turn = 0
        if value > NOTHING:
            if level == 0:
                progress.value = value
                progress.level = 0
                return True
            level -= 1
            stack[level].best = max(stack[level].best, stack[level].points + value)
    progress.level = level
    return False


@kernel
def downgraded(board: Any, smallest: Any) -> Any:
    """The board to look at instead of one that holds a tile of 2^smallest or more: tiles above the largest missing
    value are halved, which changes no slide (Guei and others, TDL2048+; Yeh and others 2016). Tables know such boards
    better."""
    present = np.int64(0)
    largest = np.int64(0)
    rest = board
    for _ in range(16):
        tile = np.int64(rest & np.uint64(15))
        present |= np.int64(1) << tile
        largest = max(largest, tile)
        rest >>= np.uint64(4)
    if largest < smallest:
        return board
    missing = largest
    while missing > 0 and (present >> missing) & 1 == 1:
        missing -= 1
    if missing == 0:
        return board
    halved = _0
    for cell in range(16):
        tile = (board >> np.uint64(4 * cell)) & np.uint64(15)
        if np.int64(tile) > missing:
            tile -= _1
        halved |= tile << np.uint64(4 * cell)
    return halved


@kernel
def halve_tiles(tiles: Any, smallest: Any) -> Any:
    """Make of tiles (exponents of any size) what `downgraded` makes of a board, in place, until a nibble holds each;
    whether any was halved."""
    changed = False
    while True:
        largest = 0
        for cell in range(len(tiles)):
            largest = max(largest, tiles[cell])
        if largest < smallest or (changed and largest <= LARGEST):
            return changed
        missing = largest
        while missing > 0:
            there = False
            for cell in range(len(tiles)):
                if tiles[cell] == missing:
                    there = True
            if not there:
                break
            missing -= 1
        if missing == 0:
            return changed
        for cell in range(len(tiles)):
            if tiles[cell] > missing:
                tiles[cell] -= 1
        changed = True


@kernel
def seen_slides(tiles: Any, rows: Any, smallest: Any, afters: Any, points: Any) -> Any:
    """afters[d], points[d] = what slide d of the tiles leads to, as it is looked at, and pays; returns a bit for each
    slide that moves something. Tiles (int64, changed) and, where none was halved, afterstates are `downgraded`."""
    changed = halve_tiles(tiles, smallest)
    board = pack(tiles)
    moving = 0
    for direction in range(4):
        after, gained = slide(board, rows, direction)
        if after != board:
            moving |= 1 << direction
            if not changed:  # a slide may make the first tile that calls for halving
                after = downgraded(after, smallest)
        afters[direction] = after
        points[direction] = gained
    return moving


@kernel
def search_slide(tables: Any, learned: Any, rows: Any, lookahead: Any, board: Any, reach: Any) -> Any:
    """The best slide at reach.plies, or -1; lookahead.values[d]: points to come by slide d, NOTHING if it does not
    move. The board is looked at as `downgraded`, and so is the afterstate of a slide that makes the first tile of that
    size."""
    stack, progress, values, smallest = lookahead.stack, lookahead.progress, lookahead.values, reach.smallest
    best, chosen = NOTHING, -1
    seen = downgraded(board, smallest)
    if seen != board:
        board = seen
        smallest = BEYOND
    for direction in range(4):
        after, points = slide(board, rows, direction)
        values[direction] = NOTHING
        if after != board:
            stack[0].after = downgraded(after, smallest)
            stack[0].plies = reach.plies - 1
            stack[0].tile = -1
            progress[0].level = 0
            while not expect(tables, learned, rows, lookahead, reach.four, 1 << 40):
                pass
            values[direction] = points + progress[0].value
            if values[direction] > best:
                best, chosen = values[direction], direction
    return chosen


@kernel
def search_slides(
    tables: Any, learned: Any, rows: Any, lookahead: Any, boards: Any, reach: Any, games: Any, told: Any
) -> None:  # fmt: skip
    """The best slide of each board into told.moves, points to come into told.values and positions looked at into
    told.simulations, at games[i] for boards[i]."""
    for i in range(len(boards)):
        lookahead.progress[0].nodes = 0
        best = search_slide(tables, learned, rows, lookahead, boards[i], reach)
        told.moves[games[i]] = best
        told.values[games[i]] = lookahead.values[best] if best >= 0 else 0.0
        told.simulations[games[i]] = lookahead.progress[0].nodes
