"""Azul in words: what those who hear the page are told of displays, pattern lines, walls and floor lines."""

from __future__ import annotations

from typing import Any

from boardwright.games.azul.rules import COLOURS, EMPTY, NOBODY, AzulRules
from boardwright.games.azul.text import PENALTIES

COLOUR_WORDS = {"B": "blue", "Y": "yellow", "R": "red", "D": "dark", "W": "white"}


def tiles_words(count: int, letter: str) -> str:
    """So many tiles of a colour."""
    return f"{count} {COLOUR_WORDS[letter]} tile{'' if count == 1 else 's'}"


def line_words(s: Any, p: int, row: int) -> str:
    """What a pattern line holds."""
    if s.line_colour[p, row] == EMPTY:
        return f"line {row + 1}, empty"
    return f"line {row + 1}, {s.line_fill[p, row]} of {row + 1} {COLOUR_WORDS[COLOURS[s.line_colour[p, row]]]}"


def floor_words(s: Any, p: int) -> str:
    """How many spaces of the floor line are taken, and what they cost."""
    taken = s.floor_fill[p]
    if not taken:
        return "floor line, empty"
    return f"floor line, {taken} taken, minus {sum(PENALTIES[:taken])}"


def wall_words(s: Any, p: int, row: int) -> str:
    """The tiles in a row of the wall."""
    held = [COLOUR_WORDS[COLOURS[(column - row) % 5]] for column in range(5) if s.wall[p, row, column]]
    return f"wall row {row + 1}, {' '.join(held) or 'empty'}"


def board_words(game: AzulRules, s: Any, p: int) -> str:
    """All of a player's board."""
    parts = [f"{s.score[p]} point{'' if s.score[p] == 1 else 's'}"]
    if s.marker == p:
        parts.append("holds the starting marker")
    parts += [line_words(s, p, row) for row in range(5)]
    parts += [wall_words(s, p, row) for row in range(5)]
    return "; ".join([*parts, floor_words(s, p)])


def table_words(game: AzulRules, s: Any) -> list[str]:
    """What lies on each display and in the centre."""
    told = []
    for source in range(game.displays + 1):
        held = [
            tiles_words(s.offer[source, colour], letter)
            for colour, letter in enumerate(COLOURS)
            if s.offer[source, colour]
        ]
        if source == game.displays and s.marker == NOBODY and not s.over:
            held.append("the starting marker")
        name = "centre" if source == game.displays else f"display {source + 1}"
        told.append(f"{name}: {', '.join(held) or 'empty'}")
    return told
