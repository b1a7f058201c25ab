"""What 2048 on 4x4 brings to n-tuple tables: see learn/tuples/board_kit.py for what each name means."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.compile.td_steps import FRESH
from boardwright.contract.compilable import Compilable
from boardwright.contract.game import Game
from boardwright.games.twenty48.bitboard import LARGEST, SIDE, cells_of, row_tables
from boardwright.games.twenty48.expectimax import Reach, expect, new_lookahead, search_slides, seen_slides
from boardwright.games.twenty48.heuristic import LaneOrder, lane_numbers
from boardwright.games.twenty48.learner import LONGEST, TILES, learn_boards, new_board_lesson
from boardwright.games.twenty48.table_code import board_methods, value_on_boards
from boardwright.games.twenty48.whole_games import GAME, play_boards, play_on

__all__ = [
    "GAME", "LARGEST", "LONGEST", "MILESTONES", "PRESETS", "REPORTED_BEST", "REPORTED_MEAN", "REPORTED_SHARES",
    "TABLE_OPTIONS", "WHERE", "Reach", "auto_patterns", "board_methods", "cells_of", "expect", "figures", "heuristic",
    "learn_boards", "new_board_lesson", "new_lookahead", "odds", "play_boards", "play_on", "row_tables",
    "search_slides", "seen_slides", "serves", "value_on_boards",
]  # fmt: skip

WHERE = "2048 on 4x4"
TABLE_OPTIONS = ("size",)  # the odds of a 4 change what a table should say, but not whether it can be read
PRESETS: dict[str, dict[str, object]] = {
    "quick": {"patterns": "4x5", "games": 20_000, "restart": 1000},
    "lunch": {"patterns": "4x6", "games": 1_000_000, "restart": 1000, "threads": 2},
    "night": {"patterns": "8x6", "games": 5_000_000, "restart": 1000, "threads": 2},
}
MILESTONES = tuple(2**k for k in range(9, 17))  # tiles of 512 to 65536

# The best method of the report on 2048 (a tree with playouts at its leaves), as its authors report it. A best of 35,196
# points leaves room for no tile of 4096.
REPORTED_MEAN, REPORTED_BEST = 19193, 35196
REPORTED_SHARES = {2048: 0.35, 4096: 0.0, 8192: 0.0}


def serves(game: Game) -> bool:
    return int(game.options["size"]) == SIDE


def auto_patterns(game: Game) -> str:
    size = int(game.options["size"])
    return "4x6" if size == SIDE else "all-2x3" if size > 2 else "all-2x2"


def odds(game: Game) -> float:
    """How likely a new tile is a 4."""
    return float(game.options["four"])


def figures(stats: npt.NDArray[np.float64]) -> dict[str, float]:
    return {"reached_2048": float(stats[TILES + 11 :].sum() / stats[FRESH])}


def heuristic() -> tuple[Compilable, npt.NDArray[Any]]:
    return LaneOrder(), lane_numbers()
