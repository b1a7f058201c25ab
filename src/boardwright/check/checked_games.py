"""Many random games in one compiled kernel with every array index checked."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from boardwright.check.failures import guarded
from boardwright.compile import compiler
from boardwright.compile.kernel import interpret, kernel
from boardwright.compile.random import below, pick
from boardwright.contract.errors import RuleError
from boardwright.contract.game import CHANCE, OVER, Game

CHUNK = 50  # games a call
# A promise that breaks is a number in the kernel; texts live in Python.
BROKEN = {
    1: ("player", "returned {0}; return 0 to players-1, bw.CHANCE or bw.OVER"),
    2: ("legal", "returned {0} moves; return 1 to actions of them, or let player() return bw.OVER"),
    3: ("legal", "wrote {0}; write whole numbers from 0 to actions-1"),
    4: ("legal", "wrote {0} twice; write each move once"),
    5: ("chances", "returned {0} outcomes; return 1 to outcomes of them"),
    6: ("chances", "wrote {0}; write whole numbers from 0 to outcomes-1"),
    7: ("chances", "wrote {0} twice; write each outcome once"),
    8: ("chances", "a weight is not above 0 and finite; leave out what cannot happen"),
    9: (
        "player",
        "no end after {0} moves and draws; every game must reach bw.OVER (count the moves in the state and stop)",
    ),
    10: ("results", "a result is not a finite number"),
}


class Work(NamedTuple):
    """Room that the kernel works in."""

    rng: Any  # uint64[1]
    choices: Any  # int32[moves or outcomes]
    weights: Any  # float64[moves or outcomes]
    marks: Any  # int64[moves or outcomes]: when each was last listed, 0 never
    results: Any  # float64[players]


def make_work(game: Game) -> Work:
    size = max(game.actions, game.outcomes, 1)
    return Work(
        rng=np.zeros(1, np.uint64),
        choices=np.zeros(size, np.int32),
        weights=np.zeros(size),
        marks=np.zeros(size, np.int64),
        results=np.zeros(game.players),
    )


@kernel
def play_checked_games(game: Any, states: Any, seeds: Any, most_plies: Any, work: Any, found: Any) -> Any:
    """Play one random game a seed, checking each position. Returns 0, or a key of BROKEN.

    states: two zeroed records. found[0]: index of the seed in work, found[1]: ply, found[2]: what was wrong,
    found[3:5]: moves, draws.
    """
    rng, choices, weights, marks, results = work
    stamp = 0
    states[1] = states[0]
    for g in range(len(seeds)):
        found[0] = g
        rng[0] = seeds[g]
        states[0] = states[1]
        s = states[0]
        game.start(s)
        over = False
        for ply in range(most_plies):
            found[1] = ply
            actor = game.player(s)
            found[2] = actor
            if actor == OVER:
                over = True
                game.results(s, results)
                for i in range(game.players):
                    if not math.isfinite(results[i]):
                        return 10
                break
            if actor < CHANCE or actor >= game.players:
                return 1
            at_chance = actor == CHANCE
            if at_chance:
                count = game.chances(s, choices, weights)
                limit = game.outcomes
            else:
                count = game.legal(s, choices)
                limit = game.actions
            found[2] = count
            if count < 1 or count > limit:
                return 5 if at_chance else 2
            stamp += 1
            for i in range(count):
                number = choices[i]
                found[2] = number
                if number < 0 or number >= limit:
                    return 6 if at_chance else 3
                if marks[number] == stamp:
                    return 7 if at_chance else 4
                marks[number] = stamp
                if at_chance and not (weights[i] > 0.0 and math.isfinite(weights[i])):
                    return 8
            chosen = pick(rng, weights, count) if at_chance else below(rng, count)
            if at_chance:
                game.draw(s, choices[chosen])
            else:
                game.play(s, choices[chosen])
            found[4 if at_chance else 3] += 1
        if not over:
            found[2] = most_plies
            return 9
    return 0


def check_many_games(
    game: Game, games: int, seed: int, most_plies: int, stage: Callable[[str, bool], None]
) -> tuple[int, int]:
    """(moves, draws) of so many games; raises RuleError where one breaks a promise."""
    moves = draws = 0
    work = make_work(game)
    chunks = [(first, min(first + CHUNK, games)) for first in range(0, games, CHUNK)]
    compiler.check_bounds(True)
    try:
        for first, last in [(0, 0), *chunks]:  # the first call, of no games, compiles
            seeds = np.array([(seed + number) % 2**64 for number in range(first, last)], np.uint64)
            found = np.zeros(5, np.int64)
            work.marks[:] = 0
            try:
                code = play_checked_games(game, np.zeros(2, game.state_dtype), seeds, most_plies, work, found)
            except Exception as error:
                stage("replaying the failure in the interpreter", True)
                _replay(game, int(seeds[found[0]]), most_plies)
                raise RuleError(
                    f"{game.name}: compiled rules raised {error} at ply "
                    f"{found[1]} of the game with seed {seeds[found[0]]}"
                ) from None
            if code:
                method, text = BROKEN[code]
                raise RuleError(
                    f"{game.name}.{method}: {text.format(found[2])} (ply "
                    f"{found[1]} of the game with seed {seeds[found[0]]})"
                )
            moves, draws = moves + int(found[3]), draws + int(found[4])
            stage("playing compiled, indices checked", True)
    finally:
        compiler.check_bounds(False)
    return moves, draws


def _replay(game: Game, seed: int, most_plies: int) -> None:
    """The same game again as plain Python, whose exception names the line."""
    states, seeds, found = np.zeros(2, game.state_dtype), np.array([seed], np.uint64), np.zeros(5, np.int64)
    run = interpret(play_checked_games)
    guarded(game, lambda: run(game, states, seeds, most_plies, make_work(game), found))
