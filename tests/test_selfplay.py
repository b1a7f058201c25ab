"""Networks, targets, positions and self-play, each against a truth of its own."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boardwright as bw
from boardwright.learn.sampling import random_positions
from boardwright.learn.selfplay.augment import mirrored
from boardwright.learn.selfplay.buffer import Buffer, joined
from boardwright.learn.selfplay.forward import Forward, fresh_weights, pure
from boardwright.learn.selfplay.games import PlayedPortion, Portion, SelfPlay, portion_seed
from boardwright.learn.selfplay.net import make_net
from boardwright.learn.selfplay.numpy_forward import AT_ONCE, NumpyForward
from boardwright.learn.selfplay.observation import Observer
from boardwright.learn.selfplay.player import NetPlayer
from boardwright.learn.selfplay.settings import SelfplaySettings, check_game_fits
from boardwright.learn.selfplay.shape import Shape, array_shapes, check_weights, shape_for
from boardwright.learn.selfplay.targets import Targets
from boardwright.learn.selfplay.training import Trainer, make_batch, surprise_weights
from boardwright.learn.selfplay.warm_start import warm_games
from tests.marks import examples, slowly

PIG, CONNECT_FOUR = "docs/examples/pig.py:Pig", "docs/examples/connect_four.py:ConnectFour"
SMALL = SelfplaySettings(
    games=12, parallel=8, simulations=8, fast_simulations=3, channels=8, blocks=1, hidden=16, batch=32, openings=2
)


def set_up(name: str, changed: SelfplaySettings = SMALL) -> tuple[bw.Game, Observer, Targets, Shape, SelfPlay]:
    game = bw.load(name)
    observer, targets = Observer.of(game), Targets.of(game)
    shape = shape_for(game, observer.shape, changed.channels, changed.blocks, changed.hidden)
    return game, observer, targets, shape, SelfPlay(game, changed, observer, targets)


def played(name: str, games: int = 12, seed: int = 1, changed: SelfplaySettings = SMALL) -> PlayedPortion:
    _, _, _, shape, plays = set_up(name, changed)
    return plays.play(Forward(shape, fresh_weights(shape, 0)), games, seed)


def bytes_of(part: Portion) -> list[tuple[Any, bytes]]:
    arrays: list[Any] = list(part)
    return [(array.dtype, array.tobytes()) for array in arrays]


# Networks


@pytest.mark.parametrize("name", ["tictactoe", *slowly(CONNECT_FOUR, "gomoku:size=7", "azul")])
def test_the_pure_function_is_the_network(name: str) -> None:
    game, observer, _, shape, _ = set_up(name)
    seen = observer.see(random_positions(game).states[:5])
    weights = fresh_weights(shape, 7)
    logits, values = Forward(shape, weights)(seen)
    expected_logits, expected_values = make_net(shape, 7)(seen)  # type: ignore[arg-type]  # NumPy's arrays will do
    np.testing.assert_allclose(logits, expected_logits, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(values, expected_values, rtol=1e-5, atol=1e-6)
    assert logits.shape == (5, game.actions) and values.shape == (5, game.players)


@pytest.mark.parametrize(
    "shape",
    [
        Shape("grid", (3, 4, 2), actions=12, players=2, bounded=True, channels=8, blocks=2, hidden=4),
        Shape("grid", (3, 4, 2), actions=5, players=3, bounded=False, channels=8, blocks=1, hidden=4),
        Shape("flat", (7,), actions=5, players=2, bounded=True, channels=8, blocks=2, hidden=16),
    ],
    ids=["cells", "grid", "flat"],
)
def test_numpy_answers_as_jax_does(shape: Shape) -> None:
    rng = np.random.default_rng(3)
    made = {name: array.shape for name, array in fresh_weights(shape, 0).items()}
    assert made == array_shapes(shape)
    weights = {name: 0.3 * rng.standard_normal(size).astype(np.float32) for name, size in made.items()}
    seen = rng.standard_normal((AT_ONCE + 8, *shape.observed)).astype(np.float32)
    for ours, theirs in zip(NumpyForward(shape, weights)(seen), Forward(shape, weights)(seen), strict=True):
        assert ours.shape == theirs.shape and ours.dtype == theirs.dtype
        np.testing.assert_allclose(ours, theirs, rtol=1e-3, atol=1e-4)


def test_shipped_networks_play_without_jax(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jax", None)  # as where it is not installed
    game = bw.load("tictactoe")
    player = bw.player("net:", game)
    assert isinstance(player, NetPlayer) and isinstance(player.network.forward, NumpyForward)
    position = game.begin().play("a1").play("b2").play("a2")
    assert position.text(player.choose(position).move) == "a3"


def test_a_convolution_net_plays_other_sizes_with_the_same_weights() -> None:
    _, _, _, shape, _ = set_up("gomoku:size=7")
    other = replace(shape, observed=(9, 9, 4), actions=81)
    weights = fresh_weights(shape, 1)
    check_weights(other, weights, "test")
    logits, _ = Forward(other, weights)(np.ones((1, 9, 9, 4), np.float32))
    assert logits.shape == (1, 81) and np.isfinite(logits).all()


def test_foreign_weights_are_refused_by_name() -> None:
    _, _, _, shape, _ = set_up("tictactoe")
    weights = dict(fresh_weights(shape, 0))
    name = next(iter(weights))
    with pytest.raises(bw.InputError, match="not those of its network"):
        check_weights(shape, {**weights, name: weights[name][..., :-1]}, "file")
    weights[name] = np.full_like(weights[name], np.nan)
    with pytest.raises(bw.InputError, match="no numbers"):
        check_weights(shape, weights, "file")


def test_illegal_moves_and_weights_of_zero_teach_nothing() -> None:
    import jax

    _, observer, targets, _, _ = set_up("tictactoe")
    batch = make_batch(played("tictactoe").positions, SMALL, observer, targets, np.random.default_rng(0))
    assert not batch.legal.all()
    assert (batch.policies[~batch.legal] == 0).all()

    def loss(logits: Any) -> Any:
        masked = jax.numpy.where(batch.legal, logits, -1e9)
        return -(batch.policies * jax.nn.log_softmax(masked)).sum()

    gradient = np.asarray(jax.grad(loss)(np.zeros(batch.legal.shape, np.float32)))
    assert (gradient[~batch.legal] == 0).all() and (gradient[batch.legal] != 0).any()


def test_training_learns_a_batch_by_heart() -> None:
    _, observer, targets, shape, _ = set_up("tictactoe")
    positions = played("tictactoe", 24).positions
    batch = make_batch(
        positions.picked(np.arange(32)), replace(SMALL, mirror=False), observer, targets, np.random.default_rng(0)
    )
    trainer = Trainer(shape, replace(SMALL, rate=0.01, surprise=0.0), 0)
    first = trainer.step(batch)
    assert abs(first[0] - first[3]) < 0.05, "a fresh network likes all legal moves alike: ln(legal moves)"
    assert abs(first[1] - first[4]) < 0.05, "and values everything at 0: the mean squared target"
    for _ in range(300):
        last = trainer.step(batch)
    assert last[0] - last[2] < 0.2 * (first[0] - first[2]), "policy loss near its target's entropy"
    assert last[1] < 0.2 * first[1]


# Values


@examples(50)
@given(st.lists(st.floats(-5e4, 5e4), min_size=1, max_size=8), st.floats(0.5, 1e4))
def test_points_to_come_survive_the_way_there_and_back(values: list[float], unit: float) -> None:
    game = bw.load("2048")
    states = np.zeros(len(values), game.state_dtype)
    actors = np.zeros(len(values), np.int8)
    targets = Targets(game, unit)
    wanted = np.array(values)[:, None]
    there = targets.by_seat(states, actors, wanted)
    back = targets.by_player(states, actors, there.astype(np.float32))
    np.testing.assert_allclose(back, wanted, rtol=1e-4, atol=1e-3 * unit)


def test_seats_are_counted_from_the_player_to_act() -> None:
    game = bw.load("azul:players=3")
    targets = Targets.of(game)
    states, actors = np.zeros(3, game.state_dtype), np.array([0, 1, 2], np.int8)
    values = np.array([[0.1, 0.2, 0.3]] * 3)
    seats = targets.by_seat(states, actors, values)
    assert seats.tolist() == [[0.1, 0.2, 0.3], [0.2, 0.3, 0.1], [0.3, 0.1, 0.2]]
    np.testing.assert_allclose(targets.by_player(states, actors, seats.astype(np.float32)), values, atol=1e-7)


def test_points_so_far_count_in_points_to_come() -> None:
    game = bw.load("2048")
    position = game.begin(1)
    while max(position.scores) == 0:
        position = position.play(position.moves[0]).settle(bw.Random(1))
    targets = Targets(game, 100.0)
    actors = np.zeros(1, np.int8)
    seats = targets.by_seat(position.record, actors, np.array([position.scores]))
    assert seats[0, 0] == 0.0


# Observer


def test_a_game_without_observe_is_seen_by_its_fields() -> None:
    game = bw.load(PIG)
    observer = Observer.of(game)
    position = game.begin().play("roll")
    states = np.zeros(2, game.state_dtype)
    states["banked"] = [[30, 70], [70, 30]]
    states["turn"] = [0, 1]
    seen = observer.see(states)
    assert seen.shape == (2, *observer.shape)
    assert not np.array_equal(seen[0], seen[1]), "who acts is told"
    assert np.array_equal(seen[0, 2:4], seen[1, 2:4]), "what both have banked: the player to act first"
    assert position.is_chance
    assert Observer.from_dict(game, observer.to_dict()) == observer


def test_all_positions_of_connect_four_look_different() -> None:
    game = bw.load(CONNECT_FOUR)
    states = random_positions(game).states
    distinct = np.unique(states.view(np.uint8).reshape(len(states), -1), axis=0)
    seen = Observer.of(game).see(np.ascontiguousarray(distinct).reshape(-1).view(game.state_dtype))
    assert len(np.unique(seen, axis=0)) == len(distinct)
    assert seen.min() >= 0 and seen.max() <= 1


def test_damaged_notes_of_what_is_seen_are_refused() -> None:
    game = bw.load(PIG)
    for damaged in ({"nothing": [0, 1]}, {"banked": [1, 0]}, {"banked": "x"}):
        with pytest.raises(bw.InputError):
            Observer.from_dict(game, damaged)


# Images


@pytest.mark.parametrize("name", ["tictactoe", "azul", "2048", *slowly("gomoku:size=7")])
def test_images_move_policies_with_their_moves(name: str) -> None:
    game = bw.load(name)
    states = random_positions(game).states
    states = states[:: max(1, len(states) // 40)].copy()
    rng = np.random.default_rng(0)
    images = rng.integers(0, game.symmetries, len(states))
    images[0] = 0
    policies = np.zeros((len(states), game.actions), np.float32)
    for row, state in enumerate(states):
        moves = list(bw.Position(game, state.reshape(1).copy()).moves)
        policies[row, moves] = rng.dirichlet(np.ones(len(moves)))
    found, turned, legal = mirrored(game, states, policies, images)
    assert found[0].tobytes() == states[0].tobytes()
    for row in range(len(states)):
        before = bw.Position(game, states[row].reshape(1).copy())
        after = bw.Position(game, found[row].reshape(1).copy())
        assert sorted(after.moves) == np.flatnonzero(legal[row]).tolist()
        for move in before.moves:
            image = after.play(int(np.flatnonzero(turned[row] == policies[row, move])[0]))
            assert image.player == before.play(move).player
        assert abs(turned[row].sum() - 1) < 1e-5


# Games


@pytest.mark.parametrize(
    "name", ["tictactoe", *slowly("azul", PIG, "2048:size=3", "gomoku:size=5", "azul:players=4", CONNECT_FOUR)]
)
def test_portions_hold_true_positions_and_results(name: str) -> None:
    game = bw.load(name)
    part = played(name)
    positions = part.positions
    assert part.games == 12 == len(part.results) and len(positions.states) > 12
    assert part.evaluations > 0
    for row in range(0, len(positions.states), max(1, len(positions.states) // 30)):
        position = bw.Position(game, positions.states[row : row + 1].copy())
        assert position.player == positions.actors[row]
        policy = positions.policies[row].astype(np.float64)
        assert abs(policy.sum() - 1) < 0.01
        assert set(np.flatnonzero(policy)) <= set(position.moves)
        assert (positions.results[row] == part.results[positions.games[row]].astype(np.float32)).all()
    if not game.counts_points:
        assert np.abs(part.results).max() <= 1 and np.abs(positions.searched).max() <= 1 + 1e-6
        assert np.allclose(part.results.sum(axis=1), 0)


def test_one_seed_one_portion() -> None:
    one, again, other = played("azul", 6, 3), played("azul", 6, 3), played("azul", 6, 4)
    assert bytes_of(one.positions) == bytes_of(again.positions)
    assert one.positions.states.tobytes() != other.positions.states.tobytes()


def test_every_portion_has_a_seed_of_its_own() -> None:
    seeds = {
        portion_seed(seed, iteration, number) for seed in range(5) for iteration in range(40) for number in range(8)
    }
    assert len(seeds) == 5 * 40 * 8


def test_switches_of_self_play_do_what_they_say() -> None:
    every = played("tictactoe", changed=replace(SMALL, full_share=1.0, openings=0))
    assert len(every.positions.states) == every.moves, "without a playout cap every move is learnt from"
    some = played("tictactoe", 40, changed=replace(SMALL, full_share=0.3))
    assert len(some.positions.states) < 0.7 * some.moves
    starts = {state.tobytes() for state in every.positions.states[:8]}
    assert len(starts) == 1, "without openings all games begin alike"
    _, observer, targets, _, _ = set_up("tictactoe")
    rng = np.random.default_rng(0)
    plain = make_batch(
        every.positions, replace(SMALL, mirror=False, search_share=0.0, surprise=0.0), observer, targets, rng
    )
    assert (plain.values == plain.results).all() and (plain.weights == 1).all()
    assert np.array_equal(plain.observations, observer.see(every.positions.states))


def test_surprise_weights_have_mean_one() -> None:
    weights = surprise_weights(np.array([0, 1, 2, 5], np.float32), 0.5)
    assert abs(weights.mean() - 1) < 1e-6 and weights[0] == 0.5 and (np.diff(weights) > 0).all()
    assert (surprise_weights(np.zeros(3, np.float32), 0.5) == 1).all()


def test_a_long_game_is_stopped() -> None:
    part = played("tictactoe", 4, changed=replace(SMALL, longest=4))
    assert part.moves == 4 * 4


# A warm start


@pytest.mark.parametrize("name", ["azul", "2048:size=3", *slowly("gomoku:size=7")])
def test_a_warm_start_holds_what_the_games_policy_thinks(name: str) -> None:
    game = bw.load(name)
    part = warm_games(game, 30, 1)
    assert len(set(part.games.tolist())) == 30
    for row in range(0, len(part.states), 37):
        position = bw.Position(game, part.states[row : row + 1].copy())
        weights = position.weigh(game.policies[0])
        policy = part.policies[row, list(position.moves)].astype(np.float64)
        expected = weights / weights.sum() if weights.sum() > 0 else np.full(len(weights), 1 / len(weights))
        np.testing.assert_allclose(policy, expected, atol=2e-3)
        assert position.player == part.actors[row]
    assert bytes_of(part) == bytes_of(warm_games(game, 30, 1))
    if not game.counts_points:
        assert set(np.abs(part.results).max(axis=1)) <= {0.0, 1.0}


def test_a_warm_start_is_soon_left_behind(tmp_path: Path) -> None:
    game = bw.load("azul")
    buffer = Buffer(tmp_path, game, 200_000, 500)
    warm = warm_games(game, 200, 1)
    buffer.add(-1, warm)
    for iteration in range(3):
        buffer.add(iteration, warm)
    assert all(chapter.name != "warm.safetensors" for chapter in buffer.chapters)


# Buffer


def test_the_buffer_keeps_to_its_cap_and_comes_back(tmp_path: Path) -> None:
    game = bw.load("tictactoe")
    part = played("tictactoe", 40).positions
    count = len(part.states)
    buffer = Buffer(tmp_path / "buffer", game, window=5_000, megabytes=500)
    rounds = 5_000 // count + 10
    for iteration in range(rounds):
        buffer.add(iteration, part)
        buffer.checkpointed()
    assert 5_000 <= len(buffer) < 5_000 + count
    assert buffer.seen == rounds * count
    files = sorted(path.name for path in (tmp_path / "buffer").glob("*.safetensors"))
    assert len(files) <= len(buffer.chapters) + 1, "files beyond the window are gone, but for the checkpoint before"
    again = Buffer(tmp_path / "buffer", game, window=5_000, megabytes=500)
    assert again.restore(buffer.state()) == []
    assert bytes_of(again.positions()) == bytes_of(buffer.positions())


def test_a_cap_in_megabytes_holds(tmp_path: Path) -> None:
    game = bw.load("gomoku:size=7")
    part = joined([], game, 1000)
    buffer = Buffer(tmp_path, game, window=10**6, megabytes=1.0)
    for iteration in range(6):
        buffer.add(iteration, part)
        buffer.checkpointed()
    assert sum(path.stat().st_size for path in tmp_path.glob("*.safetensors")) < 3e6


def test_a_cut_file_of_positions_is_named_and_left_out(tmp_path: Path) -> None:
    game = bw.load("tictactoe")
    buffer = Buffer(tmp_path, game, 10_000, 500)
    part = played("tictactoe").positions
    for iteration in range(3):
        buffer.add(iteration, part)
    whole = (tmp_path / "iteration-000001.safetensors").read_bytes()
    (tmp_path / "iteration-000001.safetensors").write_bytes(whole[:-7])
    again = Buffer(tmp_path, game, 10_000, 500)
    refused = again.restore(buffer.state())
    assert len(refused) == 1 and "iteration-000001" in refused[0] and "cut or altered" in refused[0]
    assert len(again) == 2 * len(part.states)


# Settings


def test_nonsense_is_refused_with_what_fits() -> None:
    for name, value in (("simulations", 1), ("reuse", 0.0), ("average", 1.0), ("search_share", 1.5), ("workers", 0)):
        with pytest.raises(bw.InputError, match=f"{name}="):
            SelfplaySettings(**{name: value})  # type: ignore[arg-type]  # values of many types
    with pytest.raises(bw.InputError, match="never end"):
        SelfplaySettings(minutes=0.0)


@pytest.mark.parametrize("name", ["tictactoe", "gomoku", "azul", "2048", PIG])
def test_presets_are_settings(name: str) -> None:
    for preset in SelfplaySettings.presets(bw.load(name)).values():
        SelfplaySettings(**preset)  # type: ignore[arg-type]  # values of many types


def test_moves_by_the_thousand_are_sent_elsewhere() -> None:
    with pytest.raises(bw.InputError, match="--method kernel"):
        check_game_fits(bw.load("nmbr9"), SelfplaySettings())


def test_portion_fields_stay_together() -> None:
    part = played("tictactoe").positions
    some = part.picked(np.array([3, 1]))
    assert isinstance(some, Portion)
    assert some.states[0].tobytes() == part.states[3].tobytes() and some.games.tolist() == part.games[[3, 1]].tolist()


def test_apply_traces_once_a_shape() -> None:
    _, _, _, shape, _ = set_up("tictactoe")
    assert pure(shape) is pure(Shape.from_dict(shape.to_dict()))
