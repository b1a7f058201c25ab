"""A real Ray cluster of several raylets on this machine, whose nodes tests kill, freeze and add."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import psutil

from boardwright.cluster.address import Address
from boardwright.cluster.driver import CLAIM
from boardwright.cluster.workers import ClusterWorkers

NODE_MEMORY = 4 * CLAIM


class Nodes:
    """A Ray cluster of nodes with a CPU each, whose head has none."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        make: Any = Cluster  # it has no types
        head = {"num_cpus": 0, "memory": NODE_MEMORY, "include_dashboard": False}
        self.cluster = make(initialize_head=True, head_node_args=head)
        self.nodes: list[Any] = []
        self.ended = False

    def add(self) -> None:
        self.nodes.append(self.cluster.add_node(num_cpus=1, memory=NODE_MEMORY, wait=False))

    def kill(self) -> None:
        """The oldest node, as if its plug was pulled: raylet and workers, by SIGKILL."""
        node = self.nodes.pop(0)
        self._to_all(node, psutil.Process.kill)
        self.cluster.remove_node(node, allow_graceful=False)

    def kill_head(self) -> None:
        """The head with all that it runs."""
        for processes in self.cluster.head_node.all_processes.values():
            for one in processes:
                for process in [
                    *psutil.Process(one.process.pid).children(recursive=True),
                    psutil.Process(one.process.pid),
                ]:
                    with suppress(psutil.NoSuchProcess):
                        process.kill()

    def freeze(self) -> None:
        """The oldest node stands still: nobody there answers, and nobody there is gone."""
        node = self.nodes.pop(0)
        self.frozen = [node]
        self._to_all(node, psutil.Process.suspend)

    def raylets(self) -> list[int]:
        """The processes that hold the nodes' object stores, the head's first."""
        return [one.all_processes["raylet"][0].process.pid for one in (self.cluster.head_node, *self.nodes)]

    def _to_all(self, node: Any, act: Callable[[psutil.Process], None]) -> None:
        """Do it to the raylet and its workers. Those of a raylet that is gone end by themselves, maybe sooner."""
        with suppress(psutil.NoSuchProcess):
            raylet = psutil.Process(node.all_processes["raylet"][0].process.pid)
            for process in [raylet, *raylet.children(recursive=True)]:
                with suppress(psutil.NoSuchProcess):
                    act(process)

    def end(self) -> None:
        if self.ended:
            return
        self.ended = True
        for node in [*getattr(self, "frozen", []), *self.nodes]:
            self._to_all(node, psutil.Process.kill)
        self.cluster.shutdown()

    def hire(
        self, plan: dict[int, Callable[[], None]], after: Callable[[int], None] = lambda pid: None
    ) -> Callable[[Any], ClusterWorkers]:
        """Workers of this cluster; after so many portions the plan is carried out. `after` each task is told the
        process that talks with Ray."""
        address = Address.parse(self.cluster.address)

        class Disturbed(ClusterWorkers):
            answered = 0

            def answers(self, idle: Callable[[], None]) -> Iterator[tuple[int, Any]]:
                for found in super().answers(idle):
                    self.answered += 1
                    plan.get(self.answered, lambda: None)()
                    yield found
                after(self._crew.workers[0].process.pid or 0)

        return lambda job: Disturbed(job, address)
