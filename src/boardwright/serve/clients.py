"""Who asks, and what each client has taken: one that takes much must leave something for the others.

A client is an address. Requests of one client take turns; what stays (games and studies on the disk, compiled variants)
is counted for as long as the server runs.
"""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from boardwright.serve.limits import Limits
from boardwright.serve.requests import Refused

# Whose request is carried out now. Threads that work for a request see it too: its context goes along.
CLIENT: ContextVar[str] = ContextVar("CLIENT", default="")
MOST_CLIENTS = 10_000  # whose turns are remembered
ROOM = 16_384  # bytes of disk that a game or a study is counted as, at least


def client_of(scope: Any) -> str:
    """The client of an ASGI scope."""
    client = scope.get("client")
    return str(client[0]) if client else ""


class Turns:
    """So many requests of each client at one time; more of them wait. Only for the event loop's own thread."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._turns: OrderedDict[str, asyncio.Semaphore] = OrderedDict()

    def of(self, client: str) -> asyncio.Semaphore:
        """What a request of this client passes through: `async with turns.of(client)`."""
        turn = self._turns.setdefault(client, asyncio.Semaphore(self._most))
        self._turns.move_to_end(client)
        if len(self._turns) > MOST_CLIENTS:
            self._turns.popitem(last=False)
        return turn


class Quota:
    """What each client may leave on the disk while the server runs, and what stays free for other programs."""

    def __init__(self, limits: Limits, folder: Path) -> None:
        self._limits, self._folder = limits, folder
        self._kept: Counter[str] = Counter()
        self._lock = threading.Lock()

    @contextmanager
    def keeping(self, size: int, before: int | None = None) -> Iterator[None]:
        """Keep in here what takes so many bytes, in place of what took `before` (None: it is new). Growth is counted,
        and given back where keeping it fails. Refused before anything is kept if that is more than the client's share;
        what does not grow beyond its room never is."""
        more = max(size, ROOM) - (0 if before is None else max(before, ROOM))
        if more <= 0:
            yield
            return
        self._look_at_disk()
        client = CLIENT.get()
        with self._lock:
            if self._kept[client] + more > self._limits.kept_bytes:
                raise Refused(
                    f"not kept: you have filled your {self._limits.kept_bytes / 10**6:,g} MB of this server's disk "
                    "since it started; what was kept before stays, and a restart of the server makes room",
                    507,
                )
            self._kept[client] += more
        try:
            yield
        except BaseException:
            with self._lock:
                self._kept[client] -= more
            raise

    def _look_at_disk(self) -> None:
        try:
            free = shutil.disk_usage(self._folder).free
        except OSError:
            return  # saving says what is wrong with the folder
        if free < self._limits.spare_bytes:
            raise Refused(
                f"not kept: less than {self._limits.spare_bytes // 10**6:,} MB are free on the server's disk; "
                "make room there",
                507,
            )
