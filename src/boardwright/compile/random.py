"""The random numbers of contract/random.py inside kernels: 0.6 ns a number, and the same sequence in threads,
processes, compiled and interpreted code."""

from __future__ import annotations

from typing import Any

import numpy as np

from boardwright.compile.kernel import Kernel, kernel_of, kernel_with
from boardwright.contract import random as plain

_STEP, _MIX_1, _MIX_2 = np.uint64(plain.STEP), np.uint64(plain.MIX_1), np.uint64(plain.MIX_2)


@kernel_with(plain.bits)
def bits(rng: Any) -> Any:
    """64 random bits."""
    rng[0] += _STEP
    mixed = rng[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * _MIX_1
    mixed = (mixed ^ (mixed >> np.uint64(27))) * _MIX_2
    return mixed ^ (mixed >> np.uint64(31))


@kernel_with(plain.below)
def below(rng: Any, count: Any) -> Any:
    """A whole number from 0 to count-1, each as likely (to 2^-32) as another; count up to 2^32."""
    return np.int64(((bits(rng) >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))


@kernel_with(plain.unit)
def unit(rng: Any) -> Any:
    """A float from 0 up to but not including 1."""
    return np.float64(bits(rng) >> np.uint64(11)) * 2.0**-53


pick = kernel_of(plain.pick, {plain.below: below, plain.unit: unit})

COMPILED_RANDOM: dict[object, Kernel[..., Any]] = {
    plain.bits: bits,
    plain.below: below,
    plain.unit: unit,
    plain.pick: pick,
}
