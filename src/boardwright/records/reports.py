"""Reports of played games, kept beside their records in the library's file.

A report is a JSON object with a `format`; what is in it is whoever's that wrote it. It belongs to the plies that it was
made for: where the record goes on or is taken back, there is none.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from typing import Any

from boardwright.records.library import Library
from boardwright.records.record import Record

LARGEST = 20_000_000  # characters
_TABLE = "CREATE TABLE IF NOT EXISTS reports (id TEXT PRIMARY KEY, plies TEXT NOT NULL, json TEXT NOT NULL)"
_SAVE = "INSERT OR REPLACE INTO reports SELECT ?, ?, ? WHERE EXISTS (SELECT 1 FROM records WHERE id = ?)"


class Reports:
    """The reports in a library's file."""

    def __init__(self, library: Library) -> None:
        self.library = library

    def save(self, record: Record, report: dict[str, Any]) -> None:
        """Keep a report of a record of the library, in place of an older one; of any other record, nothing."""
        text = json.dumps(report, allow_nan=False)
        if len(text) > LARGEST:
            return
        with self.library.writing() as connection:
            connection.execute(_TABLE)
            connection.execute(_SAVE, [record.id, _plies(record), text, record.id])

    def get(self, record: Record, format: int) -> dict[str, Any] | None:
        """The report of these very plies, if one of this format is kept."""
        with self.library.opened() as connection:
            try:
                row = connection.execute("SELECT plies, json FROM reports WHERE id = ?", [record.id]).fetchone()
            except sqlite3.OperationalError as error:
                if "no such table" in str(error):
                    return None
                raise
        if row is None or row[0] != _plies(record):
            return None
        try:
            report = json.loads(row[1])
        except ValueError:
            return None  # damaged: it is made again
        return report if isinstance(report, dict) and report.get("format") == format else None


def _plies(record: Record) -> str:
    return hashlib.sha256("\n".join(record.plies).encode()).hexdigest()[:32]
