"""Two plies: what the end of a turn is worth if every draw is looked at and answered by the next player's best turn.

The mean over draws is exact, as in expectimax; each player takes the turn best for himself (max^n, Luckhardt and Irani
1986). Draws that follow draws are looked at as long as they are likely; where most of chance would be cut so, as in a
refill of many tiles, the value speaks before any of it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.kernel import kernel
from boardwright.contract.game import CHANCE, Game
from boardwright.learn.kernel.turns import best_turn

MOST_DRAWS = 4  # in a row
LIKELY = 0.02  # the chance of a draw that is looked behind
MOST_CUT = 0.2  # share of chance that may be valued in the middle of draws


class DrawRoom(NamedTuple):
    """Where draws are looked through; a row or a number a draw."""

    outcomes: npt.NDArray[np.int32]
    weights: npt.NDArray[np.float64]
    shares: npt.NDArray[np.float64]  # how likely it is to come here
    counts: npt.NDArray[np.int64]
    tried: npt.NDArray[np.int64]
    total: npt.NDArray[np.float64]  # a value a player


def draw_room(game: Game) -> tuple[npt.NDArray[np.void], DrawRoom]:
    """(states: one a draw and one more; the rest)."""
    size = max(game.outcomes, 1)
    rooms = DrawRoom(
        np.zeros((MOST_DRAWS + 1, size), np.int32), np.zeros((MOST_DRAWS + 1, size)), np.zeros(MOST_DRAWS + 2),
        np.zeros(MOST_DRAWS + 1, np.int64), np.zeros(MOST_DRAWS + 1, np.int64), np.zeros(game.players),
    )  # fmt: skip
    return np.zeros(MOST_DRAWS + 2, game.state_dtype), rooms


@kernel
def answered(game: Any, network: Any, learned: Any, drawn: Any, draws: Any, states: Any, room: Any) -> Any:
    """draws.total[i] = what player i can expect in drawn[0], one turn further; False if there was too much to look at,
    and the network's own word stands there. drawn, draws: of draw_room; states, room: of turn_room."""
    for i in range(len(draws.total)):
        draws.total[i] = 0.0
    draws.shares[0] = 1.0
    cut = 0.0
    depth = 0
    while True:
        actor = game.player(drawn[depth])
        share = draws.shares[depth]
        if actor == CHANCE and depth < MOST_DRAWS and (depth == 0 or share >= LIKELY):
            draws.counts[depth] = game.chances(drawn[depth], draws.outcomes[depth], draws.weights[depth])
            draws.tried[depth] = 0
        else:
            if actor >= 0:
                states[0] = drawn[depth]
                _, length = best_turn(game, network, learned, states, room)
                for i in range(length):
                    game.play(states[0], room.best[i])
                network.value(game, states[0], learned, room.out)
            else:
                network.value(game, drawn[depth], learned, room.out)
                cut += share if actor == CHANCE else 0.0
            for i in range(len(room.out)):
                draws.total[i] += share * room.out[i]
            if cut > MOST_CUT:
                network.value(game, drawn[0], learned, room.out)
                for i in range(len(room.out)):
                    draws.total[i] = room.out[i]
                return False
            depth -= 1
        while depth >= 0 and draws.tried[depth] == draws.counts[depth]:
            depth -= 1
        if depth < 0:
            return True
        weight = 0.0
        for i in range(draws.counts[depth]):
            weight += draws.weights[depth, i]
        k = draws.tried[depth]
        draws.tried[depth] += 1
        draws.shares[depth + 1] = draws.shares[depth] * draws.weights[depth, k] / weight
        drawn[depth + 1] = drawn[depth]
        game.draw(drawn[depth + 1], draws.outcomes[depth, k])
        depth += 1
