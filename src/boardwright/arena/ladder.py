"""A ladder: candidates are rated from random play upwards, each set being played where it makes the ratings surest.

What is known so far is a normal distribution over the ratings (Laplace's approximation of the Bradley-Terry posterior,
with a wide prior). A set between two players adds one known direction of information, so the sum of all variances after
it is a formula; the pair that lowers it most for its seconds meets next. The ratings that are told at the end owe
nothing to the prior: they are those of elo.py, with its intervals.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

import numpy as np
import numpy.typing as npt

from boardwright.arena.elo import SCALE, Points, rate
from boardwright.arena.journal import Journal
from boardwright.arena.levels import Rated
from boardwright.arena.match import few_moves
from boardwright.arena.outcome import Outcome, comparisons, outcome
from boardwright.arena.pairing import Meeting, Schedule, Terms, files_key
from boardwright.arena.play_sets import MatchCrew, ToPlay, check_workers
from boardwright.arena.referee import Referee
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.players import PlayerSpec
from boardwright.records import Library

SURE = 35.0  # Elo either way: surer than this no player need be
PRIOR_MEAN, PRIOR_SPREAD = 400.0 / SCALE, 700.0 / SCALE  # of a player's rating before its first game
ANCHOR_SPREAD = 1e-3  # of random's: it is 0
GROWTH = 30.0  # Elo: where the last step up brought surely less, the next is not taken
FEW_SETS = 4  # of a player, before what comes after it is tried, and before it is told
LOOKED_BACK = 15  # games of a player, for how long it thinks
UNKNOWN_SECONDS = 0.2  # a game of a player that has not played
OVERHEAD = 0.005  # seconds a game that nobody thinks
TURN, MOST_SETS = 0.4, 16  # seconds of play that are handed out at one time, and sets
AT_ONCE = 4 * MOST_SETS  # sets that are looked for in the library at one time: more than a stop leaves unfinished
TELL_SECONDS = 1.0  # between two reports of how far it is
MOST_SECONDS = 1.0  # a move: a level that thinks longer would bore whoever plays it
LEAST_SETS_LEFT = 20  # a candidate is tried if the time left is enough for so many of its sets

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True)
class LadderCandidate:
    """Who may become a level."""

    spec: str
    after: str = ""  # tried only when this candidate has been, and was worth it: the same with fewer simulations
    price: float = 1.0  # how many times as long as that one it thinks


@dataclass(frozen=True)
class Standing:
    """How far a ladder is."""

    games: int
    seconds: float  # left at most
    unsure: str  # the player whose rating is least sure
    error: float  # of that, in Elo


class Ladder:
    """The games of a ladder. The first candidate is random, whose rating is 0."""

    def __init__(
        self, game: Game, candidates: Sequence[LadderCandidate], seed: int = 0, library: Library | None = None
    ):
        self.game, self.candidates = game, tuple(candidates)
        specs = tuple(one.spec for one in candidates)
        if len(set(specs)) != len(specs) or len(specs) < 2:
            raise InputError("a ladder needs two candidates or more, each once")
        # Without luck, strong players would play the same few games again and again.
        self.terms = Terms(seed, 0 if game.outcomes else few_moves(game))
        self.schedule = Schedule(game, specs, self.terms, round_robin=True)
        self.journal = Journal(library or Library())
        self.outcomes: dict[str, Outcome] = {}
        self._pairs = list(combinations(range(len(specs)), 2))
        self._next: Counter[tuple[int, int]] = Counter()  # the number of each pair's next set
        self._todo: dict[str, tuple[tuple[int, int], int]] = {}  # handed out: meeting's id -> its set
        self._waiting: dict[tuple[tuple[int, int], int], int] = {}  # games missing of each set handed out
        self._points: list[Points] = []  # of complete sets
        self._sum: Points = np.zeros((len(specs), len(specs)))  # of these
        first = self.schedule.set(self._pairs[0], 0)
        self.games_a_set = len(first)
        # Comparisons of two players in a set.
        self._comparisons = 1 if game.players == 1 else sum(one.seats.count(0) * one.seats.count(1) for one in first)
        self._sets: Counter[int] = Counter()  # of each player, complete
        self._games: dict[tuple[tuple[int, int], int], list[Outcome]] = defaultdict(list)
        self._played: Counter[int] = Counter()  # games of each player
        # Of each player's last games: seconds that it thought, a game and a move. Their median, as in its first game a
        # player may have waited for the compiler.
        self._thought = [(deque[float](maxlen=LOOKED_BACK), deque[float](maxlen=LOOKED_BACK)) for _ in specs]
        self.thought = 0.0  # seconds, by all players in all games
        self._numbers = {spec: number for number, spec in enumerate(specs)}

    # Games

    def recall(self) -> int:
        """Take in the games that the library has; how many it had."""
        try:
            for pair in self._pairs:
                while self._recall_some(pair):
                    pass
        finally:
            self.journal.close()
        return len(self.outcomes)

    def _recall_some(self, pair: tuple[int, int]) -> int:
        """The next sets of a pair that are complete; how many. Of several workers one may have been stopped within a
        set while another finished the one after it: that counts, too."""
        first = self._next[pair]
        sets = {number: self.schedule.set(pair, number) for number in range(first, first + AT_ONCE)}
        met = {meeting.id: meeting for meetings in sets.values() for meeting in meetings}
        found = {played.record.id: played for played in self.journal.find(list(met))}
        count = 0
        for number in sorted(sets):
            if not all(meeting.id in found for meeting in sets[number]):
                continue
            for meeting in sets[number]:
                self._take(pair, number, outcome(meeting, found[meeting.id], self.terms.opening))
            self._next[pair] = number + 1
            count += 1
        return count

    def run(self, seconds: float, workers: int = 0, progress: Callable[[Standing], None] | None = None) -> None:
        """Play until all is sure or so many seconds are over. Ctrl-C leaves every finished game in the library."""
        check_workers(workers)
        ends = time.monotonic() + seconds

        told = [0.0]

        def tell() -> None:
            if progress and time.monotonic() - told[0] >= TELL_SECONDS:
                told[0] = time.monotonic()
                progress(self.standing(max(ends - told[0], 0.0)))

        try:
            if workers == 0:
                self._play_here(ends, tell)
            else:
                self._play_in_crew(ends, workers, tell)
        finally:
            self._todo.clear()
            self._waiting.clear()
            self.journal.close()

    def _play_here(self, ends: float, tell: Callable[[], None]) -> None:
        referee = Referee(self.game, self.schedule.specs, self.terms)
        while time.monotonic() < ends and (meetings := self._hand_out(ends)):
            for meeting in meetings:
                played = referee.play(meeting)
                self.journal.save(played)
                self._done([outcome(meeting, played, self.terms.opening)])
            tell()

    def _play_in_crew(self, ends: float, workers: int, tell: Callable[[], None]) -> None:
        first = [meetings for _ in range(workers) if (meetings := self._hand_out(ends))]
        if not first:
            return
        what = ToPlay(self.game, self.schedule.specs, self.terms, self.journal, first, self._done)
        crew = MatchCrew(what, workers)

        def going() -> bool:
            if time.monotonic() >= ends:
                return False
            while len(crew.todo) < workers and (meetings := self._hand_out(ends)):
                crew.todo.append(meetings)
            return True

        try:
            crew.run(going, tell)
        finally:
            crew.end()  # or a game could end after the next line has looked
        self._take_untold()

    def _take_untold(self) -> None:
        """Games that workers had saved, but not told, when the time was over: the library has them, so they count."""
        left = {one.id: one for handed in set(self._todo.values()) for one in self.schedule.set(*handed)}
        for played in list(self.journal.find([id for id in left if id in self._todo])):
            self._done([outcome(left[played.record.id], played, self.terms.opening)])

    def _hand_out(self, ends: float) -> tuple[Meeting, ...]:
        """The next games to be played, sets of one pair for about `TURN` seconds; none when all is sure."""
        pair = self._next_pair(max(ends - time.monotonic(), 0.0))
        if pair is None:
            return ()
        seconds = self.games_a_set * (OVERHEAD + self._seconds(pair[0]) + self._seconds(pair[1]))
        found: list[Meeting] = []
        for _ in range(max(1, min(MOST_SETS, int(TURN / seconds)))):
            number = self._next[pair]
            self._next[pair] += 1
            meetings = self.schedule.set(pair, number)
            self._waiting[pair, number] = len(meetings)
            self._todo.update({meeting.id: (pair, number) for meeting in meetings})
            found += meetings
        return tuple(found)

    def _done(self, games: Sequence[Outcome]) -> None:
        for one in games:
            pair, number = self._todo.pop(one.id)
            self._waiting[pair, number] -= 1
            if not self._waiting[pair, number]:
                del self._waiting[pair, number]
            self._take(pair, number, one)

    def _take(self, pair: tuple[int, int], number: int, one: Outcome) -> None:
        self.outcomes[one.id] = one
        self.thought += sum(one.seconds)
        for who in set(one.seats):
            own = [seat for seat, player in enumerate(one.seats) if player == who]
            seconds, moves = sum(one.seconds[seat] for seat in own), sum(one.moves[seat] for seat in own)
            self._played[who] += 1
            self._thought[who][0].append(seconds)
            self._thought[who][1].append(seconds / max(moves, 1))
        games = self._games[pair, number]
        games.append(one)
        if len(games) == self.games_a_set:
            self._points.append(comparisons(games, len(self.candidates), self.game.players == 1))
            self._sum += self._points[-1]
            self._sets.update(pair)
            del self._games[pair, number]

    # What is known

    def standing(self, left: float = 0.0) -> Standing:
        values, covariance = self._belief()
        tried = self._open(values, covariance, left)
        errors = 1.96 * SCALE * np.sqrt(np.diag(covariance))
        worst = max(tried, key=lambda number: float(errors[number]))
        return Standing(len(self.outcomes), left, self.candidates[worst].spec, float(errors[worst]))

    def _belief(self) -> tuple[Matrix, Matrix]:
        """Ratings in natural units and their covariance, what is being played counted as if it had gone as expected."""
        count = len(self.candidates)
        mean = np.full(count, PRIOR_MEAN)
        mean[0] = 0.0
        trust = np.full(count, PRIOR_SPREAD**-2)
        trust[0] = ANCHOR_SPREAD**-2
        points = self._sum
        games = points + points.T
        values = mean.copy()
        information = np.diag(trust)
        for _ in range(50):  # Newton's method; the logarithm of the posterior has one top
            shares = 1.0 / (1.0 + np.exp(values[None, :] - values[:, None]))
            weight = games * shares * (1.0 - shares)
            np.fill_diagonal(weight, 0.0)
            information = np.diag(weight.sum(axis=1) + trust) - weight
            gradient = points.sum(axis=1) - (games * shares).sum(axis=1) - trust * (values - mean)
            step = np.linalg.solve(information, gradient)
            step *= min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-300))
            values = values + step
            if np.abs(step).max() < 1e-9:
                break
        for one, other in (pair for pair, _ in self._waiting):
            gain = self._weight(values, one, other)
            direction = np.zeros(count)
            direction[one], direction[other] = 1.0, -1.0
            information = information + gain * np.outer(direction, direction)
        return values, np.linalg.inv(information)

    def _weight(self, values: Matrix, one: int, other: int) -> float:
        """The information of a set between two players on the difference of their ratings."""
        share = 1.0 / (1.0 + np.exp(values[other] - values[one]))
        return float(share * (1.0 - share) * self._comparisons)

    def _seconds(self, number: int) -> float:
        """That a player thinks in a game, as it did; as the cheaper one before it did, times the price."""
        if self._played[number]:
            return median(self._thought[number][0])
        one = self.candidates[number]
        return one.price * self._seconds(self._numbers[one.after]) if one.after else UNKNOWN_SECONDS

    def _move_seconds(self, number: int) -> float:
        return median(self._thought[number][1] or [0.0])

    def _open(self, values: Matrix, covariance: Matrix, left: float) -> list[int]:
        """Who is worth a game: everybody but those that follow one that is slow enough, or no better than the one
        before it."""
        found: list[int] = []
        for number, one in enumerate(self.candidates):
            if not one.after or self._sets[number] >= FEW_SETS:
                found.append(number)
                continue
            before = self._numbers[one.after]
            error = 1.96 * SCALE * np.sqrt(covariance[before, before])
            if before not in found or self._sets[before] < FEW_SETS or error > 2 * SURE:
                continue
            if one.price * self._move_seconds(before) > MOST_SECONDS or self._is_flat(before, values, covariance):
                continue
            if self.games_a_set * self._seconds(number) * LEAST_SETS_LEFT <= left:
                found.append(number)
        return found

    def _is_flat(self, number: int, values: Matrix, covariance: Matrix) -> bool:
        """Whether a candidate is surely hardly better than the one before it."""
        after = self.candidates[number].after
        if not after:
            return False
        before = self._numbers[after]
        spread = covariance[number, number] + covariance[before, before] - 2 * covariance[number, before]
        return bool(SCALE * (values[number] - values[before] + np.sqrt(max(spread, 0.0))) < GROWTH)

    def _next_pair(self, left: float) -> tuple[int, int] | None:
        """Who shall meet next."""
        values, covariance = self._belief()
        tried = self._open(values, covariance, left)
        errors = 1.96 * SCALE * np.sqrt(np.diag(covariance))
        if all(errors[number] <= SURE and self._sets[number] >= FEW_SETS for number in tried if number):
            return None
        place = np.array(tried)
        near = covariance[np.ix_(place, place)]
        spread = np.diag(near)[:, None] + np.diag(near)[None, :] - 2 * near  # of each difference
        squared = (covariance @ covariance)[np.ix_(place, place)]
        moved = np.diag(squared)[:, None] + np.diag(squared)[None, :] - 2 * squared
        shares = 1.0 / (1.0 + np.exp(values[place][None, :] - values[place][:, None]))
        weight = shares * (1.0 - shares) * self._comparisons
        seconds = np.array([self._seconds(number) for number in tried])
        gain = weight * moved / (1.0 + weight * spread) / (OVERHEAD + seconds[:, None] + seconds[None, :])
        waiting = {player for pair, _ in self._waiting for player in pair}
        new = np.array([not self._played[number] and number not in waiting for number in tried])
        if new.any():  # how long it thinks nobody knows: it plays one set, whatever that costs
            gain = np.where(new[:, None] | new[None, :], weight * moved, 0.0)
        np.fill_diagonal(gain, 0.0)
        one, other = np.unravel_index(int(gain.argmax()), gain.shape)
        first, second = sorted((int(place[one]), int(place[other])))
        return first, second

    # What is told

    def rated(self) -> list[Rated]:
        """The players that can be rated, from the weakest up: Elo above random."""
        known = [number for number in range(len(self.candidates)) if self._sets[number] >= FEW_SETS]
        if 0 not in known or len(known) < 2:
            return []
        sets = [points[np.ix_(known, known)] for points in self._points]
        ratings = rate([self.candidates[number].spec for number in known], [one for one in sets if one.any()])
        if ratings.unbounded[0]:
            return []  # nobody who is rated ever lost to random, or drew
        found = []
        for place, number in enumerate(known):
            if ratings.unbounded[place]:
                continue
            above = ratings.difference(place, 0)
            spec = self.candidates[number].spec
            figures = (round(above.value, 1), round(above.low, 1), round(above.high, 1))
            seconds = float(f"{self._move_seconds(number):.2g}")
            found.append(
                Rated(spec, *figures, self._played[number], seconds, files_key(PlayerSpec.parse(spec), self.game))
            )
        return sorted(found, key=lambda one: one.elo)
