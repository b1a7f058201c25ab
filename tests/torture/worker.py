"""The process in which one trial runs: it tells each attempt's seed before it begins, so that a crash has its seed too.

`python -m tests.torture.worker TRIAL SEED SECONDS ONCE`, one JSON object a line on standard output.
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.torture.trial import Finding, Lacking, next_seed
from tests.torture.trials import chosen

OFTEN = 0.2  # seconds between two words of progress
ROOT = str(Path(__file__).parents[2]) + os.sep


class Teller:
    """Counts what was tried, and passes it on now and then."""

    def __init__(self, say: Callable[..., None]) -> None:
        self._say, self._counted, self._told_at = say, 0, time.monotonic()

    def __call__(self, more: int) -> None:
        self._counted += more
        if time.monotonic() - self._told_at > OFTEN:
            self.out()

    def note(self, text: str) -> None:
        self._say(note=text)

    def out(self) -> None:
        self._say(tried=self._counted)
        self._counted, self._told_at = 0, time.monotonic()


def main(name: str, seed: int, seconds: float, once: bool) -> None:
    report = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what doors and libraries print goes where errors go

    def say(**what: Any) -> None:
        report.write(json.dumps(what) + "\n")

    tell, end = Teller(say), time.monotonic() + seconds
    (trial,) = chosen([name])
    say(seed=seed)
    attempt = trial.attempt()
    while True:
        try:
            attempt(seed, max(end - time.monotonic(), 0.0), tell)
        except Lacking as lacking:
            say(lacking=str(lacking))
            return
        except Finding as finding:
            say(kind=finding.kind, text=str(finding))
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)
            ours = [one for one in where if one.filename.startswith(ROOT)] or list(where)
            last = f"{ours[-1].filename.removeprefix(ROOT)}:{ours[-1].lineno}"
            say(kind=f"{type(error).__name__} at {last}", text=f"{type(error).__name__} at {last}: {error}")
            traceback.print_exc()
        tell.out()
        if once or time.monotonic() >= end:
            return
        seed = next_seed(seed)
        say(seed=seed)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), sys.argv[4] == "1")
