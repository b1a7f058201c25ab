"""Learning 2048 on bitboards: play a game greedily, then walk it backwards and pull each afterstate to what followed.

TD(lambda) on afterstates (Szubert and Jaskowski 2014; Jaskowski 2018), steps by temporal coherence (Beal and Smith
1999), backwards and with restarts from the middle of the game (Matsuzaki 2017). `learning.py` says the same for any
game; the tests compare the two number for number.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.kernel import kernel
from boardwright.compile.random import unit
from boardwright.games.twenty48.bitboard import add_tile, slide_rows, sum_rows, transpose, two_largest

LONGEST = 1 << 16  # afterstates of a game; 32768 twice comes after about 40,000
FRESH, MOVES, SUM, SQUARES, BEST, TILES = 0, 1, 2, 3, 4, 8  # places in `stats`; TILES + k: games with largest tile 2^k
STATS = TILES + 18

_0 = np.uint64(0)


class Step(NamedTuple):
    """How to learn, as numbers for kernels."""

    alpha: float  # size of a step, shared among the active numbers
    trace: float  # lambda: how much of the target is what really followed, rather than the next value
    coherent: int  # 1: each number's step shrinks as its errors change sign (TC)
    restart: int  # a path at least so long is taken up again from its middle; 0: never
    four: float  # odds of a 4


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
def adjust(learned: Any, coherence: Any, indices: Any, images: Any, error: Any, step: Any) -> Any:
    """Move the active numbers by their share of the error; returns their new sum.

    indices: the active numbers, pattern by pattern. coherence[i]: sums of signed and of absolute errors.
    """
    share = np.float32(step.alpha * error / len(indices))
    signed = np.float32(error)
    absolute = abs(signed)
    total = 0.0
    part = np.float32(0.0)
    for k in range(len(indices)):
        at = indices[k]
        if step.coherent != 0:
            mean, spread = coherence[at, 0], coherence[at, 1]
            moved = learned[at] + (share * (abs(mean) / spread) if spread > np.float32(0.0) else share)
            coherence[at, 0] = mean + signed
            coherence[at, 1] = spread + absolute
        else:
            moved = learned[at] + share
        learned[at] = moved
        part += moved
        if (k + 1) % images == 0:
            total += np.float64(part)
            part = np.float32(0.0)
    return total


class BoardLesson(NamedTuple):
    """What one trainer works with."""

    rng: npt.NDArray[np.uint64]  # (1,)
    start: npt.NDArray[np.uint64]  # (1,): the afterstate from which the next game goes on; 0: from an empty board
    boards: npt.NDArray[np.uint64]  # room for a path
    rewards: npt.NDArray[np.float64]  # the same: points of the slides
    indices: npt.NDArray[np.uint64]  # one an active number
    stats: npt.NDArray[np.float64]  # see above, of games from the start


def new_board_lesson(active: int, rng: npt.NDArray[np.uint64]) -> BoardLesson:
    """For so many active numbers."""
    return BoardLesson(
        rng, np.zeros(1, np.uint64), np.zeros(LONGEST, np.uint64), np.zeros(LONGEST), np.zeros(active, np.uint64),
        np.zeros(STATS),
    )  # fmt: skip


@kernel
def learn_boards(
    tables: Any, learned: Any, coherence: Any, rows: Any, step: Any, lesson: Any, games: Any
) -> None:  # fmt: skip
    """Play so many games, each followed by its lesson."""
    rng, start, boards = lesson.rng, lesson.start, lesson.boards
    rewards, indices, stats = lesson.rewards, lesson.indices, lesson.stats
    for _ in range(games):
        fresh = start[0] == _0
        board = add_tile(start[0], unit(rng), step.four)
        if fresh:
            board = add_tile(board, unit(rng), step.four)
        score = 0.0
        length = 0
        while length < len(boards):
            direction, after, points, _value = best_slide(tables, learned, rows, board)
            if direction < 0:
                break
            boards[length] = after
            rewards[length] = points
            score += points
            length += 1
            if two_largest(after):
                break
            board = add_tile(after, unit(rng), step.four)
        target = 0.0  # nothing comes after the last afterstate
        for t in range(length - 1, -1, -1):
            value = tables.board_value(learned, boards[t])
            tables.board_indices(boards[t], indices)
            moved = adjust(learned, coherence, indices, tables.images, target - value, step)
            target = rewards[t] + (1.0 - step.trace) * moved + step.trace * target
        stats[MOVES] += length
        if fresh:
            note_game(stats, score, board)
        start[0] = boards[length // 2] if step.restart > 0 and length >= step.restart else _0


@kernel
def note_game(stats: Any, score: Any, board: Any) -> None:
    """Count a finished game."""
    stats[FRESH] += 1
    stats[SUM] += score
    stats[SQUARES] += score * score
    stats[BEST] = max(stats[BEST], score)
    largest = np.uint64(0)
    for _ in range(16):
        largest = max(largest, board & np.uint64(15))
        board >>= np.uint64(4)
    stats[TILES + np.int64(largest)] += 1
