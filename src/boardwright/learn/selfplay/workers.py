"""Who plays: the small interface between the loop and the processes that play games.

The loop hands out one set of weights with an order a portion, does its own work meanwhile, and collects the portions
in the order in which they were asked for. What stands behind it, local processes here, a cluster elsewhere, only has to
give the same games for the same order: an order says all that a portion depends on, so that one lost with its worker
is simply played again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from boardwright.arena.crew import RESULT, Crew, PortableGame, Worker, arrived, portable, work_for_parent
from boardwright.contract.errors import BoardwrightError
from boardwright.contract.game import Game
from boardwright.learn.selfplay.games import Played
from boardwright.learn.selfplay.settings import SelfplaySettings

Weights = Mapping[str, npt.NDArray[np.float32]]
LOOK_SECONDS = 0.2  # how often the loop hears from us while it waits
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

    game: PortableGame
    settings: SelfplaySettings
    shape: dict[str, Any]
    observer: dict[str, Any] | None
    unit: float

    @classmethod
    def of(cls, game: Game, settings: SelfplaySettings, shape: Any, observer: Any, targets: Any) -> Job:
        return cls(portable(game), settings, shape.to_dict(), observer.to_dict(), targets.unit)

    def player(self) -> Callable[[Weights, Order], Played]:
        """The function that plays an order."""
        from boardwright.learn.selfplay.forward import Forward
        from boardwright.learn.selfplay.games import SelfPlay
        from boardwright.learn.selfplay.net import Shape
        from boardwright.learn.selfplay.observation import Observer
        from boardwright.learn.selfplay.targets import Targets

        game = arrived(self.game)
        shape = Shape.from_dict(self.shape)
        plays = SelfPlay(game, self.settings, Observer.from_dict(game, self.observer), Targets(game, self.unit))
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
        self._count = count
        self._crew = Crew(lambda: SelfplayWorker(job))
        self._deaths = 0

    def start(self) -> None:
        for _ in range(self._count):
            self._crew.employ()

    @property
    def pids(self) -> list[int]:
        """The processes' ids."""
        return [worker.process.pid or 0 for worker in self._crew.workers]

    def hand_out(self, weights: Weights, orders: Sequence[Order]) -> None:
        self._weights = {name: np.asarray(array) for name, array in weights.items()}
        self._orders = list(orders)
        self._waiting = deque(range(len(orders)))
        self._played: dict[int, Played] = {}
        for worker in self._crew.workers:
            self._give(worker)

    def collect(self, idle: Callable[[], None]) -> list[Played]:
        while len(self._played) < len(self._orders):
            for worker, kind, content in self._crew.listen(LOOK_SECONDS):
                if kind is None:
                    self._lost(worker)
                elif kind == RESULT and worker.order is not None:
                    self._played[worker.order] = content
                    worker.order = None
                    self._deaths = 0
                    self._give(worker)
            idle()
        return [self._played[number] for number in range(len(self._orders))]

    def stop(self) -> None:
        self._crew.end()

    def _give(self, worker: SelfplayWorker) -> None:
        """Hand a worker the next order, if one is left."""
        if self._waiting:
            worker.order = self._waiting.popleft()
            worker.hand((self._weights, self._orders[worker.order]))

    def _lost(self, worker: SelfplayWorker) -> None:
        self._deaths += 1
        if self._deaths > MOST_DEATHS:
            raise BoardwrightError(
                f"workers died {self._deaths} times without finishing a game (exit code {worker.exit_code}); "
                "is there enough memory? Try --set parallel with a smaller number"
            )
        if worker.order is not None:
            self._waiting.appendleft(worker.order)
        self._give(self._crew.employ())


class SelfplayWorker(Worker):
    """A process that plays portions."""

    def __init__(self, job: Job) -> None:
        self.order: int | None = None  # number of the order that it works on
        super().__init__(_work, job, name="boardwright self-play")


def _work(pipe: Any, job: Job) -> None:
    def prepare() -> Callable[[tuple[Weights, Order]], Iterator[Played]]:
        play = job.player()
        return lambda task: iter([play(*task)])

    work_for_parent(pipe, prepare, "a self-play worker")
