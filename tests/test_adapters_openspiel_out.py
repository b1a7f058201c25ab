"""Boardwright's games in OpenSpiel: their own tests of a game, their algorithms, and results that agree with ours."""

from __future__ import annotations

import pickle
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest

import boardwright as bw
from boardwright.adapters import openspiel_out
from boardwright.contract.position import blank
from boardwright.games.built_in import BUILT_IN
from tests.marks import slowly

PIG = str(Path(__file__).parents[1] / "docs" / "examples" / "pig.py")
FIVE = [f"boardwright_{name}" for name in BUILT_IN]


@pytest.fixture(scope="module", autouse=True)
def registered() -> None:
    assert openspiel_out.register() == FIVE
    assert openspiel_out.register(PIG) == ["boardwright_pig"]
    assert openspiel_out.register() == FIVE  # a second time is no error


def random_state(game: Any, rng: np.random.Generator, steps: int = 10**6) -> Any:
    state = game.new_initial_state()
    for _ in range(steps):
        if state.is_terminal():
            break
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=np.array(chances) / sum(chances))))
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
    return state


# Their own tests


@pytest.mark.parametrize(
    "name",
    [
        *(name for name in FIVE if name != "boardwright_2048"),
        "boardwright_pig",
        *slowly("boardwright_azul(players=3)", "boardwright_azul(players=4)", "boardwright_gomoku(size=7,line=4)"),
    ],
)
def test_openspiels_random_simulation_passes(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", ["boardwright_2048", "boardwright_2048(reward_at_end=True,size=3)"])
def test_openspiels_random_simulation_passes_for_long_games(name: str) -> None:
    # Serialising every state of so long a history is all that such a game would do; see the test of that below.
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("name", [*(name for name in FIVE if name != "boardwright_nmbr9"), "boardwright_pig"])
def test_openspiels_api_test_passes(name: str) -> None:
    from open_spiel.integration_tests import api_test

    case = type(
        "ApiTest", (api_test.EnforceAPIOnPartialTreeBase,), {"game": pyspiel.load_game(name), "game_name": name}
    )
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun >= 5 and not result.failures + result.errors, (result.failures + result.errors)[0][1]


@pytest.mark.slow
def test_openspiels_api_test_passes_for_nmbr9() -> None:
    test_openspiels_api_test_passes("boardwright_nmbr9")


# What they are told


def test_kinds_of_game() -> None:
    kinds = {name: pyspiel.load_game(name) for name in (*FIVE, "boardwright_azul(players=3)")}
    for name, game in kinds.items():
        about, points = game.get_type(), name in ("boardwright_2048", "boardwright_nmbr9")
        assert about.information.name == "PERFECT_INFORMATION" and about.dynamics.name == "SEQUENTIAL"
        assert about.reward_model.name == ("REWARDS" if points else "TERMINAL")
        assert game.max_utility() == (np.inf if points else 1.0)
    assert kinds["boardwright_azul"].utility_sum() == 0.0
    assert kinds["boardwright_azul(players=3)"].get_type().utility.name == "GENERAL_SUM"
    assert kinds["boardwright_azul(players=3)"].num_players() == 3
    azul = kinds["boardwright_azul"].get_type()
    assert (azul.min_num_players, azul.max_num_players) == (2, 4)
    assert azul.parameter_specification == bw.load("azul").options
    assert azul.chance_mode.name == "EXPLICIT_STOCHASTIC"
    assert kinds["boardwright_gomoku"].get_type().chance_mode.name == "DETERMINISTIC"


@pytest.mark.parametrize("name", ["azul", "nmbr9", "2048", "tictactoe"])
def test_play_there_is_play_here(name: str) -> None:
    rng = np.random.default_rng(3)
    game = pyspiel.load_game(f"boardwright_{name}")
    state = random_state(game, rng)
    position = blank(bw.load(name))
    replayed, gained = game.new_initial_state(), np.zeros(game.num_players())
    for step in state.history():
        if not replayed.is_chance_node():
            gained += replayed.rewards()
            assert replayed.legal_actions() == sorted(position.moves)
            assert replayed.action_to_string(step) == position.text(step)
            assert np.array_equal(replayed.observation_tensor(position.player), position.observe().ravel())
        else:
            assert dict(replayed.chance_outcomes()) == pytest.approx(dict(position.chances))
        assert str(replayed) == str(position)
        replayed.apply_action(step)
        position = position.advance(step)
    gained += replayed.rewards()
    assert position.is_over and position.results is not None
    assert list(position.results) == pytest.approx(state.returns())
    assert list(position.results) == pytest.approx(list(gained))


def test_points_at_the_end_only() -> None:
    state = random_state(pyspiel.load_game("boardwright_2048(reward_at_end=True,size=3)"), np.random.default_rng(1))
    end = state.returns()
    assert end[0] > 0 and state.rewards() == end
    before = state.get_game().new_initial_state()
    for step in state.history()[:-1]:
        before.apply_action(step)
        assert before.returns() == [0.0]


def test_states_copy_serialise_and_pickle_in_the_middle_of_a_game() -> None:
    for name in ("boardwright_azul(players=3)", "boardwright_2048"):
        game = pyspiel.load_game(name)
        state = random_state(game, np.random.default_rng(5), steps=60)
        while state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        _, read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
        for copy in (state.clone(), read, pickle.loads(pickle.dumps(state))):
            assert str(copy) == str(state) and copy.rewards() == state.rewards() and copy.history() == state.history()
            move = copy.legal_actions()[0]
            copy.apply_action(move)
            assert state.history() != copy.history()


def test_bad_parameters_are_told() -> None:
    with pytest.raises((bw.InputError, pyspiel.SpielError), match="players"):
        pyspiel.load_game("boardwright_azul(players=9)")
    with pytest.raises(bw.InputError, match="already"):
        openspiel_out.register(bw.load("openspiel:tic_tac_toe"))
    with pytest.raises(bw.InputError, match="no game 'azull'"):
        openspiel_out.register("azull")


# Their algorithms


def their_move(bot: Any, state: Any) -> int:
    """What their C++ bot plays. Its `step` crashes on any game that is written in Python, theirs included."""
    return int(bot.mcts_search(state).best_child().action)


def test_their_mcts_does_not_lose_at_our_tic_tac_toe() -> None:
    game = pyspiel.load_game("boardwright_tictactoe")
    rng = np.random.default_rng(1)
    for seat in (0, 1):
        bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(2, 1), 2.0, 150, 100, True, 1, False)
        state = game.new_initial_state()
        while not state.is_terminal():
            mine = state.current_player() == seat
            state.apply_action(their_move(bot, state) if mine else int(rng.choice(state.legal_actions())))
        assert state.returns()[seat] >= 0


@pytest.mark.parametrize(
    ("name", "c"),
    [("boardwright_azul", 2.0), ("boardwright_azul(players=3)", 2.0), ("boardwright_nmbr9(reward_at_end=True)", 20.0)],
)
def test_both_their_mcts_bots_play_our_games_to_the_end(name: str, c: float) -> None:
    from open_spiel.python.algorithms import mcts

    game, rng = pyspiel.load_game(name), np.random.RandomState(2)
    fast = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), c, 3, 100, True, 1, False)
    slow = mcts.MCTSBot(game, c, 2, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    state, moves = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=np.array(chances) / sum(chances))))
            continue
        moves += 1
        if moves % 8 == 1:
            move = their_move(fast, state)
        elif moves % 8 == 5:
            move = int(slow.step(state))
        else:
            move = int(rng.choice(state.legal_actions()))
        assert move in state.legal_actions()
        state.apply_action(move)
    assert state.is_terminal() and moves > 10


def test_our_player_meets_theirs_at_azul() -> None:
    game, rng = pyspiel.load_game("boardwright_azul"), np.random.default_rng(4)
    greedy = bw.player("greedy:seed=1", bw.load("azul"))
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=np.array(chances) / sum(chances))))
        elif state.current_player() == 0:
            state.apply_action(greedy.choose(state.position).move)
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
    assert state.returns() == [1.0, -1.0]  # a uniformly random player does not beat greedy


def test_their_alpha_beta_finds_the_value_of_ours() -> None:
    from open_spiel.python.algorithms import minimax

    game = pyspiel.load_game("boardwright_tictactoe")
    drawn, won = game.new_initial_state(), game.new_initial_state()
    for move in (4, 0, 8):
        drawn.apply_action(move)
    for move in (0, 1, 4):
        won.apply_action(move)
    assert minimax.alpha_beta_search(game, state=drawn, maximizing_player_id=0)[0] == 0
    assert minimax.alpha_beta_search(game, state=won, maximizing_player_id=0)[0] == 1


def test_a_process_that_registered_games_ends_in_peace() -> None:
    text = (
        "import pyspiel\nfrom boardwright.adapters import openspiel_out\nopenspiel_out.register()\n"
        "game = pyspiel.load_game('boardwright_tictactoe')\n"
        "bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, 5, 100, True, 1, False)\n"
        "print(bot.mcts_search(game.new_initial_state()).explore_count)"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, "5"), done.stderr
