"""Which person sat where: kept beside the records in the library's file, as a record tells only that it was a human.

A person is whoever keeps a secret of 32 digits, such as a browser; the name is what they call themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from boardwright.records.library import Library, rows_of

LONGEST_NAME = 40
_TABLE = """CREATE TABLE IF NOT EXISTS people
(id TEXT NOT NULL, seat INTEGER NOT NULL, person TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (id, seat))"""
_SIT = "INSERT OR REPLACE INTO people SELECT ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM records WHERE id = ?)"


@dataclass(frozen=True)
class Sitter:
    """Who sat at a seat of a game."""

    id: str  # of the record
    seat: int
    person: str
    name: str


class People:
    """The people of a library's games."""

    def __init__(self, library: Library) -> None:
        self.library = library

    def sit(self, id: str, seats: Iterable[int], person: str, name: str) -> None:
        """These seats of a game are this person's."""
        with self.library.writing() as connection:
            connection.execute(_TABLE)
            connection.executemany(_SIT, [(id, seat, person, name, id) for seat in seats])

    def rename(self, person: str, name: str) -> None:
        """What a person is called from now on, in games of the past too."""
        with self.library.writing() as connection:
            connection.execute(_TABLE)
            connection.execute("UPDATE people SET name = ? WHERE person = ?", [name, person])

    def at(self, ids: Sequence[str]) -> dict[str, list[Sitter]]:
        """Who sat at these games."""
        marks = ",".join("?" * len(ids))
        found: dict[str, list[Sitter]] = {}
        what = "SELECT id, seat, person, name FROM people"
        question = f"{what} WHERE id IN ({marks})"  # only question marks are put in
        for row in rows_of(self.library, question, ids):
            found.setdefault(row[0], []).append(Sitter(*row))
        return found

    def games_of(self, person: str) -> dict[str, list[int]]:
        """The seats of a person, by game."""
        found: dict[str, list[int]] = {}
        for id, seat in rows_of(self.library, "SELECT id, seat FROM people WHERE person = ?", [person]):
            found.setdefault(id, []).append(seat)
        return found
