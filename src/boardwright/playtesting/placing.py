"""Who is better than whom: the players of the ladder are put in order by games of their own, before all others.

Neighbours meet on some deals, Elo differences add up along the ladder, and whoever stands wrongly by that sum moves;
then those who are neighbours now meet, until the order holds. The two at the top meet on more deals: the better of
them is who "strong" means in the whole report. What is asked for next depends on games alone, so that whoever goes on
after a kill asks for the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from boardwright.arena.elo import elo_of_share

Pair = tuple[int, int]  # players by their numbers, the smaller first

DEALS = 12  # that two players meet on
TOP_DEALS = 24  # the same for those who may be the strongest, unless the first deals are clear
CLEARLY = 0.75  # a share
ROUNDS = 4  # in which players move; who stands wrongly then is named by the report


def place(players: int, met: Callable[[Pair, int], float | None]) -> tuple[dict[Pair, int], list[int]]:
    """The deals that are to be played, by pair of players, and the order by what is known, the weakest first; it is
    final where none are. Players are numbered from the one who is likely the weakest. `met(pair, deals)`: what the
    first of a pair won on average on the first so many deals; None as long as not all are there."""
    order, shares = list(range(players)), dict[Pair, float]()
    for _ in range(ROUNDS):
        wanting = {}
        for pair in neighbours(order):
            share = met(pair, DEALS)
            if share is None:
                wanting[pair] = DEALS
            else:
                shares[pair] = share
        if wanting:
            return wanting, order
        elo = chained(players, shares)
        better = sorted(order, key=elo.__getitem__)
        if better == order:
            break
        order = better
    if players > 1:
        top = order[-2:]
        pair = (min(top), max(top))
        first = met(pair, DEALS)
        share = first if first is not None and abs(first - 0.5) > CLEARLY - 0.5 else met(pair, TOP_DEALS)
        if share is None:
            return {pair: TOP_DEALS}, order
        if share != 0.5:  # who is better stands on top
            order[-2:] = [pair[1], pair[0]] if share > 0.5 else list(pair)
    return {}, order


def neighbours(order: Sequence[int]) -> list[Pair]:
    """Who stand beside each other."""
    return [(min(pair), max(pair)) for pair in pairwise(order)]


def chained(players: int, shares: dict[Pair, float]) -> list[float]:
    """Elo ratings that fit the differences of all pairs who met best (least squares), each as sure as its share is."""
    rows, wanted = np.zeros((len(shares) + 1, players)), np.zeros(len(shares) + 1)
    rows[-1, 0] = 1.0  # counted from the first player
    edge = 0.5 / (DEALS + 1)
    for row, ((one, other), share) in enumerate(shares.items()):
        bounded = min(max(share, edge), 1 - edge)
        weight = np.sqrt(bounded * (1 - bounded))
        rows[row, one], rows[row, other] = weight, -weight
        wanted[row] = weight * elo_of_share(bounded)
    return [float(one) for one in np.linalg.lstsq(rows, wanted, rcond=None)[0]]
