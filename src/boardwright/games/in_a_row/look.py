"""Stones in a row for people: how moves are written, why one is refused, and what is shown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from boardwright.games.in_a_row.picture import draw, page
from boardwright.games.in_a_row.rules import EMPTY, LETTERS, LineRules

COUNT_WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


class LineLook(LineRules):
    """Cells by letter and number; the text board; `picture` says how `svg` draws it, "paper" or "wood"."""

    move_help = "a move is a column letter and a row number from the bottom, such as b2"
    text_styles = {r"\bX\b": "bold red", r"\bO\b": "bold cyan", r"[()]": "bold yellow", r"\.": "dim"}
    picture = "paper"

    def cell_name(self, cell: int) -> str:
        return f"{LETTERS[cell % self.columns]}{self.height - cell // self.columns}"

    def move_text(self, s: Any, move: int) -> str:
        return self.cell_name(move)

    def move_note(self, s: Any, move: int) -> str:
        point, stone = self.point(move), self.turn(s) + 1
        if s.wins[point] & stone:
            return f"wins: {COUNT_WORDS[self.line]} in a row" if self.line < len(COUNT_WORDS) else "wins"
        if s.wins[point]:
            return "stops the other's line"
        longest, ends = 1, 0
        for step in self.steps:
            ahead, behind = self.run(s, point, step, stone), self.run(s, point, -step, stone)
            open_ends = (s.cells[point + (ahead + 1) * step] == EMPTY) + (s.cells[point - (behind + 1) * step] == EMPTY)
            longest, ends = max((longest, ends), (ahead + behind + 1, open_ends))
        if not 1 < longest < len(COUNT_WORDS):
            return ""
        name = COUNT_WORDS[longest]
        return f"makes an open {name}" if ends == 2 and longest > 2 else f"makes {name} in a row"

    def move_kind(self, s: Any, move: int) -> str:
        """Where on the board: in a corner, at the edge, in the middle third each way, or between."""
        row, column = divmod(move, self.columns)
        borders = (row in (0, self.height - 1)) + (column in (0, self.columns - 1))
        if borders:
            return "corner" if borders == 2 else "edge"
        middle = all(
            3 * at >= size - 1 and 3 * at <= 2 * (size - 1) for at, size in ((row, self.height), (column, self.columns))
        )
        return "centre" if middle else "between edge and centre"

    def explain(self, s: Any, text: str) -> str:
        found = re.fullmatch(r"([a-z])0*(\d{1,3})", text.lower())
        if not found:
            return ""
        column, row = ord(found[1]) - ord("a"), int(found[2])
        if column >= self.columns:
            return f"no column {found[1]}; columns are a to {LETTERS[self.columns - 1]}"
        if not 1 <= row <= self.height:
            return f"no row {row}; rows are 1 to {self.height}"
        taken = s.cells[self.point((self.height - row) * self.columns + column)]
        return f"{'XO'[taken - 1]} has {found[1]}{row}" if taken else f"write it {found[1]}{row}"

    def last_cell(self, s: Any) -> int:
        """The cell of the latest stone, -1 before the first."""
        return s.order[s.left] if s.left < self.actions else -1

    def winning_cells(self, s: Any) -> list[int]:
        """The cells of the line, or lines, that won."""
        cells: set[int] = set()
        last = self.point(self.last_cell(s))
        for step in self.steps if s.winner else ():
            ahead, behind = self.run(s, last, step, s.winner), self.run(s, last, -step, s.winner)
            if self.enough(behind + 1 + ahead):
                cells.update(last + i * step for i in range(-behind, ahead + 1))
        return [cell for cell in range(self.actions) if self.point(cell) in cells]

    def board(self, s: Any) -> str:
        margin = len(str(self.height))
        lines, last = [], self.last_cell(s)
        for row in range(self.height):
            text = f"{self.height - row:>{margin}} "
            for cell in range(row * self.columns, (row + 1) * self.columns):
                stone = ".XO"[s.cells[self.point(cell)]]
                text += f"({stone})" if cell == last else stone if text.endswith(")") else f" {stone}"
            lines.append(text)
        lines.append(" " * (margin + 2) + " ".join(LETTERS[: self.columns]))
        return "\n".join([*lines, "", self.status(s)])

    def status(self, s: Any) -> str:
        """Who moves or who won, in words."""
        if s.winner:
            return f"{'XO'[s.winner - 1]} wins: {' '.join(map(self.cell_name, self.winning_cells(s)))}"
        return f"{'XO'[self.turn(s)]} to move" if s.left else "A draw"

    def svg(self, s: Any) -> str:
        return draw(self, s)

    def page(self, s: Any, moves: Mapping[int, str], narrow: bool) -> dict[str, Any]:
        return page(self, s, moves, narrow)
