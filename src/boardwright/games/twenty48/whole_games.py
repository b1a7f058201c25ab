"""Whole games of 2048 on bitboards inside kernels, for measuring players at full speed."""

from __future__ import annotations

from typing import Any

import numpy as np

from boardwright.compile.kernel import kernel
from boardwright.compile.random import unit
from boardwright.games.twenty48.bitboard import add_tile, slide, two_largest
from boardwright.games.twenty48.expectimax import best_slide, search_slide


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


GAME = np.dtype(
    [("luck", "u8"), ("board", "u8"), ("score", "i8"), ("moves", "i8"), ("draws", "i8"), ("over", "i8")], align=True
)


@kernel
def play_on(
    tables: Any, learned: Any, rows: Any, lookahead: Any, reach: Any, games: Any, rng: Any, moves: Any
) -> Any:  # fmt: skip
    """Play games[0] on for so many moves; True once it is over. Draw k comes from its luck and k alone, as in a match:
    the same player meets the same tiles in both."""
    game = games[0]
    for _ in range(moves):
        while game.draws < game.moves + 2:
            rng[0] = game.luck + np.uint64(game.draws)
            game.board = add_tile(game.board, unit(rng), reach.four)
            game.draws += 1
        direction = search_slide(tables, learned, rows, lookahead, game.board, reach)
        if direction < 0:
            game.over = 1
            return True
        after, points = slide(game.board, rows, direction)
        game.board = after
        game.score += points
        game.moves += 1
        if two_largest(after):
            game.over = 2
            return True
    return False
