"""Games played to the end inside one kernel: uniformly at random, or by one of the game's policies."""

from __future__ import annotations

from typing import Any

from boardwright.compile.kernel import kernel
from boardwright.compile.random import below, pick
from boardwright.contract.game import CHANCE, OVER


@kernel
def play_games(
    game: Any,
    states: Any,
    policy: Any,
    rng: Any,
    choices: Any,
    weights: Any,
    results: Any,
    totals: Any,
    most_plies: Any,
) -> Any:
    """Play len(results) games from the start; results[g, i] is what player i got in game g.

    states: two records of scratch. choices int32 and weights float64: room for all moves and outcomes.
    totals[0] counts players' moves, totals[1] draws, over all games. Returns how many games reached their
    end within `most_plies` moves and draws; the results of the others are their points so far.
    """
    finished = 0
    game_count = len(results)
    states[1] = states[0]
    for g in range(game_count):
        states[0] = states[1]
        s = states[0]
        game.start(s)
        for _ in range(most_plies):
            actor = game.player(s)
            if actor == OVER:
                break
            # In place: as a function of its own, one ply of Gomoku took 1.6 times as long.
            if actor == CHANCE:
                count = game.chances(s, choices, weights)
                game.draw(s, choices[pick(rng, weights, count)])
                totals[1] += 1
                continue
            count = game.legal(s, choices)
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
