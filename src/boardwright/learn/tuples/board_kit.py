"""A game's own kernels for n-tuple tables: `card.tuples` names a module that plays and learns on boards that are one
number each, many times as fast as rules over cells. Such a module has

- WHERE (words: "2048 on 4x4"), serves(game), odds(game): for which options it is, and what chance does there;
- TABLE_OPTIONS: the options without which a table cannot be read; PRESETS and auto_patterns(game) for training;
- board_methods(cells, offsets), value_on_boards, row_tables: the tables' code, see BoardTables;
- learn_boards, new_board_lesson, play_boards, LONGEST, figures(stats): the learner and its tests, see TupleLearner;
- cells_of, seen_slides, expect, search_slides, new_lookahead, LARGEST: the search, see BoardPlayer;
- heuristic(): an evaluator and its numbers for the player of that name;
- play_on, Reach, GAME, MILESTONES, REPORTED_*: whole games to be measured, see measure.py.
"""

from __future__ import annotations

from typing import Any

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.games.built_in import built_in_kinds
from boardwright.games.load import load
from boardwright.registry import at


def own_kit(game: Game) -> Any:
    """The module that the game's card names; None without."""
    return at(game.card.tuples) if game.card.tuples else None


def board_kit(game: Game) -> Any:
    """The same, if it serves the game with these options; else None."""
    kit = own_kit(game)
    return kit if kit is not None and kit.serves(game) else None


def served() -> str:
    """In words: what the built-in games' modules are for."""
    return " and ".join(at(kind.card.tuples).WHERE for kind in built_in_kinds().values() if kind.card.tuples)


def board_game(**options: object) -> Game:
    """The built-in game that plays on such boards."""
    for name, kind in built_in_kinds().items():
        if kind.card.tuples:
            return load(name, **options)
    raise InputError("no built-in game plays on boards that are one number")
