"""AlphaZero's loop: play against oneself with search, remember, learn, measure; and again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from boardwright.contract.game import Game
from boardwright.contract.random import Random
from boardwright_lab.azul.games import Chooser, Score, at_random, by_policy, meet, play_games
from boardwright_lab.azul.nets import Judge
from boardwright_lab.azul.recipes import Recipe
from boardwright_lab.azul.teachers import Teacher
from boardwright_lab.azul.training import Examples, join, make_optimiser, train, warm_examples


class Lap(NamedTuple):
    """What one iteration came to."""

    number: int  # from 1
    examples: int  # that it learnt from
    policy_loss: float  # nats
    value_loss: float  # squared
    score: Score | None  # of the network's policy alone against its rival; None: not measured this time


def alphazero(
    game: Game,
    net: Any,
    recipe: Recipe,
    seed: int,
    *,
    test_games: int = 200,
    test_every: int = 1,
    rival: Chooser | None = None,
    tell: Callable[[str], None] = lambda text: None,
) -> list[Lap]:
    """Train `net` in place. Now and then its policy, without search, meets a rival: random play if none is given."""
    optimiser = make_optimiser(net, recipe)
    luck, rng = Random(seed), np.random.default_rng(seed)
    remembered: list[Examples] = []
    laps: list[Lap] = []
    if recipe.warm:
        remembered = [warm_examples(game, recipe.warm, luck.bits())]
        train(game, net, optimiser, remembered[0], replace(recipe, steps=recipe.warm_steps), rng)
    for number in range(1, recipe.iterations + 1):
        teacher = Teacher(game, Judge(game, net, slipped=recipe.slipped), recipe)
        results = play_games(game, (teacher,), recipe.games, luck.bits(), recipe.openings)
        remembered = [*remembered, teacher.examples(results)][-recipe.window :]
        examples = join(game, remembered)
        policy, value = train(game, net, optimiser, examples, recipe, rng)
        tested = number % test_every == 0 or number == recipe.iterations
        score = test(game, net, rival or at_random(game), test_games, seed + number) if tested else None
        laps.append(Lap(number, len(examples.states), float(policy), float(value), score))
        tell(f"iteration {number} of {recipe.iterations}" + (f": {score.won} of {score.games} won" if score else ""))
    return laps


def test(game: Game, net: Any, rival: Chooser, games: int, seed: int) -> Score:
    """The network's policy alone, without search, against a rival."""
    return meet(game, by_policy(game, Judge(game, net)), rival, games, seed)
