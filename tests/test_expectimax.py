"""Expectimax, against a slow recursive reference that knows neither stack nor table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boardwright as bw
from boardwright.contract.position import Position
from boardwright.players.expectimax import ExpectimaxPlayer
from boardwright.search.evaluator import Evaluator
from boardwright.search.exact.expectimax import Expectimax, ExpectimaxSettings
from boardwright.search.exact.solver import Solver, SolverSettings
from tests.marks import slowly

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
    ("tictactoe", 0, 2), ("tictactoe", 2, 7), ("2048:size=2", 0, 4), ("2048:size=2", 9, 5), ("2048", 60, 1),
    ("azul", 9, 1), (DICE_RACE, 0, 1), (DICE_RACE, 3, 2), (PIG, 0, 3), (PIG, 8, 2),
    *slowly(
        ("tictactoe:size=4,line=3", 8, 4), ("2048:size=3", 0, 2), ("2048:size=3", 25, 2), ("nmbr9:table=8", 17, 2),
        ("nmbr9", 2, 1), ("azul:players=3", 4, 1), ("azul:players=4", 17, 1),
    ),
]  # fmt: skip


@pytest.mark.parametrize("settle", [False, True])
@pytest.mark.parametrize(("name", "plies", "depth"), CASES, ids=lambda case: Path(str(case)).name)
def test_values_are_the_reference(name: str, plies: int, depth: int, settle: bool) -> None:
    position = after(name, plies)
    values = Expectimax(position.game, ExpectimaxSettings(depth=depth, settle=settle, megabytes=4)).values(position)
    assert tuple(values) == position.moves
    for move, value in values.items():
        assert value == pytest.approx(reference(position.play(move), depth - 1, settle), rel=1e-12, abs=1e-12)


class Corner(Evaluator):
    """A test's heuristic: what stands in the first cell counts, by numbers that may change."""

    def value(self, game: Any, s: Any, learned: Any, out: Any) -> Any:
        game.scores(s, out)
        out[0] += learned[s.cells[0]]


def test_an_evaluator_values_the_horizon() -> None:
    position = after("2048:size=3", 10)
    corner = Corner()
    corner.learned.resize(20, refcheck=False)
    corner.learned[:] = np.arange(20) * 100
    values = Expectimax(position.game, ExpectimaxSettings(depth=1), corner).values(position)
    for move, value in values.items():
        reached = position.play(move)
        assert value[0] == reached.scores[0] + 100 * reached.view.cells[0]


def test_full_depth_solves_tictactoe() -> None:
    for plies in range(1, 7):
        position = after("tictactoe", plies, seed=plies)
        values = Expectimax(position.game, ExpectimaxSettings(depth=9)).values(position)
        exact = Solver(position.game, SolverSettings(megabytes=1)).values(position)
        assert {move: value[position.player] for move, value in values.items()} == exact


TWINS = ["tictactoe", "2048:size=3", "azul", DICE_RACE]


@pytest.mark.parametrize("name", TWINS, ids=lambda name: Path(name).name)
def test_interpreter_fills_the_same_table(name: str) -> None:
    position = after(name, 2)
    depth = 1 if name.startswith("azul") else 2
    found = []
    for interpreted in (False, True):
        settings = ExpectimaxSettings(depth=depth, settle=depth == 2, megabytes=1)
        ahead = Expectimax(position.game, settings, interpreted=interpreted)
        values = ahead.values(position)
        found.append((ahead.nodes, ahead.table.tobytes(), [value.tobytes() for value in values.values()]))
    assert found[0] == found[1]
    assert found[0][0] > 8


def test_table_serves_later_moves() -> None:
    position = after("2048:size=3", 4)
    settings = ExpectimaxSettings(depth=3)
    kept, fresh = Expectimax(position.game, settings), Expectimax(position.game, settings)
    first = kept.values(position)
    nodes = kept.nodes
    again = kept.values(position)
    assert kept.nodes < nodes / 10
    assert [value.tobytes() for value in again.values()] == [value.tobytes() for value in first.values()]
    later = position.play(max(first, key=lambda move: first[move][0])).settle(bw.Random(2))
    values, expected = kept.values(later), fresh.values(later)
    assert kept.nodes <= fresh.nodes
    for move, value in values.items():  # searched as deep or deeper: at least as many points have been seen to come
        assert value[0] >= expected[move][0] - 1e-9


def test_too_many_draws_are_refused() -> None:
    rng = bw.Random(4)
    position = bw.load("azul").begin(seed=4)
    while not any(position.play(move).is_chance for move in position.moves):
        position = position.play(position.moves[rng.below(len(position.moves))])
    with pytest.raises(bw.InputError) as refused:
        bw.player("expectimax:depth=2,nodes=100000", position.game).choose(position)
    text = str(refused.value)
    assert text.startswith("azul: expectimax to depth 2 needs more than 100,000 positions here, as chance draws ")
    assert "in a row; choose a depth below 2, more than nodes=100000, or mcts, which samples chance" in text
    assert bw.player("expectimax:depth=1", position.game).choose(position).move in position.moves


def test_settings_are_checked() -> None:
    game = bw.load("2048")
    for spec, reason in {
        "expectimax:plies=2": "player expectimax has no setting 'plies'; its settings are: depth=2",
        "expectimax:depth=0": "depth=0 must be 1 to 100",
        "expectimax:nodes=0": "nodes=0 must be 1 or more",
        "expectimax:megabytes=0.5": "megabytes=0.5 must be 1 to 1000000",
        "expectimax:depth=two": "depth='two' does not fit; it must be a whole number",
    }.items():
        with pytest.raises(bw.InputError, match=reason):
            bw.player(spec, game)
    with pytest.raises(bw.InputError, match="nobody is to move"):
        bw.player("expectimax", game).choose(over("2048"))


def over(name: str) -> Position:
    position, rng = bw.load(name).begin(seed=1), bw.Random(1)
    while not position.is_over:
        position = position.play(position.moves[rng.below(len(position.moves))]).settle(rng)
    return position


def test_choice_tells_what_it_knew() -> None:
    position = after("2048:size=3", 6)
    player = bw.player("expectimax:depth=3,seed=3", position.game)
    choice = player.choose(position)
    assert tuple(choice.values) == position.moves
    assert choice.value is not None and choice.value[0] == max(choice.values.values()) == choice.values[choice.move]
    assert choice.line[0] == choice.move and len(choice.line) >= 4
    reached = position
    for step in choice.line:
        reached = reached.advance(step)
    assert choice.note == "looked 3 moves ahead"
    assert choice.simulations > 100


def test_equal_moves_by_the_seed() -> None:
    game = bw.load("tictactoe")
    players = [ExpectimaxPlayer(game, "", ExpectimaxSettings(depth=1, seed=seed)) for seed in range(30)]
    chosen = [player.choose(game.begin()).move for player in players]
    assert len(set(chosen)) > 4
    for player in players:
        player.forget()
    assert [player.choose(game.begin()).move for player in players] == chosen


@pytest.mark.slow
def test_looking_deeper_plays_better() -> None:
    """Mean points over games of 2048 on 3x3, against the greedy look at one move."""
    means = []
    for depth in (1, 3):
        game, total = bw.load("2048:size=3"), 0.0
        player = bw.player(f"expectimax:depth={depth},seed=1", game)
        for seed in range(15):
            player.forget()
            position, rng = game.begin(seed=seed), bw.Random(seed)
            while not position.is_over:
                position = position.play(player.choose(position).move).settle(rng)
            total += position.scores[0]
        means.append(total / 15)
    assert means[1] > 1.5 * means[0]
