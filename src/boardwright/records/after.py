"""A position by the moves that lead to it."""

from __future__ import annotations

from collections.abc import Sequence

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.records.record import DRAW


def after(game: Game, moves: Sequence[str], seed: int) -> Position:
    """The position after these moves from the start, a player to move. Draws come from the seed and their place in the
    game, as in `play`, except where a `~draw` among the moves says what chance did."""
    position = game.begin(seed)
    for number, move in enumerate(moves, start=1):
        if position.is_chance and move.startswith(DRAW):
            position = position.draw(move.removeprefix(DRAW))
            continue
        position = _settled(position, seed)
        if position.is_over:
            raise InputError(f"{game.name}: the game is over after {number - 1} moves; leave out {move!r} and the rest")
        position = position.play(move)
    position = _settled(position, seed)
    if position.is_over:
        raise InputError(f"{game.name}: the game is over there; leave out the last of the moves")
    return position


def _settled(position: Position, seed: int) -> Position:
    ply = sum(1 for _ in position.line()) - 1
    return position.settle(Random(Random(seed).bits() + ply)) if position.is_chance else position
