"""The processes that play for a playtest: handed deals, replaced where they are lost."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from boardwright.arena.crew import RESULT, Crew, Losses, PortableGame, Worker, arrived, portable, work_for_parent
from boardwright.arena.workers import Workers
from boardwright.contract.game import Game
from boardwright.playtesting.experiments import Experiment, deal
from boardwright.playtesting.one_game import Tracer
from boardwright.playtesting.trace import FAULT, Trace

LOOK_SECONDS = 0.2
AT_ONCE = 64  # orders that are out elsewhere, before it is chosen anew what is played


@dataclass(frozen=True)
class DealOrder:
    """Some deals of one experiment, for one worker."""

    experiment: Experiment
    deals: tuple[int, ...]


class PlaytestWorker(Worker):
    """A process that plays deals."""

    def __init__(self, game: PortableGame, seed: int) -> None:
        self.order: DealOrder | None = None
        super().__init__(_work, game, seed, name="boardwright playtest")


def play_order(tracer: Tracer, order: DealOrder, seed: int) -> list[Trace]:
    """All games of an order."""
    return [tracer.play(plan) for number in order.deals for plan in deal(tracer.game, order.experiment, number, seed)]


@dataclass(frozen=True)
class PlaytestJob:
    """What workers elsewhere are told once."""

    game: PortableGame
    seed: int
    what: str = "a worker of the playtest"

    def prepare(self) -> Callable[[None, DealOrder], list[Trace]]:
        tracer = Tracer(arrived(self.game))
        return lambda common, order: play_order(tracer, order, self.seed)

    def games(self, order: DealOrder) -> int:
        return len(order.deals)


def play_elsewhere(
    workers: Workers,
    next_order: Callable[[], DealOrder | None],
    done: Callable[[DealOrder, list[Trace]], None],
    going: Callable[[bool], bool],
) -> None:
    """Orders by those who are hired, some at a time: what comes next is chosen by what is known then."""
    workers.start()
    try:
        while going(False):
            orders = [order for _ in range(AT_ONCE) if (order := next_order()) is not None]
            if not orders:
                return
            workers.hand_out(None, orders)
            for number, games in workers.answers(lambda: None):
                done(orders[number], games)
                if not going(True):
                    return  # the others are lost, and played by whoever goes on
    finally:
        workers.stop()


class PlaytestCrew:
    """Plays orders as they come: `next_order` is asked for the next one, None being none for now."""

    def __init__(self, game: Game, seed: int, workers: int) -> None:
        self.game, self.size, self.seed = game, workers, seed
        packed = portable(game)
        self.crew = Crew(lambda: PlaytestWorker(packed, seed))
        self._again: deque[DealOrder] = deque()
        self._losses = Losses()

    def run(
        self,
        next_order: Callable[[], DealOrder | None],
        done: Callable[[DealOrder, list[Trace]], None],
        going: Callable[[bool], bool],
    ) -> None:
        """Until `going` says so, whom the question is put whether anything is still being played."""
        workers = self.crew.workers
        try:
            while True:
                for worker in workers:
                    if worker.order is None:
                        self._hand(worker, next_order)
                while len(workers) < self.size:
                    if not self._hand(self.crew.employ(), next_order):
                        break
                if not going(any(worker.order is not None for worker in workers)):
                    return
                for worker, kind, content in self.crew.listen(LOOK_SECONDS):
                    order = worker.order
                    if kind is None:
                        self._lost(worker, done)
                    elif kind == RESULT and order is not None:
                        worker.order = None
                        done(order, content)
        finally:
            self.crew.end()

    def _hand(self, worker: PlaytestWorker, next_order: Callable[[], DealOrder | None]) -> bool:
        worker.order = self._again.popleft() if self._again else next_order()
        if worker.order is not None:
            worker.hand(worker.order)
        return worker.order is not None

    def _lost(self, worker: PlaytestWorker, done: Callable[[DealOrder, list[Trace]], None]) -> None:
        order = worker.order
        if not worker.ready:
            self._losses.while_starting(worker.exit_code, self.size, "bw.playtest")
        if order is None:
            return
        if not self._losses.over(order):
            self._again.append(order)
            return
        if len(order.deals) > 1:  # which of them it was is found one by one
            self._again.extend(DealOrder(order.experiment, (number,)) for number in order.deals)
            return
        text = f"{self.game.name}: the process that played it ended (exit code {worker.exit_code})"
        plans = deal(self.game, order.experiment, order.deals[0], self.seed)
        done(
            order,
            [Trace(p.id, order.experiment.key, p.deal, p.game, p.seats, p.luck, FAULT, text) for p in plans],
        )


def _work(pipe: Any, game: PortableGame, seed: int) -> None:
    def prepare() -> Callable[[DealOrder], Iterable[list[Trace]]]:
        tracer = Tracer(arrived(game))

        def play(order: DealOrder) -> Iterator[list[Trace]]:
            yield play_order(tracer, order, seed)

        return play

    work_for_parent(pipe, prepare, "a worker of the playtest")
