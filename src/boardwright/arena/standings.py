"""What the games of a match add up to: for each player, each two players and each seat, with intervals.

A set is one observation, as its games share their luck; only sets that are complete count, so that every player
has had every seat equally often.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import fmean
from typing import NamedTuple

import numpy as np

from boardwright.arena.elo import Points, Ratings, elo_of_share, rate
from boardwright.arena.intervals import Estimate, mean, share, wilson
from boardwright.arena.outcome import Contest, Outcome, compared_in, contests_of, rank


@dataclass(frozen=True)
class PlayerStanding:
    """One player over all its games."""

    name: str
    games: int
    wins: int  # nobody else's result was as good (alone: on the same draws)
    draws: int  # only the best result, but another's too
    losses: int
    win_rate: Estimate
    draw_rate: Estimate
    loss_rate: Estimate
    share: Estimate  # of the comparisons with all others, draws half
    points: Estimate | None  # mean points a game; None where the game counts none
    forfeits: int
    seconds: float  # a move
    simulations: float  # a move


@dataclass(frozen=True)
class PairStanding:
    """Two players who met; figures are the first one's."""

    one: int
    other: int
    sets: int
    wins: int  # comparisons, not games: there are several in a game for three or more
    draws: int
    losses: int
    share: Estimate
    elo: Estimate  # the difference behind the share; infinite at the end that the games leave open
    points: Estimate | None  # mean difference in points on the same draws
    superiority: float  # how likely the first one is better


@dataclass(frozen=True)
class SeatStanding:
    """One seat, whoever sat there."""

    seat: int
    wins: Estimate  # its share of wins, one shared by k counting 1/k
    points: Estimate | None


@dataclass(frozen=True)
class Standings:
    """The whole table."""

    players: tuple[PlayerStanding, ...]
    pairs: tuple[PairStanding, ...]
    seats: tuple[SeatStanding, ...]
    ratings: Ratings | None  # None for one player alone
    games: int
    distinct: int  # games that differ in some move or draw
    sets: int


Set = Sequence[Outcome]


class Held(NamedTuple):
    """What one player had in the games of a set."""

    seats: list[tuple[Outcome, int]]
    games: int  # in which it sat
    points: float  # the mean of its seats; 0 without any


def standings(names: tuple[str, ...], sets: Sequence[Set], seats: int) -> Standings:
    """The table after complete `sets`."""
    solo = seats == 1
    contests = [contests_of(games, solo) for games in sets]
    compared = np.zeros((len(sets), len(names), len(names)))
    for number, met_in_set in enumerate(contests):
        compared_in(met_in_set, compared[number])
    everything = [game for games in sets for game in games]
    counts_points = any(any(game.scores) for game in everything)
    held = [[_held(games, number) for games in sets] for number in range(len(names))]
    every = compared.sum(axis=0)
    met = sorted((int(i), int(j)) for i, j in zip(*np.nonzero(every + every.T), strict=True) if i < j)
    ratings = rate(names, compared) if len(names) > 1 and met else None
    ended: dict[int, list[str]] = {number: [] for number in range(len(names))}
    for contest in chain.from_iterable(contests):
        for number, how in _endings(contest):
            ended[number].append(how)
    won = [[_won(game, seats) for game in games] for games in sets]
    return Standings(
        players=tuple(
            _player(number, name, held[number], ended[number], compared, counts_points)
            for number, name in enumerate(names)
        ),
        pairs=tuple(_pair(i, j, held, contests, compared, counts_points) for i, j in met),
        seats=() if solo else tuple(_seat(seat, sets, won, counts_points) for seat in range(seats)),
        ratings=ratings,
        games=len(everything),
        distinct=len({(game.sequence, game.forfeit) for game in everything}),
        sets=len(sets),
    )


def _player(
    number: int,
    name: str,
    held: Sequence[Held],
    ended: Sequence[str],  # win, draw or loss of each contest with others
    compared: Points,  # by sets
    counts_points: bool,
) -> PlayerStanding:
    seats = [each for one in held for each in one.seats]
    wins, draws = ended.count("win"), ended.count("draw")
    got = compared[:, number].sum(axis=1)
    total = got + compared[:, :, number].sum(axis=1)
    shares = (got[total > 0] / total[total > 0]).tolist()
    points = None
    if counts_points:
        points = mean([one.points for one in held if one.seats])
    moves = sum([game.moves[seat] for game, seat in seats])
    return PlayerStanding(
        name=name,
        games=sum([one.games for one in held]),
        wins=wins,
        draws=draws,
        losses=len(ended) - wins - draws,
        win_rate=wilson(wins, len(ended)),
        draw_rate=wilson(draws, len(ended)),
        loss_rate=wilson(len(ended) - wins - draws, len(ended)),
        share=share(shares, max([one.games for one in held], default=1)),
        points=points,
        forfeits=sum([game.forfeit == seat for game, seat in seats]),
        seconds=sum([game.seconds[seat] for game, seat in seats]) / max(moves, 1),
        simulations=sum([game.simulations[seat] for game, seat in seats]) / max(moves, 1),
    )


def _held(games: Set, player: int) -> Held:
    seats = [(game, seat) for game in games for seat, who in enumerate(game.seats) if who == player]
    points = fmean([game.scores[seat] for game, seat in seats]) if seats else 0.0
    return Held(seats, len({game.id for game, _ in seats}), points)


def _endings(contest: Contest) -> list[tuple[int, str]]:
    """Each player's win, draw or loss; nothing for who was alone in it."""
    best: dict[int, tuple[float, ...]] = {}
    for who, got in contest:
        best[who] = max(got, best.get(who, got))
    if len(best) < 2:
        return []
    ranked = sorted([got[:2] for got in best.values()])  # the win alone, not the places behind it
    of_best = "draw" if ranked[-1] == ranked[-2] else "win"
    return [(who, of_best if got[:2] == ranked[-1] else "loss") for who, got in best.items()]


def _pair(
    one: int,
    other: int,
    held: Sequence[Sequence[Held]],
    contests: Sequence[Sequence[Contest]],
    compared: Points,  # by sets
    counts_points: bool,
) -> PairStanding:
    total = compared[:, one, other] + compared[:, other, one]
    shares = compared[total > 0, one, other] / total[total > 0]
    differences = []
    per_set = 1
    wins = draws = losses = 0
    for number in np.nonzero(total)[0].tolist():
        ours, theirs, met = held[one][number], held[other][number], contests[number]
        per_set = max(per_set, ours.games)
        split = _split(met, one, other)
        wins, draws, losses = wins + split[0], draws + split[1], losses + split[2]
        differences.append(ours.points - theirs.points)
    got = share(shares.tolist(), per_set)
    points = np.zeros((len(shares), 2, 2))
    points[:, 0, 1], points[:, 1, 0] = per_set * shares, per_set * (1.0 - shares)
    two = rate(("one", "other"), points)
    return PairStanding(
        one=one,
        other=other,
        sets=len(shares),
        wins=wins,
        draws=draws,
        losses=losses,
        share=got,
        elo=Estimate(elo_of_share(got.value), elo_of_share(got.low), elo_of_share(got.high)),
        points=mean(differences) if counts_points else None,
        superiority=two.superiority(0, 1),
    )


def _split(contests: Sequence[Contest], one: int, other: int) -> tuple[int, int, int]:
    """Comparisons that `one` won, drew and lost against `other`."""
    found = [
        (mine > theirs) - (mine < theirs)
        for contest in contests
        for a, mine in contest
        if a == one
        for b, theirs in contest
        if b == other
    ]
    return found.count(1), found.count(0), found.count(-1)


def _won(game: Outcome, seats: int) -> list[float]:
    """Each seat's share of the win."""
    ranks = [rank(game, seat) for seat in range(seats)]
    best = max(ranks)
    each = 1.0 / ranks.count(best)
    return [each if one == best else 0.0 for one in ranks]


def _seat(seat: int, sets: Sequence[Set], won: Sequence[Sequence[list[float]]], counts_points: bool) -> SeatStanding:
    a_set = max((len(games) for games in sets), default=1)
    return SeatStanding(
        seat=seat,
        wins=share([fmean([shares[seat] for shares in games]) for games in won], a_set),
        points=mean([fmean([game.scores[seat] for game in games]) for games in sets]) if counts_points else None,
    )


def complete_sets(outcomes: Iterable[Outcome], games_a_set: int) -> list[list[Outcome]]:
    """The outcomes as sets, in the order of their numbers; sets that lack a game are left out."""
    found: dict[tuple[int, tuple[int, ...]], list[Outcome]] = defaultdict(list)
    for one in outcomes:
        found[one.number, one.group].append(one)
    return [
        sorted(games, key=lambda game: game.seats) for _, games in sorted(found.items()) if len(games) == games_a_set
    ]


def finite(value: float) -> float | None:
    """For JSON, which has neither infinity nor NaN."""
    return value if math.isfinite(value) else None
