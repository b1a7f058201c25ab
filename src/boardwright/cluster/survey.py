"""What is known of a cluster, and of those who work there for Boardwright, to whoever asks from outside."""

from __future__ import annotations

import json
from typing import Any

from boardwright.arena.crew import RESULT, Crew, Worker, work_for_parent
from boardwright.cluster.address import Address
from boardwright.cluster.driver import BOARD, NAMESPACE, connect, need_ray
from boardwright.contract.errors import BoardwrightError, InputError

PATIENCE = 10.0  # seconds that a run may take to say how it stands
LOOK_SECONDS = 0.2


def survey(where: str) -> dict[str, Any]:
    """The nodes of a cluster, and how each run stands that works there. Asked in a process of its own, as Ray likes."""
    address = Address.parse(where)
    if not address.where:
        raise InputError(f"--cluster {where}: a cluster that is started for one command has ended with it; say auto")
    need_ray()
    crew = Crew(lambda: Worker(_ask, address, name="boardwright cluster status"))
    crew.employ().hand(None)
    try:
        while True:
            for _, kind, content in crew.listen(LOOK_SECONDS):
                if kind is None:
                    raise BoardwrightError(f"the cluster {address} was lost while it was asked; is its head running?")
                if kind == RESULT:
                    found: dict[str, Any] = content
                    return found
    finally:
        crew.end()


def _ask(pipe: Any, address: Address) -> None:
    def prepare() -> Any:
        connect(address)
        return lambda task: iter([_found()])

    work_for_parent(pipe, prepare, f"the cluster {address}")


def _found() -> dict[str, Any]:
    ray = need_ray()
    from ray.exceptions import RayError

    nodes = [
        {"name": node["NodeManagerAddress"], "cpus": has.get("CPU", 0.0), "memory": has.get("memory", 0.0)}
        for node in ray.nodes()
        if node["Alive"] and (has := node["Resources"])
    ]
    runs = []
    for named in ray.util.list_named_actors(all_namespaces=True):
        if named["namespace"] == NAMESPACE and named["name"].startswith(BOARD):
            try:
                board = ray.get_actor(named["name"], namespace=NAMESPACE)
                text = ray.get(board.read.remote(), timeout=PATIENCE)
            except (RayError, ValueError):
                continue  # it ended meanwhile
            if text:
                runs.append(json.loads(text))
    return {"nodes": nodes, "runs": runs, "free": ray.available_resources().get("CPU", 0.0)}
