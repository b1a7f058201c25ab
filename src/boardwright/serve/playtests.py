"""Playtests from the page: the command runs in a process of its own, and the report is made from what it has kept."""

from __future__ import annotations

import base64
import hashlib
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import IO, Any

from boardwright.contract.game import Game
from boardwright.games.named import game_spec
from boardwright.players import leash
from boardwright.playtesting import Playtest
from boardwright.playtesting.journal import journal_path
from boardwright.playtesting.page import document, growing_script, page
from boardwright.records import Library
from boardwright.serve.catalogue import Catalogue
from boardwright.serve.clients import Quota
from boardwright.serve.requests import Refused

MOST_MINUTES = 240.0
MINUTE_BYTES = 1_000_000  # of disk that a minute is counted as: NMBR 9 takes 0.5 MB, Gomoku 3
HOME = "/#/"
END_SECONDS = 10.0  # that a playtest may take to end when the server does
SOON = 3  # seconds, after which a page that has no report yet asks again
# A report has no script but the one by which it grows, its style is its own, and it loads nothing.
PAGE_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def policy_of(told: str) -> str:
    """What a report may do in a browser."""
    script = growing_script()
    if script not in told:
        return PAGE_POLICY
    text = script.removeprefix("<script>").removesuffix("</script>")
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"{PAGE_POLICY}; script-src 'sha256-{digest}'; connect-src 'self'"


@dataclass(frozen=True)
class Run:
    """The command that plays."""

    game: Game
    minutes: float
    process: subprocess.Popen[bytes]
    errors: IO[bytes]  # what it wrote there

    @property
    def playing(self) -> bool:
        return self.process.poll() is None

    @property
    def failure(self) -> str:
        """The last line that it wrote before it failed; nothing if it plays, or has ended well."""
        if not self.process.poll():
            return ""
        self.errors.seek(0)
        lines = [line for line in self.errors.read().decode(errors="replace").splitlines() if line.strip()]
        return lines[-1].strip() if lines else f"it ended with exit code {self.process.returncode}"


class Playtests:
    """Those of one server: one at a time, as it takes all cores."""

    def __init__(self, catalogue: Catalogue, quota: Quota) -> None:
        self.catalogue, self.quota = catalogue, quota
        self._running: Run | None = None  # the last one, also when it has ended
        self._held = -1  # our end of what ends it, with all its workers, when we do (leash.py)
        self._minutes: dict[Path, float] = {}  # that were asked for, by where the games are kept
        self._lock = threading.Lock()

    def begin(self, name: str, options: Mapping[str, Any], minutes: float) -> None:
        """Play, or go on. With more minutes than it is played for, it goes on with these; other rules of the same game,
        whose file has been changed, take its place."""
        game = self.catalogue.describe(name, options)  # who does not exist is refused
        with self._lock:
            run = self._running
            ours = run is not None and run.playing
            if run is not None and ours:
                if game_spec(run.game) != game_spec(game):
                    raise Refused(f"{run.game} is being playtested; one at a time", 409)
                if run.game.digest == game.digest and minutes <= run.minutes:
                    return
            if not ours and _played(game):
                self._minutes[kept_at(game)] = minutes
                return  # by another process, such as the command in a terminal; its report grows here too
            before = int(run.minutes * MINUTE_BYTES) if run is not None and ours else None
            with self.quota.keeping(int(minutes * MINUTE_BYTES), before):
                self._end()
                until = time.monotonic() + END_SECONDS  # who was killed may hold its games a moment longer
                while _played(game) and time.monotonic() < until:
                    time.sleep(0.05)
                told = [game_spec(game), "--minutes", f"{minutes:g}"]
                command = [sys.executable, "-m", "boardwright", "playtest", *told]
                errors = tempfile.TemporaryFile()  # noqa: SIM115 - the process writes there as long as it runs
                self._running = Run(game, minutes, self._start(command, errors), errors)
                self._minutes[kept_at(game)] = minutes

    def page(self, name: str, options: Mapping[str, Any], library: Library) -> str:
        """The report as it stands; its games to look at are put into the library once all are played."""
        game = self.catalogue.describe(name, options)
        path, failure = kept_at(game), ""
        with self._lock:
            run = self._running
            mine = run is not None and game_spec(run.game) == game_spec(game)
            if run is not None and mine and run.game.digest != game.digest:
                self._end()  # of rules that are no more
                failure = "Its rules have changed since it was begun; begin it again."
            elif run is not None and mine:
                failure = run.failure
            playing = run is not None and mine and run.playing
        title = game.card.title or game.name
        heading = f"<h1>Playtest: {escape(title)}</h1>"
        if not path.exists():  # whoever only looks leaves no file behind
            return document(f"Playtest of {title}", heading + _state(playing, failure), _script(playing), HOME)
        test = Playtest(game, self._minutes.get(path, 10.0))
        try:
            playing = playing or test.journal.is_played
            if not test.begun:
                return document(f"Playtest of {title}", heading + _state(playing, failure), _script(playing), HOME)
            report = test.report()
            left = max(test.minutes - test.spent / 60, 0.0)
        finally:
            test.close()
        if playing:
            growing = f"Games are being played; about {left:.0f} minutes left. The page keeps up."
            return page(report, growing=growing, home=HOME)
        report.save_records(library)
        return page(report, link=lambda id: f"/#/game/{id}/analysis", failed=failure, home=HOME)

    def close(self) -> None:
        """End what is running."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        """End what is running: whole deals stay, and the next time goes on from there."""
        self._let_go()
        if self._running is not None:
            process = self._running.process
            if os.name != "posix":
                process.terminate()
            try:
                process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            self._running.errors.close()
            self._running = None

    def _start(self, command: list[str], errors: IO[bytes]) -> subprocess.Popen[bytes]:
        """Our own command, in a group of processes that ends when we do, killed or not."""
        none = subprocess.DEVNULL
        if os.name != "posix":
            return subprocess.Popen(command, stdin=none, stdout=none, stderr=errors)  # noqa: S603 - ourselves
        held, self._held = os.pipe()
        try:
            return subprocess.Popen(  # noqa: S603 - ourselves
                [sys.executable, "-I", "-S", leash.__file__, str(held), *command],
                stdin=none,
                stdout=none,
                stderr=errors,
                pass_fds=(held,),
                start_new_session=True,
            )
        finally:
            os.close(held)

    def _let_go(self) -> None:
        if self._held >= 0:
            os.close(self._held)
            self._held = -1


def kept_at(game: Game) -> Path:
    """Where the games of a playtest with the usual terms are kept."""
    return journal_path(game, 0, 0, 0)


def _played(game: Game) -> bool:
    """Whether another process plays it already."""
    if not kept_at(game).exists():
        return False
    test = Playtest(game)
    try:
        return test.journal.is_played
    finally:
        test.close()


def _state(playing: bool, failure: str) -> str:
    """Why there is no report yet."""
    if playing:
        return f'<p class="growing" data-again="{SOON}">The rules are compiled and checked first.</p>'
    return f'<p class="failed">{escape(failure)}</p>' if failure else "<p>Nobody has begun it yet.</p>"


def _script(playing: bool) -> str:
    return growing_script() if playing else ""
