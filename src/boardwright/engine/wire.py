"""Lines in, lines out. The program at the other end reads every byte that we print, so nothing else may print."""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable
from typing import NamedTuple

CHUNK = 65536


class Heard(NamedTuple):
    """One line from the other end; `text` is None once it has gone away."""

    text: str | None
    at: float  # time.monotonic() when it came in


class Wire:
    """Takes standard input and output for itself. What libraries print goes nowhere: many managers join standard
    error to standard output, and a stray warning would lose the game."""

    def __init__(self, longest: int, at_once: Callable[[str], None] | None = None) -> None:
        """`longest`: bytes of a line, the rest of a longer one is dropped. `at_once` sees each line as soon as it
        comes in, in a thread of its own, whatever the program is busy with."""
        self._out = os.dup(1)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        self._longest, self._at_once = longest, at_once
        self._lock = threading.Lock()
        self.heard: queue.SimpleQueue[Heard] = queue.SimpleQueue()
        threading.Thread(target=self._read, name="wire", daemon=True).start()

    def say(self, text: str) -> None:
        """Send one line, whole and at once. If nobody is left to hear it, the program ends."""
        data = text.encode("utf-8", "replace") + b"\n"
        with self._lock:
            try:
                while data:
                    data = data[os.write(self._out, data) :]
            except OSError:
                leave()

    def _read(self) -> None:
        line, dropping = bytearray(), False
        while True:
            try:
                data = os.read(0, CHUNK)
            except OSError:
                data = b""
            if not data:
                break
            *ends, rest = data.split(b"\n")
            for end in ends:
                if not dropping:
                    line += end[: self._longest - len(line)]
                self._tell(line)
                line, dropping = bytearray(), False
            if not dropping:
                line += rest[: self._longest - len(line)]
                dropping = len(line) >= self._longest
        if line.strip():
            self._tell(line)
        self.heard.put(Heard(None, time.monotonic()))

    def _tell(self, line: bytearray) -> None:
        text = line.decode("utf-8", "replace").strip("\r\n\t \0\ufeff")
        if self._at_once is not None:
            self._at_once(text)
        self.heard.put(Heard(text, time.monotonic()))


def leave() -> None:
    """End the process now, in whatever thread and whatever it computes: a manager kills after half a second."""
    os._exit(0)
