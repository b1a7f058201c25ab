"""Who plays on a published page: the strengths of the server's page whose players a browser can be."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from boardwright.contract.card import Strength
from boardwright.contract.game import Game
from boardwright.players import player
from boardwright.players.mcts import SearchPlayer
from boardwright.players.simple import PolicyPlayer, RandomPlayer
from boardwright.players.slips import SlippingPlayer
from boardwright.search.evaluator import GAME_ESTIMATE
from boardwright.search.search import Search
from boardwright.search.settings import SearchSettings
from boardwright.serve.seats import Seats

MEGABYTES = 192.0  # of a tree: telephones have little memory


@dataclass(frozen=True)
class Playable:
    """One opponent, and how the page's worker plays it."""

    strength: Strength
    how: dict[str, Any]


def playable(game: Game, seats: Seats) -> tuple[list[Playable], list[Strength]]:
    """The strengths that a browser can play, weakest first, and those that it cannot."""
    found, left = [], []
    for name, spec, words in seats.strengths(game):
        strength = Strength(name, spec, words)
        how = settings_of(game, spec)
        if how is None:
            left.append(strength)
        else:
            found.append(Playable(strength, how))
    return found, left


def settings_of(game: Game, spec: str) -> dict[str, Any] | None:
    """How the page's worker plays the player of that spec; None if it cannot."""
    made = player(spec, game)
    if isinstance(made, SlippingPlayer):
        of = settings_of(game, made.settings.of)
        return None if of is None else {"kind": "slips", "epsilon": made.settings.epsilon, "of": of}
    if isinstance(made, RandomPlayer):
        return {"kind": "random"}
    if isinstance(made, PolicyPlayer):
        return {"kind": "policy", "policy": game.policies.index(made._policy) + 1}
    if isinstance(made, SearchPlayer) and type(made.searches[0]) is Search:
        if made.searches[0].evaluator is GAME_ESTIMATE and made.settings.threads == 1:
            return {"kind": "search", **search_settings(made.searches[0])}
    return None


def analysis_settings(game: Game) -> dict[str, Any]:
    """How the page's worker looks at a position for hints and analysis: as the server does."""
    return {"kind": "search", **search_settings(Search(game, SearchSettings(simulations=1, megabytes=MEGABYTES)))}


def search_settings(search: Search) -> dict[str, Any]:
    """The settings of a search as web/search.js takes them."""
    settings = search.settings
    return {
        "simulations": settings.simulations,
        "seconds": settings.seconds,
        "megabytes": min(settings.megabytes, MEGABYTES),
        "select": settings.select,
        "considered": settings.considered,
        "reuse": settings.reuse,
        "merge": settings.merge,
        "seed": settings.seed,
        "plan": {name: _number(value) for name, value in search.plan._asdict().items()},
    }


def _number(value: float) -> float | str:
    """JSON knows no infinity; JavaScript reads the word."""
    return value if math.isfinite(value) else "Infinity" if value > 0 else "-Infinity"
