"""Settings of trainings, as `train --set` reads them, and the command line itself with words changed."""

from __future__ import annotations

import dataclasses
import json
import random
import re
import sys
from collections.abc import Callable

import boardwright as bw
from boardwright.cli.train import METHODS, find_method, read
from tests.processes import run_here
from tests.torture import mutate
from tests.torture.door import bound_memory, knock, told
from tests.torture.trial import Finding

# Commands that look and do not play: what chance writes must not begin a training or delete anything.
COMMANDS = [
    "games", "games tictactoe", "games azul:players=3", "games 2048 --json", "records list --limit 5 --json",
    "records list --game azul --status finished --since 2026-01-02", "records show 0123456789abcdef",
    "train tictactoe --settings",
    "train 2048 --method tuples --settings", "engine piskvork --prepare x", "cluster status --cluster nowhere",
]  # fmt: skip
HARMLESS = re.compile(r"(games|records (list|show))(\s|$)|train .*--settings|engine .*--prepare x$|cluster status")


def attempt(seed: int, seconds: float, tell: Callable[[int], None]) -> None:
    luck = random.Random(seed)
    games = {"kernel": bw.load("tictactoe"), "selfplay": bw.load("tictactoe"), "tuples": bw.load("2048")}
    bound_memory()
    for _ in range(100):
        name = luck.choice(list(METHODS))
        kind, _ = find_method(name)
        seeds = [f"{one.name}={_written(one.default)}" for one in dataclasses.fields(kind)]
        changes = [mutate.text(luck, seeds) for _ in range(luck.randint(1, 3))]
        knock(read, name, kind, games[name], "quick", changes, shown=(name, changes))
        tell(1)
    for _ in range(10):
        words = mutate.text(luck, COMMANDS)
        if HARMLESS.match(words):
            _command(words.split(" "))
        tell(1)


def _written(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _command(words: list[str]) -> None:
    words = [word for word in words if "\0" not in word]  # no shell can say it
    before = sys.getrecursionlimit()
    knock(_run, words)
    assert sys.getrecursionlimit() == before


def _run(words: list[str]) -> None:
    done = run_here(*words)
    if done.returncode not in (0, 1, 2) or "Traceback" in done.stderr:
        raise Finding(f"exit code {done.returncode}", done.stderr[-300:])
    if done.returncode == 2 and done.stderr.startswith("boardwright:"):
        told(done.stderr.rstrip("\n"), words)
