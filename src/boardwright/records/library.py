"""The library of played games: one SQLite file, safe to use from many processes at once.

Each call opens the file for itself, so a Library may be shared by threads and survives a fork. A row holds the
whole record as JSON; the columns beside it only serve to find it.
"""

from __future__ import annotations

import json
import re
import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boardwright.contract.errors import InputError
from boardwright.contract.folders import home_folder
from boardwright.records.record import MOST_CHARACTERS, STATUSES, Record, utc

if TYPE_CHECKING:
    from boardwright.contract.game import Game

APPLICATION = 0x42575254  # "BWRT" in the file's header: this database is ours
SCHEMA = 1  # PRAGMA user_version
BUSY_SECONDS = 30.0  # how long to wait for another process that writes
MOST_ROWS = 2**63 - 1  # SQLite knows no larger limit

_TABLES = """
CREATE TABLE records (
    number  INTEGER PRIMARY KEY,       -- order of saving
    id      TEXT NOT NULL UNIQUE,
    game    TEXT NOT NULL,
    players TEXT NOT NULL,             -- JSON
    names   TEXT NOT NULL,             -- the players, folded, one a line: what a search for a player looks at
    started TEXT NOT NULL,             -- UTC, sorts as text
    status  TEXT NOT NULL,
    plies   INTEGER NOT NULL,          -- how many
    scores  TEXT NOT NULL,             -- JSON
    results TEXT NOT NULL,             -- JSON
    json    TEXT NOT NULL              -- the record itself
);
CREATE INDEX by_time ON records (started);
"""
_FIND = """
SELECT id, game, players, started, status, plies, scores, results FROM records
WHERE started >= :since AND (:game IS NULL OR game = :game) AND (:status IS NULL OR status = :status)
    AND (:player IS NULL OR instr(names, :player) > 0)
ORDER BY started DESC, number DESC LIMIT :limit
"""
SAVE = """
INSERT INTO records (id, game, players, names, started, status, plies, scores, results, json)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET game = excluded.game, players = excluded.players, names = excluded.names,
    started = excluded.started, status = excluded.status, plies = excluded.plies, scores = excluded.scores,
    results = excluded.results, json = excluded.json
"""


@dataclass(frozen=True)
class Summary:
    """What a list shows of a record."""

    id: str
    game: str
    players: tuple[str, ...]
    started: str
    status: str
    plies: int  # moves and draws
    scores: tuple[float, ...]
    results: tuple[float, ...] | None


@dataclass(frozen=True)
class ImportReport:
    """What an import did."""

    added: tuple[str, ...]  # ids
    known: tuple[str, ...]  # ids of records that were in the library already, to the letter
    unsealed: int = 0  # how many of those added came without a seal


class Library:
    """The records in one file; it is made when first used."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = (Path(path) if path is not None else home_folder() / "records.sqlite3").expanduser().absolute()

    def save(self, *records: Record) -> None:
        """Put records in, all or none; a record of the same id is replaced. Without a seal it names all options."""
        for record in records:
            record.check_kept()
        with self.writing() as connection:
            connection.executemany(SAVE, map(row_of, records))

    def get(self, id_or_prefix: str) -> Record:
        """The record of that id, or of the only id that begins so."""
        with self.opened() as connection:
            return self._read(*self._one(connection, id_or_prefix))

    def find(
        self,
        *,
        game: str | None = None,
        player: str | None = None,
        status: str | None = None,
        since: str | None = None,
        limit: int | None = 50,
    ) -> list[Summary]:
        """Summaries, newest first. `player` is part of a player's name, in any case; `since` a date or a time."""
        if status is not None and status not in STATUSES:
            raise InputError(f"status {status!r}: a game is one of {', '.join(STATUSES)}")
        if limit is not None and limit < 1:
            raise InputError(f"limit={limit}: a list needs room for at least 1 record")
        wanted = {
            "game": game,
            "player": None if player is None else player.casefold(),
            "status": status,
            "since": "" if since is None else utc("since", since),
            "limit": -1 if limit is None else min(limit, MOST_ROWS),
        }
        with self.opened() as connection:
            return [self._summary(row) for row in connection.execute(_FIND, wanted)]

    def details(self, ids: Sequence[str]) -> dict[str, tuple[dict[str, Any], str]]:
        """The options and the note of these records, by id."""
        marks = ",".join("?" * len(ids))
        what = "SELECT id, json_extract(json, '$.options'), json_extract(json, '$.note') FROM records"
        question = f"{what} WHERE id IN ({marks})"  # only question marks are put in
        with self.opened() as connection:
            return {id: (json.loads(options), note or "") for id, options, note in connection.execute(question, ids)}

    def delete(self, id: str) -> None:
        """Take a record out, named by its id or the beginning of it."""
        with self.writing() as connection:
            full, _ = self._one(connection, id)
            connection.execute("DELETE FROM records WHERE id = ?", [full])
            for beside in ("reports", "people", "exercises"):  # see the files of these names
                if connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [beside]).fetchone():
                    connection.execute(f"DELETE FROM {beside} WHERE id = ?", [full])  # noqa: S608 - our own names

    def export(self, ids: Iterable[str] | None = None) -> Iterator[str]:
        """Records as lines of JSON, without the ends of the lines: those of `ids` in that order, or all, oldest first.
        Every line comes from the library as it was when the first was asked for."""
        with self.opened() as connection:
            connection.execute("BEGIN")
            if ids is None:
                for full, text in connection.execute("SELECT id, json FROM records ORDER BY started, number"):
                    yield self._read(full, text).to_json()
            else:
                for id in ids:
                    yield self._read(*self._one(connection, id)).to_json()

    def import_lines(self, lines: Iterable[str], *, game: Game | None = None) -> ImportReport:
        """Take in records, one a line, each replayed under its rules first; all or none.

        `game` gives the rules of records of a game that is not built in. What is refused is named by its line.
        """
        with tempfile.TemporaryFile("w+", encoding="ascii") as checked:  # not memory: a file may hold gigabytes
            numbers = []
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                try:
                    record = Record.from_json(line)
                    final = record.replay(game if game is not None and game.name == record.game else None)
                    record.check_options(final.game)
                except InputError as error:
                    raise InputError(f"line {number}: {error}") from None
                checked.write(record.to_json() + "\n")
                numbers.append(number)
            if not numbers:
                raise InputError("there are no records in it")
            checked.seek(0)
            return self._take_in(zip(numbers, map(Record.from_json, checked), strict=True), "line")

    def add(self, records: Iterable[Record]) -> ImportReport:
        """Take in records that `replay` accepted, all or none; unlike `save`, never in place of another."""
        return self._take_in(enumerate(records, start=1), "game")

    def _take_in(self, numbered: Iterable[tuple[int, Record]], unit: str) -> ImportReport:
        added, known, unsealed = [], [], 0
        with self.writing() as connection:
            for number, record in numbered:
                record.check_kept()
                found = connection.execute("SELECT json FROM records WHERE id = ?", [record.id]).fetchone()
                if found is None:
                    connection.execute(SAVE, row_of(record))
                    added.append(record.id)
                    unsealed += not record.sealed
                elif found[0] == record.to_json():
                    known.append(record.id)
                else:
                    raise InputError(
                        f"{unit} {number}: the library has another record of id {record.id}; delete that one first, or "
                        "give this one an id of its own"
                    )
        return ImportReport(tuple(added), tuple(known), unsealed)

    # Rows

    def _one(self, connection: sqlite3.Connection, beginning: str) -> tuple[str, str]:
        """The id and the JSON of the only record whose id begins so."""
        beginning = beginning.strip().lower()
        if not re.fullmatch("[0-9a-f]{1,32}", beginning):
            raise InputError(f"{beginning[:40]!r} is no id; ids are of 0-9 a-f: see boardwright records list")
        found = connection.execute(
            "SELECT id, json FROM records WHERE id GLOB ? ORDER BY id LIMIT 4", [beginning + "*"]
        ).fetchall()
        if not found:
            raise InputError(f"no record {beginning} in {self.path}; see boardwright records list")
        if len(found) > 1:
            raise InputError(f"{beginning} begins several ids: {', '.join(row[0] for row in found)}; write more of it")
        return found[0]  # type: ignore[no-any-return]  # SQLite's rows are Any

    def _read(self, id: str, text: str) -> Record:
        try:
            record = Record.from_json(text)
            if record.id != id:
                raise InputError(f"record: it calls itself {record.id}")
            return record
        except InputError as error:
            raise InputError(f"{self.path}: record {id} is damaged: {error}") from None

    def _summary(self, row: tuple[Any, ...]) -> Summary:
        id, game, players, started, status, plies, scores, results = row
        try:
            who, points, got = tuple(json.loads(players)), tuple(json.loads(scores)), json.loads(results)
            return Summary(id, game, who, started, status, plies, points, None if got is None else tuple(got))
        except (ValueError, TypeError):
            raise InputError(f"{self.path}: record {id} is damaged; delete it or restore a copy of the file") from None

    # The file

    @contextmanager
    def opened(self) -> Iterator[sqlite3.Connection]:
        """A connection to the file, which becomes a library if it is not there yet."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot make the folder {self.path.parent}: {error.strerror or error}") from None
        try:
            connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
            try:
                self._make_sure(connection)
                yield connection
            finally:
                connection.close()
        except sqlite3.Error as error:
            raise self.explain(error) from None

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction. The lock is taken at once: a transaction that reads first could not wait for it later.
        Threads of one process wait for each other here: SQLite lets whoever asks at the right moment go first, and of
        a hundred that ask again and again one may not get its turn within BUSY_SECONDS."""
        with _turn_to_write(self.path), self.opened() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                if connection.in_transaction:  # SQLite rolls back by itself when the disk is full
                    connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

    def _make_sure(self, connection: sqlite3.Connection) -> None:
        """That the file is a library of this schema. An empty one becomes it; any other file stays as it is."""
        connection.execute("BEGIN")  # one view of all three, while another process may be making the tables
        kind, schema, tables = _header(connection)
        connection.execute("COMMIT")
        if (kind, schema) == (APPLICATION, SCHEMA):
            return
        if kind == 0 and schema == 0 and tables == 0:
            _use_write_ahead_log(connection)
            connection.execute("BEGIN IMMEDIATE")
            if _header(connection) == (0, 0, 0):  # else another process was faster
                for statement in _TABLES.split(";\n"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {APPLICATION}")
                connection.execute(f"PRAGMA user_version = {SCHEMA}")
            connection.execute("COMMIT")
        elif kind == APPLICATION and schema > SCHEMA:
            newer = f"schema {schema}, this one reads {SCHEMA}"
            raise InputError(f"{self.path} was written by a newer Boardwright ({newer}): update Boardwright")
        else:
            raise InputError(f"{self.path} is a database, but no library of Boardwright; {_MOVE}")

    def explain(self, error: sqlite3.Error) -> InputError:
        """What went wrong with the file, and the cure."""
        kind = getattr(error, "sqlite_errorname", None) or ""
        if kind.startswith("SQLITE_NOTADB"):
            return InputError(f"{self.path} is no library of Boardwright; {_MOVE}")
        if kind.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            return InputError(f"{self.path} was in use by another program for {BUSY_SECONDS:.0f} seconds; try again")
        if kind.startswith("SQLITE_CANTOPEN"):
            return InputError(f"cannot open {self.path}: is it a folder, or not yours to read?")
        if kind.startswith("SQLITE_READONLY"):
            return InputError(f"cannot write to {self.path}: it is read-only; BOARDWRIGHT_HOME may name another folder")
        if kind.startswith("SQLITE_FULL"):
            return InputError(f"cannot write to {self.path}: the disk is full; nothing was saved")
        if kind.startswith("SQLITE_IOERR"):
            return InputError(f"cannot use {self.path}: {error}")
        return InputError(f"{self.path} is damaged ({error}): restore a copy, try sqlite3's .recover, or move it away")


_MOVE = "it is left as it is: move it away, or set BOARDWRIGHT_HOME to another folder"


_writing: dict[Path, threading.Lock] = {}  # of this process, by file


def _turn_to_write(path: Path) -> threading.Lock:
    return _writing.setdefault(path.absolute(), threading.Lock())


def _header(connection: sqlite3.Connection) -> tuple[int, int, int]:
    """Whose database it is, its schema, and how many tables it has."""
    questions = ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master")
    kind, schema, tables = (int(connection.execute(question).fetchone()[0]) for question in questions)
    return kind, schema, tables


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Readers then never wait. SQLite does not wait itself when two processes ask for this at once."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def rows_of(library: Library, question: str, values: Sequence[Any]) -> list[Any]:
    """The rows that answer a question to a table that may not have been made yet: then there are none."""
    with library.opened() as connection:
        try:
            return connection.execute(question, values).fetchall()
        except sqlite3.OperationalError as error:
            if "no such table" in str(error):
                return []
            raise


def row_of(record: Record) -> tuple[Any, ...]:
    told = record.told()
    return (
        record.id,
        record.game,
        told["players"],
        "\n".join(record.players).casefold(),
        record.started,
        record.status,
        len(record.plies),
        told["scores"],
        told["results"],
        record.line_of(told),
    )


def read_lines(path: Path) -> Iterator[str]:
    """The lines of a file of records; a line that could be no record is refused before it fills the memory."""
    try:
        with path.open("rb") as file:
            number = 0
            while line := file.readline(MOST_CHARACTERS + 2):
                number += 1
                if len(line) > MOST_CHARACTERS:
                    raise InputError(f"line {number}: more than {MOST_CHARACTERS:,} bytes; a record is shorter")
                try:
                    yield line.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError:
                    raise InputError(f"line {number}: not text in UTF-8; is it a file of records?") from None
    except OSError as error:
        raise InputError(f"cannot read it: {error.strerror or error}") from None
