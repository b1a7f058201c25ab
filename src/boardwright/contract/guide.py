"""A game's rules for people: what its card's `guide` writes, or else its class's docstring, with the first board."""

from __future__ import annotations

import inspect
from typing import Any

from boardwright.contract.card import Chapter
from boardwright.contract.game import Game
from boardwright.contract.position import blank
from boardwright.contract.state import copied


def guide_of(game: Game) -> tuple[Chapter, ...]:
    """The chapters of the rules page."""
    if game.card.guide is not None:
        return game.card.guide(game)
    kind = type(game)
    text = (
        inspect.cleandoc(kind.__doc__ or "")
        or f"The file of {kind.__name__} says nothing: write its rules into the docstring."
    )
    first = blank(game).view
    picture = game.svg(first) if kind.svg is not Game.svg or game.board_cells(first) else ""
    return (Chapter("", text, picture, "The board at the start" if picture else ""),)


def set_up(game: Game) -> Any:
    """A state before anything has happened, to be changed at will for a figure."""
    return copied(blank(game).view)
