"""Files of own games: one that is saved anew is checked, and its rules are used from then on; until it passes, the page
shows what is wrong with it and goes on with the rules that it had.

Files are looked at only while somebody has the page open. The check is `boardwright check` in a process of its own:
rules that crash or never end do not harm the server.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boardwright.contract.errors import BoardwrightError, RuleError
from boardwright.contract.folders import expanded
from boardwright.contract.game import Game
from boardwright.games.load import load
from boardwright.serve.catalogue import Catalogue
from boardwright.serve.pool import Tell

INTERVAL = 0.4  # seconds between two looks at the files
GAMES = 300  # that a check plays
_AT = re.compile(r"^(?P<file>[^\s:/\\]+\.py):(?P<line>\d+): (?P<said>.*)$", re.DOTALL)
_METHOD = re.compile(r"^\w+\.(?P<method>\w+)\b")


@dataclass
class OwnFile:
    """One file with a game. `text`: what it held when it was last checked."""

    name: str  # the game's
    spec: str
    path: Path
    text: bytes
    state: str = "fine"  # or "checking", "broken"
    edition: int = 0  # how often its rules were taken into use
    error: str = ""
    line: int = 0  # where the error is; 0 if that cannot be told
    source: str = ""  # that line

    def told(self) -> dict[str, Any]:
        return {
            "game": self.name, "file": self.path.name, "state": self.state, "edition": self.edition,
            "error": self.error, "line": self.line, "source": self.source,
        }  # fmt: skip

    def read(self) -> bytes:
        """What the file holds now; as before where it cannot be read, as in the moment in which it is replaced."""
        try:
            return self.path.read_bytes()
        except OSError:
            return self.text


class OwnFiles:
    """All files of one server. Threads may call it at will."""

    def __init__(self, catalogue: Catalogue, renewed: Callable[[Game], None]) -> None:
        self._catalogue, self._renewed = catalogue, renewed
        self._files = [
            OwnFile(name, spec, path, path.read_bytes())
            for name, spec in catalogue.specs.items()
            if (path := _path_of(spec)) is not None
        ]
        self._watchers: dict[Hashable, Tell] = {}
        self._wake = threading.Condition()
        self._closed = False
        self._thread: threading.Thread | None = None

    def watch(self, who: Hashable, tell: Tell) -> None:
        """From now on `tell` hears how it stands with the files: now, and whenever that changes."""
        with self._wake:
            self._watchers[who] = tell
            tell(self._told(), False)
            if self._files and self._thread is None:
                self._thread = threading.Thread(target=self._look, name="own files", daemon=True)
                self._thread.start()
            self._wake.notify_all()

    def leave(self, who: Hashable) -> None:
        with self._wake:
            self._watchers.pop(who, None)

    def close(self) -> None:
        with self._wake:
            self._closed = True
            self._wake.notify_all()
        if self._thread is not None:
            self._thread.join()

    def _told(self) -> dict[str, Any]:
        return {"files": [file.told() for file in self._files]}

    def _look(self) -> None:
        while self._wait():
            for file in self._files:
                text = file.read()
                if text != file.text:
                    self._check(file, text)

    def _wait(self) -> bool:
        """Until it is time to look again, and somebody would see it; false at the end."""
        with self._wake:
            self._wake.wait(INTERVAL if self._watchers else None)
            return not self._closed

    def _set(self, file: OwnFile, state: str, error: str = "") -> None:
        with self._wake:
            file.state = state
            file.error, file.line, file.source = find_line(error, file.path.name, file.text)
            for tell in self._watchers.values():
                tell(self._told(), False)

    def _check(self, file: OwnFile, text: bytes) -> None:
        """Check what was saved. What is saved meanwhile is checked instead."""
        file.text = text
        self._set(file, "checking")
        error = self._run(file)
        if error is None or file.read() != text:
            return  # closed, or saved again: the next look sees it
        try:
            if not error:
                self._take(file)
        except BoardwrightError as refused:
            error = str(refused)
        self._set(file, "broken" if error else "fine", error)

    def _run(self, file: OwnFile) -> str | None:
        """What `boardwright check` has to say; nothing if all is well, None if nobody wants to know any more."""
        command = [sys.executable, "-m", "boardwright", "check", file.spec, "--json", "--games", str(GAMES)]
        pipe = subprocess.PIPE
        with subprocess.Popen(  # noqa: S603 - our own command about a file that the server's owner named
            command, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True, start_new_session=True
        ) as process:
            while True:
                try:
                    out, problem = process.communicate(timeout=INTERVAL)
                    return _verdict(process.returncode, out, problem)
                except subprocess.TimeoutExpired:
                    if self._closed or file.read() != file.text:
                        _end(process)
                        return None

    def _take(self, file: OwnFile) -> None:
        """Let new games have the new rules."""
        game = load(file.spec)
        if game.name != file.name:
            raise RuleError(f"{file.path.name}: it has {game.name} now, not {file.name}; start the server again")
        self._catalogue.renew(game)
        file.edition += 1
        self._renewed(game)


def _end(process: subprocess.Popen[str]) -> None:
    """End a check together with the process in which it runs the rules, which may never return."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.communicate()


def _path_of(spec: str) -> Path | None:
    found = re.match(r"^(?P<path>.*?\.py)(?::|$)", spec, re.DOTALL)
    return expanded(found["path"]) if found else None


def _verdict(code: int, out: str, problem: str) -> str:
    if code == 0:
        return ""
    try:
        return str(json.loads(out)["error"])
    except (ValueError, KeyError, TypeError):
        last = (problem.strip().splitlines() or [f"the check ended with {code}"])[-1]
        return last.removeprefix("boardwright: ")


def find_line(error: str, name: str, text: bytes) -> tuple[str, int, str]:
    """What is wrong, at which line of the file, and what stands there. An error without a line belongs to the method
    or constant that it names."""
    lines = text.decode("utf-8", "replace").splitlines()
    at, line = _AT.match(error), 0
    if at and at["file"] == name:
        error, line = at["said"], int(at["line"])
    elif found := _METHOD.match(error):
        starts = [i for i, one in enumerate(lines, 1) if re.match(rf"\s+(def )?{found['method']}\b", one)]
        line = starts[0] if starts else 0
    return error, line, lines[line - 1].strip() if 0 < line <= len(lines) else ""
