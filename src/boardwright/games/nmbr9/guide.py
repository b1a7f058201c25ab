"""The rules of NMBR 9, for people."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from boardwright.contract.card import Chapter
from boardwright.contract.guide import set_up
from boardwright.games.nmbr9.picture import figure

# A small layout: each tile's number, quarter turns, and column and row of its corner from the first one's.
LAID = ((2, 1, 0, 0), (9, 1, 2, -1), (6, 1, 2, 0), (4, 1, 2, -4), (7, 1, 3, -5), (5, 3, 2, -3), (3, 2, 2, -3))
ENDED = (  # all twenty, as a good player laid them
    (3, 0, 0, 0), (4, 0, -2, 2), (7, 2, -4, 2), (1, 3, -3, 1), (0, 0, -6, 1), (2, 1, -6, 5), (5, 2, 0, 0),
    (9, 1, -4, 1), (6, 2, -2, 6), (4, 3, -6, 3), (7, 1, -6, 5), (5, 2, -2, 4), (1, 3, 1, 4), (9, 3, -3, 5),
    (3, 0, -3, 1), (8, 0, -5, 2), (8, 1, -5, 4), (6, 0, -3, 1), (0, 1, -5, -2), (2, 2, -3, 3),
)  # fmt: skip
CORNER = 40  # where the first tile's corner stands on the ring


def guide(game: Any) -> tuple[Chapter, ...]:
    """The rules as the game has them; options change little."""
    limits = []
    if game.table:
        limits.append(
            f"This table has edges: {game.table} squares a side. The game also ends when a tile has no place left."
        )
    if game.levels:
        limits.append(f"Only {game.levels} levels may be used, the table included.")
    open_game = replace(game, table=0, levels=0)
    first, second, whole = (_laid(open_game, LAID[:count]) for count in (2, 3, 7))
    ended = _laid(open_game, ENDED)
    return (
        Chapter(
            "The aim",
            "One player lays twenty number tiles, two of each number from 0 to 9, side by side and on top of each "
            "other. The higher a tile lies and the larger its number, the more it scores.",
            figure(open_game, whole),
            f"Seven tiles, {whole.score} points. A small badge names the level.",
        ),
        Chapter(
            "A turn",
            "A card is turned up; it names the tile to lay. The tile may be turned, but not flipped over. "
            + " ".join(limits),
        ),
        Chapter(
            "On the table",
            "The first tile goes anywhere. Every other tile on the table must touch one that lies there along at "
            "least one side of a square; a corner is not enough.",
            figure(open_game, first),
            "The 9 touches the 2.",
        ),
        Chapter(
            "On top",
            "A tile may lie a level higher if every one of its squares is carried: there must be no hole below it. "
            "It must lie on at least two different tiles of the level below. And if there are tiles on its level "
            "already, it must touch one of them, as on the table.",
            figure(open_game, second),
            "The 6 lies on the 2 and on the 9: level 1.",
        ),
        Chapter(
            "Points",
            "A tile on the table scores nothing, on level 1 its number, on level 2 twice its number, and so on. In "
            "the first picture the 6 and the 5 lie on level 1, the 3 on level 2: 6 + 5 + 2 × 3 = 17.",
        ),
        Chapter(
            "The end",
            "When all twenty cards are used up the game ends.",
            figure(open_game, ended),
            f"All tiles are laid: {ended.score} points.",
        ),
    )


def _laid(game: Any, tiles: tuple[tuple[int, int, int, int], ...]) -> Any:
    s = set_up(game)
    for number, turned, x, y in tiles:
        s.left[number] -= 1
        s.digit = number
        game.play(s, game.move_at(4 * number + turned, CORNER + y, CORNER + x))
    return s
