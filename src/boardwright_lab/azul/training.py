"""Examples of what a search found, and the step that brings a network nearer to it, in Flax NNX and Optax."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.contract.game import Game
from boardwright.contract.state import join_records
from boardwright.learn.selfplay.augment import mirrored
from boardwright.learn.selfplay.forward import set_up_jax
from boardwright.learn.selfplay.observation import Observer
from boardwright.learn.selfplay.targets import Targets
from boardwright.learn.selfplay.warm_start import warm_games
from boardwright_lab.azul.games import pick
from boardwright_lab.azul.recipes import Recipe

set_up_jax()

import jax  # noqa: E402 - after set_up_jax
import optax  # noqa: E402 - after set_up_jax
from flax import nnx  # noqa: E402 - after set_up_jax


class Examples(NamedTuple):
    """n positions and what a network should say of them."""

    states: npt.NDArray[np.void]  # (n,)
    actors: npt.NDArray[np.int8]  # (n,) who is to move
    policies: npt.NDArray[np.float32]  # (n, actions), each summing to 1
    values: npt.NDArray[np.float64]  # (n, players): value[i] is player i's, -1 to 1

    def picked(self, rows: npt.NDArray[np.int64]) -> Examples:
        """Those of these numbers, in this order."""
        return Examples(pick(self.states, rows), self.actors[rows], self.policies[rows], self.values[rows])


def join(game: Game, parts: Sequence[Examples]) -> Examples:
    """All examples as one."""
    return Examples(
        join_records([part.states for part in parts], game.state_dtype),
        np.concatenate([part.actors for part in parts]),
        np.concatenate([part.policies for part in parts]),
        np.concatenate([part.values for part in parts]),
    )


def warm_examples(game: Game, games: int, seed: int) -> Examples:
    """Positions from games of the game's own first policy, with what it thinks of its moves and how the games ended."""
    played = warm_games(game, games, seed)
    policies = played.policies.astype(np.float32)
    return Examples(
        played.states,
        played.actors,
        policies / policies.sum(axis=1, keepdims=True),
        played.results.astype(np.float64),
    )


class Batch(NamedTuple):
    """What one step learns from: n rows."""

    seen: npt.NDArray[np.float32]  # (n, *observed)
    allowed: npt.NDArray[np.bool_]  # (n, actions): the moves among which the policy decides
    policies: npt.NDArray[np.float32]  # (n, actions)
    values: npt.NDArray[np.float32]  # (n, players), the player to move first
    weights: npt.NDArray[np.float32]  # (n,): 0 for rows that only fill up


def make_batch(game: Game, examples: Examples, recipe: Recipe, rng: np.random.Generator) -> Batch:
    """Examples as the network sees them: from the seat of the player to move, in a random image of the board."""
    count = len(examples.states)
    images = rng.integers(0, game.symmetries if recipe.mirrored else 1, count)
    states, policies, legal = mirrored(game, examples.states, examples.policies, images)
    seats = Targets(game, 0.0).by_seat(states, examples.actors, examples.values)
    seen = Observer.of(game).see(states, examples.actors)
    allowed = legal if recipe.masked else np.ones_like(legal)
    # Every new size compiles anew: rows of weight 0 leave few sizes.
    more = -count % 64
    arrays = (seen, allowed, policies, seats.astype(np.float32), np.ones(count, np.float32))
    filled = [np.concatenate([array, np.repeat(array[:1], more, axis=0)]) for array in arrays]
    filled[-1][count:] = 0.0
    return Batch(*filled)


def loss(net: Any, batch: Batch) -> tuple[jax.Array, jax.Array]:
    """Cross entropy of the policies plus the squared error of the values; also both by themselves, (2,)."""
    logits, values = net(batch.seen)
    logits = jax.numpy.where(batch.allowed, logits, -1e9)
    policy = optax.softmax_cross_entropy(logits, batch.policies)
    value = jax.numpy.square(values - batch.values).mean(axis=1)
    both = jax.numpy.stack([policy, value]) @ batch.weights / batch.weights.sum()
    return both.sum(), both


@nnx.jit
def learn(net: Any, optimiser: Any, batch: Batch) -> Any:
    """One step; returns the losses of policy and value before it."""
    gradients, losses = nnx.grad(loss, has_aux=True)(net, batch)
    optimiser.update(net, gradients)
    return losses


def make_optimiser(net: Any, recipe: Recipe) -> Any:
    """Gradient descent as in the report, or Adam with a rate that falls to a tenth."""
    steps = recipe.warm_steps + recipe.iterations * recipe.steps
    if recipe.optimiser == "sgd":
        way = optax.sgd(recipe.rate, momentum=0.1)
    else:
        falling = optax.cosine_decay_schedule(recipe.rate, steps, alpha=0.1)
        way = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(falling, weight_decay=1e-4))
    return nnx.Optimizer(net, way, wrt=nnx.Param)


def train(
    game: Game, net: Any, optimiser: Any, examples: Examples, recipe: Recipe, rng: np.random.Generator
) -> npt.NDArray[np.float64]:
    """An iteration's steps; returns the mean losses of policy and value."""
    total = np.zeros(2)
    for _ in range(recipe.steps):
        rows = rng.integers(0, len(examples.states), recipe.batch) if recipe.batch else np.arange(len(examples.states))
        batch = make_batch(game, examples.picked(rows), recipe, rng)
        total += np.asarray(learn(net, optimiser, batch))
    return total / recipe.steps
