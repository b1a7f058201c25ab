"""What a search knows better than the policy it began with: the target from which a network learns."""

from __future__ import annotations

import math
from typing import Any

from boardwright.compile.kernel import kernel
from boardwright.search.rank import best_proven
from boardwright.search.select import completed, q_of, scale_of


@kernel
def improve(tree: Any, stats: Any, plan: Any, weights: Any) -> Any:
    """weights[i] = the improved policy's share of the root's child i; returns its divergence from the prior, in nats.

    Danihelka et al. 2022, section 4, eq. 11: the softmax of logit + sigma(completed q), where a child that was never
    visited counts as v_mix. What is proven goes first: a proven root learns its best moves only, in the proportion of
    their priors, and a child proven to lose gets nothing while another is left.
    """
    root = tree[0]
    player = root.actor
    count = root.count
    if count == 0:
        return 0.0
    low, scale = scale_of(stats, player, plan)
    total, most = 0, 0
    liked, weighted = 0.0, 0.0
    certain = best_proven(tree, plan)
    for i in range(count):
        slot = tree[root.first + i]
        if slot.visits > 0:
            total += slot.visits
            most = max(most, slot.visits)
            prior = max(float(slot.prior), 1e-12)
            liked += prior
            weighted += prior * q_of(slot, player)
    mixed, stretch = completed(root, plan, total, most, liked, weighted, low, scale)
    top = -math.inf
    for i in range(count):
        slot = tree[root.first + i]
        score = math.log(max(float(slot.prior), 1e-12))
        lost = slot.proven != 0 and slot.value[player] <= plan.low
        if certain >= 0:
            equal = slot.proven != 0 and slot.value[player] >= tree[certain].value[player]
            score = score if equal else -math.inf
        elif lost:
            score = -math.inf
        elif slot.visits > 0:
            score += stretch * (q_of(slot, player) - low) * scale
        else:
            score += stretch * mixed
        weights[i] = score
        top = max(top, score)
    all_weights = 0.0
    for i in range(count):
        weights[i] = math.exp(weights[i] - top) if weights[i] > -math.inf else 0.0
        all_weights += weights[i]
    surprise = 0.0
    for i in range(count):
        weights[i] /= all_weights
        if weights[i] > 0.0:
            surprise += weights[i] * math.log(weights[i] / max(float(tree[root.first + i].prior), 1e-12))
    return surprise
