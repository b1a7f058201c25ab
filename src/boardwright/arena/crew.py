"""Play the games of a match: those that the library has not, here or in processes of their own.

A set goes to one worker; each game is saved by whoever played it, in the moment it ends. Whatever is killed -
worker, parent, or both - finished games stay, and the rest is simply still to be played.
"""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import connection
from pathlib import Path
from typing import Any

from boardwright.arena.journal import Journal
from boardwright.arena.outcome import Outcome, outcome
from boardwright.arena.pairing import Meeting, Terms
from boardwright.arena.processes import end_with_parent, no_interrupts
from boardwright.arena.referee import Played, Referee, finish
from boardwright.contract.errors import BoardwrightError, InputError, RuleError
from boardwright.contract.game import Game
from boardwright.contract.position import blank
from boardwright.games.load import load
from boardwright.players import Player
from boardwright.records import Library
from boardwright.records.record import MOST_PLIES, now

LOOK_SECONDS = 0.2  # how often workers look after their parent, and the parent after its workers
WARM_UP_SECONDS = 300.0  # compiling and loading may take so long, where moves have a limit
DEATHS = 2  # so many processes must die over one game before it is the player's fault

Done = Callable[[Outcome], None]
Going = Callable[[], bool]  # False: the match is decided, hand out no more


@dataclass(frozen=True)
class Job:
    """What a worker needs to know of a match; small enough to be sent."""

    game: Game | tuple[str, dict[str, Any]]  # a game of a file goes by its path and options
    specs: tuple[str, ...]
    terms: Terms
    library: Path

    @classmethod
    def of(cls, game: Game, specs: tuple[str, ...], terms: Terms, library: Library) -> Job:
        source = getattr(type(game), "_source", None)
        return cls((source, game.options) if source else game, specs, terms, library.path)

    def load(self) -> Game:
        return load(self.game[0], **self.game[1]) if isinstance(self.game, tuple) else self.game


def play_here(
    game: Game,
    specs: tuple[str, ...],
    terms: Terms,
    journal: Journal,
    sets: Sequence[Sequence[Meeting]],
    done: Done,
    going: Going,
    own: Mapping[int, Player] | None = None,
) -> None:
    """All games in this process, one after the other; `own` are players of the caller's, by their numbers."""
    referee = Referee(game, specs, terms, own=own)
    for meetings in sets:
        for meeting in meetings:
            if not going():
                return
            played = referee.play(meeting)
            journal.save(played)
            done(outcome(meeting, played, terms.opening))


# The parent's side


class Worker:
    """A process that plays sets, and what it shows of its work in shared memory."""

    def __init__(self, job: Job) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.desk = Desk.new(context)
        self.process = context.Process(target=_work, args=(job, theirs, self.desk), daemon=True)
        with no_interrupts():  # Ctrl-C goes to the whole group; the parent decides what it means
            self.process.start()
        theirs.close()
        self.meetings: deque[Meeting] = deque()  # handed out and not finished
        self.ready = False

    def hand(self, meetings: Sequence[Meeting]) -> None:
        self.meetings.extend(meetings)
        try:
            self.pipe.send(list(meetings))
        except OSError:
            pass  # it has died: the next look at it tells

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


class Desk:
    """What a worker writes down while it plays: enough to finish the record if its process is lost."""

    def __init__(self, seat: Any, since: Any, count: Any, steps: Any) -> None:
        self._seat, self._since, self._count, self._steps = seat, since, count, steps

    @classmethod
    def new(cls, context: Any) -> Desk:
        return cls(
            context.RawValue("i", -1),
            context.RawArray("d", 2),
            context.RawValue("i", 0),
            context.RawArray("i", MOST_PLIES),
        )

    def __reduce__(self) -> Any:
        return Desk, (self._seat, self._since, self._count, self._steps)

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


class Crew:
    """The games in so many processes: hands out sets, takes in outcomes, replaces workers that were lost."""

    def __init__(
        self,
        game: Game,
        specs: tuple[str, ...],
        terms: Terms,
        journal: Journal,
        sets: Sequence[Sequence[Meeting]],
        done: Done,
        workers: int,
    ) -> None:
        self.game, self.specs, self.terms, self.journal, self.done = game, specs, terms, journal, done
        self.job = Job.of(game, specs, terms, journal.library)
        self.todo: deque[Sequence[Meeting]] = deque(sets)
        self.size = max(1, min(workers, len(self.todo)))
        self.deaths: Counter[str] = Counter()
        self.workers: list[Worker] = []

    def run(self, going: Going, idle: Callable[[], None]) -> None:
        try:
            while going() and (self.todo or any(worker.meetings for worker in self.workers)):
                while len(self.workers) < self.size and self.todo:
                    self._employ()
                ready = connection.wait([worker.pipe for worker in self.workers], timeout=LOOK_SECONDS)
                for worker in [one for one in self.workers if one.pipe in ready]:
                    self._listen(worker)
                if self.terms.move_seconds:
                    for worker in [one for one in self.workers if one.desk.overdue(self.terms.move_seconds)]:
                        self._too_late(worker)
                idle()
        finally:
            for worker in self.workers:
                worker.end()
            self.workers.clear()

    def _employ(self) -> None:
        worker = Worker(self.job)
        worker.hand(self.todo.popleft())
        self.workers.append(worker)

    def _listen(self, worker: Worker) -> None:
        try:
            kind, content = worker.pipe.recv()
        except (EOFError, OSError):
            self._lost(worker)
            return
        worker.ready = True
        if kind == "played":
            worker.meetings.popleft()
            self.done(content)
            if not worker.meetings and self.todo:
                worker.hand(self.todo.popleft())
        elif kind == "failed":
            raise content

    def _lost(self, worker: Worker) -> None:
        """Its process is gone. The game is tried again once: it may have been killed for no fault of a player's."""
        self.workers.remove(worker)
        worker.process.join()
        code = worker.process.exitcode
        worker.end()
        if not worker.ready:
            raise BoardwrightError(
                f"a worker process ended before it began (exit code {code}); a script of your own that calls "
                'bw.match with workers must do so under `if __name__ == "__main__":`'
            )
        if not worker.meetings:
            return
        meeting = worker.meetings[0]
        self.deaths[meeting.id] += 1
        saved = next(self.journal.find([meeting.id]), None)
        if saved is not None:  # it died between saving and telling
            worker.meetings.popleft()
            self.done(outcome(meeting, saved, self.terms.opening))
        elif self.deaths[meeting.id] >= DEATHS:
            name = signal.Signals(-code).name if code is not None and code < 0 else f"exit code {code}"
            self._forfeit(worker, f"ended its process ({name})")
        if worker.meetings:
            self.todo.appendleft(list(worker.meetings))

    def _too_late(self, worker: Worker) -> None:
        self.workers.remove(worker)
        worker.end()
        self._forfeit(worker, f"did not answer; {self.terms.move_seconds:g} s are allowed")
        if worker.meetings:
            self.todo.appendleft(list(worker.meetings))

    def _forfeit(self, worker: Worker, reason: str) -> None:
        """Finish the record of the game that a lost worker had on its desk."""
        meeting = worker.meetings.popleft()
        position = blank(self.game)
        for step in worker.desk.steps:
            position = position.advance(step)
        if worker.desk.seat < 0 or position.player != worker.desk.seat:
            raise RuleError(f"{self.game.name}: a process ended while the rules were at work; see boardwright check")
        moves = sum(one.player >= 0 for one in position.line()) - 1
        spec = self.specs[meeting.seats[position.player]]
        whole = f"player {position.player + 1} ({spec}) {reason}"
        played = finish(self.game, self.specs, meeting, position, whole, [], [None] * moves, now())
        self.journal.save(played)
        self.done(outcome(meeting, played, self.terms.opening))


# The worker's side


def _work(job: Job, pipe: Any, desk: Desk) -> None:
    """Play what comes down the pipe until it closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    try:
        game = job.load()
        journal = Journal(Library(job.library))
        referee = Referee(game, job.specs, job.terms, desk.thinking, desk.stepped)
        pipe.send(("ready", None))
        while True:
            for meeting in pipe.recv():
                played: Played = referee.play(meeting)
                journal.save(played)
                pipe.send(("played", outcome(meeting, played, job.terms.opening)))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    except BoardwrightError as error:
        pipe.send(("failed", error))
    except Exception as error:
        pipe.send(("failed", BoardwrightError(f"a worker of the match failed: {type(error).__name__}: {error}")))


def check_workers(workers: int) -> None:
    if not 0 <= workers <= 1024:
        raise InputError(f"workers={workers} must be 1 to 1024 processes, or 0 to play in this one")
