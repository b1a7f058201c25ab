"""Figures of a run over its steps: `metrics.jsonl` for programs, TensorBoard events for people.

The JSON lines are the truth. A checkpoint knows how long the file was; a run taken up again is cut back to that, and
the events are written anew from what is left. Events are a picture only: where they cannot be written, there are none.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy.typing as npt

from boardwright.contract.errors import InputError
from boardwright.learn.events import EventsFile

NAME = "metrics.jsonl"
EVENTS = "tensorboard"


class Metrics:
    """Appends figures to a run's folder."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self._events_folder = folder / EVENTS
        if self.path.is_symlink():  # it is cut back at a new start, and what a link leads to is not ours to cut
            raise InputError(f"{self.path} is a link to another file; remove it, or choose another --out")
        with self._told():
            self._file = self.path.open("ab")
        self._events: EventsFile | None = None
        self._draws = find_spec("tensorboardX") is not None  # not part of a plain install

    def add(self, step: int, seconds: float, figures: Mapping[str, float]) -> None:
        """One line: the step, the seconds of training so far, the figures (what is not finite becomes null)."""
        assert not {"step", "seconds"} & set(figures)
        plain = {name: float(value) if math.isfinite(value) else None for name, value in figures.items()}
        line = {"step": int(step), "seconds": round(seconds, 3), **plain}
        with self._told():
            self._file.write(json.dumps(line, allow_nan=False).encode() + b"\n")
            self._file.flush()
        self._tell(line)

    def flush(self) -> int:
        """Bring everything to the disk; returns the file's length in bytes."""
        try:
            if self._events is not None and self._draws:
                self._events.flush()
        except OSError:
            self._draws = False
        with self._told():
            self._file.flush()
            os.fsync(self._file.fileno())
            return self._file.seek(0, os.SEEK_END)

    def cut(self, size: int) -> None:
        """Forget all after the first `size` bytes, and half a line before that; write the events anew."""
        with self._told():
            self._file.flush()
            data = self.path.read_bytes()[:size]
            whole = data.rfind(b"\n") + 1
            self._file.truncate(whole)
            self._file.seek(0, os.SEEK_END)
        self.close_events()
        for old in self._events_folder.glob("events.out.tfevents.*"):
            old.unlink(missing_ok=True)
        for line in read_metrics(self.path):
            self._tell(line)

    def _tell(self, line: Mapping[str, Any]) -> None:
        if not self._draws:
            return
        try:
            if self._events is None:
                self._events_folder.mkdir(exist_ok=True)
                self._events = EventsFile(self._events_folder)
            self._events.add(
                line["step"],
                {
                    name: value
                    for name, value in line.items()
                    if name not in ("step", "seconds") and isinstance(value, (int, float))
                },
            )
        except OSError:
            self._draws = False

    def close_events(self) -> None:
        if self._events is None:
            return
        with suppress(OSError):  # of what a full disk did not take
            self._events.close()
        self._events = None

    def close(self) -> None:
        self.close_events()
        try:
            self._file.close()
        except OSError:
            pass  # what could not be written was told when it was to be written

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What the disk refuses, in a sentence."""
        try:
            yield
        except OSError as error:
            raise InputError(f"cannot write {self.path}: {error.strerror or error}") from None


def drawn_share(results: npt.NDArray[Any]) -> float:
    """Of `results` (games, players): the share of games in which all got the same. NaN where one plays alone."""
    if results.shape[1] < 2 or not len(results):
        return math.nan
    return float((results.max(axis=1) - results.min(axis=1) < 1e-9).mean())


def explained_share(outcomes: npt.NDArray[Any], foreseen: npt.NDArray[Any]) -> float:
    """The share of the outcomes' variance that a value foresaw: 1 all, 0 no more than their mean, less than that is
    worse than the mean. Against outcomes, since targets made of a value's own words are easily met."""
    spread = float(outcomes.var())
    return 1.0 - float(((outcomes - foreseen) ** 2).mean()) / spread if spread > 1e-12 else math.nan


def read_metrics(path: Path) -> list[dict[str, Any]]:
    """The lines of a metrics file, or of the one in a run's folder; a line that is cut or no JSON is left out."""
    if path.is_dir():
        path = path / NAME
    lines = []
    try:
        text = path.read_text("utf-8", errors="replace")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    for line in text.splitlines():
        try:
            read = json.loads(line)
        except ValueError:
            continue
        if isinstance(read, dict) and isinstance(read.get("step"), int):
            lines.append(read)
    return lines
