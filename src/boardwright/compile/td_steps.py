"""Steps of temporal-difference learning on a table of numbers: for the learner of any game (learn/tuples) and for a
game's own, faster one.

`stats` is what a learner counts: an array of STATS numbers, at places that have a name here; from OWN on they are the
game's own.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from boardwright.compile.kernel import kernel

FRESH, MOVES, SUM, SQUARES, BEST, OWN = 0, 1, 2, 3, 4, 8
STATS = OWN + 18  # with room for what a game counts


class Step(NamedTuple):
    """How to learn, as numbers for kernels."""

    alpha: float  # size of a step, shared among the active numbers
    trace: float  # lambda: how much of the target is what really followed, rather than the next value
    coherent: int  # 1: each number's step shrinks as its errors change sign (TC)
    restart: int  # a path at least so long is taken up again from its middle; 0: never


@kernel
def adjust(learned: Any, coherence: Any, indices: Any, images: Any, error: Any, step: Any) -> Any:
    """Move the active numbers by their share of the error; returns their new sum.

    indices: the active numbers, pattern by pattern. coherence[i]: sums of signed and of absolute errors.
    """
    share = np.float32(step.alpha * error / len(indices))
    signed = np.float32(error)
    absolute = abs(signed)
    total = 0.0
    part = np.float32(0.0)
    for k in range(len(indices)):
        at = indices[k]
        if step.coherent != 0:
            mean, spread = coherence[at, 0], coherence[at, 1]
            moved = learned[at] + (share * (abs(mean) / spread) if spread > np.float32(0.0) else share)
            coherence[at, 0] = mean + signed
            coherence[at, 1] = spread + absolute
        else:
            moved = learned[at] + share
        learned[at] = moved
        part += moved
        if (k + 1) % images == 0:
            total += np.float64(part)
            part = np.float32(0.0)
    return total
