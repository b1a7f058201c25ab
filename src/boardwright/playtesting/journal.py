"""Where the games of a playtest are kept: one SQLite file for each game, options, seed and version of the players."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

from boardwright.arena.pairing import code_digest
from boardwright.contract.errors import InputError
from boardwright.contract.folders import home_folder
from boardwright.contract.game import Game
from boardwright.playtesting.trace import Trace

FORMAT = 1  # of what is kept
FOLDER = "playtests"
_TABLES = """
CREATE TABLE IF NOT EXISTS games (id TEXT PRIMARY KEY, json TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, json TEXT NOT NULL);
"""


def journal_path(game: Game, seed: int, *terms: object) -> Path:
    """The file of a playtest: the same question, the same file."""
    key = json.dumps([FORMAT, game.name, game.options, game.digest, seed, code_digest(), *terms], default=str)
    return home_folder() / FOLDER / f"{game.name}-{hashlib.sha256(key.encode()).hexdigest()[:12]}.sqlite"


class Journal:
    """Saves and finds the games of one playtest; a deal is there wholly or not at all."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._alone: sqlite3.Connection | None = None  # what keeps others from playing
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._open = sqlite3.connect(path, timeout=30.0, isolation_level=None, check_same_thread=False)
            self._open.execute("PRAGMA journal_mode = WAL")
            self._open.execute("PRAGMA synchronous = NORMAL")
            self._open.executescript(_TABLES)
        except (sqlite3.Error, OSError) as error:
            raise InputError(f"cannot keep the games of the playtest in {path}: {error}") from None

    def play_alone(self) -> None:
        """Refuse where another process plays this playtest; until `let_others`, or until this process ends, however
        it ends."""
        lock = sqlite3.connect(self.path.with_suffix(".lock"), timeout=0.0, isolation_level=None)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            lock.close()
            if "locked" in str(error):
                raise InputError(
                    f"another process is playing {self.path}; wait until it has ended, or choose another --seed"
                ) from None
            raise InputError(f"cannot keep the games of the playtest in {self.path}: {error}") from None
        self._alone = lock

    def let_others(self) -> None:
        if self._alone is not None:
            self._alone.close()
            self._alone = None

    @property
    def is_played(self) -> bool:
        """Whether somebody is playing it now."""
        if self._alone is not None:
            return True
        try:
            self.play_alone()
        except InputError:
            return True
        self.let_others()
        return False

    def save(self, games: Sequence[Trace], spent: float) -> None:
        """Whole deals, and how many seconds were played in all by now."""
        self._write(
            [("INSERT OR REPLACE INTO games VALUES (?, ?)", [(one.id, one.to_json()) for one in games]), self._noted(
                "spent", spent
            )]
        )  # fmt: skip

    def note(self, name: str, value: object) -> None:
        """Keep a fact of the playtest."""
        self._write([self._noted(name, value)])

    def noted(self, name: str) -> object:
        row = self._open.execute("SELECT json FROM notes WHERE name = ?", (name,)).fetchone()
        return json.loads(row[0]) if row else None

    def games(self) -> Iterator[Trace]:
        for (text,) in self._open.execute("SELECT json FROM games"):
            yield Trace.from_json(text)

    def close(self) -> None:
        self.let_others()
        self._open.close()

    @staticmethod
    def _noted(name: str, value: object) -> tuple[str, list[tuple[str, str]]]:
        return "INSERT OR REPLACE INTO notes VALUES (?, ?)", [(name, json.dumps(value))]

    def _write(self, orders: list[tuple[str, list[tuple[str, str]]]]) -> None:
        try:
            self._open.execute("BEGIN IMMEDIATE")
            for order, rows in orders:
                self._open.executemany(order, rows)
            self._open.execute("COMMIT")
        except sqlite3.Error as error:
            raise InputError(f"cannot keep the games of the playtest in {self.path}: {error}") from None
