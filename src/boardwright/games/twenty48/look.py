"""2048 for people: how moves are written, why one is refused, and what is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import boardwright as bw
from boardwright.games.twenty48.picture import draw, merges, page
from boardwright.games.twenty48.rules import LETTERS, SlidingRules

DIRECTIONS = ("up", "right", "down", "left")


class SlidingLook(SlidingRules):
    """Moves by the way they go; the text board; what is worth counting at the end."""

    move_help = "a move is up, right, down or left"
    text_styles = {
        r"\b(8|16|32|64)\b": "yellow",
        r"\b(128|256|512)\b": "bold yellow",
        r"\b\d{4,}\b": "bold red",
        r"[-+|]": "dim",
    }

    def move_text(self, s: Any, move: int) -> str:
        return DIRECTIONS[move]

    def move_note(self, s: Any, move: int) -> str:
        made = merges(self, s, move)
        if not made:
            return "merges nothing"
        named = " and ".join(f"two {tile // 2:,}s" for tile in sorted(made, reverse=True))
        return f"merges {named if len(made) < 3 else f'{len(made)} pairs'}: +{sum(made):,}"

    def cell_name(self, cell: int) -> str:
        return f"{LETTERS[cell % self.size]}{self.size - cell // self.size}"

    def outcome_text(self, s: Any, outcome: int) -> str:
        return f"{self.cell_name(outcome // 2)}={2 + 2 * (outcome % 2)}"

    def explain(self, s: Any, text: str) -> str:
        direction = text.lower()
        return f"no tile can go {direction}" if direction in DIRECTIONS else "moves are up, right, down, left"

    def board(self, s: Any) -> str:
        width = max(6, *(len(str(2**tile)) + 2 for tile in s.cells))
        rule = "  +" + ("-" * width + "+") * self.size
        lines = [f"    score {s.score:,}", rule]
        for row in range(self.size):
            tiles = [s.cells[row * self.size + column] for column in range(self.size)]
            cells = "|".join(f"{2**tile if tile else '':^{width}}" for tile in tiles)
            lines += [f"{self.size - row} |{cells}|", rule]
        lines += ["   " + " ".join(f"{letter:^{width}}" for letter in LETTERS[: self.size]), "", self.status(s)]
        return "\n".join(line.rstrip() for line in lines)

    def status(self, s: Any) -> str:
        """What comes next, in words."""
        if s.actor == bw.OVER:
            return f"Over: nothing moves any more; {s.score:,} points"
        if s.actor == bw.CHANCE:
            return "A new tile comes"
        ways = self.ways(s)
        return "You can slide " + ", ".join(name for way, name in enumerate(DIRECTIONS) if ways >> way & 1)

    def svg(self, s: Any) -> str:
        return draw(self, s)

    def page(self, s: Any, moves: Mapping[int, str], narrow: bool) -> dict[str, Any]:
        return page(self, s, moves, narrow)

    def marks(self, s: Any) -> dict[str, float]:
        return {"largest tile": float(2 ** max(s.cells))}
