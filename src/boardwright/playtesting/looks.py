"""Looking more than once: who stops as soon as a difference shows finds more of them than there are.

A test that is looked at K times, each time with as many deals more, is crossed by chance more often than one looked at
once. So every look asks for more, the same at each (Pocock 1977): the p-value that counts is the chance that equal
variants would differ so much at any of the looks. It is computed by the recursion of Armitage, McPherson and Rowe
(1969): the density of the sum of normal steps that has not crossed yet, from look to look."""

from __future__ import annotations

import math
from functools import cache
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from boardwright.arena.intervals import LEVEL, normal_quantile

NODES = 80  # of the integral, at each look


def corrected(p: float, looks: int) -> float:
    """The p-value at any of so many looks, of that at one of them; two-sided."""
    if looks <= 1 or p >= 1.0:
        return min(p, 1.0)
    simple = min(1.0, looks * p)  # never too small (Bonferroni)
    if p < 2e-9:
        return simple
    return min(simple, crossing(NormalDist().inv_cdf(1.0 - p / 2), looks))


@cache
def quadrature() -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Points between -1 and 1, and their weights (Gauss and Legendre)."""
    return np.polynomial.legendre.leggauss(NODES)


def crossing(bound: float, looks: int) -> float:
    """How likely a difference that is not there is so many standard errors large at one of the looks or more."""
    nodes, weights = quadrature()
    points, own = bound * nodes, bound * weights
    density = np.exp(-(points**2) / 2) / math.sqrt(2 * math.pi)
    for look in range(2, looks + 1):
        reach = bound * math.sqrt(look)
        new = reach * nodes
        steps = np.exp(-((new[:, None] - points[None, :]) ** 2) / 2) / math.sqrt(2 * math.pi)
        density, points, own = steps @ (density * own), new, reach * weights
    return float(min(max(1.0 - (density * own).sum(), 0.0), 1.0))


@cache
def widening(looks: int) -> float:
    """How many times as wide an interval must be that holds the truth at all looks together."""
    if looks <= 1:
        return 1.0
    low, high = normal_quantile(), 6.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if crossing(middle, looks) > 1 - LEVEL else (low, middle)
    return high / normal_quantile()
