"""Learning 2048 on bitboards: play a game greedily, then walk it backwards and pull each afterstate to what followed.

TD(lambda) on afterstates (Szubert and Jaskowski 2014; Jaskowski 2018), steps by temporal coherence (Beal and Smith
1999), backwards and with restarts from the middle of the game (Matsuzaki 2017). `learn/tuples/learning.py` says the
same for any game; the tests compare the two number for number.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.kernel import kernel
from boardwright.compile.random import unit
from boardwright.compile.td_steps import BEST, FRESH, MOVES, OWN, SQUARES, STATS, SUM, adjust
from boardwright.games.twenty48.bitboard import add_tile, two_largest
from boardwright.games.twenty48.expectimax import best_slide

LONGEST = 1 << 16  # afterstates of a game; 32768 twice comes after about 40,000
TILES = OWN  # TILES + k in `stats`: games with largest tile 2^k

_0 = np.uint64(0)


class BoardLesson(NamedTuple):
    """What one trainer works with."""

    rng: npt.NDArray[np.uint64]  # (1,)
    start: npt.NDArray[np.uint64]  # (1,): the afterstate from which the next game goes on; 0: from an empty board
    boards: npt.NDArray[np.uint64]  # room for a path
    rewards: npt.NDArray[np.float64]  # the same: points of the slides
    indices: npt.NDArray[np.uint64]  # one an active number
    stats: npt.NDArray[np.float64]  # see compile/td_steps.py, of games from the start


def new_board_lesson(active: int, rng: npt.NDArray[np.uint64]) -> BoardLesson:
    """For so many active numbers."""
    return BoardLesson(
        rng, np.zeros(1, np.uint64), np.zeros(LONGEST, np.uint64), np.zeros(LONGEST), np.zeros(active, np.uint64),
        np.zeros(STATS),
    )  # fmt: skip


@kernel
def learn_boards(
    tables: Any, learned: Any, coherence: Any, rows: Any, four: Any, step: Any, lesson: Any, games: Any
) -> None:  # fmt: skip
    """Play so many games, each followed by its lesson. four: odds of a 4."""
    rng, start, boards = lesson.rng, lesson.start, lesson.boards
    rewards, indices, stats = lesson.rewards, lesson.indices, lesson.stats
    for _ in range(games):
        fresh = start[0] == _0
        board = add_tile(start[0], unit(rng), four)
        if fresh:
            board = add_tile(board, unit(rng), four)
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
            board = add_tile(after, unit(rng), four)
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
