"""`bench learn` and `bench openings`: what they print of kernel learning is true, seen from a second side."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boardwright as bw
from boardwright.bench.examples import race, with_openings
from boardwright.bench.learning import SolvedRace, is_network, measure_pace, trained
from boardwright.bench.openings import (
    REPLIES,
    WORTH,
    Opening,
    choose_openings,
    measure_openings,
    play_opening,
    read_openings,
)
from boardwright.contract.position import blank
from boardwright.contract.state import copy_record
from boardwright.learn.models import save_model
from boardwright.learn.selfplay.observation import Observer
from boardwright.learn.selfplay.shape import array_shapes, shape_for
from boardwright.learn.shipped import NETWORK
from boardwright.players.solver import SolverPlayer
from boardwright.search.exact.solver import Solver
from boardwright.search.exact.value_iteration import ValueIteration
from tests.connect_four_truth import Truth
from tests.marks import slowly
from tests.processes import run_here

SMALL: dict[str, Any] = {
    "way": "greedy",
    "games": 60,
    "batch": 16,
    "learn": 1.0,
    "first": 32,
    "second": 8,
    "longest": 200,
}  # as in test_kernel_learning


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A value for the race with two pieces, hardly trained."""
    return trained(bw.load(race(2)), tmp_path_factory.mktemp("run") / "race", 0.0, 1, rounds=3, **SMALL)


# Connect four's openings


def openings() -> list[Opening]:
    game, _, path = with_openings()
    return read_openings(path, bw.load(game))


def test_there_are_thirty_openings_each_another() -> None:
    game, _, _ = with_openings()
    found = openings()
    assert len(found) == 30 and len({one.position(bw.load(game)).key for one in found}) == 30
    assert {one.worth for one in found} == {"win", "draw"}
    assert all(len(one.moves) >= 8 and len(one.moves) % 2 == 0 for one in found), "the first player is to move"


@pytest.mark.parametrize(
    "part", [slice(0, 2), pytest.param(slice(0, 30), marks=pytest.mark.slow)], ids=["two", "all"]
)  # fmt: skip
def test_openings_are_worth_what_the_file_says(part: slice) -> None:
    _, truth, _ = with_openings()
    game = bw.load(truth)
    solver = Solver(game)
    for opening in openings()[part]:
        assert solver.value(opening.position(game)) == WORTH[opening.worth]


def test_the_policy_for_the_solver_leaves_no_value_out() -> None:
    """The solver with it, the solver without it, and the second truth agree on every move of positions near the end."""
    plain, skilled, _ = with_openings()
    games = [bw.load(plain), bw.load(skilled)]
    solvers = [Solver(game) for game in games]
    truth, seen = Truth(), 0
    for opening in openings():
        positions = [opening.position(game) for game in games]
        columns = [int(move) for move in opening.moves]
        while len(columns) < 24 and not positions[0].is_over:  # any moves, no matter how good
            columns.append(positions[0].moves[len(columns) * 5 % len(positions[0].moves)] + 1)
            positions = [position.play(str(columns[-1])) for position in positions]
        if positions[0].is_over:
            continue
        sign = 1 if positions[0].player == 0 else -1
        for move in positions[0].moves:
            after = [position.play(move) for position in positions]
            values = [solver.value(one) * sign for solver, one in zip(solvers, after, strict=True)]
            expected = values[0] if after[0].is_over else -truth.value([*columns, move + 1])
            assert values == [expected, expected]
            seen += 1
    assert seen > 20


@pytest.mark.parametrize("number", [0, 1, 2, *slowly(*range(3, 30))])
def test_the_second_truth_agrees_on_the_openings(number: int) -> None:
    opening = openings()[number]
    assert Truth().value([int(move) for move in opening.moves]) == WORTH[opening.worth]


def test_perfect_play_keeps_and_a_blunder_loses() -> None:
    game, skilled, _ = with_openings()
    plain, truth, opening = bw.load(game), bw.load(skilled), openings()[0]
    perfect = bw.player(REPLIES, truth)
    assert isinstance(perfect, SolverPlayer)
    kept = play_opening(opening, bw.player(REPLIES, truth), perfect)
    assert kept.lost == "" and kept.plies > len(opening.moves)
    values = perfect.solver.values(opening.position(truth))
    worst = min(values, key=lambda move: values[move])
    assert values[worst] < WORTH[opening.worth]

    class Blunderer(bw.Player):
        def choose(self, position: bw.Position, control: object = None) -> bw.Choice:
            return bw.Choice(worst)

    blunderer = Blunderer()
    blunderer.game = plain
    lost = play_opening(opening, blunderer, perfect)
    assert lost.lost == f"{worst + 1} at ply {len(opening.moves) + 1}"


def test_a_wrong_opening_is_told_by_its_line(tmp_path: Path) -> None:
    game, path = bw.load("tictactoe"), tmp_path / "openings.txt"
    for text, said in (
        ("# none\n", "holds no openings"),
        ("\na1 b2 loss\n", r":2: 'loss' is neither win nor draw"),
        ("a1 a1 draw\n", r":1: .*a1.*; write the moves"),
        ("a1 b1 a2 b2 a3 win\n", ":1: the game is over there"),
    ):
        path.write_text(text)
        with pytest.raises(bw.InputError, match=said):
            read_openings(path, game)
    with pytest.raises(bw.InputError, match="cannot read"):
        read_openings(tmp_path / "none.txt", game)
    path.write_text("b2 a1 win\n")  # a corner answers the middle: a draw
    with pytest.raises(bw.InputError, match="is worth something else"):
        measure_openings(game, game, "random", read_openings(path, game))


def test_openings_can_be_chosen_for_any_game() -> None:
    game = bw.load("tictactoe")
    found = list(choose_openings(game, {"draw": 3}, 3, 5))
    assert len({one.position(game).key for one in found}) == 3
    solver = Solver(game)
    for one in found:
        values = solver.values(one.position(game))
        assert max(values.values()) == 0.0 and sum(value == 0.0 for value in values.values()) <= 2
    with pytest.raises(bw.InputError, match="still to find after 5 tries: 9 win"):
        list(choose_openings(game, {"win": 9}, 1, 5, tries=5))


def test_the_command_counts_what_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("b2 a2 win\nb2 a1 draw\n")
    done = run_here("bench", "openings", "solver", "--game", "tictactoe", "--file", str(path))
    assert done.returncode == 0 and "solver: kept 2 of 2" in done.stdout
    done = run_here("bench", "openings", "random:seed=1", "--game", "tictactoe", "--file", str(path), "--json")
    assert {one["opening"] for one in json.loads(done.stdout)["random:seed=1"]} == {"b2 a2 win", "b2 a1 draw"}
    done = run_here("bench", "openings", "random", "--game", "tictactoe")
    assert done.returncode != 0 and "--game and --file go together" in done.stderr


# The value of the race


def test_the_last_part_of_a_race_is_worth_what_a_shorter_race_is() -> None:
    part, whole = SolvedRace(1, 2), ValueIteration(bw.load(race(1)), tolerance=1e-9)
    assert len(part.states) == len(whole)
    assert np.allclose(np.sort(part.exact[:, 0]), np.sort(whole.state_values[:, 0]), atol=1e-5)
    assert part.exact[0, 0] == pytest.approx(whole.value(blank(whole.game))[0], abs=1e-5)


def test_misses_are_the_mean_over_positions(run: Path) -> None:
    solved = SolvedRace(2, 2)
    found = solved.misses(str(run))
    assert [one.left for one in found] == ["1 : 1", "1 : 2", "2 : 2", "2 to 2"]
    assert found[-1].result == found[-2].result and found[0].chance == found[0].result / 2
    assert 0.0 < found[-1].result < 1.0
    # One by one, by the player's own account of what a position after its move is worth.
    game, solution = solved.game, ValueIteration(solved.game, tolerance=1e-6)
    player = bw.player(f"value:model={run}", game)
    position = game.begin(seed=4)
    choice = player.choose(position)
    after = position.play(choice.move)
    assert choice.value is not None
    where = next(k for k in range(len(solved.states)) if solved.states[k].tobytes() == after.record.tobytes())
    assert solved.exact[where] == pytest.approx(solution.value(after), abs=1e-5)
    assert solved._asked(str(run))(copy_record(solved.states[[where]]))[0] == pytest.approx(choice.value, abs=1e-5)


def test_a_network_of_self_play_is_asked_where_somebody_moves(run: Path, tmp_path: Path) -> None:
    game = bw.load(race(2))
    observer = Observer.of(game)
    shape, rng = shape_for(game, observer.shape, 8, 1, 16), np.random.default_rng(5)
    weights = {name: rng.normal(0.0, 0.3, size).astype(np.float32) for name, size in array_shapes(shape).items()}
    heading = {"shape": shape.to_dict(), "eyes": observer.to_dict(), "unit": 0.0}
    model = save_model(tmp_path / "model.safetensors", NETWORK, game, heading, weights)
    assert is_network(str(model)) and not is_network(str(run))
    solved, player = SolvedRace(1, 2), bw.player(f"net:model={model}", game)
    missed = []
    for number in range(len(solved.states)):
        position = bw.Position(game, copy_record(solved.states[number : number + 1]))
        if position.player >= 0:
            said = player.choose(position).value
            assert said is not None
            missed.append(abs(said[0] - solved.exact[number, 0]))
    assert 10 < len(missed) < len(solved.states)
    (one, whole) = solved.misses(str(model), decisions=True)
    assert one.positions == whole.positions == len(missed)
    assert one.result == pytest.approx(np.mean(missed), abs=1e-5)
    assert solved.misses(str(run), decisions=True)[0].positions == len(missed) < solved.misses(str(run))[0].positions
    arguments = ("bench", "learn", "error", "--pieces", "2", "--left", "1", "--value", str(model))
    done = run_here(*arguments)
    assert done.returncode == 0 and "of positions after the dice" in done.stdout


def test_a_sample_is_the_same_for_the_same_seed(run: Path) -> None:
    solved = SolvedRace(2, 2)
    few = [solved.misses(str(run), sample=500, seed=seed) for seed in (1, 1, 2)]
    assert few[0] == few[1] != few[2]
    assert all(one.positions <= 500 for one in few[0])
    with pytest.raises(bw.InputError, match="left=3 of 2 pieces; choose 1 to 2"):
        SolvedRace(3, 2)


@pytest.mark.slow
def test_pace_is_measured_by_whole_trainings() -> None:
    (pace,) = measure_pace({race(2): "a race"}, 1, 1, **SMALL)
    assert pace.what == "a race" and pace.games > 0 and pace.looks > pace.games and pace.ratio > 0


@pytest.mark.slow  # learns a game that nobody else does
def test_what_it_trains_may_lie_where_a_folder_has_a_comma(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "a,b"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    done = run_here("bench", "learn", "openings", "--minutes", "0.001", "--limit", "1", "--json")
    assert done.returncode == 0 and "seconds=0.1" in json.loads(done.stdout)["openings"]["player"], done.stderr


def test_the_command_measures_what_it_is_asked_for(run: Path) -> None:
    arguments = ["--pieces", "2", "--left", "1", "--value", str(run), "--player", "random", "--limit", "1", "--json"]
    done = run_here("bench", "learn", "error", "openings", *arguments)
    told = json.loads(done.stdout)
    assert set(told) == {"error", "openings"} and told["openings"]["player"] == "random"
    assert len(told["openings"]["kept"]) == 1 and told["error"][-1]["left"] == "1 to 1"
    done = run_here("bench", "learn", "errors")
    assert done.returncode != 0 and "no figure 'errors'; there are speed, error, openings" in done.stderr
