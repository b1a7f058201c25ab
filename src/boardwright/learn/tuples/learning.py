"""Learning from self-play for any grid game: play, then walk the game backwards and pull each afterstate to what
followed. An afterstate is the position right after a player's move, before chance or the opponent acts.

One player: the target is the points to come. Two players: the result to player 0, which player 1 makes small. After a
move at random the target is what the best move promised, so that exploring does not spoil what is learnt.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.kernel import kernel
from boardwright.compile.playout import Room, new_room, open_moves, settle
from boardwright.compile.random import below, unit
from boardwright.compile.td_steps import BEST, FRESH, MOVES, SQUARES, STATS, SUM, adjust
from boardwright.contract.game import OVER, Game


@kernel
def best_move(game: Any, tables: Any, learned: Any, states: Any, choices: Any, out: Any) -> Any:
    """(index of the best move in `choices`, its promise, how many moves there are) at states[0].

    The promise is the value to player 0 (one player: of what is still to come). states[1] is scratch. Ties go to the
    first.
    """
    sign = -1.0 if game.player(states[0]) == 1 else 1.0
    game.scores(states[0], out)
    before = out[0]
    count = open_moves(game, states[0], choices)
    best, chosen = -1e300, 0
    for i in range(count):
        states[1] = states[0]
        game.play(states[1], choices[i])
        promise = sign * promise_of(game, tables, learned, states[1], before, out)
        if promise > best:
            best, chosen = promise, i
    return chosen, sign * best, count


@kernel
def promise_of(game: Any, tables: Any, learned: Any, s: Any, before: Any, out: Any) -> Any:
    """The value to player 0 of a position: the result if it is over, else what the table says. One player: what it
    brings beyond `before` points."""
    actor = game.player(s)
    if actor == OVER:
        game.results(s, out)
        return out[0] - before if tables.seats == 1 else out[0]
    value = tables.total(s, learned, tables.block(actor))
    if tables.seats == 1:
        game.scores(s, out)
        return (out[0] - before) + value
    return value


class Lesson(NamedTuple):
    """What one trainer works with."""

    rng: npt.NDArray[np.uint64]  # (1,)
    states: npt.NDArray[np.void]  # four: in play, scratch, the afterstate to go on from if resumed[0] is 1, and zero
    resumed: npt.NDArray[np.int64]  # (1,)
    path: npt.NDArray[np.void]  # room for the afterstates of a game
    points: npt.NDArray[np.float64]  # of the afterstates
    promises: npt.NDArray[np.float64]  # what the best move promised in all where another was played, else NaN
    indices: npt.NDArray[np.uint64]  # one an active number
    room: Room
    out: npt.NDArray[np.float64]  # (players,)
    stats: npt.NDArray[np.float64]  # see bitlearn


def new_lesson(game: Game, active: int, rng: npt.NDArray[np.uint64], length: int) -> Lesson:
    """For a game of so many afterstates at most, and so many active numbers."""
    return Lesson(
        rng=rng,
        states=np.zeros(4, game.state_dtype),
        resumed=np.zeros(1, np.int64),
        path=np.zeros(length, game.state_dtype),
        points=np.zeros(length),
        promises=np.zeros(length),
        indices=np.zeros(active, np.uint64),
        room=new_room(game),
        out=np.zeros(game.players),
        stats=np.zeros(STATS),
    )


@kernel
def learn_games(
    game: Any, tables: Any, learned: Any, coherence: Any, step: Any, explore: Any, lesson: Any, games: Any
) -> None:
    """Play so many games, each followed by its lesson. explore: share of moves at random."""
    rng, states, resumed, path = lesson.rng, lesson.states, lesson.resumed, lesson.path
    points, promises, indices, stats = lesson.points, lesson.promises, lesson.indices, lesson.stats
    choices, weights, out = lesson.room.choices, lesson.room.weights, lesson.out
    for _ in range(games):
        fresh = resumed[0] == 0
        if fresh:
            states[0] = states[3]
            game.start(states[0])
        else:
            states[0] = states[2]
        actor = settle(game, states[0], rng, choices, weights)
        length = 0
        ending = np.nan
        while actor != OVER and length < len(path):
            game.scores(states[0], out)
            before = out[0] if tables.seats == 1 else 0.0
            chosen, promise, count = best_move(game, tables, learned, states, choices, out)
            promises[length] = np.nan
            if explore > 0.0 and unit(rng) < explore:
                promises[length] = before + promise
                chosen = below(rng, count)
            game.play(states[0], choices[chosen])
            actor = game.player(states[0])
            if actor == OVER:
                ending = promises[length]
                break
            path[length] = states[0]
            game.scores(states[0], out)
            points[length] = out[0] if tables.seats == 1 else 0.0
            length += 1
            actor = settle(game, states[0], rng, choices, weights)
        if actor == OVER:
            game.results(states[0], out)
        else:
            game.scores(states[0], out)
        score = out[0]
        target = score if ending != ending else ending
        if length > 0:
            target -= points[length - 1]
        for t in range(length - 1, -1, -1):
            begin = tables.block(game.player(path[t]))
            k = 0
            for pattern in range(tables.patterns):
                for image in range(tables.images):
                    indices[k] = begin + tables.index(path[t], image, pattern)
                    k += 1
            error = target - tables.total(path[t], learned, begin)
            moved = adjust(learned, coherence, indices, tables.images, error, step)
            earlier = points[t - 1] if t > 0 else 0.0
            if promises[t] == promises[t]:
                target = promises[t] - earlier
            else:
                target = (points[t] - earlier) + (1.0 - step.trace) * moved + step.trace * target
        stats[MOVES] += length
        if fresh:
            stats[FRESH] += 1
            stats[SUM] += score
            stats[SQUARES] += score * score
            stats[BEST] = max(stats[BEST], score)
        if step.restart > 0 and length >= step.restart:
            states[2] = path[length // 2]
            resumed[0] = 1
        else:
            resumed[0] = 0


@kernel
def meet_random(game: Any, tables: Any, learned: Any, lesson: Any, results: Any) -> None:
    """Games of the tables' player: alone, or against one who moves at random, seats taken in turn. results[g]: what it
    got."""
    rng, states, out = lesson.rng, lesson.states, lesson.out
    choices, weights = lesson.room.choices, lesson.room.weights
    for number in range(len(results)):
        seat = number % tables.seats
        states[0] = states[3]
        game.start(states[0])
        actor = settle(game, states[0], rng, choices, weights)
        while actor != OVER:
            if actor == seat:
                chosen, _promise, _count = best_move(game, tables, learned, states, choices, out)
            else:
                chosen = below(rng, open_moves(game, states[0], choices))
            game.play(states[0], choices[chosen])
            actor = settle(game, states[0], rng, choices, weights)
        game.results(states[0], out)
        results[number] = out[seat]
