"""Choose a whole turn by the value of where it ends: all moves that the mover makes before anybody else acts.

Moves of one turn are one decision: chosen one by one they are valued in the middle of a turn, where the value is least
sure. Different orders of the same moves lead to the same position: it is looked at once.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.kernel import kernel
from boardwright.compile.playout import open_moves
from boardwright.contract.game import Game
from boardwright.learn.values.choosing import keep_best
from boardwright.search.exact.transposition import state_key, words_of

LONGEST_TURN = 8  # moves; a longer one is valued where it is then
MOST_LOOKS = 4096  # positions of a turn that are valued; after that a turn is valued after its first move
SLOTS = 2 * MOST_LOOKS


class TurnRoom(NamedTuple):
    """Where a turn is thought through. states are handed to kernels beside it: records have to be an argument."""

    words: npt.NDArray[np.uint64]  # the same memory as the states, a row a state
    moves: npt.NDArray[np.int32]  # (LONGEST_TURN, actions or outcomes)
    weights: npt.NDArray[np.float64]  # of draws
    counts: npt.NDArray[np.int64]  # moves of each level
    tried: npt.NDArray[np.int64]
    line: npt.NDArray[np.int32]  # the moves from the root to here
    best: npt.NDArray[np.int32]  # the best turn so far
    out: npt.NDArray[np.float64]  # a value a player
    keys: npt.NDArray[np.int64]  # positions of this turn that were met, by slot
    marks: npt.NDArray[np.int64]  # marks[slot] == marks[SLOTS]: the slot was used in this turn
    looks: npt.NDArray[np.int64]  # positions valued in all
    top: npt.NDArray[np.float64]  # what the mover can expect of the turns that are kept
    lines: npt.NDArray[np.int32]  # (kept, LONGEST_TURN): their moves
    lengths: npt.NDArray[np.int64]  # how many moves each has; last, how many turns are kept
    policy: int  # number of the game's policy that says which moves to look at; 0: all are
    consider: int  # how many of those that it likes best


def turn_room(game: Game, keep: int = 0, policy: int = 0, consider: int = 0) -> tuple[npt.NDArray[np.void], TurnRoom]:
    """(states: the root, one a level of the turn, and a blank one; the rest). keep: room for so many of the best turns;
    0: only for the best one. policy, consider: as in TurnRoom; consider 0: all moves."""
    states = np.zeros(LONGEST_TURN + 2, game.state_dtype)
    size = max(game.actions, game.outcomes, 1)
    levels = LONGEST_TURN + 1
    return states, TurnRoom(
        words_of(states), np.zeros((levels, size), np.int32), np.zeros(size), np.zeros(levels, np.int64),
        np.zeros(levels, np.int64), np.zeros(levels, np.int32), np.zeros(levels, np.int32), np.zeros(game.players),
        np.zeros(SLOTS, np.int64), np.zeros(SLOTS + 1, np.int64), np.zeros(1, np.int64),
        np.zeros(keep), np.zeros((keep, levels), np.int32), np.zeros(keep + 1, np.int64),
        policy if consider else 0, consider,
    )  # fmt: skip


@kernel
def is_new(room: Any, key: Any) -> Any:
    """Whether this turn meets the position for the first time; it is noted."""
    now = room.marks[SLOTS]
    slot = key & (SLOTS - 1)
    while room.marks[slot] == now:
        if room.keys[slot] == key:
            return False
        slot = (slot + 1) & (SLOTS - 1)
    room.marks[slot] = now
    room.keys[slot] = key
    return True


@kernel
def keep_turn(room: Any, value: Any, length: Any) -> None:
    """Keep the turn in room.line among the best ones."""
    most = len(room.top)
    at = room.lengths[most]
    if at < most:
        room.lengths[most] += 1
    else:
        at = 0
        for k in range(1, most):
            if room.top[k] < room.top[at]:
                at = k
        if room.top[at] >= value:
            return
    room.top[at] = value
    room.lengths[at] = length
    for i in range(length):
        room.lines[at, i] = room.line[i]


@kernel
def list_moves(game: Any, s: Any, room: Any, level: Any) -> None:
    """room.moves[level] = the moves at `s` that are looked at, room.counts[level] of them: all, or those that the
    policy likes best."""
    moves = room.moves[level]
    count = open_moves(game, s, moves)
    if room.policy != 0 and count > room.consider:
        game.weigh(room.policy, s, moves, count, room.weights)
        count = keep_best(moves, room.weights, count, room.consider)
    room.counts[level] = count
    room.tried[level] = 0


@kernel
def best_turn(game: Any, network: Any, learned: Any, states: Any, room: Any) -> Any:
    """(what the mover of states[0] can expect of its best turn, how many moves that has, in room.best)."""
    mover = game.player(states[0])
    room.marks[SLOTS] += 1
    room.lengths[len(room.top)] = 0
    best = -math.inf
    length = 0
    looks = 0
    level = 0
    list_moves(game, states[0], room, 0)
    while level >= 0:
        if room.tried[level] >= room.counts[level]:
            level -= 1
            continue
        move = room.moves[level, room.tried[level]]
        room.tried[level] += 1
        room.line[level] = move
        states[level + 1] = states[level]
        game.play(states[level + 1], move)
        goes_on = game.player(states[level + 1]) == mover
        if goes_on or level > 0:
            if looks < MOST_LOOKS and not is_new(room, state_key(game, states, room.words, level + 1)):
                continue
        if goes_on and level + 1 < LONGEST_TURN and looks < MOST_LOOKS:
            level += 1
            list_moves(game, states[level], room, level)
            looks += 1
            continue
        network.value(game, states[level + 1], learned, room.out)
        looks += 1
        if room.out[mover] > best:
            best = room.out[mover]
            length = level + 1
            for i in range(length):
                room.best[i] = room.line[i]
        if len(room.top) > 0:
            keep_turn(room, room.out[mover], level + 1)
    room.looks[0] += looks
    return best, length
