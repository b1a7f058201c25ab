"""`python -m tests.torture --minutes 60 --seed 0`: every trial, its share of the time, and a table."""

from __future__ import annotations

import argparse
import sys
import time

from tests.torture import table
from tests.torture.runner import Outcome, run_trial
from tests.torture.trials import TRIALS, chosen


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="for all trials together (60)")
    parser.add_argument("--seed", type=int, default=0, help="all that is random comes from it (0)")
    parser.add_argument("--only", action="append", default=[], metavar="TRIAL", help="a trial, or a group; may repeat")
    parser.add_argument("--once", action="store_true", help="one attempt of each trial: what a failure is repeated by")
    parser.add_argument("--list", action="store_true", help="show the trials and exit")
    asked = parser.parse_args(arguments)
    if asked.list:
        print("\n".join(f"{one.name:20} {one.about}" for one in TRIALS))
        return 0
    trials = chosen(asked.only)
    if asked.minutes <= 0 or asked.seed < 0:
        parser.error("--minutes must be above 0, --seed 0 or more")
    weights = sum(one.weight for one in trials) or 1.0
    outcomes: list[Outcome] = []
    began, stopped = time.monotonic(), False
    try:
        for trial in trials:
            outcomes.append(Outcome(trial, asked.minutes * 60 * (trial.weight or 1.0) / weights))
            run_trial(outcomes[-1], asked.seed, once=asked.once, progress=Progress(began, asked.minutes))
    except KeyboardInterrupt:
        stopped = outcomes[-1].stopped = True
    if sys.stderr.isatty():
        print(end="\r\033[K", file=sys.stderr)
    print(table.text(outcomes, asked.seed))
    return 1 if any(one.faults for one in outcomes) else 130 if stopped else 0


class Progress:
    """A line that is written over again at a terminal; elsewhere one line every ten seconds."""

    def __init__(self, began: float, minutes: float) -> None:
        self.began, self.minutes, self.shown = began, minutes, time.monotonic()

    def __call__(self, now: Outcome) -> None:
        terminal = sys.stderr.isatty()
        if time.monotonic() - self.shown < (0.2 if terminal else 10.0):
            return
        self.shown = time.monotonic()
        gone = int(self.shown - self.began)
        line = (
            f"[{gone // 60}:{gone % 60:02} of {self.minutes:g} min] {now.trial.name}: {now.tried:,} {now.trial.unit}, "
            f"{now.failed} failed"
        )
        print(f"\r\033[K{line}" if terminal else line, end="" if terminal else "\n", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
