"""One trial after another, each in a process of its own: one that crashes or hangs costs its attempt, not the rest."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import IO, Any

from tests.torture.trial import Trial, next_seed

MOST_RESTARTS = 20  # of a trial whose process dies or hangs again and again


@dataclass
class Fault:
    """Findings of one cause: the first of them, and how many there were."""

    text: str
    seed: int
    times: int = 1


@dataclass
class Outcome:
    """What a trial came to. tried: in its unit; attempts: seeds; lacking: why it could not run."""

    trial: Trial
    share: float  # seconds that it was given
    tried: int = 0
    attempts: int = 0
    seconds: float = 0.0
    faults: dict[str, Fault] = field(default_factory=dict)
    lacking: str = ""
    figures: str = ""  # what the trial measured, of its last attempt
    stopped: bool = False  # by Ctrl-C, before its time was over

    @property
    def failed(self) -> int:
        return sum(fault.times for fault in self.faults.values())

    def note(self, kind: str, text: str, seed: int) -> None:
        if kind in self.faults:
            self.faults[kind].times += 1
        else:
            self.faults[kind] = Fault(text, seed)


def run_trial(outcome: Outcome, seed: int, *, once: bool, progress: Callable[[Outcome], None]) -> None:
    """Run one trial for its share of the time, with new processes where one is lost."""
    began = time.monotonic()
    try:
        for _ in range(MOST_RESTARTS):
            left = outcome.share - (time.monotonic() - began)
            lost_at = _one_process(outcome, seed, left, once, lambda: _pass(outcome, began, progress))
            if lost_at is None or once or left <= 0:
                return
            seed = next_seed(lost_at)
    finally:
        outcome.seconds = time.monotonic() - began


def _pass(outcome: Outcome, began: float, progress: Callable[[Outcome], None]) -> None:
    outcome.seconds = time.monotonic() - began
    progress(outcome)


def _one_process(outcome: Outcome, seed: int, left: float, once: bool, heard: Callable[[], None]) -> int | None:
    """The seed at which the process was lost; None if it ended by itself."""
    trial = outcome.trial
    with tempfile.TemporaryDirectory(prefix="torture-") as folder, tempfile.TemporaryFile("w+") as errors:
        env = {**os.environ, "TMPDIR": folder, "BOARDWRIGHT_HOME": os.path.join(folder, "home")}
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.torture.worker", trial.name, str(seed), str(max(left, 0.0)), str(int(once))],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True, env=env, start_new_session=True,
        )  # fmt: skip
        assert process.stdout is not None
        try:
            for said in _lines(process.stdout, trial.patience):
                if said is None:
                    outcome.note("hangs", f"hangs: not a word for {trial.patience:.0f} s{_tail(errors)}", seed)
                    return seed
                if "seed" in said:
                    seed = said["seed"]
                    outcome.attempts += 1
                elif "kind" in said:
                    outcome.note(said["kind"], said["text"], seed)
                outcome.tried += said.get("tried", 0)
                outcome.figures = said.get("note", outcome.figures)
                outcome.lacking = said.get("lacking", "")
                heard()
            code = process.wait()
            if code:
                how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
                outcome.note(f"process lost ({how})", f"process lost ({how}){_tail(errors)}", seed)
                return seed
            return None
        finally:
            _end(process)


def _lines(source: IO[str], patience: float) -> Iterator[dict[str, Any] | None]:
    """What the process says, an object a line; None once it has said nothing for so many seconds."""
    found: queue.SimpleQueue[str] = queue.SimpleQueue()

    def read() -> None:
        for line in source:
            found.put(line)
        found.put("")

    threading.Thread(target=read, daemon=True).start()
    while True:
        try:
            line = found.get(timeout=patience)
        except queue.Empty:
            yield None
            return
        if not line:
            return
        yield json.loads(line)


def _end(process: subprocess.Popen[str]) -> None:
    """The process and all that it started: they are a session of their own."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def _tail(errors: IO[str]) -> str:
    errors.seek(0)
    said = [line for line in errors.read()[-4000:].splitlines() if line.strip()]
    return f"; its last words: {said[-1][:200]}" if said else ""
