"""Check `mirror` and `mirror_move`: what is done in an image of a position must lead where it leads in itself."""

from __future__ import annotations

import numpy as np

from boardwright.check.failures import guarded
from boardwright.check.pair import Pair
from boardwright.compile import rule_kernels
from boardwright.compile.kernel import interpret
from boardwright.contract.errors import RuleError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.contract.state import copy_record

IMAGES_A_POSITION = 2


def check_symmetries(pair: Pair, move: int) -> None:
    """Raise RuleError where `move`, played in some images of the position, leads elsewhere than in the position."""
    game, position = pair.game, pair.fast
    after, rng = position.play(move), Random(pair.seed)
    for _ in range(IMAGES_A_POSITION):
        image = rng.below(game.symmetries)
        there = _image(pair, image)
        moved = _image_moves(game, position.moves, image)
        if sorted(moved) != sorted(there.moves) or there.player != position.player or there.scores != position.scores:
            raise RuleError(
                f"{game.name}.mirror: image {image} has other legal moves, "
                f"scores or player {pair.at}; check mirror and mirror_move"
            )
        then = there.play(_image_moves(game, (move,), image)[0])
        if (then.player, then.scores, then.results) != (after.player, after.scores, after.results):
            raise RuleError(f"{game.name}.mirror: a move in image {image} leads elsewhere than in the state {pair.at}")
        if after.moves and sorted(then.moves) != sorted(_image_moves(game, after.moves, image)):
            raise RuleError(f"{game.name}.mirror: after a move, image {image} has other legal moves {pair.at}")


def _image(pair: Pair, image: int) -> Position:
    game = pair.game
    room = bytes(game.state_dtype.itemsize)
    quick, slow = (np.frombuffer(bytearray(pair.fast.key + room), game.state_dtype) for _ in range(2))
    rule_kernels.mirror_state(game, quick, image)
    guarded(game, lambda: interpret(rule_kernels.mirror_state)(game, slow, image))
    pair.same("mirror", slow[1:].tobytes(), quick[1:].tobytes())
    return Position(game, copy_record(quick[1:]))


def _image_moves(game: Game, moves: tuple[int, ...], image: int) -> list[int]:
    array = np.array(moves, np.int32)
    rule_kernels.mirror_moves(game, array, image)
    return list(map(int, array))
