"""Check what people and files get: names of moves and outcomes, JSON, the board as text, the picture."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from boardwright.contract.cells import read_cells
from boardwright.contract.errors import RuleError
from boardwright.contract.game import Game
from boardwright.contract.position import Position


def check_texts(game: Game, position: Position, at: str) -> None:
    """Raise RuleError where a text is none, or names two moves, or does not lead back to the position."""
    method = "outcome_text" if position.is_chance else "move_text"
    texts: dict[str, int] = {}
    for number, text in position.texts.items():
        if not isinstance(text, str) or not text or text != text.strip() or text.startswith("~") or "\n" in text:
            raise RuleError(
                f"{game.name}.{method}: {text!r} for {number} {at}; "
                "write one line of text, without blanks round it or a leading ~"
            )
        if text in texts:
            raise RuleError(
                f"{game.name}.{method}: {texts[text]} and {number} are both {text!r} {at}; each needs a name of its own"
            )
        texts[text] = number
    for move in position.moves:
        note = game.move_note(position.view, move)
        if not isinstance(note, str) or "\n" in note:
            raise RuleError(f"{game.name}.move_note: {note!r} for {move} {at}; write one line of text, or nothing")
    if position.is_over:
        _check_tally(game, position, at)
    _check_cells(game, position, at)
    if not isinstance(str(position), str) or not str(position).strip():
        raise RuleError(f"{game.name}.board: no text {at}")
    try:
        ElementTree.fromstring(position.svg())  # noqa: S314 - the game's own picture
    except ElementTree.ParseError as error:
        raise RuleError(
            f"{game.name}.svg: not a well-formed document {at}: {error}; escape text with html.escape"
        ) from None
    # Last: who reads a position shows it, too.
    if game.from_json(position.to_json()) != position:
        raise RuleError(f"{game.name}: to_json and from_json do not give the position back {at}")


def _check_cells(game: Game, position: Position, at: str) -> None:
    """The board's cells are texts, and each has a name of its own: a click must mean one of them."""
    rows = game.board_cells(position.view)
    if not isinstance(rows, list) or not all(
        isinstance(row, list) and all(isinstance(cell, str) for cell in row) for row in rows
    ):
        raise RuleError(
            f'{game.name}.board_cells: no rows of texts {at}; return lists such as [["A", "."], [".", "B"]]'
        )
    names = [cell["name"] for cell in read_cells(rows)]
    for name in names:
        if names.count(name) > 1:
            raise RuleError(
                f"{game.name}.board_cells: two cells are called {name!r} {at}; each needs a name of its own"
            )


def _check_tally(game: Game, position: Position, at: str) -> None:
    rows = game.tally(position.view)
    if any(len(points) != game.players for _, points in rows):
        raise RuleError(f"{game.name}.tally: {rows} {at}; a row has its words and one number a player")
    if rows and [sum(column) for column in zip(*(points for _, points in rows), strict=True)] != list(position.scores):
        raise RuleError(f"{game.name}.tally: {rows} {at} does not add up to the scores {position.scores}")
