"""How soon a game answers that is opened shortly after the first start ever: Medium's reply and a hint, and how long a
person waits for either without seeing how long it will take.

A true bar tells how much of how many seconds is over. One whose seconds are used up is none any more: it says "almost
there", and nobody knows.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from boardwright.contract.errors import InputError
from boardwright.games.load import load

PATIENCE = 300.0  # seconds that anything may take
ENDING = 10.0  # that a server may take to end


@dataclass(frozen=True)
class FirstAnswer:
    """Seconds."""

    answered: float  # until the answer was there
    silent: float  # the longest time on the way without a true bar


class Waiting:
    """Somebody waits, and is told now and then how long it will take. Times are of one clock."""

    def __init__(self, began: float) -> None:
        self._began = self._seen = began  # the bar was true last
        self._silent = 0.0

    def hear(self, now: float, preparing: dict[str, float] | None) -> None:
        """What the page was told at that time: a bar, or that there is none."""
        self._silent = max(self._silent, now - self._seen)
        if preparing and preparing["seconds"] < preparing["of"]:
            self._seen = now

    def end(self, now: float) -> FirstAnswer:
        """The answer is there."""
        self.hear(now, None)
        return FirstAnswer(now - self._began, self._silent)


def first_answers(game: str, after: float, tell: Callable[[str], None]) -> tuple[FirstAnswer, FirstAnswer]:
    """Medium's first move, and then a hint, from a server of its own whose cache was empty `after` seconds ago: only
    then the game is opened. Medium's is timed from a person's first move on, or, where it plays alone, from the
    opening."""
    import httpx
    from websockets.sync.client import connect

    tell(f"{game}: first reply on an empty cache")
    with _first_start() as address:
        time.sleep(after)
        client = httpx.Client(base_url=address, timeout=PATIENCE, trust_env=False)
        path = f"{address.replace('http', 'ws')}api/search"
        with client, connect(path, proxy=None, max_size=None, open_timeout=PATIENCE) as line:
            seats = ["human"] * (load(game).players - 1) + ["Medium"]
            began = time.monotonic()
            table = _posted(client, "/api/tables", {"game": game, "seed": 1, "seats": seats})
            line.send(json.dumps({"id": "w", "action": "watch", "table": table["id"]}))
            while 0 <= table["view"]["player"] < len(seats) - 1:
                body = {"move": table["view"]["moves"][0], "ply": table["ply"]}
                began = time.monotonic()
                table = _posted(client, f"/api/tables/{table['id']}/moves", body)
            wait, what = Waiting(began), f"{game}: Medium's first reply"
            while (news := heard(line, began + PATIENCE, what)).get("ply", -1) <= table["ply"]:
                if news.get("problem"):
                    raise InputError(f"{what}: it cannot move: {news['problem']}")
                wait.hear(time.monotonic(), news.get("preparing"))
            reply = wait.end(time.monotonic())
            tell(f"{game}: a hint then")
            return reply, _hint(line, table, f"{game}: a hint")


def _hint(line: Any, table: dict[str, Any], what: str) -> FirstAnswer:
    """Ask for one where the player has just moved."""
    began = time.monotonic()
    wait = Waiting(began)
    line.send(json.dumps({"id": "h", "action": "analyse", "table": table["id"], "ply": table["ply"], "seconds": 2}))
    thinks = False  # the page shows what it has found by now
    while True:
        news = heard(line, began + PATIENCE, what)
        if news["id"] == "h":
            if "error" in news:
                raise InputError(f"{what}: {news['error']}")
            if not thinks:
                thinks, shown = True, wait.end(time.monotonic())
            if news["final"]:
                return FirstAnswer(time.monotonic() - began, shown.silent)
        elif not thinks:
            wait.hear(time.monotonic(), news.get("preparing"))


def heard(line: Any, until: float, what: str) -> dict[str, Any]:
    """The next message of a socket; whoever waits in vain is told for what."""
    try:
        message: dict[str, Any] = json.loads(line.recv(timeout=max(0.0, until - time.monotonic())))
    except TimeoutError:
        raise InputError(f"{what}: nothing after {PATIENCE:.0f} s; is the machine busy with something else?") from None
    return message


def _posted(client: Any, path: str, body: dict[str, Any]) -> dict[str, Any]:
    import httpx

    try:
        answer = client.post(path, json=body)
    except httpx.HTTPError as error:
        raise InputError(f"the server did not answer {path}: {error!r}") from None
    told: dict[str, Any] = answer.json()
    if answer.status_code != 200:
        raise InputError(f"the server refused {path}: {told.get('error', answer.status_code)}")
    return told


@contextmanager
def _first_start() -> Iterator[str]:
    """A server as on a new machine, in a process of its own: its address."""
    # What compiles for it may write a last kernel while the folder goes.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        command = [sys.executable, "-m", "boardwright", "serve", "--no-open"]
        places = {"BOARDWRIGHT_CACHE": folder, "BOARDWRIGHT_HOME": folder}
        process = subprocess.Popen(  # noqa: S603 - ourselves
            command, stdout=subprocess.PIPE, text=True, env={**os.environ, **places}
        )
        try:
            yield _address(process)
        finally:
            process.terminate()  # it takes its own processes along, which would disturb the next measurement
            try:
                process.communicate(timeout=ENDING)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()


def _address(process: subprocess.Popen[str]) -> str:
    """What a server says first, if it says it in time."""
    assert process.stdout is not None
    said: queue.Queue[str] = queue.Queue()
    threading.Thread(target=lambda out: said.put(out.readline()), args=(process.stdout,), daemon=True).start()
    try:
        words = said.get(timeout=PATIENCE).split()
    except queue.Empty:
        raise InputError(f"the server has not started within {PATIENCE:.0f} s") from None
    found = next((word for word in words if word.startswith("http")), "")
    if not found:
        raise InputError(f"the server did not start: {' '.join(words) or 'it said nothing'}")
    return found
