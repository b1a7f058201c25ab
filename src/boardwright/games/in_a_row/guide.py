"""The rules of tic-tac-toe, Gomoku and their family, for people."""

from __future__ import annotations

from typing import Any

from boardwright.contract.card import Chapter
from boardwright.contract.guide import set_up
from boardwright.games.in_a_row.picture import page


def guide(game: Any) -> tuple[Chapter, ...]:
    """The rules of the variant that `game` is."""
    first, second = game.card.sides or ("X", "O")
    what = "stone" if game.picture == "wood" else "sign"
    line, board = game.line, f"{game.columns} by {game.height}"
    longer = "A longer row does not count." if game.exactly else "A longer row wins as well."
    drawn = drawn_moves(game)
    middle = (game.height // 2) * game.columns + game.columns // 2
    return (
        Chapter(
            "The aim",
            f"Two players, {first} and {second}, share a board of {board} places. Whoever first has {line} of their "
            "own in an unbroken row wins: across, down, or along a diagonal. "
            f"{longer if line < max(game.columns, game.height) else ''}",
            _picture(game, _win(game)),
            f"{first} has {line} in a row and wins.",
        ),
        Chapter(
            "A turn",
            f"{first} begins. By turns, each puts one {what} of their own on an empty place. Nothing is ever moved "
            "or taken off again, and nobody may pass.",
            _picture(game, [middle, middle - game.columns - 1, middle + 1]),
            f"Three moves have been made: two by {first}, one by {second}.",
        ),
        Chapter(
            "The end",
            "If the board is full and nobody has a row, the game is drawn.",
            _picture(game, drawn) if drawn else "",
            "Nobody has a row: drawn." if drawn else "",
        ),
    )


def _win(game: Any) -> list[int]:
    """Moves by which the first player makes a row across, the second one below it."""
    row = game.columns * (game.height // 2 - (game.height > 2)) + (game.columns - game.line) // 2
    moves = []
    for i in range(game.line):
        moves += [row + i, row + i + game.columns]
    return moves[:-1]


def drawn_moves(game: Any) -> list[int]:
    """Moves that fill the board without three in a row: pairs across, each line the other way round. Empty on the few
    boards where one player would have too many."""
    places = range(game.columns * game.height)
    first, second = (
        [place for place in places if (place % game.columns // 2 + place // game.columns) % 2 == who] for who in (0, 1)
    )
    if len(first) - len(second) not in (0, 1):
        return []
    moves = [place for pair in zip(first, second, strict=False) for place in pair]
    return moves + first[len(second) :]


def _picture(game: Any, moves: list[int]) -> str:
    s = set_up(game)
    for move in moves:
        game.play(s, move)
    return str(page(game, s, {}, False)["svg"])
