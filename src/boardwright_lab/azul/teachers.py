"""What a search teaches a network: a better policy than the one it began with, and a value.

Many trees grow in lock-step (`search.forest.Forest`), and the leaves of all of them go to the network as one batch.
Chance is the search's business: the refill of Azul's displays is a node of the tree whose children are samples.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from boardwright.contract.game import Game
from boardwright.search.forest import Forest
from boardwright.search.network_answer import Network
from boardwright.search.settings import SearchSettings
from boardwright_lab.azul.games import Turn
from boardwright_lab.azul.recipes import Recipe
from boardwright_lab.azul.training import Examples, join


class Teacher:
    """A chooser that searches with a network and remembers what it saw."""

    def __init__(self, game: Game, network: Network, recipe: Recipe) -> None:
        self.game, self.network, self.recipe = game, network, recipe
        puct = recipe.teacher == "visits"
        settings = SearchSettings(
            simulations=recipe.simulations, select="puct" if puct else "gumbel", prior="uniform", rollout="none",
            c=recipe.c, trust=recipe.trust, proofs=not puct, forcing=False, threats=False,
        )  # fmt: skip
        self.forest = Forest(game, settings, recipe.games)
        self.seen: list[tuple[Turn, npt.NDArray[np.float32], npt.NDArray[np.float64]]] = []

    def __call__(self, turn: Turn, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """The moves of one turn; positions, policies and values are kept for `examples`."""
        self.grow(turn, rng)
        found = self.forest.improved()
        if self.recipe.teacher == "visits":
            policies = self.visits()
            moves = draw(policies, rng) if turn.ply < self.recipe.sampled else policies.argmax(axis=1)
        else:
            policies, moves = found.policies, self.forest.chosen()
        self.seen.append((turn, policies, found.values))
        return np.asarray(moves, np.int64)

    def grow(self, turn: Turn, rng: np.random.Generator) -> None:
        """A tree from each position: go down in all of them, ask the network once, carry its answers up."""
        seeds = rng.integers(0, 2**63, len(turn.states)).astype(np.uint64)
        self.forest.plant_states(turn.states, seeds, self.recipe.simulations)
        logits = np.zeros((len(turn.states), self.game.actions), np.float32)
        values = np.zeros((len(turn.states), self.game.players))
        for _ in range(self.recipe.simulations + 1):  # the first values the roots
            _, waiting = self.forest.descend()
            rows = np.flatnonzero(waiting)  # the others met the end of a game
            if len(rows):
                logits[rows], values[rows] = self.network(self.forest.leaves[rows], self.forest.actors[rows])
            self.forest.absorb(logits, values)

    def visits(self) -> npt.NDArray[np.float32]:
        """(trees, actions): N(s, a) / N(s) at the roots."""
        counts = np.zeros((self.forest.trees, self.game.actions), np.float32)
        for t in range(self.forest.trees):
            tree = self.forest.tree(t)
            children = tree.slots[tree.children().start : tree.children().stop]
            counts[t, children["move"]] = children["visits"]
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))

    def examples(self, results: npt.NDArray[np.float64]) -> Examples:
        """All positions since the last call, each with the end of its game: results (games, players)."""
        share = self.recipe.share
        parts = [
            Examples(turn.states, turn.actors, policies, (1 - share) * results[turn.numbers] + share * searched)
            for turn, policies, searched in self.seen
        ]
        self.seen.clear()
        return join(self.game, parts)


def draw(policies: npt.NDArray[np.float32], rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """One move from each row of probabilities."""
    up_to = policies.cumsum(axis=1)
    lots = rng.random((len(policies), 1)) * up_to[:, -1:]
    return np.asarray((up_to > lots).argmax(axis=1))
