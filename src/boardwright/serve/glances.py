"""Moves that a player made at a glance, while its game was being prepared: a record says so in its note, by ply."""

from __future__ import annotations

import re

_NOTE = re.compile(r"at a glance: ([\d ]+)")


def glances_in(note: str) -> set[int]:
    """The plies of such moves: how many plies came before each."""
    found = _NOTE.search(note)
    return {int(ply) for ply in found[1].split()} if found else set()


def with_glances(note: str, plies: set[int]) -> str:
    """The note with exactly these, before what else it says."""
    others = "; ".join(part for part in note.split("; ") if not _NOTE.fullmatch(part))
    told = f"at a glance: {' '.join(map(str, sorted(plies)))}" if plies else ""
    return "; ".join(filter(None, [told, others]))
