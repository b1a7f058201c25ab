"""Value a leaf by playing on from it: to the end or to a depth, once or several times."""

from __future__ import annotations

from typing import Any

from boardwright.compile.kernel import inner_kernel
from boardwright.compile.random import below, pick, unit
from boardwright.contract.errors import NO_MOVE, NoMove
from boardwright.contract.game import CHANCE, OVER


@inner_kernel
def play_out(game: Any, evaluator: Any, learned: Any, s: Any, plan: Any, work: Any) -> None:
    """Play in `s` until the end or for plan.depth moves; work.value[i] = what player i got, or may expect at the cut.

    Chance draws from work.luck, players from work.rng, so that playouts can meet equal luck whatever they play.
    """
    rng, luck, choices, weights = work.rng, work.luck, work.choices, work.weights
    moves = 0
    if plan.rollout != 0 and plan.mix == 0.0:
        moves = game.play_on(plan.rollout, s, plan.depth, rng, luck, choices, weights)
    actor = game.player(s)
    while actor != OVER and (moves < plan.depth or actor == CHANCE):
        if game.outcomes and actor == CHANCE:
            count = game.chances(s, choices, weights)  # in place: see playout.py
            game.draw(s, choices[pick(luck, weights, count)])
        else:
            count = game.legal(s, choices)
            if count < 1:
                raise NoMove(NO_MOVE)
            if plan.rollout == 0 or (plan.mix > 0.0 and unit(rng) < plan.mix):
                game.play(s, choices[below(rng, count)])
            else:
                game.weigh(plan.rollout, s, choices, count, weights)
                game.play(s, choices[pick(rng, weights, count)])
            moves += 1
        actor = game.player(s)
    if actor == OVER:
        game.results(s, work.value)
    else:
        value_now(game, evaluator, learned, s, plan, work.value)


@inner_kernel
def value_now(game: Any, evaluator: Any, learned: Any, s: Any, plan: Any, out: Any) -> None:
    """out[i] = what the evaluator expects player i to get, within what the rules can pay."""
    evaluator.value(game, s, learned, out)
    for i in range(len(out)):
        out[i] = min(max(out[i], plan.low), plan.best)


@inner_kernel
def evaluate(game: Any, evaluator: Any, learned: Any, plan: Any, work: Any) -> None:
    """work.value[i] = the value to player i of the leaf in work.states[1]: mean of plan.rollouts playouts, or the
    evaluator's word if there are none."""
    states, value, total = work.states, work.value, work.total
    if plan.rollouts == 0:
        value_now(game, evaluator, learned, states[1], plan, value)
        return
    for i in range(len(value)):
        total[i] = 0.0
    for _ in range(plan.rollouts):
        at = 1
        if plan.rollouts > 1:  # a single playout may use the leaf's own record
            at = 2
            states[2] = states[1]
        play_out(game, evaluator, learned, states[at], plan, work)
        for i in range(len(value)):
            total[i] += value[i]
    for i in range(len(value)):
        value[i] = total[i] / plan.rollouts
