"""Choose a move by the value of the afterstate that it leads to."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.kernel import kernel
from boardwright.compile.playout import open_moves
from boardwright.contract.game import Game


class Choosing(NamedTuple):
    """Which moves are valued, and room for it."""

    policy: int  # number of the game's policy that says which moves to value; 0: all are
    consider: int  # how many of those that it likes best
    after: npt.NDArray[np.void]  # (1,): the afterstate in work
    moves: npt.NDArray[np.int32]  # room for all moves and outcomes
    values: npt.NDArray[np.float64]  # the same: the points in the end that each move promises
    out: npt.NDArray[np.float64]  # (1,)


def new_choosing(game: Game, policy: int, consider: int) -> Choosing:
    """For a game of one player."""
    size = max(game.actions, game.outcomes, 1)
    return Choosing(
        policy, consider, np.zeros(1, game.state_dtype), np.zeros(size, np.int32), np.zeros(size), np.zeros(1)
    )


@kernel
def keep_best(moves: Any, weights: Any, count: Any, most: Any) -> Any:
    """Bring the `most` moves of the largest weights to the front, in no order (Hoare's selection); how many stay."""
    if count <= most:
        return count
    low = 0
    high = count - 1
    while low < high:
        pivot = weights[(low + high) // 2]
        i = low
        j = high
        while i <= j:
            while weights[i] > pivot:
                i += 1
            while weights[j] < pivot:
                j -= 1
            if i <= j:
                move = moves[i]
                moves[i] = moves[j]
                moves[j] = move
                weight = weights[i]
                weights[i] = weights[j]
                weights[j] = weight
                i += 1
                j -= 1
        if most - 1 <= j:
            high = j
        elif most - 1 >= i:
            low = i
        else:
            break
    return most


@kernel
def value_moves(game: Any, network: Any, learned: Any, s: Any, choosing: Any) -> Any:
    """choosing.values[i] = the points in the end that choosing.moves[i] promises; returns (how many moves, the best
    one's place)."""
    after, moves, values, out = choosing.after, choosing.moves, choosing.values, choosing.out
    count = open_moves(game, s, moves)
    if choosing.policy != 0 and count > choosing.consider:
        game.weigh(choosing.policy, s, moves, count, values)
        count = keep_best(moves, values, count, choosing.consider)
    best = 0
    for i in range(count):
        after[0] = s
        game.play(after[0], moves[i])
        network.value(game, after[0], learned, out)
        values[i] = out[0]
        if values[i] > values[best]:
            best = i
    return count, best
