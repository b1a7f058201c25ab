"""How much of the gradient reaches each layer: what vanishes in the report's stack, and where."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from boardwright.games.in_a_row import LineGame
from boardwright_lab.gomoku.games import Moves, Observations, PolicyMover, RuleMover, legal_in, play
from boardwright_lab.gomoku.nets import LAYERS, Net, Stack, Weights

Norms = npt.NDArray[np.float64]  # (layers,)


def sampled_positions(
    game: LineGame, stack: Stack, weights: Weights, count: int, seed: int
) -> tuple[Observations, Moves]:
    """Positions of games of a policy against `random`, and the moves that it drew there."""
    rng = np.random.default_rng(seed)
    seen: list[Observations] = []
    moves: list[Moves] = []
    while sum(map(len, seen)) < count:
        mover = PolicyMover(game, stack, weights, rng, sample=True)
        seeds = rng.integers(2**64, size=16, dtype=np.uint64)
        play(game, (mover, RuleMover(game, "random", int(seeds[0]))), np.arange(16) % 2, seeds)
        seen += [one.observations for one in mover.memory]
        moves += [one.moves for one in mover.memory]
    chosen = rng.permutation(sum(map(len, seen)))[:count]
    return np.concatenate(seen)[chosen], np.concatenate(moves)[chosen]


def layer_norms(net: Net, weights: Weights, observations: Observations, moves: Moves) -> Norms:
    """Root mean square over positions of the norm of d log p(move) / d kernel, layer by layer."""
    arrays = {name: jnp.asarray(array) for name, array in weights.items()}
    squares = _compiled(net)(arrays, observations, legal_in(observations), moves)
    norms: Norms = np.sqrt(np.asarray(squares, np.float64).mean(axis=0))
    return norms


@lru_cache(maxsize=16)
def _compiled(net: Net) -> Any:
    def log_chance(weights: Any, seen: Any, legal: Any, move: Any) -> Any:
        return net.log_policy(net.answers(weights, seen[None]), legal[None])[0, move]

    def squares(weights: Any, one: Any) -> Any:
        gradient = jax.grad(log_chance)(weights, *one)
        return jnp.stack([jnp.square(gradient[f"{layer}.kernel"]).sum() for layer in LAYERS])

    # One position after the other: their gradients side by side would fill the memory.
    return jax.jit(lambda weights, *batch: jax.lax.map(lambda one: squares(weights, one), batch))


def sharpest_chances(net: Net, weights: Weights, observations: Observations) -> float:
    """The mean over positions of the likeliest move's probability."""
    arrays = {name: jnp.asarray(array) for name, array in weights.items()}
    log_policy = net.log_policy(net.answers(arrays, observations), legal_in(observations))
    return float(jnp.exp(log_policy).max(axis=1).mean())
