"""Everything that is measured, in the order of the page; `program.py` writes it down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from boardwright.arena import MatchResult
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.games.load import load
from boardwright.learn.models import load_model
from boardwright.learn.shipped import NETWORK
from boardwright_lab.azul.boards import board, tictactoe
from boardwright_lab.azul.deep_tree import learn_from_trees
from boardwright_lab.azul.games import Score, by_rule
from boardwright_lab.azul.loop import Lap, alphazero
from boardwright_lab.azul.nets import Judge, our_net, report_net, save_net
from boardwright_lab.azul.recipes import (
    AZUL,
    AZUL_REPORTED,
    AZUL_WARM,
    MORE_STEPS,
    REPORTED,
    RIGHT_SIGN,
    TICTACTOE,
    TREES,
    TREES_REPORTED,
    Recipe,
)
from boardwright_lab.run import Run

MakeNet = Callable[[Game, int], Any]
PLAIN = "proofs=false,forcing=false,threats=false,reuse=false,c=3"  # PUCT as in the report, without our engine's help
NAIVE = f"mcts:simulations=100,select=puct,prior=uniform,rollout=none,{PLAIN}"

LOOPS: dict[str, tuple[MakeNet, Recipe]] = {
    "as in the report": (report_net, REPORTED),
    "its sign set right": (report_net, RIGHT_SIGN),
    "and learnt from well": (report_net, MORE_STEPS),
    "our loop": (our_net, TICTACTOE),
}
TREE_WAYS: dict[str, tuple[MakeNet, Recipe, int]] = {  # the number: simulations a tree
    "as in the report, 5,000": (report_net, TREES_REPORTED, 5_000),
    "as in the report, 20,000": (report_net, TREES_REPORTED, 20_000),
    "ours, 5,000": (our_net, TREES, 5_000),
    "ours, 20,000": (our_net, TREES, 20_000),
}
AZUL_WAYS: dict[str, tuple[MakeNet, Recipe]] = {
    "as in the report": (report_net, AZUL_REPORTED),
    "ours with the slip": (our_net, replace(AZUL, slipped=True)),
    "ours with its linear net": (report_net, AZUL),
    "ours with visits to learn": (our_net, replace(AZUL, teacher="visits")),
    "ours": (our_net, AZUL),
}
LONG_WAYS = {"from scratch": AZUL, "after a warm start": AZUL_WARM}


@dataclass(frozen=True)
class Findings:
    """What was measured. Names are those of the dictionaries above."""

    loops: dict[str, list[Lap]]
    trees: dict[str, list[Score]]
    net: Path  # the network of our loop on tic-tac-toe
    judge: Judge  # the same, to be asked
    four: dict[str, MatchResult]  # the four histograms; figures are the first player's
    short: dict[str, list[Lap]]  # Azul, the ways compared at equal numbers of games
    long: dict[str, list[Lap]]  # Azul, ours for longer
    azul: dict[str, MatchResult]  # way, player, opponent


def measure(run: Run) -> Findings:
    """All experiments."""
    if any(mark in str(run.folder) for mark in ",="):
        raise InputError(f"{run.folder}: a player's spec cannot name a folder with , or =; choose another --work")
    if run.quick:
        run = replace(run, workers=0)  # a handful of games is not worth a process that loads JAX
    loops, net, judge = tictactoe_loops(run)
    trees = tictactoe_trees(run)
    four = four_matches(run, net)
    short = azul_ways(run)
    long, azul = azul_long(run)
    return Findings(loops, trees, net, judge, four, short, long, azul)


def tictactoe_loops(run: Run) -> tuple[dict[str, list[Lap]], Path, Judge]:
    """AlphaZero's loop on tic-tac-toe from scratch, in four ways; and the network of the last."""
    game, found = tictactoe(), {}
    for name, (make, recipe) in LOOPS.items():
        net = make(game, run.seed)
        sized = replace(recipe, iterations=run.pick(recipe.iterations, 2), steps=run.pick(recipe.steps, 1))
        found[name] = alphazero(game, net, sized, run.seed, tell=telling(run, f"tic-tac-toe, {name}"))
    return found, keep(run, game, net), Judge(game, net)


def tictactoe_trees(run: Run) -> dict[str, list[Score]]:
    """Training straight from deep trees, in four ways."""
    found = {}
    for name, (make, recipe, simulations) in TREE_WAYS.items():
        net = make(tictactoe(), run.seed)
        sized = replace(recipe, iterations=run.pick(recipe.iterations, 2), steps=run.pick(recipe.steps, 5))
        found[name] = learn_from_trees(
            net, sized, run.seed, simulations=run.pick(simulations, 300), as_reported=make is report_net,
            tell=telling(run, f"from trees, {name}"),
        )  # fmt: skip
    return found


def four_matches(run: Run, net: Path) -> dict[str, MatchResult]:
    """The report's four histograms. Players without luck would repeat two games for ever: they begin with two random
    moves."""
    game = tictactoe()
    alone, searching = f"net:model={net}", f"mcts:net={net},simulations=100,{PLAIN}"
    return {
        "net, random": run.match(game, [alone, "random"], run.pick(2000, 20)),
        "net, naive search": run.match(game, [alone, NAIVE], run.pick(400, 8), opening=2),
        "net with search, random": run.match(game, [searching, "random"], run.pick(400, 8)),
        "net with search, naive search": run.match(game, [searching, NAIVE], run.pick(400, 8), opening=2),
    }


def azul_ways(run: Run) -> dict[str, list[Lap]]:
    """The same loop on Azul: the report's way, ours, and ours with one of the report's choices at a time."""
    game, found = load("azul"), {}
    for name, (make, recipe) in AZUL_WAYS.items():
        sized = shortened(run, recipe)
        tell = telling(run, f"azul, {name}")
        found[name] = alphazero(game, make(game, run.seed), sized, run.seed, test_games=run.pick(200, 8), tell=tell)
    return found


def shortened(run: Run, recipe: Recipe) -> Recipe:
    """A recipe for Azul, cut so that five of them take a few minutes."""
    return replace(
        recipe, iterations=run.pick(12, 1), games=run.pick(64, 4), simulations=run.pick(recipe.simulations, 2),
        steps=run.pick(recipe.steps, 1), warm=run.pick(recipe.warm, min(recipe.warm, 2)),
        warm_steps=run.pick(recipe.warm_steps, min(recipe.warm_steps, 1)),
    )  # fmt: skip


def azul_long(run: Run) -> tuple[dict[str, list[Lap]], dict[str, MatchResult]]:
    """Ours on Azul for several minutes, tested against the greedy player on the way, and its matches at the end."""
    game, laps = load("azul"), {}
    matches: dict[str, MatchResult] = {}
    for way, recipe in LONG_WAYS.items():
        net = our_net(game, run.seed)
        laps[way] = alphazero(
            game, net, shortened(run, recipe) if run.quick else recipe, run.seed, test_games=run.pick(200, 4),
            test_every=run.pick(3, 1), rival=by_rule(game, "greedy"), tell=telling(run, f"azul, {way}"),
        )  # fmt: skip
        path = keep(run, game, net)
        alone, searching = f"net:model={path}", f"mcts:net={path},simulations={run.pick(64, 2)}"
        matches |= {
            f"{way}, net, random": run.match(game, [alone, "random"], run.pick(200, 2)),
            f"{way}, net, greedy": run.match(game, [alone, "greedy"], run.pick(200, 2)),
            f"{way}, net with search, greedy": run.match(game, [searching, "greedy"], run.pick(100, 2)),
        }
    return laps, matches


def keep(run: Run, game: Game, net: Any) -> Path:
    """Save a network under a name that follows from its weights: games of another are never taken for its own."""
    path = save_net(run.folder / f"{game.name}.safetensors", game, net, {"made": "boardwright reproduce azul"})
    digest = load_model(path, NETWORK, game).digest
    return path.replace(path.with_name(f"{game.name}-{digest[:10]}.safetensors"))


def telling(run: Run, what: str) -> Callable[[str], None]:
    return lambda text: run.tick(f"{what}: {text}")


def policy_on(judge: Judge, cells: tuple[int, ...]) -> tuple[dict[int, float], float]:
    """What a network thinks of one of the report's boards: the probability of each legal move, and its value to the
    player to move."""
    position = board(cells)
    logits, values = judge(position.record, np.array([position.player], np.int8))
    legal = np.array(position.moves)
    weights = np.exp(logits[0, legal] - logits[0, legal].max())
    shares = (weights / weights.sum()).tolist()
    return dict(sorted(zip(position.moves, shares, strict=True))), float(values[0, position.player])
