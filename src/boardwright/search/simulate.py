"""The search itself, one simulation after another: select, expand, evaluate, back up. No recursion."""

from __future__ import annotations

from typing import Any

import numpy as np

from boardwright.compile.borrow import borrowed
from boardwright.compile.kernel import inner_kernel
from boardwright.compile.playout import settle
from boardwright.compile.random import bits
from boardwright.contract.game import CHANCE, OVER
from boardwright.search.backup import backup, set_proof
from boardwright.search.chance import is_modelled, select_chance, select_sample
from boardwright.search.expand import expand, expand_by_prior, foresee
from boardwright.search.rollout import evaluate
from boardwright.search.select import (
    select_even,
    select_gumbel_inside,
    select_gumbel_root,
    select_puct,
    select_ucb1,
)
from boardwright.search.tree import RUN, UNSEEN
from boardwright.search.work import DEEPEST

SPREAD = np.uint64(2654435761)


@inner_kernel
def descend(game: Any, tree: Any, stats: Any, plan: Any, work: Any, depth: Any) -> Any:
    """Walk from the root (depth 0), or on from work.path[depth], to a leaf, expanding on the way as plan.expand allows;
    work.states[1] is then the leaf's state. Returns (depth of the leaf in work.path, whether work.value holds its exact
    value already); a depth of -1 if gumbel's order has yet to be set and so only the root was expanded (order[0] < 0).
    """
    states, path, order = work.states, work.path, work.order
    if depth == 0:
        states[1] = states[0]
        path[0] = 0
    s = states[1]
    at: Any = np.int64(path[depth])
    while True:
        slot = tree[at]
        if slot.actor == UNSEEN:
            slot.actor = game.player(s)
        if slot.proven != 0:
            for i in range(len(work.value)):
                work.value[i] = slot.value[i]
            return depth, True
        if slot.actor == OVER:
            game.results(s, work.value)
            if plan.proofs != 0:
                set_proof(slot, work.value)
            return depth, True
        if slot.first <= 0 and not (
            plan.threats and (slot.visits == 0 or at == 0) and foresee(game, tree, stats, at, plan, work)
        ):
            ripe = at == 0 or (slot.visits >= plan.expand and depth < plan.grow)
            by_odds = slot.actor == CHANCE or is_modelled(tree, slot, plan)
            if plan.batched != 0:
                ripe = by_odds  # players' nodes wait for the network's priors
            elif plan.prior < 0:
                ripe = ripe and by_odds  # and here for those inside the kernel
            if not ripe or depth >= DEEPEST - 1 or not expand(game, tree, stats, depth, plan, work):
                return depth, False
        if game.outcomes and slot.actor == CHANCE:
            at = select_chance(tree, slot)
            game.draw(s, tree[at].move)
        elif game.outcomes and slot.actor == RUN:
            at = select_sample(tree, slot, plan)
            if tree[at].actor == UNSEEN:
                tree[at].move = np.int64(bits(work.rng) >> np.uint64(33))
            work.luck[0] = tree[at].move
            settle(game, s, work.luck, work.choices, work.weights)
        else:
            if is_modelled(tree, slot, plan):
                at = select_chance(tree, slot)
            elif plan.gumbel:
                chosen = -1
                if at == 0:
                    if order[0] < 0:
                        return -1, False
                    wanted = order[min(stats.simulations, len(order) - 1)]
                    chosen = select_gumbel_root(tree, stats, plan, work.gumbel, wanted)
                at = chosen if chosen >= 0 else select_gumbel_inside(tree, stats, slot, plan, work.weights)
            elif plan.select == 0:
                at = select_ucb1(tree, stats, slot, plan)
            elif plan.select == 1:
                at = select_puct(tree, stats, slot, plan)
            else:
                at = select_even(tree, slot)
            game.play(s, tree[at].move)
        depth += 1
        path[depth] = at


@inner_kernel
def simulate(
    game: Any, evaluator: Any, learned: Any, tree: Any, tree_stats: Any, plan: Any, work: Any, simulations: Any
) -> Any:
    """Run up to so many simulations from the root state work.states[0]; returns how many were done. Stops early when
    the root is proven, or when the tree is full (tree_stats[0].full): grow it and call again."""
    work = borrowed(work)
    stats = tree_stats[0]
    stats.full = 0
    path = work.path
    for done in range(simulations):
        if tree[0].proven != 0 and tree[0].first != 0:
            return done
        depth, known = 0, False
        while True:
            depth, known = descend(game, tree, stats, plan, work, depth)
            if known or depth < 0 or plan.prior >= 0:
                break
            if not evaluator.has_policy:
                break
            if not expand_by_prior(game, evaluator, learned, tree, stats, depth, plan, work):
                break
        if stats.full != 0 or depth < 0:
            return done
        if not known:
            if plan.common != 0 and depth > 0:  # the k-th playout below each move: the same draws
                work.luck[0] = np.uint64(tree[path[1]].visits) * SPREAD
            else:
                work.luck[0] = bits(work.rng)
            evaluate(game, evaluator, learned, plan, work)
        backup(tree, stats, path, depth, plan, work.value)
    return simulations
