"""Choose a child of a player's node: UCB1, PUCT, the deterministic rule of Gumbel MuZero, all alike."""

from __future__ import annotations

import math
from typing import Any

from boardwright.compile.kernel import kernel

VISIT_OFFSET = 50.0  # c_visit of Danihelka et al. 2022, section 5 (eq. 8); c_scale is plan.trust


@kernel
def scale_of(stats: Any, player: Any, plan: Any) -> Any:
    """(low, 1 / range) that bring player's values to about 0..1: by the rules where results are -1..1, else by
    what the tree has seen: mean - deviation .. mean + deviation, the range of a fair coin."""
    if plan.points == 0:
        return -1.0, 0.5
    deviation = 0.0
    if stats.seen >= 2.0:
        deviation = math.sqrt(stats.squares[player] / stats.seen)
    if deviation <= 0.0:
        return stats.mean[player], 1.0
    return stats.mean[player] - deviation, 0.5 / deviation


@kernel
def q_of(slot: Any, player: Any) -> Any:
    """The value to `player` of a slot that has been visited: exact if proven, else the mean of its visits."""
    if slot.proven != 0:
        return slot.value[player]
    return slot.value[player] / slot.visits


@kernel
def select_ucb1(tree: Any, stats: Any, node: Any, plan: Any) -> Any:
    """Auer, Cesa-Bianchi and Fischer 2002, figure 1, with the parent's visits: unvisited children first. Children
    proven to be the worst that can happen are left out."""
    player = node.actor
    low, scale = scale_of(stats, player, plan)
    log_visits = math.log(node.visits + 1.0)
    best = -1
    best_score = -math.inf
    for child in range(node.first, node.first + node.count):
        slot = tree[child]
        if slot.visits == 0:
            return child
        share = 1.0 / slot.visits  # one division a child, not two: wide roots spend their time here
        q = slot.value[player] * share
        if slot.proven != 0:
            q = slot.value[player]
            if q <= plan.low:
                continue
        score = (q - low) * scale + plan.c * math.sqrt(log_visits * share)
        if score > best_score:
            best_score = score
            best = child
    return best if best >= 0 else node.first


@kernel
def select_puct(tree: Any, stats: Any, node: Any, plan: Any) -> Any:
    """PUCT as AlphaZero has it (Silver et al. 2018, Methods); an unvisited child counts as its parent's mean."""
    player = node.actor
    low, scale = scale_of(stats, player, plan)
    reach = plan.c * math.sqrt(node.visits + 1.0)
    unseen = 0.5
    if node.visits > 0:
        unseen = (node.value[player] / node.visits - low) * scale
    best = -1
    best_score = -math.inf
    for child in range(node.first, node.first + node.count):
        slot = tree[child]
        q = unseen
        if slot.visits > 0:
            exact = q_of(slot, player)
            if slot.proven != 0 and exact <= plan.low:
                continue
            q = (exact - low) * scale
        score = q + reach * float(slot.prior) / (1.0 + slot.visits)
        if score > best_score:
            best_score = score
            best = child
    return best if best >= 0 else node.first


@kernel
def select_even(tree: Any, node: Any) -> Any:
    """The child with the fewest visits."""
    best = node.first
    for child in range(node.first + 1, node.first + node.count):
        if tree[child].visits < tree[best].visits:
            best = child
    return best


@kernel
def completed(node: Any, plan: Any, total: Any, most: Any, liked: Any, weighted: Any, low: Any, scale: Any) -> Any:
    """(v_mix, stretch): what unvisited children count as (Danihelka et al. 2022, appendix D, eq. 33), brought to
    0..1, and the factor of sigma in eq. 8. Of the visited children: total and most visits, sum of priors, and of
    priors times values. A root that was never valued itself counts as its children."""
    mixed = float(node.raw)
    if liked > 0.0:
        mean = weighted / liked
        mixed = mean if math.isnan(mixed) else (mixed + total * mean) / (1.0 + total)
    elif math.isnan(mixed):
        mixed = low + 0.5 / scale
    return (mixed - low) * scale, (VISIT_OFFSET + most) * plan.trust


@kernel
def select_gumbel_inside(tree: Any, stats: Any, node: Any, plan: Any, scratch: Any) -> Any:
    """Below the root (Danihelka et al. 2022, section 5, eq. 14): follow the improved policy deterministically.

    The improved policy is prior * exp(sigma(q) - sigma(v_mix)), which is the prior itself where a child was not
    visited. So one pass finds the best unvisited child, and only visited ones, kept in `scratch`, cost more.
    """
    player = node.actor
    low, scale = scale_of(stats, player, plan)
    total = 0
    most = 0
    liked = 0.0
    weighted = 0.0
    visited = 0
    fresh = -1
    fresh_prior = -1.0
    for child in range(node.first, node.first + node.count):
        slot = tree[child]
        prior = float(slot.prior)
        if slot.visits > 0:
            total += slot.visits
            most = max(most, slot.visits)
            prior = max(prior, 1e-12)
            liked += prior
            weighted += prior * q_of(slot, player)
            scratch[visited] = child
            visited += 1
        elif prior > fresh_prior:
            fresh_prior = prior
            fresh = child
    if visited == 0:
        return fresh
    mixed, stretch = completed(node, plan, total, most, liked, weighted, low, scale)
    top = 0.0
    for k in range(visited):
        top = max(top, stretch * ((q_of(tree[int(scratch[k])], player) - low) * scale - mixed))
    unvisited = math.exp(-top)
    weight = max(1.0 - liked, 0.0) * unvisited
    for k in range(visited):
        slot = tree[int(scratch[k])]
        weight += float(slot.prior) * math.exp(stretch * ((q_of(slot, player) - low) * scale - mixed) - top)
    best = fresh
    best_score = fresh_prior * unvisited / weight if fresh >= 0 else -math.inf
    for k in range(visited):
        child = int(scratch[k])
        slot = tree[child]
        liking = float(slot.prior) * math.exp(stretch * ((q_of(slot, player) - low) * scale - mixed) - top)
        score = liking / weight - slot.visits / (1.0 + total)
        if score > best_score:
            best_score = score
            best = child
    return best


@kernel
def select_gumbel_root(tree: Any, stats: Any, plan: Any, gumbel: Any, wanted: Any) -> Any:
    """At the root: sequential halving. Of the children visited exactly `wanted` times so far, the one with the
    best gumbel[i] + sigma(q), or -1. gumbel: noise + logit a child, -inf for those not considered. What the visited
    are worth together counts only where one without visits is wanted."""
    node = tree[0]
    low, scale = scale_of(stats, node.actor, plan)
    total = 0
    most = 0
    liked = 0.0
    weighted = 0.0
    for i in range(node.count):
        if gumbel[i] == -math.inf:
            continue
        slot = tree[node.first + i]
        most = max(most, slot.visits)
        if wanted == 0 and slot.visits > 0:
            total += slot.visits
            prior = max(float(slot.prior), 1e-12)
            liked += prior
            weighted += prior * q_of(slot, node.actor)
    mixed, stretch = completed(node, plan, total, most, liked, weighted, low, scale)
    best = -1
    best_score = -math.inf
    for i in range(node.count):
        if gumbel[i] == -math.inf:
            continue
        slot = tree[node.first + i]
        if slot.visits != wanted:
            continue
        q = mixed
        if slot.visits > 0:
            q = (q_of(slot, node.actor) - low) * scale
        score = gumbel[i] + stretch * q
        if score > best_score:
            best_score = score
            best = node.first + i
    return best
