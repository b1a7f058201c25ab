"""NMBR 9 for people: how moves are written, why one is refused, and what is shown.

Coordinates are column,row, counted right and down from the first tile's corner, or, on a table with edges, from the
table's corner.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from boardwright.games.nmbr9.picture import draw, page
from boardwright.games.nmbr9.rules import Nmbr9Rules
from boardwright.games.nmbr9.text import text_board, why_not
from boardwright.games.nmbr9.tiles import MARGIN, RING, SHAPES, squares

SQUARES = [squares(shape) for shape in SHAPES]


class Nmbr9Look(Nmbr9Rules):
    """How moves are written and the layout shown."""

    move_help = (
        "write turn@column,row: 90@3,-2 is the tile turned by 90 degrees clockwise, its top left corner in "
        "column 3, row -2"
    )
    text_styles = {
        r"\d[⁰]": "bright_black", r"\d[¹]": "cyan", r"\d[²]": "green", r"\d[³]": "yellow", r"\d[⁴⁵⁶⁷⁸⁹]": "bold red",
    }  # fmt: skip

    def move_text(self, s: Any, move: int) -> str:
        shape, row, column = self.placement(s.digit, move)
        y, x = (0, 0) if s.count == 0 and not self.table else self.coordinates(s, int(row), int(column))
        return f"{90 * int(shape % 4)}@{x},{y}"

    def move_note(self, s: Any, move: int) -> str:
        shape, row, column = self.placement(s.digit, move)
        below = 0
        if s.count:
            y, x = self.coordinates(s, int(row), int(column))
            below = len(self.stacks(s).get((y, x + SHAPES[int(shape)][0].index("#")), ()))
        if below == 0:
            return f"the {s.digit} on the table: scores nothing"
        return f"the {s.digit} on level {below}: +{s.digit * below}"

    def move_kind(self, s: Any, move: int) -> str:
        shape, row, column = map(int, self.placement(int(s.digit), move))
        y, x = row, column + SHAPES[shape][0].index("#")  # a square of the top row
        placed = zip(s.number.tolist(), s.turned.tolist(), s.row.tolist(), s.column.tolist(), strict=True)
        below = [
            level
            for (number, turned, top, left), level in zip(placed, s.level.tolist()[: s.count], strict=False)
            if ((y - top) % RING, (x - left) % RING) in SQUARES[4 * number + turned]
        ]
        return f"on level {below[-1] + 1}" if below else "on the table"

    def tally(self, s: Any) -> list[tuple[str, list[float]]]:
        rows = []
        for level in range(s.highest + 1):
            numbers = [int(s.number[k]) for k in range(s.count) if s.level[k] == level]
            words = " + ".join(map(str, numbers))
            summed = f"({words})" if len(numbers) > 1 else words
            told = f"level {level}: {summed} × {level}" if level else f"on the table: {words}"
            rows.append((told, [float(level * sum(numbers))]))
        return rows

    def coordinates(self, s: Any, row: int, column: int) -> tuple[int, int]:
        """Row and column as people count them, of a square of the layout or beside it."""
        if self.table:
            return row, column
        y, x = (row - s.top) % RING, (column - s.start_column) % RING
        y, x = y - RING * (y > RING - MARGIN), x - RING * (x > RING - MARGIN)
        return y - (s.row[0] - s.top) % RING, x - (s.column[0] - s.start_column) % RING

    def stacks(self, s: Any) -> dict[tuple[int, int], list[int]]:
        """The tiles on each square, from the table up: {(row, column) as people count: places in the order of play}."""
        top, left = self.coordinates(s, s.top, s.start_column) if s.count else (0, 0)
        found: dict[tuple[int, int], list[int]] = {}
        for k in range(s.count):
            for y, x in squares(SHAPES[4 * s.number[k] + s.turned[k]]):
                square = top + (s.row[k] - s.top) % RING + y, left + (s.column[k] - s.start_column) % RING + x
                found.setdefault(square, []).append(k)
        return found

    def explain(self, s: Any, text: str) -> str:
        return why_not(self, s, text)

    def board(self, s: Any) -> str:
        return text_board(self, s)

    def svg(self, s: Any) -> str:
        return draw(self, s)

    def page(self, s: Any, moves: Mapping[int, str], narrow: bool) -> dict[str, Any]:
        return page(self, s, moves, narrow)
