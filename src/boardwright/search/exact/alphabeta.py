"""Alpha-beta with null windows over an explicit stack: the kernel of the exact solver.

The kernel answers one question: does player 0 get at least `target`? Every value in here is what player 0 gets;
player 1, who gets the opposite, keeps it small. Answers stay in a transposition table as bounds, so that one
question serves the next, and one move of a game the next move.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.kernel import inner_kernel, kernel
from boardwright.compile.playout import open_moves
from boardwright.contract.game import OVER
from boardwright.search.exact.transposition import claim, find, mixed, state_key

BOUNDS: list[tuple[Any, ...]] = [("low", "f4"), ("high", "f4")]  # what player 0 gets at least and at most
FRAME = np.dtype(
    [
        ("key", "i8"),
        ("nodes", "i8"),  # counted when the search came here
        ("best", "f8"),  # of the children so far
        ("move", "i4"),  # that led to it
        ("tried", "i4"),  # how many of its moves were tried; they stand first
        ("count", "i4"),  # how many there are
        ("wanted", "i4"),  # the table's move, -1 without
        ("mover", "i1"),
        ("image", "i1"),  # whose key `key` is: see canonical_key
    ],
    align=True,
)
QUESTION = np.dtype(
    [
        ("target", "f8"),  # the question
        ("value", "f8"),  # the answer: at least this if it reaches the target, at most this if not
        ("beyond", "f8"),  # what a game counts that is not over after `plies`
        ("plies", "i8"),  # how far to look, 0 to the end
        ("depth", "i8"),  # of the position to enter next
        ("nodes", "i8"),  # entered so far
        ("trouble", "i8"),
    ],
    align=True,
)
TOO_DEEP, NOT_ZERO_SUM = 1, 2
MOST_WORK = 2**31 - 1


class Guide(NamedTuple):
    """What steers the search, as numbers for the kernel."""

    forcing: int  # number of the policy whose zeros can be left out, 0 without
    order: int  # number of the policy that says what to try first, 0: what cut most often
    symmetric: int  # down to this depth images of a position count as one
    bounded: int  # 1 if the game writes `bounds`


class Stack(NamedTuple):
    """What the search works with: a row for each depth, and what all depths share."""

    frames: npt.NDArray[np.void]
    states: npt.NDArray[np.void]  # [0]: the position in question; the last two are scratch, the very last all zero
    words: npt.NDArray[np.uint64]  # the same states as words: see transposition.py
    moves: npt.NDArray[np.int32]  # (depths, actions)
    weights: npt.NDArray[np.float64]  # (depths, actions): how promising each move is
    history: npt.NDArray[np.float64]  # (2, actions): how often a player's move has cut
    low: npt.NDArray[np.float64]  # (2,): scratch for results and bounds
    high: npt.NDArray[np.float64]


@kernel
def prove(game: Any, table: Any, stack: Any, questions: Any, guide: Any, nodes: Any) -> Any:
    """Go on with questions[0] for so many nodes; True once it is answered, or in trouble."""
    frames, states, moves, weights, history = stack.frames, stack.states, stack.moves, stack.weights, stack.history
    question = questions[0]
    target = question.target
    limit = question.nodes + nodes
    depth = question.depth
    while question.nodes < limit:
        question.nodes += 1
        frame = frames[depth]
        known, value = settled(game, table, stack, depth, question, guide)
        if question.trouble != 0:
            return True
        if known:
            climbing = True
            while climbing:
                if depth == 0:
                    question.value = value
                    return True
                depth -= 1
                frame = frames[depth]
                cut = hand_up(frame, value, moves[depth, frame.tried - 1], target)
                climbing = cut or frame.tried == frame.count
                if climbing:
                    value = frame.best
                    keep(game, table, frame, target, question.nodes - frame.nodes + 1)
                    if cut:
                        history[frame.mover, frame.move] += 1.0
        else:
            frame.nodes = question.nodes
            frame.best = -np.inf if frame.mover == 0 else np.inf
            frame.tried = 0
            frame.count = rank(game, states[depth], frame, moves[depth], weights[depth], history, guide)
        states[depth + 1] = states[depth]
        game.play(states[depth + 1], next_move(frame, moves[depth], weights[depth]))
        depth += 1
    question.depth = depth
    return False


@inner_kernel
def settled(game: Any, table: Any, stack: Any, depth: Any, question: Any, guide: Any) -> Any:
    """Whether states[depth] needs no search, and then its value (or a bound on the right side of the target)."""
    states, words, low, high = stack.states, stack.words, stack.low, stack.high
    frame = stack.frames[depth]
    s = states[depth]
    actor = game.player(s)
    if actor == OVER:
        game.results(s, low)
        if low[0] + low[1] != 0.0:
            question.trouble = NOT_ZERO_SUM
        return True, rounded(low[0])
    if guide.bounded != 0:
        game.bounds(s, low, high)
        least = rounded(max(low[0], -high[1]))
        if least >= question.target:
            return True, least
        most = rounded(min(high[0], -low[1]))
        if most < question.target:
            return True, most
    if question.plies != 0 and depth == question.plies:
        return True, question.beyond
    if depth + 3 >= len(states):
        question.trouble = TOO_DEEP
    key = state_key(game, states, words, depth)
    image = 0
    if depth < guide.symmetric:
        key, image = canonical_key(game, states, words, depth, key)
    if question.plies != 0:
        key = mixed(key ^ (question.plies - depth))  # what can be forced so soon is another question
    frame.key = key
    frame.image = image
    frame.mover = actor
    frame.wanted = -1
    slot = find(table, key)
    if slot >= 0:
        entry = table[slot]
        frame.wanted = entry.move
        if entry.low >= question.target:
            return True, rounded(entry.low)
        if entry.high < question.target:
            return True, rounded(entry.high)
    return False, 0.0


@kernel
def rounded(value: Any) -> Any:
    """As the table keeps it: rounding keeps order, so that equal results stay equal."""
    return np.float64(np.float32(value))


@kernel
def canonical_key(game: Any, states: Any, words: Any, at: Any, own: Any) -> Any:
    """The least key among the images of states[at], whose own key is `own`; and which image has it."""
    blank = len(states) - 1
    least = own
    which = 0
    for image in range(1, game.symmetries):
        states[blank - 1] = states[blank]
        game.mirror(states[at], image, states[blank - 1])
        key = state_key(game, states, words, blank - 1)
        if key < least:
            least = key
            which = image
    return least, which


@kernel
def rank(game: Any, s: Any, frame: Any, moves: Any, weights: Any, history: Any, guide: Any) -> Any:
    """Write the moves that must be looked at, and how promising each is; returns how many."""
    count = open_moves(game, s, moves)
    if guide.forcing != 0:
        game.weigh(guide.forcing, s, moves, count, weights)
        kept = 0
        for i in range(count):
            if weights[i] > 0.0:
                moves[kept] = moves[i]
                kept += 1
        if kept > 0:
            count = kept
    if count == 1:
        return count
    if guide.order != 0:
        game.weigh(guide.order, s, moves, count, weights)
    else:
        for i in range(count):
            weights[i] = history[frame.mover, moves[i]]
    if frame.wanted >= 0:
        for i in range(count):
            if game.mirror_move(moves[i], frame.image) == frame.wanted:
                weights[i] = np.inf
    return count


@kernel
def next_move(frame: Any, moves: Any, weights: Any) -> Any:
    """The most promising move not tried yet. Most positions are cut after one or two: sorting all would be waste."""
    first = frame.tried
    best = first
    if frame.count > 1:
        for i in range(first + 1, frame.count):
            if weights[i] > weights[best]:
                best = i
    move = moves[best]
    moves[best] = moves[first]
    moves[first] = move
    weights[best] = weights[first]
    frame.tried = first + 1
    return move


@kernel
def hand_up(frame: Any, value: Any, move: Any, target: Any) -> Any:
    """A child turned out to be worth `value`; returns whether that settles its parent."""
    if frame.mover == 0:
        if value > frame.best:
            frame.best = value
            frame.move = move
        return frame.best >= target
    if value < frame.best:
        frame.best = value
        frame.move = move
    return frame.best < target


@kernel
def keep(game: Any, table: Any, frame: Any, target: Any, work: Any) -> None:
    """Enter what was found out about a frame's position."""
    entry = table[claim(table, frame.key)]
    if entry.key != frame.key or entry.worth == 0:
        entry.key = frame.key
        entry.low = -np.inf
        entry.high = np.inf
    entry.worth = min(work, MOST_WORK)
    entry.move = game.mirror_move(frame.move, frame.image)
    if frame.best >= target:
        entry.low = frame.best
    else:
        entry.high = frame.best
