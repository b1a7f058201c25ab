"""OpenSpiel's games played by Boardwright: the same moves and results as theirs, and their search behind our specs."""

from __future__ import annotations

import pickle
import random
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyspiel
import pytest
from typer.testing import CliRunner

import boardwright as bw
from boardwright.adapters import openspiel_in
from boardwright.adapters.openspiel_in import OpenSpielGame, playable_names
from boardwright.adapters.openspiel_search import THEIRS
from boardwright.cli.main import app
from boardwright.contract.random import Random
from boardwright.players.mcts import SearchPlayer
from boardwright.records import Record
from boardwright.search.exact.solver import Solver

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"


def random_line(game: bw.Game, seed: int, most: int = 10_000) -> bw.Position:
    """A position reached by random play."""
    rng, position = Random(seed), game.begin(seed)
    for _ in range(most):
        if position.is_over:
            break
        position = position.sample(rng) if position.is_chance else position.play(rng_move(position, rng))
    return position


def rng_move(position: bw.Position, rng: Random) -> int:
    return position.moves[rng.below(len(position.moves))]


# The rules


@pytest.mark.parametrize("name", [name for name in playable_names() if name != "quoridor"])
def test_every_game_plays_as_it_does_there(name: str) -> None:
    game = bw.load(f"openspiel:{name}")
    assert isinstance(game, OpenSpielGame) and game.name == f"openspiel_{name}"
    state, position, rng = game.spiel.new_initial_state(), openspiel_blank(game), Random(7)
    for _ in range(60):
        assert position.is_over == state.is_terminal()
        if state.is_terminal():
            assert position.results == pytest.approx(state.returns())
            break
        if state.is_chance_node():
            assert position.is_chance
            assert dict(position.chances) == pytest.approx({o: p for o, p in state.chance_outcomes() if p > 0})
            step = position.chances[rng.pick([p for _, p in position.chances])][0]
        else:
            assert position.player == state.current_player()
            assert list(position.moves) == state.legal_actions()
            step = rng_move(position, rng)
        assert position.parse(position.text(step)) == step
        assert position.observe().shape == tuple(game.observe_shape)
        position = position.advance(step)
        state.apply_action(step)
    assert game.from_json(position.to_json()) == position
    assert pickle.loads(pickle.dumps(game)) == game


def openspiel_blank(game: bw.Game) -> bw.Position:
    from boardwright.contract.position import blank

    return blank(game)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("tictactoe", "openspiel:tic_tac_toe"),
        (f"{EXAMPLES / 'connect_four.py'}:ConnectFour", "openspiel:connect_four"),
        ("gomoku:size=7", "openspiel:gomoku(size=7)"),
    ],
)
def test_our_own_games_and_theirs_agree_move_for_move(ours: str, theirs: str) -> None:
    one, two = bw.load(ours), bw.load(theirs)
    for seed in range(25):
        a, b, rng = one.begin(), two.begin(), Random(seed)
        while not a.is_over:
            assert a.player == b.player and sorted(a.moves) == sorted(b.moves)
            move = rng_move(a, rng)
            a, b = a.play(move), b.play(move)
        assert b.is_over and a.results == b.results


def test_options_reach_openspiel_in_every_way_of_writing_them() -> None:
    games = [
        bw.load("openspiel:connect_four", rows=5),
        bw.load("openspiel:connect_four(rows=5)"),
        bw.load("openspiel:connect_four:rows=5"),
        bw.load("openspiel:connect_four", rows="5"),
    ]
    assert all(game == games[0] for game in games)
    assert str(games[0]).count("rows=5") == 1 and len(str(games[0].begin()).splitlines()) == 5
    assert games[0] != bw.load("openspiel:connect_four") and games[0].digest != bw.load("openspiel:connect_four").digest


def test_what_follows_from_another_option_is_left_to_openspiel() -> None:
    game = bw.load("openspiel:hex", board_size=4)
    assert game.options["num_cols"] == game.options["num_rows"] == 4 and game.actions == 16


def test_a_game_of_a_game() -> None:
    game = bw.load("openspiel:misere(game=tic_tac_toe())")
    position = game.begin()
    for move in (0, 3, 1, 4, 2):
        position = position.play(move)
    assert position.results == (-1.0, 1.0)
    assert pickle.loads(pickle.dumps(game)) == game


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("openspiel:kuhn_poker", "hides information"),
        ("openspiel:goofspiel", "at the same time"),
        ("openspiel:stones_and_gems", "in secret"),
        ("openspiel:misere(game=kuhn_poker())", "hides information"),
        ("openspiel:conect_four", "no game 'conect_four'; there are 2048, amazons"),
        ("openspiel:connect_four(rowz=4)", "no setting 'rowz'; its settings are: columns=7"),
        ("openspiel:connect_four(rows=many)", "must be a whole number"),
        ("openspiel:connect_four(rows=0)", "it crashes"),
        ("openspiel:connect_four(rows", "no game; write openspiel:NAME"),
        ("openspiel:", "no game; write openspiel:NAME"),
        ("openspiel:hex(board_size=-3)", "cannot play it"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_line(spec: str, said: str) -> None:
    with pytest.raises(bw.InputError) as told:
        bw.load(spec)
    assert said in str(told.value) and "\n" not in str(told.value)


def test_options_in_a_record_cannot_crash_who_reads_it() -> None:
    end = bw.load("openspiel:connect_four").begin().play(3)
    text = Record.of(end, seed=1, players=["a", "b"]).to_json()
    assert Record.from_json(text).replay().moves == end.moves
    told = Record.from_json(text)
    altered = replace(told, options={**told.options, "rows": 0})
    with pytest.raises(bw.InputError, match="it crashes"):
        altered.replay()


def test_a_position_from_outside_is_replayed_before_it_is_believed() -> None:
    game = bw.load("openspiel:tic_tac_toe")
    good = game.begin().play(4).play(8).to_json()
    assert game.from_json(good).moves == (0, 1, 2, 3, 5, 6, 7)
    for before, after in (("[4, 8,", "[4, 4,"), ('"length": 2', '"length": 1'), ('"length": 2', '"length": 99')):
        with pytest.raises(bw.InputError, match="cannot arise"):
            game.from_json(good.replace(before, after))


def test_states_that_the_cache_has_dropped_come_back_from_their_history(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openspiel_in, "MOST_KEPT", 3)
    game = bw.load("openspiel:breakthrough(rows=6,columns=6)")
    last = random_line(game, 3)
    state = game.spiel.new_initial_state()  # type: ignore[attr-defined]  # of a game of OpenSpiel's
    for position in last.line():
        if position.step is not None:
            state.apply_action(position.step)
        assert str(position) == str(state).strip("\n")
    assert last.results == tuple(state.returns())


# Search


def test_mcts_is_openspiels_own_search_visit_for_visit() -> None:
    game = bw.load("openspiel:connect_four")
    position = game.begin().play(3)
    chosen = bw.player("mcts:simulations=300,seed=5,c=0.7", game).choose(position)
    seed = Random(5000).bits() % (2**31 - 1)  # of the first tree of a player with seed 5
    spiel = pyspiel.load_game("connect_four")
    bot = pyspiel.MCTSBot(spiel, pyspiel.RandomRolloutEvaluator(1, seed), 1.4, 300, 1000, True, seed, False)
    state = spiel.new_initial_state()
    state.apply_action(3)
    root = bot.mcts_search(state)
    assert chosen.visits == {child.action: child.explore_count for child in root.children}
    assert chosen.move == root.best_child().action
    assert chosen.value == pytest.approx((-root.total_reward / 300, root.total_reward / 300))
    for child in root.children:
        assert chosen.values[child.action] == pytest.approx(child.total_reward / child.explore_count)
    assert chosen.simulations == 300 and not chosen.note


@pytest.mark.parametrize(
    "spec", ["mcts:simulations=200", "mcts:simulations=99,select=puct", "mcts:simulations=60,grow=3"]
)
def test_both_searches_see_a_win_in_one_and_prove_it(spec: str) -> None:
    position = bw.load("openspiel:tic_tac_toe").begin()
    for move in (0, 3, 1, 4):
        position = position.play(move)
    chosen = bw.player(spec, position.game).choose(position)
    assert chosen.move == 2 and "proven" in chosen.note and chosen.line[0] == 2


def test_a_search_that_openspiel_has_not_says_so() -> None:
    game = bw.load("openspiel:tic_tac_toe")
    for setting in ("select=puct", "depth=3", "expand=2", "common=true", "grow=2"):
        note = bw.player(f"mcts:simulations=20,{setting}", game).choose(game.begin()).note
        assert setting.partition("=")[0] in THEIRS and f"has no {setting.partition('=')[0]}" in note
    three = bw.load("openspiel:pig", players=3)
    chosen = bw.player("mcts:simulations=20", three).choose(three.begin())
    assert len(chosen.value or ()) == 3 and "each player" in chosen.note


def test_a_budget_in_seconds_and_a_tree_to_look_at() -> None:
    game = bw.load("openspiel:breakthrough", rows=5, columns=5)
    player = bw.player("mcts:seconds=0.05", game)
    assert player.choose(game.begin()).simulations > 0
    assert isinstance(player, SearchPlayer)
    from boardwright.draw.tree_svg import tree_picture

    tree = player.searches[0].tree
    assert tree is not None and "<svg" in tree_picture(tree, game.begin())


def test_chance_is_searched() -> None:
    game = bw.load("openspiel:pig", winscore=20)
    chosen = bw.player("mcts:simulations=300", game).choose(game.begin())
    assert sum(chosen.visits.values()) == pytest.approx(300, abs=1)
    mover, other = chosen.value or (0.0, 0.0)
    assert mover == -other


def test_the_solver_knows_tic_tac_toe_to_be_a_draw() -> None:
    game = bw.load("openspiel:tic_tac_toe")
    solver = Solver(game)
    assert solver.value(game.begin().play(4)) == 0.0
    assert solver.value(game.begin().play(0).play(1)) == 1.0  # an edge beside a corner loses


@pytest.mark.slow
def test_the_solver_solves_tic_tac_toe_from_the_start() -> None:
    game = bw.load("openspiel:tic_tac_toe")
    assert Solver(game).value(game.begin()) == 0.0


# Arena, records, commands


def test_a_match_in_workers_and_its_records() -> None:
    game = bw.load("openspiel:connect_four", rows=5)
    result = bw.match(game, ["mcts:simulations=100", "random"], games=8, seed=1, workers=1)
    assert result.table.games == 8 and not any(one.forfeit >= 0 for one in result.outcomes)
    assert result.table.pairs[0].share.value > 0.8
    record = bw.Library().get(result.outcomes[0].id)
    end = Record.from_json(record.to_json()).replay()  # without being told where the rules are
    assert end.results == record.results and end.game == game


def test_a_game_in_the_terminal_saved_and_resumed() -> None:
    run = CliRunner()
    seats = ["--seat", "human", "--seat", "random", "--seed", "1"]
    first = run.invoke(app, ["play", "openspiel:tic_tac_toe", *seats], input="x(1,1)\nquit\n")
    assert first.exit_code == 0 and "openspiel_tic_tac_toe" in first.output, first.output
    again = run.invoke(app, ["play", "openspiel:tic_tac_toe", "--resume"], input="board\nquit\n")
    assert again.exit_code == 0 and re.search(r"^[.o]x[.o]$", again.output, re.MULTILINE), again.output
    found = bw.Library().find(status="unfinished", limit=1)[0]
    shown = run.invoke(app, ["analyse", found.id, "--player", "mcts:simulations=50"])
    assert shown.exit_code == 0, shown.output


def test_what_needs_compiled_rules_says_so() -> None:
    with pytest.raises(bw.InputError, match="not compiled"):
        bw.check_game(bw.load("openspiel:tic_tac_toe"))
    from boardwright.bench.rules import measure_rules

    with pytest.raises(bw.InputError, match="not compiled"):
        measure_rules("openspiel:tic_tac_toe")


def test_the_board_has_a_picture_of_its_text() -> None:
    picture = bw.load("openspiel:connect_four").begin().play(3).svg()
    assert picture.startswith("<svg") and "x" in picture


# Extras


@pytest.mark.parametrize(
    ("module", "asked", "extra"),
    [
        ("pyspiel", "import boardwright as bw; bw.load('openspiel:chess')", "openspiel"),
        ("pyspiel", "import boardwright.adapters.openspiel_out", "openspiel"),
        ("gymnasium", "import boardwright.adapters.gym", "gym"),
        ("pettingzoo", "import boardwright.adapters.pettingzoo", "gym"),
    ],
)
def test_a_missing_extra_is_told_with_its_command(module: str, asked: str, extra: str) -> None:
    text = f"import sys; sys.modules[{module!r}] = None\n{asked}"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert done.returncode and f"InputError: {module} is not installed" in done.stderr
    assert f"pip install 'boardwright[{extra}]'" in done.stderr


def test_nothing_of_this_is_imported_unasked() -> None:
    text = (
        "import sys, boardwright as bw\nbw.load('azul').begin(); bw.player; bw.match\n"
        "print([m for m in ('pyspiel', 'gymnasium', 'pettingzoo', 'boardwright.adapters') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_random_options_of_every_type() -> None:
    """Text, truth values, numbers with a point: each arrives as itself."""
    picked: dict[str, tuple[str, Any]] = {
        "nim": ("pile_sizes", "2;2"), "go": ("komi", 0.5), "oware": ("num_seeds_per_house", 3),
        "gomoku": ("anti", True), "backgammon": ("scoring_type", "full_scoring"),
    }  # fmt: skip
    for name, (option, value) in picked.items():
        game = bw.load(f"openspiel:{name}", **{option: value})
        assert game.options[option] == value
        assert game.spiel.get_parameters()[option] == value  # type: ignore[attr-defined]  # of a game of OpenSpiel's
        position = random_line(game, random.Random(1).randrange(100), most=5)
        assert position.game.options == game.options
