"""What dice do to the targets of self-play, held against exact values: why searches are deeper there."""

from __future__ import annotations

import numpy as np
import pytest

import boardwright as bw
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.contract.state import copy_record
from boardwright.search.exact.transposition import words_of
from boardwright.search.exact.value_iteration import ValueIteration, key_of, number_of
from boardwright.search.forest import Forest
from boardwright.search.settings import SearchSettings

UR = "docs/examples/royal_ur.py:RoyalUr:pieces=2"
BLUR = 0.3  # standard deviation of the error of a young network's value


@pytest.fixture(scope="module")
def truth() -> ValueIteration:
    return ValueIteration(bw.load(UR), tolerance=1e-5)


@pytest.fixture(scope="module")
def roots(truth: ValueIteration) -> list[Position]:
    rng, found = Random(5), []
    for seed in range(60):
        position = truth.game.begin(seed)
        while not position.is_over:
            values = truth.values(position).values() if len(position.moves) > 1 else (0.0,)
            if max(values) - min(values) > 0.05 and rng.below(2) == 0:
                found.append(position)
            position = position.play(position.moves[rng.below(len(position.moves))]).settle(rng)
    return found[:150]


def targets(truth: ValueIteration, roots: list[Position], simulations: int, trust: float) -> tuple[float, float]:
    """(what a move drawn from the target loses on average, share of targets with nine tenths on one move), where the
    network's policy is even and its value the truth with noise."""
    game, noise = truth.game, np.random.default_rng(simulations)
    settings = SearchSettings(simulations=simulations, select="gumbel", prior="uniform", rollout="none", trust=trust)
    forest = Forest(game, settings, len(roots))
    forest.plant(roots, list(range(len(roots))))
    for _ in range(simulations + 1):
        forest.descend()
        values = np.zeros((len(roots), 2))
        for t in range(len(roots)):
            leaf = copy_record(forest.leaves[t : t + 1])
            number = truth._call(number_of, truth._slots, truth._nodes, truth._call(key_of, game, leaf, words_of(leaf)))
            values[t] = truth._nodes["value"][number] if number >= 0 else 0.0
        error = noise.normal(0.0, BLUR, len(roots))
        forest.absorb(np.zeros((len(roots), game.actions), np.float32), values + np.stack([error, -error], axis=1))
    policies = forest.improved().policies
    lost = []
    for position, policy in zip(roots, policies, strict=True):
        worth = truth.values(position)
        lost.append(sum(float(policy[move]) * (max(worth.values()) - value) for move, value in worth.items()))
    return float(np.mean(lost)), float((policies.max(axis=1) > 0.9).mean())


@pytest.mark.slow
def test_deeper_searches_make_better_targets_and_much_trust_in_few_simulations_makes_certain_ones(
    truth: ValueIteration, roots: list[Position]
) -> None:
    shallow, _ = targets(truth, roots, 16, 0.25)
    deep, _ = targets(truth, roots, 64, 0.25)
    assert deep < 0.95 * shallow
    _, doubtful = targets(truth, roots, 8, 0.25)
    _, certain = targets(truth, roots, 8, 1.0)
    assert certain > 0.5 and doubtful < 0.4
