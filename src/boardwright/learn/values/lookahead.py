"""One ply more: what an afterstate is worth if every draw is looked at and answered by the best move.

The mean over draws is exact (as in expectimax, which looks at all moves of all plies; here only the best moves of the
first ply are looked at, and the value speaks after the second).
"""

from __future__ import annotations

from typing import Any

from boardwright.compile.kernel import kernel
from boardwright.contract.game import CHANCE, OVER
from boardwright.learn.values.choosing import value_moves

MOST_DRAWS = 8  # in a row; the value speaks if chance is not done by then


@kernel
def answer_draws(
    game: Any, network: Any, learned: Any, states: Any, scratch: Any, policy: Any, consider: Any, outcomes: Any,
    weights: Any, shares: Any, counts: Any, tried: Any, moves: Any, values: Any, out: Any,
) -> Any:  # fmt: skip
    """The points in the end that the afterstate states[0] promises, each draw being answered by the best move.

    states: MOST_DRAWS + 1 records; outcomes int32, weights float64: a row, shares float64, counts and tried int64: a
    number for each. The rest as for `value_moves`.
    """
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
                network.value(game, s, learned, out)
                worth = out[0]
            else:
                _, best = value_moves(game, network, learned, s, scratch, policy, consider, moves, values, out)
                worth = values[best]
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
