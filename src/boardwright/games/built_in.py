"""The games that come with Boardwright, by name. A new one: a folder beside this file, and a line here."""

from __future__ import annotations

from boardwright.contract.game import Game
from boardwright.registry import at

BUILT_IN = {
    "tictactoe": "boardwright.games.in_a_row:TicTacToe",
    "gomoku": "boardwright.games.in_a_row:Gomoku",
    "2048": "boardwright.games.twenty48:TwentyFortyEight",
    "nmbr9": "boardwright.games.nmbr9:Nmbr9",
    "azul": "boardwright.games.azul:Azul",
}


def built_in_kind(name: str) -> type[Game]:
    """The class of a built-in game."""
    kind: type[Game] = at(BUILT_IN[name])
    return kind


def built_in_kinds() -> dict[str, type[Game]]:
    """All of them by name. Whoever looks for the games of a kind asks their cards."""
    return {name: built_in_kind(name) for name in BUILT_IN}


def speaking(protocol: str) -> dict[str, type[Game]]:
    """The built-in games that other programs play by a protocol, such as `piskvork`."""
    return {name: kind for name, kind in built_in_kinds().items() if protocol in kind.card.protocols}
