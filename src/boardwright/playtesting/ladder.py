"""The ladder: players of graded strength that exist for any game, the weakest first by a few games of their own."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from boardwright.arena.exact_judge import may_be_solved
from boardwright.contract.errors import BoardwrightError
from boardwright.contract.game import Game
from boardwright.learn.strongest import shipped_at_once
from boardwright.players import player

LEAST, MOST = 16, 16_384  # simulations a move of the weakest and of the strongest search
TRIAL = 64  # simulations a move of the game that is timed
SOLVER = "solver:nodes=2000000,polish=2000"
RANDOM = "random"


@dataclass(frozen=True)
class Level:
    """One rung."""

    name: str  # for people
    spec: str
    simulations: int = 0  # of a plain search; 0 for other players


def make_ladder(game: Game, top: int) -> list[Level]:
    """Random moves, the game's own policies (the best known last), search at doubling budgets up to `top` simulations
    a move, what comes with Boardwright having learnt the game, and perfect play where the game is small enough; see
    in_order for who is better."""
    levels = [Level("random moves", RANDOM)]
    levels += [Level(f"rule of thumb: {one}", one.replace("_", "-")) for one in reversed(game.policies)]
    budget = LEAST
    while budget <= top:
        levels.append(Level(f"search, {budget:,} tries", f"mcts:simulations={budget}", budget))
        budget *= 2
    if learnt := shipped_at_once(game):
        levels.append(Level("learnt", learnt))
    if is_solved(game):
        levels.append(Level("perfect play", SOLVER))
    return levels


def in_order(levels: Sequence[Level], beats: Callable[[Level, Level], bool]) -> list[Level]:
    """The same players, the weakest first. Searches stand by their budget, perfect play on top; every other is put
    where it belongs by halving: `beats(one, other)` plays some games."""
    found = [one for one in levels if one.simulations or one.spec == RANDOM]
    for one in levels:
        if one in found or one.spec == SOLVER:
            continue
        low, high = 0, len(found)
        while low < high:
            middle = (low + high) // 2
            if beats(one, found[middle]):
                low = middle + 1
            else:
                high = middle
        found.insert(low, one)
    return [*found, *(one for one in levels if one.spec == SOLVER)]


def is_solved(game: Game) -> bool:
    """Whether perfect play is at hand."""
    if not may_be_solved(game) or not game.compiles:
        return False
    try:
        player(SOLVER, game).choose(game.begin())
    except BoardwrightError:  # too large, or no game of two sides
        return False
    return True


def affordable_top(game: Game, seconds: float) -> int:
    """The budget of the strongest search: a power of two times LEAST with which a game takes about so long."""
    who, position, moves, spent = player(f"mcts:simulations={TRIAL}", game), game.begin(), 0, 0.0
    who.choose(position)  # the first may compile
    who.forget()
    while not position.is_over and spent < seconds:
        if position.is_chance:
            position = position.sample(moves)
            continue
        began = time.perf_counter()
        position = position.play(who.choose(position).move)
        spent += time.perf_counter() - began
        moves += 1
    top = LEAST
    while top < MOST and spent * (2 * top / TRIAL) < seconds:
        top *= 2
    return top
