"""Azul for people: how moves are written, why one is refused, and what is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from boardwright.games.azul.picture import draw, page
from boardwright.games.azul.preview import preview, tally
from boardwright.games.azul.rules import COLOURS, EMPTY, FLOOR, AzulRules
from boardwright.games.azul.text import text_board


class AzulLook(AzulRules):
    """How moves are written and boards shown."""

    move_help = "source (a display or C), colour (B Y R D W), line (1-5 or F for the floor), such as 5B2 or CWF"
    text_styles = {
        r"(?<![A-Za-z])B(?![A-Za-z])": "bold bright_white on blue",
        r"(?<![A-Za-z])Y(?![A-Za-z])": "bold black on yellow",
        r"(?<![A-Za-z])R(?![A-Za-z])": "bold bright_white on red",
        r"(?<![A-Za-z])D(?![A-Za-z])": "bold bright_white on grey23",
        r"(?<![A-Za-z])W(?![A-Za-z])": "bold black on bright_cyan",
        r"(?<![A-Za-z])M(?![A-Za-z])": "bold yellow",
        r"(?<![A-Za-z])[byrdw](?![A-Za-z])": "dim",
        r"(?m)^> .*?points|(?<=   )> .*?points": "bold",
    }

    def move_text(self, s: Any, move: int) -> str:
        return self.source_text(move // 30) + COLOURS[move // 6 % 5] + "12345F"[move % 6]

    def move_kind(self, s: Any, move: int) -> str:
        line = move % 6
        source = "centre" if move // 30 == self.displays else "display"
        return f"{source} to {'floor' if line == 5 else f'line {line + 1}'}"

    def source_text(self, source: int) -> str:
        return "C" if source == self.displays else str(source + 1)

    def move_note(self, s: Any, move: int) -> str:
        return str(preview(self, s, move)["words"])

    def tally(self, s: Any) -> list[tuple[str, list[float]]]:
        return tally(self, s)

    def outcome_text(self, s: Any, outcome: int) -> str:
        return COLOURS[outcome]

    def explain(self, s: Any, text: str) -> str:
        text = text.upper()
        sources = "".join(self.source_text(source) for source in range(self.displays + 1))
        if s.over or len(text) != 3:
            return "the game is over" if s.over else f"write {self.move_help}"
        if text[0] not in sources:
            return f"no source {text[0]}; sources are 1 to {self.displays} and C"
        if text[1] not in COLOURS:
            return f"no colour {text[1]}; colours are {' '.join(COLOURS)}"
        if text[2] not in "12345F":
            return f"no line {text[2]}; lines are 1 to 5 and F (the floor)"
        source, colour, line = sources.index(text[0]), COLOURS.index(text[1]), "12345F".index(text[2])
        if s.offer[source, colour] == 0:
            return f"{'the centre' if text[0] == 'C' else f'display {text[0]}'} holds no {text[1]}"
        if line == FLOOR:
            return ""
        if s.line_fill[s.turn, line] == line + 1:
            return f"line {line + 1} is full"
        if s.line_colour[s.turn, line] not in (EMPTY, colour):
            return f"line {line + 1} holds {COLOURS[s.line_colour[s.turn, line]]} already"
        if s.wall[s.turn, line, (colour + line) % 5]:
            return f"the wall's row {line + 1} has {text[1]} already"
        return ""

    def board(self, s: Any) -> str:
        return text_board(self, s)

    def svg(self, s: Any) -> str:
        return draw(self, s)

    def page(self, s: Any, moves: Mapping[int, str], narrow: bool) -> dict[str, Any]:
        return page(self, s, moves, narrow)

    def spots(self, player: int, move: int) -> list[str]:
        """Where the picture shows a move that was made: the source, and the line of who made it."""
        return [f"from {move // 30}", f"{player} line {move % 6}"]
