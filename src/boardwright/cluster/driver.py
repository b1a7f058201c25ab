"""Our side of Ray, in a process of its own: Ray ends the process that has lost its cluster, hears signals, and prints.

A worker is an actor of one CPU on a node that we name, so that it is known at once who is lost with a node and where
there is room. Ray's own retries are off: the ledger knows what is to be done again, and an order may be, since it says
all that its portion depends on.
"""

from __future__ import annotations

import itertools
import json
import logging
import os
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from boardwright.arena.crew import Losses, work_for_parent
from boardwright.cluster.actor import FAILED, OrderActor
from boardwright.cluster.address import Address
from boardwright.cluster.identity import Identity
from boardwright.cluster.ledger import Ledger
from boardwright.cluster.status import NodeStatus, Status
from boardwright.contract.errors import BoardwrightError, InputError

PORTION, STATUS = "portion", "status"  # what goes to the owner
NAMESPACE, BOARD = "boardwright", "boardwright status of "  # where `cluster status` finds how a run stands
CLAIM = 512 << 20  # bytes of memory that a worker claims; a node has no more workers than it can give that
LOOK_SECONDS, TELL_SECONDS, WAIT_SECONDS = 1.0, 1.0, 0.1  # between looks at the nodes; at the status; of one wait
CONNECT_SECONDS = 10.0  # that a cluster may take to accept a connection
MOST_DEATHS = 8  # of workers in a row on living nodes, without a portion between them


@dataclass
class Member:
    """A worker: starting until it has said who it is and has taken the job."""

    handle: Any
    node: str
    asked: Any  # what it was asked last while it starts: its hello, then the job
    known: bool = False  # its hello was good
    ready: bool = False
    version: int = 0  # of what is common, that it has been told last


@dataclass
class Node:
    """A machine, and what it has done for us."""

    status: NodeStatus
    room: int  # workers that it has room for
    since: float
    members: set[str] = field(default_factory=set)


def drive(pipe: Any, address: Address, job: bytes, what: str) -> None:
    """The process that stands between an owner and Ray; ends with its owner."""

    def prepare() -> Callable[[Any], Iterator[tuple[str, Any]]]:
        connect(address)
        return RayCrew(address, job, what).work

    work_for_parent(pipe, prepare, f"the cluster {address}")


def connect(address: Address) -> None:
    """Join the cluster, or start one; refused with one sentence where there is none."""
    ray = need_ray()
    from ray.exceptions import RayError

    options: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.CRITICAL, "namespace": NAMESPACE}
    if address.where:
        _reach(address)
        options["address"] = address.where
    else:
        options |= {"address": "local", "num_cpus": address.workers, "include_dashboard": False}
    try:
        ray.init(**options)
    except (RayError, OSError, RuntimeError, ValueError) as error:
        first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise InputError(f"--cluster {address}: {first}. {_CURE}") from None


_CURE = (
    "Is one running here? `ray start --head` starts one, `ray start --address HOST:PORT` joins it; see docs/cluster.md"
)


def need_ray() -> Any:
    """Ray, imported now."""
    try:
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # silences a warning of Ray about its future
        import ray
    except ImportError:
        raise InputError("--cluster needs Ray: pip install 'boardwright[cluster]'") from None
    return ray


def _reach(address: Address) -> None:
    """Ray waits long for an address where nobody is."""
    host, _, port = address.where.rpartition(":")
    if not port.isdigit():
        return  # auto: Ray looks for itself
    try:
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS).close()
    except OSError as error:
        raise InputError(f"--cluster {address}: nobody answers there ({error.strerror or error}). {_CURE}") from None


class RayCrew:
    """The actors, and who has which order."""

    def __init__(self, address: Address, job: bytes, what: str) -> None:
        self.ray = need_ray()
        self.address, self.what = address, what
        self.job = self.ray.put(job)
        self.actor = self.ray.remote(OrderActor)
        self.identity = Identity.here()
        self.members: dict[str, Member] = {}
        self.nodes: dict[str, Node] = {}
        self.ledger = Ledger()
        self.flight: dict[Any, tuple[str, int]] = {}  # answers that are to come: whose, to which order
        self.count = itertools.count()
        self.versions = self.orders = 0
        self.losses = Losses(MOST_DEATHS)
        self.bytes = 0
        self.began = time.monotonic()
        self.told = self.looked = 0.0
        self.board = self._new_board()
        self.look()

    def _new_board(self) -> Any:
        """Where our own node lives, the board lives."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        here = NodeAffinitySchedulingStrategy(self.ray.get_runtime_context().get_node_id(), soft=True)
        options = {"num_cpus": 0, "name": f"{BOARD}{os.getpid()}", "scheduling_strategy": here}
        return self.ray.remote(StatusBoard).options(**options).remote()

    # One task: something common, and orders

    def work(self, task: tuple[bytes, list[bytes], list[int]]) -> Iterator[tuple[str, Any]]:
        """Portions as they come, and now and then the status. task: what is common, the orders, the games of each."""
        common, orders, games = task
        shared = self.ray.put(common)
        first = self.orders
        self.orders += len(orders)
        self.versions += 1
        self.ledger.add(range(first, self.orders))
        left = len(orders)
        while left:
            now = time.monotonic()
            if now - self.looked > LOOK_SECONDS:
                self.look()
            for name, member in self.members.items():
                while member.ready and (number := self.ledger.next_for(name, now)) is not None:
                    if member.version != self.versions:
                        member.version = self.versions
                        member.handle.take.remote(shared)
                    asked = member.handle.do.remote(orders[number - first])
                    self.flight[asked] = name, number
            for name, number, portion in self.hear():
                self._count(name, games[number - first])
                left -= 1
                yield PORTION, (number - first, portion)
            if now - self.told > TELL_SECONDS:
                self.told = now
                yield STATUS, self.status()
        yield STATUS, self.status()

    def _count(self, name: str, games: int) -> None:
        if name in self.members:
            status = self.nodes[self.members[name].node].status
            status.portions += 1
            status.games += games

    def hear(self) -> Iterator[tuple[str, int, bytes]]:
        """First answers: by whom, to which order, what; waits a moment for them. Who starts is taken a step further,
        who is lost leaves."""
        starting = {member.asked: name for name, member in self.members.items() if not member.ready}
        asked = [*self.flight, *starting]
        if not asked:
            time.sleep(WAIT_SECONDS)  # until a node comes
            return
        ready, _ = self.ray.wait(asked, num_returns=1, timeout=WAIT_SECONDS)
        if ready:
            ready, _ = self.ray.wait(asked, num_returns=len(asked), timeout=0)
        for one in ready:
            if one in self.flight:
                name, number = self.flight.pop(one)
                content = self._get(one, name)
                if content is not None and self.ledger.answered(name, number, time.monotonic()):
                    self.losses.result()
                    self.bytes += len(content)
                    yield name, number, content
            elif starting.get(one) in self.members:  # who was lost just now is in neither
                self._further(starting[one])

    def _get(self, one: Any, name: str) -> bytes | None:
        """What a worker answered; None if it is lost, or was lost before. What made an order fail is raised."""
        from ray.exceptions import RayError

        try:
            kind, content = self.ray.get(one)
        except RayError as error:
            self._lose(name, str(error))
            return None
        if kind == FAILED:
            raise BoardwrightError(f"{self.what} on {self._where(name)} failed: {content}")
        return content if content is not None else b""

    def _further(self, name: str) -> None:
        """A member has said who it is, or has taken the job."""
        from ray.exceptions import RayError

        member = self.members[name]
        if member.known:
            if self._get(member.asked, name) is not None:
                member.ready = True
                self.ledger.join(name)
            return
        try:
            identity = Identity(**self.ray.get(member.asked))
        except (RayError, TypeError) as error:
            self._lose(name, str(error))
            return
        node = self.nodes[member.node]
        node.status.cpu = identity.cpu
        node.status.refused = self.identity.refusal(identity)
        if node.status.refused:
            for other in list(node.members):
                self._dismiss(other)
            return
        member.known = True
        member.asked = member.handle.prepare.remote(self.job)

    # Who comes and goes

    def look(self) -> None:
        """Use what room there is, and give up those whose node is gone."""
        self.looked = time.monotonic()
        alive = {}
        for one in self.ray.nodes():
            if one["Alive"]:
                alive[one["NodeID"]] = one
        for id, node in self.nodes.items():
            node.status.alive = id in alive
            if id not in alive:
                for name in list(node.members):
                    self._dismiss(name)
        for id, one in alive.items():
            if id not in self.nodes:
                self.nodes[id] = Node(NodeStatus(one["NodeManagerAddress"]), room_of(one["Resources"]), self.looked)
            node = self.nodes[id]
            while len(node.members) < node.room and not node.status.refused:
                self._employ(id, node)

    def _employ(self, id: str, node: Node) -> None:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        name = f"{id}-{next(self.count)}"
        handle = self.actor.options(
            num_cpus=1, memory=CLAIM, max_restarts=0, scheduling_strategy=NodeAffinitySchedulingStrategy(id, soft=False)
        ).remote()
        self.members[name] = Member(handle, id, handle.hello.remote())
        node.members.add(name)

    def _dismiss(self, name: str) -> int:
        """A member works for us no more; how many of its orders are to be done again."""
        member = self.members.pop(name, None)
        if member is None:
            return 0
        self.nodes[member.node].members.discard(name)
        for one in [one for one, (who, _) in self.flight.items() if who == name]:
            del self.flight[one]
        self.ray.kill(member.handle, no_restart=True)
        return self.ledger.leave(name)

    def _lose(self, name: str, why: str) -> None:
        """A member's process is gone, or cannot be reached."""
        if name not in self.members:
            return
        self._dismiss(name)
        if self.losses.one_more():
            first = why.strip().splitlines()[0] if why.strip() else "no reason is known"
            raise BoardwrightError(
                f"workers of the cluster {self.address} died {self.losses.running} times without finishing a portion "
                f"({first}); is there enough memory on the nodes? What was finished is kept, the same command goes on"
            )

    def _where(self, name: str) -> str:
        return self.nodes[self.members[name].node].status.name if name in self.members else "a node"

    # How it goes

    def status(self) -> Status:
        """As it is now; `cluster status` reads it from the board."""
        now = time.monotonic()
        for id, node in self.nodes.items():
            members = [(name, one) for name, one in self.members.items() if one.node == id]
            node.status.workers = sum(one.ready for _, one in members)
            node.status.starting = len(members) - node.status.workers
            node.status.busy = sum(bool(self.ledger.held.get(name)) for name, _ in members)
            node.status.games_a_second = node.status.games / max(now - node.since, 1e-9)
        status = Status(
            str(self.address), [node.status for node in self.nodes.values()], len(self.ledger.waiting),
            self.ledger.in_flight, self.ledger.lost, self.ledger.doubled,
            self.bytes / 1e6 / max(now - self.began, 1e-9),
        )  # fmt: skip
        self.board.write.remote(json.dumps({**status.to_dict(), "what": self.what}))
        return status


class StatusBoard:
    """An actor that holds how a run stands, for whoever asks."""

    def __init__(self) -> None:
        self._text = ""

    def write(self, text: str) -> None:
        self._text = text

    def read(self) -> str:
        return self._text


def room_of(resources: dict[str, float]) -> int:
    """Workers that a node has room for: a CPU and the memory that one claims each."""
    return max(0, min(int(resources.get("CPU", 0)), int(resources.get("memory", 0) // CLAIM)))
