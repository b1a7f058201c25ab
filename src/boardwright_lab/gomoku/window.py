"""The moving window (the report's section 2.4): a network of a small board, slid over a larger one.

Five in a row is a local matter. So the small board's network judges every window of its size; what it says stands as
one plane a window, zeros outside; a global network with fewer channels sees the whole board; and a last layer
compresses all planes to one. The small network stays as it is, the rest learns.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from boardwright_lab.gomoku.nets import (
    CONVOLUTIONS,
    LAYERS,
    Array,
    Stack,
    Weights,
    convolution,
    convolutions,
    dense,
    fresh_layer,
    masked_log_softmax,
    value_of,
)

SMALL, GLOBAL = "small ", "global "  # how the names of their weights begin
LEAST = -10.0  # log of a probability that counts as none
JOINED = 32  # channels of the layer that joins


@dataclass(frozen=True)
class Windows:
    """Policy network of a larger board. `small`: of the window's board; `channels`: of the global network."""

    small: Stack
    side: int
    channels: int = 16

    @property
    def places(self) -> list[tuple[int, int]]:
        """The top left corners of all windows."""
        steps = range(self.side - self.small.side + 1)
        return list(product(steps, steps))

    def start(self, small_weights: Weights, seed: int) -> dict[str, npt.NDArray[np.float32]]:
        """Fresh but for the small network; at the start the windows alone decide."""
        planes = self.channels + len(self.places) + 1
        return _start(self, small_weights, seed, [(1, 1, planes, JOINED), (1, 1, JOINED, 1)])

    def answers(self, weights: Weights, observations: Array) -> Array:
        """(n, cells) logits."""
        policies = self.policies(weights, observations)
        chances = jnp.where(policies > LEAST, jnp.exp(policies), 0.0)
        best = policies.max(axis=-1)  # what the window likes a cell that likes it most
        x = convolutions(weights, observations, residual=True, prefix=GLOBAL)
        x = jnp.concatenate([x, chances, best[..., None]], axis=-1)
        x = convolution(weights, "join 2", jax.nn.relu(convolution(weights, "join 1", x)))
        return (weights["scale"] * best + x[..., 0]).reshape(len(observations), -1)

    def policies(self, weights: Weights, observations: Array) -> Array:
        """(n, side, side, windows): log of the small network's policy in each window; LEAST outside."""
        looked = _look(self, weights, observations)
        planes = []
        for (row, column), one in zip(self.places, jnp.moveaxis(looked, 1, 0), strict=True):
            beyond = self.side - self.small.side
            grid = one.reshape(len(observations), self.small.side, self.small.side)
            edges = ((0, 0), (row, beyond - row), (column, beyond - column))
            planes.append(jnp.pad(jnp.maximum(grid, LEAST), edges, constant_values=LEAST))
        return jnp.stack(planes, axis=-1)

    def log_policy(self, answers: Array, legal: Array) -> Array:
        return masked_log_softmax(answers, legal)


@dataclass(frozen=True)
class WindowValues(Windows):
    """Value network of a larger board: the mean word of the windows, corrected by the global network."""

    def start(self, small_weights: Weights, seed: int) -> dict[str, npt.NDArray[np.float32]]:
        return _start(self, small_weights, seed, [(2 * self.channels + len(self.places), JOINED), (JOINED, 1)])

    def answers(self, weights: Weights, observations: Array) -> Array:
        """(n, 1), of which tanh is the value of the player to move."""
        words = _look(self, weights, observations)
        x = convolutions(weights, observations, residual=True, prefix=GLOBAL)
        x = jnp.concatenate([x.mean(axis=(1, 2)), x.max(axis=(1, 2)), words], axis=-1)
        x = dense(weights, "join 2", jax.nn.relu(dense(weights, "join 1", x)))
        return x + weights["scale"] * words.mean(axis=1, keepdims=True)


def _look(net: Windows, weights: Weights, observations: Array) -> Array:
    """What the small network, which does not learn any more, says of each window: (n, windows, cells) log policies, or
    (n, windows) values."""
    size = net.small.side
    views = [observations[:, row : row + size, column : column + size] for row, column in net.places]
    tiles = jnp.stack(views, axis=1).reshape(-1, size, size, net.small.planes)
    kept = {name[len(SMALL) :]: array for name, array in weights.items() if name.startswith(SMALL)}
    said = net.small.answers(kept, tiles)
    if isinstance(net, WindowValues):
        found = value_of(said).reshape(len(observations), -1)
    else:
        legal = (tiles[..., :2].sum(axis=-1) == 0.0).reshape(len(tiles), -1)
        found = net.small.log_policy(said, legal).reshape(len(observations), len(net.places), -1)
    return jax.lax.stop_gradient(found)


def _start(
    net: Windows, small_weights: Weights, seed: int, joins: list[tuple[int, ...]]
) -> dict[str, npt.NDArray[np.float32]]:
    rng = np.random.default_rng(seed)
    weights = {SMALL + name: np.asarray(array, np.float32) for name, array in small_weights.items()}
    widths = [net.small.planes, *[net.channels] * CONVOLUTIONS]
    for layer, before, after in zip(LAYERS, widths, widths[1:], strict=False):
        weights |= fresh_layer(rng, GLOBAL + layer, (3, 3, before, after))
    for number, shape in enumerate(joins, 1):
        weights |= fresh_layer(rng, f"join {number}", shape)
    weights["join 2.kernel"] *= 0.0
    weights["scale"] = np.ones(1, np.float32)
    return weights
