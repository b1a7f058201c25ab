"""Carry a leaf's value up the path, and with it what has been proven (MCTS-Solver, Winands et al. 2008, for
vectors and chance)."""

from __future__ import annotations

import math
from typing import Any

from boardwright.compile.kernel import inner_kernel, kernel
from boardwright.contract.game import CHANCE
from boardwright.search.chance import is_modelled
from boardwright.search.tree import RUN


@inner_kernel
def backup(tree: Any, stats: Any, path: Any, depth: Any, plan: Any, value: Any) -> None:
    """Add `value` (value[i] is player i's) to path[depth] and every slot above it. Where a slot becomes proven
    on the way, its exact value replaces the simulated one from there up."""
    leaf = tree[path[depth]]
    if leaf.visits == 0 and leaf.actor >= 0:
        leaf.raw = value[leaf.actor]
    proving = plan.proofs != 0 and leaf.proven != 0
    for level in range(depth, -1, -1):
        slot = tree[path[level]]
        if level < depth and proving:
            proving = prove(tree, slot, plan, value)
        slot.visits += 1
        if slot.proven == 0:
            for i in range(len(value)):
                slot.value[i] += value[i]
    stats.seen += 1.0
    for i in range(len(value)):
        off = value[i] - stats.mean[i]
        stats.mean[i] += off / stats.seen
        stats.squares[i] += off * (value[i] - stats.mean[i])
    stats.simulations += 1


@kernel
def set_proof(slot: Any, value: Any) -> None:
    """Enter `value` as exact."""
    for i in range(len(value)):
        slot.value[i] = value[i]
    slot.proven = 1


@inner_kernel
def prove(tree: Any, node: Any, plan: Any, value: Any) -> Any:
    """Try to prove a node from its children; on success `value` becomes its exact value.

    A player's node is proven by one child that pays all that the rules can pay, or by all children being
    proven; chance, and who plays by a known rule, by all that can come being proven, at its mean. A sampled run of
    draws never is.
    """
    if node.proven != 0 or node.actor == RUN:
        return False
    if node.actor == CHANCE or is_modelled(tree, node, plan):
        for child in range(node.first, node.first + node.count):
            if tree[child].proven == 0 and tree[child].prior > 0.0:
                return False
        for i in range(len(value)):
            value[i] = 0.0
        for child in range(node.first, node.first + node.count):
            for i in range(len(value)):
                value[i] += float(tree[child].prior) * tree[child].value[i]
        set_proof(node, value)
        return True
    best = -1
    best_value = -math.inf
    complete = True
    for child in range(node.first, node.first + node.count):
        slot = tree[child]
        if slot.proven == 0:
            complete = False
        elif slot.value[node.actor] > best_value:
            best_value = slot.value[node.actor]
            best = child
    if best < 0 or not (complete or best_value >= plan.best):
        return False
    for i in range(len(value)):
        value[i] = tree[best].value[i]
    set_proof(node, value)
    return True
