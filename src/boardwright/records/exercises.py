"""Exercises: serious mistakes of a person's own games, which come again until they are found (Leitner's boxes).

An exercise solved goes up a box and comes again after that box's days; one that is missed goes back to the first. They
are made from the reports that are kept with the games: a mistake counts if it surely lost something.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from boardwright.records.library import Library, rows_of
from boardwright.records.people import People

DAYS = (0.007, 1.0, 3.0, 7.0, 16.0, 35.0, 90.0)  # of each box, until an exercise comes again: ten minutes at first
SERIOUS = ("mistake", "blunder")
_TABLE = """CREATE TABLE IF NOT EXISTS exercises
(id TEXT NOT NULL, ply INTEGER NOT NULL, person TEXT NOT NULL, box INTEGER NOT NULL, due TEXT NOT NULL,
PRIMARY KEY (id, ply, person))"""
_TIME = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True)
class Exercise:
    """One mistake to be set right: the position before ply number `ply` of a game."""

    id: str  # of the record
    ply: int  # of the move that was the mistake, from 1
    game: str
    played: str
    best: str
    label: str
    line: tuple[str, ...]
    box: int = 0
    due: str = ""  # UTC; empty: now


class Exercises:
    """The exercises of a library's people."""

    def __init__(self, library: Library) -> None:
        self.library, self.people = library, People(library)

    def of(self, person: str, format: int) -> list[Exercise]:
        """A person's exercises, those that are due longest first; from reports of this format."""
        question = "SELECT ply, id, box, due FROM exercises WHERE person = ?"
        kept = {(id, ply): (box, due) for ply, id, box, due in rows_of(self.library, question, [person])}
        found = []
        for id, seats in self.people.games_of(person).items():
            question = "SELECT reports.json, records.game FROM reports JOIN records USING (id) WHERE id = ?"
            for text, game in rows_of(self.library, question, [id]):
                for event in _mistakes(text, seats, format):
                    box, due = kept.get((id, event["ply"]), (0, ""))
                    line = tuple(event["line"])
                    told = (id, event["ply"], game, event["text"], event["best"], event["label"])
                    found.append(Exercise(*told, line, box, due))
        return sorted(found, key=lambda one: (one.due, one.id, one.ply))

    def answer(
        self, person: str, id: str, ply: int, right: bool, at: datetime | None = None, due: str | None = None
    ) -> tuple[int, str]:
        """Note how it went; the box that it is in now, and when it comes again. due: when it was to come; if that has
        changed since, it has been answered already, and stays as it is."""
        at = at or datetime.now(UTC)
        with self.library.writing() as connection:
            connection.execute(_TABLE)
            key = [id, ply, person]
            question = "SELECT box, due FROM exercises WHERE (id, ply, person) = (?, ?, ?)"
            row: tuple[int, str] | None = connection.execute(question, key).fetchone()
            if row and due is not None and due != row[1]:
                return row
            box = min((row[0] if row else 0) + 1, len(DAYS) - 1) if right else 0
            again = (at + timedelta(days=DAYS[box])).strftime(_TIME)
            connection.execute("INSERT OR REPLACE INTO exercises VALUES (?, ?, ?, ?, ?)", [*key, box, again])
        return box, again


def _mistakes(text: str, seats: list[int], format: int) -> list[dict[str, Any]]:
    """The serious and sure mistakes of some seats, of a report as it is kept."""
    try:
        report = json.loads(text)
        if report["format"] != format:
            return []
        return [
            event
            for event in report["analysis"]["events"]
            if event["kind"] == "move"
            and event["player"] in seats
            and event["label"] in SERIOUS
            and event["loss"] > 0
            and event["low"] > 0
            and event["best"] not in ("", event["text"])
        ]
    except (ValueError, KeyError, TypeError):
        return []  # damaged: the page makes it again
