"""Exact values of small two-player games: alpha-beta with null windows over an explicit stack.

One question at a time: does player 0 get at least `target`? Every value that comes up is what player 0 gets;
player 1, who gets the opposite, keeps it small. A position's answer is kept as bounds in a transposition table,
so that one question serves the next, and one move of a game the next move.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boardwright.contract.game import OVER
from boardwright.contract.kernel import kernel
from boardwright.search.transposition import claim, find, state_key

BOUNDS = [("low", "f4"), ("high", "f4")]  # what player 0 gets at least and at most
FRAME = np.dtype(
    [
        ("key", "i8"),
        ("nodes", "i8"),  # counted when the search came here
        ("best", "f8"),  # of the children so far
        ("move", "i4"),  # that led to it
        ("tried", "i4"),  # children
        ("count", "i4"),  # moves
        ("mover", "i1"),
        ("image", "i1"),  # whose key is used: see canonical_key
    ],
    align=True,
)
NOTE = np.dtype(
    [
        ("target", "f8"),  # the question
        ("value", "f8"),  # the answer: a bound on the right side of the target
        ("depth", "i8"),  # of the position to enter next
        ("nodes", "i8"),  # entered so far
        ("trouble", "i8"),
    ],
    align=True,
)
TOO_DEEP, NOT_ZERO_SUM = 1, 2


@kernel
def canonical_key(game: Any, states: Any, words: Any, at: Any) -> Any:
    """The least key among the images of states[at], and which image has it. The last two states are scratch; the
    last is all zero."""
    blank = len(states) - 1
    best = state_key(game, states, words, at)
    which = 0
    for image in range(1, game.symmetries):
        states[blank - 1] = states[blank]
        game.mirror(states[at], image, states[blank - 1])
        key = state_key(game, states, words, blank - 1)
        if key < best:
            best = key
            which = image
    return best, which


@kernel
def prove(
    game: Any, table: Any, frames: Any, states: Any, words: Any, moves: Any, weights: Any, history: Any, low: Any, high: Any,
    notes: Any, forcing: Any, order: Any, symmetric: Any, nodes: Any,
) -> Any:
    note = notes[0]
    target = note.target
    limit = note.nodes + nodes
    depth = note.depth
    while note.nodes < limit:
        note.nodes += 1
        s = states[depth]
        actor = game.player(s)
        known = False
        value = 0.0
        image = 0
        key = 0
        if actor == OVER:
            game.results(s, low)
            value = low[0]
            known = True
            if low[0] + low[1] != 0.0:
                note.trouble = NOT_ZERO_SUM
                return False
        else:
            game.bounds(s, low, high)
            least = max(low[0], -high[1])
            most = min(high[0], -low[1])
            if least >= target:
                value = least
                known = True
            elif most < target:
                value = most
                known = True
            else:
                if depth < symmetric:
                    key, image = canonical_key(game, states, words, depth)
                else:
                    key = state_key(game, states, words, depth)
                slot = find(table, key)
                wanted = -1
                if slot >= 0:
                    entry = table[slot]
                    wanted = entry.move
                    if entry.low >= target:
                        value = entry.low
                        known = True
                    elif entry.high < target:
                        value = entry.high
                        known = True
        if not known:
            if depth + 3 >= len(states):
                note.trouble = TOO_DEEP
                return False
            frame = frames[depth]
            frame.key = key
            frame.nodes = note.nodes
            frame.best = -np.inf if actor == 0 else np.inf
            frame.move = -1
            frame.tried = 0
            frame.mover = actor
            frame.image = image
            frame.count = rank(game, s, moves[depth], weights[depth], history, actor, forcing, order, wanted, image)
            states[depth + 1] = states[depth]
            game.play(states[depth + 1], next_move(frame, moves[depth], weights[depth]))
            depth += 1
            continue
        while True:
            # `value` of the position at `depth` is known: hand it to the one above.
            if depth == 0:
                note.value = value
                note.depth = 0
                return True
            depth -= 1
            frame = frames[depth]
            if frame.mover == 0:
                if value > frame.best:
                    frame.best = value
                    frame.move = moves[depth, frame.tried - 1]
                cut = frame.best >= target
            else:
                if value < frame.best:
                    frame.best = value
                    frame.move = moves[depth, frame.tried - 1]
                cut = frame.best < target
            if not cut and frame.tried < frame.count:
                states[depth + 1] = states[depth]
                game.play(states[depth + 1], next_move(frame, moves[depth], weights[depth]))
                depth += 1
                break
            value = frame.best
            if cut:
                left = moves.shape[1] 
                history[frame.mover, frame.move] += 1.0
            keep(game, table, frame, target, note.nodes - frame.nodes + 1)
    note.depth = depth
    return False


@kernel
def keep(game: Any, table: Any, frame: Any, target: Any, work: Any) -> None:
    entry = table[claim(table, frame.key)]
    if entry.key != frame.key or entry.worth == 0:
        entry.key = frame.key
        entry.low = -np.inf
        entry.high = np.inf
    entry.worth = min(work, 2147483647)
    entry.move = game.mirror_move(frame.move, frame.image)
    if frame.best >= target:
        entry.low = frame.best
    else:
        entry.high = frame.best


@kernel
def rank(game: Any, s: Any, moves: Any, weights: Any, history: Any, actor: Any, forcing: Any, order: Any, wanted: Any, image: Any) -> Any:
    """Write the moves worth a look and how promising they are; returns how many."""
    count = game.legal(s, moves)
    if forcing != 0:
        game.weigh(forcing, s, moves, count, weights)
        kept = 0
        for i in range(count):
            if weights[i] > 0.0:
                moves[kept] = moves[i]
                kept += 1
        count = kept
    if count > 1:
        if order != 0:
            game.weigh(order, s, moves, count, weights)
        else:
            for i in range(count):
                weights[i] = history[actor, moves[i]]
        if wanted >= 0:
            for i in range(count):
                if game.mirror_move(moves[i], image) == wanted:
                    weights[i] = np.inf
    return count


@kernel
def next_move(frame: Any, moves: Any, weights: Any) -> Any:
    """The most promising move not tried yet; moves tried stand first."""
    best = frame.tried
    if frame.count > 1:
        for i in range(frame.tried + 1, frame.count):
            if weights[i] > weights[best]:
                best = i
        move = moves[best]
        moves[best] = moves[frame.tried]
        moves[frame.tried] = move
        weight = weights[best]
        weights[best] = weights[frame.tried]
        weights[frame.tried] = weight
    frame.tried += 1
    return moves[frame.tried - 1]
