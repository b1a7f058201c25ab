"""Who plays: the small interface between the loop and the processes that play games.

The loop hands out one set of weights with an order a portion, does its own work meanwhile, and collects the portions
in the order in which they were asked for. What stands behind it, local processes here, a cluster elsewhere, only has to
give the same games for the same order: an order says all that a portion depends on, so that one lost with its worker
is simply played again.
"""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import signal
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from boardwright.arena.processes import end_with_parent, no_interrupts
from boardwright.contract.errors import BoardwrightError
from boardwright.contract.game import Game
from boardwright.games.load import load
from boardwright.learn.selfplay.games import Played
from boardwright.learn.selfplay.settings import SelfplaySettings

Weights = Mapping[str, npt.NDArray[np.float32]]
MOST_DEATHS = 5  # of workers in a row without a portion between them: then something is wrong for good


@dataclass(frozen=True)
class Order:
    """A portion of games to play."""

    games: int
    seed: int


class Workers(Protocol):
    """What the loop asks of those who play."""

    def start(self) -> None:
        """Get ready; may return before all are."""

    def hand_out(self, weights: Weights, orders: Sequence[Order]) -> None:
        """Begin to play these portions with these weights. The last ones must have been collected."""

    def collect(self, idle: Callable[[], None]) -> list[Played]:
        """Wait for all portions, in the order in which they were asked for; calls `idle` now and then."""

    def stop(self) -> None:
        """End at once; what is being played is lost."""


@dataclass(frozen=True)
class Job:
    """What a worker needs to know once. All of it is plain data, but for the game."""

    game: Game | tuple[str, dict[str, Any]]  # a game of a file goes by its path and options
    settings: SelfplaySettings
    shape: dict[str, Any]
    eyes: dict[str, Any] | None
    unit: float

    @classmethod
    def of(cls, game: Game, settings: SelfplaySettings, shape: Any, eyes: Any, targets: Any) -> Job:
        source = getattr(type(game), "_source", None)
        return cls((source, game.options) if source else game, settings, shape.to_dict(), eyes.to_dict(), targets.unit)

    def player(self) -> Callable[[Weights, Order], Played]:
        """The function that plays an order."""
        from boardwright.learn.selfplay.forward import Forward
        from boardwright.learn.selfplay.games import SelfPlay
        from boardwright.learn.selfplay.net import Shape
        from boardwright.learn.selfplay.observation import Eyes
        from boardwright.learn.selfplay.targets import Targets

        game = load(self.game[0], **self.game[1]) if isinstance(self.game, tuple) else self.game
        shape = Shape.from_dict(self.shape)
        plays = SelfPlay(game, self.settings, Eyes.from_dict(game, self.eyes), Targets(game, self.unit))
        return lambda weights, order: plays.play(Forward(shape, weights), order.games, order.seed)


class Here:
    """Plays in this process: for tests, and where processes are not to be had."""

    def __init__(self, job: Job) -> None:
        self._job = job

    def start(self) -> None:
        self._play = self._job.player()

    def hand_out(self, weights: Weights, orders: Sequence[Order]) -> None:
        self._asked = (weights, list(orders))

    def collect(self, idle: Callable[[], None]) -> list[Played]:
        weights, orders = self._asked
        played = []
        for order in orders:
            played.append(self._play(weights, order))
            idle()
        return played

    def stop(self) -> None:
        pass


class LocalProcesses:
    """One process a core, each with trees and network of its own. One that dies is replaced, its order given again."""

    def __init__(self, job: Job, count: int) -> None:
        self._job, self._count = job, count
        self._crew: list[_Worker] = []
        self._deaths = 0

    def start(self) -> None:
        self._crew = [_Worker(self._job) for _ in range(self._count)]

    @property
    def pids(self) -> list[int]:
        """The processes' ids."""
        return [worker.process.pid or 0 for worker in self._crew]

    def hand_out(self, weights: Weights, orders: Sequence[Order]) -> None:
        self._weights = {name: np.asarray(array) for name, array in weights.items()}
        self._orders = list(orders)
        self._waiting = deque(range(len(orders)))
        self._played: dict[int, Played] = {}
        for place in range(len(self._crew)):
            self._give(place)

    def collect(self, idle: Callable[[], None]) -> list[Played]:
        while len(self._played) < len(self._orders):
            ready = multiprocessing.connection.wait([worker.pipe for worker in self._crew], timeout=0.2)
            idle()
            for place in [place for place, worker in enumerate(self._crew) if worker.pipe in ready]:
                self._listen(place)
        return [self._played[number] for number in range(len(self._orders))]

    def stop(self) -> None:
        for worker in self._crew:
            worker.end()
        self._crew = []

    def _give(self, place: int) -> None:
        """Hand a worker the next order, if one is left."""
        worker = self._crew[place]
        if not self._waiting:
            return
        number = self._waiting.popleft()
        worker.order = number
        try:
            worker.pipe.send((self._weights, self._orders[number]))
        except (BrokenPipeError, ConnectionResetError, OSError):
            self._lost(place)

    def _listen(self, place: int) -> None:
        worker = self._crew[place]
        try:
            kind, content = worker.pipe.recv()
        except (EOFError, ConnectionResetError, OSError):
            self._lost(place)
            return
        if kind == "failed":
            raise content
        if worker.order is not None:
            self._played[worker.order] = content
            worker.order = None
            self._deaths = 0
        self._give(place)

    def _lost(self, place: int) -> None:
        worker = self._crew[place]
        worker.end()
        self._deaths += 1
        if self._deaths > MOST_DEATHS:
            raise BoardwrightError(
                f"workers died {self._deaths} times without finishing a game (exit code {worker.process.exitcode}); "
                "is there enough memory? Try --set parallel with a smaller number"
            )
        self._crew[place] = _Worker(self._job)
        if worker.order is not None:
            self._waiting.appendleft(worker.order)
        self._give(place)


class _Worker:
    """One process and the pipe to it."""

    def __init__(self, job: Job) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.order: int | None = None  # number of the order that it works on
        self.process = context.Process(target=_work, args=(job, theirs), daemon=True, name="boardwright self-play")
        with no_interrupts():
            self.process.start()
        theirs.close()

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _work(job: Job, pipe: Any) -> None:
    """Play what comes down the pipe until it closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    try:
        play = job.player()
        while True:
            weights, order = pipe.recv()
            pipe.send(("played", play(weights, order)))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    except BoardwrightError as error:
        pipe.send(("failed", error))
    except Exception as error:
        pipe.send(("failed", BoardwrightError(f"a self-play worker failed: {type(error).__name__}: {error}")))
