"""Self-play: many games in lock-step, the leaves of all their trees in one batch.

A portion of games depends on the weights and on its seed alone, whoever plays it and whenever: a worker that dies
costs time, nothing else. Games that end make room for the next of the portion; towards its end fewer trees are left,
and batches shrink with them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel
from boardwright.compile.playout import draw_once, move_by_policy
from boardwright.compile.random import bits
from boardwright.contract.errors import RuleError
from boardwright.contract.game import CHANCE, OVER, Game
from boardwright.contract.random import Random
from boardwright.contract.state import join_records
from boardwright.learn.selfplay.forward import Forward
from boardwright.learn.selfplay.observation import Observer
from boardwright.learn.selfplay.settings import SelfplaySettings
from boardwright.learn.selfplay.targets import Targets
from boardwright.search.forest import Forest
from boardwright.search.settings import SearchSettings

MOST_DRAWS = 10_000  # in a row; more are a mistake of the rules


@kernel
def begin_all(game: Any, states: Any, rngs: Any, openings: Any, choices: Any, weights: Any, actors: Any) -> None:
    """Start each of the zeroed states and play openings[t] random moves in it, at most; a game that they would end is
    begun anew with fewer."""
    for t in range(len(states)):
        left = openings[t]
        blank = states[t : t + 1].copy()
        while True:
            s = states[t]
            game.start(s)
            moves = 0
            draws = 0
            actor = game.player(s)
            while actor == CHANCE or (actor >= 0 and moves < left):
                if actor == CHANCE:
                    draw_once(game, s, rngs[t], choices, weights)
                    draws += 1
                    if draws > MOST_DRAWS:
                        break
                else:
                    move_by_policy(game, s, 0, rngs[t], choices, weights)
                    moves += 1
                    draws = 0
                actor = game.player(s)
            if actor >= 0 or left == 0:
                break
            left -= 1
            states[t] = blank[0]
        actors[t] = actor


@kernel
def advance_all(game: Any, states: Any, moves: Any, rngs: Any, choices: Any, weights: Any, actors: Any) -> None:
    """Play moves[t] in states[t], and all draws up to the next player's move; actors[t] = who acts then."""
    for t in range(len(states)):
        s = states[t]
        game.play(s, moves[t])
        actor = game.player(s)
        draws = 0
        while actor == CHANCE and draws < MOST_DRAWS:
            draw_once(game, s, rngs[t], choices, weights)
            actor = game.player(s)
            draws += 1
        actors[t] = actor


@kernel
def finish(game: Any, states: Any, t: Any, over: Any, out: Any) -> None:
    """out[i] = what player i got in states[t]; of a game that was stopped, the points so far."""
    if over:
        game.results(states[t], out)
    else:
        game.scores(states[t], out)


@kernel
def split_all(rngs: Any, out: Any) -> None:
    """out[t] = a new state of random numbers from rngs[t]."""
    for t in range(len(out)):
        out[t] = bits(rngs[t])


class Portion(NamedTuple):
    """Positions of finished games, for learning: n of them."""

    states: npt.NDArray[np.void]  # (n,) records where a player is to move
    actors: npt.NDArray[np.int8]  # (n,) who
    policies: npt.NDArray[np.float16]  # (n, actions) the search's improved policy
    searched: npt.NDArray[np.float32]  # (n, players) what the search expected each player to get
    results: npt.NDArray[np.float32]  # (n, players) what they got
    surprises: npt.NDArray[np.float32]  # (n,) divergence of the search's policy from the network's, in nats
    games: npt.NDArray[np.int32]  # (n,) the game's number in its portion

    def picked(self, which: npt.NDArray[np.int64]) -> Portion:
        """These positions only, in this order."""
        chosen: list[Any] = [array[which] for array in self]
        return Portion(*chosen)


@dataclass(frozen=True)
class PlayedPortion:
    """A portion with what it cost."""

    positions: Portion
    games: int
    moves: int
    evaluations: int  # positions that the network was needed for
    results: npt.NDArray[np.float64]  # (games, players)
    cut: int = 0  # games that were stopped at their longest


def portion_seed(seed: int, iteration: int, number: int) -> int:
    """The seed of portion `number` of an iteration: unlike any other's."""
    mixed = Random(seed)
    for part in (iteration, number):
        mixed = Random(mixed.bits() ^ part)
        mixed.bits()
    return mixed.bits()


def as_bytes(states: npt.NDArray[np.void]) -> npt.NDArray[np.uint8]:
    """(n, bytes a state), a view. NumPy copies records field by field, which leaves chance bytes in the padding."""
    return states.view(np.uint8).reshape(len(states), states.dtype.itemsize)


class SelfPlay:
    """Plays portions of games of one network against itself."""

    def __init__(self, game: Game, settings: SelfplaySettings, observer: Observer, targets: Targets) -> None:
        self.game, self.settings, self.observer, self.targets = game, settings, observer, targets
        search = SearchSettings(
            simulations=max(settings.simulations, settings.fast_simulations), select="gumbel", prior="uniform",
            rollout="none", considered=settings.considered, trust=settings.trust, forcing=settings.forcing,
        )  # fmt: skip
        self.forest = Forest(game, search, settings.parallel)
        size = max(game.actions, game.outcomes, 1)
        self._choices, self._weights = np.zeros(size, np.int32), np.zeros(size)
        self.evaluations = 0  # of the portion being played

    def play(self, net: Forward, games: int, seed: int) -> PlayedPortion:
        """Play so many games to their end."""
        game, settings = self.game, self.settings
        rng = Random(seed)
        self.evaluations = 0
        width = min(settings.parallel, games)
        states = np.zeros(width, game.state_dtype)
        rngs = np.zeros((width, 1), np.uint64)
        actors, numbers = np.zeros(width, np.int8), np.zeros(width, np.int32)
        plies = np.zeros(width, np.int64)
        results = np.zeros((games, game.players))
        steps: list[tuple[Any, ...]] = []
        begun = moves = cut = 0

        def begin(rows: npt.NDArray[np.int64]) -> None:
            nonlocal begun
            fresh = np.zeros(len(rows), game.state_dtype)
            own = np.array([[rng.bits()] for _ in rows], np.uint64)
            openings = np.array([rng.below(settings.openings + 1) for _ in rows], np.int64)
            acting = np.zeros(len(rows), np.int8)
            self._run(begin_all, fresh, own, openings, self._choices, self._weights, acting)
            self._no_endless_draws(acting)
            if (acting < 0).any():
                raise RuleError(f"{game.name}: a game ended before its first move; run `boardwright check` on it")
            as_bytes(states)[rows] = as_bytes(fresh)
            rngs[rows], actors[rows], plies[rows] = own, acting, 0
            numbers[rows] = np.arange(begun, begun + len(rows))
            begun += len(rows)

        begin(np.arange(width))
        while len(states):
            full = rng.unit() < settings.full_share
            self.search(net, states, rngs, settings.simulations if full else settings.fast_simulations)
            if full:
                found = self.forest.improved()
                steps.append(
                    (join_records([states], game.state_dtype), actors.copy(), found.policies.astype(np.float16),
                     found.values, found.surprises, numbers.copy())
                )  # fmt: skip
            self._run(advance_all, states, self.forest.chosen(), rngs, self._choices, self._weights, actors)
            moves += len(states)
            plies += 1
            self._no_endless_draws(actors)
            ended = np.flatnonzero((actors == OVER) | (plies >= settings.longest))
            cut += int((actors[ended] != OVER).sum())
            for row in ended:
                self._run(finish, states, int(row), bool(actors[row] == OVER), results[numbers[row]])
            again = ended[: games - begun]
            if len(again):
                begin(again)
            gone = ended[len(again) :]
            if len(gone):
                kept = np.setdiff1d(np.arange(len(states)), gone)
                states = as_bytes(states)[kept].reshape(-1).view(game.state_dtype)
                rngs, actors = rngs[kept], actors[kept]
                numbers, plies = numbers[kept], plies[kept]
        return PlayedPortion(self._join(steps, results), games, moves, self.evaluations, results, cut)

    def search(self, net: Forward, states: Any, rngs: Any, simulations: int) -> None:
        """Grow a tree from each state. The network is asked for the leaves that need an answer only: where games are
        won or proven in the trees, a third of them do not."""
        seeds = np.zeros(len(states), np.uint64)
        run_kernel(self.game, split_all, rngs, seeds)
        forest = self.forest
        forest.plant_states(states, seeds, simulations)
        logits = np.zeros((len(states), self.game.actions), np.float32)
        values = np.zeros((len(states), self.game.players))
        for _ in range(simulations + 1):
            observations, waiting = forest.descend()
            rows = np.flatnonzero(waiting)
            if len(rows):
                self.evaluations += len(rows)
                leaves, actors = forest.leaves[rows], forest.actors[rows]
                seen = observations[rows] if self.observer.ranges is None else self.observer.see(leaves, actors)
                logits[rows], seats = net(seen)
                values[rows] = self.targets.by_player(leaves, actors, seats)
            forest.absorb(logits, values)

    def _no_endless_draws(self, actors: npt.NDArray[np.int8]) -> None:
        if (actors == CHANCE).any():
            raise RuleError(f"{self.game.name}.draw: {MOST_DRAWS} draws in a row and no end; a draw must lead on")

    def _join(self, steps: list[tuple[Any, ...]], results: npt.NDArray[np.float64]) -> Portion:
        if not steps:
            steps = [
                (np.zeros(0, self.game.state_dtype), np.zeros(0, np.int8), np.zeros((0, self.game.actions), np.float16),
                 np.zeros((0, self.game.players)), np.zeros(0), np.zeros(0, np.int32))
            ]  # fmt: skip
        records, *others = zip(*steps, strict=True)
        states = join_records(records, self.game.state_dtype)
        actors, policies, searched, surprises, numbers = (np.concatenate(part) for part in others)
        return Portion(
            states, actors, policies, searched.astype(np.float32), results[numbers].astype(np.float32),
            surprises.astype(np.float32), numbers,
        )  # fmt: skip

    def _run(self, kernel: Any, *args: Any) -> None:
        run_kernel(self.game, kernel, self.game, *args)
