"""Random numbers: splitmix64 in one uint64 (Steele, Lea and Flood 2014).

A generator is a one-element uint64 array, so that kernels can take it; `Random` holds one for Python. The functions
here are plain Python; compile/random.py has the same sequence inside kernels.
"""

from __future__ import annotations

import random
import reprlib
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.contract.errors import InputError

STEP, MIX_1, MIX_2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
SEEDS = 2**31  # as many are drawn where one is needed: short enough to be read and typed
_ALL = 0xFFFFFFFFFFFFFFFF


def bits(rng: Any) -> int:
    """64 random bits."""
    state = (int(rng[0]) + STEP) & _ALL
    rng[0] = np.uint64(state)
    state = ((state ^ (state >> 30)) * MIX_1) & _ALL
    state = ((state ^ (state >> 27)) * MIX_2) & _ALL
    return state ^ (state >> 31)


def below(rng: Any, count: Any) -> int:
    """A whole number from 0 to count-1, each as likely (to 2^-32) as another; count up to 2^32."""
    return ((bits(rng) >> 32) * int(count)) >> 32


def unit(rng: Any) -> float:
    """A float from 0 up to but not including 1."""
    return float((bits(rng) >> 11) * 2.0**-53)


def pick(rng: Any, weights: Any, count: Any) -> Any:
    """An index below count, as likely as its weight; one number is drawn. Equal chances if all weights are 0."""
    total = 0.0
    for i in range(count):
        total += weights[i]
    if total <= 0.0:
        return below(rng, count)
    point = unit(rng) * total
    last = 0
    for i in range(count):
        if weights[i] > 0.0:
            last = i
            point -= weights[i]
            if point < 0.0:
                break
    return last


def as_random(source: RandomSource) -> Random:
    """A generator of ours from whatever a caller has: one of ours is used itself, and one of NumPy's or of Python's is
    asked for a seed, so that all go on from call to call; a number is the seed of a new one."""
    return source if isinstance(source, Random) else Random(source)


def _seed_from(source: RandomSource) -> int:
    """What a new generator begins with: a number as it is; another generator draws one."""
    if isinstance(source, int | np.integer) and not isinstance(source, bool):
        return int(source)
    if isinstance(source, Random):
        return source.bits()
    if isinstance(source, np.random.Generator):
        return int(source.integers(0, _ALL, dtype=np.uint64, endpoint=True))
    if isinstance(source, random.Random):
        return source.getrandbits(64)
    raise InputError(
        f"{reprlib.repr(source)} gives no random numbers; take a whole number, np.random.default_rng(1), "
        "random.Random(1) or bw.Random(1)"
    )


def as_seed(source: RandomSource) -> int:
    """A seed that can be written down, for what must be known again: a number is itself, a generator draws one."""
    if isinstance(source, int | np.integer) and not isinstance(source, bool):
        return int(source)
    return as_random(source).below(SEEDS)


class Random:
    """A generator seeded by a number, or by another generator, of NumPy's or Python's too. `state` is what kernels
    take."""

    def __init__(self, seed: RandomSource = 0) -> None:
        self.state: npt.NDArray[np.uint64] = np.array([_seed_from(seed) & _ALL], np.uint64)

    def bits(self) -> int:
        """64 random bits."""
        return bits(self.state)

    def below(self, count: int) -> int:
        """A whole number from 0 to count-1, each alike."""
        return below(self.state, count)

    def unit(self) -> float:
        """A number from 0 up to but not including 1."""
        return unit(self.state)

    def pick(self, weights: Any) -> int:
        """An index, as likely as its weight."""
        return int(pick(self.state, weights, len(weights)))

    def split(self) -> Random:
        """A new generator whose numbers have nothing to do with this one's next ones."""
        return Random(self)


# What may be given where random numbers are needed.
RandomSource = Random | np.random.Generator | random.Random | int | np.integer[Any]
