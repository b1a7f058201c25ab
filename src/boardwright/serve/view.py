"""What clients see of a position and of a game, as plain JSON. Rules live in Python only: legal moves come with all
that a pointer hovering over them needs."""

from __future__ import annotations

import dataclasses
from typing import Any

from boardwright.contract.board_picture import point_at_board
from boardwright.contract.game import Game
from boardwright.contract.guide import guide_of
from boardwright.contract.position import Position
from boardwright.contract.state import copied
from boardwright.games.named import in_words, unusual_options
from boardwright.serve.glances import glances_in
from boardwright.serve.race import rival_in
from boardwright.serve.seats import Seats
from boardwright.serve.table import Table

MOST_CHANCES = 200  # outcomes that are listed
MOST_DRAWS = 100  # looked through for the last move
MOST_TRIED = 150  # moves that are tried out to see which cells they change


def see(position: Position, *, narrow: bool = False) -> dict[str, Any]:
    """One position: its picture, its moves and what they need, its points. `narrow`: for a telephone's width."""
    game = position.game
    moves = {move: position.text(move) for move in position.moves}
    picture = _picture(position, moves, narrow)
    tally = game.tally(position.view) if position.is_over else []
    return {
        "player": position.player,
        "over": position.is_over,
        "scores": position.scores,
        "results": position.results,
        "tally": [{"words": words, "points": points} for words, points in tally],
        "svg": picture["svg"],
        "hover": picture["hover"],
        "drawn": type(game).svg is not Game.svg,
        "board": str(position),
        "moves": list(moves.values()),
        "chances": [
            {"text": position.text(outcome), "chance": chance} for outcome, chance in position.chances[:MOST_CHANCES]
        ],
    }


def last_move(position: Position) -> Position | None:
    """The position that the last move was made in; draws since then do not count."""
    for _ in range(MOST_DRAWS):
        before = position.previous
        if before is None or position.step is None:
            return None
        if before.player >= 0:
            return position
        position = before
    return None


def draws_nothing(game: Game) -> bool:
    """Whether its picture is that of its cells."""
    return not any("page" in vars(kind) or "svg" in vars(kind) for kind in type(game).__mro__ if kind is not Game)


def _picture(position: Position, moves: dict[int, str], narrow: bool) -> dict[str, Any]:
    """What the game's own `page(s, moves, narrow)` makes, if it has one, or simply its picture. Where it can tell
    (`spots(player, move)`), what the last move touched is marked. Cells of a game that draws nothing itself find out by
    what they change which moves they are."""
    game, s = position.game, position.view
    own: Any = getattr(game, "page", None)
    drawn = next((kind for kind in type(game).__mro__ if "page" in vars(kind) or "svg" in vars(kind)), Game)
    made: dict[str, Any] = own(s, moves, narrow) if "page" in vars(drawn) else {}
    moved = last_move(position)
    before = moved.previous if moved is not None else None
    if draws_nothing(game):
        then = before.view if before is not None else None
        hover = point_at_board(game, s, moves, tried(position), position.player, then)
    else:
        hover = made.get("hover") or {"kind": "cells"}
    spots: Any = getattr(game, "spots", None)
    if moved is not None and before is not None and callable(spots):
        hover = {**hover, "last": spots(before.player, moved.step)}
    return {"svg": made.get("svg") or game.svg(s), "hover": hover}


def first_board(game: Game) -> str:
    """The board before the first move, as a picture beside the game's name; none of a game that only writes."""
    position = game.begin(seed=1)
    own: Any = getattr(game, "page", None)
    svg: str = (own(position.view, {}, True).get("svg") if own else None) or game.svg(position.view)
    return "" if draws_nothing(game) and not game.board_cells(position.view) else svg


def tried(position: Position) -> dict[int, Any]:
    """The state after each move, in the interpreter; nothing where there are too many. A move that the rules stumble
    over is left out: whoever plays it is told."""
    if not position.game.compiles or len(position.moves) > MOST_TRIED:
        return {}
    after = {}
    for move in position.moves:
        state = copied(position.view)
        try:
            position.game.play(state, move)
        except Exception:  # noqa: S112 - rules are a stranger's
            continue
        after[move] = state
    return after


def tell(table: Table, seats: Seats, *, playable: bool, since: int = 0, narrow: bool = False) -> dict[str, Any]:
    """A game: who plays, what was played from ply `since` on, and the position that it stands at."""
    game, rival, glances = table.game, rival_in(table.note), glances_in(table.note)
    return {
        "id": table.id,
        "game": about(game),
        "seats": [
            {"player": seat, "name": seats.name_of(seat, game), "about": seats.about(seat, game)}
            for seat in table.seats
        ],
        "seed": table.seed,
        "status": table.status,
        "era": table.era,
        "version": table.version,
        "note": table.note,
        "assisted": "assisted" in table.note,
        "race": {"id": rival[0], "player": rival[1], "name": seats.name_of(rival[1], game)} if rival else None,
        "started": table.started,
        "playable": playable,
        "ply": len(table.plies),
        "since": since,
        "steps": [_step(table, ply, glances) for ply in range(since, len(table.plies))],
        "results": table.results,
        "view": see(table.position, narrow=narrow),
    }


def _step(table: Table, ply: int, glances: set[int]) -> dict[str, Any]:
    told = {"text": table.plies[ply], "by": table.by[ply]}
    return {**told, "glance": True} if ply in glances else told


def about(game: Game) -> dict[str, Any]:
    """Which game it is."""
    return {
        "name": game.name,
        "title": game.card.title or game.name,
        "text": str(game),
        "options": game.options,
        "variant": variant(game),
        "sides": list(game.card.sides),
        "players": game.players,
        "points": game.counts_points,
        "chance": bool(game.outcomes),
        "move_help": game.move_help,
        "sgf": "sgf" in game.card.protocols,
        "pace": game.card.pace,
        "shows_points": game.counts_points or game.card.shows_points,
        "report": game.card.report,
    }


def rules(game: Game) -> dict[str, Any]:
    """The rules of a game for people, chapter by chapter."""
    return {
        "name": game.name,
        "title": game.card.title or game.name,
        "move_help": game.move_help,
        "chapters": [dataclasses.asdict(chapter) for chapter in guide_of(game)],
    }


def variant(game: Game) -> list[str]:
    """In words, the options that are not as they usually are."""
    return in_words(game, unusual_options(game))
