"""Begin a game: up to so many random moves, so that games without dice are not all the same."""

from __future__ import annotations

from typing import Any

from boardwright.compile.kernel import kernel
from boardwright.compile.playout import move_by_policy, settle
from boardwright.compile.random import below
from boardwright.contract.game import OVER


@kernel
def open_game(game: Any, states: Any, blank: Any, rng: Any, choices: Any, weights: Any, most: Any, policy: Any) -> None:
    """states[0] = a game up to whose first move 0 to `most` moves were made at random, as likely as the
    game's policy of that number weighs them (0: all alike); fewer, if they would end it.
    states[blank] is all zero."""
    left = below(rng, most + 1) if most > 0 else 0
    while True:
        states[0] = states[blank]
        s = states[0]
        game.start(s)
        settle(game, s, rng, choices, weights)
        moves = 0
        while moves < left and game.player(s) != OVER:
            move_by_policy(game, s, policy, rng, choices, weights)
            settle(game, s, rng, choices, weights)
            moves += 1
        if game.player(s) != OVER or left == 0:
            return
        left -= 1
