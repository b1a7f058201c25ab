"""Fairness: what each seat is worth between equal strong players, and what would even it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from boardwright.arena.elo import elo_of_share
from boardwright.arena.intervals import Estimate
from boardwright.playtesting.estimates import bootstrap, mapped
from boardwright.playtesting.figure import Figure, Section, deals_of, over_games
from boardwright.playtesting.trace import Trace


def fairness(
    seats: int,
    equal: Sequence[Trace],
    weak: Sequence[Trace],
    doubling: Estimate | None,
    handicapped: Mapping[int, Sequence[Trace]] = {},
    doublings: int = 0,
    opened: Sequence[Trace] = (),
) -> Section:
    """`doubling`: how many Elo points a doubling of search is worth at the top of the ladder, which has so many
    `doublings`. `handicapped[seat]`: games of equals in which that seat's first move was made at random. `opened`:
    games of equals that begin with random moves, where those of `equal` do not: what a seat is worth from the start,
    and what is left of it then, are two questions."""
    found = Section("fairness", "Fairness", "Does it matter where you sit?")
    if seats == 1:
        return found
    moves = max((one.opened for one in opened), default=0)
    found.data["opening"], found.data["different"] = moves, len({tuple(one.steps) for one in equal})
    for seat in range(seats):
        found.figures.append(
            over_games(
                f"fairness.seat_{seat + 1}",
                f"Seat {seat + 1} wins" + (", from the start position" if moves else ""),
                equal,
                lambda one, seat=seat: (one.wins()[seat], 1.0),
                "%",
                f"Games that seat {seat + 1} wins between equal strong players, all of them from the start position; a "
                f"shared win counts in parts. An even game would give {100 / seats:.4g} %.",
            )
        )
    for seat in range(seats) if moves else ():
        found.figures.append(
            over_games(
                f"fairness.opened_{seat + 1}",
                f"Seat {seat + 1} wins, after {moves} random moves",
                opened,
                lambda one, seat=seat: (one.wins()[seat], 1.0),
                "%",
                f"The same in games that begin with {moves} random moves, as most games of this report do: without "
                "chance, players would repeat a few lines. It tells what is left of a seat's advantage when nobody "
                "chooses the opening.",
            )
        )
    for seat in range(seats):
        share = found.figures[seat]
        found.figures.append(
            Figure(
                f"fairness.elo_{seat + 1}",
                f"Seat {seat + 1} in Elo",
                mapped(share.estimate, lambda x: elo_of_share(x) + elo_of_share(1 - 1 / seats)),
                "Elo",
                "The same as a difference in rating: how much stronger a player would have to be to win so much "
                "against equals from seats of even worth.",
                share.games,
            )
        )
    for seat in range(seats):
        found.figures.append(
            over_games(
                f"fairness.weak_{seat + 1}",
                f"Seat {seat + 1} wins, random moves",
                weak,
                lambda one, seat=seat: (one.wins()[seat], 1.0),
                "%",
                "The same between players who move at random: far from the figure of strong players, it tells that the "
                "advantage has to be learnt.",
            )
        )
    found.figures += points_handicaps(seats, equal)
    for seat, games in handicapped.items():
        found.figures.append(
            over_games(
                f"fairness.random_first_{seat + 1}",
                f"Seat {seat + 1} wins, its first move at random",
                games,
                lambda one, seat=seat: (one.wins()[seat], 1.0),
                "%",
                f"A handicap of a move: between equal strong players, seat {seat + 1} makes its first move at random. "
                f"At {100 / seats:.4g} % that evens the seats; above, it is not enough, and below too much.",
            )
        )
    if seats == 2 and doubling is not None:
        found.figures += thinking_handicap(found.figure("elo_1"), doubling, doublings)
        found.data["doublings"] = doublings
    return found


def thinking_handicap(elo: Figure, doubling: Estimate, doublings: int) -> list[Figure]:
    """How many doublings of search would even the seats; as far as the ladder goes, for what lies beyond its top nobody
    has measured."""
    lead, doubling_ends = elo.estimate, (doubling.low, doubling.high)
    if doubling.low <= 0:
        return []
    ends = [end / one for end in (lead.low, lead.high) for one in doubling_ends]
    value = lead.value / doubling.value
    if any(map(math.isnan, [value, *ends])):
        return []
    low, high = min(ends), max(ends)
    if abs(value) > doublings:
        if low <= 0 <= high:
            return []  # whose handicap it would be is open
        value = math.copysign(math.inf, value)
        low, high = (min(low, doublings), math.inf) if value > 0 else (-math.inf, max(high, -doublings))
    estimate = Estimate(value, low if low >= -doublings else -math.inf, high if high <= doublings else math.inf)
    means = (
        "How many times the search of seat 2 would have to be doubled to even the seats: Elo of seat 1 by Elo a "
        "doubling at the top of the ladder. Its interval takes both ends of both. The ladder has "
        f"{doublings} doublings; a handicap of more is told as more than it can give, not as a number."
    )
    return [Figure("fairness.doublings", "Handicap in thinking", estimate, "doublings", means, elo.games)]


def points_handicaps(seats: int, equal: Sequence[Trace]) -> list[Figure]:
    """The points that would even the seats; none in games that points do not decide. Between two, those of the second
    say it all."""
    if not equal or not all(map(_by_points, equal)) or not any(len(set(one.scores)) > 1 for one in equal):
        return []
    deals = list(deals_of(equal).values())
    found = []
    for seat in range(seats) if seats > 2 else (1,):
        behind = [np.array([_behind(one, seat) for one in games]) for games in deals]
        estimate = bootstrap(len(deals), partial(_evening, behind, 1 / seats))
        if seats == 2:
            means = (
                "Points that seat 2 would have to be given for both to win as often: the median of seat 1's lead at "
                "the end, where they are added. Below 0 they are seat 1's to get. By resampling deals."
            )
        else:
            means = (
                f"Points that seat {seat + 1}, alone, would have to be given at the end to win {100 / seats:.4g} % of "
                "games: that part of the games it then has as many as the best of the others. Below 0 they are its to "
                "give. By resampling deals."
            )
        key = "fairness.handicap" if seats == 2 else f"fairness.handicap_{seat + 1}"
        found.append(Figure(key, f"Handicap in points for seat {seat + 1}", estimate, "points", means, len(equal)))
    return found


def _evening(behind: Sequence[npt.NDArray[np.float64]], part: float, rows: npt.NDArray[np.int64]) -> float:
    """The points with which a seat has as many as the best of the others in that part of the games."""
    return float(np.quantile(np.concatenate([behind[row] for row in rows]), part))


def _behind(one: Trace, seat: int) -> float:
    """By how many points a seat is behind the best of the others."""
    return max(points for other, points in enumerate(one.scores) if other != seat) - one.scores[seat]


def _by_points(one: Trace) -> bool:
    """Whether who has more points got the better result; equal points may be decided by anything else."""
    return all(
        (one.results[a] - one.results[b]) * (one.scores[a] - one.scores[b]) >= 0
        for a in range(len(one.scores))
        for b in range(a)
    )
