"""What chance does in a tree: every outcome by its probability, or samples of a run of draws, progressively widened.
Who is known to play by a rule is chance with known odds."""

from __future__ import annotations

import math
from typing import Any

from boardwright.compile.kernel import kernel
from boardwright.search.select import select_even
from boardwright.search.tree import MOST_SAMPLES, open_slot


@kernel
def is_modelled(tree: Any, slot: Any, plan: Any) -> Any:
    """Whether somebody acts at `slot` who is known to play by plan.opponent: any player but the root's."""
    if plan.opponent:
        return slot.actor >= 0 and slot.actor != tree[0].actor
    return False


@kernel
def weigh_replies(game: Any, s: Any, plan: Any, moves: Any, count: Any, weights: Any) -> None:
    """weights[i] = how likely moves[i] is by plan.opponent, as the player of that name plays: what the policy likes
    best, equals alike."""
    for i in range(count):
        weights[i] = 1.0
    if plan.opponent:
        if plan.opponent > 1:
            game.weigh(plan.opponent - 1, s, moves, count, weights)
    best = 0.0
    for i in range(count):
        best = max(best, weights[i])
    for i in range(count):
        weights[i] = 1.0 if weights[i] == best else 0.0


@kernel
def select_chance(tree: Any, node: Any) -> Any:
    """The outcome, or the move of who plays by a rule, that lags most behind its probability: the mean over children
    nears the expected value sooner than with random draws, and no outcome is forgotten."""
    expected = node.visits + 1.0
    best = node.first
    best_lag = -math.inf
    for child in range(node.first, node.first + node.count):
        slot = tree[child]
        lag = float(slot.prior) * expected - slot.visits
        if lag > best_lag:
            best_lag = lag
            best = child
    return best


@kernel
def select_sample(tree: Any, node: Any, plan: Any) -> Any:
    """A sample of a run of draws: a new one while there are fewer than visits ** widen (progressive widening,
    Couetoux et al. 2011), else the least visited, all being equally likely."""
    if node.count < MOST_SAMPLES and node.count < math.pow(node.visits + 1.0, plan.widen):
        node.count += 1
        open_slot(tree[node.first + node.count - 1], 0, 0.0)
        return node.first + node.count - 1
    return select_even(tree, node)
