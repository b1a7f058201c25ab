"""A warm start: games by the game's own best policy, from which a fresh network learns before it plays itself.

They cost next to nothing, since no network is asked, and spare the hours in which a search over random answers finds
out what the author of the rules could tell. What is learnt afterwards comes from self-play alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel
from boardwright.compile.random import below, pick, unit
from boardwright.contract.game import CHANCE, OVER, Game
from boardwright.contract.random import Random
from boardwright.learn.selfplay.buffer import joined
from boardwright.learn.selfplay.games import Portion

AT_ONCE = 100  # games a call of the kernel
ROOM = 20_000  # positions a call, at most
STRAY = 0.15  # share of moves played at random, so that the network sees more than one way to play


@kernel
def play_by_policy(
    game: Any,
    states: Any,
    rng: Any,
    choices: Any,
    weights: Any,
    kept: Any,
    actors: Any,
    numbers: Any,
    policies: Any,
    results: Any,
) -> Any:
    """Play up to len(results) games by the game's first policy; keep every position where a player moves, with what
    the policy thinks of its moves. Returns (positions, games) that were finished within len(kept) positions."""
    count = 0
    for g in range(len(results)):
        states[0] = states[1]
        s = states[0]
        game.start(s)
        begun = count
        actor = game.player(s)
        while actor != OVER:
            if actor == CHANCE:
                found = game.chances(s, choices, weights)
                game.draw(s, choices[pick(rng, weights, found)])
            else:
                if count == len(kept):
                    return begun, g
                found = game.legal(s, choices)
                game.weigh(1, s, choices, found, weights)
                total = 0.0
                for i in range(found):
                    total += weights[i]
                for i in range(found):
                    policies[count, choices[i]] = weights[i] / total if total > 0.0 else 1.0 / found
                kept[count] = s
                actors[count] = actor
                numbers[count] = g
                count += 1
                stray = unit(rng) < STRAY
                game.play(s, choices[below(rng, found) if stray else pick(rng, weights, found)])
            actor = game.player(s)
        game.results(s, results[g])
    return count, len(results)


def warm_games(game: Game, games: int, seed: int) -> Portion:
    """So many games by the game's first policy, as positions to learn from; fewer where games are very long."""
    rng, parts = Random(seed), []
    size = max(game.actions, game.outcomes, 1)
    done = 0
    while done < games:
        kept, actors = np.zeros(ROOM, game.state_dtype), np.zeros(ROOM, np.int8)
        numbers, policies = np.zeros(ROOM, np.int32), np.zeros((ROOM, game.actions), np.float32)
        results = np.zeros((min(AT_ONCE, games - done), game.players))
        count, finished = run_kernel(
            game, play_by_policy, game, np.zeros(2, game.state_dtype), rng.state, np.zeros(size, np.int32),
            np.zeros(size), kept, actors, numbers, policies, results,
        )  # fmt: skip
        if finished == 0:
            break
        own = results[numbers[:count]].astype(np.float32)
        parts.append(
            Portion(
                kept[:count], actors[:count], policies[:count].astype(np.float16), own, own,
                np.zeros(count, np.float32), numbers[:count] + done,
            )
        )  # fmt: skip
        done += int(finished)
    return joined(parts, game)
