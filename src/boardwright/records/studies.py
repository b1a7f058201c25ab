"""Studies: a position and what was tried from there, with branches and comments, kept in the library's file.

A study changes no game and no record. Its nodes are a tree: node 0 is the position, each other one a move or a draw
after its parent, which comes before it in the list.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import uuid4

from boardwright.contract.errors import InputError
from boardwright.records.library import Library, rows_of
from boardwright.records.record import now

MOST_NODES = 3000
LONGEST_COMMENT, LONGEST_TITLE = 4000, 100
LARGEST = 1_000_000  # characters
_TABLE = """CREATE TABLE IF NOT EXISTS studies
(id TEXT PRIMARY KEY, person TEXT NOT NULL, title TEXT NOT NULL, game TEXT NOT NULL, changed TEXT NOT NULL,
version INTEGER NOT NULL, json TEXT NOT NULL)"""


@dataclass(frozen=True)
class Study:
    """One study. `position` is as `Position.to_json` writes it; `table` and `ply` say where it was taken from."""

    position: dict[str, Any]
    nodes: list[dict[str, Any]]  # each {"parent", "text", "by", "comment"}
    title: str = ""
    person: str = ""  # who made it
    table: str = ""  # id of a record; empty: from elsewhere
    ply: int = 0
    id: str = field(default_factory=lambda: uuid4().hex)
    version: int = 0  # changes so far
    changed: str = ""

    @property
    def game(self) -> str:
        return str(self.position.get("game", ""))

    @property
    def text(self) -> str:
        """As it is kept."""
        return json.dumps(asdict(self), allow_nan=False)


def check_nodes(nodes: Any) -> list[dict[str, Any]]:
    """Nodes from outside, as they are kept; refused with the reason if they are no tree."""
    if not isinstance(nodes, list) or not 1 <= len(nodes) <= MOST_NODES:
        raise InputError(f"a study has 1 to {MOST_NODES:,} nodes")
    checked = []
    for number, node in enumerate(nodes):
        if not isinstance(node, dict) or set(node) - {"parent", "text", "by", "comment"}:
            raise InputError(f"node {number} of the study: give parent, text, by and comment")
        parent, by = node.get("parent"), node.get("by")
        text, comment = node.get("text", ""), node.get("comment", "")
        right = -1 if number == 0 else 0
        if type(parent) is not int or not right <= parent < max(number, 0):
            raise InputError(f"node {number} of the study: its parent must come before it")
        if type(by) is not int or not -9 <= by < 64 or not isinstance(text, str) or not len(text) <= 200:
            raise InputError(f"node {number} of the study: text of up to 200 characters, and by, a seat or below 0")
        if not isinstance(comment, str) or len(comment) > LONGEST_COMMENT:
            raise InputError(f"node {number} of the study: a comment has up to {LONGEST_COMMENT:,} characters")
        checked.append({"parent": parent, "text": text, "by": by, "comment": comment})
    return checked


class Studies:
    """The studies in a library's file."""

    def __init__(self, library: Library) -> None:
        self.library = library

    def save(self, study: Study, expected: int | None = None) -> Study:
        """Keep a study in place of the one of its id, which must be of version `expected`; None: it is new."""
        saved = Study(**{**asdict(study), "version": study.version + 1, "changed": now()})
        text = saved.text
        if len(text) > LARGEST:
            raise InputError(f"a study of {len(text):,} characters is too large; {LARGEST:,} are kept")
        with self.library.writing() as connection:
            connection.execute(_TABLE)
            row = connection.execute("SELECT version FROM studies WHERE id = ?", [study.id]).fetchone()
            if (row[0] if row else None) != expected:
                raise InputError("the study was changed or deleted elsewhere; reload it")
            values = [saved.id, saved.person, saved.title, saved.game, saved.changed, saved.version, text]
            connection.execute("INSERT OR REPLACE INTO studies VALUES (?, ?, ?, ?, ?, ?, ?)", values)
        return saved

    def get(self, id: str) -> Study:
        found = self.find(id)
        if found is None:
            raise InputError("no such study; it may have been deleted")
        return found

    def find(self, id: str) -> Study | None:
        rows = rows_of(self.library, "SELECT json FROM studies WHERE id = ?", [id])
        if not rows:
            return None
        try:
            return Study(**json.loads(rows[0][0]))
        except (ValueError, TypeError):
            raise InputError(f"{self.library.path}: study {id} is damaged") from None

    def newest(self, limit: int = 100) -> list[dict[str, str]]:
        """Title, game and time of each, the one that was changed last first."""
        question = "SELECT id, person, title, game, changed FROM studies ORDER BY changed DESC, id LIMIT ?"
        names = ("id", "person", "title", "game", "changed")
        return [dict(zip(names, row, strict=True)) for row in rows_of(self.library, question, [limit])]

    def delete(self, id: str) -> None:
        self.get(id)
        with self.library.writing() as connection:
            connection.execute("DELETE FROM studies WHERE id = ?", [id])
