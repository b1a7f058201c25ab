"""What the adapters cost: OpenSpiel's search through our specs beside their bare bot, and environment steps a second.

Rates are per second of CPU time except where processes share the work; contenders take turns, a figure is the median
over rounds.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

from boardwright.adapters.extras import need
from boardwright.bench.cases import cases
from boardwright.bench.examples import OF_OPENSPIEL
from boardwright.games.load import load
from boardwright.players import player

Tell = Callable[[str], None]
STEP_SECONDS = 1.0  # a contender a round
LARGE = 64  # games that one kernel steps


@dataclass(frozen=True)
class Rate:
    """How fast one thing was, beside the first contender of its kind."""

    what: str
    who: str
    rate: float  # a CPU second
    ratio: float  # to the first contender


def measure_search(rounds: int, tell: Tell) -> list[Rate]:
    """Simulations of OpenSpiel's games: their bare C++ bot, `mcts` of ours over it, and ours in the interpreter."""
    pyspiel = need("pyspiel", "openspiel")
    found = []
    for name, simulations in OF_OPENSPIEL:
        tell(name)
        game = load(f"openspiel:{name}")
        start, spiel = game.begin(1), pyspiel.load_game(name)
        state = spiel.new_initial_state()

        def bare(spiel: Any = spiel, state: Any = state, simulations: int = simulations) -> int:
            bot = pyspiel.MCTSBot(spiel, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, simulations, 1000, False, 1, False)
            return int(bot.mcts_search(state).explore_count)

        def ours(spec: str, game: Any = game, start: Any = start) -> Callable[[], int]:
            return lambda: player(spec, game).choose(start).simulations

        few = max(simulations // 50, 20)
        contenders = {
            "OpenSpiel's bare bot": bare,
            f"mcts:simulations={simulations}": ours(f"mcts:simulations={simulations},proofs=false"),
            "our engine, interpreted": ours(f"mcts:simulations={few},proofs=false,select=puct"),
        }
        found += _rates(f"openspiel:{name}, simulations", contenders, rounds)
    return found


def measure_environments(rounds: int, tell: Tell) -> list[Rate]:
    """Environment steps by an agent that plays legal actions at random, opponents included."""
    gymnasium = need("gymnasium", "gym")
    import boardwright.adapters.gym  # noqa: F401 - registers the ids

    found = []
    for spec, settings in cases("environment").items():
        name = load(spec).card.gym
        tell(name)
        contenders = {}
        for mode, count in (("sync", 8), ("vector_entry_point", LARGE)):
            made = gymnasium.make_vec(f"Boardwright/{name}-v0", num_envs=count, vectorization_mode=mode, **settings)
            contenders[f"{mode}, {count} games"] = _stepper(made, count)
        found += _rates(f"{name}, steps", contenders, rounds)
    return found


def _stepper(envs: Any, count: int) -> Callable[[], int]:
    rng = np.random.default_rng(1)
    _, info = envs.reset(seed=1)
    mask = info["action_mask"]

    def run() -> int:
        nonlocal mask
        steps, until = 0, time.process_time() + STEP_SECONDS
        while time.process_time() < until:
            _, _, _, _, info = envs.step(random_legal(mask, rng))
            mask = info["action_mask"]
            steps += count
        return steps

    return run


def random_legal(masks: Any, rng: np.random.Generator) -> Any:
    """One legal action a row, each as likely; 0 where none is legal."""
    rows, actions = np.nonzero(masks)
    counts = np.bincount(rows, minlength=len(masks))
    picked = counts.cumsum() - counts + (rng.random(len(masks)) * counts).astype(np.int64)
    return np.where(counts > 0, np.append(actions, 0)[picked], 0)


def _rates(what: str, contenders: dict[str, Callable[[], int]], rounds: int) -> list[Rate]:
    measured: dict[str, list[float]] = {who: [] for who in contenders}
    for run in contenders.values():
        run()  # compile, warm up
    for _ in range(rounds):
        for who, run in contenders.items():
            began = time.process_time()
            done = run()
            measured[who].append(done / (time.process_time() - began))
    first = next(iter(measured.values()))
    return [
        Rate(what, who, median(rates), median(a / b for a, b in zip(rates, first, strict=True)))
        for who, rates in measured.items()
    ]
