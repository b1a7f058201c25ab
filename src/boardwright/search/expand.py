"""Give a leaf its children: one a legal move, one an outcome, or room for samples of a run of draws."""

from __future__ import annotations

from typing import Any

from boardwright.compile.kernel import inner_kernel, kernel
from boardwright.compile.playout import open_moves
from boardwright.compile.random import below
from boardwright.contract.game import CHANCE, OVER
from boardwright.search.backup import set_proof
from boardwright.search.chance import is_modelled, weigh_replies
from boardwright.search.repeats import leave_out_repeats
from boardwright.search.settings import ASKED, TRIED
from boardwright.search.softmax import masked_softmax
from boardwright.search.tree import MOST_CHILDREN, MOST_SAMPLES, RUN, open_slot

# How many tries a game gets to find a win by force. At a leaf more tries cost more playouts than they save.
TRIES, ROOT_TRIES = 30, 4000


@inner_kernel
def foresee(game: Any, tree: Any, stats: Any, slot: Any, plan: Any, work: Any) -> Any:
    """Ask the game whether the player to act at `slot`, whose state is the leaf's, wins by force, or try whether a move
    wins at once. If so, the winning move becomes its only child, proven, and True is returned. Without room for it
    stats.full is set."""
    player = tree[slot].actor
    if player < 0 or is_modelled(tree, tree[slot], plan):
        return False
    if stats.used == len(tree):
        stats.full = 1
        return False
    choices = work.choices
    if plan.threats == TRIED:
        if slot == 0 or not wins_at_once(game, player, plan, work):  # the root keeps all its moves
            return False
    else:
        if game.winning(work.states[1], choices, ROOT_TRIES if slot == 0 else TRIES) == 0:
            return False
        for i in range(len(work.total)):
            work.total[i] = plan.best if i == player else plan.low
    child = tree[stats.used]
    open_slot(child, choices[0], 1.0)
    set_proof(child, work.total)
    tree[slot].first = stats.used
    tree[slot].count = 1
    stats.used += 1
    return True


@inner_kernel
def wins_at_once(game: Any, player: Any, plan: Any, work: Any) -> Any:
    """Whether a move of `player`, who acts in the leaf's state, ends the game with all that the rules can pay; it is
    then the first of work.choices, and work.total what each player gets."""
    states, choices = work.states, work.choices
    for i in range(game.legal(states[1], choices)):
        states[2] = states[1]
        game.play(states[2], choices[i])
        if game.player(states[2]) == OVER:
            game.results(states[2], work.total)
            if work.total[player] >= plan.best:
                choices[0] = choices[i]
                return True
    return False


@inner_kernel
def expand(game: Any, tree: Any, stats: Any, depth: Any, plan: Any, work: Any) -> Any:
    """Append the children of work.path[depth], whose state is the leaf's. Returns False, and sets stats.full, without
    room.

    Moves come in random order: where a rule of selection meets equals, no direction is favoured.
    """
    states, choices, weights = work.states, work.choices, work.weights
    s = states[1]
    slot = work.path[depth]
    room = len(tree) - stats.used
    if game.outcomes and tree[slot].actor == CHANCE:
        count = game.chances(s, choices, weights)
        states[2] = states[1]
        game.draw(states[2], choices[0])
        if game.player(states[2]) == CHANCE:
            if room < MOST_SAMPLES:
                stats.full = 1
                return False
            tree[slot].actor = RUN
            tree[slot].first = stats.used
            tree[slot].count = 0
            stats.used += MOST_SAMPLES
            return True
        if room < count:
            stats.full = 1
            return False
    elif is_modelled(tree, tree[slot], plan):
        count = open_moves(game, s, choices)
        if room < count:
            stats.full = 1
            return False
        weigh_replies(game, s, plan, choices, count, weights)
    else:
        count = list_moves(game, s, plan, choices, weights, ROOT_TRIES if slot == 0 else TRIES)
        if room < count:
            stats.full = 1
            return False
        count = leave_out_repeats(game, tree, depth, work, choices, count)
        rng = work.rng
        for i in range(count - 1, 0, -1):
            j = below(rng, i + 1)
            swap = choices[i]
            choices[i] = choices[j]
            choices[j] = swap
        if plan.prior == 0:
            for i in range(count):
                weights[i] = 1.0
        else:
            game.weigh(plan.prior, s, choices, count, weights)
    attach(tree, stats, slot, choices, weights, count)
    return True


@inner_kernel
def expand_by_prior(
    game: Any, evaluator: Any, learned: Any, tree: Any, stats: Any, depth: Any, plan: Any, work: Any
) -> Any:
    """Append the children of the leaf at work.path[depth], with the evaluator's priors, if it has the visits for it and
    a player acts there. Returns whether it has children now; without room it sets stats.full."""
    slot = tree[work.path[depth]]
    if slot.first != 0 or slot.actor < 0 or depth >= len(work.path) - 1 or is_modelled(tree, slot, plan):
        return False
    if depth > 0 and (slot.visits < plan.expand or depth >= plan.grow):
        return False
    choices, weights = work.choices, work.weights
    s = work.states[1]
    count = list_moves(game, s, plan, choices, weights, ROOT_TRIES if depth == 0 else TRIES)
    if count > len(tree) - stats.used:
        stats.full = 1
        return False
    count = leave_out_repeats(game, tree, depth, work, choices, count)
    evaluator.prior(game, s, learned, choices, count, weights)
    attach(tree, stats, work.path[depth], choices, weights, count)
    return True


@inner_kernel
def expand_by_logits(game: Any, tree: Any, stats: Any, slot: Any, s: Any, plan: Any, work: Any, logits: Any) -> Any:
    """Append the children of `slot`, whose state is `s`, with a network's priors: logits[move], over all moves.
    Returns False, and sets stats.full, without room. A slot that has children, or where nobody moves, is left alone.

    Unlike `expand`, it leaves out no repeats: when the network has answered, work.states and work.path may be another
    leaf's, and what one leaf that waits leaves out must not hang on another that may never get its children.
    """
    if tree[slot].first != 0 or tree[slot].actor < 0:
        return True
    choices, weights = work.choices, work.weights
    count = list_moves(game, s, plan, choices, weights, TRIES)
    if count > len(tree) - stats.used:
        stats.full = 1
        return False
    masked_softmax(choices, count, logits, weights)
    attach(tree, stats, slot, choices, weights, count)
    return True


@inner_kernel
def list_moves(game: Any, s: Any, plan: Any, choices: Any, weights: Any, tries: Any) -> Any:
    """Write the moves that get a child: legal, not left out by the game's `forcing` policy (which knows them to be no
    better than others), answers to a win by force if there is one, and else what its `candidates` policy likes. Returns
    how many."""
    count = open_moves(game, s, choices)
    if plan.forcing:
        count = keep_liked(game, s, plan.forcing, choices, count, weights)
    answers = count
    if plan.threats and count > 1:
        if plan.threats == ASKED:
            answers = game.answers(s, choices, count, choices[game.actions :], tries)
    if plan.candidates and answers == count:
        count = keep_liked(game, s, plan.candidates, choices, count, weights)
    return min(count, answers)


@inner_kernel
def keep_liked(game: Any, s: Any, policy: Any, choices: Any, count: Any, weights: Any) -> Any:
    """Keep, in front, the choices that the game's policy gives a weight, or all if there is none; returns how many."""
    game.weigh(policy, s, choices, count, weights)
    kept = 0
    for i in range(count):
        if weights[i] > 0.0:
            choices[kept] = choices[i]
            kept += 1
    return kept if kept > 0 else count


@kernel
def attach(tree: Any, stats: Any, slot: Any, choices: Any, weights: Any, count: Any) -> None:
    """Make `count` children of `slot`, with priors in proportion to `weights`."""
    if count > MOST_CHILDREN:
        raise ValueError("a tree has room for 32,767 moves or outcomes of one position, and there are more")
    total = 0.0
    for i in range(count):
        total += weights[i]
    begin = stats.used
    for i in range(count):
        open_slot(tree[begin + i], choices[i], weights[i] / total if total > 0.0 else 1.0 / count)
    tree[slot].first = begin
    tree[slot].count = count
    stats.used += count
