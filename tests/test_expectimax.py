"""Expectimax, against a slow recursive reference that knows neither stack nor table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boardwright as bw
from boardwright.contract.position import Position
from boardwright.search.evaluator import Evaluator
from boardwright.search.expectimax import Expectimax, ExpectimaxPlayer, ExpectimaxSettings
from boardwright.search.solver import Solver, SolverSettings

DICE_RACE = str(Path(__file__).parent / "games" / "dicerace.py")
PIG = str(Path(__file__).parent.parent / "docs" / "examples" / "pig.py")


def at_horizon(position: Position) -> list[float]:
    scores = list(position.scores)
    if position.game.counts_points:
        return scores
    leads = [own - max([*scores[:i], *scores[i + 1 :]], default=0.0) for i, own in enumerate(scores)]
    return [lead / (10.0 + abs(lead)) for lead in leads]


def reference(position: Position, depth: int, settle: bool) -> list[float]:
    """value[i]: what player i can expect."""
    if position.results is not None:
        return list(position.results)
    if depth == 0 and not (position.is_chance and settle):
        return at_horizon(position)
    if position.is_chance:
        parts = [(chance, reference(position.draw(outcome), depth, settle)) for outcome, chance in position.chances]
        return [sum(chance * value[i] for chance, value in parts) for i in range(position.game.players)]
    values = [reference(position.play(move), depth - 1, settle) for move in position.moves]
    return max(values, key=lambda value: value[position.player])


def after(name: str, plies: int, seed: int = 1) -> Position:
    """A position some random moves into a game."""
    game, rng = bw.load(name), bw.Random(seed)
    position = game.begin(seed=seed)
    for _ in range(plies):
        later = position.play(position.moves[rng.below(len(position.moves))]).settle(rng)
        if later.is_over:
            break
        position = later
    return position


CASES = [
    ("tictactoe", 0, 2), ("tictactoe", 2, 7), ("tictactoe:size=4,line=3", 8, 4), ("2048:size=2", 0, 4), ("2048:size=2", 9, 5),
    ("2048:size=3", 0, 2), ("2048:size=3", 25, 2), ("2048", 60, 1), ("nmbr9", 2, 1), ("nmbr9:tiles=4", 2, 2), ("azul", 9, 1), ("azul:players=3", 4, 1),
    ("azul:players=4", 17, 1), (DICE_RACE, 0, 1), (DICE_RACE, 3, 2), (PIG, 0, 3), (PIG, 8, 2),
]  # fmt: skip


@pytest.mark.parametrize("settle", [False, True])
@pytest.mark.parametrize(("name", "plies", "depth"), CASES, ids=lambda case: Path(str(case)).name)
def test_values_are_the_reference(name: str, plies: int, depth: int, settle: bool) -> None:
    position = after(name, plies)
    values = Expectimax(position.game, ExpectimaxSettings(depth=depth, settle=settle, megabytes=4)).values(position)
    assert tuple(values) == position.moves
    for move, value in values.items():
        assert value == pytest.approx(reference(position.play(move), depth - 1, settle), rel=1e-12, abs=1e-12)
