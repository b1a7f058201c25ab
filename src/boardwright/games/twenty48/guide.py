"""The rules of 2048, for people."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from boardwright.contract.card import Chapter
from boardwright.contract.guide import set_up
from boardwright.games.twenty48.picture import page

LEFT = 3


def guide(game: Any) -> tuple[Chapter, ...]:
    """The rules of the board that `game` has."""
    lanes = ((1, 0, 1, 2), (2, 2, 2, 2), (0, 3, 0, 1), (4, 4, 3, 0))
    shown = replace(game, size=4)  # the figures' board
    before, after = _state(shown, lanes), _state(shown, lanes)
    shown.play(after, LEFT)
    full = ((1, 2, 1, 3), (3, 5, 2, 1), (1, 4, 6, 2), (2, 1, 3, 1))
    return (
        Chapter(
            "The aim",
            f"One player slides the tiles of a board of {game.size} by {game.size}. Equal tiles merge, and every "
            "merge scores the number of the tile that it makes. There is no last tile: 2048 is only where the game "
            "got its name.",
        ),
        Chapter(
            "A slide",
            "Choose a direction: up, right, down or left. Every tile goes that way as far as it can. Where a tile "
            "runs into an equal one the two become one of twice the number. A tile that has just been made does not "
            "merge again in the same slide; of three equal tiles the two nearest the edge merge.\n\nA slide that "
            "would move nothing is not allowed.",
            _picture(shown, before),
            "Before a slide to the left ...",
        ),
        Chapter(
            "Points",
            f"In the rows of the picture two 2s become a 4, two pairs of 4s two 8s, and two 16s a 32: {after.score} "
            "points.",
            _picture(shown, after),
            "... and after it.",
        ),
        Chapter(
            "A new tile",
            "After every slide a new tile comes on an empty place, each place as likely as the other: a 2, or with "
            f"a chance of {game.four:.0%} a 4. The game begins with two such tiles.",
        ),
        Chapter(
            "The end",
            "The game ends when the board is full and no two equal tiles are neighbours.",
            _picture(shown, _state(shown, full)),
            "Nothing can move.",
        ),
    )


def _state(game: Any, rows: tuple[tuple[int, ...], ...]) -> Any:
    """Tiles by exponent, from the top left corner."""
    s = set_up(game)
    for y, row in enumerate(rows):
        for x, tile in enumerate(row):
            s.cells[y * game.size + x] = tile
    s.score = 0
    return s


def _picture(game: Any, s: Any) -> str:
    return str(page(game, s, {}, False)["svg"])
