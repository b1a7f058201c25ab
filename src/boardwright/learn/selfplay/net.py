"""The networks, defined in Flax NNX: a residual convolution net for grids, a residual net of dense layers for the rest.

Both answer (logits, values): logits over all moves, values[k] for the player k seats after the one to act, as
`targets.py` scales them. No batch normalisation: residual branches begin at zero instead, so that a fresh network of
any depth is the identity plus heads.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
from flax import nnx

from boardwright.learn.selfplay.shape import POOLED, VALUED, Shape

ZERO = nnx.initializers.zeros_init()
HEAD = nnx.initializers.variance_scaling(0.01, "fan_in", "truncated_normal")  # near-even policies, near-zero values
RELU = nnx.initializers.he_normal()


class GridBlock(nnx.Module):
    """x + conv(relu(conv(relu(x)) + what the whole board says)). Mean and maximum over the board tell each cell of
    what is far away (Wu 2019, section 3.3)."""

    def __init__(self, channels: int, rngs: nnx.Rngs) -> None:
        self.first = nnx.Conv(channels, channels, (3, 3), kernel_init=RELU, rngs=rngs)
        self.whole = nnx.Linear(2 * channels, channels, kernel_init=ZERO, rngs=rngs)
        self.second = nnx.Conv(channels, channels, (3, 3), kernel_init=ZERO, rngs=rngs)

    def __call__(self, x: jax.Array) -> jax.Array:
        y = nnx.relu(self.first(nnx.relu(x)))
        y = y + self.whole(pooled(y))[:, None, None, :]
        return x + self.second(nnx.relu(y))


class GridNet(nnx.Module):
    """(batch, rows, columns, planes) -> logits, values. Nothing but the dense policy head knows the board's size."""

    def __init__(self, shape: Shape, rngs: nnx.Rngs) -> None:
        planes = shape.observed[-1]
        self.shape = shape
        self.stem = nnx.Conv(planes, shape.channels, (3, 3), kernel_init=RELU, rngs=rngs)
        self.blocks = nnx.List([GridBlock(shape.channels, rngs) for _ in range(shape.blocks)])
        self.policy = nnx.Conv(shape.channels, POOLED, (1, 1), kernel_init=RELU, rngs=rngs)
        self.policy_whole = nnx.Linear(2 * POOLED, POOLED, kernel_init=ZERO, rngs=rngs)
        if shape.moves_are_cells:
            self.policy_out: nnx.Module = nnx.Conv(POOLED, 1, (1, 1), kernel_init=HEAD, rngs=rngs)
        else:
            cells = shape.observed[0] * shape.observed[1]
            self.policy_out = nnx.Linear(cells * POOLED, shape.actions, kernel_init=HEAD, rngs=rngs)
        self.value = nnx.Conv(shape.channels, POOLED, (1, 1), kernel_init=RELU, rngs=rngs)
        self.value_hidden = nnx.Linear(2 * POOLED, VALUED, kernel_init=RELU, rngs=rngs)
        self.value_out = nnx.Linear(VALUED, shape.players, kernel_init=HEAD, rngs=rngs)

    def __call__(self, x: jax.Array) -> tuple[jax.Array, jax.Array]:
        x = self.stem(x)
        for block in self.blocks:
            x = block(x)
        x = nnx.relu(x)
        policy = self.policy(x)
        policy = nnx.relu(policy + self.policy_whole(pooled(policy))[:, None, None, :])
        if not self.shape.moves_are_cells:
            policy = policy.reshape(policy.shape[0], -1)
        logits: jax.Array = self.policy_out(policy)
        hidden = nnx.relu(self.value_hidden(pooled(nnx.relu(self.value(x)))))
        return logits.reshape(logits.shape[0], -1), bounded(self.value_out(hidden), self.shape)


class FlatBlock(nnx.Module):
    """x + dense(relu(dense(x))), normalised by layer on the way in."""

    def __init__(self, hidden: int, rngs: nnx.Rngs) -> None:
        self.first = nnx.Linear(hidden, hidden, kernel_init=RELU, rngs=rngs)
        self.second = nnx.Linear(hidden, hidden, kernel_init=ZERO, rngs=rngs)

    def __call__(self, x: jax.Array) -> jax.Array:
        return x + self.second(nnx.relu(self.first(nnx.relu(x))))


class FlatNet(nnx.Module):
    """(batch, features) -> logits, values."""

    def __init__(self, shape: Shape, rngs: nnx.Rngs) -> None:
        self.shape = shape
        self.stem = nnx.Linear(shape.observed[-1], shape.hidden, kernel_init=RELU, rngs=rngs)
        self.blocks = nnx.List([FlatBlock(shape.hidden, rngs) for _ in range(shape.blocks)])
        self.policy_out = nnx.Linear(shape.hidden, shape.actions, kernel_init=HEAD, rngs=rngs)
        self.value_hidden = nnx.Linear(shape.hidden, VALUED, kernel_init=RELU, rngs=rngs)
        self.value_out = nnx.Linear(VALUED, shape.players, kernel_init=HEAD, rngs=rngs)

    def __call__(self, x: jax.Array) -> tuple[jax.Array, jax.Array]:
        x = self.stem(x.reshape(x.shape[0], -1))
        for block in self.blocks:
            x = block(x)
        x = nnx.relu(x)
        return self.policy_out(x), bounded(self.value_out(nnx.relu(self.value_hidden(x))), self.shape)


def pooled(x: jax.Array) -> jax.Array:
    """Mean and maximum of each channel over the board: (batch, 2 * channels)."""
    return jnp.concatenate([x.mean(axis=(1, 2)), x.max(axis=(1, 2))], axis=-1)


def bounded(values: jax.Array, shape: Shape) -> jax.Array:
    return jnp.tanh(values) if shape.bounded else values


def make_net(shape: Shape, seed: int = 0) -> GridNet | FlatNet:
    """A fresh network."""
    kind = GridNet if shape.kind == "grid" else FlatNet
    return kind(shape, nnx.Rngs(seed))
