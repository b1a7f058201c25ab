"""A crew of processes that work for this one: handed tasks, listened to, replaced by their owner when they are lost.

They end when this process ends, and Ctrl-C is its business alone. What a task is, and what becomes of one whose worker
was lost, is the owner's to say: see `play_sets` for matches, `workers` for orders such as those of self-play.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import connection, resource_tracker
from typing import Any, Generic, TypeVar

from boardwright.arena.parcels import SentGame
from boardwright.contract.errors import BoardwrightError
from boardwright.contract.game import Game
from boardwright.games.load import load
from boardwright.games.named import source_of

SPAWN = multiprocessing.get_context("spawn")  # a fork of a process with threads, as Numba and JAX have, may hang
LAST_WORDS_SECONDS = 5.0  # that a worker whose pipe has closed may take to end by itself

STARTS = 3  # workers for each place that may be killed while they start
DEATHS = 2  # processes that must die over one task before the task is to blame
MOST_IN_A_ROW = 5  # that may die with no result between them

READY, RESULT, FAILED = "ready", "result", "failed"  # what a worker says, each with its content


class Worker:
    """One process and the pipe to it. `target(pipe, *arguments)` runs there, mostly `work_for_parent`."""

    def __init__(self, target: Callable[..., None], *arguments: Any, name: str) -> None:
        self.pipe, theirs = SPAWN.Pipe()
        self.process = SPAWN.Process(target=target, args=(theirs, *arguments), daemon=True, name=name)
        try:
            with _no_interrupts():  # Ctrl-C goes to the whole group; the parent decides what it means
                self.process.start()
        except KeyboardInterrupt:  # it came meanwhile
            self.end()
            raise
        finally:
            theirs.close()
        self.ready = False  # whether it has come so far as to take tasks

    def hand(self, task: Any) -> None:
        """Give it something to do."""
        try:
            self.pipe.send(task)
        except OSError:
            pass  # it has died: the next look at it tells

    def end(self) -> None:
        """At once; what it is doing is lost."""
        self.process.kill()
        self.process.join()
        self.pipe.close()

    @property
    def exit_code(self) -> int | None:
        """How the process ended; minus the signal's number if one ended it."""
        return self.process.exitcode


W = TypeVar("W", bound=Worker)


class Crew(Generic[W]):
    """The workers of one owner, who is told of results and losses and decides what comes next."""

    def __init__(self, employ: Callable[[], W]) -> None:
        self._employ = employ
        self.workers: list[W] = []

    def employ(self) -> W:
        """One more worker."""
        worker = self._employ()
        self.workers.append(worker)
        return worker

    def listen(self, seconds: float) -> Iterator[tuple[W, str | None, Any]]:
        """What workers have to say, waiting at most so long for the first: (worker, READY or RESULT, content); None
        for a worker whose process is gone, which belongs to the crew no more. What made one fail is raised here."""
        heard = connection.wait([worker.pipe for worker in self.workers], timeout=seconds)
        for worker in [one for one in self.workers if one.pipe in heard]:
            try:
                kind, content = worker.pipe.recv()
            except (EOFError, OSError):
                worker.process.join(LAST_WORDS_SECONDS)
                self.dismiss(worker)
                yield worker, None, None
                continue
            if kind == FAILED:
                raise content
            worker.ready = True
            yield worker, kind, content

    def dismiss(self, worker: W) -> None:
        """End one worker."""
        self.workers.remove(worker)
        worker.end()

    def end(self) -> None:
        """End them all; what they are doing is lost."""
        for worker in self.workers:
            worker.end()
        self.workers.clear()


class Losses:
    """The workers that an owner has lost, and when that is more than bad luck."""

    def __init__(self, most_in_a_row: int = MOST_IN_A_ROW) -> None:
        self.running = 0  # how many by now, with no result between them
        self._most_in_a_row = most_in_a_row
        self._starting = 0
        self._over: Counter[Hashable] = Counter()

    def while_starting(self, exit_code: int | None, places: int, call: str) -> None:
        """One was lost before it took a task, which no task can be blamed for; raises if another would fare no better.
        places: workers wanted; call: what a script of one's own may have called."""
        if exit_code is None or exit_code >= 0:
            raise BoardwrightError(
                f"a worker process ended before it began (exit code {exit_code}); a script of your own that calls "
                f'{call} must do so under `if __name__ == "__main__":`'
            )
        self._starting += 1
        if self._starting > STARTS * places:
            raise BoardwrightError(
                f"worker processes are killed while they start ({ended_by(exit_code)}); is the memory used up? Fewer "
                "workers need less, and the same command goes on with what is finished"
            )

    def over(self, task: Hashable) -> bool:
        """One was lost over this task: whether the task is to blame. If not, it is tried again: the process may have
        been killed for no fault of it."""
        self._over[task] += 1
        return self._over[task] >= DEATHS

    def one_more(self) -> bool:
        """One was lost over something: whether so many in a row tell that something is wrong for good."""
        self.running += 1
        return self.running > self._most_in_a_row

    def result(self) -> None:
        """A result has come."""
        self.running = 0


def ended_by(exit_code: int | None) -> str:
    """How a process ended, in words."""
    if exit_code is not None and exit_code < 0:
        return signal.Signals(-exit_code).name
    return f"exit code {exit_code}"


def work_for_parent(pipe: Any, prepare: Callable[[], Callable[[Any], Iterable[Any]]], who: str) -> None:
    """A worker's side: get ready, then do the tasks that come down the pipe, sending each result, until it closes.
    `who` is named where that fails."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _let_through()  # to be ignored, here and in what we start
    _end_with_parent()
    try:
        do = prepare()
        gc.freeze()  # what is loaded by now stays: a whole collection takes as long as hundreds of quick games
        pipe.send((READY, None))
        while True:
            for result in do(pipe.recv()):
                pipe.send((RESULT, result))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    except BoardwrightError as error:
        pipe.send((FAILED, error))
    except Exception as error:
        pipe.send((FAILED, BoardwrightError(f"{who} failed: {type(error).__name__}: {error}")))


PortableGame = Game | tuple[str, dict[str, Any]] | SentGame


def portable(game: Game) -> PortableGame:
    """A game as it is sent to another process: one of a file goes by its path and options."""
    source = source_of(game)
    return (source, game.options) if source else game


def sent(game: PortableGame) -> PortableGame:
    """The same to be sent to another machine: one of a file goes by its content."""
    return SentGame.of(arrived(game), game[0]) if isinstance(game, tuple) else game


def arrived(game: PortableGame) -> Game:
    """The game again, at its destination."""
    if isinstance(game, SentGame):
        return game.unpacked()
    return load(game[0], **game[1]) if isinstance(game, tuple) else game


def _end_with_parent() -> None:
    """A killed parent cannot end its workers: each watches for itself."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """What is started meanwhile hears no Ctrl-C from its first moment: it inherits that the signal is held back. We
    hear it afterwards; had we ignored it, it would be lost."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is signal.SIG_IGN:  # which is inherited, too
        yield
        return
    heard: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))  # by way of another thread
    _hold_back()
    try:
        yield
    finally:
        _let_through()
        signal.signal(signal.SIGINT, before)
        if heard:
            signal.raise_signal(signal.SIGINT)


if sys.platform == "win32":

    def _hold_back() -> None:
        """There is nothing like it: a worker may hear Ctrl-C while it starts."""

    def _let_through() -> None:
        pass

else:

    def _hold_back() -> None:
        """Ctrl-C, from this thread and from what it starts."""
        resource_tracker.ensure_running()  # its start would let the signal through again
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])

    def _let_through() -> None:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
