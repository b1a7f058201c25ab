"""The central test: the same kernels in the plain interpreter, with the same seed, build the same tree, bit for bit."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

import boardwright as bw
from boardwright.search.search import Search
from boardwright.search.settings import SearchSettings
from boardwright.search.tree import Tree
from tests.marks import slowly

SETTINGS = {
    "ucb1": SearchSettings(),
    "ucb1, uniform": SearchSettings(rollout="uniform"),
    "puct": SearchSettings(select="puct", prior="greedy", rollout="uniform", depth=6),
    "gumbel": SearchSettings(select="gumbel", prior="greedy", considered=5, mix=0.5, depth=4),
    "even, several playouts": SearchSettings(select="even", grow=1, rollouts=3, depth=3, rollout="uniform"),
    "common luck": SearchSettings(select="gumbel", grow=1, common=True, depth=5),
    "evaluator only": SearchSettings(select="puct", rollout="none"),
    "no proofs, late expansion": SearchSettings(proofs=False, expand=3, widen=0.7, depth=5),
}

# Each pair is a kernel of its own. These two games have between them all that a search can meet; the others are seen
# with the settings that they are played with.
THOROUGHLY = ["tictactoe", "docs/examples/ludo.py:Ludo:players=4"]
GAMES = ["gomoku:size=6", "2048", "nmbr9", "azul"]
MORE = ["tictactoe:size=4,line=3", "2048:size=3", "azul:players=3"]
USUAL = ["ucb1", "gumbel"]
PAIRS = [
    *product(THOROUGHLY, SETTINGS),
    *product(GAMES, USUAL),
    *slowly(*product(GAMES, [one for one in SETTINGS if one not in USUAL]), *product(MORE, SETTINGS)),
]


def grow(name: str, settings: SearchSettings, moves: int, *, interpreted: bool) -> list[bytes]:
    """The trees of the first `moves` decisions of a game that follows its search."""
    game = bw.load(name)
    search = Search(game, settings, interpreted=interpreted)
    position, rng, trees = game.begin(seed=3), bw.Random(9), []
    for _ in range(moves):
        search.grow(position)
        assert isinstance(search.tree, Tree)
        trees.append(search.tree.used.tobytes() + search.tree.stats.tobytes())
        position = position.play(int(search.tree.slots["move"][search.best_child()])).settle(rng)
        if position.is_over:
            break
    return trees


@pytest.mark.parametrize(("name", "setting"), PAIRS)
def test_interpreter_builds_the_same_tree(name: str, setting: str) -> None:
    simulations = 12 if name == "2048" or name.startswith(("nmbr9", "azul", "gomoku", "docs")) else 60
    settings = replace(SETTINGS[setting], simulations=simulations, seed=5)
    compiled = grow(name, settings, 2, interpreted=False)
    assert compiled == grow(name, settings, 2, interpreted=True)
    assert compiled == grow(name, settings, 2, interpreted=False), "one seed, one tree"
    assert len(compiled[0]) >= 3 * 40, "a root with at least two moves"
