"""`check_game`: play thousands of games and hold them against every promise of the contract.

It all runs in a process of its own: rules that crash or never return take that process down, not
the caller, and the report names where they were. First a few games step by step, interpreter and compiled
rules side by side; then many games in one compiled kernel with every array index checked.
"""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import signal
import threading
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

from boardwright.check.conformance import run_stages
from boardwright.check.failures import describe, rule_at_work
from boardwright.contract.errors import BoardwrightError, InputError, RuleError
from boardwright.contract.game import Game
from boardwright.contract.random import RandomSource, as_seed

Progress = Callable[[str], None]


@dataclass
class Report:
    """What a game passed: (what, detail) a line. A failure is raised as RuleError instead."""

    game: str  # its name and options
    lines: list[tuple[str, str]] = field(default_factory=list)  # (what, detail), in the order of the check

    def __str__(self) -> str:
        return "\n".join([f"{self.game} keeps the contract:", *(f"  {what}: {detail}" for what, detail in self.lines)])


def check_game(
    game: Game,
    games: int = 2000,
    seed: RandomSource = 0,
    *,
    patience: float = 20.0,
    most_plies: int = 20_000,
    progress: Progress | None = None,
) -> Report:
    """Check a game. `games` are played compiled, a few of them in the interpreter too; `patience` is how
    many seconds one step may take before it counts as endless; no game may be longer than `most_plies`.

    Raises RuleError with game, method and cure on the first promise that is broken.
    """
    if not game.compiles:
        raise InputError(f"{game.name}: its rules are another library's and not compiled; nothing to check")
    method = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
    context: Any = multiprocessing.get_context(method)
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_run, args=(game, games, as_seed(seed), patience, most_plies, there), daemon=True)
    with warnings.catch_warnings():
        # JAX, if the caller uses it, warns of any fork; the child runs rules and nothing of JAX.
        warnings.simplefilter("ignore", RuntimeWarning)
        child.start()
    there.close()
    report, stage = Report(str(game)), "starting"
    try:
        while True:
            if not here.poll(patience * 6):
                raise RuleError(
                    f"{game.name}: no answer for {patience * 6:.0f} s while {stage}; a rule seems never to return"
                )
            kind, *rest = here.recv()
            if kind == "stage":
                stage = rest[0]
                if progress:
                    progress(stage)
            elif kind == "alive":
                continue
            elif kind == "pass":
                report.lines.append((rest[0], rest[1]))
            else:
                child.join(5)  # that was its last word
                if kind == "fail":
                    raise RuleError(rest[0])
                return report
    except EOFError:
        child.join(5)
        raise RuleError(
            f"{game.name}: {_obituary(child.exitcode)} while {stage}; look for an index beyond an array in the rules"
        ) from None
    finally:
        if child.is_alive():
            child.kill()
        child.join()
        here.close()


def _obituary(code: int | None) -> str:
    if code is not None and code < 0:
        return f"the rules crashed their process ({signal.Signals(-code).name})"
    return f"the rules ended their process (exit code {code})"


def _run(game: Game, games: int, seed: int, patience: float, most_plies: int, there: Connection) -> None:
    """The child: every message goes up the pipe; whatever happens, exactly one of fail and done is last."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to hear; it ends this process
    faulthandler.disable()  # a crash is expected here, and told in one sentence
    watch = Watch(game, patience, there)
    try:
        for what, detail in run_stages(game, games, seed, most_plies, watch.stage):
            watch.send("pass", what, detail)
    except BoardwrightError as error:
        watch.send("fail", str(error))
    except Exception as error:
        watch.send("fail", describe(game, error))
    else:
        watch.send("done")
    there.close()


class Watch:
    """Sends messages up, and ends the process with a message if one step takes longer than patience."""

    def __init__(self, game: Game, patience: float, there: Connection) -> None:
        self._game, self._patience, self._there = game, patience, there
        self._lock = threading.Lock()
        self._beat, self._stage, self._limited = time.monotonic(), "starting", False
        self._main = threading.get_ident()
        threading.Thread(target=self._look, daemon=True).start()

    def stage(self, text: str, limited: bool) -> None:
        """A new step begins; only a `limited` one may be cut off (compiling may take its time)."""
        self._beat, self._limited = time.monotonic(), limited
        if text != self._stage:
            self._stage = text
            self.send("stage", text)

    def send(self, *message: str) -> None:
        with self._lock:
            self._there.send(message)

    def _look(self) -> None:
        ended, told = threading.Event(), time.monotonic()
        while not ended.wait(0.1):
            if not self._limited and time.monotonic() - told > self._patience:
                told = time.monotonic()
                try:
                    self.send("alive")  # the compiler takes its time, and the parent's patience has an end
                except OSError:
                    return  # the last word has been said
            if self._limited and time.monotonic() - self._beat > self._patience:
                where = rule_at_work(self._game, self._main)
                self.send(
                    "fail",
                    f"{where or self._game.name}: no end after "
                    f"{self._patience:g} s while {self._stage}; bound the loop",
                )
                os._exit(3)
