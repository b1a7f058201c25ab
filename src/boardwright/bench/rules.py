"""Random games per second: compiled rules, the same rules in the interpreter, and OpenSpiel's where it has the game.

Speeds drift on shared machines, so the contenders take turns in short slices over several rounds, by CPU time; a
figure is the median over the rounds, a ratio the median of the rounds' ratios.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

import numpy as np

from boardwright.compile.kernel import interpret
from boardwright.compile.playout import new_room, play_games
from boardwright.contract.errors import InputError, RuleError
from boardwright.contract.game import Game
from boardwright.games.load import load

COMPILED, INTERPRETER = "compiled", "interpreter"
OPENSPIEL, OPENSPIEL_PYTHON = "openspiel", "openspiel_from_python"
BATCH_SECONDS = 0.02  # one call of the kernel: short, so that Ctrl-C is heard
MOST_PLIES = 1_000_000

Batch = Callable[[int], int]  # plays so many games, returns their moves and draws (0: it cannot tell)


@dataclass(frozen=True)
class RulesFigures:
    """What was measured of one game. Each mapping has a contender's name as key."""

    spec: str  # as it was asked for
    game: str  # with all its options
    games_per_second: dict[str, float]  # medians
    speedup: dict[str, float]  # compiled games/s over this contender's
    plies_per_game: dict[str, float]  # moves and draws; contenders with the same rules agree in it
    cold_seconds: float  # first call in a fresh process, nothing cached: the compiler's time
    warm_seconds: float  # the same with the kernel on disk
    rounds: int

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def measure_rules(
    spec: str, seconds: float = 6.0, rounds: int = 5, tell: Callable[[str], None] = lambda text: None
) -> RulesFigures:
    """Measure the game that `spec` names for about `seconds` in all, besides the compiler's time."""
    game = load(spec)
    if not game.compiles:
        raise InputError(f"{spec}: its rules are not compiled; to measure such a search: boardwright bench adapters")
    tell("compiling in a fresh process")
    cold, warm = first_call_seconds(spec)
    contenders = find_contenders(game)
    sizes = {}
    for name, play in contenders.items():
        tell(f"warming up: {name}")
        play(1)
        sizes[name] = _batch_size(play)
    slice_seconds = seconds / rounds / len(contenders)
    rates: dict[str, list[float]] = {name: [] for name in contenders}
    games, plies = dict.fromkeys(contenders, 0), dict.fromkeys(contenders, 0)
    for number in range(rounds):
        for name, play in contenders.items():
            tell(f"round {number + 1} of {rounds}: {name}")
            played, made, taken = _play_for(play, sizes[name], slice_seconds)
            rates[name].append(played / taken)
            games[name] += played
            plies[name] += made
    return RulesFigures(
        spec=spec,
        game=str(game),
        games_per_second={name: median(found) for name, found in rates.items()},
        speedup={
            name: median(ours / theirs for ours, theirs in zip(rates[COMPILED], found, strict=True))
            for name, found in rates.items()
            if name != COMPILED
        },
        plies_per_game={name: made / games[name] for name, made in plies.items() if made},
        cold_seconds=cold,
        warm_seconds=warm,
        rounds=rounds,
    )


def _batch_size(play: Batch) -> int:
    size = 1
    while True:
        before = time.process_time()
        play(size)
        taken = time.process_time() - before
        if taken > BATCH_SECONDS / 4:
            return max(1, int(size * BATCH_SECONDS / taken))
        size *= 4


def _play_for(play: Batch, size: int, seconds: float) -> tuple[int, int, float]:
    """(games, plies, seconds) of as many batches as fit, at least one."""
    games = plies = 0
    before = time.process_time()
    while True:
        plies += play(size)
        games += size
        taken = time.process_time() - before
        if taken >= seconds:
            return games, plies, taken


# The contenders


def find_contenders(game: Game) -> dict[str, Batch]:
    """Everything here that can play the game at random, by name; compiled rules first."""
    contenders = {COMPILED: rules_batch(game, play_games), INTERPRETER: rules_batch(game, interpret(play_games))}
    twin = openspiel_name(game)
    if twin is not None and openspiel() is not None:
        contenders[OPENSPIEL] = openspiel_batch(twin)
        contenders[OPENSPIEL_PYTHON] = openspiel_python_batch(twin)
    return contenders


def rules_batch(game: Game, playout: Callable[..., Any]) -> Batch:
    """Our own rules, in the kernel or its interpreted twin."""
    states, room = np.zeros(2, game.state_dtype), new_room(game)
    rng = np.array([1], np.uint64)

    def play(games: int) -> int:
        results, totals = np.zeros((games, game.players)), np.zeros(2, np.int64)
        states[:] = np.zeros(2, game.state_dtype)
        finished = playout(game, states, 0, rng, room, results, totals, MOST_PLIES)
        assert finished == games, f"{game}: a random game did not end within {MOST_PLIES} plies"
        return int(totals.sum())

    return play


def openspiel() -> Any:
    """OpenSpiel's Python module, or None where it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    return pyspiel


def openspiel_name(game: Game) -> str | None:
    """OpenSpiel's game with the same rules, if it has one, as the game's card knows it."""
    known = game.card.openspiel
    return (known(game) if callable(known) else known) or None


def openspiel_batch(name: str) -> Batch:
    """Whole games inside OpenSpiel's C++, by the fastest of the ways that it offers to Python."""
    pyspiel = openspiel()
    game = pyspiel.load_game(name)
    if game.get_type().reward_model == pyspiel.GameType.RewardModel.TERMINAL:
        # One simulation of its MCTS is nothing but the evaluator's rollouts from the root.
        def play(games: int) -> int:
            evaluator = pyspiel.RandomRolloutEvaluator(games, 1)
            pyspiel.MCTSBot(game, evaluator, 1.4, 1, 10, False, 1, False).step(game.new_initial_state())
            return 0

        return play
    # Its MCTS refuses games that reward on the way (2048): its own random bots play instead.
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(game.num_players())]

    def play_bots(games: int) -> int:
        for seed in range(games):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
        return 0

    return play_bots


def openspiel_python_batch(name: str) -> Batch:
    """OpenSpiel's C++ rules driven from Python, one call a question, as its examples do."""
    game = openspiel().load_game(name)
    rng = random.Random(1)  # noqa: S311 - games, not secrets

    def play(games: int) -> int:
        plies = 0
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                    action = rng.choices(outcomes, weights)[0]
                else:
                    legal = state.legal_actions()
                    action = legal[int(rng.random() * len(legal))]
                state.apply_action(action)
                plies += 1
        return plies

    return play


# The compiler's time


def first_call_seconds(spec: str) -> tuple[float, float]:
    """(cold, warm): the first call of the playout kernel in two fresh processes that share one empty cache."""
    with tempfile.TemporaryDirectory() as folder:
        cold, warm = (_first_call(spec, folder) for _ in range(2))
    return cold, warm


def _first_call(spec: str, cache: str) -> float:
    code = "import boardwright.bench.rules as rules, sys; rules.print_first_call(sys.argv[1])"
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", code, spec],
        env={**os.environ, "BOARDWRIGHT_CACHE": cache},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuleError(f"{spec}: no random game can be played to its end; see why: boardwright check {spec}")
    return float(json.loads(done.stdout.splitlines()[-1]))


def print_first_call(spec: str) -> None:
    """What the fresh process does: one game, timed from the first touch of the compiler, without imports."""
    game = load(spec)
    play = rules_batch(game, play_games)
    from boardwright.compile import compiler  # noqa: F401 - numba's import is not the compiler's time

    before = time.perf_counter()
    play(1)
    print(json.dumps(time.perf_counter() - before))
