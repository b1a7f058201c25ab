"""Positions of random games: what a network or a value meets before it has learnt anything."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel
from boardwright.compile.playout import Room, draw_once, move_by_policy
from boardwright.contract.game import CHANCE, OVER, Game
from boardwright.contract.random import Random

MOST = 20_000  # positions


class Sample(NamedTuple):
    """Positions of random games."""

    states: npt.NDArray[np.void]
    actors: npt.NDArray[np.int8]  # who acts in each
    size: float  # mean size of a player's points where the games ended


@kernel
def wander(game: Any, states: Any, rng: Any, room: Any, kept: Any, actors: Any, sums: Any, limits: Any) -> Any:
    """Play at random from the start, game after game, until `kept` is full or enough games have begun; returns how
    many positions it holds. sums[0], sums[1]: players of the games that ended or were cut, and the sum of their points,
    each without its sign. limits: (games, moves and draws of a game, 1 to keep positions where chance acts too)."""
    games, longest, draws_too = limits
    count = 0
    for _ in range(games):
        states[0] = states[1]
        s = states[0]
        game.start(s)
        for _ in range(longest):
            actor = game.player(s)
            if actor == OVER:
                break
            if actor != CHANCE or draws_too != 0:
                if count == len(kept):
                    return count
                kept[count] = s
                actors[count] = actor
                count += 1
            if actor == CHANCE:
                draw_once(game, s, rng, room.choices, room.weights)
            else:
                move_by_policy(game, s, 0, rng, room.choices, room.weights)
        game.scores(s, room.weights)
        sums[0] += game.players
        for i in range(game.players):
            sums[1] += abs(room.weights[i])
    return count


def random_positions(game: Game, games: int = 200, longest: int = 300, *, draws_too: bool = False) -> Sample:
    """Positions of at most so many random games of at most so many moves and draws: those where a player moves, with
    `draws_too` also those where chance does."""
    kept, actors, sums = np.zeros(MOST, game.state_dtype), np.zeros(MOST, np.int8), np.zeros(2)
    size = max(game.actions, game.outcomes, game.players, 1)
    states, room = np.zeros(2, game.state_dtype), Room(np.zeros(size, np.int32), np.zeros(size))
    limits = (games, longest, int(draws_too))
    count = int(run_kernel(game, wander, game, states, Random(0).state, room, kept, actors, sums, limits))
    return Sample(kept[:count], actors[:count], float(sums[1] / max(sums[0], 1.0)))
