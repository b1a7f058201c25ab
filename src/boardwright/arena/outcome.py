"""What a match keeps of each game in memory, and what the games of one set say about its players."""

from __future__ import annotations

import hashlib
import math
from array import array
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from boardwright.arena.elo import Points
from boardwright.arena.pairing import Meeting
from boardwright.arena.referee import Played

Contest = list[tuple[int, tuple[float, ...]]]  # who was measured against whom, as (player, place)


class Outcome(NamedTuple):
    """A finished game in figures. Everything by seat is in the order of the seats."""

    id: str
    group: tuple[int, ...]  # numbers of the players who met
    number: int  # of the set
    seats: tuple[int, ...]  # which player (by number) sat where
    results: tuple[float, ...]
    scores: tuple[float, ...]
    forfeit: int  # the seat that forfeited, -1 if none did
    reason: str  # of the forfeit
    plies: int
    sequence: str  # names the sequence of moves and draws: games with the same are the same
    moves: tuple[int, ...]  # how many each seat chose (those of the opening are nobody's)
    seconds: tuple[float, ...]  # that each seat thought in all
    simulations: tuple[int, ...]  # that each seat made in all
    values: tuple[array[float], ...]  # what each seat expected for itself, move by move; or empty
    marks: dict[str, float]  # see Game.marks


def outcome(meeting: Meeting, played: Played, opening: int) -> Outcome:
    """The figures of a played game."""
    record, seats = played.record, len(meeting.seats)
    assert record.results is not None
    movers, values = played.movers[opening:], played.values[opening:]

    def by_seat(of_moves: Sequence[float]) -> list[float]:
        """The sum over each seat's moves. Of a forfeit, and of a game from another library, there may be fewer."""
        totals = [0.0] * seats
        if any(of_moves):
            for seat, one in zip(movers, of_moves[opening:], strict=False):
                totals[seat] += one
        return totals

    said: list[array[float]] = [array("f") for _ in range(seats)]
    if values.count(None) < len(values):
        for seat, value in zip(movers, values, strict=False):
            if value is not None and not math.isnan(value):
                said[seat].append(value)
    return Outcome(
        id=meeting.id,
        group=meeting.group,
        number=meeting.number,
        seats=meeting.seats,
        results=record.results,
        scores=record.scores,
        forfeit=played.forfeit,
        reason=record.note.partition("; match, set")[0] if played.forfeit >= 0 else "",
        plies=len(record.plies),
        sequence=hashlib.sha256("\n".join(record.plies).encode()).hexdigest()[:16],
        moves=tuple(map(movers.count, range(seats))),
        seconds=tuple(by_seat(record.seconds)),
        simulations=tuple(map(int, by_seat(played.simulations))),
        values=tuple(said),
        marks=played.marks,
    )


def outcomes(meetings: Sequence[Meeting], games: Sequence[Played], opening: int) -> list[Outcome]:
    """The same of each."""
    return [outcome(meeting, played, opening) for meeting, played in zip(meetings, games, strict=True)]


def comparisons(games: Sequence[Outcome], players: int, solo: bool) -> Points:
    """points[i, j]: how many comparisons with j player i won in a set, draws being half."""
    points = np.zeros((players, players))
    compared_in(contests_of(games, solo), points)
    return points


def contests_of(games: Sequence[Outcome], solo: bool) -> list[Contest]:
    """The seats of each game; alone, the games of the set: players who met the same draws."""
    if solo:
        return [[(game.seats[0], place(game, 0)) for game in games]]
    return [[(who, place(game, seat)) for seat, who in enumerate(game.seats)] for game in games]


def compared_in(contests: Sequence[Contest], points: Points) -> None:
    """Add to points[i, j] how many comparisons with j player i won in these contests, draws being half."""
    for contest in contests:
        for (one, of_one), (other, of_other) in combinations(contest, 2):
            if one == other:  # a player that holds several seats is not measured by itself
                continue
            won = 1.0 if of_one > of_other else 0.5 if of_one == of_other else 0.0
            points[one, other] += won
            points[other, one] += 1.0 - won


def rank(game: Outcome, seat: int) -> tuple[float, ...]:
    """What decides who won: whoever forfeits is below all who did not, and equal to others who did."""
    return (0.0, 0.0) if seat == game.forfeit else (1.0, game.results[seat])


def place(game: Outcome, seat: int) -> tuple[float, ...]:
    """What two seats are compared by. Among three or more, those who did not win are placed by their points."""
    return (*rank(game, seat), game.scores[seat] if len(game.seats) > 2 and seat != game.forfeit else 0.0)
