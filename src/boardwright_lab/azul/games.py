"""Many games side by side. A chooser is asked for the moves of all games at once, so that a network answers in batches;
self-play is a match of a chooser with itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.arena.intervals import Estimate, wilson
from boardwright.compile.diagnose import run_kernel
from boardwright.contract.game import OVER, Game
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.learn.selfplay.augment import mirrored
from boardwright.learn.selfplay.games import advance_all, as_bytes, begin_all, finish


class Turn(NamedTuple):
    """n positions in which somebody is to move."""

    states: npt.NDArray[np.void]  # (n,)
    actors: npt.NDArray[np.int8]  # (n,) who
    numbers: npt.NDArray[np.int64]  # (n,) of their games
    ply: int  # chosen moves before this one; the same in all games

    def picked(self, rows: npt.NDArray[np.int64]) -> Turn:
        return Turn(pick(self.states, rows), self.actors[rows], self.numbers[rows], self.ply)


Chooser = Callable[[Turn, np.random.Generator], npt.NDArray[np.int64]]


def pick(states: npt.NDArray[np.void], rows: npt.NDArray[np.int64]) -> npt.NDArray[np.void]:
    """states[rows] to the byte: NumPy's own way drops what lies between the fields."""
    return as_bytes(states)[rows].reshape(-1).view(states.dtype)


def play_games(
    game: Game, choosers: Sequence[Chooser], games: int, seed: int, openings: int = 0
) -> npt.NDArray[np.float64]:
    """Play so many games to their ends; (games, players): what each seat got.

    Seats go round: in game g, choosers[(seat + g) % len(choosers)] holds a seat. Draws come from the seed. Each game
    begins with 0 to `openings` random moves.
    """
    rng, luck = np.random.default_rng(seed), Random(seed)
    rngs = np.array([[luck.bits()] for _ in range(games)], np.uint64)
    size = max(game.actions, game.outcomes, 1)
    scratch = np.zeros(size, np.int32), np.zeros(size)
    states, actors = np.zeros(games, game.state_dtype), np.zeros(games, np.int8)
    begun = rng.integers(0, openings + 1, games)
    run_kernel(game, begin_all, game, states, rngs, begun, *scratch, actors)
    results = np.zeros((games, game.players))
    numbers = np.arange(games)
    ply = 0
    while len(numbers):
        turn = Turn(states, actors, numbers, ply)
        moves = np.zeros(len(numbers), np.int32)
        holders = (actors + numbers) % len(choosers)
        for who, choose in enumerate(choosers):
            rows = np.flatnonzero(holders == who)
            if len(rows):
                moves[rows] = choose(turn.picked(rows), rng)
        run_kernel(game, advance_all, game, states, moves, rngs, *scratch, actors)
        for row in np.flatnonzero(actors == OVER):
            run_kernel(game, finish, game, states, int(row), True, results[numbers[row]])
        left = np.flatnonzero(actors != OVER)
        states, actors, numbers, rngs = pick(states, left), actors[left], numbers[left], rngs[left]
        ply += 1
    return results


class Score(NamedTuple):
    """How a player fared against another, over both seats."""

    won: int
    drawn: int
    lost: int

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def wins(self) -> Estimate:
        """The share of games won, 0 to 1, with its 95 % interval."""
        return wilson(self.won, self.games)


def meet(game: Game, one: Chooser, other: Chooser, games: int, seed: int) -> Score:
    """Two choosers meet in a game for two, seats in turn; the figures are `one`'s."""
    results = play_games(game, (one, other), games, seed)
    own = np.array([result[-g % 2] for g, result in enumerate(results)])
    return Score(int((own > 0).sum()), int((own == 0).sum()), int((own < 0).sum()))


def legal_moves(game: Game, states: npt.NDArray[np.void]) -> npt.NDArray[np.bool_]:
    """(n, actions): which moves the rules allow."""
    nothing = np.zeros((len(states), game.actions), np.float32)
    return mirrored(game, states, nothing, np.zeros(len(states), np.int64))[2]


def at_random(game: Game) -> Chooser:
    """Any legal move."""

    def choose(turn: Turn, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        lots = rng.random((len(turn.states), game.actions))
        return np.asarray(np.where(legal_moves(game, turn.states), lots, -1.0).argmax(axis=1))

    return choose


def by_policy(game: Game, network: Any) -> Chooser:
    """The legal move that a network likes best, without search."""

    def choose(turn: Turn, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        logits, _ = network(turn.states, turn.actors)
        return np.asarray(np.where(legal_moves(game, turn.states), logits, -np.inf).argmax(axis=1))

    return choose


def by_rule(game: Game, policy: str) -> Chooser:
    """The move that one of the game's own policies weighs most, such as Azul's `greedy`."""

    def choose(turn: Turn, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        positions = [Position(game, pick(turn.states, np.array([row]))) for row in range(len(turn.states))]
        return np.array([one.moves[int(one.weigh(policy).argmax())] for one in positions])

    return choose
