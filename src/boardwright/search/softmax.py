"""A network's logits as a policy over the legal moves."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from boardwright.compile.kernel import kernel

# e^x = 2^k e^r with a whole k and |r| <= ln 2 / 2, where the series of e^r to r^13 / 13! leaves the last bit open.
SERIES = tuple(1.0 / math.factorial(k) for k in range(13, -1, -1))
POWERS = np.array([2.0**k for k in range(-1022, 1)])
LOG2_E = 1.4426950408889634
LN2_HIGH, LN2_LOW = 0.6931471803691238, 1.9082149292705877e-10  # ln 2 in two parts: k times the first is exact
TO_WHOLE = 1.5 * 2.0**52  # added and taken away again, it rounds to the nearest whole number
LEAST = -700.0


@kernel
def masked_softmax(moves: Any, count: Any, logits: Any, weights: Any) -> None:
    """weights[i] = exp(logit of moves[i]), scaled: the policy over legal moves only."""
    for i in range(count):
        weights[i] = logits[moves[i]]
    softmax_weights(weights, count)


@kernel
def softmax_weights(weights: Any, count: Any) -> None:
    """weights[i] = exp(weights[i]), scaled so that the largest is 1."""
    top = -math.inf
    for i in range(count):
        top = max(top, weights[i])
    for i in range(count):
        weights[i] -= top
    exponentials(weights, count)


@kernel
def exponentials(powers: Any, count: Any) -> None:
    """powers[i] = e^powers[i], for numbers from LEAST (what is below counts as that) to 0.

    Written out, because the compiler does several at a time of it, and of math.exp one after the other: a step of 64
    trees over 169 moves takes 28 us instead of 53 here, of 240 in all. It differs from math.exp in the last bit of one
    number in ten, which priors, of single precision, do not keep.
    """
    for i in range(count):
        x = powers[i]
        if not x > LEAST:
            x = LEAST
        k = (x * LOG2_E + TO_WHOLE) - TO_WHOLE
        r = (x - k * LN2_HIGH) - k * LN2_LOW
        power = 0.0
        for term in SERIES:
            power = power * r + term
        powers[i] = power * POWERS[np.int32(k) + 1022]
