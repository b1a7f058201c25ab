"""The laboratory's Gomoku: the stack, its gradients, games in lock-step, the step that learns, the moving window."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boardwright as bw
from boardwright.contract.position import blank
from boardwright.games.in_a_row import Gomoku
from boardwright_lab.gomoku import games as lockstep
from boardwright_lab.gomoku import train as training
from boardwright_lab.gomoku.contest import by_rule, meet
from boardwright_lab.gomoku.curves import Course, by_policy
from boardwright_lab.gomoku.games import PolicyMover, RuleMover, SearchMover, legal_in, observe, play
from boardwright_lab.gomoku.gradients import layer_norms
from boardwright_lab.gomoku.nets import Stack, as_reported, masked_log_softmax, steepest_preference, value_of
from boardwright_lab.gomoku.store import Trained, kept_or_trained
from boardwright_lab.gomoku.train import Nets, Training, train
from boardwright_lab.gomoku.window import LEAST, SMALL, Windows, WindowValues
from tests.marks import slowly

GAME = Gomoku(size=7)
TINY = Stack(7, 49, channels=4, hidden=8)
NETS = Nets(TINY, replace(TINY, outputs=1))
FRESH = Nets(NETS.policy.fresh(1), NETS.value.fresh(2))


def boards(count: int, side: int = 7, seed: int = 0) -> Any:
    """Random observations: some stones of both, nothing else."""
    stones = np.random.default_rng(seed).integers(0, 4, (count, side, side))
    seen = np.zeros((count, side, side, 4), np.float32)
    seen[..., 0], seen[..., 1], seen[..., 3] = stones == 1, stones == 2, 1.0
    return seen


class Noted:
    """A player that notes what it is asked and what it answers."""

    def __init__(self, mover: Any) -> None:
        self.mover = mover
        self.moves: dict[int, list[int]] = {}

    def __call__(self, rows: Any, states: Any, actors: Any) -> Any:
        moves = self.mover(rows, states, actors)
        for row, move in zip(rows, moves, strict=True):
            self.moves.setdefault(int(row), []).append(int(move))
        return moves


# Games in lock-step


def test_games_in_lock_step_are_games_of_the_rules() -> None:
    one, other = Noted(RuleMover(GAME, "random", 3)), Noted(RuleMover(GAME, "random", 4))
    seats = np.arange(12) % 2
    played = play(GAME, (one, other), seats, np.arange(12, dtype=np.uint64))
    assert len(set(played.results)) > 1
    for number, seat in enumerate(seats):
        queues = [iter(one.moves[number]), iter(other.moves[number])]
        position = blank(GAME)
        while not position.is_over:
            position = position.play(next(queues[0 if position.player == seat else 1]))
        assert position.results is not None
        assert played.results[number] == position.results[seat]
        assert all(next(queue, None) is None for queue in queues)


def test_both_games_of_a_pair_begin_alike_and_strength_counts_draws_half() -> None:
    score = meet(GAME, by_rule(GAME, "win-block"), by_rule(GAME, "random"), 41, 5, opening=2)
    assert score.games == 42
    assert score.share.value == pytest.approx((score.wins + score.draws / 2) / 42)
    assert score.share.low > 0.5
    same = meet(GAME, by_rule(GAME, "random"), by_rule(GAME, "random"), 200, 6)
    assert 0.5 in same.share


@given(st.lists(st.integers(0, 48), unique=True, max_size=20))
def test_the_free_cells_of_an_observation_are_the_legal_moves(moves: list[int]) -> None:
    position = blank(GAME)
    for move in moves:
        if not position.is_over:
            position = position.play(move)
    if not position.is_over:
        legal = legal_in(observe(GAME, position.record))[0]
        assert set(np.flatnonzero(legal)) == set(position.moves)


def test_a_turned_player_learns_from_what_it_saw() -> None:
    mover = PolicyMover(GAME, TINY, FRESH.policy, np.random.default_rng(0), sample=True, turned=True)
    noted = Noted(mover)
    play(GAME, (noted, RuleMover(GAME, "random", 1)), np.zeros(8, np.int64), np.arange(8, dtype=np.uint64))
    turned = 0
    for step, one in enumerate(mover.memory):
        assert legal_in(one.observations)[np.arange(len(one.moves)), one.moves].all()
        if step == 0:  # the empty board has all images; the move is played turned back
            turned = sum(int(noted.moves[int(row)][0] != move) for row, move in zip(one.rows, one.moves, strict=True))
    assert turned > 0
    second = mover.memory[1]
    for row, seen in zip(second.rows, second.observations, strict=True):
        own = int(np.flatnonzero(seen[..., 0].reshape(-1))[0])
        images = {int(image[noted.moves[int(row)][0]]) for image in GAME.images}
        assert own in images


def test_the_best_move_of_a_policy_is_its_likeliest() -> None:
    weights = {name: np.zeros_like(array) for name, array in FRESH.policy.items()}
    weights["dense 2.bias"][[10, 30]] = 1.0, 2.0
    states = blank(GAME).play(30).record
    mover = PolicyMover(GAME, TINY, weights, np.random.default_rng(0), sample=False)
    assert mover(np.array([0]), states, np.array([1], np.int8)).tolist() == [10]


def test_the_mean_over_all_images_does_not_mind_how_the_board_lies() -> None:
    mover = PolicyMover(GAME, TINY, FRESH.policy, np.random.default_rng(0), sample=False, turned=True)
    moves = (24, 9, 25, 3, 40)
    lies = []
    for image in range(8):
        position = blank(GAME)
        for move in moves:
            position = position.play(int(GAME.images[image, move]))
        lies.append(position.record.view(np.uint8))
    states = np.concatenate(lies).view(GAME.state_dtype)
    chosen = mover(np.arange(8), states, np.full(8, 1, np.int8))
    assert len({int(np.argsort(GAME.images[image])[move]) for image, move in enumerate(chosen)}) == 1


@pytest.mark.slow
def test_search_with_networks_that_know_nothing_wins_at_once_and_stops_a_win() -> None:
    nothing = Nets(*({name: np.zeros_like(array) for name, array in one.items()} for one in FRESH))
    to_win, to_stop = blank(GAME), blank(GAME)
    for mine, theirs in zip((0, 1, 2, 3), (14, 16, 28, 30), strict=True):
        to_win = to_win.play(mine).play(theirs)
    for move in (14, 0, 16, 1, 28, 2, 30, 3):
        to_stop = to_stop.play(move)
    states = np.concatenate([to_win.record.view(np.uint8), to_stop.record.view(np.uint8)]).view(GAME.state_dtype)
    mover = SearchMover(GAME, NETS, nothing, 400, 2, 0)
    assert mover(np.arange(2), states, np.zeros(2, np.int8)).tolist() == [4, 4]


@pytest.mark.slow
def test_search_hears_whose_value_it_is() -> None:
    """A value network that always says: the player to move is losing. The one move tried is good for its player."""
    weights = Nets(*({name: np.zeros_like(array) for name, array in one.items()} for one in FRESH))
    weights.value["dense 2.bias"][:] = -1.0
    mover = SearchMover(GAME, NETS, weights, 1, 1, 0)
    mover(np.arange(1), blank(GAME).record, np.zeros(1, np.int8))
    slots = mover._forest.tree(0).slots
    first, count = int(slots["first"][0]), int(slots["count"][0])
    visited = [child for child in range(first, first + count) if slots["visits"][child] == 1]
    assert len(visited) == 1
    assert slots["value"][visited[0]] == pytest.approx([math.tanh(1.0), math.tanh(-1.0)])


# The stack


@pytest.mark.parametrize("seed", [0, 1, *slowly(*range(2, 25))])
def test_mask_after_softmax_is_softmax_over_the_legal_moves(seed: int) -> None:
    rng = np.random.default_rng(seed)
    answers, legal = rng.normal(0.0, 2.0, (3, 49)), rng.random((3, 49)) < 0.5
    legal[:, 0] = True
    theirs = as_reported(TINY)

    def of(log_policy: Any) -> Any:
        return lambda answers: jnp.where(legal, log_policy(answers, legal), 0.0).sum()

    for what in (of, lambda log_policy: jax.grad(of(log_policy))):
        assert np.allclose(what(theirs.log_policy)(answers), what(masked_log_softmax)(answers), atol=1e-3)


def test_masked_log_softmax_against_hand() -> None:
    found = np.exp(masked_log_softmax(jnp.array([[0.0, math.log(3.0), 50.0]]), jnp.array([[True, True, False]])))
    assert found == pytest.approx(np.array([[0.25, 0.75, 0.0]]))


def test_no_move_of_the_reports_policy_is_e_times_as_likely_as_another() -> None:
    stack = as_reported(TINY)
    weights = {name: 40.0 * array for name, array in stack.fresh(3).items()}  # as sure of itself as it can be
    seen = boards(32)
    policy = np.exp(stack.log_policy(stack.answers(weights, seen), legal_in(seen)))
    for row, legal in zip(policy, legal_in(seen), strict=True):
        assert row[legal].max() <= steepest_preference(int(legal.sum())) * (1 + 1e-5)
        assert row[legal].max() / row[legal].min() <= math.e * (1 + 1e-5)
    extreme = stack.log_policy(jnp.array([[1.0, *[0.0] * 48]]), jnp.ones((1, 49), bool))
    assert float(np.exp(extreme[0, 0])) == pytest.approx(steepest_preference(49))
    assert steepest_preference(49) == pytest.approx(0.0536, abs=1e-4)


def test_the_forms_of_the_stack_begin_with_the_same_weights() -> None:
    one, other = TINY.fresh(5), as_reported(TINY).fresh(5)
    assert all((one[name] == other[name]).all() for name in one) and one.keys() == other.keys()
    assert not (TINY.fresh(6)["conv 1.kernel"] == one["conv 1.kernel"]).all()


@pytest.mark.parametrize("last_sigmoid", [True, *slowly(False)])
def test_gradient_norms_of_the_last_layer_against_the_formula(last_sigmoid: bool) -> None:
    """d log p(a) / d W = hidden x (1[a] - p), times the sigmoid's slope where there is one."""
    stack = replace(TINY, last_sigmoid=last_sigmoid)
    weights, seen = stack.fresh(4), boards(6, seed=1)
    moves = np.array([int(np.flatnonzero(legal)[0]) for legal in legal_in(seen)], np.int32)
    headless = replace(stack, outputs=8)  # its answers are the hidden layer's: an identity on top
    identity = weights | {"dense 2.kernel": np.eye(8, dtype=np.float32), "dense 2.bias": np.zeros(8, np.float32)}
    hidden = np.asarray(replace(headless, last_sigmoid=False).answers(identity, seen))
    logits = hidden @ weights["dense 2.kernel"]
    answers = 1 / (1 + np.exp(-logits)) if last_sigmoid else logits
    powers = np.exp(answers) * legal_in(seen)
    back = np.eye(49)[moves] - powers / powers.sum(axis=1, keepdims=True)
    if last_sigmoid:
        back = back * answers * (1 - answers)
    squares = (hidden**2).sum(axis=1) * (back**2).sum(axis=1)
    assert layer_norms(stack, weights, seen, moves)[-1] == pytest.approx(math.sqrt(squares.mean()), rel=1e-4)


@pytest.mark.slow
def test_two_sigmoids_starve_every_layer_below() -> None:
    seen, moves = boards(16, seed=2), np.zeros(16, np.int32)
    seen[:, 0, 0, :2] = 0.0
    weights = TINY.fresh(7)
    theirs, ours = (layer_norms(stack, weights, seen, moves) for stack in (as_reported(TINY), TINY))
    assert (theirs < ours).all()


# The step that learns


def learnt(chunk: int, results: list[float], monkeypatch: pytest.MonkeyPatch, **settings: Any) -> Nets:
    """One step of plain gradient descent from three moves of two games."""
    monkeypatch.setattr(training, "CHUNK", chunk)
    seen = boards(3, seed=3)
    moves = np.array([int(np.flatnonzero(legal)[1]) for legal in legal_in(seen)], np.int32)
    memory = lockstep.Remembered(np.array([0, 1, 1]), seen, moves)
    step = training.Step(NETS, Training(rate=1e-3, **settings))
    weights, _, figures = step(FRESH, step.begin(FRESH), memory, np.array(results))
    assert 0.0 < figures[0] <= math.log(49)
    return weights


@pytest.mark.slow
def test_the_step_is_the_policy_gradient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against the formula: (1 / n) sum r d log p, n games."""
    results = [1.0, -1.0]
    weights = learnt(128, results, monkeypatch)
    seen = boards(3, seed=3)
    legal = legal_in(seen)
    moves = [int(np.flatnonzero(one)[1]) for one in legal]

    def score(weights: Any) -> Any:
        log_policy = TINY.log_policy(TINY.answers(weights, seen), legal)
        return sum(results[game] * log_policy[k, moves[k]] for k, game in enumerate((0, 1, 1))) / 2

    def error(weights: Any) -> Any:
        values = value_of(NETS.value.answers(weights, seen))
        return sum((values[k] - results[game]) ** 2 for k, game in enumerate((0, 1, 1))) / 4

    slopes, errors = jax.grad(score)(dict(FRESH.policy)), jax.grad(error)(dict(FRESH.value))
    for name in FRESH.policy:
        assert np.allclose(weights.policy[name], FRESH.policy[name] + 1e-3 * slopes[name], atol=1e-6)
        assert np.allclose(weights.value[name], FRESH.value[name] - 1e-3 * errors[name], atol=1e-6)


@pytest.mark.slow
def test_chunks_and_padding_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, parts = learnt(128, [1.0, -1.0], monkeypatch), learnt(2, [1.0, -1.0], monkeypatch)
    for name in FRESH.policy:
        assert np.allclose(whole.policy[name], parts.policy[name], atol=1e-7)


def test_drawn_games_teach_the_policy_nothing_without_a_baseline(monkeypatch: pytest.MonkeyPatch) -> None:
    weights = learnt(128, [0.0, 0.0], monkeypatch)
    assert all(np.array_equal(weights.policy[name], FRESH.policy[name]) for name in FRESH.policy)
    with_baseline = learnt(128, [0.0, 0.0], monkeypatch, baseline=True)
    assert not np.array_equal(with_baseline.policy["dense 2.kernel"], FRESH.policy["dense 2.kernel"])


@pytest.mark.slow
def test_one_seed_one_training_and_the_pool_grows() -> None:
    short = Training(
        episodes=3, games=8, pool_every=1, opponents=2, adam=True, baseline=True, both_seats=True, turned=True
    )
    told: list[int] = []
    once = train(GAME, NETS, FRESH, short, 5, lambda episode, weights: told.append(episode.number))
    again = train(GAME, NETS, FRESH, short, 5, lambda episode, weights: None)
    assert told == [1, 2, 3]
    for name in FRESH.policy:
        assert np.array_equal(once.policy[name], again.policy[name])
    other = train(GAME, NETS, FRESH, short, 6, lambda episode, weights: None)
    assert not np.array_equal(once.policy["conv 1.kernel"], other.policy["conv 1.kernel"])


def test_several_opponents_share_the_games() -> None:
    class Says:
        def __init__(self, move: int) -> None:
            self.move = move

        def __call__(self, rows: Any, states: Any, actors: Any) -> Any:
            return np.full(len(rows), self.move)

    pool = training.PoolMover([Says(1), Says(2)])
    rows = np.array([0, 1, 2, 3, 6])
    assert pool(rows, np.zeros(5, GAME.state_dtype), np.zeros(5, np.int8)).tolist() == [1, 1, 2, 2, 2]


def test_a_course_is_measured_at_its_end() -> None:
    course = Course("x", GAME, NETS, FRESH, Training(episodes=100), points=5, games=10)
    assert course.measured() == {1, 3, 10, 32, 100}
    score = meet(GAME, by_policy(GAME, TINY, FRESH.policy), by_rule(GAME, "random"), 4, 1)
    assert score.games == 4


# The moving window

LARGE = 9
WINDOWS = Windows(TINY, LARGE, channels=3)
VALUES = WindowValues(NETS.value, LARGE, channels=3)


def test_each_window_says_what_the_small_network_says_of_its_part() -> None:
    weights, seen = WINDOWS.start(FRESH.policy, 1), boards(2, LARGE, seed=4)
    planes = np.asarray(WINDOWS.policies(weights, seen))
    assert planes.shape == (2, LARGE, LARGE, 9)
    for number, (row, column) in enumerate(WINDOWS.places):
        part = seen[:, row : row + 7, column : column + 7]
        said = np.maximum(TINY.log_policy(TINY.answers(FRESH.policy, part), legal_in(part)), LEAST)
        inside = np.zeros((LARGE, LARGE), bool)
        inside[row : row + 7, column : column + 7] = True
        assert np.allclose(planes[:, inside, number], said, atol=1e-5)
        assert (planes[:, ~inside, number] == LEAST).all()


def test_at_the_start_the_most_confident_window_decides() -> None:
    weights, seen = WINDOWS.start(FRESH.policy, 1), boards(2, LARGE, seed=5)
    best = np.asarray(WINDOWS.policies(weights, seen)).max(axis=-1).reshape(2, -1)
    assert np.allclose(WINDOWS.answers(weights, seen), best, atol=1e-5)
    words = [value_of(NETS.value.answers(FRESH.value, seen[:, r : r + 7, c : c + 7])) for r, c in VALUES.places]
    answers = VALUES.answers(VALUES.start(FRESH.value, 1), seen)
    assert np.allclose(answers[:, 0], np.mean(words, axis=0), atol=1e-5)


@pytest.mark.parametrize(("net", "small"), [(WINDOWS, FRESH.policy), *slowly((VALUES, FRESH.value))])
def test_the_small_network_stays_while_the_rest_learns(net: Windows, small: Any) -> None:
    weights: dict[str, Any] = dict(net.start(small, 2))
    weights["join 2.kernel"] = weights["join 2.kernel"] + 0.1
    gradient = jax.grad(lambda weights: (net.answers(weights, boards(2, LARGE)) ** 2).sum())(weights)
    for name, array in gradient.items():
        assert bool(np.any(array)) != name.startswith(SMALL), name


# What is kept


def trained() -> Trained:
    return Trained(FRESH, np.arange(6.0).reshape(2, 3), FRESH)


def test_what_was_trained_is_found_again(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    kept_or_trained(path, {"seed": 1}, trained)
    found = kept_or_trained(path, {"seed": 1}, lambda: pytest.fail("trained again"))
    assert np.array_equal(found.curve, trained().curve)
    assert found.earlier is not None
    for one, other in ((found.weights, FRESH), (found.earlier, FRESH)):
        for kind in Nets._fields:
            assert getattr(one, kind).keys() == getattr(other, kind).keys()
            assert all(np.array_equal(getattr(one, kind)[name], w) for name, w in getattr(other, kind).items())


def test_other_settings_train_anew_and_cut_or_foreign_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    kept_or_trained(path, {"seed": 1}, trained)
    calls: list[int] = []

    def again() -> Trained:
        calls.append(1)
        return trained()._replace(earlier=None)

    assert kept_or_trained(path, {"seed": 2}, again).earlier is None and calls == [1]
    assert kept_or_trained(path, {"seed": 2}, again).earlier is None and calls == [1]
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(bw.InputError, match="no whole safetensors file"):
        kept_or_trained(path, {"seed": 2}, again)
    from boardwright.learn.files import save_arrays

    save_arrays(path, {"a": np.zeros(2)}, {})
    with pytest.raises(bw.InputError, match="move it away"):
        kept_or_trained(path, {"seed": 2}, again)
