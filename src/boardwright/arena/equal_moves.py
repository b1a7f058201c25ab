"""Which moves of a position are the same move: by the game's symmetries, or since they lead to equal positions."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.compile import rule_kernels
from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import interpret, kernel
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.state import copy_record
from boardwright.search.exact.transposition import state_key, words_of

MOST_IMAGES = 120  # of a game with more symmetries the first are looked at


@kernel
def image_keys(game: Any, states: Any, words: Any, keys: Any) -> None:
    """keys[i] = the key of image i of states[0]; the others are room: states[2] stays blank."""
    keys[0] = state_key(game, states, words, 0)
    for image in range(1, len(keys)):
        states[1] = states[2]
        game.mirror(states[0], image, states[1])
        keys[image] = state_key(game, states, words, 1)


class EqualMoves:
    """The moves of one position, told apart."""

    def __init__(self, position: Position) -> None:
        self.position = position
        keys = _keys(position)
        # Images that leave the position as it is: they carry a move into one that is worth the same.
        self._idle = [image for image in range(1, len(keys)) if keys[image] == keys[0]]
        self._first: dict[tuple[str, int], int] = {}  # the least of a move's images, or of its position's -> the move

    def first(self, move: int) -> int:
        """The first of the moves asked for so far that is the same move as this one; itself, if it is new."""
        game = self.position.game
        by_move = "move", min([move, *(_image_move(game, move, image) for image in self._idle)])
        known = self._first.get(by_move)
        if known is None:
            by_state = "state", int(_keys(self.position.play(move)).min())
            known = self._first[by_move] = self._first.setdefault(by_state, move)
        return known


def same_moves(position: Position) -> dict[int, tuple[int, ...]]:
    """For each move of a position all that are the same move, itself among them."""
    equal, classes = EqualMoves(position), dict[int, list[int]]()
    for move in position.moves:
        classes.setdefault(equal.first(move), []).append(move)
    return {move: tuple(moves) for moves in classes.values() for move in moves}


def _keys(position: Position) -> npt.NDArray[np.int64]:
    """The keys of a position and of its images."""
    game = position.game
    states = np.zeros(3, game.state_dtype)
    states[:1] = copy_record(position.record)
    keys = np.zeros(min(game.symmetries, MOST_IMAGES), np.int64)
    run_kernel(game, image_keys, game, states, words_of(states), keys)
    return keys


def _image_move(game: Game, move: int, image: int) -> int:
    moves = np.array([move], np.int32)
    interpret(rule_kernels.mirror_moves)(game, moves, image)
    return int(moves[0])
