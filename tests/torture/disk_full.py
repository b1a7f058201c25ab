"""A disk that takes nothing more, at any size of a file: one sentence, and when there is room the same result."""

from __future__ import annotations

import random
import resource
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.torture.commands import PATIENCE, command, environment, run, sentence, timed
from tests.torture.kill_match import games, plain
from tests.torture.kill_train import WAYS, weights
from tests.torture.trial import Finding

SIZES = (0, 100, 1_000, 5_000, 20_000, 50_000, 100_000, 300_000)  # bytes that one file may have


def attempt(seed: int, seconds: float, tell: Callable[[int], None]) -> None:
    """RLIMIT_FSIZE stands for the disk: a write beyond it fails, as one on a full disk does. Compiled kernels are kept
    in the cache before, by the run that has room: to compile without room is `read-only`'s."""
    luck = random.Random(seed)
    trains = luck.random() < 0.5
    with tempfile.TemporaryDirectory() as folder:
        whole, tight = Path(folder) / "whole", Path(folder) / "tight"
        if trains:
            game, settings, _ = WAYS["tuples"]
            given = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
            words = command("train", game, "--method", "tuples", "--no-pilot", *given, "--out")
            timed([*words, str(whole)], whole)
            one, two = [*words, str(whole)], [*words, str(tight)]
        else:
            words = command(
                "match", "tictactoe", "mcts:simulations=20", "random", "--games", "40", "--workers", "0", "--json"
            )
            first, _ = timed(words, whole)
            one = two = words
        for size in sorted(luck.sample(SIZES, 3)):
            sentence(limited(two, tight, size), f"files of at most {size:,} bytes")
            tell(1)
        done = run(two, tight)
        if done.returncode:
            raise Finding("not taken up when there is room again", done.stderr[-400:])
        if trains:
            fine = weights(whole) == weights(tight)
        else:
            fields = ("records", "players", "games")
            fine = plain(first.stdout, fields) == plain(done.stdout, fields) and games(whole) == games(tight)
        if not fine:
            raise Finding("another result after a full disk", " ".join(one[3:]))


def limited(words: list[str], home: Path, size: int) -> subprocess.CompletedProcess[str]:
    def before() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    return subprocess.run(
        words, capture_output=True, text=True, timeout=PATIENCE, check=False, env=environment(home), preexec_fn=before
    )
