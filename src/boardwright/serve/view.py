"""What clients see of a position and of a game, as plain JSON. Rules live in Python only: legal moves come with all
that a pointer hovering over them needs."""

from __future__ import annotations

import importlib
from typing import Any

from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.serve.catalogue import TITLES
from boardwright.serve.seats import Seats
from boardwright.serve.table import Table

MOST_CHANCES = 200  # outcomes that are listed
MOST_DRAWS = 100  # looked through for the last move


def see(position: Position, *, narrow: bool = False) -> dict[str, Any]:
    """One position: its picture, its moves and what they need, its points. `narrow`: for a telephone's width."""
    game, s = position.game, position.view
    moves = {move: position.text(move) for move in position.moves}
    picture = _picture(game, s, moves, narrow, _last_move(position))
    return {
        "player": position.player,
        "over": position.is_over,
        "scores": position.scores,
        "results": position.results,
        "svg": picture["svg"],
        "hover": picture["hover"],
        "drawn": type(game).svg is not Game.svg,
        "board": str(position),
        "moves": list(moves.values()),
        "chances": [
            {"text": position.text(outcome), "chance": chance} for outcome, chance in position.chances[:MOST_CHANCES]
        ],
    }


def _last_move(position: Position) -> tuple[int, int] | None:
    """Who moved last, and what; draws since then do not count."""
    for _ in range(MOST_DRAWS):
        before = position.previous
        if before is None or position.step is None:
            return None
        if before.player >= 0:
            return before.player, position.step
        position = before
    return None


def _picture(game: Game, s: Any, moves: dict[int, str], narrow: bool, last: tuple[int, int] | None) -> dict[str, Any]:
    """The `page` function beside the pictures of a built-in game; of another game its own `page(s, moves, narrow)`,
    if it has one, or simply its picture."""
    own = getattr(game, "page", None)
    if callable(own):
        made: dict[str, Any] = own(s, moves, narrow)
        return {"svg": made.get("svg") or game.svg(s), "hover": made.get("hover") or {"kind": "cells"}}
    for kind in type(game).__mro__:
        package, _, name = kind.__module__.rpartition(".")
        if package == "boardwright.games" and type(game).svg is getattr(kind, "svg", None):
            module: Any = importlib.import_module(f"boardwright.games.pictures.{name}")
            made = module.page(game, s, moves, narrow, last)
            return made
    return {"svg": game.svg(s), "hover": {"kind": "cells"}}


def tell(table: Table, seats: Seats, *, playable: bool, since: int = 0, narrow: bool = False) -> dict[str, Any]:
    """A game: who plays, what was played from ply `since` on, and the position that it stands at."""
    game = table.game
    return {
        "id": table.id,
        "game": about(game),
        "seats": [{"player": seat, "name": seats.name_of(seat, game)} for seat in table.seats],
        "seed": table.seed,
        "status": "forfeit" if table.resigned else "finished" if table.position.is_over else "unfinished",
        "note": table.note,
        "assisted": "assisted" in table.note,
        "started": table.started,
        "playable": playable,
        "ply": len(table.plies),
        "since": since,
        "steps": [{"text": text, "by": by} for text, by in zip(table.plies[since:], table.by[since:], strict=True)],
        "results": table.awarded if table.resigned else table.position.results,
        "view": see(table.position, narrow=narrow),
    }


def about(game: Game) -> dict[str, Any]:
    """Which game it is."""
    return {
        "name": game.name,
        "title": TITLES.get(game.name, game.name),
        "text": str(game),
        "options": game.options,
        "players": game.players,
        "points": game.counts_points,
        "chance": bool(game.outcomes),
        "move_help": game.move_help,
        "sgf": _is_line_game(game),
    }


def _is_line_game(game: Game) -> bool:
    return any(kind.__module__ == "boardwright.games.line" for kind in type(game).__mro__)
