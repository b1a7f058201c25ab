"""The report's network (section 2.3): 4 convolutions and 2 dense layers, as it was built and as it can learn.

A network is a description, hashable so that JAX compiles it once, and a flat dictionary of weights. Policy and value
are networks of their own, as in the report.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Protocol

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

Array = Any  # of JAX or NumPy
Weights = Mapping[str, Array]

CONVOLUTIONS = 4
LAYERS = ("conv 1", "conv 2", "conv 3", "conv 4", "dense 1", "dense 2")
NEVER = -1e9  # the logit of what must not be played


class Net(Hashable, Protocol):
    """What training, play and search need to know of a network. Equal ones are compiled once."""

    def answers(self, weights: Weights, observations: Array) -> Array:
        """(n, side, side, planes) -> (n, outputs)."""

    def log_policy(self, answers: Array, legal: Array) -> Array:
        """(n, cells): the logarithm of each move's probability, from a policy network's answers."""


@dataclass(frozen=True)
class Stack:
    """4 convolutions of 3x3 and 2 dense layers.

    As the report has it, both dense layers end in a sigmoid, then follow softmax -> mask -> scale. The cure: ReLU,
    answers left as they are (logits), the mask inside the softmax, and each convolution after the first adds to what it
    was given.
    """

    side: int
    outputs: int  # a cell each, or 1
    channels: int = 32
    hidden: int = 128
    hidden_sigmoid: bool = False  # after the first dense layer, instead of ReLU
    last_sigmoid: bool = False  # after the second, instead of nothing
    residual: bool = True
    planes: int = 4  # as the game observes itself: own stones, the other's, the latest, ones

    def fresh(self, seed: int) -> dict[str, npt.NDArray[np.float32]]:
        """New weights, the same for every form of the stack: what differs later is not due to the start."""
        rng = np.random.default_rng(seed)
        widths = [self.planes, *[self.channels] * CONVOLUTIONS]
        shapes: list[tuple[int, ...]] = [(3, 3, *pair) for pair in pairwise(widths)]
        shapes += [(self.side**2 * self.channels, self.hidden), (self.hidden, self.outputs)]
        return {
            name: array
            for layer, shape in zip(LAYERS, shapes, strict=True)
            for name, array in fresh_layer(rng, layer, shape).items()
        }

    def answers(self, weights: Weights, observations: Array) -> Array:
        x = convolutions(weights, observations, residual=self.residual)
        x = dense(weights, "dense 1", x.reshape(len(x), -1))
        x = dense(weights, "dense 2", jax.nn.sigmoid(x) if self.hidden_sigmoid else jax.nn.relu(x))
        return jax.nn.sigmoid(x) if self.last_sigmoid else x

    def log_policy(self, answers: Array, legal: Array) -> Array:
        if not self.last_sigmoid:
            return masked_log_softmax(answers, legal)
        chances = jax.nn.softmax(answers) * legal  # softmax -> mask -> scale
        return jnp.log(jnp.maximum(chances / jnp.maximum(chances.sum(axis=1, keepdims=True), 1e-30), 1e-30))


def as_reported(stack: Stack) -> Stack:
    """The same network with the report's activations."""
    return replace(stack, hidden_sigmoid=True, last_sigmoid=True, residual=False)


def fresh_layer(rng: np.random.Generator, layer: str, shape: tuple[int, ...]) -> dict[str, npt.NDArray[np.float32]]:
    """A kernel whose answers vary as much as what it is given, and a bias of zeros."""
    fan_in, fan_out = int(np.prod(shape[:-1])), shape[-1]
    # A convolution feeds a ReLU (He et al. 2015); for dense layers, Glorot and Bengio 2010.
    variance = 2.0 / fan_in if len(shape) == 4 else 2.0 / (fan_in + fan_out)
    kernel = rng.normal(0.0, variance**0.5, shape).astype(np.float32)
    return {f"{layer}.kernel": kernel, f"{layer}.bias": np.zeros(fan_out, np.float32)}


def masked_log_softmax(logits: Array, legal: Array) -> Array:
    """log of softmax over the legal moves alone; NEVER and below for the others."""
    return jax.nn.log_softmax(jnp.where(legal, logits, NEVER))


def value_of(answers: Array) -> Array:
    """(n,): what the player to move can expect, -1 to 1, from a value network's answers (n, 1)."""
    return jnp.tanh(answers[:, 0])


def convolutions(weights: Weights, x: Array, *, residual: bool, prefix: str = "") -> Array:
    """Four layers of 3x3 with ReLU over the whole board."""
    for number, layer in enumerate(LAYERS[:CONVOLUTIONS]):
        y = convolution(weights, prefix + layer, x)
        x = x + jax.nn.relu(y) if residual and number else jax.nn.relu(y)
    return x


def convolution(weights: Weights, layer: str, x: Array) -> Array:
    """Zeros beyond the edge: (n, rows, columns, channels), as large as before."""
    kernel = jnp.asarray(weights[f"{layer}.kernel"])
    y = jax.lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return y + weights[f"{layer}.bias"]


def dense(weights: Weights, layer: str, x: Array) -> Array:
    return x @ weights[f"{layer}.kernel"] + weights[f"{layer}.bias"]


def steepest_preference(count: int) -> float:
    """The most that the report's policy can give one of `count` legal moves: a sigmoid is at most 1 and at least 0, so
    no move is ever e times as likely as another."""
    return float(np.e / (np.e + count - 1))
