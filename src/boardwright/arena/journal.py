"""Where the games of matches are kept: records in the library and, in a table beside them, what players told.

The records are the truth about what was played; a record without an entry beside it counts like any other.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack

from boardwright.arena.referee import Played
from boardwright.records import Library, Record
from boardwright.records.library import SAVE, row_of
from boardwright.records.long_lists import as_json, list_as_json

AT_ONCE = 500  # ids in one question
LISTS = ("movers", "simulations", "values")  # of a game that was played: an entry a move
_TABLE = "CREATE TABLE IF NOT EXISTS told (id TEXT PRIMARY KEY, json TEXT NOT NULL)"


class Journal:
    """Saves and finds played games. Its file stays open until `close`: SQLite tidies up, and waits for the disk, when
    the last connection goes, which would take longer than many a game."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._stack = ExitStack()
        self._connection: sqlite3.Connection | None = None

    def save(self, *games: Played) -> None:
        """All in one transaction: whatever happens, a game is there wholly or not at all."""
        told = [(one.record.id, _told(one)) for one in games]
        rows = [row_of(one.record) for one in games]
        connection = self._open()
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT OR REPLACE INTO told (id, json) VALUES (?, ?)", told)
            connection.executemany(SAVE, rows)
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            self.close()  # and with it what was not committed
            raise self.library.explain(error) from None

    def close(self) -> None:
        self._connection = None
        self._stack.close()

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = self._stack.enter_context(self.library.opened())
            # A commit then reaches the system, not yet the disk: it outlives the process, if not the power.
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.execute(_TABLE)
        return self._connection

    def find(self, ids: Sequence[str]) -> Iterator[Played]:
        """Those games of `ids` that have been played, in any order."""
        if not self.library.path.exists():
            return
        connection = self._open()
        for start in range(0, len(ids), AT_ONCE):
            yield from self._find(connection, list(ids[start : start + AT_ONCE]))

    def _find(self, connection: sqlite3.Connection, ids: list[str]) -> Iterator[Played]:
        marks = ",".join("?" * len(ids))
        kept = "SELECT records.json, told.json FROM records LEFT JOIN told USING (id)"
        question = f"{kept} WHERE records.id IN ({marks})"  # only question marks are put in
        for text, told in connection.execute(question, ids):
            record = Record.from_json(text)
            if record.status == "unfinished":
                continue
            if told:
                extra = json.loads(told)
                lists = {name: tuple(extra[name]) for name in LISTS}
                yield Played(record, forfeit=extra["forfeit"], marks=extra["marks"], **lists)
            else:  # it came from another library
                results = record.results or ()
                yield Played(record, forfeit=results.index(min(results)) if record.status == "forfeit" else -1)


def _told(played: Played) -> str:
    """What is kept beside the record, as JSON."""
    lists = ", ".join(f'"{name}": {list_as_json(getattr(played, name))}' for name in LISTS)
    return f'{{"forfeit": {played.forfeit}, "marks": {as_json(played.marks)}, {lists}}}'
