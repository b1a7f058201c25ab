"""Patterns, symmetries and the grid they lie on, all of them data; and how a table is laid out.

A pattern names cells of a grid. What stands on these cells, read as digits, is the index of one number in the
pattern's table. A position's value is the sum of these numbers over all patterns and over all symmetric images of the
position, which share their tables (Jaskowski 2018, "Mastering 2048 with delayed temporal coherence learning ...",
sections III.B and IV).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
MOST_ENTRIES = 1 << 30

# Cells as single digits where the board has no more than 36 of them. For 4x4 boards, cell 0 the top left one.
NAMED = {
    "4x6": "012345 456789 012456 45689a",
    "8x6": "012456 456789 012345 234569 01259a 345678 134567 01489a",
    "4x5": "01234 45678 01245 45689",
    "5x4": "0123 4567 0145 1256 569a",
}


@dataclass(frozen=True)
class Grid:
    """Where a game's cells are: `field` of its state, cell number c (row by row) at index places[c] of it, holding
    0 .. values-1 (what is larger counts as the largest)."""

    field: str
    rows: int
    columns: int
    values: int
    places: tuple[int, ...]


def grid_of(game: Game) -> Grid:
    """The game's grid, as its property `grid` says it: {"field", "rows", "columns", "values", "places"}."""
    told = getattr(game, "grid", None)
    if told is not None:
        return Grid(
            str(told["field"]), int(told["rows"]), int(told["columns"]), int(told["values"]),
            tuple(int(place) for place in told["places"]),
        )  # fmt: skip
    raise InputError(
        f"{game.name}: it says nothing of a grid, which n-tuple tables need; "
        'give the game a property `grid`: {"field": "cells", "rows": 3, "columns": 3, "values": 3, "places": range(9)}'
    )


def images_of(grid: Grid) -> npt.NDArray[np.int64]:
    """[image, cell]: the cell of the position that stands on `cell` in the image. 8 images of a square, 4 of another
    rectangle; the first is the position itself."""
    cells = np.arange(grid.rows * grid.columns).reshape(grid.rows, grid.columns)
    images = []
    for image in range(8 if grid.rows == grid.columns else 4):
        turned = cells[::-1] if image & 1 else cells
        turned = turned[:, ::-1] if image & 2 else turned
        images.append((turned.T if image & 4 else turned).reshape(-1))
    return np.array(images)


def read_patterns(text: str, grid: Grid) -> tuple[tuple[int, ...], ...]:
    """`4x6`, or parts joined by +: `lines4+all-2x3`, `012345+456789` (digits and letters), `0.1.12+12.13.14`.

    linesK: every K cells in a row; all-RxC: every rectangle of R rows and C columns; of symmetric ones, one.
    """
    named = NAMED.get(text)
    if named is not None and (grid.rows, grid.columns) != (4, 4):
        raise InputError(f"patterns={text} are for a board of 4x4, not {grid.rows}x{grid.columns}")
    found: list[tuple[int, ...]] = []
    for part in (named or text).replace("+", " ").replace("_", " ").split():
        if part.startswith("lines") and part[5:].isdigit():
            found += _lines(grid, int(part[5:]))
        elif part.startswith("all-"):
            found += _rectangles(grid, part)
        else:
            found.append(_cells(part))
    patterns = _distinct(found, grid) if named is None else found
    area = grid.rows * grid.columns
    for pattern in patterns:
        if len(set(pattern)) != len(pattern) or not pattern or max(pattern) >= area:
            raise InputError(f"patterns={text}: {pattern} is no set of different cells below {area}")
    if not patterns:
        raise InputError(
            f"patterns={text} names none; there are {', '.join(NAMED)}, linesK, all-RxC, or cells: 0123+4567"
        )
    if sum(float(grid.values) ** len(pattern) for pattern in patterns) > MOST_ENTRIES:
        raise InputError(
            f"patterns={text} needs a table of more than {MOST_ENTRIES:,} numbers; choose smaller patterns"
        )
    return tuple(patterns)


def _cells(word: str) -> tuple[int, ...]:
    try:
        if "." in word:
            return tuple(int(part) for part in word.split("."))
        return tuple(DIGITS.index(digit) for digit in word.lower())
    except ValueError:
        raise InputError(
            f"patterns: {word!r} is no pattern; name cells by digits, 0145, or by numbers, 0.1.12.13"
        ) from None


def _lines(grid: Grid, length: int) -> list[tuple[int, ...]]:
    found = []
    for row in range(grid.rows):
        for column in range(grid.columns):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + k * down, column + k * right) for k in range(length)]
                if all(0 <= r < grid.rows and 0 <= c < grid.columns for r, c in cells):
                    found.append(tuple(r * grid.columns + c for r, c in cells))
    return found


def _rectangles(grid: Grid, text: str) -> list[tuple[int, ...]]:
    height, _, width = text.removeprefix("all-").partition("x")
    if not (height.isdigit() and width.isdigit()):
        raise InputError(f"patterns={text}: write all-RxC, such as all-2x3")
    found = []
    for high, wide in {(int(height), int(width)), (int(width), int(height))}:
        for row in range(grid.rows - high + 1):
            for column in range(grid.columns - wide + 1):
                found.append(tuple((row + r) * grid.columns + column + c for r in range(high) for c in range(wide)))
    return sorted(found)


def _distinct(patterns: list[tuple[int, ...]], grid: Grid) -> list[tuple[int, ...]]:
    """One pattern of those that are images of each other: their tables would be shared anyhow."""
    images = images_of(grid)
    if any(max(pattern, default=0) >= images.shape[1] for pattern in patterns):
        return patterns
    kept: dict[frozenset[int], tuple[int, ...]] = {}
    for pattern in patterns:
        alike = [frozenset(image[list(pattern)].tolist()) for image in images]
        if not any(one in kept for one in alike):
            kept[frozenset(pattern)] = pattern
    return list(kept.values())


def sizes_of(patterns: tuple[tuple[int, ...], ...], values: int) -> list[int]:
    """How many numbers each pattern's table has."""
    return [values ** len(pattern) for pattern in patterns]


def state_reader(grid: Grid, dtype: np.dtype[Any]) -> str:
    """The source of `cell(self, s, c)`: what stands on cell c."""
    shape = dtype[grid.field].shape
    if len(shape) == 2:
        access = f"s.{grid.field}[self.places[c] // {shape[1]}, self.places[c] % {shape[1]}]"
    else:
        access = f"s.{grid.field}[self.places[c]]"
    return f"def cell(self, s, c):\n    return min({access}, {grid.values - 1})"
