"""The value: a small network over a game's sparse features, computed inside the kernel.

Two hidden layers with ReLU, one number out: the points still to come. The first layer adds up the rows of the features
that are present, so that thousands of rare features cost no more than the few a position has.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.contract.game import OVER
from boardwright.search.evaluator import Evaluator


class ValueNetwork(Evaluator):
    """Values afterstates of one player's game. `learned` is one float32 array: the first layer's rows by feature and
    its biases, the second layer's rows by unit and its biases, the output's weights and bias, and last the points
    that one unit of output stands for."""

    inputs: int  # features that the game has
    most: int  # features of one position at most
    first: int = 64  # units of the first hidden layer
    second: int = 32  # units of the second

    def rules(self) -> tuple[str, ...]:
        return "value", "to_come", "forward"

    @property
    def first_biases(self) -> int:
        """Where in `learned` they begin; so with the rest."""
        return self.inputs * self.first

    @property
    def second_rows(self) -> int:
        return self.first_biases + self.first

    @property
    def second_biases(self) -> int:
        return self.second_rows + self.first * self.second

    @property
    def output_row(self) -> int:
        return self.second_biases + self.second

    @property
    def size(self) -> int:
        """How many numbers `learned` has."""
        return self.output_row + self.second + 2

    def value(self, game: Any, s: Any, learned: Any, out: Any) -> Any:
        """out[0] = the points that the player can expect in the end; exact once the game is over."""
        if game.player(s) == OVER:
            game.results(s, out)
        else:
            game.scores(s, out)
            out[0] += self.to_come(game, s, learned)

    def to_come(self, game: Any, s: Any, learned: Any) -> Any:
        """The points still to come after the afterstate `s`."""
        indices = np.empty(self.most, np.int32)
        work = np.empty(self.most + self.first + self.second, np.float32)
        count = game.features(s, indices, work)
        # np.float64, since the compiler's float() leaves a float32 what it is.
        return np.float64(self.forward(indices, work, count, learned)) * np.float64(learned[self.size - 1])

    def forward(self, indices: Any, work: Any, count: Any, learned: Any) -> Any:
        """The output, in units. work: the values of the features, then room for both layers, left as they are before
        ReLU."""
        one = self.most
        two = one + self.first
        for j in range(self.first):
            work[one + j] = learned[self.first_biases + j]
        for k in range(count):
            # Unsigned: no index can be below 0, which the compiler must know to use vectors.
            row = np.uint64(indices[k]) * np.uint64(self.first)
            value = work[k]
            for j in range(self.first):
                work[one + j] += value * learned[row + np.uint64(j)]
        for j in range(self.second):
            work[two + j] = learned[self.second_biases + j]
        for i in range(self.first):
            value = work[one + i]
            if value > 0.0:
                for j in range(self.second):
                    work[two + j] += value * learned[self.second_rows + i * self.second + j]
        total = learned[self.output_row + self.second]
        for j in range(self.second):
            if work[two + j] > 0.0:
                total += work[two + j] * learned[self.output_row + j]
        return total


def fresh_numbers(network: ValueNetwork, seed: int, unit: float) -> npt.NDArray[np.float32]:
    """A random start; `unit`: points that one unit of output stands for. Rows of features start at 0: a feature that
    was never met says nothing, where random rows would lure the player to what it does not know."""
    rng = np.random.Generator(np.random.PCG64(seed))
    one, two = network.first, network.second
    parts = (
        np.zeros(network.inputs * one),
        rng.normal(0.0, 1.0, one),
        rng.normal(0.0, (2.0 / one) ** 0.5, one * two),  # He et al. 2015
        np.zeros(two),
        rng.normal(0.0, two**-0.5, two),
        np.zeros(1),
        np.array([unit]),
    )
    return np.concatenate(parts).astype(np.float32)
