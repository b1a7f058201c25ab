"""Specs: text that names a kind of player and its settings, such as `mcts:simulations=800,seed=1`."""

from __future__ import annotations

import importlib
from functools import partial
from typing import Any

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.settings import read_settings, split_settings
from boardwright.players.player import NoSettings, Player
from boardwright.players.simple import PolicyPlayer, RandomPlayer

# Kinds of other layers, as module:builder:settings; imported when named, so that a random player is instant.
ELSEWHERE: dict[str, tuple[str, str, str]] = {
    "mcts": ("boardwright.search.player", "SearchPlayer", "SearchSettings"),
    "masb": ("boardwright.search.player", "MasbPlayer", "MasbSettings"),
    "hybrid": ("boardwright.search.player", "hybrid_player", "HybridSettings"),
    "expectimax": ("boardwright.search.expectimax", "ExpectimaxPlayer", "ExpectimaxSettings"),
    "solver": ("boardwright.search.solver", "SolverPlayer", "SolverSettings"),
    "net": ("boardwright.learn.selfplay.player", "NetPlayer", "NetSettings"),
    "heuristic": ("boardwright.learn.tuples.player", "heuristic_player", "HeuristicSettings"),
    "tuples": ("boardwright.learn.tuples.player", "tuple_player", "TuplePlayerSettings"),
    "values": ("boardwright.learn.values.player", "ValuesPlayer", "ValuesSettings"),
}

# A kind with something learnt at its leaves: the setting that names the model decides who builds it.
LEAVES: dict[tuple[str, str], tuple[str, str, str]] = {
    ("mcts", "net"): ("boardwright.learn.selfplay.player", "NetSearchPlayer", "NetSearchSettings"),
    ("mcts", "table"): ("boardwright.learn.tuples.tree", "TablePlayer", "TableSettings"),
}


def player_kinds(game: Game) -> list[str]:
    """Every kind of player that can play this game."""
    return ["random", *(policy.replace("_", "-") for policy in game.policies), *ELSEWHERE]


def player(spec: str, game: Game) -> Player:
    """The player that `spec` names, for `game`. What does not exist is refused with what does."""
    kind, _, text = spec.partition(":")
    kind = kind.strip()
    values = split_settings(f"player {kind}", text)
    if kind in ELSEWHERE:
        leaves = (place for (owner, setting), place in LEAVES.items() if owner == kind and setting in values)
        module_name, builder, settings_name = next(leaves, ELSEWHERE[kind])
        module = importlib.import_module(module_name)
        settings_class: Any = getattr(module, settings_name)
        build: Any = getattr(module, builder)
    else:
        settings_class = NoSettings
        policy = kind.replace("-", "_")
        if kind == "random":
            build = RandomPlayer
        elif policy in game.policies:
            build = partial(PolicyPlayer, policy=policy)
        else:
            raise InputError(f"{game.name}: no player {kind!r}; there are {', '.join(player_kinds(game))}")
    settings = settings_class(**read_settings(settings_class, f"player {kind}", values))
    made: Player = build(game, spec, settings)
    return made
