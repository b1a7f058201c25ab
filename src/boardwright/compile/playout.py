"""Games played to the end inside one kernel: uniformly at random, or by one of the game's policies; and the steps
of which every loop that plays a game is made."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.kernel import inner_kernel, kernel
from boardwright.compile.random import below, pick
from boardwright.contract.errors import NO_MOVE, NoMove
from boardwright.contract.game import CHANCE, OVER, Game

# Two loops have these steps in place, since speed is all that they are for: `play_games` here and `play_out` of the
# search. By the steps, though inlined by force, a ply of tic-tac-toe takes 1.07 and one of Gomoku 1.13 times as long.


@inner_kernel
def draw_once(game: Any, s: Any, luck: Any, choices: Any, weights: Any) -> None:
    """Let chance, which acts in `s`, do one of its outcomes, as likely as its weight."""
    count = game.chances(s, choices, weights)
    game.draw(s, choices[pick(luck, weights, count)])


@inner_kernel
def settle(game: Any, s: Any, luck: Any, choices: Any, weights: Any) -> Any:
    """Draw until a player is to move or the game is over; returns who acts then."""
    actor = game.player(s)
    while actor == CHANCE:
        draw_once(game, s, luck, choices, weights)
        actor = game.player(s)
    return actor


@kernel
def open_moves(game: Any, s: Any, choices: Any) -> Any:
    """Write the legal moves of the player who acts in `s`; returns how many. There must be one: whoever chooses among
    none reads what no rule has written."""
    count = game.legal(s, choices)
    if count < 1:
        raise NoMove(NO_MOVE)
    return count


@inner_kernel
def move_by_policy(game: Any, s: Any, policy: Any, rng: Any, choices: Any, weights: Any) -> None:
    """Play one move in `s`: as likely as the game's policy number `policy` weighs it, or, if 0, any."""
    count = open_moves(game, s, choices)
    if policy == 0:
        game.play(s, choices[below(rng, count)])
    else:
        game.weigh(policy, s, choices, count, weights)
        game.play(s, choices[pick(rng, weights, count)])


class Room(NamedTuple):
    """Room for all moves or outcomes of a position."""

    choices: npt.NDArray[np.int32]
    weights: npt.NDArray[np.float64]


def new_room(game: Game) -> Room:
    """Room for the choices of any position of `game`."""
    size = max(game.actions, game.outcomes, 1)
    return Room(np.zeros(size, np.int32), np.zeros(size))


@kernel
def play_games(
    game: Any, states: Any, policy: Any, rng: Any, room: Any, results: Any, totals: Any, most_plies: Any
) -> Any:
    """Play len(results) games from the start; results[g, i] is what player i got in game g.

    states: two records of scratch. totals[0] counts players' moves, totals[1] draws, over all games. Returns how many
    games reached their end within `most_plies` moves and draws; the results of the others are their points so far.
    """
    choices, weights = room.choices, room.weights
    finished = 0
    states[1] = states[0]
    for g in range(len(results)):
        states[0] = states[1]
        s = states[0]
        game.start(s)
        for _ in range(most_plies):
            actor = game.player(s)
            if actor == OVER:
                break
            if actor == CHANCE:  # in place: see above
                count = game.chances(s, choices, weights)
                game.draw(s, choices[pick(rng, weights, count)])
                totals[1] += 1
                continue
            count = game.legal(s, choices)
            if count < 1:
                raise NoMove(NO_MOVE)
            if policy == 0:
                game.play(s, choices[below(rng, count)])
            else:
                game.weigh(policy, s, choices, count, weights)
                game.play(s, choices[pick(rng, weights, count)])
            totals[0] += 1
        if game.player(s) == OVER:
            finished += 1
            game.results(s, results[g])
        else:
            game.scores(s, results[g])
    return finished
