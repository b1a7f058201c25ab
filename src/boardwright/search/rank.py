"""Which child of the root to play."""

from __future__ import annotations

import math
from typing import Any

from boardwright.compile.kernel import kernel
from boardwright.search.select import q_of, select_gumbel_root

LOST, OPEN, WON = 0, 1, 2  # what is proven of a child, to the player who moves


@kernel
def best_proven(tree: Any, plan: Any) -> Any:
    """The root's child that is proven best: one that pays all that the rules can pay, or the best where the root's own
    value is proven; -1 if nothing is proven. The liked and then the first among equals."""
    root = tree[0]
    best = -1
    for child in range(root.first, root.first + root.count):
        slot = tree[child]
        if slot.proven == 0 or not (root.proven != 0 or slot.value[root.actor] >= plan.best):
            continue
        if best >= 0:
            gain = slot.value[root.actor] - tree[best].value[root.actor]
            if gain < 0.0 or (gain == 0.0 and slot.prior <= tree[best].prior):
                continue
        best = child
    return best


@kernel
def verdict(slot: Any, player: Any, plan: Any) -> Any:
    """WON or LOST if that is proven, else OPEN; a slot without visits counts as the worst that can happen."""
    if slot.proven == 0:
        return OPEN
    if slot.visits > 0 and slot.value[player] >= plan.best:
        return WON
    return LOST if slot.visits == 0 or slot.value[player] <= plan.low else OPEN


@kernel
def best_child(tree: Any, stats: Any, plan: Any, gumbel: Any, careful: Any) -> Any:
    """The root's child to play, -1 if there is none: what is proven best; else the most visited that is not proven
    lost (all alike: that of the best value), or gumbel's choice among these.

    careful: as play in earnest asks for, among equals the better value, and of several proven to be worth the same the
    one after which a careless reply costs most. Else the liked among the proven and the first among the others, as
    self-play has always chosen.
    """
    root = tree[0]
    player = root.actor
    if not careful:
        proven = best_proven(tree, plan)
        if proven >= 0:
            return proven
    by_value = careful and (plan.select == 3 or root.proven != 0)
    best, best_verdict, best_first, best_second = -1, -1, 0.0, 0.0
    for child in range(root.first, root.first + root.count):
        slot = tree[child]
        visits = float(slot.visits)
        q = q_of(slot, player) if slot.visits > 0 else -math.inf
        known = verdict(slot, player, plan)
        first, second = q, visits
        if known == OPEN and not by_value:
            first, second = visits, q
        if not careful:
            first, second = visits if known == OPEN else 0.0, 0.0
        if (
            known > best_verdict
            or (known == best_verdict and first > best_first)
            or (known == best_verdict and first == best_first and second > best_second)
        ):
            best, best_verdict, best_first, best_second = child, known, first, second
    if best < 0 or best_verdict != OPEN:
        return best
    if careful and tree[best].proven != 0:
        return safest_equal(tree, best)
    if plan.gumbel and root.proven == 0:
        most = 0
        for child in range(root.first, root.first + root.count):
            if verdict(tree[child], player, plan) == OPEN:
                most = max(most, tree[child].visits)
        chosen = select_gumbel_root(tree, stats, plan, gumbel, most)
        if chosen >= 0 and verdict(tree[chosen], player, plan) == OPEN:
            return chosen
    return best


@kernel
def safest_equal(tree: Any, best: Any) -> Any:
    """Of the root's children proven to be worth as much as `best`, the one after which a reply at random, by whoever
    acts there, leaves most to the player who moves."""
    root = tree[0]
    player = root.actor
    safest = -1
    most = -math.inf
    for child in range(root.first, root.first + root.count):
        slot = tree[child]
        if slot.proven == 0 or slot.value[player] != tree[best].value[player]:
            continue
        replies = 0.0
        for reply in range(slot.first, slot.first + slot.count):
            known = tree[reply].visits > 0 or tree[reply].proven != 0
            replies += q_of(tree[reply], player) if known else slot.value[player]
        after = replies / slot.count if slot.count > 0 else slot.value[player]
        if safest < 0 or after > most:
            most = after
            safest = child
    return safest
