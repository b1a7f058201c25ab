"""What is played: each experiment is a row of deals that exist before they are played, a deal a set of games.

- `place A B`: two players of the ladder, by their numbers before it was in order, to see who is better;
- `equal`: the strongest player in all seats, twice on each deal with other random numbers of its own;
- `start`: the same from the start position, where the games of `equal` begin with random moves;
- `weak`: the same with random moves;
- `step N`: level N against level N - 1, every way round the table (alone: each of them once);
- `doubling`: the largest plain search against the one with half its tries, where they are no neighbours on the ladder;
- `without KIND`: the strongest, who may not choose moves of a kind, against the strongest;
- `handicap SEAT`: as `equal`, but the first move of the seat that did best among equals is made at random;
- `searched`: as `equal` by the strongest search, where too little in the strongest player is random.

Without chance, `place`, `equal`, `step`, `doubling` and `without` begin with some random moves, the same for all games
of a deal: else players repeat a few lines, and tell of these alone. What is said of seats and handicaps is from the
start.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from boardwright.arena.match import few_moves
from boardwright.arena.openings import random_opening
from boardwright.arena.pairing import derive, seatings
from boardwright.contract.errors import BoardwrightError
from boardwright.contract.game import Game
from boardwright.playtesting.ladder import RANDOM, SOLVER, Level

EQUAL, WEAK, STEP, WITHOUT, HANDICAP, PLACE = "equal", "weak", "step", "without", "handicap", "place"
SEARCHED, START, DOUBLING = "searched", "start", "doubling"
REPLAYS = 2  # games on a deal between equals
OPENINGS = 20  # that are tried, to see whether they leave a game to play


@dataclass(frozen=True)
class Experiment:
    """One row of deals. Small enough to be sent to a worker."""

    key: str
    specs: tuple[str, ...]  # who takes part: the second is the weaker, or has the restriction
    forbidden: str = ""  # the kind that the second may not choose
    random_first: int = -1  # the seat whose first move is made at random; -1: none
    opening: int = 0  # random moves that a game begins with

    @property
    def kind(self) -> str:
        return self.key.partition(" ")[0]

    def seatings(self, seats: int) -> list[tuple[int, ...]]:
        """Who (by number in `specs`) sits where in each game of a deal."""
        if len(self.specs) == 1:
            return [(0,) * seats] * REPLAYS
        return seatings(seats, (0, 1))


@dataclass(frozen=True)
class Plan:
    """One game before it is played."""

    experiment: Experiment
    deal: int
    game: int  # number within the deal
    seats: tuple[int, ...]
    luck: int  # seed of the draws, common to the deal
    seeds: tuple[int, ...]  # of each seat

    @property
    def id(self) -> str:
        """Names the game among those of one playtest."""
        text = f"{self.experiment.key}|{self.deal}|{self.game}|{self.luck}"
        return hashlib.sha256(text.encode()).hexdigest()[:32]


def experiments(levels: Sequence[Level], opening: int = 0) -> list[Experiment]:
    """Those that are there from the beginning; kinds of moves have theirs once they have been seen. `opening`: random
    moves that games begin with. Perfect play has no need of them: its one line is the game's."""
    before = opening_of_equals(levels, opening)
    found = [Experiment(EQUAL, (levels[-1].spec,), opening=before), Experiment(WEAK, (RANDOM,))]
    if before:
        found.append(Experiment(START, (levels[-1].spec,)))
    found += [
        Experiment(f"{STEP} {number}", (levels[number].spec, levels[number - 1].spec), opening=opening)
        for number in range(1, len(levels))
    ]
    doubling = top_doubling(levels)
    if doubling and levels.index(doubling[0]) != levels.index(doubling[1]) + 1:
        found.append(Experiment(DOUBLING, (doubling[0].spec, doubling[1].spec), opening=opening))
    return found


def top_doubling(levels: Sequence[Level]) -> tuple[Level, Level] | None:
    """The largest plain search, and the one with half its tries; None where the ladder has no such two."""
    top = strongest_search(levels)
    half = next((one for one in levels if 0 < 2 * one.simulations == top.simulations), None)
    return (top, half) if half else None


def opening_of_equals(levels: Sequence[Level], opening: int) -> int:
    """Random moves that games between equal strong players begin with."""
    return 0 if levels[-1].spec == SOLVER else opening


def placed(one: int, other: int, levels: Sequence[Level], opening: int) -> Experiment:
    """Two players of the ladder who are to be put in order."""
    return Experiment(f"{PLACE} {one} {other}", (levels[one].spec, levels[other].spec), opening=opening)


def usable_opening(game: Game) -> int:
    """Random moves that games without chance can begin with; 0 for others, and for games that they would end."""
    if game.outcomes or game.players == 1:
        return 0
    for moves in range(few_moves(game), 0, -1):
        try:
            for luck in range(OPENINGS):
                random_opening(game, moves, luck)
        except BoardwrightError:  # too short, or rules that stumble: the games will tell
            continue
        return moves
    return 0


def without(kind: str, strongest: Level, opening: int = 0) -> Experiment:
    """What it costs to do without a kind of moves."""
    return Experiment(f"{WITHOUT} {kind}", (strongest.spec, strongest.spec), kind, opening=opening)


def handicap(seat: int, strongest: Level) -> Experiment:
    """What is left of a seat's advantage when it gives its first move away."""
    return Experiment(f"{HANDICAP} {seat + 1}", (strongest.spec,), random_first=seat)


def searched(levels: Sequence[Level]) -> Experiment:
    """Games between equals who have something random in them, and doubts: the strongest search of the ladder."""
    return Experiment(SEARCHED, (strongest_search(levels).spec,))


def strongest_search(levels: Sequence[Level]) -> Level:
    """The last one of the ladder, which has one always."""
    return max(levels, key=lambda one: one.simulations)


def deal(game: Game, experiment: Experiment, number: int, seed: int) -> list[Plan]:
    """The games of one deal. The draws of a deal are the same in all experiments, and in all variants of a game."""
    luck = derive(seed, "luck", number)
    return [
        Plan(
            experiment,
            number,
            at,
            seats,
            luck,
            tuple(derive(seed, experiment.key, number, at, seat) % 2**31 for seat in range(len(seats))),
        )
        for at, seats in enumerate(experiment.seatings(game.players))
    ]
