"""Simulations per second of the tree search, side by side in one run with OpenSpiel's C++ and with mctx.

All figures are per second of CPU time, which a busy machine disturbs less than the clock; contenders take
turns, a figure is the median over rounds, a ratio the median of the rounds' ratios.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

import numpy as np

from boardwright.bench.cases import cases, first_case
from boardwright.bench.examples import beside_openspiel
from boardwright.bench.rules import openspiel, openspiel_name
from boardwright.contract.game import Game
from boardwright.games.load import load
from boardwright.players.kinds import player
from boardwright.search.common_choice import search
from boardwright.search.forest import Forest
from boardwright.search.search import Search
from boardwright.search.settings import SearchSettings
from boardwright.search.tree import slot_dtype

BATCH, BATCH_SIMULATIONS = 64, 64
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Versus:
    """One comparison. Rates are simulations per CPU second, medians over rounds."""

    what: str
    peer: str
    ours: float
    theirs: float
    ratio: float
    rounds: int

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def measure_openspiel(rounds: int, tell: Tell) -> list[Versus]:
    """UCT with uniform rollouts and solving, one thread, from the start of each game, a new tree each time."""
    if openspiel() is None:
        return []
    found = []
    wanted = [(what, load(spec), simulations) for spec, (what, simulations) in cases("openspiel").items()]
    wanted += [(what, load(spec), simulations) for what, spec, simulations in beside_openspiel()]
    for what, game, simulations in wanted:
        tell(what)
        twin = search_openspiels(openspiel_name(game) or "", simulations)
        found.append(versus(what, "OpenSpiel C++", search_ours(game, simulations), twin, rounds))
    return found


def search_ours(game: Game, simulations: int) -> Callable[[], float]:
    settings = SearchSettings(
        simulations=simulations, select="ucb1", c=1.0, rollout="uniform", threats=False, megabytes=4000.0
    )
    position = game.begin()

    def run() -> float:
        one = Search(game, settings)
        began = time.process_time()
        stop = one.grow(position)
        return stop.simulations / (time.process_time() - began)

    return run


def search_openspiels(name: str, simulations: int) -> Callable[[], float]:
    pyspiel = openspiel()
    game = pyspiel.load_game(name)

    def run() -> float:
        # uct_c = 2 over results of -1..1 is our c = 1 over values of 0..1
        bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, simulations, 8000, True, 1, False)
        state = game.new_initial_state()
        began = time.process_time()
        root = bot.mcts_search(state)
        return float(root.explore_count) / (time.process_time() - began)

    return run


def measure_mctx(rounds: int, tell: Tell) -> list[Versus]:
    """The tree alone: 64 games x 64 simulations in lock-step, a network that answers zeros. mctx plays no rules at
    all here, ours plays real ones: the comparison favours mctx."""
    try:
        import jax  # noqa: F401 - is it installed?
        import mctx  # noqa: F401 - is it installed?
    except ImportError:
        return []
    found = []
    for spec in cases("mctx"):
        game = load(spec)
        for select in ("gumbel", "puct"):
            tell(f"{game.actions} actions, {select}")
            found.append(
                versus(
                    f"{game.actions} actions, {select}",
                    "mctx on CPU",
                    _our_forest(game, select),
                    _mctx(game.actions, select),
                    rounds,
                )
            )
    return found


def _our_forest(game: Game, select: str) -> Callable[[], float]:
    forest = Forest(game, SearchSettings(simulations=BATCH_SIMULATIONS, select=select, proofs=False), BATCH)
    positions = [game.begin()] * BATCH
    logits, values = np.zeros((BATCH, game.actions), np.float32), np.zeros((BATCH, game.players))
    seeds = iter(range(10**9))

    def run() -> float:
        began = time.process_time()
        for _ in range(4):
            forest.plant(positions, [next(seeds) for _ in range(BATCH)])
            for _ in range(BATCH_SIMULATIONS + 1):
                forest.descend()
                forest.absorb(logits, values)
        return 4 * BATCH * BATCH_SIMULATIONS / (time.process_time() - began)

    return run


def _mctx(actions: int, select: str) -> Callable[[], float]:
    import jax
    import jax.numpy as jnp
    import mctx

    def recurrent(params: Any, key: Any, action: Any, embedding: Any) -> Any:
        zeros = jnp.zeros(action.shape)
        output = mctx.RecurrentFnOutput(
            reward=zeros,
            discount=-jnp.ones(action.shape),
            prior_logits=jnp.zeros((*action.shape, actions)),
            value=zeros,
        )
        return output, embedding

    root = mctx.RootFnOutput(
        prior_logits=jnp.zeros((BATCH, actions)), value=jnp.zeros(BATCH), embedding=jnp.zeros(BATCH)
    )
    policy = mctx.gumbel_muzero_policy if select == "gumbel" else mctx.muzero_policy
    think = jax.jit(lambda key: policy(None, key, root, recurrent, num_simulations=BATCH_SIMULATIONS).action)
    keys = iter(jax.random.split(jax.random.PRNGKey(0), 10_000))

    def run() -> float:
        began = time.process_time()
        for _ in range(4):
            think(next(keys)).block_until_ready()
        return 4 * BATCH * BATCH_SIMULATIONS / (time.process_time() - began)

    return run


def versus(what: str, peer: str, ours: Callable[[], float], theirs: Callable[[], float], rounds: int) -> Versus:
    ours(), theirs()  # compile, warm up
    pairs = [(ours(), theirs()) for _ in range(rounds)]
    return Versus(
        what, peer, median(a for a, _ in pairs), median(b for _, b in pairs), median(a / b for a, b in pairs), rounds
    )


def measure_threads(rounds: int, tell: Tell) -> Versus:
    """Two threads against one, by the clock: needs two idle cores to mean anything."""
    game = load(first_case("threads"))
    tell("two threads")
    position = game.begin()

    def rate(threads: int) -> float:
        each = SearchSettings(simulations=100_000, select="ucb1", rollout="uniform", expand=8, megabytes=1000.0)
        searches = [Search(game, each) for _ in range(threads)]
        choice = search(position, searches)
        return choice.simulations / choice.seconds

    return versus(f"two threads, {game.name}", "one thread", lambda: rate(2), lambda: rate(1), rounds)


_FIRST_MOVE = """
import sys, time
began = time.perf_counter()
import boardwright as bw
game = bw.load(sys.argv[1])
choice = bw.player("mcts:simulations=100", game).choose(game.begin())
print(time.perf_counter() - began, time.process_time())
"""


def measure_first_move(spec: str, tell: Tell) -> FirstMove:
    """From the start of a process to the first searched move, once with an empty cache and then with a filled one."""
    tell(f"first move of {spec}")
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "BOARDWRIGHT_CACHE": folder}
        told = [_child(_FIRST_MOVE, [spec], environment).split() for _ in range(3)]
    cold, *warm = ((float(clock), float(cpu)) for clock, cpu in told)
    compiling = cold[1] - min(cpu for _, cpu in warm)
    return FirstMove(spec, cold[0], compiling, min(clock for clock, _ in warm), slot_dtype(load(spec).players).itemsize)


@dataclass(frozen=True)
class FirstMove:
    """One game from a fresh process on. Times by the clock, Python's own start aside."""

    game: str
    cold: float  # seconds to the first searched move with an empty cache of kernels
    compiling: float  # CPU seconds of that which a filled one saves
    warm: float  # the same with a filled one
    slot: int  # bytes of one edge with the node behind it


_LARGE_TREE = """
import resource, sys
import boardwright as bw
from boardwright.search.search import Search
from boardwright.search.settings import SearchSettings

game = bw.load(sys.argv[1])
search = Search(game, SearchSettings(simulations=10**9, select="ucb1", rollout="uniform", proofs=False, megabytes=1500))
search.grow(game.begin(), stopped=lambda: search.tree.stats["used"][0] >= int(sys.argv[2]))
unit = 1 if sys.platform == "darwin" else 1024  # bytes there, kilobytes elsewhere
print(search.tree.stats["used"][0], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit)
"""


@dataclass(frozen=True)
class LargeTree:
    """A tree grown in a process of its own."""

    game: str
    nodes: int  # edges, each with the node behind it
    megabytes: float  # the most memory that the whole process ever held, Python and Numba included


def measure_large_tree(nodes: int, tell: Tell) -> LargeTree:
    """What a tree of so many nodes needs, growing included."""
    tell(f"a tree of {nodes:,} nodes")
    spec = first_case("large tree")
    told = _child(_LARGE_TREE, [spec, str(nodes)], dict(os.environ)).split()
    return LargeTree(spec, int(told[0]), int(told[1]) / 2**20)


@dataclass(frozen=True)
class GameTime:
    """Games of 80 simulations a move against itself on n x n boards: table 7 of the report on tic-tac-toe. CPU time."""

    size: int
    milliseconds: float  # a game, median
    moves: float  # a game, mean
    microseconds: float  # a simulation
    reported_milliseconds: float  # what the report on tic-tac-toe says of its own program on its own machine


TABLE_7_SIMULATIONS = 80


def measure_game_times(games: int, tell: Tell) -> list[GameTime]:
    """How the time of a game grows with the board: cells to try x cells to fill in a playout x moves to make."""
    found = []
    for spec, reported in cases("growth").items():
        tell(f"games of {spec}")
        game = load(spec)
        times, moves, simulations = [], 0, 0
        for seed in range(games + 1):
            players = [player(f"mcts:simulations={TABLE_7_SIMULATIONS},seed={2 * seed + k}", game) for k in (0, 1)]
            position = game.begin()
            began = time.process_time()
            while not position.is_over:
                choice = players[position.player].choose(position)
                position = position.play(choice.move)
                if seed:
                    moves, simulations = moves + 1, simulations + choice.simulations
            if seed:  # game 0 compiles
                times.append(time.process_time() - began)
        each = 1e6 * sum(times) / simulations
        found.append(GameTime(game.options["size"], 1e3 * median(times), moves / games, each, reported))
    return found


def _child(program: str, arguments: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(  # noqa: S603 - our own text, this very Python
        [sys.executable, "-c", program, *arguments], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout
