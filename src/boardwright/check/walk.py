"""The games that the conformance test plays, again: an error that names a ply of a seed can be shown."""

from __future__ import annotations

import re

from boardwright.contract.errors import BoardwrightError
from boardwright.contract.game import Game
from boardwright.contract.position import blank
from boardwright.contract.random import Random

_WHERE = re.compile(r"ply (\d+) of the game with seed (\d+)")


def steps_to(game: Game, error: str) -> list[int] | None:
    """The moves and draws that lead to where an error of the check says that it was; None where it does not
    say."""
    found = _WHERE.search(error)
    if found is None:
        return None
    plies, seed = map(int, found.groups())
    rng, steps = Random(seed), list[int]()
    try:
        position = blank(game)
        for _ in range(plies):
            if position.is_over:
                return None  # another game
            open_ones = position.answers.steps
            chance = position.is_chance
            steps.append(open_ones[rng.pick(position.answers.weights) if chance else rng.below(len(open_ones))])
            position = position.advance(steps[-1])
    except BoardwrightError:
        return None  # the rules do not even lead there
    return steps
