"""Fit the network to what its states were worth and which moves were right: squared error and cross-entropy, backward
by hand, Adam.

Features come from the states again whenever they are needed. Adam (Kingma and Ba 2015) moves only the rows of features
that a batch has; their moments rest while they are absent.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.borrow import borrowed
from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel
from boardwright.compile.vectors import add_row, dot
from boardwright.contract.game import Game
from boardwright.learn.kernel.log import Log
from boardwright.learn.kernel.network import ValueNetwork

MEAN_SHARE, SQUARE_SHARE, LEAST = np.float32(0.9), np.float32(0.999), np.float32(1e-6)  # beta 1, beta 2, epsilon
MEAN_REST, SQUARE_REST = np.float32(0.1), np.float32(0.001)

Numbers = npt.NDArray[np.float32]


class FitRoom(NamedTuple):
    """Scratch of the fitting, and Adam's memory."""

    slope: Numbers  # a number for each learnt one, 0 between batches
    mean: Numbers
    square: Numbers
    indices: npt.NDArray[np.int32]
    work: Numbers  # of the network, and behind it a number a unit of the first layer
    shares: npt.NDArray[np.float64]  # of moves
    told: npt.NDArray[np.int32]  # features of one move
    blame: Numbers  # of each feature of moves: what the moves that have it are blamed for, 0 between states
    met: npt.NDArray[np.uint8]  # whether a move of this state has it, 0 between states
    features: npt.NDArray[np.int64]  # those that are, as a list
    seen: npt.NDArray[np.uint8]  # rows of this batch, of features and of moves' features
    rows: npt.NDArray[np.int64]  # the same as a list


class Lessons(NamedTuple):
    """What is to be learnt from states; one entry a state."""

    wanted: npt.NDArray[np.float64]  # (entries, outputs): in points or results
    begins: npt.NDArray[np.int64]  # (entries + 1,): where the policy of an entry begins and ends
    moves: npt.NDArray[np.int32]
    shares: npt.NDArray[np.float32]
    weight: float  # of the cross-entropy beside the squared error


def lessons_of(wanted: npt.NDArray[np.float64], log: Log, weight: float) -> Lessons:
    """Values as told by `wanted`, policies as told by the log."""
    begins = np.zeros(len(wanted) + 1, np.int64)
    np.cumsum(log.counts, out=begins[1:])
    return Lessons(wanted, begins, log.moves, log.shares, weight)


def values_only(wanted: npt.NDArray[np.float64]) -> Lessons:
    """No policies."""
    return Lessons(wanted, np.zeros(len(wanted) + 1, np.int64), np.zeros(1, np.int32), np.zeros(1, np.float32), 1.0)


@kernel
def add_slope(game: Any, network: Any, learned: Any, s: Any, lessons: Any, k: Any, room: Any) -> Any:
    """Add the gradient of half the squared error and of the cross-entropy at `s`, entry k of the lessons, to
    room.slope; returns (squared error in units, cross-entropy in nats, how many features `s` has, in room.indices,
    how many its moves have, in room.features)."""
    slope, work, indices = room.slope, room.work, room.indices
    first, second = network.first, network.second
    one = network.most
    two = one + first
    three = two + second
    back = network.room
    count = network.see(game, s, indices, work)
    network.forward(indices, work, count, learned)
    squares = 0.0
    for i in range(first):
        work[back + i] = np.float32(0.0)
    nats, blamed = 0.0, 0
    if network.policy_rows > 0:
        nats, blamed = policy_slope(game, network, learned, s, lessons, k, room)
    for o in range(network.outs):
        error = work[three + o] - np.float32(lessons.wanted[k, o] / learned[network.size - 1])
        work[three + o] = error
        squares += error * error
        slope[network.output_biases + o] += error
        add_row(slope, network.output_rows + o * second, error, work, two, second)
    for j in range(second):
        active = work[two + j] > 0.0
        work[two + j] = np.float32(0.0)
        if active:
            for o in range(network.outs):
                work[two + j] += work[three + o] * learned[network.output_rows + o * second + j]
            slope[network.second_biases + j] += work[two + j]
    for i in range(first):
        unit = work[one + i]
        if unit > 0.0:
            row = network.second_rows + i * second
            add_row(slope, row, unit, work, two, second)
            work[back + i] += dot(work, two, learned, row, second)
            slope[network.first_biases + i] += work[back + i]
        else:
            work[back + i] = np.float32(0.0)
    for f in range(count):
        add_row(slope, indices[f] * first, work[f], work, back, first)
    return squares, nats, count, blamed


@kernel
def policy_slope(game: Any, network: Any, learned: Any, s: Any, lessons: Any, k: Any, room: Any) -> Any:
    """The same for the policy alone, down to the first layer's units, behind room.work; returns the cross-entropy, and
    how many features the moves have."""
    slope, work, shares, told = room.slope, room.work, room.shares, room.told
    one, back, first = network.most, network.room, network.first
    begin = lessons.begins[k]
    count = lessons.begins[k + 1] - begin
    moves = lessons.moves[begin : begin + count]
    if count == 0:
        return 0.0, 0
    network.policy(game, s, learned, moves, count, shares, (work, told))
    nats = 0.0
    blame, blamed = room.blame, 0
    for m in range(count):
        wanted = np.float64(lessons.shares[begin + m])
        if wanted > 0.0:
            nats -= wanted * math.log(max(shares[m], 1e-12))
        error = np.float32(lessons.weight * (shares[m] - wanted))
        for f in range(network.see_move(game, s, moves[m], told)):
            row = np.int64(told[f])
            if room.met[row] == 0:
                room.met[row] = 1
                room.features[blamed] = row
                blamed += 1
            blame[row] += error
    for k in range(blamed):  # many moves may have a feature: one pass over its row serves them all
        row = np.int64(room.features[k])
        error = blame[row]
        blame[row] = np.float32(0.0)
        room.met[row] = 0
        slope[network.move_biases + row] += error
        add_row(slope, (network.count + row) * first, error, work, one, first)
        add_row(work, back, error, learned, (network.count + row) * first, first)
    return nats, blamed


@kernel
def adam(learned: Any, room: Any, begin: Any, end: Any, share: Any, rate: Any) -> None:
    """One step for the numbers from begin to end; their slopes become 0."""
    slope, mean, square = room.slope, room.mean, room.square
    for i in range(begin, end):
        g = slope[i] * share
        slope[i] = np.float32(0.0)
        mean[i] = MEAN_SHARE * mean[i] + MEAN_REST * g
        square[i] = SQUARE_SHARE * square[i] + SQUARE_REST * g * g
        learned[i] -= rate * mean[i] / (np.sqrt(square[i]) + LEAST)


@kernel
def use_row(room: Any, row: Any, used: Any) -> Any:
    """Note that the batch has a row; returns how many it has."""
    if room.seen[row] != 0:
        return used
    room.seen[row] = 1
    room.rows[used] = row
    return used + 1


@kernel
def fit_batches(
    game: Any, network: Any, learned: Any, states: Any, lessons: Any, order: Any, pace: Any, room: Any
) -> Any:
    """A step of Adam for each whole batch of `order`; returns the sums of squared errors, in units, and of
    cross-entropies, in nats. pace: (batch, rate, steps made before)."""
    batch, rate, steps = pace
    lessons, room = borrowed(lessons), borrowed(room)
    seen, rows, indices = room.seen, room.rows, room.indices
    squares = 0.0
    nats = 0.0
    for begin in range(0, len(order) - batch + 1, batch):
        used = 0
        for at in range(begin, begin + batch):
            k = order[at]
            error, surprise, count, blamed = add_slope(game, network, learned, states[k], lessons, k, room)
            squares += error
            nats += surprise
            for f in range(count):
                used = use_row(room, np.int64(indices[f]), used)
            for f in range(blamed):
                used = use_row(room, network.count + room.features[f], used)
        steps += 1
        warm = math.sqrt(1.0 - math.pow(0.999, steps)) / (1.0 - math.pow(0.9, steps))
        share, step = np.float32(1.0 / batch), np.float32(rate * warm)
        for r in range(used):
            seen[rows[r]] = 0
            begin_row = rows[r] * network.first
            adam(learned, room, begin_row, begin_row + network.first, share, step)
        adam(learned, room, network.first_biases, network.size - 1, share, step)
    return squares, nats


@dataclass
class Fitter:
    """The numbers that are learnt, their average over time, and Adam's memory of them."""

    game: Game
    network: ValueNetwork
    learned: Numbers
    averaged: Numbers
    mean: Numbers
    square: Numbers
    steps: int = 0

    def __post_init__(self) -> None:
        network = self.network
        self.room = FitRoom(
            np.zeros_like(self.learned), self.mean, self.square, np.zeros(network.most, np.int32),
            np.zeros(network.room + network.first, np.float32), np.zeros(max(self.game.actions, 1)),
            np.zeros(network.move_most, np.int32), np.zeros(network.policy_rows, np.float32),
            np.zeros(network.policy_rows, np.uint8), np.zeros(network.policy_rows, np.int64),
            np.zeros(network.rows, np.uint8), np.zeros(network.rows, np.int64),
        )  # fmt: skip

    def fit(
        self,
        states: npt.NDArray[np.void],
        lessons: Lessons,
        order: npt.NDArray[np.int64],
        batch: int,
        rate: float,
    ) -> tuple[float, float]:
        """Learn from the states that `order` names, in this order; the mean squared error, in squared units, and the
        mean cross-entropy, in nats, of those with a policy."""
        assert lessons.wanted.shape == (len(states), self.network.outs)
        batch = min(batch, len(order))
        squares, nats = run_kernel(
            self.game, fit_batches, self.game, self.network, self.learned, states, lessons, order,
            (batch, float(rate), self.steps), self.room,
        )  # fmt: skip
        batches = len(order) // max(batch, 1)
        self.steps += batches
        told = int(np.count_nonzero(np.diff(lessons.begins)[order[: batches * batch]]))
        return float(squares) / max(batches * batch * self.network.outs, 1), float(nats) / max(told, 1)

    def average(self, share: float) -> None:
        """Move the average by so much towards what is learnt now (Polyak and Juditsky 1992): what is played with."""
        self.averaged += np.float32(share) * (self.learned - self.averaged)
        self.averaged[-1] = self.learned[-1]
