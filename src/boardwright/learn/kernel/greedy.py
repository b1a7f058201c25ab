"""Games that the value plays with itself, greedily over whole turns: where dice or decks explore by themselves."""

from __future__ import annotations

from typing import Any, NamedTuple

from boardwright.compile.borrow import borrowed
from boardwright.compile.kernel import kernel
from boardwright.compile.playout import open_moves, settle
from boardwright.compile.random import below, pick, unit
from boardwright.contract.game import OVER
from boardwright.learn.kernel.log import EXPLORED, note, note_end, note_turn_end, tell_policy
from boardwright.learn.kernel.openings import open_game
from boardwright.learn.kernel.turns import best_turn


class Terms(NamedTuple):
    """How games are made, as numbers for the kernel."""

    longest: int  # turns after which a game is cut
    opening: int  # up to so many random moves at the start
    explore: float  # share of turns whose first move is random
    blind: int  # 1: all moves are random, or the game's policy number `policy` plays
    policy: int
    has_policy: int  # 1: the first move of each turn is told as a policy
    consider: int = 0  # moves that are valued: those that the policy likes best; 0: all
    likely: int = 0  # number of the policy of the random moves at the start; 0: all alike


@kernel
def play_greedily(
    game: Any, network: Any, learned: Any, states: Any, room: Any, rngs: Any, kept: Any, order: Any
) -> Any:
    """Play len(rngs) games, game g with the numbers of rngs[g]; returns how many places were filled. states, room: of
    turn_room. order: (Terms, Log)."""
    room = borrowed(room)
    terms, log = order
    log = borrowed(log)
    out, choices, weights = room.out, room.moves[0], room.weights
    at = 0
    told = 0
    for g in range(len(rngs)):
        rng = rngs[g : g + 1]
        open_game(game, states, len(states) - 1, rng, choices, weights, terms.opening, terms.likely)
        s = states[0]
        begin = at
        while at - begin < 2 * terms.longest and game.player(s) != OVER:
            note(game, network, s, at, kept, log, out)
            random = terms.explore > 0.0 and unit(rng) < terms.explore
            if terms.blind != 0 or random:
                count = open_moves(game, s, choices)
                if terms.blind != 0 and terms.policy != 0:
                    game.weigh(terms.policy, s, choices, count, weights)
                    move = choices[pick(rng, weights, count)]
                    if terms.has_policy != 0 and count > 1:
                        told = tell_policy(log, at, told, choices, count, weights)
                else:
                    move = choices[below(rng, count)]
                game.play(s, move)
                if terms.blind == 0:
                    log.marks[at] = EXPLORED
            else:
                _, length = best_turn(game, network, learned, states, room)
                count = room.counts[0] if room.policy == 0 else game.legal(s, choices)  # a policy is one of all moves
                if terms.has_policy != 0 and count > 1:
                    for i in range(count):
                        weights[i] = 1.0 if choices[i] == room.best[0] else 0.0
                    told = tell_policy(log, at, told, choices, count, weights)
                for i in range(length):
                    game.play(s, room.best[i])
            note_turn_end(game, network, s, at + 1, kept, log, out)
            network.value(game, s, learned, out)
            for i in range(len(out)):
                log.promised[at, i] = out[i]
                log.promised[at + 1, i] = out[i]
            at += 2
            settle(game, s, rng, choices, weights)
        note_end(game, s, g, begin, at, log, out)
    return at
