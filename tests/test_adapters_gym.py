"""Gymnasium and PettingZoo: their own checks, masks and rewards against the rules, and agents that learn by them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import boardwright as bw
from boardwright.adapters import gym as adapter
from boardwright.adapters.gym import GameEnv
from boardwright.adapters.gym_vector import GameVectorEnv
from boardwright.adapters.pettingzoo import env as zoo
from boardwright.bench.adapters import random_legal
from boardwright.contract.position import Position
from boardwright.contract.state import copy_record
from tests.marks import slowly

PIG = str(Path(__file__).parents[1] / "docs" / "examples" / "pig.py")


def legal_action(info: dict[str, Any], rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(info["action_mask"])))


def play_episode(env: Any, seed: int | None, rng: np.random.Generator) -> tuple[float, int, list[Any]]:
    """(sum of rewards, steps, observations) of an agent that plays legal actions at random."""
    seen, info = env.reset(seed=seed)
    total, steps, watched, over = 0.0, 0, [seen], False
    while not over:
        seen, reward, over, _, info = env.step(legal_action(info, rng))
        total, steps = total + reward, steps + 1
        watched.append(seen)
    return total, steps, watched


# One game


@pytest.mark.parametrize("name", adapter.register())
def test_check_env_passes_without_a_warning(name: str) -> None:
    check_env(gymnasium.make(name).unwrapped)


@pytest.mark.parametrize(
    "settings",
    [{"opponent": "greedy", "players": 3, "seat": -1}, {"opponent": ["random", "greedy"], "players": 3}],
)
def test_check_env_passes_with_opponents(settings: dict[str, Any]) -> None:
    check_env(gymnasium.make("Boardwright/Azul-v0", **settings).unwrapped)


def test_masks_are_the_legal_moves_and_rewards_add_up() -> None:
    rng = np.random.default_rng(1)
    for game, settings in (("2048", {}), ("nmbr9", {}), ("azul", {"opponent": "greedy", "seat": 1}), (PIG, {})):
        env = GameEnv(game, **settings)  # type: ignore[arg-type]  # values of many types
        _, info = env.reset(seed=4)
        total, over = 0.0, False
        while not over:
            assert env.position is not None
            assert info["action_mask"].dtype == np.int8
            assert sorted(np.flatnonzero(info["action_mask"])) == sorted(env.position.moves)
            assert np.array_equal(env.action_masks(), info["action_mask"] == 1)
            _, reward, over, cut, info = env.step(legal_action(info, rng))
            total += reward
            assert not cut
        assert env.position is not None and env.position.results is not None
        assert total == pytest.approx(env.position.results[env.seat])
        assert not info["action_mask"].any()


def test_one_seed_one_episode() -> None:
    for settings in ({"game": "2048"}, {"game": "azul", "opponent": "mcts:simulations=5", "seat": -1}):
        runs = [play_episode(GameEnv(**settings), 7, np.random.default_rng(2)) for _ in range(2)]
        assert runs[0][:2] == runs[1][:2]
        assert all(np.array_equal(a, b) for a, b in zip(runs[0][2], runs[1][2], strict=True))
        env = GameEnv(**settings)
        first, second = (play_episode(env, seed, np.random.default_rng(2)) for seed in (7, None))
        assert first[:2] == runs[0][:2]
        assert second[1] != first[1] or any(not np.array_equal(a, b) for a, b in zip(first[2], second[2], strict=False))


def test_every_seat_is_drawn_and_the_agent_moves_in_it() -> None:
    env = GameEnv("azul", players=3, seat=-1)
    seats = set()
    for seed in range(12):
        env.reset(seed=seed)
        assert env.position is not None and env.position.player == env.seat
        seats.add(env.seat)
    assert seats == {0, 1, 2}


def test_an_illegal_action_loses_and_ends_the_episode() -> None:
    env = GameEnv("tictactoe", opponent="random")
    env.reset(seed=1)
    env.step(4)
    _, reward, over, _, info = env.step(4)
    assert (reward, over, info["illegal"]) == (-1.0, True, True)
    with pytest.raises(bw.InputError, match="reset"):
        env.step(0)
    solo = GameEnv("2048")
    _, info = solo.reset(seed=1)
    pressed = next(iter(np.flatnonzero(info["action_mask"] == 0)), None)
    if pressed is not None:
        assert solo.step(pressed)[1:3] == (0.0, True)


def test_rendering_is_text_and_pictures() -> None:
    for mode, begins in (("ansi", ""), ("svg", "<svg")):
        env = gymnasium.make("Boardwright/2048-v0", render_mode=mode)
        env.reset(seed=1)
        shown: Any = env.render()
        assert isinstance(shown, str) and shown.startswith(begins) and shown


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"opponent": "gredy"}, "no player 'gredy'"),
        ({"opponent": ["random", "random"]}, "2 opponents are named; 1 sit"),
        ({"seat": 2}, "seats are 0 to 1"),
        ({"players": 9}, "players"),
        ({"render_mode": "rgb_array"}, "there are ansi and svg"),
        ({"colours": 3}, "no setting 'colours'"),
    ],
)
def test_wrong_settings_are_told(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(bw.InputError, match=said):
        GameEnv("azul", **settings)


# Many games


@pytest.mark.parametrize(
    ("game", "settings"),
    [("2048", {}), ("azul", {"opponent": "greedy", "seat": -1}), ("tictactoe", {"seat": -1}), (PIG, {"seat": 1})],
)
def test_many_games_in_a_kernel_keep_the_rules(game: str, settings: dict[str, Any]) -> None:
    envs, rng = GameVectorEnv(7, game, **settings), np.random.default_rng(3)
    seen, info = envs.reset(seed=5)
    assert envs.observation_space.contains(seen)

    def positions() -> list[Position]:
        return [Position(envs.game, copy_record(envs._states[g : g + 1])) for g in range(7)]

    ended, before, finished = np.zeros(7, bool), positions(), 0
    for _ in range(120):
        actions = random_legal(info["action_mask"], rng)
        seen, rewards, over, cut, info = envs.step(actions)
        now = positions()
        for g in range(7):
            assert over[g] == now[g].is_over and not cut[g]
            if not over[g]:
                assert now[g].player == envs._seats[g]
            assert sorted(np.flatnonzero(info["action_mask"][g])) == sorted(now[g].moves)
            if envs.game.observe_shape:
                assert np.array_equal(seen[g], now[g].observe())
            seat = int(envs._seats[g])
            if ended[g]:
                assert rewards[g] == 0.0  # a new game has begun
            elif envs.game.counts_points:
                assert rewards[g] == now[g].scores[seat] - before[g].scores[seat]
            else:
                assert rewards[g] == (now[g].results or (0.0,) * 9)[seat]
        finished += int(over.sum())
        ended, before = over, now
    assert finished > 0 or game == "2048"


def test_many_games_are_seeded() -> None:
    def run(seed: int | list[int | None]) -> Any:
        envs, rng = GameVectorEnv(4, "azul", opponent="greedy"), np.random.default_rng(1)
        _, info = envs.reset(seed=seed)
        return np.stack([(envs.step(random_legal(info["action_mask"], rng)))[0] for _ in range(1)])

    assert np.array_equal(run(1), run(1)) and not np.array_equal(run(1), run(2))
    one, two = run([5, 6, 7, 8]), run([5, 9, 7, 8])
    assert np.array_equal(one[0, 0], two[0, 0]) and not np.array_equal(one[0, 1], two[0, 1])


def test_an_illegal_action_ends_only_its_own_game() -> None:
    envs = GameVectorEnv(2, "tictactoe")
    envs.reset(seed=1)
    envs.step(np.array([0, 4]))
    _, rewards, over, _, info = envs.step(np.array([0, next(iter(np.flatnonzero(envs.action_masks()[1])))]))
    assert rewards[0] == -1.0 and over[0] and not info["action_mask"][0].any()
    _, rewards, over, _, info = envs.step(np.array([0, 0]))
    assert rewards[0] == 0.0 and not over[0] and info["action_mask"][0].sum() == 9
    with pytest.raises(bw.InputError, match="one each"):
        envs.step(np.array([0]))
    with pytest.raises(bw.InputError, match='vectorization_mode="sync"'):
        GameVectorEnv(2, "azul", opponent="mcts")


@pytest.mark.parametrize("mode", ["sync", "async", "vector_entry_point"])
def test_gymnasium_makes_vectors_of_every_kind(mode: str) -> None:
    envs: Any = gymnasium.make_vec("Boardwright/2048-v0", num_envs=2, vectorization_mode=mode)
    try:
        _, info = envs.reset(seed=3)
        rng = np.random.default_rng(0)
        for _ in range(10):
            seen, rewards, _, _, info = envs.step(random_legal(np.stack(info["action_mask"]), rng))
        assert seen.shape == (2, 4, 4, 18) and rewards.shape == (2,)
    finally:
        envs.close()


def test_a_masked_policy_gradient_learns_to_beat_a_random_player() -> None:
    """The loop of a maskable learner: act by a masked softmax, collect episodes, follow the gradient (REINFORCE)."""
    envs, rng = GameVectorEnv(64, "tictactoe"), np.random.default_rng(1)
    weights = np.zeros((36, 9))
    seen, info = envs.reset(seed=1)
    path: list[list[tuple[Any, Any, int]]] = [[] for _ in range(64)]
    results: list[float] = []
    for _ in range(1500):
        inputs = seen.reshape(64, 36)
        logits = np.where(info["action_mask"] == 1, inputs @ weights, -1e9)
        chances = np.exp(logits - logits.max(1, keepdims=True))
        chances /= chances.sum(1, keepdims=True)
        actions = (chances.cumsum(1) > rng.random((64, 1))).argmax(1)
        ended_before = ~info["action_mask"].any(1)
        for g in np.flatnonzero(~ended_before):
            path[g].append((inputs[g].copy(), chances[g], int(actions[g])))
        seen, rewards, over, _, info = envs.step(actions)
        gradient, episodes = np.zeros_like(weights), 0
        for g in np.flatnonzero(over):
            results.append(float(rewards[g]))
            for own, liked, action in path[g]:
                gradient += (rewards[g] - 0.3) * np.outer(own, np.eye(9)[action] - liked)
            episodes, path[g] = episodes + 1, []
        if episodes:
            weights += 0.05 * gradient / episodes
    first, last = np.mean(results[:1000]), np.mean(results[-1000:])
    assert last > first + 0.15 and last > 0.55


# PettingZoo

# What PettingZoo says of any environment whose observations hold a mask, its own games included; and of a board on
# which nothing has happened yet.
DULL = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably",
    "ignore:Observation numpy array is all zeros",
)


@DULL
@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("tictactoe", {}),
        ("gomoku", {"size": 7}),
        ("azul", {}),
        ("azul", {"players": 3}),
        ("2048", {}),
        ("nmbr9", {}),
        (PIG, {}),
        ("openspiel:backgammon", {}),
        *slowly(("azul", {"players": 4})),
    ],
)
def test_pettingzoos_tests_pass(game: str, options: dict[str, Any]) -> None:
    api_test(zoo(game, **options), num_cycles=60, verbose_progress=False)
    seed_test(lambda: zoo(game, **options), num_cycles=10)


@pytest.mark.parametrize(("game", "options"), [("azul", {"players": 3}), ("nmbr9", {}), (PIG, {})])
def test_agents_take_turns_by_the_rules(game: str, options: dict[str, Any]) -> None:
    env, rng = zoo(game, **options), np.random.default_rng(2)
    env.reset(seed=3)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, over, cut, _ = env.last()
        totals[agent] += reward
        position = env.unwrapped.position
        if over or cut:
            env.step(None)
            continue
        assert env.possible_agents.index(agent) == position.player
        assert sorted(np.flatnonzero(seen["action_mask"])) == sorted(position.moves)
        for other in env.possible_agents:
            assert other == agent or not env.observe(other)["action_mask"].any()
        env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    results = env.unwrapped.position.results
    assert results is not None and list(totals.values()) == pytest.approx(list(results))


def test_an_illegal_action_ends_the_game_for_all() -> None:
    env = zoo("tictactoe", render_mode="ansi")
    env.reset(seed=1)
    env.step(4)
    env.step(4)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.unwrapped.rewards == {"player_0": 0.0, "player_1": -1.0}
    assert "X" in env.render().upper()
    with pytest.raises(bw.InputError, match="ansi and svg"):
        zoo("tictactoe", render_mode="human")
