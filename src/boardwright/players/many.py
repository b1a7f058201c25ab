"""Choices for many games at once: what a player offers whose choice is a matter of microseconds, so that a match need
not ask it in Python, move by move, nor make a position of every state on the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.borrow import borrowed
from boardwright.compile.kernel import kernel
from boardwright.compile.random import below
from boardwright.contract.position import Position
from boardwright.contract.state import copy_record

if TYPE_CHECKING:
    from boardwright.players.player import Player

NO_MOVE = -1  # in place of one: the player would have failed here


class Told(NamedTuple):
    """What players chose, and what they would have said about it: one entry a game."""

    moves: npt.NDArray[np.int32]
    values: npt.NDArray[np.float64]  # what the mover expects for itself; NaN: it does not say
    simulations: npt.NDArray[np.int64]
    legal: npt.NDArray[np.bool_]  # True: the move comes from the rules' own list, and need not be looked up again


def new_told(games: int) -> Told:
    """Room for so many games."""
    return Told(np.zeros(games, np.int32), np.full(games, np.nan), np.zeros(games, np.int64), np.zeros(games, np.bool_))


class Games(NamedTuple):
    """Games that are played at once, one entry each. In game g, seat actors[g] is to move."""

    states: npt.NDArray[np.void]
    actors: npt.NDArray[np.int64]
    rngs: npt.NDArray[np.uint64]  # rngs[g, seat]: that player's generator; at first its seed
    steps: npt.NDArray[np.int32]  # steps[g, :length[g]]: the moves and draws since the games began here
    doers: npt.NDArray[np.int8]  # who did each: a seat, or CHANCE
    length: npt.NDArray[np.int64]


# (games, picked, told): choose in games.states[g] for each g of the int64 array `picked`, by the random numbers of
# games.rngs[g, seat], and write told.moves[g] and, if there is more to tell, told.values[g] and told.simulations[g].
# The choices, and the numbers drawn, are those of `choose`. One chooser serves the same games from their begin on.
Chooser = Callable[[Games, npt.NDArray[np.int64], Told], None]


def chooser_by_state(player: Player) -> Chooser:
    """Of a player who needs nothing but the state, and takes so long over it that to be asked costs little."""

    def choose(games: Games, picked: npt.NDArray[np.int64], told: Told) -> None:
        for g in picked.tolist():
            choice = player.choose(Position(player.game, copy_record(games.states[g : g + 1])))
            told.moves[g], told.simulations[g] = choice.move, choice.simulations
            if choice.value is not None:
                told.values[g] = choice.value[games.actors[g]]

    return choose


@kernel
def choose_by_policy(game: Any, policy: Any, states: Any, picked: Any, rngs: Any, room: Any, told: Any) -> None:
    """told.moves[g] in states[g], for each g of `picked`: what policy number `policy` likes best, any of equals; any
    move if it is 0."""
    rngs, room, told = borrowed(rngs), borrowed(room), borrowed(told)
    choices, weights = room.choices, room.weights
    for k in range(len(picked)):
        g = picked[k]
        s = states[g]
        seat = game.player(s)
        rng = rngs[g, seat : seat + 1]
        count = game.legal(s, choices)
        told.legal[g] = True
        if policy == 0:
            told.moves[g] = choices[below(rng, count)]
            continue
        game.weigh(policy, s, choices, count, weights)
        best = weights[0]
        for i in range(1, count):
            best = max(best, weights[i])
        equals = 0
        for i in range(count):
            if weights[i] == best:
                choices[equals] = choices[i]
                equals += 1
        told.moves[g] = choices[below(rng, equals)] if equals > 0 else NO_MOVE
