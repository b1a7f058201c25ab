"""Check `play_on`, several moves at a time, against the same moves and draws one by one."""

from __future__ import annotations

from typing import Any

import numpy as np

from boardwright.check.pair import Pair
from boardwright.compile.kernel import Kernel, interpret, kernel
from boardwright.compile.playout import draw_once, move_by_policy
from boardwright.contract.errors import RuleError
from boardwright.contract.game import CHANCE, OVER, Game
from boardwright.contract.position import Position

LENGTHS = (0, 1, 5)  # moves at a time


@kernel
def at_once(game: Any, states: Any, policy: Any, most: Any, rng: Any, luck: Any, choices: Any, weights: Any) -> Any:
    """How many moves `play_on` makes in states[0]."""
    return game.play_on(policy, states[0], most, rng, luck, choices, weights)


@kernel
def one_by_one(game: Any, states: Any, policy: Any, most: Any, rng: Any, luck: Any, choices: Any, weights: Any) -> Any:
    """The same by the other rules: up to `most` moves in states[0] with the draws before, between and after them."""
    s = states[0]
    made = 0
    actor = game.player(s)
    while actor == CHANCE or (actor != OVER and made < most):
        if actor == CHANCE:
            draw_once(game, s, luck, choices, weights)
        else:
            move_by_policy(game, s, policy, rng, choices, weights)
            made += 1
        actor = game.player(s)
    return made


def check_play_on(pair: Pair) -> None:
    """Raise RuleError where `play_on` makes other moves or draws than the rules step by step."""
    game, position, seed, at = pair.game, pair.fast, pair.seed, pair.at
    if position.is_over:
        return
    for policy, name in enumerate(game.policies, start=1):
        for most in LENGTHS:
            made, after = _played(game, position, at_once, policy, most, seed)
            if _played(game, position, interpret(at_once), policy, most, seed) != (made, after):
                raise pair.differ("play_on")
            if not 0 <= made <= most:
                raise RuleError(f"{game.name}.play_on: returned {made} of at most {most} moves {at}")
            if made == 0 and after[0] == position.key:
                continue  # left to the caller
            if _played(game, position, one_by_one, policy, made, seed) != (made, after):
                raise RuleError(
                    f"{game.name}.play_on: {most} moves by {name} end elsewhere than one by one {at}; "
                    "it must draw one number a move from rng, one a draw from luck, and use them as pick does"
                )


def _played(
    game: Game, position: Position, run: Kernel[..., Any] | Any, policy: int, most: int, seed: int
) -> tuple[int, tuple[bytes, int, int]]:
    """(moves made, (the state after, both generators))."""
    states = np.frombuffer(bytearray(position.key), game.state_dtype)
    room = max(game.actions, game.outcomes)
    rng, luck = np.array([seed], np.uint64), np.array([seed + 1], np.uint64)
    made = run(game, states, policy, most, rng, luck, np.zeros(room, np.int32), np.zeros(room))
    return int(made), (states.tobytes(), int(rng[0]), int(luck[0]))
