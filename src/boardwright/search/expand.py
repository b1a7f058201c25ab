"""Give a leaf its children: one a legal move, one an outcome, or room for samples of a run of draws."""

from __future__ import annotations

from typing import Any

from boardwright.compile.kernel import inner_kernel, kernel
from boardwright.compile.random import below
from boardwright.contract.game import CHANCE
from boardwright.search.tree import MOST_SAMPLES, RUN, open_slot

# How many tries a game gets to find a win by force. At a leaf more tries cost more playouts than they save.
TRIES, ROOT_TRIES = 30, 4000


@inner_kernel
def foresee(game: Any, tree: Any, note: Any, slot: Any, s: Any, plan: Any, choices: Any) -> Any:
    """Ask the game whether the player to act at `slot`, whose state is `s`, wins by force. If so, the winning move
    becomes its only child, proven, and True is returned."""
    player = tree[slot].actor
    if player < 0 or note.used == len(tree):
        return False
    if game.winning(s, choices, ROOT_TRIES if slot == 0 else TRIES) == 0:
        return False
    child = tree[note.used]
    open_slot(child, choices[0], 1.0)
    child.proven = 1
    for i in range(len(child.value)):
        child.value[i] = plan.best if i == player else plan.low
    tree[slot].first = note.used
    tree[slot].count = 1
    note.used += 1
    return True


@inner_kernel
def expand(
    game: Any, tree: Any, note: Any, slot: Any, states: Any, plan: Any, rng: Any, choices: Any, weights: Any
) -> Any:
    """Append the children of `slot`, whose state is states[1]. Returns False, and sets note.full, without room.

    Moves come in random order: where a rule of selection meets equals, no direction is favoured.
    """
    s = states[1]
    room = len(tree) - note.used
    if tree[slot].actor == CHANCE:
        count = game.chances(s, choices, weights)
        states[2] = states[1]
        game.draw(states[2], choices[0])
        if game.player(states[2]) == CHANCE:
            if room < MOST_SAMPLES:
                note.full = 1
                return False
            tree[slot].actor = RUN
            tree[slot].first = note.used
            tree[slot].count = 0
            note.used += MOST_SAMPLES
            return True
        if room < count:
            note.full = 1
            return False
    else:
        count = game.legal(s, choices)
        if plan.forcing != 0:
            count = keep_forced(game, s, plan, choices, weights, count)
        if plan.threats != 0 and count > 1:
            count = game.answers(s, choices, count, choices[game.actions :], ROOT_TRIES if slot == 0 else TRIES)
        if room < count:
            note.full = 1
            return False
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
    attach(tree, note, slot, choices, weights, count)
    return True


@inner_kernel
def keep_forced(game: Any, s: Any, plan: Any, choices: Any, weights: Any, count: Any) -> Any:
    """Leave out the moves that the game's `forcing` policy knows to be no better than the others; how many stay."""
    game.weigh(plan.forcing, s, choices, count, weights)
    kept = 0
    for i in range(count):
        if weights[i] > 0.0:
            choices[kept] = choices[i]
            kept += 1
    return kept if kept > 0 else count


@kernel
def attach(tree: Any, note: Any, slot: Any, choices: Any, weights: Any, count: Any) -> None:
    """Make `count` children of `slot`, with priors in proportion to `weights`."""
    total = 0.0
    for i in range(count):
        total += weights[i]
    begin = note.used
    for i in range(count):
        open_slot(tree[begin + i], choices[i], weights[i] / total if total > 0.0 else 1.0 / count)
    tree[slot].first = begin
    tree[slot].count = count
    note.used += count
