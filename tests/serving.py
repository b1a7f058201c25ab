"""A server for tests: the real application under the real uvicorn, in a thread, on a port of its own."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from websockets.sync.client import ClientConnection, connect

from boardwright.records import Library
from boardwright.serve.app import make_app
from boardwright.serve.catalogue import Catalogue
from boardwright.serve.context import Context
from boardwright.serve.launch import Server, configured, listen
from boardwright.serve.limits import Limits
from boardwright.serve.safety import Door

PATIENCE = 180.0  # seconds: kernels may have to be compiled


@dataclass
class Served:
    """A running server, and ways to talk to it."""

    port: int
    context: Context
    config: uvicorn.Config

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client(self, **headers: str) -> httpx.Client:
        return httpx.Client(base_url=self.address, headers=headers, timeout=PATIENCE, trust_env=False)

    def post(self, path: str, **body: Any) -> Any:
        with self.client() as client:
            return client.post(path, json=body)

    def get(self, path: str) -> Any:
        with self.client() as client:
            return client.get(path)

    def begin(self, game: str, *seats: str, seed: int = 1, **options: Any) -> dict[str, Any]:
        answer = self.post("/api/tables", game=game, options=options, seed=seed, **({"seats": seats} if seats else {}))
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        return told

    def play(self, table: dict[str, Any], move: str) -> dict[str, Any]:
        answer = self.post(f"/api/tables/{table['id']}/moves", move=move, ply=table["ply"])
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        return told

    def socket(self, **settings: Any) -> ClientConnection:
        line: ClientConnection = connect(
            f"ws://127.0.0.1:{self.port}/api/search", proxy=None, open_timeout=PATIENCE, **settings
        )
        return line


def heard(socket: ClientConnection) -> dict[str, Any]:
    """The next message."""
    message: dict[str, Any] = json.loads(socket.recv(timeout=PATIENCE))
    return message


def final(socket: ClientConnection, id: str) -> dict[str, Any]:
    """The final answer to a query; what comes before it is passed over."""
    while True:
        message = heard(socket)
        if message["id"] == id and message["final"]:
            return message


def send(socket: ClientConnection, id: str, action: str, **fields: Any) -> None:
    socket.send(json.dumps({"id": id, "action": action, **fields}))


@contextmanager
def served(
    folder: Path,
    limits: Limits | None = None,
    files: tuple[str, ...] = (),
    token: str = "",
    prepare: dict[str, str] | None = None,
    **players: str,
) -> Iterator[Served]:
    """Serve games kept in `folder`; with a token, as if it were reachable from elsewhere. `prepare`: games that are
    compiled in the background, and how they are loaded there."""
    limits = limits or Limits()
    listening = listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    catalogue = Catalogue(files, players, limits)
    door = Door(Door.at("127.0.0.1", port, "").hosts, token)
    if prepare is not None:
        catalogue.specs = prepare
    app = make_app(catalogue, door, limits, Library(folder / "records.sqlite3"), prepare=prepare is not None)
    config = configured(app, limits)
    ready = threading.Event()
    server = Server(config, ready.set)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        assert ready.wait(PATIENCE)
        yield Served(port, app.state.context, config)
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        listening.close()
        assert not thread.is_alive()
