"""One training step: positions in, better weights out. Losses are masked to legal moves."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.contract.errors import InputError
from boardwright.learn.selfplay.augment import mirrored
from boardwright.learn.selfplay.forward import fresh_weights, pure, set_up_jax
from boardwright.learn.selfplay.games import Portion
from boardwright.learn.selfplay.observation import Observer
from boardwright.learn.selfplay.settings import SelfplaySettings
from boardwright.learn.selfplay.shape import Shape
from boardwright.learn.selfplay.targets import Targets

FIGURES = ("policy_loss", "value_loss", "policy_entropy", "policy_even", "value_even", "value_result")


class Batch(NamedTuple):
    """What a step learns from: n positions."""

    observations: npt.NDArray[np.float32]  # (n, *observed)
    legal: npt.NDArray[np.bool_]  # (n, actions)
    policies: npt.NDArray[np.float32]  # (n, actions)
    values: npt.NDArray[np.float32]  # (n, players) by seat
    results: npt.NDArray[np.float32]  # (n, players) by seat, the game's result alone
    weights: npt.NDArray[np.float32]  # (n,) of mean 1


def make_batch(
    positions: Portion, settings: SelfplaySettings, observer: Observer, targets: Targets, rng: np.random.Generator
) -> Batch:
    """Positions as the network learns them: in a random image, with mixed value targets and weights by surprise."""
    game = observer.game
    count = len(positions.states)
    images = np.zeros(count, np.int64)
    if settings.mirror and game.symmetries > 1:
        images = rng.integers(0, game.symmetries, count)
    states, policies, legal = mirrored(game, positions.states, positions.policies.astype(np.float32), images)
    policies /= np.maximum(policies.sum(axis=1, keepdims=True), 1e-6)
    share = settings.search_share
    mixed = (1.0 - share) * positions.results + share * positions.searched
    return Batch(
        observer.see(states, positions.actors),
        legal,
        policies,
        targets.by_seat(states, positions.actors, mixed.astype(np.float64)).astype(np.float32),
        targets.by_seat(states, positions.actors, positions.results.astype(np.float64)).astype(np.float32),
        surprise_weights(positions.surprises, settings.surprise),
    )


def surprise_weights(surprises: npt.NDArray[np.float32], share: float) -> npt.NDArray[np.float32]:
    """Policy-surprise weighting (KataGo): part of the weight is even, part in proportion to the surprise; mean 1."""
    mean = float(surprises.mean()) if len(surprises) else 0.0
    if share == 0.0 or mean <= 1e-9:
        return np.ones(len(surprises), np.float32)
    weights: npt.NDArray[np.float32] = (1.0 - share + share * np.minimum(surprises / mean, 10.0)).astype(np.float32)
    return weights


WARM_UP = 100  # steps over which the learning rate rises from 0


def learning_rate(rate: float, slowing: float, step: Any) -> Any:
    """The learning rate at a step: up from 0, then down with the root of the steps, so that a run may end any time."""
    import jax.numpy as jnp

    after = jnp.maximum(step - WARM_UP, 0)
    return rate * jnp.minimum(step / WARM_UP, 1.0) / jnp.sqrt(1.0 + after / slowing)


@lru_cache(maxsize=8)
def _functions(shape: Shape, rate: float, slowing: float, decay: float, average: float) -> tuple[Any, Any]:
    """(start of the optimiser, jitted step) for these settings."""
    set_up_jax()
    import jax
    import jax.numpy as jnp
    import optax

    apply = pure(shape)
    optimiser = optax.chain(
        optax.clip_by_global_norm(1.0),
        optax.adamw(lambda step: learning_rate(rate, slowing, step), weight_decay=decay),
    )

    def loss(weights: Any, batch: Any) -> Any:
        logits, values = apply(weights, batch.observations)
        logits = jnp.where(batch.legal, logits, -1e9)
        log_policy = jax.nn.log_softmax(logits)
        policy = -(batch.policies * log_policy).sum(axis=1)
        value = jnp.square(values - batch.values).mean(axis=1)
        entropy = -(batch.policies * jnp.log(jnp.maximum(batch.policies, 1e-9))).sum(axis=1)
        figures = jnp.stack(
            [
                policy.mean(),
                value.mean(),
                entropy.mean(),
                jnp.log(batch.legal.sum(axis=1)).mean(),
                jnp.square(batch.values).mean(),
                jnp.square(values - batch.results).mean(),
            ]
        )
        return (batch.weights * policy + value).mean(), figures

    def step(weights: Any, averaged: Any, state: Any, batch: Batch) -> Any:
        gradients, figures = jax.grad(loss, has_aux=True)(weights, batch)
        updates, state = optimiser.update(gradients, state, weights)
        weights = optax.apply_updates(weights, updates)
        averaged = jax.tree.map(lambda old, new: average * old + (1.0 - average) * new, averaged, weights)
        return weights, averaged, state, figures

    return optimiser.init, jax.jit(step)


class Trainer:
    """Weights that learn, their moving average that plays, and the optimiser between them."""

    def __init__(self, shape: Shape, settings: SelfplaySettings, seed: int) -> None:
        self.shape, self.settings = shape, settings
        start, self._step = _functions(shape, settings.rate, settings.slowing, settings.decay, settings.average)
        self.weights: Any = fresh_weights(shape, seed)
        self.averaged: Any = dict(self.weights)
        self._state = start(self.weights)

    def step(self, batch: Batch) -> npt.NDArray[np.float32]:
        """Learn from one batch; returns the figures that FIGURES names.

        policy_loss lies between policy_entropy (all learnt) and, for a fresh network, policy_even (ln of the legal
        moves); value_loss begins at value_even, the mean squared target. value_result is measured against the games'
        results alone.
        """
        self.weights, self.averaged, self._state, figures = self._step(self.weights, self.averaged, self._state, batch)
        return np.asarray(figures)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Everything that must be kept to go on, by name."""
        import jax

        found = {f"weights.{name}": np.asarray(array) for name, array in self.weights.items()}
        found |= {f"averaged.{name}": np.asarray(array) for name, array in self.averaged.items()}
        for number, leaf in enumerate(jax.tree.leaves(self._state)):
            found[f"optimiser.{number:04d}"] = np.asarray(leaf)
        return found

    def restore(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Go on from what `arrays` gave."""
        import jax

        leaves, shape = jax.tree.flatten(self._state)
        wanted = self.arrays()
        if {name: array.size for name, array in wanted.items()} != {name: array.size for name, array in arrays.items()}:
            raise InputError("the checkpoint's arrays are not those of this network; choose another --out")
        self.weights = {name: arrays[f"weights.{name}"] for name in self.weights}
        self.averaged = {name: arrays[f"averaged.{name}"] for name in self.averaged}
        restored = [  # a file keeps a single number as an array of one
            arrays[f"optimiser.{number:04d}"].astype(leaf.dtype).reshape(leaf.shape)
            for number, leaf in enumerate(leaves)
        ]
        self._state = jax.tree.unflatten(shape, restored)

    def playing(self) -> dict[str, npt.NDArray[np.float32]]:
        """The weights to play with."""
        return {name: np.asarray(array) for name, array in self.averaged.items()}
