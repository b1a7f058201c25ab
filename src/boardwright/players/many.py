"""Choices for many games at once: what a player offers whose choice is a matter of microseconds, so that a match need
not ask it in Python, move by move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.kernel import kernel
from boardwright.compile.random import below

NO_MOVE = -1  # in place of one: the player would have failed here


class Told(NamedTuple):
    """What players chose, and what they would have said about it: one entry a game."""

    moves: npt.NDArray[np.int32]
    values: npt.NDArray[np.float64]  # what the mover expects for itself; NaN: it does not say
    simulations: npt.NDArray[np.int64]


def new_told(games: int) -> Told:
    """Room for so many games."""
    return Told(np.zeros(games, np.int32), np.full(games, np.nan), np.zeros(games, np.int64))


# (states, picked, rngs, told): choose in states[g] for each g of the int64 array `picked`, by the random numbers of
# rngs[g, seat] (uint64 generators), and write told.moves[g] and, if there is more to tell, told.values[g] and
# told.simulations[g]. The choices, and the numbers drawn, are those of `choose`.
Chooser = Callable[[npt.NDArray[np.void], npt.NDArray[np.int64], npt.NDArray[np.uint64], Told], None]


@kernel
def choose_by_policy(game: Any, policy: Any, states: Any, picked: Any, rngs: Any, room: Any, moves: Any) -> None:
    """moves[g] in states[g], for each g of `picked`: what policy number `policy` likes best, any of equals; any move if
    it is 0."""
    choices, weights = room.choices, room.weights
    for k in range(len(picked)):
        g = picked[k]
        s = states[g]
        seat = game.player(s)
        rng = rngs[g, seat : seat + 1]
        count = game.legal(s, choices)
        if policy == 0:
            moves[g] = choices[below(rng, count)]
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
        moves[g] = choices[below(rng, equals)] if equals > 0 else NO_MOVE
