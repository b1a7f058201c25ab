"""The rules of Azul, for people."""

from __future__ import annotations

from typing import Any

from boardwright.contract.card import Chapter
from boardwright.contract.guide import set_up
from boardwright.games.azul.picture import board_figure, offer_figure
from boardwright.games.azul.rules import COLOURS

HOW_MANY = {2: "Two", 3: "Three", 4: "Four"}
BLUE, YELLOW, RED, DARK, WHITE = range(5)


def guide(game: Any) -> tuple[Chapter, ...]:
    """The rules for as many players as `game` has."""
    return (
        Chapter(
            "The aim",
            f"{HOW_MANY[game.players]} players take tiles from {game.displays} displays, collect them in the pattern "
            "lines on the left of their board, and set them into the wall on the right. Whoever has most points at "
            "the end wins; if points are equal, whoever has more complete rows.",
        ),
        Chapter(
            "Taking tiles",
            "At the start of a round every display gets four tiles from the bag. In your turn choose a colour on a "
            "display and take all its tiles of that colour; the others go to the centre. Or take all tiles of a "
            "colour from the centre. Who takes from the centre first in a round also gets the starting marker: it "
            "begins the next round, and costs a place on the floor line.",
            offer_figure(game, _offer(game)),
            "From display 1 you may take two blue tiles; the red and the white one then go to the centre (C).",
        ),
        Chapter(
            "Pattern lines",
            "All tiles that you took go into one of the five pattern lines, from the right. A line holds one colour "
            "only, and never one that its row of the wall has already. Tiles for which there is no room, or that "
            "you do not want, fall to the floor line (F), where each costs points: 1, 1, 2, 2, 2, 3, 3. What finds "
            "no room there either costs nothing.",
            board_figure(game, _lines(game)),
            "Line 2 is complete. Line 4 wants one more dark tile. One tile on the floor costs a point.",
        ),
        Chapter(
            "Tiling",
            "When no tile is left to take, the round ends. From top to bottom every complete line sets one tile "
            "into its row of the wall, on the place of its colour; its other tiles are put aside. Lines that are "
            "not complete stay. Each tile scores at once: alone one point; with neighbours as many points as tiles "
            "stand in its row without a gap, itself among them, and the same for its column; a row or column of "
            "one does not count then. At last the floor line is paid for; nobody falls below 0.",
            board_figure(game, _wall(game)),
            "A yellow tile set into row 2 scores 3 for its row and 2 for its column: 5 points.",
        ),
        Chapter(
            "The end",
            "The game ends with the round in which somebody completes a row of the wall"
            + (f", or after {game.rounds} rounds" if game.rounds < 20 else "")
            + ". Then there are bonuses: 2 points for each complete row, 7 for each complete column, 10 for each "
            "colour that is on the wall five times.",
            board_figure(game, _end(game)),
            "A complete row and a complete column: 2 + 7 points.",
        ),
    )


def _offer(game: Any) -> Any:
    s = set_up(game)
    dealt = ("BBRW", "YYDR", "RRRD")
    for display, tiles in enumerate(dealt):
        for letter in tiles:
            s.offer[display, COLOURS.index(letter)] += 1
    s.offer[game.displays, WHITE], s.offer[game.displays, DARK], s.to_deal = 2, 1, 0
    return s


def _board(game: Any, lines: dict[int, tuple[int, int]], wall: tuple[str, ...], score: int) -> Any:
    """lines: row -> colour and how many tiles; wall: rows of x and dots."""
    s = set_up(game)
    s.to_deal = 0
    for row, (colour, tiles) in lines.items():
        s.line_colour[0, row], s.line_fill[0, row] = colour, tiles
    for row, places in enumerate(wall):
        for column, place in enumerate(places):
            s.wall[0, row, column] = place == "x"
    s.score[0] = score
    return s


def _lines(game: Any) -> Any:
    s = _board(game, {1: (RED, 2), 3: (DARK, 3), 4: (BLUE, 1)}, ("x....", "....."), 1)
    s.floor[0, WHITE], s.floor_fill[0] = 1, 1
    return s


def _wall(game: Any) -> Any:
    return _board(game, {}, ("..x..", ".xxx.", "....."), 8)


def _end(game: Any) -> Any:
    return _board(game, {}, ("xxxxx", "..x..", "..xx.", "..x..", ".xx.."), 41)
