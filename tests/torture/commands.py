"""How trials run `boardwright` as people do: a process, with a home of its own."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.torture.trial import Finding

PATIENCE = 240.0  # seconds for one command; kernels may have to be compiled


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "boardwright", *words]


def run(words: list[str], home: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """A command to its end, whatever that is."""
    try:
        return subprocess.run(
            words, capture_output=True, text=True, timeout=PATIENCE, check=False, env=environment(home, **more)
        )
    except subprocess.TimeoutExpired:
        raise Finding("a command does not end", " ".join(words[3:])) from None


def environment(home: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "BOARDWRIGHT_HOME": str(home), **more}


def killed_until_done(
    words: list[str], home: Path, luck: random.Random, usual: float, tell: Callable[[int], None]
) -> subprocess.CompletedProcess[str]:
    """Start it, kill -9 it at a random moment of its `usual` seconds, a few times; then let it through to its end.

    The seed gives the moment on the clock; where the program is by then is the machine's to say. So a repeated
    attempt kills at the same times, not at the same instructions."""
    for _ in range(luck.randint(1, 4)):
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment(home))
        try:
            process.wait(luck.random() * usual)
        except subprocess.TimeoutExpired:
            pass
        process.kill()
        process.wait()
        tell(1)
    return run(words, home)


def timed(words: list[str], home: Path) -> tuple[subprocess.CompletedProcess[str], float]:
    """The command untouched, which must end well; and the seconds that it took."""
    began = time.monotonic()
    done = run(words, home)
    if done.returncode:
        raise Finding("a command fails untouched", f"{' '.join(words[3:])}: {done.stderr[-400:]}")
    return done, time.monotonic() - began


def sentence(done: subprocess.CompletedProcess[str], what: str) -> None:
    """A command that could not do its work has said so in a line, without a traceback."""
    if "Traceback" in done.stderr or done.returncode not in (0, 1, 2):
        raise Finding(f"{what}: a traceback, or exit code {done.returncode}", done.stderr[-500:])


def start_server(home: Path, *more: str, **env: str) -> tuple[subprocess.Popen[str], str]:
    """`boardwright serve`, and its address."""
    process = subprocess.Popen(
        command("serve", "--no-open", "--no-prepare", *more),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(home, **env),
    )  # fmt: skip
    assert process.stdout is not None and process.stderr is not None
    said = process.stdout.readline()
    found = re.search(r"http://127\.0\.0\.1:\d+/", said)
    if not found:
        process.kill()
        raise Finding("the server does not start", said + process.stderr.read()[-500:])
    return process, found[0]
