"""How a cluster's work stands, as it is shown in the terminal, on the page and in a run's record."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass
class NodeStatus:
    """One machine."""

    name: str  # its address
    workers: int = 0  # that are ready
    starting: int = 0
    busy: int = 0
    portions: int = 0  # answered so far
    games: int = 0
    games_a_second: float = 0.0  # since it joined
    cpu: str = ""
    alive: bool = True
    refused: str = ""  # why it does not work for us


@dataclass
class Status:
    """All of them. `lost`: portions that were given again since their worker was lost; `doubled`: portions that a
    second worker was asked for since the first took too long."""

    address: str
    nodes: list[NodeStatus] = field(default_factory=list)
    waiting: int = 0
    in_flight: int = 0
    lost: int = 0
    doubled: int = 0
    megabytes_a_second: float = 0.0  # of portions that came in

    @property
    def at_work(self) -> list[NodeStatus]:
        """The nodes that work for us."""
        return [node for node in self.nodes if node.alive and not node.refused]

    def note(self) -> str:
        """In few words."""
        alive = self.at_work
        workers = sum(node.workers for node in alive)
        said = [f"{_many(len(alive), 'node')}, {_many(workers, 'worker')}, {self.in_flight} in flight"]
        if starting := sum(node.starting for node in alive):
            said.append(f"{starting} starting")
        if self.lost:
            said.append(f"{self.lost} replayed")
        said += [f"{node.name} refused: {node.refused}" for node in self.nodes if node.refused]
        return ", ".join(said)

    def to_dict(self) -> dict[str, Any]:
        kinds = sorted({node.cpu for node in self.nodes if node.portions})
        return {**asdict(self), "cpu_kinds": kinds}


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def status_rows(status: dict[str, Any]) -> list[list[str]]:
    """A row a node: name, workers, busy, portions, games a second, CPU or why it is refused."""
    rows = []
    for node in status["nodes"]:
        state = node["refused"] or ("" if node["alive"] else "gone")
        rows.append(
            [
                node["name"],
                str(node["workers"]) + (f" (+{node['starting']})" if node["starting"] else ""),
                str(node["busy"]),
                str(node["portions"]),
                f"{node['games_a_second']:,.1f}",
                state or node["cpu"],
            ]
        )
    return rows


HEADINGS = ["node", "workers", "busy", "portions", "games a second", "CPU"]
