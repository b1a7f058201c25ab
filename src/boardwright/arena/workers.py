"""Who does the work: the small interface behind which worker processes of this machine, or a cluster, stand.

Work comes as a *job*, told once; something *common* to many portions (the weights of now); and *orders*, a portion
each. The answer to an order follows from the three alone. So it does not matter who gives it, and an order that was
lost with its worker is simply given again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import Any, Protocol

from boardwright.arena.crew import RESULT, Crew, Losses, PortableGame, Worker, work_for_parent
from boardwright.contract.errors import BoardwrightError

LOOK_SECONDS = 0.2  # how often the owner hears from us while it waits

Do = Callable[[Any, Any], Any]  # (common, order) -> the portion


class Job(Protocol):
    """What a worker needs to know once. It is sent to other processes and machines: a frozen dataclass of plain data,
    but for the game."""

    @property
    def game(self) -> PortableGame: ...

    @property
    def what(self) -> str:
        """Who works, in messages: "a self-play worker"."""

    def prepare(self) -> Do:
        """At the worker: get ready, and say how to do an order."""

    def games(self, order: Any) -> int:
        """How many games an order asks for."""


class Workers(ABC):
    """What an owner asks of those who work."""

    count = 1  # who work, or will: whoever cuts work into orders may go by it, as an answer does not depend on the cut

    @abstractmethod
    def start(self) -> None:
        """Get ready; may return before all are."""

    @abstractmethod
    def hand_out(self, common: Any, orders: Sequence[Any]) -> None:
        """Begin to work on these orders. The answers to the last ones must have been taken."""

    @abstractmethod
    def answers(self, idle: Callable[[], None]) -> Iterator[tuple[int, Any]]:
        """Each order's number and portion, as they come; calls `idle` now and then. Whoever stops asking before the
        end may only stop."""

    @abstractmethod
    def stop(self) -> None:
        """End at once; what is being done is lost."""

    def collect(self, idle: Callable[[], None]) -> list[Any]:
        """Wait for all portions, in the order in which they were asked for."""
        return [portion for _, portion in sorted(self.answers(idle), key=itemgetter(0))]

    def note(self) -> str:
        """How it goes, in few words; empty where there is nothing to say."""
        return ""

    def report(self) -> dict[str, Any]:
        """How it goes, for a run's record; empty where there is nothing to say."""
        return {}


Hire = Callable[[Job], Workers]  # where the work is done


class Here(Workers):
    """Works in this process: for tests, and where processes are not to be had."""

    def __init__(self, job: Job) -> None:
        self._job = job

    def start(self) -> None:
        self._do = self._job.prepare()

    def hand_out(self, common: Any, orders: Sequence[Any]) -> None:
        self._asked = (common, list(orders))

    def answers(self, idle: Callable[[], None]) -> Iterator[tuple[int, Any]]:
        common, orders = self._asked
        for number, order in enumerate(orders):
            yield number, self._do(common, order)
            idle()

    def stop(self) -> None:
        pass


class LocalProcesses(Workers):
    """So many processes, each with trees and network of its own. One that dies is replaced, its order given again."""

    def __init__(self, job: Job, count: int) -> None:
        self.count = count
        self._crew = Crew(lambda: _OrderWorker(job))
        self._losses = Losses()

    def start(self) -> None:
        for _ in range(self.count):
            self._crew.employ()

    @property
    def pids(self) -> list[int]:
        """The processes' ids."""
        return [worker.process.pid or 0 for worker in self._crew.workers]

    def hand_out(self, common: Any, orders: Sequence[Any]) -> None:
        self._common, self._orders = common, list(orders)
        self._waiting = deque(range(len(orders)))
        for worker in self._crew.workers:
            self._give(worker)

    def answers(self, idle: Callable[[], None]) -> Iterator[tuple[int, Any]]:
        left = len(self._orders)
        while left:
            for worker, kind, content in self._crew.listen(LOOK_SECONDS):
                if kind is None:
                    self._lost(worker)
                elif kind == RESULT and worker.order is not None:
                    number, worker.order = worker.order, None
                    self._losses.result()
                    self._give(worker)
                    left -= 1
                    yield number, content
            idle()

    def stop(self) -> None:
        self._crew.end()

    def _give(self, worker: _OrderWorker) -> None:
        """Hand a worker the next order, if one is left."""
        if self._waiting:
            worker.order = self._waiting.popleft()
            worker.hand((self._common, self._orders[worker.order]))

    def _lost(self, worker: _OrderWorker) -> None:
        if self._losses.one_more():
            raise BoardwrightError(
                f"workers died {self._losses.running} times without finishing a game (exit code {worker.exit_code}); "
                "is there enough memory? Try --set parallel with a smaller number"
            )
        if worker.order is not None:
            self._waiting.appendleft(worker.order)
        self._give(self._crew.employ())


class _OrderWorker(Worker):
    """A process that does orders of one job."""

    def __init__(self, job: Job) -> None:
        self.order: int | None = None  # number of the order that it works on
        super().__init__(_work, job, name=f"boardwright, {job.what}")


def _work(pipe: Any, job: Job) -> None:
    def prepare() -> Callable[[tuple[Any, Any]], Iterator[Any]]:
        do = job.prepare()
        return lambda task: iter([do(*task)])

    work_for_parent(pipe, prepare, job.what)
