"""One ply more: what an afterstate is worth if every draw is looked at and answered by the best move.

The mean over draws is exact (as in expectimax, which looks at all moves of all plies; here only the best moves of the
first ply are looked at, and the value speaks after the second).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.kernel import kernel
from boardwright.contract.game import CHANCE, OVER, Game
from boardwright.learn.values.choosing import value_moves

MOST_DRAWS = 8  # in a row; the value speaks if chance is not done by then


class Draws(NamedTuple):
    """The stack: a row for each draw since the afterstate."""

    states: npt.NDArray[np.void]  # (MOST_DRAWS + 1,)
    outcomes: npt.NDArray[np.int32]  # (MOST_DRAWS, outcomes)
    weights: npt.NDArray[np.float64]  # the same
    shares: npt.NDArray[np.float64]  # (MOST_DRAWS + 1,): how likely the draws so far are
    counts: npt.NDArray[np.int64]  # (MOST_DRAWS,): outcomes that there are
    tried: npt.NDArray[np.int64]  # (MOST_DRAWS,): outcomes tried


def new_draws(game: Game) -> Draws:
    """An empty stack."""
    size = max(game.outcomes, 1)
    return Draws(
        np.zeros(MOST_DRAWS + 1, game.state_dtype), np.zeros((MOST_DRAWS, size), np.int32),
        np.zeros((MOST_DRAWS, size)), np.zeros(MOST_DRAWS + 1), np.zeros(MOST_DRAWS, np.int64),
        np.zeros(MOST_DRAWS, np.int64),
    )  # fmt: skip


@kernel
def answer_draws(game: Any, network: Any, learned: Any, draws: Any, choosing: Any) -> Any:
    """The points in the end that the afterstate draws.states[0] promises, each draw being answered by the best move."""
    states, outcomes, weights = draws.states, draws.outcomes, draws.weights
    shares, counts, tried = draws.shares, draws.counts, draws.tried
    total = 0.0
    shares[0] = 1.0
    depth = 0
    while True:
        s = states[depth]
        actor = game.player(s)
        if actor == CHANCE and depth < MOST_DRAWS:
            counts[depth] = game.chances(s, outcomes[depth], weights[depth])
            tried[depth] = 0
        else:
            if actor in (OVER, CHANCE):
                network.value(game, s, learned, choosing.out)
                worth = choosing.out[0]
            else:
                _, best = value_moves(game, network, learned, s, choosing)
                worth = choosing.values[best]
            total += shares[depth] * worth
            depth -= 1
        while depth >= 0 and tried[depth] == counts[depth]:
            depth -= 1
        if depth < 0:
            return total
        sum_of_weights = 0.0
        for i in range(counts[depth]):
            sum_of_weights += weights[depth, i]
        i = tried[depth]
        tried[depth] += 1
        shares[depth + 1] = shares[depth] * weights[depth, i] / sum_of_weights
        states[depth + 1] = states[depth]
        game.draw(states[depth + 1], outcomes[depth, i])
        depth += 1
