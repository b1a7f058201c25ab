"""`mcts` for OpenSpiel's games: their own C++ search where it does what was asked for, else ours in the interpreter.

OpenSpiel's MCTSBot is UCT (Kocsis and Szepesvari 2006) with uniform playouts and proofs (Winands et al. 2008). It keeps
one number a node, the value to whoever moved there, so it serves one player, or two whose results have a fixed sum;
and it begins each search anew. Its c is in units of the results, ours of results scaled to 0..1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from boardwright.adapters.extras import need
from boardwright.adapters.openspiel_in import OpenSpielGame
from boardwright.contract.game import OVER, Game
from boardwright.contract.position import Position
from boardwright.search.search import Search, Stop
from boardwright.search.settings import SearchSettings
from boardwright.search.tree import UNSEEN, Tree, new_tree, slot_dtype

MOST_OPENED = 300  # nodes of their tree whose children are copied into ours
LEAST_SHARE = 0.02  # of the root's visits, for a node to be among them
ENDLESS = 2**31 - 1
THEIRS = {  # the settings that their search can follow in one way only
    "select": "ucb1",
    "prior": "uniform",
    "rollout": "uniform",
    "depth": 0,
    "grow": 0,
    "expand": 1,
    "common": False,
}


def not_theirs(game: OpenSpielGame, settings: SearchSettings) -> str:
    """What OpenSpiel's search lacks for this game with these settings; nothing if it can do the job."""
    kind, spiel = game.spiel.get_type(), game.spiel
    if kind.reward_model.name != "TERMINAL":
        return "search for rewards on the way"
    if spiel.num_players() > 2 or (spiel.num_players() == 2 and spiel.utility_sum() is None):
        return "values for each player"
    for name, value in THEIRS.items():
        if getattr(settings, name) != value:
            return f"{name}={getattr(settings, name)}"
    return ""


class OpenSpielSearch(Search):
    """A Search whose tree is grown by OpenSpiel where possible. `tree` then holds the part of theirs that was
    visited most."""

    game: OpenSpielGame

    def __init__(self, game: Game, settings: SearchSettings) -> None:
        assert isinstance(game, OpenSpielGame)
        super().__init__(game, settings)
        self.lacking = not_theirs(game, self.settings)

    def grow(self, position: Position, stopped: Callable[[], bool] | None = None) -> Stop:
        if self.lacking:
            stop = super().grow(position, stopped)
            stop.remark = f"searched in Python, as OpenSpiel's own search has no {self.lacking}"
            return stop
        pyspiel, settings, spiel = need("pyspiel", "openspiel"), self.settings, self.game.spiel
        seed = self.rng.bits() % ENDLESS
        bot = pyspiel.MCTSBot(
            spiel,
            pyspiel.RandomRolloutEvaluator(settings.rollouts, seed),
            settings.c * (spiel.max_utility() - spiel.min_utility()),
            min(settings.simulations, ENDLESS) or (ENDLESS if settings.seconds else 1000),
            int(settings.megabytes),
            settings.proofs,
            seed,
            False,
            pyspiel.ChildSelectionPolicy.UCT,
            settings.seconds or -1.0,
        )
        root = bot.mcts_search(self.game.state_of(position))
        self.tree, self.root = copied(root, self.game), position
        return Stop(simulations=int(root.explore_count), proven=bool(root.outcome))


def copied(root: Any, game: OpenSpielGame) -> Tree:
    """The most visited part of OpenSpiel's tree as ours: the root and the children of the nodes that matter."""
    players, mover = int(game.players), int(root.player)
    total = float(game.spiel.utility_sum() or 0.0)
    least = max(2, int(LEAST_SHARE * root.explore_count))
    nodes, first, level = [root], {0: 1}, [0]
    while level and len(first) <= MOST_OPENED:
        following: list[int] = []
        for slot in level:
            children = nodes[slot].children
            first[slot] = len(nodes) if children else 0
            following += [len(nodes) + i for i, child in enumerate(children) if child.explore_count >= least]
            nodes += children
        level = following
    filled = [_slot(node, first.get(slot, 0), players, mover, total) for slot, node in enumerate(nodes)]
    tree = Tree(np.array(filled, slot_dtype(players)), new_tree(players, 1).stats)
    tree.stats["used"], tree.stats["simulations"] = len(nodes), root.explore_count
    return tree


def _slot(node: Any, first: int, players: int, mover: int, total: float) -> tuple[Any, ...]:
    """One node as a slot's fields, in their order."""
    visits, own = node.explore_count, node.total_reward
    whose = node.player if node.player >= 0 else mover  # below chance, the value is the root player's
    value = [own] if players == 1 else [own, total * visits - own] if whose == 0 else [total * visits - own, own]
    children = node.children
    proven = bool(node.outcome)
    actor = children[0].player if children else OVER if proven else UNSEEN
    return (
        list(node.outcome) if proven else value, visits, max(node.action, 0), first, node.prior, np.nan,
        len(children) if first else 0, actor, int(proven),
    )  # fmt: skip
