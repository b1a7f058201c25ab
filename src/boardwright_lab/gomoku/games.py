"""Many games in lock-step: at each step every player is asked for the moves of all its games at once.

A network costs little more for a hundred positions than for one; the rules are the game's own, compiled.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel
from boardwright.compile.random import pick
from boardwright.contract.game import OVER
from boardwright.games.in_a_row import LineGame
from boardwright.learn.selfplay.games import advance_all, begin_all
from boardwright.learn.selfplay.observation import observe_all
from boardwright.search.forest import Forest
from boardwright.search.settings import SearchSettings
from boardwright_lab.gomoku.nets import Net, Weights, value_of

States = npt.NDArray[np.void]
Moves = npt.NDArray[np.int32]
Observations = npt.NDArray[np.float32]  # (n, side, side, planes)


class Mover(Protocol):
    """Somebody who plays many games at once."""

    def __call__(self, rows: npt.NDArray[np.int64], states: States, actors: npt.NDArray[np.int8]) -> Moves:
        """A move for each state; rows[t] is the number of its game, actors[t] who moves there."""


class Played(NamedTuple):
    """Finished games, seen by the first of the two players."""

    results: npt.NDArray[np.float64]  # (games,): 1 won, 0 drawn, -1 lost
    plies: npt.NDArray[np.int64]  # (games,)


def play(
    game: LineGame, movers: tuple[Mover, Mover], seats: npt.NDArray[np.int64], seeds: npt.NDArray[np.uint64],
    opening: int | npt.NDArray[np.int64] = 0,
) -> Played:  # fmt: skip
    """Play len(seats) games. seats[g]: where movers[0] sits in game g, 0 moving first. Each begins with `opening`
    random moves (of all games, or of each), which seeds[g] decides."""
    count = len(seats)
    states, actors = np.zeros(count, game.state_dtype), np.zeros(count, np.int8)
    rngs = seeds.reshape(count, 1).copy()
    choices, weights = np.zeros(game.actions, np.int32), np.zeros(game.actions)
    plies = np.full(count, opening, np.int64)
    run_kernel(game, begin_all, game, states, rngs, plies, choices, weights, actors)
    while (going := actors != OVER).any():
        moves = np.zeros(count, np.int32)
        for which, mover in enumerate(movers):
            rows = np.flatnonzero(going & ((actors == seats) == (which == 0)))
            if len(rows):
                moves[rows] = mover(rows, states[rows], actors[rows])
        rows = np.flatnonzero(going)
        moved, acting = states[rows], actors[rows]
        run_kernel(game, advance_all, game, moved, moves[rows], rngs[rows], choices, weights, acting)
        states[rows], actors[rows] = moved, acting
        plies[rows] += 1
    winners = states["winner"].astype(np.int64) - 1  # -1: nobody
    return Played(np.where(winners < 0, 0.0, np.where(winners == seats, 1.0, -1.0)), plies)


# Players of the rules


@kernel
def choose_by_policy(
    game: Any, which: Any, states: Any, rng: Any, choices: Any, weights: Any, moves: Any
) -> None:  # fmt: skip
    """moves[t] = drawn in proportion to how policy number `which` weighs them in states[t]; 0 weighs all alike."""
    for t in range(len(states)):
        count = game.legal(states[t], choices)
        game.weigh(which, states[t], choices, count, weights)
        moves[t] = choices[pick(rng, weights, count)]


class RuleMover:
    """`random`, or `win-block`: win if you can, else block, else anything."""

    def __init__(self, game: LineGame, name: str, seed: int) -> None:
        self._game, self._rng = game, np.array([seed], np.uint64)
        self._which = 0 if name == "random" else game.policies.index(name.replace("-", "_")) + 1
        self._choices, self._weights = np.zeros(game.actions, np.int32), np.zeros(game.actions)

    def __call__(self, rows: npt.NDArray[np.int64], states: States, actors: npt.NDArray[np.int8]) -> Moves:
        moves = np.zeros(len(states), np.int32)
        run_kernel(
            self._game, choose_by_policy, self._game, self._which, states, self._rng, self._choices, self._weights,
            moves,
        )  # fmt: skip
        return moves


# Players by a network


def observe(game: LineGame, states: States) -> Observations:
    """(n, rows, columns, 4), each from the view of the player to move."""
    out = np.zeros((len(states), *game.observe_shape), np.float32)
    run_kernel(game, observe_all, game, np.ascontiguousarray(states), out)
    return out


def legal_in(observations: Observations) -> npt.NDArray[np.bool_]:
    """(n, cells): where no stone stands."""
    free: npt.NDArray[np.bool_] = (observations[..., :2].sum(axis=-1) == 0.0).reshape(len(observations), -1)
    return free


class Remembered(NamedTuple):
    """What a network saw and did in n positions; learning needs no more."""

    rows: npt.NDArray[np.int64]  # (n,) the game's number
    observations: Observations  # (n, side, side, planes), turned as the network saw them
    moves: Moves  # (n,) turned likewise


@lru_cache(maxsize=32)
def _compiled_policy(net: Net) -> Any:
    """(weights, observations, legal) -> log of the policy (n, cells)."""
    return jax.jit(lambda weights, seen, legal: net.log_policy(net.answers(weights, seen), legal))


@lru_cache(maxsize=32)
def _compiled_both(policy: Net, value: Net) -> Any:
    """(weights of both, observations) -> logits (n, cells), values of the player to move (n,)."""
    return jax.jit(
        lambda weights, seen: (policy.answers(weights[0], seen), value_of(value.answers(weights[1], seen)))
    )  # fmt: skip


def padded(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Zeros behind it, up to a power of two of at least 16 rows: each size compiles anew."""
    size = max(16, 1 << (len(array) - 1).bit_length())
    full = np.zeros((size, *array.shape[1:]), array.dtype)
    full[: len(array)] = array
    return full


class PolicyMover:
    """Plays by a policy network alone: its best move, or, to learn, moves as likely as the network likes them.

    turned: to learn, each position is shown in a random image of the board; the best move is that of the mean over all
    images, in which the errors of the network, which does not know that a board may be turned, cancel out."""

    def __init__(
        self,
        game: LineGame,
        net: Net,
        weights: Weights,
        rng: np.random.Generator,
        *,
        sample: bool,
        turned: bool = False,
    ) -> None:
        self._game, self._rng, self._sample = game, rng, sample
        self._policy, self._weights = _compiled_policy(net), {name: jnp.asarray(w) for name, w in weights.items()}
        self._images = game.images if turned else game.images[:1]
        self._back = np.argsort(self._images, axis=1)  # [image, where a cell landed]: the cell
        self.memory: list[Remembered] = []

    def __call__(self, rows: npt.NDArray[np.int64], states: States, actors: npt.NDArray[np.int8]) -> Moves:
        plain = observe(self._game, states)
        if not self._sample:
            whole = np.sum([self._look(plain, image)[1] for image in self._back], axis=0)
            best: Moves = whole.argmax(axis=1).astype(np.int32)
            return best
        # Turned while playing, not while learning: what is learnt is then what was played, and the policy gradient
        # stays one of the policy that drew the move.
        back = self._back[self._rng.integers(len(self._back), size=len(rows))]
        seen, log_policy = self._look(plain, back)
        drawn = np.where(legal_in(plain), log_policy + self._rng.gumbel(size=log_policy.shape), -np.inf)
        moves: Moves = drawn.argmax(axis=1).astype(np.int32)  # with Gumbel's noise the largest is a draw
        there = (back == moves[:, None]).argmax(axis=1).astype(np.int32)
        self.memory.append(Remembered(rows, seen, there))
        return moves

    def _look(self, plain: Observations, back: npt.NDArray[np.int64]) -> tuple[Observations, npt.NDArray[np.float32]]:
        """(observations as the network sees them, log of its policy as the board lies); the image of each position is
        told by back[..., where a cell landed] = the cell."""
        back = np.broadcast_to(back, (len(plain), self._game.actions))
        cells = plain.reshape(len(plain), self._game.actions, -1)
        seen = np.take_along_axis(cells, back[:, :, None], axis=1).reshape(plain.shape)
        turned = np.asarray(self._policy(self._weights, padded(seen), padded(legal_in(seen))))[: len(plain)]
        log_policy = np.zeros_like(turned)
        np.put_along_axis(log_policy, back, turned, axis=1)
        return seen, log_policy


class SearchMover:
    """MCTS with both networks at the leaves: the engine's own trees, one a game, their leaves in one batch.

    PUCT with the policy as prior. Nothing of the game's knowledge is used besides its rules: no threat search, and no
    move is left out. What the rules decide inside the tree is proven there.
    """

    def __init__(
        self, game: LineGame, nets: tuple[Net, Net], weights: tuple[Weights, Weights], simulations: int, games: int,
        seed: int,
    ) -> None:  # fmt: skip
        settings = SearchSettings(
            simulations=simulations, select="puct", prior="uniform", rollout="none", forcing=False, threats=False
        )
        self._forest, self._simulations = Forest(game, settings, games), simulations
        self._both, self._rng = _compiled_both(*nets), np.random.default_rng(seed)
        self._weights = tuple({name: jnp.asarray(w) for name, w in one.items()} for one in weights)

    def __call__(self, rows: npt.NDArray[np.int64], states: States, actors: npt.NDArray[np.int8]) -> Moves:
        forest = self._forest
        forest.plant_states(np.ascontiguousarray(states), self._rng.integers(2**64, size=len(rows), dtype=np.uint64))
        logits, values = np.zeros((len(rows), forest.game.actions), np.float32), np.zeros((len(rows), 2))
        for _ in range(self._simulations + 1):
            observations, waiting = forest.descend()
            asked = np.flatnonzero(waiting)
            if len(asked):
                found, mine = self._both(self._weights, padded(observations[asked]))
                logits[asked] = np.asarray(found)[: len(asked)]
                sign = np.where(forest.actors[asked, None] == np.arange(2), 1.0, -1.0)  # the one to move, the other
                values[asked] = sign * np.asarray(mine)[: len(asked), None]
            forest.absorb(logits, values)
        return forest.chosen()
