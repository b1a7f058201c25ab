"""Specs: text that names a kind of player and its settings, such as `mcts:simulations=800,seed=1`."""

from __future__ import annotations

import importlib
from typing import Any

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.settings import read_settings, split_settings
from boardwright.players.player import NoSettings, Player
from boardwright.players.simple import PolicyPlayer, RandomPlayer
from boardwright.registry import offered, place_of

# Kinds of this layer, as module:builder:settings; imported when named, so that a random player is instant.
KINDS = {
    "mcts": "boardwright.players.mcts:SearchPlayer:SearchSettings",
    "expectimax": "boardwright.players.expectimax:ExpectimaxPlayer:ExpectimaxSettings",
    "solver": "boardwright.players.solver:SolverPlayer:SolverSettings",
}
GROUP = "players"  # of the registry: kinds of other layers and packages; "mcts:net" is `mcts` where `net=` is set


def player_kinds(game: Game) -> list[str]:
    """Every kind of player that can play this game."""
    policies = (policy.replace("_", "-") for policy in game.policies)
    return ["random", *policies, *KINDS, *(name for name in offered(GROUP) if ":" not in name)]


def player(spec: str, game: Game) -> Player:
    """The player that `spec` names, for `game`. What does not exist is refused with what does."""
    kind, _, text = spec.partition(":")
    kind = kind.strip()
    values = split_settings(f"player {kind}", text)
    place = next((found for name in values if (found := place_of(GROUP, f"{kind}:{name}"))), KINDS.get(kind))
    policy = kind.replace("-", "_")
    if place is None and kind != "random" and policy not in game.policies:
        place = place_of(GROUP, kind)
    if place is not None:
        module_name, builder, settings_name = place.split(":")
        module = importlib.import_module(module_name)
        settings_class: Any = getattr(module, settings_name)
        build: Any = getattr(module, builder)
    else:
        settings_class = NoSettings
        if kind == "random":
            build = RandomPlayer
        elif policy in game.policies:
            build = lambda game, spec, settings: PolicyPlayer(game, spec, settings, policy)  # noqa: E731
        else:
            raise InputError(f"{game.name}: no player {kind!r}; there are {', '.join(player_kinds(game))}")
    settings = settings_class(**read_settings(settings_class, f"player {kind}", values))
    made: Player = build(game, spec, settings)
    return made
