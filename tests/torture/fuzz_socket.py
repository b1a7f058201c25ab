"""The page's socket: every action with its fields changed. Each message is answered, and the socket stays open."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from boardwright.serve.limits import Limits
from tests.serving import Served, served
from tests.torture import mutate
from tests.torture.door import told
from tests.torture.trial import Finding

LIMITS = Limits(variants=8, seconds=0.5, simulations=500, theatre_simulations=50)
PATIENCE = 60.0  # seconds
MEANT = {1000, 1001, 1007, 1009, 1013}  # ways to close that are no fault: too long, no UTF-8, too busy


def attempt(seed: int, seconds: float, tell: Callable[[int], None]) -> None:
    luck = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), LIMITS) as server:
        seeds = questions(server)
        for _ in range(4):
            with server.socket() as line:
                for _ in range(25):
                    message = mutate.json_text(luck, seeds)
                    tell(1)
                    try:
                        line.send(message.encode("utf-8", "replace").decode())
                        settle(line, message)
                    except ConnectionClosed as closed:
                        code = closed.rcvd.code if closed.rcvd else 1006
                        # Of one that is too long the answer may be lost, as the server has hung up while it was sent.
                        if code not in MEANT and not (code == 1006 and len(message) > LIMITS.message_bytes):
                            raise Finding(f"the socket closes with {code}", message[:300]) from None
                        break
        if server.get("/api/games").status_code != 200:
            raise Finding("the server no longer answers")


def questions(server: Served) -> list[dict[str, Any]]:
    table = server.play(server.begin("tictactoe", "human", "random"), "b2")
    id = table["id"]
    position = server.post("/api/look", table=id, ply=1).json()["position"]
    where = {"table": id, "ply": 1}
    return [
        {"id": "q", "action": "analyse", **where, "seconds": 0.05, "simulations": 20, "most": 3, "steps": ["a1"]},
        {"id": "q", "action": "analyse", "position": position, "seconds": 0.05, "steps": []},
        {"id": "q", "action": "move", **where},
        {"id": "q", "action": "report", "table": id, "simulations": 20, "seconds": 0.05},
        {"id": "q", "action": "tree", "of": "q", "path": [0, 1]},
        {"id": "q", "action": "theatre", "game": "tictactoe", "moves": ["b2"], "seed": 1, "settings": {"c": 1.4},
         "simulations": 5, "at": 2, "top": 3, "depth": 2, "known": [0, 1]},
        {"id": "q", "action": "watch", "table": id, "seat": 0}, {"id": "q", "action": "watch"},
        {"id": "q", "action": "files"}, {"id": "q", "action": "follow"}, {"id": "q", "action": "ping"},
        {"id": "q", "action": "pace", "table": id, "held": True, "speed": 2.0},
        {"id": "q", "action": "terminate", "of": "q"},
    ]  # fmt: skip


def settle(line: ClientConnection, message: str) -> None:
    """Until all that was asked is answered: what still runs or watches is ended, and a ping comes back last."""
    line.send(json.dumps({"id": "end", "action": "terminate", "of": _id(message)}))
    line.send(json.dumps({"id": "last", "action": "ping"}))
    while True:
        try:
            answer = json.loads(line.recv(timeout=PATIENCE))
        except TimeoutError:
            raise Finding("no answer within a minute", message[:300]) from None
        if answer.get("error"):
            told(answer["error"], message)
            if answer.get("status", 400) >= 500 and answer["status"] not in (503, 507):
                raise Finding(f"status {answer['status']}", f"{answer['error'][:200]} for {message[:300]}")
        if answer.get("id") == "last":
            return


def _id(message: str) -> str:
    try:
        id = json.loads(message)["id"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return "q"
    return id if isinstance(id, str) else "q"
