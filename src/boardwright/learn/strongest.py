"""Who is the strongest at a game: the player with the model that comes with Boardwright, or search alone."""

from __future__ import annotations

import dataclasses
from importlib.util import find_spec

from boardwright.contract.game import Game
from boardwright.learn.models import shipped_models
from boardwright.learn.shipped import shipped_network


def learnt_player(game: Game, seconds: float) -> str | None:
    """The spec of whoever has learnt this game with these options, thinking at most so long about a move; None if no
    model comes with Boardwright, or what it needs is not installed."""
    if shipped_network(game):
        return f"mcts:net=auto,seconds={seconds:g}" if find_spec("jax") and find_spec("flax") else None
    usual = all(field.default == game.options[field.name] for field in dataclasses.fields(game) if field.init)
    has_model = any(name.startswith(game.name) for name in shipped_models())
    learnt = game.card.learnt  # of games whose model is no network of policy and value
    if learnt and usual and has_model and not hasattr(type(game), "_source"):
        return learnt.format(seconds=seconds)
    return None


def best_known(game: Game, seconds: float) -> str:
    """The strongest player that there is for a game at this pace."""
    return learnt_player(game, seconds) or f"mcts:seconds={seconds:g}"
