"""Random moves at the start of a game: with them, players without luck do not play one game again and again."""

from __future__ import annotations

from boardwright.arena.pairing import draw_rng
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position, blank
from boardwright.contract.random import Random

TRIES = 200  # at an opening that does not end the game


def random_opening(game: Game, moves: int, luck: int) -> Position:
    """The start with so many random moves played: `luck`, the seed of a set of games, says which, and how chance falls
    until then. Openings that end the game are drawn again."""
    for attempt in range(TRIES):
        rng = Random(Random(luck ^ 0x5EED).bits() + attempt)
        position, made, draws = blank(game), 0, 0
        while not position.is_over:
            if position.is_chance:
                if made == moves and made:
                    break  # the game itself will draw, by the same numbers
                position = position.sample(draw_rng(luck, draws))
                draws += 1
            elif made < moves:
                position = position.play(position.moves[rng.below(len(position.moves))])
                made += 1
            else:
                break
        if not position.is_over:
            return position
    raise InputError(f"{game.name}: an opening of {moves} random moves ends the game; choose fewer")
