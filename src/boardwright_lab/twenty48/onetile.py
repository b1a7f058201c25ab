"""The report's tree: a node keeps the one tile that came when it was made, as if no other could come.

To a search that is a game without luck: after a slide the new tile follows from the board. `OneTile` is that game. The
player thinks in it and plays in the real one, where any tile may come.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from boardwright.arena.pairing import derive, draw_rng
from boardwright.contract.position import Position, blank
from boardwright.contract.state import copy_record
from boardwright.games.twenty48 import TwentyFortyEight
from boardwright.players.kinds import player
from boardwright_lab.twenty48.sample import Played

if TYPE_CHECKING:
    from boardwright.contract.game import Game

MASK = 2**62 - 1


class OneTile(TwentyFortyEight):
    """2048 in which a board decides which tile comes next."""

    _name = "one-tile-2048"

    def chances(self, s: Any, outcomes: Any, weights: Any) -> Any:
        mixed = 1
        for cell in range(self.area):  # Knuth's multiplier: boards that differ little get unlike numbers
            mixed = ((mixed ^ s.cells[cell]) * 6364136223846793005 + 1442695040888963407) & MASK
        place = (mixed >> 40) % (self.area - s.tiles)
        chosen = 0
        for cell in range(self.area):
            if s.cells[cell] == 0:
                if place == 0:
                    chosen = cell
                place -= 1
        is_four = (mixed >> 20) % 1000 < 1000 * self.four
        outcomes[0] = 2 * chosen + (1 if is_four else 0)
        weights[0] = 1.0
        return 1


def imagine(position: Position, game: OneTile) -> Position:
    """The same board, for a search that knows of one tile only."""
    return Position(game, copy_record(position.record))


def play_one(game: Game, spec: str, number: int, seed: int) -> Played:
    """Game number `number`: `spec` thinks in OneTile, the tiles are the real ones of the match with this seed."""
    luck = derive(seed, "luck", number)
    imagined = OneTile(**game.options)
    thinker = player(f"{spec},seed={derive(seed, 'one tile', number, spec) % 2**31}", imagined)
    position = blank(game)
    moves, draws, seconds = 0, 0, 0.0
    while not position.is_over:
        if position.is_chance:
            position = position.sample(draw_rng(luck, draws))
            draws += 1
            continue
        if moves == 0:  # compiling is not thinking
            thinker.choose(imagine(position, imagined))
            thinker.forget()
        began = time.perf_counter()
        choice = thinker.choose(imagine(position, imagined))
        seconds += time.perf_counter() - began
        position = position.play(choice.move)
        moves += 1
    return Played(position.scores[0], 2 ** max(position.view.cells), moves, seconds)
