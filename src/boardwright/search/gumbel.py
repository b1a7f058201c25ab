"""The root of Gumbel MuZero: noise that draws moves without replacement, and sequential halving over them
(Danihelka et al. 2022, algorithm 2; Karnin et al. 2013)."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.compile.kernel import kernel
from boardwright.compile.random import unit


@kernel
def draw_gumbels(tree: Any, rng: Any, considered: Any, explore: Any, gumbel: Any) -> None:
    """gumbel[i] = noise + log prior of the root's child i, -inf for all but the `considered` best of them. Without
    `explore` there is no noise: the best priors are considered, as for play in earnest."""
    root = tree[0]
    for i in range(root.count):
        gumbel[i] = math.log(max(float(tree[root.first + i].prior), 1e-12))
        if explore:
            gumbel[i] -= math.log(-math.log(max(unit(rng), 1e-300)))
    last = -1
    for _ in range(considered):  # the next best, the first among equals
        best = -1
        for i in range(root.count):
            after = last < 0 or gumbel[i] < gumbel[last] or (gumbel[i] == gumbel[last] and i > last)
            if after and (best < 0 or gumbel[i] > gumbel[best]):
                best = i
        last = best
    limit = gumbel[last]
    for i in range(root.count):
        if gumbel[i] < limit or (gumbel[i] == limit and i > last):
            gumbel[i] = -math.inf


def halving_rounds(considered: int) -> int:
    """In how many rounds sequential halving comes down from so many moves to two, the last round being theirs."""
    return max(1, math.ceil(math.log2(considered)))


def visits_each(budget: int, rounds: int, left: int) -> int:
    """How often each of the moves that are left is tried in one of so many rounds of equal cost; once at least."""
    return max(1, budget // (rounds * left))


@lru_cache(maxsize=256)
def halving_order(considered: int, simulations: int) -> npt.NDArray[np.int32]:
    """order[t]: how many visits the child chosen by simulation t must have so far, so that the visits of all
    considered moves grow in rounds, the better half going on after each."""
    if considered <= 1:
        return np.arange(max(simulations, 1), dtype=np.int32)
    rounds = halving_rounds(considered)
    order: list[int] = []
    visits = [0] * considered
    left = considered
    while len(order) < simulations:
        for _ in range(visits_each(simulations, rounds, left)):
            order.extend(visits[:left])
            for i in range(left):
                visits[i] += 1
        left = max(2, left // 2)
    return np.array(order[: max(simulations, 1)], np.int32)
