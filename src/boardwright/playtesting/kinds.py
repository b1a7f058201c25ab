"""Kinds of moves and of draws: as the game names them, else each move by itself where they are few and no places on a
board, else by the letters of their texts."""

from __future__ import annotations

import re
from typing import Any

from boardwright.contract.game import Game
from boardwright.contract.position import Position

FEW = 24  # kinds; of more, nobody reads a table
_FIELD = re.compile(r"[A-Za-z]\d+")  # a place on a board such as e4
_PLACE = re.compile(r"-?[A-Za-z]?[\d#]+")  # numbers, and places such as e4; # in what was kept


def kind_of_text(text: str) -> str:
    """A move's text with its numbers and places left out; nothing where no word is left."""
    kind = _PLACE.sub("#", text)
    return kind if any(map(str.isalpha, kind)) else ""


def kind_of_outcome(text: str) -> str:
    """Of many outcomes: the text with its place on a board left out, `a4=2` being `2`; the text, where that is all."""
    return _FIELD.sub("", text).strip(" =@:,;-") or text


class Kinds:
    """Names the kinds of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._named = game.writes("move_kind")
        self._by_number: dict[int, str] = {}
        self._drawn: dict[int, str] = {}

    def of_moves(self, position: Position) -> list[str]:
        """The kind of each legal move; an empty text for moves of no kind."""
        game = self.game
        if self._named:
            view = position.view
            return [game.move_kind(view, move) for move in position.moves]
        if game.actions <= FEW:
            names = [self._once(self._by_number, game.move_text, position, move) for move in position.moves]
            return ["" if _FIELD.fullmatch(name) else name for name in names]
        return [kind_of_text(game.move_text(position.view, move)) for move in position.moves]

    def tells(self, kind: str) -> bool:
        """Whether something that was counted as a kind is one."""
        few = self.game.actions <= FEW and not _FIELD.fullmatch(kind)
        return self._named or few or bool(kind_of_text(kind))

    def of_draw(self, position: Position, outcome: int) -> str:
        """The kind of a draw."""
        text = self._once(self._drawn, self.game.outcome_text, position, outcome)
        return text if self.game.outcomes <= FEW else kind_of_outcome(text)

    @staticmethod
    def _once(known: dict[int, str], text: Any, position: Position, number: int) -> str:
        if number not in known:  # a text may tell of the state too: the first that is seen names the move
            known[number] = str(text(position.view, number))
        return known[number]
