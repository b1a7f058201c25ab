"""Kernels are compiled before somebody waits for them: in processes of their own, what a person looks at first.

A game is ready in two steps: to be played, when the kernels that its page and its usual players need are in the cache;
then to be looked at, with those of whoever analyses and judges it, who may have learnt it. The background process, at
the lowest priority, goes through the games one by one, first all to be played; what somebody waits for and it is not at
gets a process of its own. What it is at goes on as others do: the lowest priority gets next to nothing on a busy
machine. How long that takes is known from the last time on this machine; before that, from the game's card, scaled by
the first compiles here.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from boardwright.compile.cache import write_whole
from boardwright.contract.folders import cache_folder
from boardwright.contract.game import Game
from boardwright.contract.position import compile_at_once, compile_later

USUAL = 10.0  # seconds a game, where nothing is known
TICK = 0.25  # seconds between two words on how far it is
ENDING = 5.0  # seconds that the end may take: a thread may still be reading games
PATIENCE = 3000  # questions to the rules that the interpreter answers meanwhile
BACKGROUND = 19  # how nice the process is to others that nobody waits for
CODE = ("compile", "contract", "search", "players", "games", "arena", "learn")  # what kernels are made of


@dataclass(frozen=True)
class Work:
    """What is compiled at a time: all that a game needs to be played, or then to be looked at."""

    game: Game
    looks: bool = False

    @property
    def key(self) -> str:
        return f"{self.game.digest}{'-looks' * self.looks}"


class Preparation:
    """Which games are ready, and what makes the others so. Without `specs` (name -> how to load the game) nothing is
    compiled ahead, and every game counts as ready: whoever needs a kernel compiles it. `players`: who plays a game;
    `lookers`: who analyses it and who judges it."""

    def __init__(
        self,
        specs: Mapping[str, str] | None = None,
        players: Callable[[Game], list[str]] | None = None,
        lookers: Callable[[Game], tuple[str, str]] | None = None,
    ) -> None:
        self._specs, self._players, self._lookers = specs or {}, players or (lambda game: []), lookers
        self._works: dict[str, Work] = {}  # by key: what is to be compiled, in this order
        self._wanted: dict[str, int] = {}  # how many wait for each
        self._at: dict[str, float] = {}  # being compiled since
        self._done: set[str] = set()  # ready, or given up
        self._slow: dict[str, subprocess.Popen[str]] = {}  # by key: the process in the background that is at it
        self._taken: dict[str, subprocess.Popen[str]] = {}  # by key: the same, ended so that another does it
        self._wake = threading.Condition()
        self._closed = False
        self._processes: set[subprocess.Popen[str]] = set()
        self._threads: list[threading.Thread] = []
        self.on_tick: Callable[[], None] = lambda: None  # somebody waits: tell how far it is

    def begin(self, games: Callable[[], list[Game]]) -> None:
        """Compile these in the background, the first first."""
        if self._specs:
            for work in (lambda: self._begin(games), lambda: self._work(True), self._tick):
                self._threads.append(threading.Thread(target=work, name="prepare", daemon=True))
                self._threads[-1].start()

    def _begin(self, games: Callable[[], list[Game]]) -> None:
        for game in games():
            self.look_at(game, last=True)
        self._work(False)

    def look_at(self, game: Game, *, last: bool = False) -> None:
        """Somebody looks at this game: it is next."""
        if not self.ready(game):
            compile_later(game, PATIENCE)
        for work in (Work(game, True), Work(game)):
            if not self.ready(game, work.looks):
                with self._wake:
                    known = self._works.pop(work.key, work)
                    self._works = {**self._works, work.key: known} if last else {work.key: known, **self._works}
                    self._wake.notify_all()

    def ready(self, game: Game, looks: bool = False) -> bool:
        """Whether its kernels are in the cache, as far as can be known without asking for them."""
        key = Work(game, looks).key
        if not self._specs or game.name not in self._specs or key in self._done or (looks and self._lookers is None):
            return True
        found = _read(_mark(key))
        if found is None or key in self._at:
            return False
        folder = cache_folder()
        if not all(isinstance(name, str) and (folder / name).is_file() for name in found.get("kernels", [None])):
            return False
        self._done.add(key)
        return True

    def left(self, game: Game, looks: bool = False) -> dict[str, float] | None:
        """How long it has been compiled, and how long it will take in all, in seconds; None if it is ready."""
        if self.ready(game, looks):
            return None
        work = Work(game, looks)
        began = self._at.get(work.key)
        return {"seconds": round(time.monotonic() - began if began else 0.0, 2), "of": round(self._expected(work), 1)}

    def awaited(self, game: Game) -> dict[str, float] | None:
        """The same, of that which somebody waits for."""
        for work in (Work(game), Work(game, True)):
            if self._wanted.get(work.key) and (left := self.left(game, work.looks)):
                return left
        return None

    @contextmanager
    def _waiting(self, work: Work) -> Any:
        with self._wake:
            self._wanted[work.key] = self._wanted.get(work.key, 0) + 1
            self._wake.notify_all()
        try:
            yield
        finally:
            with self._wake:
                self._wanted[work.key] -= 1
            self.on_tick()

    def wait(self, game: Game, stopping: Callable[[], bool], *, looks: bool = False) -> None:
        """Until the game is ready to be played, or with `looks` to be looked at too, or nobody waits any more."""
        for work in (Work(game), Work(game, True))[: 1 + looks]:
            if not self.ready(game, work.looks):
                self.look_at(game)
                with self._waiting(work), self._wake:
                    while not (work.key in self._done or self._closed or stopping()):
                        self._hurry(work)
                        self._wake.wait(0.05)

    def close(self) -> None:
        """End the processes, and wait for that."""
        with self._wake:
            self._closed = True
            self._wake.notify_all()
            for process in self._processes:
                process.kill()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(ENDING)

    def _hurry(self, work: Work) -> None:
        """Somebody waits for what the background is at: it goes on as others do; where the system does not allow that,
        it ends once it has taken longer than was told, and another goes on with the kernels that it has not made. Hold
        the lock."""
        process = self._slow.get(work.key)
        if process is None:
            return
        if _set_nice(process, 0):
            del self._slow[work.key]
        elif time.monotonic() - self._at[work.key] > self._expected(work):
            del self._slow[work.key]
            self._taken[work.key] = process
            process.kill()

    # Compiling

    def _next(self, urgent: bool) -> Work | None:
        """What to compile now. Hold the lock."""
        free = [key for key in self._works if key not in self._at and key not in self._done]
        wanted = [key for key in free if self._wanted.get(key)]
        if not urgent:
            free = [key for key in free if key not in self._taken or not self._wanted.get(key)]
            wanted = [key for key in wanted if key in free]
        # The one in the background takes what is wanted as well, if it is free.
        chosen = wanted or ([] if urgent else sorted(free, key=lambda key: self._works[key].looks))
        return self._works[chosen[0]] if chosen else None

    def _work(self, urgent: bool) -> None:
        process: subprocess.Popen[str] | None = None
        while True:
            with self._wake:
                while not self._closed and (work := self._next(urgent)) is None:
                    if process is not None:
                        self._end(process)
                        process = None
                    self._wake.wait()
                if self._closed or work is None:
                    if process is not None:
                        self._end(process)
                    return
                self._at[work.key] = time.monotonic()
                if process is not None and process.poll() is not None:  # somebody has killed it
                    self._end(process)
                    process = None
                if process is None:
                    process = self._start(urgent)
                if not urgent and _set_nice(process, BACKGROUND):
                    self._slow[work.key] = process
            self._compile(work, process)

    def _start(self, urgent: bool) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "boardwright.serve.compile_games"]
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)  # noqa: S603 - ourselves
        self._processes.add(process)
        return process

    def _end(self, process: subprocess.Popen[str]) -> None:
        self._processes.discard(process)
        process.kill()
        process.communicate()

    def _compile(self, work: Work, process: subprocess.Popen[str]) -> None:
        game = work.game
        order: dict[str, Any] = {"spec": self._specs[game.name], "options": game.options}
        if work.looks and self._lookers is not None:
            order["analyst"], order["judge"] = self._lookers(game)
        else:
            order["players"] = self._players(game)
        answer = _ask(process, order)
        with self._wake:
            if "kernels" in answer:
                if answer["made"]:
                    self._remember(work, time.monotonic() - self._at[work.key])
                write_whole(_mark(work.key), json.dumps({"kernels": answer["kernels"]}).encode())
            self._slow.pop(work.key, None)
            del self._at[work.key]
            if self._taken.get(work.key) is process and not answer:
                self._wake.notify_all()
                return
            # One that failed is left to whoever plays it, who is told what is wrong.
            self._done.add(work.key)
            if not work.looks:
                compile_at_once(game)
            self._wake.notify_all()

    # How long

    def _expected(self, work: Work) -> float:
        return _known_or_scaled(work.game, work.key, "scale")

    def _remember(self, work: Work, seconds: float) -> None:
        # Whoever looks may have learnt the game, or not: that time says nothing of others.
        _keep(work.game, work.key, seconds, "" if work.looks else "scale")

    def met_in(self, game: Game, kind: str) -> float:
        """Seconds that the first thought of a kind of player in a game will take, as it compiles its kernels then."""
        return _known_or_scaled(game, f"{game.digest}-{kind}", f"scale-{kind}", "scale")

    def remember_met(self, game: Game, kind: str, seconds: float) -> None:
        """That it took so long here."""
        _keep(game, f"{game.digest}-{kind}", seconds, f"scale-{kind}")

    def _tick(self) -> None:
        while True:
            with self._wake:
                if self._closed:
                    return
                self._wake.wait(TICK if any(self._wanted.values()) else None)
            self.on_tick()


def _set_nice(process: subprocess.Popen[str], nice: int) -> bool:
    """Give a process less of the processor, or more; whether the system allows it."""
    if not hasattr(os, "setpriority"):
        return False
    try:
        os.setpriority(os.PRIO_PROCESS, process.pid, nice)
    except OSError:
        return False
    return True


def _ask(process: subprocess.Popen[str], order: dict[str, Any]) -> dict[str, Any]:
    """One answer of the process; empty if it died."""
    asking: IO[str] | None = process.stdin
    answering: IO[str] | None = process.stdout
    assert asking is not None and answering is not None
    try:
        asking.write(json.dumps(order) + "\n")
        asking.flush()
        answer = json.loads(answering.readline() or "{}")
    except (OSError, ValueError):
        return {}
    return answer if isinstance(answer, dict) else {}


def _read(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _known_or_scaled(game: Game, key: str, *scales: str) -> float:
    """What this took here before; else what the game's card says, by the first of the scales that is known here."""
    known = {name: value for name, value in (_read(_times()) or {}).items() if isinstance(value, (int, float))}
    if known.get(key, 0) > 0:
        return float(known[key])
    scale = next((known[name] for name in scales if known.get(name, 0) > 0), 1.0)
    return float((game.card.compile_seconds or USUAL) * scale)


def _keep(game: Game, key: str, seconds: float, scale: str) -> None:
    """Note what this took, and how that compares with the game's card."""
    known = {**(_read(_times()) or {}), key: round(seconds, 2)}
    if scale:
        known[scale] = round(seconds / (game.card.compile_seconds or USUAL), 3)
    write_whole(_times(), json.dumps(known).encode())


def _times() -> Path:
    return cache_folder() / "ready" / "seconds.json"


def _mark(key: str) -> Path:
    """The file that names the kernels of a piece of work, as today's code makes them."""
    return cache_folder() / "ready" / f"{key}-{_code()}.json"


def _code() -> str:
    global _known
    if not _known:
        walk = hashlib.sha256(sys.version.encode())
        root = Path(__file__).parent.parent
        for part in CODE:
            for file in sorted((root / part).rglob("*.py")):
                stat = file.stat()
                walk.update(f"{file} {stat.st_size} {stat.st_mtime_ns}".encode())
        _known = walk.hexdigest()[:16]
    return _known


_known = ""
