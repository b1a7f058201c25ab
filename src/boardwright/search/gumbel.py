"""The root of Gumbel MuZero: noise that draws moves without replacement, and sequential halving over them
(Danihelka et al. 2022, algorithm 2; Karnin et al. 2013)."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from boardwright.contract.random import Random


def gumbel_noise(priors: npt.NDArray[np.float64], considered: int, rng: Random, *, explore: bool = True) -> npt.NDArray[np.float64]:
    """Noise + log prior a move, -inf for all but the `considered` best of them. Without `explore` the noise is
    0: the best priors are considered, as for play in earnest."""
    keys = np.log(np.maximum(priors, 1e-12))
    if explore:
        keys += [-math.log(-math.log(rng.unit() or 0.5)) for _ in priors]
    if len(keys) > considered:
        keys[np.argsort(-keys, kind="stable")[considered:]] = -math.inf
    return keys


def halving_order(considered: int, simulations: int) -> npt.NDArray[np.int32]:
    """order[t]: how many visits the child chosen by simulation t must have so far, so that the visits of all
    considered moves grow in rounds, the better half going on after each."""
    if considered <= 1:
        return np.arange(max(simulations, 1), dtype=np.int32)
    rounds = math.ceil(math.log2(considered))
    order: list[int] = []
    visits = [0] * considered
    left = considered
    while len(order) < simulations:
        each = max(1, simulations // (rounds * left))
        for _ in range(each):
            order.extend(visits[:left])
            for i in range(left):
                visits[i] += 1
        left = max(2, left // 2)
    return np.array(order[: max(simulations, 1)], np.int32)
