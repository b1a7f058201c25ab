"""Playtests from the page: the command runs in a process of its own, and the report is made from what it has kept."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from html import escape

from boardwright.players import leash
from boardwright.playtesting import Playtest
from boardwright.playtesting.page import document, page
from boardwright.records import Library
from boardwright.serve.catalogue import Catalogue
from boardwright.serve.clients import Quota
from boardwright.serve.requests import Refused

MOST_MINUTES = 240.0
MINUTE_BYTES = 1_000_000  # of disk that a minute is counted as: NMBR 9 takes 0.5 MB, Gomoku 3
HOME = "/#/"
END_SECONDS = 10.0  # that a playtest may take to end when the server does
# A report has no scripts, its style is its own, and it loads nothing.
PAGE_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class Playtests:
    """Those of one server: one at a time, as it takes all cores."""

    def __init__(self, catalogue: Catalogue, quota: Quota) -> None:
        self.catalogue, self.quota = catalogue, quota
        self._running: tuple[str, subprocess.Popen[bytes]] | None = None
        self._held = -1  # our end of what ends it, with all its workers, when we do (leash.py)
        self._minutes: dict[str, float] = {}
        self._lock = threading.Lock()

    def begin(self, name: str, minutes: float) -> None:
        """Play, or go on; nothing happens where it is being played already."""
        self.catalogue.describe(name)  # who does not exist is refused
        with self._lock:
            playing = self._playing()
            if playing == name:
                return
            if playing is not None:
                raise Refused(f"{playing} is being playtested; one at a time", 409)
            spec = self.catalogue.specs[name]
            if not self._played_elsewhere(name, minutes):  # else its report grows here too
                command = [sys.executable, "-m", "boardwright", "playtest", spec, "--minutes", f"{minutes:g}"]
                with self.quota.keeping(int(minutes * MINUTE_BYTES)):
                    self._let_go()
                    self._running = name, self._start(command)
            self._minutes[name] = minutes

    def page(self, name: str, library: Library) -> str:
        """The report as it stands; its games to look at are put into the library once all are played."""
        game = self.catalogue.describe(name)
        with self._lock:
            playing = self._playing() == name
        test = Playtest(game, self._minutes.get(name, 10.0))
        try:
            playing = playing or test.journal.is_played
            if not test.begun:
                said = "The rules are compiled and checked first." if playing else "Nobody has begun it yet."
                again = '<meta http-equiv="refresh" content="3">' if playing else ""
                title = game.card.title or game.name
                told = f'<h1>Playtest: {escape(title)}</h1><p class="growing">{said}</p>'
                return document(f"Playtest of {title}", told, again, HOME)
            report = test.report()
            left = max(test.minutes - test.spent / 60, 0.0)
        finally:
            test.close()
        if playing:
            growing = f"Games are being played; about {left:.0f} minutes left. The page keeps up."
            return page(report, growing=growing, home=HOME)
        report.save_records(library)
        return page(report, link=lambda id: f"/#/game/{id}/analysis", home=HOME)

    def close(self) -> None:
        """End what is running: whole deals stay, and the next time goes on from there."""
        with self._lock:
            self._let_go()
            if self._running is not None:
                process = self._running[1]
                if os.name != "posix":
                    process.terminate()
                try:
                    process.wait(END_SECONDS)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()

    def _start(self, command: list[str]) -> subprocess.Popen[bytes]:
        """Our own command, in a group of processes that ends when we do, killed or not."""
        none = subprocess.DEVNULL
        if os.name != "posix":
            return subprocess.Popen(command, stdin=none, stdout=none, stderr=none)  # noqa: S603 - ourselves
        held, self._held = os.pipe()
        try:
            return subprocess.Popen(  # noqa: S603 - ourselves
                [sys.executable, "-I", "-S", leash.__file__, str(held), *command],
                stdin=none,
                stdout=none,
                stderr=none,
                pass_fds=(held,),
                start_new_session=True,
            )
        finally:
            os.close(held)

    def _let_go(self) -> None:
        if self._held >= 0:
            os.close(self._held)
            self._held = -1

    def _played_elsewhere(self, name: str, minutes: float) -> bool:
        """Whether another process, such as the command in a terminal, plays it already."""
        test = Playtest(self.catalogue.describe(name), minutes)
        try:
            return test.journal.is_played
        finally:
            test.close()

    def _playing(self) -> str | None:
        if self._running is not None and self._running[1].poll() is None:
            return self._running[0]
        return None
