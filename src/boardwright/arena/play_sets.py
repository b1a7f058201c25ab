"""Play the games of a match: those that the library has not, here or in processes of their own; many at once where all
players can (lockstep.py).

A set goes to one worker; each game is saved by whoever played it, in the moment it ends. Whatever is killed -
worker, parent, or both - finished games stay, and the rest is simply still to be played.
"""

from __future__ import annotations

import gc
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from boardwright.arena.crew import (
    RESULT,
    SPAWN,
    Crew,
    Losses,
    PortableGame,
    Worker,
    arrived,
    ended_by,
    portable,
    work_for_parent,
)  # fmt: skip
from boardwright.arena.journal import Journal
from boardwright.arena.lockstep import Lockstep, lockstep
from boardwright.arena.outcome import Outcome, outcome, outcomes
from boardwright.arena.pairing import Meeting, Terms
from boardwright.arena.parcels import SentSpec
from boardwright.arena.referee import Played, Referee, finish
from boardwright.arena.workers import Workers
from boardwright.contract.errors import InputError, RuleError
from boardwright.contract.game import Game
from boardwright.contract.position import blank
from boardwright.players import Player
from boardwright.records import Library
from boardwright.records.record import MOST_PLIES, now

LOOK_SECONDS = 0.2  # how often the parent looks after its workers
WARM_UP_SECONDS = 300.0  # compiling and loading may take so long, where moves have a limit

Done = Callable[[Sequence[Outcome]], None]  # hears of games that have come to their end
Going = Callable[[], bool]  # False: the match is decided, hand out no more


@dataclass(frozen=True)
class MatchJob:
    """What a worker needs to know of a match; small enough to be sent."""

    game: PortableGame
    specs: tuple[str, ...]
    terms: Terms
    library: Path
    games: int  # to be played in all


class ToPlay(NamedTuple):
    """Sets of games that are to be played, and who hears of each."""

    game: Game
    specs: tuple[str, ...]
    terms: Terms
    journal: Journal
    sets: Sequence[Sequence[Meeting]]
    done: Done


def play_here(what: ToPlay, going: Going, own: Mapping[int, Player] | None = None) -> None:
    """All games in this process, one after the other; `own` are players of the caller's, by their numbers."""
    game, specs, terms, journal, sets, done = what
    games = sum(map(len, sets))
    many = lockstep(game, specs, terms, games, own)
    if many is not None:
        for whole in together(sets, many.most):
            if not going():
                return
            for found in _at_once(many, whole, journal):
                done(found)
        return
    referee = Referee(game, specs, terms, own=own)
    for meetings in sets:
        for meeting in meetings:
            if not going():
                return
            played = referee.play(meeting)
            journal.save(played)
            done([outcome(meeting, played, terms.opening)])


def _at_once(many: Lockstep, meetings: Sequence[Meeting], journal: Journal) -> Iterator[list[Outcome]]:
    """The games, played many at once and saved, as they are done."""
    with _uncollected():
        for some, found in many.parts(meetings):
            journal.save(*found)
            told = outcomes(some, found, many.terms.opening)
            del found  # before the collector comes back
            yield told


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without Python's garbage collector: games that are played at once are many thousand tuples, of which none is
    garbage, and to look through them again and again took a twentieth of a match of quick games."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def together(sets: Sequence[Sequence[Meeting]], games: int) -> list[list[Meeting]]:
    """Whole sets in parts of about so many games."""
    parts: list[list[Meeting]] = []
    for meetings in sets:
        if not parts or len(parts[-1]) + len(meetings) > games:
            parts.append([])
        parts[-1] += meetings
    return parts


# The parent's side


class Scoresheet:
    """What a worker writes down in shared memory while it plays: enough to finish the record if its process is lost."""

    def __init__(self, seat: Any, since: Any, count: Any, steps: Any) -> None:
        self._seat, self._since, self._count, self._steps = seat, since, count, steps

    @classmethod
    def new(cls) -> Scoresheet:
        return cls(
            SPAWN.RawValue("i", -1),
            SPAWN.RawArray("d", 2),
            SPAWN.RawValue("i", 0),
            SPAWN.RawArray("i", MOST_PLIES),
        )

    def __reduce__(self) -> Any:
        return Scoresheet, (self._seat, self._since, self._count, self._steps)

    def thinking(self, seat: int, warm_up: bool) -> None:
        self._since[0], self._since[1] = time.monotonic(), float(warm_up)
        self._seat.value = seat

    def stepped(self, step: int | None) -> None:
        """A move or a draw was made; None: a game begins."""
        self._seat.value = -1
        if step is None:
            self._count.value = 0
        else:
            self._steps[self._count.value] = step
            self._count.value += 1

    @property
    def seat(self) -> int:
        """Who is thinking; -1: nobody."""
        return int(self._seat.value)

    @property
    def steps(self) -> list[int]:
        return list(self._steps[: self._count.value])

    def overdue(self, limit: float) -> bool:
        """Whether the player who thinks has gone so far beyond its limit that it may never answer."""
        allowed = WARM_UP_SECONDS if self._since[1] else 2 * limit + 2.0
        return self.seat >= 0 and time.monotonic() - self._since[0] > allowed


class MatchWorker(Worker):
    """A process that plays sets, and the scoresheet of the game that it plays."""

    def __init__(self, job: MatchJob) -> None:
        self.sheet = Scoresheet.new()
        self.meetings: deque[Meeting] = deque()  # handed out and not finished
        super().__init__(_work, job, self.sheet, name="boardwright match")


class MatchCrew:
    """The games in so many processes: hands out sets, takes in outcomes, replaces workers that were lost."""

    def __init__(self, what: ToPlay, workers: int, total: int = 0) -> None:
        """total: games of the whole match, where the sets of `what` are not all of it."""
        self.game, self.specs, self.terms, self.journal, sets, self.done = what
        games = sum(map(len, sets))
        job = MatchJob(portable(self.game), self.specs, self.terms, self.journal.library.path, total or games)
        many = lockstep(self.game, self.specs, self.terms, games)
        if many is not None:
            sets = together(sets, min(many.most, -(-games // workers)))
        self.todo: deque[Sequence[Meeting]] = deque(sets)
        self.size = max(1, min(workers, len(self.todo)))
        self.losses = Losses()
        self.crew = Crew(lambda: MatchWorker(job))

    def run(self, going: Going, idle: Callable[[], None]) -> None:
        """Play what there is to do. Workers stay for more; `end` ends them."""
        workers = self.crew.workers
        while going() and (self.todo or any(worker.meetings for worker in workers)):
            for worker in [one for one in workers if not one.meetings]:
                self._hand_out(worker)
            while len(workers) < self.size and self.todo:
                self._hand_out(self.crew.employ())
            for worker, kind, content in self.crew.listen(LOOK_SECONDS):
                if kind is None:
                    self._lost(worker)
                elif kind == RESULT:
                    for _ in content:
                        worker.meetings.popleft()
                    self.done(content)
                    if not worker.meetings:
                        self._hand_out(worker)
            if self.terms.move_seconds:
                for worker in [one for one in workers if one.sheet.overdue(self.terms.move_seconds)]:
                    self._too_late(worker)
            idle()

    def end(self) -> None:
        """End the workers; what they are playing is lost."""
        self.crew.end()

    def _hand_out(self, worker: MatchWorker) -> None:
        """The next set, if one is left."""
        if not self.todo:
            return
        meetings = list(self.todo.popleft())
        worker.meetings.extend(meetings)
        worker.hand(meetings)

    def _lost(self, worker: MatchWorker) -> None:
        """Its process is gone."""
        if not worker.ready:
            self.losses.while_starting(worker.exit_code, self.size, "bw.match with workers")
            self.todo.appendleft(list(worker.meetings))
            return
        if not worker.meetings:
            return
        meeting = worker.meetings[0]
        players_fault = self.losses.over(meeting.id)
        saved = next(self.journal.find([meeting.id]), None)
        if saved is not None:  # it died between saving and telling
            worker.meetings.popleft()
            self.done([outcome(meeting, saved, self.terms.opening)])
        elif players_fault:
            self._forfeit(worker, f"ended its process ({ended_by(worker.exit_code)})")
        if worker.meetings:
            self.todo.appendleft(list(worker.meetings))

    def _too_late(self, worker: MatchWorker) -> None:
        self.crew.dismiss(worker)
        self._forfeit(worker, f"did not answer; {self.terms.move_seconds:g} s are allowed")
        if worker.meetings:
            self.todo.appendleft(list(worker.meetings))

    def _forfeit(self, worker: MatchWorker, reason: str) -> None:
        """Finish the record of the game that a lost worker was playing, from its scoresheet."""
        meeting = worker.meetings.popleft()
        position = blank(self.game)
        for step in worker.sheet.steps:
            position = position.advance(step)
        if worker.sheet.seat < 0 or position.player != worker.sheet.seat:
            raise RuleError(f"{self.game.name}: a process ended while the rules were at work; see boardwright check")
        moves = sum(one.player >= 0 for one in position.line()) - 1
        spec = self.specs[meeting.seats[position.player]]
        whole = f"player {position.player + 1} ({spec}) {reason}"
        played = finish(self.game, self.specs, meeting, position, whole, [], [None] * moves, now())
        self.journal.save(played)
        self.done([outcome(meeting, played, self.terms.opening)])


# The worker's side, here and on other machines


@dataclass(frozen=True)
class MatchPortions:
    """The job of those who play sets for a match elsewhere: the game, the players' specs with their files, the terms.
    An order is the meetings of a set, its portion the games as they were played. They are played by a crew of one, as
    they are here, so that a player that hangs or ends its process costs that player the game, and nothing else."""

    game: PortableGame
    players: tuple[SentSpec, ...]
    terms: Terms
    total: int  # games of the whole match
    what: str = "a worker of the match"

    def prepare(self) -> Callable[[None, Sequence[Meeting]], list[Played]]:
        specs = tuple(player.spec for player in self.players)
        here = tuple(player.unpacked() for player in self.players)
        folder = tempfile.TemporaryDirectory(prefix="boardwright-match-")
        journal = Journal(Library(Path(folder.name) / "games.sqlite"))
        nothing = ToPlay(arrived(self.game), here, self.terms, journal, (), lambda one: None)
        crew = MatchCrew(nothing, 1, self.total)

        def play(common: None, meetings: Sequence[Meeting]) -> list[Played]:
            assert folder  # lives as long as the games are played
            crew.todo.append(meetings)
            crew.run(lambda: True, lambda: None)
            played = {one.record.id: one for one in journal.find([meeting.id for meeting in meetings])}
            return [renamed(played[meeting.id], dict(zip(here, specs, strict=True))) for meeting in meetings]

        return play

    def games(self, order: Sequence[Meeting]) -> int:
        return len(order)


def renamed(played: Played, names: Mapping[str, str]) -> Played:
    """The same game with other names for its players, in what is told of a forfeit too."""
    record, note = played.record, played.record.note
    for old, new in names.items():
        note = note.replace(f"({old})", f"({new})")
    players = tuple(names.get(one, one) for one in record.players)
    return replace(played, record=replace(record, players=players, note=note))


def play_elsewhere(
    workers: Workers, journal: Journal, sets: Sequence[Sequence[Meeting]], terms: Terms, done: Done, going: Going,
    idle: Callable[[], None],
) -> None:  # fmt: skip
    """The sets by those who take `MatchPortions`. Games are saved here, in the moment they arrive."""
    try:
        workers.start()
        workers.hand_out(None, sets)
        for number, found in workers.answers(idle):
            journal.save(*found)
            done(outcomes(sets[number], found, terms.opening))
            if not going():
                return
    finally:
        workers.stop()


def _work(pipe: Any, job: MatchJob, sheet: Scoresheet) -> None:
    def prepare() -> Callable[[Sequence[Meeting]], Iterator[list[Outcome]]]:
        journal = Journal(Library(job.library))
        game = arrived(job.game)
        referee = Referee(game, job.specs, job.terms, sheet.thinking, sheet.stepped)

        many = lockstep(game, job.specs, job.terms, job.games)

        def play(meetings: Sequence[Meeting]) -> Iterator[list[Outcome]]:
            if many is not None:
                yield from _at_once(many, meetings, journal)
                return
            for meeting in meetings:
                played = referee.play(meeting)
                journal.save(played)
                yield [outcome(meeting, played, job.terms.opening)]

        return play

    work_for_parent(pipe, prepare, "a worker of the match")


def check_workers(workers: int) -> None:
    if not 0 <= workers <= 1024:
        raise InputError(f"workers={workers} must be 1 to 1024 processes, or 0 to play in this one")
