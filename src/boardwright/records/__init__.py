"""Records: what was played, as versioned JSON, in a library of SQLite, and as SGF for games of lines."""

from boardwright.records.library import ImportReport, Library, Summary
from boardwright.records.record import Record

__all__ = ["ImportReport", "Library", "Record", "Summary"]
