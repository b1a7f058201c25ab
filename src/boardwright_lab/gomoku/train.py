"""Policy gradient against a pool of earlier selves (the report's algorithm 1), as it was tried and as it learns.

An *episode* is a batch of games against opponents from the pool, and one step of the gradient

    (1 / n) sum over games i, moves t of  d log p(a_t | s_t) / d weights * (r_i - b(s_t))

with r = 1, 0, -1 for a game won, drawn, lost, and b = 0 (the report) or the value network's v(s_t) (the cure). The
value network learns (v(s_t) - r_i)^2. Every `pool_every` episodes a copy of the policy joins the pool.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
import optax

from boardwright.games.in_a_row import LineGame
from boardwright_lab.gomoku.games import Mover, Moves, PolicyMover, Remembered, States, legal_in, play
from boardwright_lab.gomoku.nets import Net, Weights, value_of

CHUNK = 128  # positions whose gradient is taken at once; small chunks stay in the cache


@dataclass(frozen=True)
class Training:
    """How to learn. The defaults are the report's."""

    episodes: int = 100
    games: int = 10  # an episode, in lock-step
    pool_every: int = 20  # episodes between two copies for the pool
    opponents: int = 1  # drawn from the pool for an episode
    rate: float = 0.01  # of learning; the report does not tell its own
    adam: bool = False  # Adam (Kingma and Ba 2015) with a rate that fades to nothing, or plain gradient descent
    baseline: bool = False  # subtract the value network's word from the result
    entropy: float = 0.0  # reward for an even policy, in results a nat
    both_seats: bool = False  # the learner moves first in every other game only
    turned: bool = False  # each position in a random one of the board's images


class Nets(NamedTuple):
    """Two networks, or the weights of two."""

    policy: Any
    value: Any


@dataclass(frozen=True)
class Episode:
    """What one episode tells."""

    number: int
    result: float  # mean of the learner against its opponent from the pool
    entropy: float  # of the policy, in nats
    value_loss: float
    gradient: float  # norm of the policy's
    seconds: float  # of CPU since the training began, pauses for measurements left out


def train(
    game: LineGame, nets: Nets, start: Nets, training: Training, seed: int, after: Callable[[Episode, Nets], None]
) -> Nets:  # fmt: skip
    """The weights of both networks after all episodes; `after` is told of each."""
    rng = np.random.default_rng(seed)
    weights = start
    step_of = Step(nets, training)
    state = step_of.begin(weights)
    pool = [start.policy]
    spent = 0.0
    for number in range(1, training.episodes + 1):
        began = time.process_time()
        opponents = [pool[which] for which in rng.integers(len(pool), size=training.opponents)]
        results, memory = _one_batch(game, nets.policy, weights.policy, opponents, training, rng)
        weights, state, figures = step_of(weights, state, memory, results)
        if number % training.pool_every == 0:
            pool.append(weights.policy)
        spent += time.process_time() - began
        entropy, value_loss, gradient = figures
        after(Episode(number, float(results.mean()), entropy, value_loss, gradient, spent), weights)
    return weights


class PoolMover:
    """Several opponents, each in every so-many-th pair of games."""

    def __init__(self, movers: Sequence[Mover]) -> None:
        self._movers = movers

    def __call__(self, rows: npt.NDArray[np.int64], states: States, actors: npt.NDArray[np.int8]) -> Moves:
        moves = np.zeros(len(rows), np.int32)
        for which, mover in enumerate(self._movers):
            mine = np.flatnonzero(rows // 2 % len(self._movers) == which)
            if len(mine):
                moves[mine] = mover(rows[mine], states[mine], actors[mine])
        return moves


def _one_batch(
    game: LineGame,
    net: Net,
    learner: Weights,
    opponents: Sequence[Weights],
    training: Training,
    rng: np.random.Generator,
) -> tuple[npt.NDArray[np.float64], Remembered]:
    """Games of the learner against these opponents: results, and what the learner saw and did."""
    me, *others = (
        PolicyMover(game, net, weights, rng, sample=True, turned=training.turned) for weights in (learner, *opponents)
    )
    seats = np.arange(training.games) % 2 if training.both_seats else np.zeros(training.games, np.int64)
    seeds = rng.integers(2**64, size=training.games, dtype=np.uint64)
    played = play(game, (me, PoolMover(others)), seats, seeds, np.zeros(training.games, np.int64))
    return played.results, Remembered(*(np.concatenate(part) for part in zip(*me.memory, strict=True)))


class Step:
    """One step by the gradient of all positions of an episode, taken chunk by chunk."""

    def __init__(self, nets: Nets, training: Training) -> None:
        self.begin, self._gradients_of, self._step = _functions(nets.policy, nets.value, training)

    def __call__(
        self, weights: Nets, state: Any, memory: Remembered, results: npt.NDArray[np.float64]
    ) -> tuple[Nets, Any, tuple[float, float, float]]:
        """New weights and state of the optimiser; means of entropy and squared error, norm of the policy's gradient."""
        count, games = len(memory.rows), len(results)
        total, sums = None, np.zeros(2)
        for at in range(0, count, CHUNK):
            rows, seen, moves = (_filled(array[at : at + CHUNK]) for array in memory)
            share = _filled(np.full(len(memory.rows[at : at + CHUNK]), 1.0 / games, np.float32))
            result = results[rows].astype(np.float32)
            gradient, figures = self._gradients_of(weights, seen, legal_in(seen), moves, result, share)
            total = gradient if total is None else jax.tree.map(jnp.add, total, gradient)
            sums += np.asarray(figures) * games
        weights, state, norm = self._step(weights, state, total)
        return weights, state, (float(sums[0] / count), float(sums[1] / count), float(norm))


def _filled(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Zeros behind it, up to CHUNK rows."""
    return np.pad(array, [(0, CHUNK - len(array)), *[(0, 0)] * (array.ndim - 1)])


def norm_of(gradient: Weights) -> Any:
    """Of all arrays together."""
    return jnp.sqrt(sum(jnp.square(array).sum() for array in gradient.values()))


@lru_cache(maxsize=16)
def _functions(policy: Net, value: Net, training: Training) -> tuple[Any, Any, Any]:
    """(start of the optimiser, gradients of a chunk, step), compiled."""
    fading = optax.cosine_decay_schedule(training.rate, training.episodes)
    adam = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(fading))
    optimiser = adam if training.adam else optax.sgd(training.rate)

    def loss(weights: Nets, seen: Any, legal: Any, moves: Any, results: Any, share: Any) -> Any:
        """share: 1 / games for each position that counts, 0 for padding."""
        log_policy = policy.log_policy(policy.answers(weights.policy, seen), legal)
        values = value_of(value.answers(weights.value, seen))
        gains = results - jax.lax.stop_gradient(values) if training.baseline else results
        chosen = jnp.take_along_axis(log_policy, moves[:, None], axis=1)[:, 0]
        entropy = -jnp.where(legal, jnp.exp(log_policy) * log_policy, 0.0).sum(axis=1)
        error = jnp.square(values - results)
        whole = -(share * (chosen * gains + training.entropy * entropy)).sum() + 0.5 * (share * error).sum()
        return whole, jnp.stack([(share * entropy).sum(), (share * error).sum()])

    def step(weights: Nets, state: Any, gradient: Nets) -> Any:
        updates, state = optimiser.update(gradient, state, weights)
        return optax.apply_updates(weights, updates), state, norm_of(gradient.policy)

    return optimiser.init, jax.jit(jax.grad(loss, has_aux=True)), jax.jit(step)
