"""A home that cannot be written, or is no folder at all: every command does without, or says so in one sentence."""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.torture.commands import command, run, sentence

KERNEL = Path("/sys/boardwright")  # for root no folder is read-only, but nobody makes one here
COMMANDS = (
    "games", "games tictactoe", "records list", "records show 0123", "check tictactoe", "analyse 0123",
    "doctor nothing",
    "match tictactoe random random --games 4 --workers 0", "playtest tictactoe --sets 1 --top 4 --workers 0",
    "train 2048 --method tuples --set games=10 --set patterns=045 --no-pilot",
)  # fmt: skip


def attempt(seed: int, seconds: float, tell: Callable[[int], None]) -> None:
    luck = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        shut, file = Path(folder) / "shut", Path(folder) / "file"
        shut.mkdir(mode=0o555)
        file.write_text("no folder")
        home = luck.choice((shut if os.getuid() else KERNEL, file, file / "below"))
        words = command(*luck.choice(COMMANDS).split())
        # The cache as well now and then: then kernels are compiled each time, and kept nowhere.
        cache = {"BOARDWRIGHT_CACHE": str(home)} if luck.random() < 0.2 else {}
        sentence(run(words, home, **cache), f"{' '.join(words[3:])} with {home.name} as its home")
        tell(1)
