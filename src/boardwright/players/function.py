"""Players of the caller's own: a function from positions to moves, or any object that can choose."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.players.control import Control
from boardwright.players.player import Player
from boardwright.search.choice import Choice


class FunctionPlayer(Player):
    """Asks `own` for each move: a function of the position, or an object with `choose(position)` and, if it likes,
    `forget()`. It answers with a Choice, a move's number, or its text."""

    def __init__(self, game: Game, spec: str, own: Any) -> None:
        ask: Callable[..., Any] | None = getattr(own, "choose", own if callable(own) else None)
        if ask is None:
            raise InputError(f"{own!r} is no player: it has no method `choose`, and is no function of a position")
        self.game, self.spec, self._own, self._ask = game, spec, own, ask
        self._hears = "control" in inspect.signature(ask).parameters

    def forget(self) -> None:
        getattr(self._own, "forget", lambda: None)()

    def choose(self, position: Position, control: Control | None = None) -> Choice:
        self.needs_to_move(position)
        answer = self._ask(position, control=control) if self._hears else self._ask(position)
        if isinstance(answer, Choice):
            return answer
        return Choice(position.parse(answer) if isinstance(answer, str) else answer)


def own_player(own: Any, game: Game) -> Player:
    """A player, or what can be asked like one, as a player of this game."""
    if isinstance(own, Player):
        theirs = getattr(own, "game", game)
        if str(theirs) != str(game):
            raise InputError(f"a player of {theirs} cannot play {game}")
        own.game, own.spec = theirs, name_of(own)  # which a class of the caller's may have left out
        return own
    return FunctionPlayer(game, name_of(own), own)


def name_of(own: Any) -> str:
    """What to call a player of the caller's own in tables and records: its spec, or its class or function."""
    spec = getattr(own, "spec", "")
    return spec if isinstance(spec, str) and spec else str(getattr(own, "__name__", type(own).__name__))
