"""Training straight from one deep tree: its nodes are the examples, no game is played (the report's second way)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.contract.position import Position
from boardwright.search.virtual_loss import VirtualLossSearch
from boardwright_lab.azul.boards import search, tictactoe
from boardwright_lab.azul.games import Score, at_random
from boardwright_lab.azul.loop import test
from boardwright_lab.azul.nets import Judge
from boardwright_lab.azul.plain import Model, PlainSearch
from boardwright_lab.azul.recipes import Recipe
from boardwright_lab.azul.training import Examples, make_optimiser, train

REPORTED_LEAST = 5  # visits of a node that teaches: the report asks for more than 4
LEAST = 20  # ours: shares of fewer visits than that are mostly noise
EXPLORE = 2.1  # the report's weight of exploration here


class Known(NamedTuple):
    """What a tree knows of one position."""

    position: Position
    visits: npt.NDArray[np.int64]  # (actions,)
    sums: npt.NDArray[np.float64]  # (actions,): of the values that came back, to the player to move


def tree_examples(grown: VirtualLossSearch, least: int = LEAST) -> Examples:
    """The positions of an engine's tree. One that it holds several times, reached in another order of moves, is one
    example: visits and values are added up."""
    assert grown.tree is not None and grown.root is not None
    game, tree = grown.game, grown.tree
    found: dict[bytes, Known] = {}
    waiting: list[tuple[int, Position]] = [(0, grown.root)]
    while waiting:
        slot, position = waiting.pop()
        if position.is_over or not tree.slots["first"][slot]:
            continue
        visits, sums = np.zeros(game.actions, np.int64), np.zeros(game.actions)
        for child in tree.children(slot):
            move, count = int(tree.slots["move"][child]), int(tree.slots["visits"][child])
            if count:
                visits[move], sums[move] = count, count * tree.q(child)[position.player]
                waiting.append((child, position.play(move)))
        key = bytes(position.view.cells)
        if key in found:
            visits, sums = visits + found[key].visits, sums + found[key].sums
        found[key] = Known(position, visits, sums)
    return examples_of(list(found.values()), least)


def plain_examples(search: PlainSearch) -> Examples:
    """The positions of a tree that was grown as the report's listing does, where each is one node by itself."""
    found = []
    for node in search.nodes.values():
        visits, sums = np.zeros(9, np.int64), np.zeros(9)
        visits[node.moves], sums[node.moves] = node.tried, node.worth
        found.append(Known(node.position, visits, sums))
    return examples_of(found, REPORTED_LEAST)


def examples_of(found: list[Known], least: int) -> Examples:
    """Every position with so many visits: the shares of its moves' visits, and the value of its best move."""
    kept = [known for known in found if known.visits.sum() + 1 >= least]
    best = np.array([(one.sums[one.visits > 0] / one.visits[one.visits > 0]).max() for one in kept])
    actors = np.array([one.position.player for one in kept], np.int8)
    values = np.repeat(-best[:, None], 2, axis=1)
    values[np.arange(len(kept)), actors] = best
    states = np.frombuffer(b"".join(one.position.key for one in kept), kept[0].position.game.state_dtype)
    policies = np.array([one.visits / one.visits.sum() for one in kept], np.float32)
    return Examples(states, actors, policies, values)


def learn_from_trees(
    net: Any,
    recipe: Recipe,
    seed: int,
    *,
    simulations: int = 5000,
    as_reported: bool = False,
    test_games: int = 200,
    tell: Callable[[str], None] = lambda text: None,
) -> list[Score]:
    """Train `net` in place: each epoch (an iteration of the recipe) grows one tree from the empty board with the
    network as it is, and learns from its nodes. as_reported: the tree of the report's listing. Returns the score of
    each epoch's policy against random play."""
    game = tictactoe()
    optimiser, rng = make_optimiser(net, recipe), np.random.default_rng(seed)
    scores = []
    for epoch in range(1, recipe.iterations + 1):
        judge = Judge(game, net)
        if as_reported:
            plain = PlainSearch(game.begin(0), ask(judge), EXPLORE, as_reported=True, slipped=recipe.slipped)
            plain.simulate(simulations)
            examples = plain_examples(plain)
        else:
            examples = tree_examples(search(game.begin(0), simulations, EXPLORE, judge, leaves=8))
        train(game, net, optimiser, examples, recipe, rng)
        scores.append(test(game, net, at_random(game), test_games, seed + epoch))
        tell(f"tree {epoch} of {recipe.iterations}: {scores[-1].won} of {scores[-1].games} won")
    return scores


def ask(judge: Judge) -> Model:
    """A network for the plain search: one position at a time."""

    def answer(position: Position) -> tuple[list[float], list[float]]:
        logits, values = judge(position.record, np.array([position.player], np.int8))
        weights = np.exp(logits[0, list(position.moves)] - logits.max())
        return (weights / weights.sum()).tolist(), values[0].tolist()

    return answer
