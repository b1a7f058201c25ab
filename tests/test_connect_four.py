"""The examples of the docs: connect four against OpenSpiel move for move, Pig by its rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boardwright as bw
from boardwright.contract.random import Random

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"


def example(name: str, **options: Any) -> bw.Game:
    return bw.load(f"{EXAMPLES / name}", **options)


def test_connect_four_agrees_with_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game, other_game, rng = example("connect_four.py:ConnectFour"), pyspiel.load_game("connect_four"), Random(4)
    for _ in range(1000):
        position, other = game.begin(), other_game.new_initial_state()
        while not position.is_over:
            assert not other.is_terminal() and other.current_player() == position.player
            assert list(position.moves) == other.legal_actions()
            move = position.moves[rng.below(len(position.moves))]
            position = position.play(move)
            other.apply_action(move)
        assert other.is_terminal() and list(position.results or ()) == other.returns()


def test_connect_four_on_its_board() -> None:
    position = example("connect_four.py:ConnectFour").begin()
    for column in "1 2 1 2 1 2 1".split():
        position = position.play(column)
    assert position.results == (1.0, -1.0)
    assert str(position).splitlines()[2:] == [
        "X . . . . . .",
        "X O . . . . .",
        "X O . . . . .",
        "X O . . . . .",
        "1 2 3 4 5 6 7",
    ]


def test_examples_run_alike_in_the_interpreter() -> None:
    for game in (example("connect_four.py:ConnectFour"), example("pig.py:Pig")):
        for seed in range(5):
            rng = Random(seed)
            compiled, debugged = game.begin(seed), game.begin(seed, debug=True)
            while not compiled.is_over:
                steps = compiled.moves or [outcome for outcome, _ in compiled.chances]
                step = steps[rng.below(len(steps))]
                compiled, debugged = compiled.advance(step), debugged.advance(step)
                assert compiled.key == debugged.key
            assert compiled.results == debugged.results


def test_pig_banks_loses_and_wins() -> None:
    position = example("pig.py:Pig", target=10).begin()
    assert [position.text(move) for move in position.moves] == ["roll"], "nothing to hold yet"
    for step in "roll 5 hold roll 6 roll 1".split():
        position = position.advance(step)
    assert position.player == 0 and position.fields()["banked"] == [5, 0], "a 1 lost what the second had rolled"
    for step in "roll 4 roll 2".split():
        position = position.advance(step)
    assert position.player == 0, "eleven points, but not yet banked"
    assert position.play("hold").results == (1.0, -1.0)


def test_pig_rolls_a_fair_die() -> None:
    position = example("pig.py:Pig").begin().play("roll")
    assert dict(position.chances) == pytest.approx(dict.fromkeys(range(6), 1 / 6))
    assert np.unique([position.sample(Random(seed)).fields()["rolled"] for seed in range(60)]).tolist() == [
        0,
        2,
        3,
        4,
        5,
        6,
    ]
