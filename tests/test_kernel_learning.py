"""Learning inside the kernel: what is seen, whole turns, gradients, targets, and runs that give the same bits."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import boardwright as bw
from boardwright.compile.kernel import interpret, kernel
from boardwright.contract.position import Position, blank
from boardwright.contract.random import Random
from boardwright.contract.state import copy_record
from boardwright.learn.kernel.fitting import FitRoom, Fitter, Lessons, add_slope, values_only
from boardwright.learn.kernel.games import Arcade
from boardwright.learn.kernel.greedy import Terms
from boardwright.learn.kernel.learner import Learner
from boardwright.learn.kernel.log import DRAWN, EXPLORED, LEFT_OUT, Log, new_log, set_targets
from boardwright.learn.kernel.lookahead import LIKELY, MOST_DRAWS, answered, draw_room
from boardwright.learn.kernel.model import load_value, save_value
from boardwright.learn.kernel.network import ValueNetwork, fresh_numbers, network_for
from boardwright.learn.kernel.player import state_value
from boardwright.learn.kernel.searching import Rivals, SearchTerms, new_searching, play_by_search, promise
from boardwright.learn.kernel.sight import check_plan, plan_for
from boardwright.learn.kernel.train import KernelSettings, train
from boardwright.learn.kernel.turns import best_turn, turn_room
from boardwright.learn.runs import Run
from boardwright.search.exact.solver import Solver
from boardwright.search.exact.value_iteration import ValueIteration
from boardwright.search.improved_policy import improve
from boardwright.search.search import Search
from boardwright.search.settings import SearchSettings, make_plan
from boardwright.search.tree import new_tree, open_slot
from tests.games.two_steps import TwoSteps

UR = "docs/examples/royal_ur.py:RoyalUr:pieces=2"


def small(
    game: bw.Game, seed: int = 3, zero_sum: bool = True, has_policy: bool = True
) -> tuple[ValueNetwork, npt.NDArray[np.float32]]:
    """A network of few units whose rows are not 0."""
    network = network_for(game, 32, 8, zero_sum, has_policy=has_policy)  # as SHORT has it: compiled once for both
    numbers = fresh_numbers(network, seed, 1.0)
    rng = np.random.default_rng(seed)
    numbers[: network.first_biases] = rng.normal(0.0, 0.3, network.first_biases)
    return network, numbers


def positions(game: bw.Game, seed: int, count: int) -> list[Position]:
    found: list[Position] = []
    rng, position = Random(seed), game.begin(seed)
    while len(found) < count:
        if position.is_over:
            position = game.begin(rng.bits())
        found.append(position)
        position = position.play(position.moves[rng.below(len(position.moves))]).settle(rng)
    return [one for one in found if not one.is_over]


def test_the_viewer_is_the_field_that_names_the_player_to_act() -> None:
    plan = json.loads(plan_for(bw.load(UR)))
    assert plan["viewer"] == {"field": "turn", "modulo": False}
    assert [field["name"] for field in plan["fields"]] == ["at", "roll"]
    assert plan["fields"][0]["rows"]
    by_count = json.loads(plan_for(bw.load("docs/examples/connect_four.py:ConnectFour")))
    assert by_count["viewer"] == {"field": "count", "modulo": True}
    cells = next(field for field in by_count["fields"] if field["name"] == "cells")
    assert cells["owner"] == 1  # 0 nobody, 1 and 2 the players: counted from the viewer


def test_a_game_may_say_who_views_and_is_held_to_it() -> None:
    class Seen(TwoSteps):
        def viewer(self, s):  # type: ignore[no-untyped-def]  # a game file has no types
            return s.made // 2 % 2

    class Wrong(TwoSteps):
        def viewer(self, s):  # type: ignore[no-untyped-def]  # a game file has no types
            return 1

    game = Seen()
    assert json.loads(plan_for(TwoSteps()))["viewer"] == {"mover": True}  # two moves a turn: no field names him
    assert json.loads(plan_for(game))["viewer"] == {"rule": True}
    bw.check_game(game, games=3)
    network, numbers = small(game)
    for position in positions(game, 3, 10):
        assert position.viewer == position.player
        values, plain = np.zeros(2), np.zeros(2)
        state_value(game, network, numbers, copy_record(position.record), values)
        interpret(state_value)(game, network, numbers, copy_record(position.record), plain)
        assert values == pytest.approx(plain, abs=1e-6)
    with pytest.raises(bw.RuleError, match=r"viewer: names player 1 .* where player 0 is to act"):
        bw.check_game(Wrong(), games=3)


class Told(TwoSteps):
    """A move is told as a step or none, and in how long a step it is."""

    move_features_count = 4
    move_features_most = 2

    def move_features(self, s, move, indices):  # type: ignore[no-untyped-def]  # a game file has no types
        indices[0] = min(move, 1)
        indices[1] = 1 + move
        return 1 if move == 0 else 2


def test_a_game_may_tell_what_a_move_does_and_is_held_to_it() -> None:
    class Unknown(Told):
        move_features_count = 3

    class Silent(Told):
        def move_features(self, s, move, indices):  # type: ignore[no-untyped-def]  # a game file has no types
            return 0

    game = Told()
    assert "moves" not in json.loads(plan_for(TwoSteps()))
    assert json.loads(plan_for(game))["moves"] == {"count": 4, "most": 2}
    bw.check_game(game, games=3)
    with pytest.raises(bw.RuleError, match=r"move_features: wrote the number of a feature .* they are 0 to 2"):
        bw.check_game(Unknown(), games=3)
    with pytest.raises(bw.RuleError, match="move_features: told nothing of move 0"):
        bw.check_game(Silent(), games=3)
    network, numbers = small(game)
    assert network.policy_rows == 4
    numbers[network.move_biases : network.move_biases + 4] = [0.1, 0.2, 0.3, 0.4]
    position = game.begin()
    first = np.zeros(network.room, np.float32)
    interpret(lift)(game, network, numbers, position.view, first)
    units = first[network.most : network.most + network.first]
    rows = numbers[network.count * network.first :].reshape(-1)[: 4 * network.first].reshape(4, -1) @ units
    logits = np.array([rows[0] + 0.1, rows[1] + rows[2] + 0.5, rows[1] + rows[3] + 0.6])
    expected = np.exp(logits) / np.exp(logits).sum()
    for form in (prior_of, interpret(prior_of)):
        shares = np.zeros(3)
        form(game, network, numbers, copy_record(position.record), np.arange(3, dtype=np.int32), shares)
        assert shares == pytest.approx(expected, rel=1e-3)


@kernel
def lift(game: Any, network: Any, learned: Any, s: Any, work: Any) -> None:
    """The first layer's units at `s` into `work`, behind the features' values."""
    indices = np.empty(network.most, np.int32)
    network.lift(indices, work, network.see(game, s, indices, work), learned)


@kernel
def prior_of(game: Any, network: Any, learned: Any, states: Any, moves: Any, shares: Any) -> None:
    """The policy's shares of moves in states[0]."""
    network.prior(game, states[0], learned, moves, len(moves), shares)


def test_both_seats_see_the_same_of_positions_that_differ_in_seats_only() -> None:
    game = bw.load(UR)
    network, numbers = small(game)
    numbers[: (game.players + 2) * network.first] = 0.0  # but for who looks
    for position in positions(game, 1, 30):
        turned = copy_record(position.record)
        turned["at"][0] = position.record["at"][0][::-1]
        turned["turn"][0] = 1 - position.record["turn"][0]
        here, there = np.zeros(2), np.zeros(2)
        state_value(game, network, numbers, copy_record(position.record), here)
        state_value(game, network, numbers, turned, there)
        assert here[::-1] == pytest.approx(there)
        interpret(state_value)(game, network, numbers, turned, here)
        assert here == pytest.approx(there, abs=1e-6)


def fit_room(game: bw.Game, network: ValueNetwork) -> FitRoom:
    numbers = np.zeros(network.size, np.float32)
    fitter = Fitter(game, network, numbers, numbers, numbers.copy(), numbers.copy())
    return fitter.room


@pytest.mark.parametrize("spec", [UR, "azul:players=3", "gomoku:size=5"])
def test_gradients_are_those_of_differences(spec: str) -> None:
    game = bw.load(spec)
    network, numbers = small(game, zero_sum=False)
    position = next(one for one in positions(game, 2, 30) if len(one.moves) > 1)
    moves = np.array(position.moves, np.int32)
    shares = np.linspace(1.0, 2.0, len(moves)).astype(np.float32)
    shares /= shares.sum()
    lessons = Lessons(
        np.linspace(-0.4, 0.6, network.outs)[None, :], np.array([0, len(moves)], np.int64), moves, shares, 1.0
    )
    room = fit_room(game, network)
    _, _, count, _ = interpret(add_slope)(game, network, numbers, position.view, lessons, 0, room)

    def loss(place: int, more: float) -> float:
        changed = numbers.copy()
        changed[place] += more
        told = interpret(add_slope)(game, network, changed, position.view, lessons, 0, fit_room(game, network))
        return float(told[0]) / 2 + float(told[1])

    places = [int(row) * network.first + 1 for row in room.indices[: min(count, 4)]]
    places += [network.first_biases, network.second_rows + 3, network.second_biases + 1, network.output_rows + 2]
    for move in moves[:2].tolist():
        row = int(position.move_features(move)[-1])
        places += [(network.count + row) * network.first + 2, network.move_biases + row]
    for place in [*places, network.output_biases]:
        slope = (loss(place, 1e-2) - loss(place, -1e-2)) / 2e-2
        assert room.slope[place] == pytest.approx(slope, abs=2e-3)


def test_a_turn_of_several_moves_is_one_decision_and_equal_ends_are_looked_at_once() -> None:
    game = TwoSteps()
    network, numbers = small(game)
    states, room = turn_room(game, 16)
    for position in (one for one in positions(game, 5, 20) if one.view.made % 2 == 0):
        states[:1] = copy_record(position.record)
        room.looks[0] = 0
        value, length = best_turn(game, network, numbers, states, room)
        ends = {}
        for first in range(3):
            for second in range(3):
                end, out = position.play(first).play(second), np.zeros(2)
                state_value(game, network, numbers, copy_record(end.record), out)
                ends[first, second] = out[position.player]
        assert length == 2
        assert value == pytest.approx(max(ends.values()))
        assert ends[tuple(room.best[:2].tolist())] == pytest.approx(value)
        assert room.lengths[-1] == 5  # sums of 0 to 4: the other four orders lead to the same
        plain_states, plain = turn_room(game, 16)
        plain_states[:1] = copy_record(position.record)
        assert interpret(best_turn)(game, network, numbers, plain_states, plain)[1] == 2


def test_two_plies_are_the_mean_over_draws_of_the_best_answers() -> None:
    game = bw.load(UR)
    network, numbers = small(game)
    drawn, draws = draw_room(game)
    states, room = turn_room(game)

    def value_of(at: Position) -> npt.NDArray[np.float64]:
        out = np.zeros(2)
        state_value(game, network, numbers, copy_record(at.record), out)
        return out

    for position in positions(game, 8, 12):
        after = position.play(position.moves[0])
        drawn[:1] = copy_record(after.record)
        assert answered(game, network, numbers, drawn, draws, states, room)

        def worth(at: Position, share: float = 1.0, depth: int = 0) -> npt.NDArray[np.float64]:
            if at.is_chance and depth < MOST_DRAWS and (depth == 0 or share >= LIKELY):
                parts = [chance * worth(at.draw(outcome), share * chance, depth + 1) for outcome, chance in at.chances]
                mean: npt.NDArray[np.float64] = np.sum(parts, axis=0)
                return mean
            ends = [at.play(move) for move in at.moves] or [at]
            values = [np.array(end.results) if end.is_over else value_of(end) for end in ends]
            return max(values, key=lambda value: float(value[max(at.player, 0)]))

        assert draws.total == pytest.approx(worth(after), abs=1e-6)


@pytest.mark.slow  # compiles Azul
def test_a_long_run_of_draws_is_left_to_the_value() -> None:
    game = bw.load("azul")
    network, numbers = small(game)
    drawn, draws = draw_room(game)
    drawn[:1] = copy_record(blank(game).record)
    assert not answered(game, network, numbers, drawn, draws, *turn_room(game))
    out = np.zeros(2)
    state_value(game, network, numbers, copy_record(blank(game).record), out)
    assert draws.total == pytest.approx(out)


def test_targets_go_back_through_the_turns_and_are_cut_where_somebody_explored() -> None:
    log = Log(
        np.array([[0.2, -0.2]] * 2 + [[0.6, -0.6]] * 2), np.zeros((4, 2)), np.array([0, 1, 1, 0], np.int8),
        np.array([0, 0, 0, 0], np.int8), np.zeros(4, np.int32), np.array([4], np.int64), np.array([[1.0, -1.0]]),
        np.zeros(0, np.int32), np.zeros(0, np.float32),
    )  # fmt: skip
    wanted = np.zeros((4, 1))
    for run in (set_targets, interpret(set_targets)):
        log.marks[:] = [0, DRAWN, 0, LEFT_OUT]
        run(log, 0.5, 1, 0, wanted, np.zeros(2))
        # The last turn ended the game, won by seat 0; before it lay a draw: 0.5 * 0.2 + 0.5 * 1, seen by seat 0.
        assert wanted[:3, 0] == pytest.approx([0.5 * 0.2 + 0.5 * 1.0, -1.0, -1.0])
        log.marks[2] = EXPLORED  # what the turn not taken promised: 0.6
        run(log, 0.5, 1, 0, wanted, np.zeros(2))
        assert wanted[:3, 0] == pytest.approx([0.5 * 0.2 + 0.5 * 0.6, -0.6, -0.6])
        log.marks[:] = [0, LEFT_OUT, 0, DRAWN]  # nothing drawn between the turns: lambda counts after the last alone
        run(log, 0.5, 1, 0, wanted, np.zeros(2))
        assert wanted[:, 0] == pytest.approx([0.5 * 0.6 + 0.5 * 1.0, -0.8, -0.8, 1.0])


def test_a_searched_root_promises_what_its_improved_policy_is_worth() -> None:
    """Twelve tries of twelve moves say little as a mean: a move that loses by force is not played."""
    game = bw.load("tictactoe")
    tree = new_tree(2, 8)
    slots, stats = tree.slots, tree.stats[0]
    for at, (visits, value) in enumerate([(4, 1.0), (2, 1.6), (2, -0.6), (0, 0.0)]):
        open_slot(slots[at], at, 1 / 3)
        slots["visits"][at], slots["value"][at] = visits, (value, -value)
    slots["actor"][0], slots["first"][0], slots["count"][0] = 0, 1, 3
    plan = make_plan(game, SearchSettings(simulations=4, select="gumbel", prior="uniform", rollout="none"), valued=True)
    weights, promised = np.zeros(9), np.zeros(2)
    improve(slots, stats, plan, weights)
    for run in (promise, interpret(promise)):
        run(slots, weights, promised)
        share = weights[0] / (weights[0] + weights[1])
        assert promised == pytest.approx([share * 0.8 - (1 - share) * 0.3, -share * 0.8 + (1 - share) * 0.3])
    assert promised[0] > 0.75  # the mean of the tries: 0.25


@pytest.mark.parametrize("terms", [Terms(200, 2, 0.1, 0, 1, 1), SearchTerms(200, 2, 4, 12, 0.5, 4, 0.25, 1, 0.5)])
def test_threads_change_nothing(terms: Terms | SearchTerms) -> None:
    game = bw.load(UR)
    network, numbers = small(game)
    one, two = (Arcade(game, network).play(numbers, 30, 4, terms, threads) for threads in (1, 2))
    assert one is not None and two is not None
    assert one.states.tobytes() == two.states.tobytes()
    for name in Log._fields:
        assert np.array_equal(getattr(one.log, name), getattr(two.log, name)), name
    told = one.log.counts > 0
    assert told.any()
    ends = np.cumsum(one.log.counts)[told]
    assert np.add.reduceat(one.log.shares, ends - one.log.counts[told]) == pytest.approx(np.ones(told.sum()), abs=1e-5)


def test_games_by_search_are_the_same_in_the_interpreter() -> None:
    game = bw.load(UR)
    network, numbers = small(game)
    terms = SearchTerms(20, 2, 3, 6, 0.5, 4, 0.25, 1, 0.5)
    logs = []
    for run in (play_by_search, interpret(play_by_search)):
        kept, log = np.zeros(2 * 20 * 2, game.state_dtype), new_log(game, 2, 20, has_policy=True)
        searching = new_searching(game, 3, 6, 4, 0.25, has_policy=True)
        order = (terms, log, Rivals(numbers, -1))
        places, looks = run(game, network, numbers, searching, np.array([5, 6], np.uint64), kept, order)
        logs.append((int(places), int(looks), kept.tobytes(), log))
    assert logs[0][:3] == logs[1][:3]
    for name in Log._fields:
        assert getattr(logs[0][3], name) == pytest.approx(getattr(logs[1][3], name), abs=1e-6), name


def test_a_search_with_a_learnt_policy_tries_its_best_first() -> None:
    game = bw.load(UR)
    network, numbers = small(game)
    position = next(one for one in positions(game, 4, 40) if len(one.moves) > 1)
    liked = position.moves[-1]
    numbers[network.move_biases + liked] = 12.0
    network.__dict__["learned"] = numbers
    settings = SearchSettings(simulations=12, select="puct", prior="learnt", rollout="none", seed=1)
    visits = []
    for interpreted in (False, True):
        search = Search(game, settings, network, interpreted=interpreted)
        search.grow(position)
        assert search.tree is not None
        slots = search.tree.slots[list(search.tree.children())]
        assert slots["prior"][slots["move"] == liked] > 0.9
        visits.append(slots["visits"].tolist())
    assert visits[0] == visits[1]
    with pytest.raises(bw.InputError, match="prior=learnt does not exist"):
        bw.player("mcts:prior=learnt", game)


def test_one_look_at_a_move_is_enough_where_the_answer_wins_at_once() -> None:
    game = bw.load("tictactoe")
    network, numbers = small(game)
    network.__dict__["learned"] = numbers
    position = game.begin()
    for move in (0, 3, 8, 4):  # 3 4 5 is threatened
        position = position.play(move)
    settings = SearchSettings(simulations=30, select="puct", c=5.0, prior="uniform", rollout="none", forcing=False)
    looks = {}
    for threats in (True, False):
        search = Search(game, replace(settings, threats=threats), network, interpreted=True)
        search.grow(position)
        assert search.tree is not None
        slots = search.tree.slots[list(search.tree.children())]
        assert sorted(slots["move"]) == [1, 2, 5, 6, 7], "the root keeps all its moves"
        lost = slots[slots["move"] != 5]
        assert np.all(lost["value"][lost["proven"] == 1] == [-1.0, 1.0])
        looks[threats] = lost["visits"][lost["proven"] == 1].tolist()
    assert looks[True] == [1, 1, 1, 1]
    assert all(visits > 1 for visits in looks[False])


SHORT = KernelSettings(
    way="greedy", games=60, rounds=6, batch=16, rate=0.004, learn=1.0, first=32, second=8, longest=200, threads=2,
    deep=12, shallow=4,
)  # fmt: skip


def trained(path: Path, spec: str, rounds: int, settings: KernelSettings = SHORT) -> Path:
    with Run(path, bw.load(spec), "kernel", replace(settings, rounds=rounds), seed=1, pilot=False) as run:
        return train(run).model


@pytest.mark.parametrize("settings", [SHORT, replace(SHORT, way="search"), replace(SHORT, way="auto", trial=40_000)])
def test_a_run_that_was_stopped_goes_on_to_the_same_bits(settings: KernelSettings, tmp_path: Path) -> None:
    whole = trained(tmp_path / "whole", UR, 4, settings)
    trained(tmp_path / "parts", UR, 2, replace(settings, threads=1))
    parts = trained(tmp_path / "parts", UR, 4, settings)
    game = bw.load(UR)
    assert load_value(str(whole), game)[1].tobytes() == load_value(str(parts), game)[1].tobytes()


def test_a_run_that_was_stopped_in_its_trial_leaves_no_model_to_play_by(tmp_path: Path) -> None:
    with Run(tmp_path, bw.load(UR), "kernel", replace(SHORT, way="auto", trial=40_000), 1, pilot=False) as run:
        run.stop()
        assert not train(run).model.exists()
    assert trained(tmp_path, UR, 2, replace(SHORT, way="auto", trial=40_000)).exists()


@pytest.mark.slow  # compiles all of it for one more game; what Ur learns by search is near the truth below
def test_search_teaches_tic_tac_toe_to_the_truth(tmp_path: Path) -> None:
    game = bw.load("tictactoe")
    settings = replace(SHORT, way="search", games=400, batch=32, opening=4, deep=24, shallow=8)
    model = trained(tmp_path / "run", "tictactoe", 30, settings)
    truth, player = Solver(game), bw.player(f"mcts:value={model},simulations=30", game)
    wrong = 0
    seen = [one for one in positions(game, 5, 120) if len(one.moves) > 1]
    for one in seen:
        values = truth.values(one)
        wrong += values[player.choose(one).move] < max(values.values())
    assert wrong <= 6, f"{wrong} of {len(seen)}"


@pytest.mark.parametrize("way", ["greedy", "search"])
def test_what_was_learnt_in_seconds_is_near_the_truth_in_all_ways_to_play(way: str, tmp_path: Path) -> None:
    game = bw.load(UR)
    truth = ValueIteration(game)
    model = trained(tmp_path / "run", UR, 40, replace(SHORT, way=way, deep=24, shallow=8))
    seen = [one for one in positions(game, 11, 150) if len(one.moves) > 1]
    losses = {
        one: {move: max(truth.values(one).values()) - value for move, value in truth.values(one).items()}
        for one in seen
    }
    at_random = np.mean([np.mean(list(loss.values())) for loss in losses.values()])
    for spec, share in (
        (f"value:model={model}", 0.2),
        (f"value:model={model},plies=2", 0.2),
        (f"mcts:value={model},simulations=200,prior=uniform", 0.4),
    ):
        player = bw.player(spec, game)
        lost = np.mean([losses[one][player.choose(one).move] for one in seen])
        assert lost < share * at_random, spec


@pytest.mark.slow  # compiles Azul and 2048
def test_three_players_and_points_learn_too(tmp_path: Path) -> None:
    for spec, settings in (
        ("azul:players=3", KernelSettings(way="search", games=20, rounds=2, first=32, second=8, longest=80)),
        ("2048:size=3", KernelSettings(way="search", games=20, rounds=2, first=32, second=8, longest=400)),
    ):
        game = bw.load(spec)
        model = trained(tmp_path / spec.replace(":", "-"), spec, 2, settings)
        network, numbers = load_value(str(model), game)
        assert network.outs == game.players
        assert np.all(np.isfinite(numbers))
        choice = bw.player(f"value:model={model}", game).choose(game.begin(seed=1))
        assert choice.move in game.begin(seed=1).moves
        assert choice.value is not None and len(choice.value) == game.players


def test_a_model_of_another_game_or_cut_short_is_refused(tmp_path: Path) -> None:
    model = trained(tmp_path / "run", UR, 1)
    with pytest.raises(bw.InputError, match="was made for pieces=2, not pieces=3"):
        load_value(str(model), bw.load("docs/examples/royal_ur.py:RoyalUr:pieces=3"))
    with pytest.raises(bw.InputError, match="was made for RoyalUr, not for tictactoe"):
        load_value(str(model), bw.load("tictactoe"))
    model.write_bytes(model.read_bytes()[:-100])
    with pytest.raises(bw.InputError):
        load_value(str(model), bw.load(UR))
    with pytest.raises(bw.InputError, match="plies=3 must be 1 or 2"):
        bw.player(f"value:model={model},plies=3", bw.load(UR))


def test_a_plan_for_other_features_is_refused() -> None:
    game = bw.load("azul")
    count, most = game.features_count, game.features_most
    plan = {"players": 2, "viewer": {"field": "turn", "modulo": False}, "own": True, "fields": []}
    sizes = {"count": count + 3, "most": most + 2, "base": count}
    check_plan(game, json.dumps({**plan, **sizes}))
    for name in sizes:
        with pytest.raises(bw.InputError, match="made for other fields or features than azul has now; train it again"):
            check_plan(game, json.dumps({**plan, **sizes, name: sizes[name] - 1}))


def test_a_policy_learnt_on_other_features_of_moves_is_refused(tmp_path: Path) -> None:
    def told(more: int, count: int = 4) -> bw.Game:
        class Named(Told):
            move_features_count = count

            def move_features(self, s, move, indices):  # type: ignore[no-untyped-def]  # a game file has no types
                indices[0] = (move + more) % 3
                return 1

        return Named()

    network, numbers = small(told(0))
    model = str(save_value(tmp_path / "told.safetensors", told(0), network, numbers, {}, {}))
    assert load_value(model, told(0))[0] == network
    with pytest.raises(bw.InputError, match="made for other features of moves of Named than it has now"):
        load_value(model, told(1))
    with pytest.raises(bw.InputError, match="made for other fields or features than Named has now"):
        load_value(model, told(0, count=5))


def test_a_policy_by_numbers_plays_on_in_a_game_that_has_come_to_tell_its_moves(tmp_path: Path) -> None:
    network, numbers = small(Told())
    by_number = replace(network, plan=plan_for(TwoSteps()), policy_rows=3)
    model = save_value(tmp_path / "old.safetensors", Told(), by_number, numbers[: by_number.size], {}, {})
    assert load_value(str(model), Told())[0] == by_number


def test_fitting_moves_the_average_and_asserts_the_shape_of_its_targets() -> None:
    game = bw.load(UR)
    network, numbers = small(game)
    fitter = Fitter(game, network, numbers, numbers.copy(), np.zeros_like(numbers), np.zeros_like(numbers))
    with pytest.raises(AssertionError):
        fitter.fit(np.zeros(4, game.state_dtype), values_only(np.zeros((4, 2))), np.arange(4), 2, 0.01)


def test_a_training_may_start_from_the_numbers_of_another_board(tmp_path: Path) -> None:
    small_board, large_board = bw.load("gomoku", size=5), bw.load("gomoku", size=6)
    network = network_for(small_board, 32, 8, zero_sum=True, has_policy=True)
    numbers = fresh_numbers(network, 1, 1.0, random_rows=True)
    path = save_value(tmp_path / "model.safetensors", small_board, network, numbers, {}, {})
    settings = KernelSettings(way="search", start=str(path), first=32, second=8, games=2, rounds=1)
    other = network_for(large_board, 32, 8, zero_sum=True, has_policy=True)
    learner = Learner.fresh(large_board, other, settings, "search", 0)
    assert learner.before == pytest.approx(numbers, abs=1e-2)  # half precision
    assert isinstance(learner._terms(0), SearchTerms), "what it starts from plays at once"
    assert isinstance(Learner.fresh(large_board, other, replace(settings, start=""), "search", 0)._terms(0), Terms)
    wide = network_for(large_board, 64, 8, zero_sum=True, has_policy=True)
    with pytest.raises(bw.InputError, match=r"start: model\.safetensors has first=32, not 64"):
        Learner.fresh(large_board, wide, settings, "search", 0)
    with pytest.raises(bw.InputError, match="was made for gomoku, not for tictactoe"):
        Learner.fresh(bw.load("tictactoe"), other, settings, "search", 0)


def test_a_training_may_start_from_a_value_whose_policy_was_told_otherwise(tmp_path: Path) -> None:
    """The value goes on, the policy begins anew: even."""
    network, _ = small(Told())
    by_number = replace(network, plan=plan_for(TwoSteps()), policy_rows=3)
    numbers = np.linspace(-1.0, 1.0, by_number.size, dtype=np.float32)
    path = save_value(tmp_path / "old.safetensors", Told(), by_number, numbers, {}, {})
    settings = KernelSettings(way="search", start=str(path), first=network.first, second=network.second, rounds=1)
    begun = Learner.fresh(Told(), network, settings, "search", 0).before
    value = slice(network.first_biases, network.move_biases)
    features = network.count * network.first
    assert begun.shape == (network.size,)
    assert begun[:features] == pytest.approx(numbers[:features], abs=1e-3)
    assert begun[value] == pytest.approx(numbers[by_number.first_biases : by_number.move_biases], abs=1e-3)
    assert not begun[features : network.first_biases].any() and not begun[network.move_biases : -1].any()
    assert begun[-1] == numbers[-1]
