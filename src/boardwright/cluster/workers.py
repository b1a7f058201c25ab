"""Workers on a Ray cluster, behind the interface of those in local processes."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

from boardwright.arena.crew import RESULT, Crew, Worker, sent
from boardwright.arena.workers import Hire, Job, Workers
from boardwright.cluster.address import Address
from boardwright.cluster.driver import PORTION, drive, need_ray
from boardwright.cluster.status import Status
from boardwright.contract.errors import BoardwrightError

LOOK_SECONDS = 0.2  # how often the owner hears from us while it waits
STARTING = 4  # workers that a cluster is taken to have until it has told


def on_cluster(address: str) -> Hire:
    """Where the work is done: "auto" (a Ray that runs here, or RAY_ADDRESS), "local:4" (starts one with 4 workers), or
    "HOST:PORT". For `bw.match(..., hire=bw.on_cluster("auto"))`."""
    where = Address.parse(address)
    need_ray()
    return lambda job: ClusterWorkers(job, where)


class ClusterWorkers(Workers):
    """Hands orders to the process that talks with Ray (driver.py), and takes portions from it."""

    def __init__(self, job: Job, address: Address) -> None:
        self.job, self.address = job, address
        self.status: Status | None = None
        self.count = address.workers or STARTING
        told = dataclasses.replace(cast(Any, job), game=sent(job.game))
        data = pickle.dumps(told, protocol=5)
        self._crew = Crew(lambda: Worker(drive, address, data, job.what, name=f"boardwright, cluster {address}"))
        self._orders = 0

    def start(self) -> None:
        self._crew.employ()

    def hand_out(self, common: Any, orders: Sequence[Any]) -> None:
        self._orders = len(orders)
        if orders:
            games = [self.job.games(order) for order in orders]
            task = pickle.dumps(common, protocol=5), [pickle.dumps(order, protocol=5) for order in orders], games
            self._crew.workers[0].hand(task)

    def answers(self, idle: Callable[[], None]) -> Iterator[tuple[int, Any]]:
        left = self._orders
        while left:
            for _, kind, content in self._crew.listen(LOOK_SECONDS):
                if kind is None:
                    raise BoardwrightError(
                        f"the cluster {self.address} is gone: its head, or the way to it, was lost. Nothing on this "
                        "disk is; start it again (ray start --head), and the same command goes on"
                    )
                if kind != RESULT:
                    continue
                what, told = content
                if what == PORTION:
                    number, portion = told
                    left -= 1
                    yield number, pickle.loads(portion)  # noqa: S301 - from our own workers
                else:
                    self.status = told
                    self.count = sum(node.workers + node.starting for node in told.at_work) or self.count
            idle()

    def note(self) -> str:
        return self.status.note() if self.status else f"joining the cluster {self.address}"

    def report(self) -> dict[str, Any]:
        return self.status.to_dict() if self.status else {}

    def stop(self) -> None:
        self._crew.end()
