"""What the games of a match add up to: for each player, each two players and each seat, with intervals.

A set is one observation, as its games share their luck; only sets that are complete count, so that every player
has had every seat equally often.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from boardwright.arena.elo import Points, Ratings, elo_of_share, rate
from boardwright.arena.intervals import Estimate, mean, share, wilson
from boardwright.arena.outcome import Outcome, comparisons, place, rank


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


def standings(names: tuple[str, ...], sets: Sequence[Set], seats: int) -> Standings:
    """The table after complete `sets`."""
    solo = seats == 1
    compared = [comparisons(games, len(names), solo) for games in sets]
    everything = [game for games in sets for game in games]
    counts_points = any(any(game.scores) for game in everything)
    met = sorted({(i, j) for points in compared for i, j in zip(*np.nonzero(points + points.T), strict=True) if i < j})
    ratings = rate(names, compared) if len(names) > 1 and met else None
    return Standings(
        players=tuple(_player(number, name, sets, compared, solo, counts_points) for number, name in enumerate(names)),
        pairs=tuple(_pair(int(i), int(j), sets, compared, counts_points, solo) for i, j in met),
        seats=() if solo else tuple(_seat(seat, sets, seats, counts_points) for seat in range(seats)),
        ratings=ratings,
        games=len(everything),
        distinct=len({(game.sequence, game.forfeit) for game in everything}),
        sets=len(sets),
    )


def _player(
    number: int, name: str, sets: Sequence[Set], compared: Sequence[Points], solo: bool, counts_points: bool
) -> PlayerStanding:
    mine = [[game for game in games if number in game.seats] for games in sets]
    games = [game for one in mine for game in one]
    ended = [how for one in sets for how in _endings(number, one, solo)]
    wins, draws = ended.count("win"), ended.count("draw")
    shares = [
        points[number].sum() / total for points in compared if (total := points[number].sum() + points[:, number].sum())
    ]
    a_set = max((len(one) for one in mine), default=1)
    points = None
    if counts_points:
        points = mean([fmean(score for game in one for score in _of(game.scores, game, number)) for one in mine if one])
    moves = sum(sum(_of(game.moves, game, number)) for game in games)
    return PlayerStanding(
        name=name,
        games=len(games),
        wins=wins,
        draws=draws,
        losses=len(ended) - wins - draws,
        win_rate=wilson(wins, len(ended)),
        draw_rate=wilson(draws, len(ended)),
        loss_rate=wilson(len(ended) - wins - draws, len(ended)),
        share=share(shares, a_set),
        points=points,
        forfeits=sum(game.forfeit >= 0 and game.seats[game.forfeit] == number for game in games),
        seconds=sum(sum(_of(game.seconds, game, number)) for game in games) / max(moves, 1),
        simulations=sum(sum(_of(game.simulations, game, number)) for game in games) / max(moves, 1),
    )


def _of(by_seat: Iterable[float], game: Outcome, player: int) -> list[float]:
    """Those entries of the seats that `player` holds."""
    return [value for value, who in zip(by_seat, game.seats, strict=True) if who == player]


def _endings(player: int, games: Set, solo: bool) -> Iterable[str]:
    """win, draw or loss, for each game of the set that the player was in (alone: for the set)."""
    for contest in _contests(games, solo):
        others = [got for who, got in contest if who != player]
        own = [got for who, got in contest if who == player]
        if own and others:
            best, theirs = max(own)[:2], max(others)[:2]  # the win alone, not the places behind it
            yield "win" if best > theirs else "draw" if best == theirs else "loss"


def _contests(games: Set, solo: bool) -> list[list[tuple[int, tuple[float, ...]]]]:
    """Who was measured against whom, as (player, place): the seats of each game; alone, the games of the set."""
    if solo:
        return [[(game.seats[0], place(game, 0)) for game in games]]
    return [[(who, place(game, seat)) for seat, who in enumerate(game.seats)] for game in games]


def _pair(
    one: int, other: int, sets: Sequence[Set], compared: Sequence[Points], counts_points: bool, solo: bool
) -> PairStanding:
    shares, differences = [], []
    per_set = 1
    wins = draws = losses = 0
    for games, points in zip(sets, compared, strict=True):
        total = points[one, other] + points[other, one]
        if not total:
            continue
        shares.append(points[one, other] / total)
        per_set = max(per_set, len([game for game in games if one in game.seats and (other in game.seats or solo)]))
        split = _split(games, one, other, solo)
        wins, draws, losses = wins + split[0], draws + split[1], losses + split[2]
        ours = [score for game in games for score in _of(game.scores, game, one)]
        theirs = [score for game in games for score in _of(game.scores, game, other)]
        differences.append(fmean(ours) - fmean(theirs))
    got = share(shares, per_set)
    two = rate(("one", "other"), [per_set * np.array([[0.0, s], [1.0 - s, 0.0]]) for s in shares])
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


def _split(games: Set, one: int, other: int, solo: bool) -> tuple[int, int, int]:
    """Comparisons that `one` won, drew and lost against `other`."""
    found = [
        (mine > theirs) - (mine < theirs)
        for contest in _contests(games, solo)
        for a, mine in contest
        if a == one
        for b, theirs in contest
        if b == other
    ]
    return found.count(1), found.count(0), found.count(-1)


def _seat(seat: int, sets: Sequence[Set], seats: int, counts_points: bool) -> SeatStanding:
    def won(game: Outcome) -> float:
        ranks = [rank(game, each) for each in range(seats)]
        return (ranks[seat] == max(ranks)) / ranks.count(max(ranks))

    a_set = max((len(games) for games in sets), default=1)
    return SeatStanding(
        seat=seat,
        wins=share([fmean(map(won, games)) for games in sets], a_set),
        points=mean([fmean(game.scores[seat] for game in games) for games in sets]) if counts_points else None,
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
