"""The page's server over HTTP: every route with fields, paths and bytes changed. No answer is 500, and it stays up."""

from __future__ import annotations

import json
import random
import socket
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from boardwright.serve.limits import Limits
from tests.serving import Served, served
from tests.torture import mutate
from tests.torture.door import told
from tests.torture.trial import Finding

LIMITS = Limits(variants=16, kept_bytes=50_000_000, seconds=1.0, head_seconds=5.0, body_seconds=5.0)
ANSWERS = {200, 303, 307, 400, 401, 403, 404, 405, 408, 409, 411, 413, 415, 422, 426, 429, 431, 501, 503, 505, 507}
PERSON = "0123456789abcdef" * 2


def attempt(seed: int, seconds: float, tell: Callable[[int], None]) -> None:
    luck = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), LIMITS) as server, server.client() as client:
        asked = questions(server)
        for _ in range(150):
            method, path, body = luck.choice(asked)
            if luck.random() < 0.15:
                raw(luck, server, method, path, body)
            else:
                question(luck, client, method, path, body)
            tell(1)
        answer = client.get("/api/games")
        if answer.status_code != 200:
            raise Finding("the server no longer answers", str(answer.status_code))


def questions(server: Served) -> list[tuple[str, str, dict[str, Any]]]:
    """Each route with what it wants."""
    table = server.play(server.begin("tictactoe", "human", "random"), "b2")
    id = table["id"]
    position = server.post("/api/look", table=id, ply=1).json()["position"]
    record = server.get(f"/api/tables/{id}/record.json").text
    azul = server.begin("azul")["id"]
    nodes = [{"parent": -1, "text": "", "by": -1, "comment": ""}, {"parent": 0, "text": "a1", "by": 1, "comment": "x"}]
    one = f"/api/tables/{id}"
    posts: list[tuple[str, dict[str, Any]]] = [
        ("/api/games/tictactoe", {"options": {"size": 4}}),
        ("/api/tables", {"game": "tictactoe", "options": {"size": 3}, "seats": ["human", "random"], "seed": 5}),
        ("/api/tables", {"game": "2048", "seats": ["human"], "seed": 5}),
        ("/api/tables", {"from": id, "ply": 1, "seats": ["human", "mcts:simulations=5"]}),
        (f"{one}/moves", {"move": "a1", "ply": 1}),
        (f"{one}/takeback", {"ply": 1}),
        (f"{one}/resign", {"ply": 1, "narrow": True}),
        (f"/api/tables/{azul}/moves", {"move": "1B1", "ply": 20}),
        (f"{one}/people", {"person": PERSON, "name": "Ada", "seats": [0]}),
        ("/api/people", {"person": PERSON, "name": "Ada"}),
        ("/api/look", {"table": id, "ply": 0, "steps": ["a1", "b1"], "deal": True}),
        ("/api/look", {"position": position, "steps": ["a1"]}),
        ("/api/import", {"text": record}),
        ("/api/import", {"text": json.dumps(position)}),
        ("/api/import", {"text": "(;GM[4]SZ[15];B[hh];W[ii])"}),
        ("/api/studies", {"table": id, "ply": 0, "nodes": nodes, "title": "one", "person": PERSON}),
        ("/api/studies/0123", {"nodes": nodes, "title": "two", "version": 1}),
        ("/api/exercises", {"person": PERSON, "id": id, "ply": 1, "right": True}),
        ("/api/playtests", {"game": "nothing", "minutes": 0.1}),
    ]
    gets = [
        "/", "/web/main.js", "/api/games", "/api/games/azul/rules", f"{one}?since=1&era=x", f"{one}/plies/1?narrow=1",
        f"{one}/record.json", f"{one}/record.sgf", f"{one}/replay.html", f"{one}/report", "/api/invite", "/api/runs/x",
        "/api/tables?status=finished&game=azul&limit=5&since=2026-01-02&who=a&result=won&whose=mine&person=" + PERSON,
        "/api/best?game=2048&person=" + PERSON, "/api/studies?person=" + PERSON, "/api/exercises?person=" + PERSON,
        "/api/matches", "/api/matches/x", "/api/playtests/tictactoe",
    ]  # fmt: skip
    return [*(("POST", path, body) for path, body in posts), *(("GET", path, {}) for path in gets), ("DELETE", one, {})]


def question(luck: random.Random, client: httpx.Client, method: str, path: str, body: dict[str, Any]) -> None:
    """One request that HTTP allows, with something wrong in its path or its fields."""
    if not body or luck.random() < 0.2:
        path = "".join(mutate.text(luck, [path]).split())[:3000].encode("ascii", "replace").decode()
        path = "".join(letter for letter in path if letter.isprintable()) or "/"
        path = path if path.startswith("/") else f"/{path}"
    if "playtests" in path:
        body = {"game": "nothing", "minutes": 0.1}  # a true one would play for minutes
    content = mutate.json_text(luck, [body]).encode("utf-8", "surrogatepass") if body else b""
    shown = (method, path, content[:300])
    try:
        answer = client.request(method, path, content=content, headers={"Content-Type": "application/json"}, timeout=60)
    except httpx.InvalidURL:
        return
    except httpx.TimeoutException:
        raise Finding("no answer within a minute", f"{shown}") from None
    judge(answer.status_code, shown)
    if answer.status_code >= 400 and "json" in answer.headers.get("content-type", ""):
        told(answer.json()["error"], shown)


def raw(luck: random.Random, server: Served, method: str, path: str, body: dict[str, Any]) -> None:
    """Bytes that may be no HTTP at all."""
    content = json.dumps(body)
    whole = (
        f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(content)}\r\nConnection: close\r\n\r\n{content}"
    )
    sent = mutate.data(luck, [whole.encode()])
    try:
        with socket.create_connection(("127.0.0.1", server.port), timeout=60) as line:
            line.sendall(sent)
            line.shutdown(socket.SHUT_WR)
            said = b""
            while more := line.recv(65536):
                said += more
    except TimeoutError:
        raise Finding("no answer within a minute", f"{sent[:300]!r}") from None
    except ConnectionError:
        return  # what is no HTTP may be hung up on
    if said.startswith(b"HTTP/"):
        judge(int(said.split()[1]), sent[:300])


def judge(status: int, shown: object) -> None:
    if status not in ANSWERS:
        raise Finding(f"status {status}", f"{shown!r}")
