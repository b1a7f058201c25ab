"""Kernels are compiled before somebody waits for them: in processes of their own, what a person looks at first.

A game is ready when the kernels that its page needs are in the cache. The background process, at the lowest priority,
goes through the games one by one; a game that somebody waits for and that it is not at gets a process of its own. How
long a game takes is known from the last time on this machine; before that, from its card, scaled by the first compiles
here.
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
CODE = ("compile", "contract", "search", "players", "games")  # what kernels are made of


class Preparation:
    """Which games are ready, and what makes the others so. Without `specs` (name -> how to load the game) nothing is
    compiled ahead, and every game counts as ready: whoever needs a kernel compiles it."""

    def __init__(
        self, specs: Mapping[str, str] | None = None, players: Callable[[Game], list[str]] | None = None
    ) -> None:
        self._specs, self._players = specs or {}, players or (lambda game: [])
        self._games: dict[str, Game] = {}  # by digest: those that are to be compiled, in this order
        self._wanted: dict[str, int] = {}  # how many wait for each
        self._at: dict[str, float] = {}  # being compiled since
        self._done: set[str] = set()  # ready, or given up
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
        if self.ready(game) or game.name not in self._specs:
            return
        compile_later(game, PATIENCE)
        with self._wake:
            known = self._games.pop(game.digest, None) or game
            self._games = {**self._games, game.digest: known} if last else {game.digest: known, **self._games}
            self._wake.notify_all()

    def ready(self, game: Game) -> bool:
        """Whether its kernels are in the cache, as far as can be known without asking for them."""
        if not self._specs or game.name not in self._specs or game.digest in self._done:
            return True
        found = _read(_mark(game))
        if found is None or game.digest in self._at:
            return False
        folder = cache_folder()
        if not all(isinstance(name, str) and (folder / name).is_file() for name in found.get("kernels", [None])):
            return False
        self._done.add(game.digest)
        return True

    def left(self, game: Game) -> dict[str, float] | None:
        """How long it has been compiled, and how long it will take in all, in seconds; None if it is ready."""
        if self.ready(game):
            return None
        began = self._at.get(game.digest)
        return {"seconds": round(time.monotonic() - began if began else 0.0, 2), "of": round(self._expected(game), 1)}

    def awaited(self, game: Game) -> dict[str, float] | None:
        """The same, if somebody waits for it."""
        return self.left(game) if self._wanted.get(game.digest) else None

    @contextmanager
    def _waiting(self, game: Game) -> Any:
        with self._wake:
            self._wanted[game.digest] = self._wanted.get(game.digest, 0) + 1
            self._wake.notify_all()
        try:
            yield
        finally:
            with self._wake:
                self._wanted[game.digest] -= 1
            self.on_tick()

    def wait(self, game: Game, stopping: Callable[[], bool]) -> None:
        """Until the game is ready, or nobody waits any more."""
        if self.ready(game):
            return
        self.look_at(game)
        with self._waiting(game), self._wake:
            while not (game.digest in self._done or self._closed or stopping()):
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

    # Compiling

    def _next(self, urgent: bool) -> Game | None:
        """What to compile now. Hold the lock."""
        free = [digest for digest in self._games if digest not in self._at and digest not in self._done]
        wanted = [digest for digest in free if self._wanted.get(digest)]
        # The one in the background takes what is wanted as well, if it is free.
        chosen = wanted or ([] if urgent else free)
        return self._games[chosen[0]] if chosen else None

    def _work(self, urgent: bool) -> None:
        process: subprocess.Popen[str] | None = None
        while True:
            with self._wake:
                while not self._closed and (game := self._next(urgent)) is None:
                    if process is not None:
                        self._end(process)
                        process = None
                    self._wake.wait()
                if self._closed or game is None:
                    if process is not None:
                        self._end(process)
                    return
                self._at[game.digest] = time.monotonic()
                if process is not None and process.poll() is not None:  # somebody has killed it
                    self._end(process)
                    process = None
                if process is None:
                    process = self._start(urgent)
            self._compile(game, process)

    def _start(self, urgent: bool) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "boardwright.serve.compile_games"]
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)  # noqa: S603 - ourselves
        if not urgent and hasattr(os, "setpriority"):
            try:
                os.setpriority(os.PRIO_PROCESS, process.pid, BACKGROUND)
            except OSError:
                pass  # then it shares evenly
        self._processes.add(process)
        return process

    def _end(self, process: subprocess.Popen[str]) -> None:
        self._processes.discard(process)
        process.kill()
        process.communicate()

    def _compile(self, game: Game, process: subprocess.Popen[str]) -> None:
        order = {"spec": self._specs[game.name], "options": game.options, "players": self._players(game)}
        answer = _ask(process, order)
        with self._wake:
            if "kernels" in answer:
                if answer["made"]:
                    self._remember(game, time.monotonic() - self._at[game.digest])
                write_whole(_mark(game), json.dumps({"kernels": answer["kernels"]}).encode())
            # One that failed is left to whoever plays it, who is told what is wrong.
            self._done.add(game.digest)
            del self._at[game.digest]
            compile_at_once(game)
            self._wake.notify_all()

    # How long

    def _expected(self, game: Game) -> float:
        known = _read(_times()) or {}
        took = known.get(game.digest)
        if isinstance(took, (int, float)) and took > 0:
            return float(took)
        scale = known.get("scale")
        return (game.card.compile_seconds or USUAL) * (scale if isinstance(scale, (int, float)) and scale > 0 else 1.0)

    def _remember(self, game: Game, seconds: float) -> None:
        known = _read(_times()) or {}
        scale = seconds / (game.card.compile_seconds or USUAL)
        write_whole(_times(), json.dumps({**known, game.digest: round(seconds, 2), "scale": round(scale, 3)}).encode())

    def _tick(self) -> None:
        while True:
            with self._wake:
                if self._closed:
                    return
                self._wake.wait(TICK if any(self._wanted.values()) else None)
            self.on_tick()


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


def _times() -> Path:
    return cache_folder() / "ready" / "seconds.json"


def _mark(game: Game) -> Path:
    """The file that names the game's kernels, as today's code makes them."""
    return cache_folder() / "ready" / f"{game.digest}-{_code()}.json"


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
