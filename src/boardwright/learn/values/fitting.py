"""Fit the network to what its afterstates were worth: squared error, backward by hand, Adam.

Features come from the states again whenever they are needed: 3 us each for NMBR 9, less than to read them from memory
in a form that JAX could take. Adam (Kingma and Ba 2015) moves only the rows of features that a batch has; their moments
rest while they are absent: of NMBR 9's 26,112 features a batch has some 2,000.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel
from boardwright.contract.game import Game
from boardwright.learn.values.network import ValueNetwork

MEAN_SHARE, SQUARE_SHARE, LEAST = np.float32(0.9), np.float32(0.999), np.float32(1e-6)  # beta 1, beta 2, epsilon
MEAN_REST, SQUARE_REST = np.float32(0.1), np.float32(0.001)


@kernel
def add_slope(
    game: Any, network: Any, learned: Any, s: Any, target: Any, slope: Any, indices: Any, work: Any
) -> Any:  # fmt: skip
    """Add the gradient of half the squared error at `s` to `slope`; returns (the error in units, features of `s`)."""
    first, second = network.first, network.second
    one = network.most
    two = one + first
    back = two + second
    count = game.features(s, indices, work)
    error = network.forward(indices, work, count, learned) - np.float32(target / learned[network.size - 1])
    slope[network.output_row + second] += error
    for j in range(second):
        unit = work[two + j]
        work[two + j] = np.float32(0.0)
        if unit > 0.0:
            slope[network.output_row + j] += error * unit
            work[two + j] = error * learned[network.output_row + j]
            slope[network.second_biases + j] += work[two + j]
    for i in range(first):
        unit = work[one + i]
        total = np.float32(0.0)
        if unit > 0.0:
            row = network.second_rows + i * second
            for j in range(second):
                slope[row + j] += unit * work[two + j]
                total += work[two + j] * learned[row + j]
            slope[network.first_biases + i] += total
        work[back + i] = total
    for k in range(count):
        row = np.uint64(indices[k]) * np.uint64(first)
        value = work[k]
        for i in range(first):
            slope[row + np.uint64(i)] += value * work[back + i]
    return error, count


@kernel
def adam(learned: Any, slope: Any, mean: Any, square: Any, begin: Any, end: Any, share: Any, rate: Any) -> None:
    """One step for the numbers from begin to end; their slopes become 0."""
    for i in range(begin, end):
        g = slope[i] * share
        slope[i] = np.float32(0.0)
        mean[i] = MEAN_SHARE * mean[i] + MEAN_REST * g
        square[i] = SQUARE_SHARE * square[i] + SQUARE_REST * g * g
        learned[i] -= rate * mean[i] / (np.sqrt(square[i]) + LEAST)


class Lessons(NamedTuple):
    """What there is to learn."""

    states: npt.NDArray[np.void]  # the afterstates
    to_come: npt.NDArray[np.float64]  # what each was worth: points to come
    order: npt.NDArray[np.int64]  # which of them, in which order


class Memory(NamedTuple):
    """Adam's, a number for each that is learnt."""

    slope: npt.NDArray[np.float32]  # gradient of the batch in work; zeroed
    mean: npt.NDArray[np.float32]
    square: npt.NDArray[np.float32]


class Room(NamedTuple):
    """Room for one position, and for what a batch has of features."""

    indices: npt.NDArray[np.int32]  # of a position's features
    work: npt.NDArray[np.float32]  # their values, and the network's units
    seen: npt.NDArray[np.uint8]  # (features,): whether the batch has it; zeroed
    rows: npt.NDArray[np.int64]  # (features,): those that it has


class Pace(NamedTuple):
    """How to step."""

    batch: int  # lessons a step
    rate: float
    steps: int  # made before


@kernel
def fit_batches(
    game: Any, network: Any, learned: Any, lessons: Any, memory: Any, room: Any, pace: Any
) -> Any:  # fmt: skip
    """A step of Adam for each whole batch of lessons.order. Returns the sum of squared errors, in units."""
    slope, mean, square = memory.slope, memory.mean, memory.square
    indices, work, seen, rows = room.indices, room.work, room.seen, room.rows
    states, to_come, order, batch, steps = lessons.states, lessons.to_come, lessons.order, pace.batch, pace.steps
    squares = 0.0
    for begin in range(0, len(order) - batch + 1, batch):
        used = 0
        for at in range(begin, begin + batch):
            k = order[at]
            error, count = add_slope(game, network, learned, states[k], to_come[k], slope, indices, work)
            squares += error * error
            for f in range(count):
                if seen[indices[f]] == 0:
                    seen[indices[f]] = 1
                    rows[used] = indices[f]
                    used += 1
        steps += 1
        warm = math.sqrt(1.0 - math.pow(0.999, steps)) / (1.0 - math.pow(0.9, steps))
        share, rate = np.float32(1.0 / batch), np.float32(pace.rate * warm)
        for r in range(used):
            seen[rows[r]] = 0
            begin_row = rows[r] * network.first
            adam(learned, slope, mean, square, begin_row, begin_row + network.first, share, rate)
        adam(learned, slope, mean, square, network.first_biases, network.size - 1, share, rate)
    return squares


@dataclass
class Fitter:
    """The numbers that are learnt, and Adam's memory of them."""

    game: Game
    network: ValueNetwork
    learned: npt.NDArray[np.float32]
    mean: npt.NDArray[np.float32]
    square: npt.NDArray[np.float32]
    steps: int = 0

    def __post_init__(self) -> None:
        network = self.network
        self._slope = np.zeros_like(self.learned)
        self._room = Room(
            np.zeros(network.most, np.int32),
            np.zeros(network.most + 2 * network.first + network.second, np.float32),
            np.zeros(network.inputs, np.uint8),
            np.zeros(network.inputs, np.int64),
        )

    def fit(
        self,
        states: npt.NDArray[np.void],
        to_come: npt.NDArray[np.float64],
        order: npt.NDArray[np.int64],
        batch: int,
        rate: float,
    ) -> float:
        """Learn from the afterstates that `order` names, in this order; the mean error (root of squares), in points."""
        squares = run_kernel(
            self.game, fit_batches, self.game, self.network, self.learned, Lessons(states, to_come, order),
            Memory(self._slope, self.mean, self.square), self._room, Pace(batch, float(rate), self.steps),
        )  # fmt: skip
        batches = len(order) // batch
        self.steps += batches
        return math.sqrt(squares / max(batches * batch, 1)) * float(self.learned[-1])
