"""The homework: search, teachers, training and the loop against truths found in another way; and the notebook."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boardwright as bw
from boardwright.contract.position import Position
from boardwright_lab.azul import (
    boards,
    deep_tree,
    experiments,
    figures,
    games,
    loop,
    nets,
    plain,
    recipes,
    teachers,
    training,
    writing_tictactoe,
)
from boardwright_lab.page import Page
from boardwright_lab.run import Run
from tests.marks import slowly

NOTEBOOK = Path(__file__).parent.parent / "docs" / "reproduce" / "azul.ipynb"
TINY = replace(recipes.TICTACTOE, iterations=2, games=8, simulations=4, steps=2, batch=16)


def random_position(game: bw.Game, seed: int, plies: int) -> Position:
    rng = bw.Random(seed)
    position = game.begin(seed)
    for _ in range(plies):
        after = position.play(position.moves[rng.below(len(position.moves))]).settle(rng)
        if after.is_over:
            break
        position = after
    return position


LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


@cache
def worth(cells: tuple[int, ...]) -> int:
    """The result of perfect play to whoever is to move (stones 1; the other's -1), by trying everything."""
    if any(all(cells[i] == -1 for i in line) for line in LINES):
        return -1
    return max((-worth(after(cells, i)) for i in range(9) if not cells[i]), default=0)


def after(cells: tuple[int, ...], move: int) -> tuple[int, ...]:
    """The board after a move, seen by the other."""
    return tuple(-1 if i == move else -stone for i, stone in enumerate(cells))


def seen(position: Position) -> tuple[int, ...]:
    """The board as its mover sees it, read from its text."""
    stones = [mark for line in str(position).splitlines()[:3] for mark in line[1:] if mark in "XO."]
    return tuple({"XO"[position.player]: 1, ".": 0}.get(mark, -1) for mark in stones)


def stack(positions: list[Position]) -> Any:
    return np.frombuffer(b"".join(one.key for one in positions), positions[0].game.state_dtype).copy()


def actors(positions: list[Position]) -> Any:
    return np.array([one.player for one in positions], np.int8)


# The search


def test_the_reports_boards_mean_what_it_says() -> None:
    win, centre = boards.board(boards.CAN_WIN), boards.board(boards.ONLY_THE_CENTRE)
    assert win.play(8).results == (1.0, -1.0)
    assert seen(win) == boards.CAN_WIN and seen(centre) == boards.ONLY_THE_CENTRE
    assert {move: -worth(after(boards.ONLY_THE_CENTRE, move)) for move in centre.moves} == {4: 1, 5: -1, 7: -1, 8: -1}
    block, take = boards.board(boards.MUST_BLOCK), boards.board(boards.MUST_WIN)
    assert not any(block.play(move).is_over for move in block.moves)
    for move in (2, 5):  # unless b1 is taken, the other wins there
        assert block.play(move).play(7).results == (-1.0, 1.0)
    assert take.play(2).results == (1.0, -1.0)


def test_the_reports_listing_gives_the_reports_output() -> None:
    win = plain.PlainSearch(
        boards.board(boards.CAN_WIN), plain.plain_toy_model, as_reported=True, slipped=True
    ).simulate(500)
    assert {move: figures.REPORTED_WIN_VISITS[move] for move in win.moves} == dict(
        zip(win.moves, win.tried, strict=True)
    )
    for move, tried, total in zip(win.moves, win.tried, win.worth, strict=True):
        assert total / tried == pytest.approx(figures.REPORTED_WIN_VALUES[move], abs=1e-8)
    centre = plain.PlainSearch(
        boards.board(boards.ONLY_THE_CENTRE), plain.plain_toy_model, as_reported=True, slipped=True
    ).simulate(500)
    for move, tried, total in zip(centre.moves, centre.tried, centre.worth, strict=True):
        assert total / tried == pytest.approx(figures.REPORTED_CENTRE_VALUES[move], abs=1e-8)


@given(st.integers(0, 10**6), st.integers(0, 6), st.integers(1, 150), st.sampled_from([0.5, 1.0, 3.0]))
def test_the_engine_grows_the_plain_tree(seed: int, plies: int, simulations: int, c: float) -> None:
    position = random_position(boards.tictactoe(), seed, plies)

    def toy(position: Position) -> tuple[list[float], list[float]]:
        priors, value = plain.plain_toy_model(position)
        return [float(np.float32(prior)) for prior in priors], value  # the engine keeps priors in four bytes

    root = plain.PlainSearch(position, toy, c).simulate(simulations)
    grown = boards.search(position, simulations, c)
    visits, values = boards.root_visits(grown), boards.root_values(grown)
    assert visits.sum() == simulations
    for move, tried, total in zip(root.moves, root.tried, root.worth, strict=True):
        assert visits[move] == tried
        assert values[move] == pytest.approx(total / max(tried, 1))


def test_the_centres_value_nears_one_as_one_over_the_root() -> None:
    centre = boards.board(boards.ONLY_THE_CENTRE)
    gaps = [1 - boards.root_values(boards.search(centre, n, leaves=64))[4] for n in (500, 5_000, 50_000)]
    assert all(before / later == pytest.approx(10**0.5, rel=0.1) for before, later in pairwise(gaps))


# Games side by side


@given(st.sampled_from(["tictactoe", "azul"]), st.integers(0, 10**6), st.integers(0, 40))
def test_legal_moves_are_the_rules(name: str, seed: int, plies: int) -> None:
    game = bw.load(name)
    position = random_position(game, seed, plies)
    found = games.legal_moves(game, stack([position]))
    assert np.flatnonzero(found[0]).tolist() == sorted(position.moves)


def test_random_games_end_as_they_should() -> None:
    """First 58.49 %, second 28.81 %, drawn 12.70 %: by counting all lines of play."""
    game, count = boards.tictactoe(), 4000
    results = games.play_games(game, (games.at_random(game), games.at_random(game)), count, 1)
    assert (results.sum(axis=1) == 0).all()
    for share, expected in (((results[:, 0] > 0).mean(), 0.5849), ((results[:, 0] < 0).mean(), 0.2881)):
        assert abs(share - expected) < 4 * (expected * (1 - expected) / count) ** 0.5


def test_who_never_errs_never_loses() -> None:
    """Seats go round, and the score is the first chooser's."""
    game = boards.tictactoe()

    def perfect(states: Any, _: Any) -> Any:
        logits = np.full((len(states), 9), -9.0)
        for row, state in enumerate(states):
            position = Position(game, np.array([state], game.state_dtype))
            for move in position.moves:
                logits[row, move] = -worth(after(seen(position), move))
        return logits, None

    score = games.meet(game, games.by_policy(game, perfect), games.at_random(game), 100, 2)
    assert score.lost == 0 and score.won > 70 and score.games == 100
    score = games.meet(game, games.at_random(game), games.by_policy(game, perfect), 100, 2)
    assert score.won == 0


def test_azul_is_played_to_its_end() -> None:
    game = bw.load("azul")
    results = games.play_games(game, (games.at_random(game),), 6, 3)
    assert set(np.abs(results).ravel()) <= {0.0, 1.0} and (results.sum(axis=1) == 0).all() and results.any()
    assert (results == games.play_games(game, (games.at_random(game),), 6, 3)).all()


def test_a_rule_plays_as_the_player_of_its_name() -> None:
    """Where its best move is the only best."""
    game = bw.load("azul")
    positions = [random_position(game, seed, 3 * seed) for seed in range(8)]
    clear = [one for one in positions if np.sort(one.weigh("greedy"))[-2] < one.weigh("greedy").max()]
    moves = games.by_rule(game, "greedy")(turn_at(clear), np.random.default_rng(0))
    assert len(clear) > 2
    assert moves.tolist() == [bw.player("greedy", game).choose(one).move for one in clear]


# Networks and teachers


@pytest.mark.parametrize("name", ["tictactoe", *slowly("azul")])
def test_a_judge_answers_each_position_by_itself(name: str) -> None:
    game = bw.load(name)
    positions = [random_position(game, seed, seed) for seed in range(5)]
    for net in (nets.report_net(game, 1), nets.our_net(game, 1)):
        judge = nets.Judge(game, net)
        logits, values = judge(stack(positions), actors(positions))
        assert logits.shape == (5, game.actions) and values.shape == (5, 2)
        for row, one in enumerate(positions):
            alone = judge(stack([one]), actors([one]))
            assert alone[0][0] == pytest.approx(logits[row], abs=1e-5)
            assert alone[1][0] == pytest.approx(values[row], abs=1e-5)
        slipped = nets.Judge(game, net, slipped=True)(stack(positions), actors(positions))[1]
        assert (slipped == values[:, ::-1]).all()


def test_the_reports_azul_net_is_one_linear_map() -> None:
    for name, bent in (("azul", False), ("tictactoe", True)):
        rules = bw.load(name)
        one, other = np.random.default_rng(0).normal(size=(2, 1, *rules.observe_shape)).astype(np.float32)
        net = nets.report_net(rules, 0)
        logits = [np.asarray(net(x)[0]) for x in (one, other, one + other, 0 * one)]
        off = np.abs(logits[0] + logits[1] - logits[2] - logits[3]).max()
        assert (off > 0.01) == bent


def turn_at(positions: list[Position], ply: int = 0) -> games.Turn:
    return games.Turn(stack(positions), actors(positions), np.arange(len(positions)), ply)


@pytest.mark.parametrize("way", ["visits", "improved"])
def test_a_teacher_finds_the_move_that_counts(way: str) -> None:
    game = boards.tictactoe()
    recipe = replace(TINY, teacher=way, simulations=200, share=0.0, games=2)
    teacher = teachers.Teacher(game, boards.toy_model, recipe)
    positions = [boards.board(boards.CAN_WIN), boards.board(boards.ONLY_THE_CENTRE)]
    moves = teacher(turn_at(positions, ply=recipe.sampled), np.random.default_rng(0))
    assert moves.tolist() == [8, 4]
    examples = teacher.examples(np.array([[1.0, -1.0], [-1.0, 1.0]]))
    assert examples.values.tolist() == [[1.0, -1.0], [-1.0, 1.0]]
    assert examples.policies.sum(axis=1) == pytest.approx(1.0)
    assert examples.policies.argmax(axis=1).tolist() == [8, 4]
    assert not (examples.policies > 0)[~games.legal_moves(game, examples.states)].any()
    assert not teacher.seen


def test_a_teachers_visits_are_those_of_the_plain_search() -> None:
    position = boards.board(boards.EARLY)
    recipe = replace(TINY, teacher="visits", simulations=60, games=1)
    teacher = teachers.Teacher(position.game, boards.toy_model, recipe)
    teacher.grow(turn_at([position]), np.random.default_rng(0))
    root = plain.PlainSearch(position, plain.plain_toy_model, recipe.c).simulate(60)
    assert {move: teacher.visits()[0, move] * 60 for move in root.moves} == pytest.approx(
        dict(zip(root.moves, root.tried, strict=True))
    )


def test_a_draw_follows_the_policy() -> None:
    rng = np.random.default_rng(0)
    drawn = teachers.draw(np.tile(np.array([[0.0, 0.7, 0.0, 0.3]], np.float32), (4000, 1)), rng)
    counts = np.bincount(drawn, minlength=4) / 4000
    assert counts[[0, 2]].sum() == 0 and abs(counts[1] - 0.7) < 0.03


# Learning


def some_examples(game: bw.Game, count: int) -> training.Examples:
    positions = [random_position(game, seed, seed % 4) for seed in range(count)]
    policies = np.zeros((count, game.actions), np.float32)
    for row, one in enumerate(positions):
        policies[row, one.moves[0]], policies[row, one.moves[-1]] = 0.75, 0.25
    values = np.array([[0.5, -0.5] if row % 2 else [-1.0, 1.0] for row in range(count)])
    return training.Examples(stack(positions), actors(positions), policies, values)


@pytest.mark.parametrize("masked", [True, False])
def test_the_loss_is_the_formula(masked: bool) -> None:
    game = boards.tictactoe()
    examples = some_examples(game, 5)
    net = nets.report_net(game, 3)
    recipe = replace(TINY, masked=masked, mirrored=False)
    batch = training.make_batch(game, examples, recipe, np.random.default_rng(0))
    assert len(batch.seen) == 64 and batch.weights.sum() == 5
    total, both = training.loss(net, batch)
    logits, values = nets.Judge(game, net)(examples.states, examples.actors)
    legal = games.legal_moves(game, examples.states)
    policy, value = 0.0, 0.0
    for row in range(5):
        weights = np.exp(logits[row].astype(float)) * (legal[row] if masked else 1.0)
        shares = weights / weights.sum()
        policy -= sum(examples.policies[row, m] * np.log(shares[m]) for m in range(9) if examples.policies[row, m]) / 5
        value += ((values[row] - examples.values[row]) ** 2).mean() / 5
    assert np.asarray(both) == pytest.approx([policy, value], rel=1e-4)
    assert float(total) == pytest.approx(policy + value, rel=1e-4)


@given(st.sampled_from(["tictactoe", "azul"]), st.integers(0, 10**6))
def test_images_keep_policies_on_legal_moves(name: str, seed: int) -> None:
    game = bw.load(name)
    examples = some_examples(game, 3)
    batch = training.make_batch(game, examples, TINY, np.random.default_rng(seed))
    assert np.sort(batch.policies[:3], axis=1)[:, -2:] == pytest.approx(np.sort(examples.policies, axis=1)[:, -2:])
    assert not (batch.policies > 0)[~batch.allowed].any()
    own = examples.values[np.arange(3), examples.actors]
    assert batch.values[:3, 0] == pytest.approx(own) and batch.values[:3, 1] == pytest.approx(-own)


def test_a_step_learns() -> None:
    game = boards.tictactoe()
    net, recipe = nets.our_net(game, 0), replace(TINY, mirrored=False, iterations=1, steps=60)
    optimiser = training.make_optimiser(net, recipe)
    batch = training.make_batch(game, some_examples(game, 12), recipe, np.random.default_rng(0))
    first = np.asarray(training.learn(net, optimiser, batch)).sum()
    for _ in range(58):
        training.learn(net, optimiser, batch)
    assert np.asarray(training.learn(net, optimiser, batch)).sum() < 0.8 * first


def test_examples_of_a_tree_are_its_positions() -> None:
    """Counted again from the plain search, whose nodes are known by the moves that lead to them."""
    start = boards.board(boards.EARLY)
    search = plain.PlainSearch(start, plain.plain_toy_model, deep_tree.EXPLORE)
    search.simulate(400)
    wanted: dict[bytes, tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]] = {}
    for line, node in search.nodes.items():
        position = start
        for move in line:  # type: ignore[attr-defined]  # a list in this table
            position = position.play(move)
        tried, sums = wanted.setdefault(bytes(position.view.cells), (np.zeros(9), np.zeros(9)))
        tried[node.moves] += node.tried
        sums[node.moves] += node.worth
    wanted = {key: node for key, node in wanted.items() if node[0].sum() + 1 >= 5}
    examples = deep_tree.tree_examples(boards.search(start, 400, deep_tree.EXPLORE), least=5)
    assert len(examples.states) == len(wanted) > 10
    for state, actor, policy, value in zip(*examples, strict=True):
        tried, sums = wanted[bytes(Position(start.game, np.array([state], start.game.state_dtype)).view.cells)]
        assert policy == pytest.approx(tried / tried.sum(), abs=1e-6)
        assert value[actor] == pytest.approx((sums[tried > 0] / tried[tried > 0]).max())
        assert value.sum() == 0


def test_a_warm_start_learns_from_the_games_own_policy() -> None:
    game = bw.load("azul")
    examples = training.warm_examples(game, 3, 1)
    assert examples.policies.sum(axis=1) == pytest.approx(1.0)
    for row in range(0, len(examples.states), 20):
        position = Position(game, games.pick(examples.states, np.array([row])))
        weights = position.weigh("greedy")
        assert examples.policies[row, list(position.moves)] == pytest.approx(weights / weights.sum(), abs=2e-3)
        assert examples.actors[row] == position.player
    assert set(examples.values.sum(axis=1)) == {0.0}


def test_examples_of_the_reports_tree_are_its_nodes() -> None:
    search = plain.PlainSearch(boards.board(boards.EARLY), plain.plain_toy_model, as_reported=True)
    search.simulate(300)
    taught = [node for node in search.nodes.values() if node.seen > 4]
    examples = deep_tree.plain_examples(search)
    assert len(examples.states) == len(taught) > 10
    for node, actor, policy, value in zip(taught, *examples[1:], strict=True):
        assert policy[node.moves] == pytest.approx(np.array(node.tried) / (node.seen - 1))
        best = max(total / tried for total, tried in zip(node.worth, node.tried, strict=True) if tried)
        assert value[actor] == pytest.approx(best) and actor == node.position.player


def weights_of(net: Any) -> bytes:
    from flax import nnx

    return b"".join(np.asarray(leaf[...]).tobytes() for _, leaf in nnx.to_flat_state(nnx.state(net)))


@pytest.mark.parametrize("name", slowly("tictactoe", "azul"))
def test_one_seed_one_network(name: str) -> None:
    game = bw.load(name)
    made = []
    for seed in (1, 1, 2):
        net = nets.our_net(game, 0)
        laps = loop.alphazero(game, net, replace(TINY, iterations=1, games=6), seed, test_games=4)
        assert [lap.number for lap in laps] == [1] and laps[0].score is not None and laps[0].examples > 10
        made.append(weights_of(net))
    assert made[0] == made[1] != made[2]


@pytest.mark.slow  # a whole training
def test_the_loop_learns_tictactoe() -> None:
    game = boards.tictactoe()
    net = nets.our_net(game, 0)
    before = loop.test(game, net, games.at_random(game), 200, 5)
    laps = loop.alphazero(game, net, replace(recipes.TICTACTOE, iterations=3), 1, test_every=9)
    assert [lap.score is None for lap in laps] == [True, True, False]
    assert laps[-1].policy_loss < laps[0].policy_loss
    assert laps[-1].score is not None and laps[-1].score.wins.low > max(before.wins.high, 0.7)


# Files and the page


def test_a_network_is_kept_as_a_model_that_plays(tmp_path: Path) -> None:
    run = Run("azul", True, 0, 0, tmp_path, lambda text: None)
    game = boards.tictactoe()
    net = nets.our_net(game, 4)
    path = experiments.keep(run, game, net)
    assert path == experiments.keep(run, game, net) and len(list(tmp_path.iterdir())) == 1
    assert path != experiments.keep(run, game, nets.our_net(game, 5))
    choose = games.by_policy(game, nets.Judge(game, net))
    for seed in range(5):
        position = random_position(game, seed, seed)
        move = choose(turn_at([position]), np.random.default_rng(0))[0]
        assert bw.player(f"net:model={path}", game).choose(position).move == move
    with pytest.raises(bw.InputError, match="made for tictactoe"):
        bw.player(f"net:model={path}", bw.load("azul"))
    cut = tmp_path / "cut.safetensors"
    cut.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(bw.InputError, match="no whole safetensors file"):
        bw.player(f"net:model={cut}", game)


def test_a_folder_that_no_spec_can_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(bw.InputError, match="choose another --work"):
        experiments.measure(Run("azul", True, 0, 0, tmp_path / "a,b", lambda text: None))


def test_the_report_says_that_the_reports_output_was_met() -> None:
    page = Page("azul")
    writing_tictactoe.search_section(page)
    writing_tictactoe.limit_section(page)
    said = "\n".join(page._parts)
    assert said.count("to every digit printed") == 2
    assert "most visits to c1: 327 of 500" in said and "most visits to b2: 431 of 500" in said
    assert page.tables[0]["rows"][-1][:4] == ["c1", "330", "330", "327"]


@pytest.mark.slow
def test_the_notebook_runs_from_top_to_bottom(tmp_path: Path) -> None:
    """In a process of its own: Jupyter's event loop warns of things that are not ours."""
    script = (
        "import sys, nbformat\n"
        "from nbclient import NotebookClient\n"
        "book = nbformat.read(sys.argv[1], 4)\n"
        "NotebookClient(book, timeout=600, kernel_name='python3').execute()\n"
        "nbformat.write(book, sys.argv[2])\n"
    )
    done = tmp_path / "done.ipynb"
    apart = {"BOARDWRIGHT_QUICK": "1", "JUPYTER_RUNTIME_DIR": str(tmp_path), "IPYTHONDIR": str(tmp_path)}
    ended = subprocess.run(
        [sys.executable, "-c", script, str(NOTEBOOK), str(done)], env=os.environ | apart, capture_output=True, text=True
    )
    assert ended.returncode == 0, ended.stderr
    cells = [cell for cell in json.loads(done.read_text())["cells"] if cell["cell_type"] == "code"]
    pictures = [out for cell in cells for out in cell["outputs"] if "image/svg+xml" in out.get("data", {})]
    assert len(pictures) >= 6


def test_the_notebook_is_fit_for_readers() -> None:
    text = NOTEBOOK.read_text()
    assert len(text) < 1_000_000
    folders = [folder for folder in Path(NOTEBOOK.anchor).iterdir() if folder.is_dir()]
    assert folders and not any(f"{folder}{os.sep}" in text for folder in folders), "no path of any machine"
    cells = json.loads(text)["cells"]
    assert not any(out["output_type"] == "error" for cell in cells for out in cell.get("outputs", ()))
