"""The search itself, one simulation after another: select, expand, evaluate, back up. No recursion."""

from __future__ import annotations

from typing import Any

import numpy as np

from boardwright.compile.kernel import inner_kernel
from boardwright.compile.random import bits, pick
from boardwright.contract.game import CHANCE, OVER
from boardwright.search.backup import backup, set_proof
from boardwright.search.expand import expand, foresee
from boardwright.search.rollout import evaluate
from boardwright.search.select import (
    select_chance,
    select_even,
    select_gumbel_inside,
    select_gumbel_root,
    select_puct,
    select_sample,
    select_ucb1,
)
from boardwright.search.tree import RUN, UNSEEN

SPREAD = np.uint64(2654435761)
DEEPEST = 2048  # slots on a path; below that a leaf is valued where it is


@inner_kernel
def descend(
    game: Any,
    tree: Any,
    note: Any,
    states: Any,
    plan: Any,
    rng: Any,
    luck: Any,
    choices: Any,
    weights: Any,
    value: Any,
    path: Any,
    gumbel: Any,
    order: Any,
) -> Any:
    """Walk from the root to a leaf, expanding on the way as plan.expand allows; states[1] is then the leaf's
    state. Returns (depth of the leaf in `path`, whether `value` holds its exact value already); a depth of -1 if
    gumbel's order has yet to be set and so only the root was expanded (order[0] < 0)."""
    states[1] = states[0]
    s = states[1]
    at = 0
    depth = 0
    path[0] = 0
    while True:
        slot = tree[at]
        if slot.actor == UNSEEN:
            slot.actor = game.player(s)
        if slot.proven != 0:
            for i in range(len(value)):
                value[i] = slot.value[i]
            return depth, True
        if slot.actor == OVER:
            game.results(s, value)
            if plan.proofs != 0:
                set_proof(slot, value)
            return depth, True
        if slot.first == 0 and not (
            plan.threats != 0 and (slot.visits == 0 or at == 0) and foresee(game, tree, note, at, s, plan, choices)
        ):
            ripe = at == 0 or (slot.visits >= plan.expand and depth < plan.grow)
            if plan.batched != 0:
                ripe = slot.actor == CHANCE  # players' nodes wait for the network's priors
            if (
                not ripe
                or depth >= DEEPEST - 1
                or not expand(game, tree, note, at, states, plan, rng, choices, weights)
            ):
                return depth, False
        if slot.actor == CHANCE:
            at = select_chance(tree, slot)
            game.draw(s, tree[at].move)
        elif slot.actor == RUN:
            at = select_sample(tree, slot, plan)
            if tree[at].actor == UNSEEN:
                tree[at].move = np.int64(bits(rng) >> np.uint64(33))
            luck[0] = tree[at].move
            while game.player(s) == CHANCE:
                count = game.chances(s, choices, weights)
                game.draw(s, choices[pick(luck, weights, count)])
        else:
            if plan.select == 0:
                at = select_ucb1(tree, note, slot, plan)
            elif plan.select == 1:
                at = select_puct(tree, note, slot, plan)
            elif plan.select == 3:
                at = select_even(tree, slot)
            else:
                chosen = -1
                if at == 0:
                    if order[0] < 0:
                        return -1, False
                    chosen = select_gumbel_root(tree, note, plan, gumbel, order[min(note.simulations, len(order) - 1)])
                at = chosen if chosen >= 0 else select_gumbel_inside(tree, note, slot, plan, weights)
            game.play(s, tree[at].move)
        depth += 1
        path[depth] = at


@inner_kernel
def simulate(
    game: Any,
    evaluator: Any,
    learned: Any,
    tree: Any,
    notes: Any,
    states: Any,
    plan: Any,
    rng: Any,
    luck: Any,
    choices: Any,
    weights: Any,
    value: Any,
    total: Any,
    path: Any,
    gumbel: Any,
    order: Any,
    simulations: Any,
) -> Any:
    """Run up to so many simulations from the root state states[0]; returns how many were done. Stops early when
    the root is proven, or when the tree is full (notes[0].full): grow it and call again.

    states: three records. rng, luck: one uint64 each. choices int32: room for all moves twice, and for all outcomes;
    weights float64: once. value, total: float64, one a player. path: int32, DEEPEST. gumbel, order: see gumbel.py.
    """
    note = notes[0]
    note.full = 0
    for done in range(simulations):
        if tree[0].proven != 0 and tree[0].first != 0:
            return done
        depth, known = descend(game, tree, note, states, plan, rng, luck, choices, weights, value, path, gumbel, order)
        if note.full != 0 or depth < 0:
            return done
        leaf = tree[path[depth]]
        if not known:
            if plan.common != 0 and depth > 0:
                luck[0] = np.uint64(tree[path[1]].visits) * SPREAD  # the k-th playout below each move: the same draws
            else:
                luck[0] = bits(rng)
            evaluate(game, evaluator, learned, states, plan, rng, luck, choices, weights, value, total)
        if leaf.visits == 0 and leaf.actor >= 0:
            leaf.raw = value[leaf.actor]
        backup(tree, note, path, depth, plan, value)
    return simulations
