"""What a move is called for what it lost: best, excellent, good, inaccuracy, mistake, blunder, or unsure."""

from __future__ import annotations

import math

from boardwright.arena.verdict import Verdict
from boardwright.contract.game import Game

# Up to which loss a move has which label: in win probability; points, as a part of what the game was expected to bring
# at its start, are graded by the same table (PART_OF_POINTS).
LABELS = (("excellent", 0.02), ("good", 0.05), ("inaccuracy", 0.10), ("mistake", 0.20), ("blunder", math.inf))
PART_OF_POINTS = 0.25  # a loss of 2 % of a win is graded like one of 0.5 % of the points expected


def label(game: Game, loss: float, expected_points: float) -> str:
    """What to call a loss. Of a result (-1 to 1), half is win probability; points go by `expected_points`."""
    part = loss / (PART_OF_POINTS * max(abs(expected_points), 1.0)) if game.counts_points else loss / 2
    return next(name for name, most in LABELS if part <= most)


def called(game: Game, verdict: Verdict, expected_points: float) -> str:
    """What to call a move: what it lost at least where that is sure, "unsure" where it may be nothing or much."""
    if verdict.sure:
        return label(game, verdict.low if verdict.error else verdict.loss, expected_points)
    if verdict.loss <= 0.0 and verdict.liked:
        return "best"
    if label(game, max(verdict.high, 0.0), expected_points) in ("excellent", "good"):
        return "best" if verdict.loss <= 0.0 else label(game, verdict.loss, expected_points)
    return "unsure"
