"""A warm start: games by the game's own best policy, from which a fresh network learns before it plays itself.

They cost next to nothing, since no network is asked, and spare the hours in which a search over random answers finds
out what the author of the rules could tell. What is learnt afterwards comes from self-play alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel
from boardwright.compile.playout import draw_once, new_room, open_moves
from boardwright.compile.random import below, pick, unit
from boardwright.contract.game import CHANCE, OVER, Game
from boardwright.contract.random import Random
from boardwright.learn.selfplay.buffer import joined
from boardwright.learn.selfplay.games import Portion

AT_ONCE = 100  # games a call of the kernel
ROOM = 20_000  # positions a call, at most
STRAY = 0.15  # share of moves played at random, so that the network sees more than one way to play


class Kept(NamedTuple):
    """Positions where a player moves, a row each."""

    states: npt.NDArray[np.void]
    actors: npt.NDArray[np.int8]
    numbers: npt.NDArray[np.int32]  # of the games
    policies: npt.NDArray[np.float32]  # (positions, actions): what the policy thinks of the moves


@kernel
def play_by_policy(game: Any, states: Any, rng: Any, room: Any, kept: Any, results: Any) -> Any:
    """Play up to len(results) games by the game's first policy; keep every position where a player moves, with what
    the policy thinks of its moves. Returns (positions, games) that were finished within the room of `kept`."""
    choices, weights = room.choices, room.weights
    count = 0
    for g in range(len(results)):
        states[0] = states[1]
        s = states[0]
        game.start(s)
        begun = count
        actor = game.player(s)
        while actor != OVER:
            if actor == CHANCE:
                draw_once(game, s, rng, choices, weights)
            else:
                if count == len(kept.states):
                    return begun, g
                found = open_moves(game, s, choices)
                game.weigh(1, s, choices, found, weights)
                total = 0.0
                for i in range(found):
                    total += weights[i]
                for i in range(found):
                    kept.policies[count, choices[i]] = weights[i] / total if total > 0.0 else 1.0 / found
                kept.states[count] = s
                kept.actors[count] = actor
                kept.numbers[count] = g
                count += 1
                stray = unit(rng) < STRAY
                game.play(s, choices[below(rng, found) if stray else pick(rng, weights, found)])
            actor = game.player(s)
        game.results(s, results[g])
    return count, len(results)


def warm_games(game: Game, games: int, seed: int) -> Portion:
    """So many games by the game's first policy, as positions to learn from; fewer where games are very long."""
    rng, parts, room = Random(seed), [], new_room(game)
    done = 0
    while done < games:
        kept = Kept(
            np.zeros(ROOM, game.state_dtype), np.zeros(ROOM, np.int8), np.zeros(ROOM, np.int32),
            np.zeros((ROOM, game.actions), np.float32),
        )  # fmt: skip
        results = np.zeros((min(AT_ONCE, games - done), game.players))
        count, finished = run_kernel(
            game, play_by_policy, game, np.zeros(2, game.state_dtype), rng.state, room, kept, results
        )
        if finished == 0:
            break
        own = results[kept.numbers[:count]].astype(np.float32)
        parts.append(
            Portion(
                kept.states[:count], kept.actors[:count], kept.policies[:count].astype(np.float16), own, own,
                np.zeros(count, np.float32), kept.numbers[:count] + done,
            )
        )  # fmt: skip
        done += int(finished)
    return joined(parts, game)
