"""Playing 2048 on bitboards inside kernels: whole games, for measuring a table at full speed."""

from __future__ import annotations

from typing import Any

import numpy as np

from boardwright.compile.kernel import kernel
from boardwright.compile.random import unit
from boardwright.games.twenty48.bitboard import add_tile, two_largest
from boardwright.games.twenty48.bitlearn import best_slide


@kernel
def play_boards(tables: Any, learned: Any, rows: Any, rng: Any, four: Any, results: Any) -> None:
    """Greedy games on afterstates; results[g]: the score of game g."""
    for number in range(len(results)):
        board = add_tile(add_tile(np.uint64(0), unit(rng), four), unit(rng), four)
        score = 0.0
        while True:
            direction, after, points, _value = best_slide(tables, learned, rows, board)
            if direction < 0:
                break
            score += points
            if two_largest(after):
                break
            board = add_tile(after, unit(rng), four)
        results[number] = score
