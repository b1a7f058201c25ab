"""Who plays on a published page: the strengths of the server's page whose players a browser can be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from boardwright.contract.card import Strength
from boardwright.contract.errors import RuleError
from boardwright.contract.game import Game
from boardwright.players import PlayerSpec, player
from boardwright.players.mcts import SearchPlayer
from boardwright.players.player import Player
from boardwright.players.simple import PolicyPlayer, RandomPlayer
from boardwright.players.slips import SlippingPlayer
from boardwright.publish.calls import as_json
from boardwright.publish.learnt import learnt_of
from boardwright.publish.modules import Modules
from boardwright.publish.program import Part
from boardwright.search.evaluator import GAME_ESTIMATE
from boardwright.search.search import Search
from boardwright.search.settings import SearchSettings
from boardwright.serve.monitor import player_of
from boardwright.serve.seats import Seats, run_of

MEGABYTES = 192.0  # of a tree: telephones have little memory
MOST_TREES = 8  # side by side, a worker each
NO_NETWORKS = "it plays by a network of JAX, which no browser has"
NETWORKS = ("net",)  # a kind of player, and the setting of others that names such a network


class NotHereError(Exception):
    """A player that a browser cannot be; says why."""


@dataclass(frozen=True)
class Playable:
    """One opponent, and how the page's worker plays it."""

    strength: Strength
    how: dict[str, Any]


@dataclass(frozen=True)
class LeftOut:
    """A strength that a browser cannot play, and why."""

    strength: Strength
    why: str


def playable(game: Game, seats: Seats, modules: Modules) -> tuple[list[Playable], list[LeftOut]]:
    """The strengths that a browser can play, weakest first, and those that it cannot."""
    found, left = [], []
    listed = {name: (spec, words) for name, spec, words in seats.strengths(game)}  # the author's own come last
    for name, (spec, words) in listed.items():
        strength = Strength(name, spec, words)
        if seats.own.get(name) == spec:  # which may name a folder
            strength = Strength(name, name.lower(), "comes with this site")  # as the page knows who needs no more words
        try:
            run = run_of(spec)
            if run is not None:
                told = player_of(run, game, seats.runs)
                raise NotHereError(f"what was trained here goes along if it is named: --player '{name}={told}'")
            found.append(Playable(strength, settings_of(game, spec, modules)))
        except (NotHereError, RuleError) as error:
            left.append(LeftOut(Strength(name, spec, words), str(error)))
    return found, left


def settings_of(game: Game, spec: str, modules: Modules) -> dict[str, Any]:
    """How the page's worker plays the player of that spec."""
    parsed = PlayerSpec.parse(spec)
    if any(name in NETWORKS for name in (parsed.kind, *parsed.settings)):
        raise NotHereError(NO_NETWORKS)
    made = player(spec, game)
    if isinstance(made, SlippingPlayer):
        of = settings_of(game, made.settings.of, modules)
        return {"kind": "slips", "epsilon": made.settings.epsilon, "of": of}
    return settings_of_player(game, made, modules)


def settings_of_player(game: Game, made: Player, modules: Modules) -> dict[str, Any]:
    """The same, of a player that does not slip."""
    if isinstance(made, RandomPlayer):
        return {"kind": "random"}
    if isinstance(made, PolicyPlayer):
        return {"kind": "policy", "policy": game.policies.index(made.policy) + 1}
    search = made.plain_search if isinstance(made, SearchPlayer) else None
    if search is not None:
        if made.trees > MOST_TREES:
            raise NotHereError(f"it grows {made.trees} trees side by side, a page at most {MOST_TREES}")
        how = {"kind": "search", **search_settings(search)}
        if search.evaluator is GAME_ESTIMATE:
            return how
        return {**how, "module": modules.add(Part("search", search.evaluator), search.evaluator.learned)}
    learnt = learnt_of(made)
    if learnt is None:
        raise NotHereError("a browser cannot play it")
    module = modules.add(learnt.part, learnt.learned)
    return {"kind": "learnt", "way": learnt.part.way, "module": module, **learnt.settings}


def analysis_settings(game: Game) -> dict[str, Any]:
    """How the page's worker looks at a position for hints and analysis: as the server does."""
    return {"kind": "search", **search_settings(Search(game, SearchSettings(simulations=1, megabytes=MEGABYTES)))}


def search_settings(search: Search) -> dict[str, Any]:
    """The settings of a search, the first of its player's, as web/search.js takes them."""
    settings = search.settings
    return {
        "simulations": settings.simulations,
        "seconds": settings.seconds,
        "threads": settings.threads,
        "megabytes": min(settings.megabytes, MEGABYTES / settings.threads),
        "select": settings.select,
        "considered": settings.considered,
        "reuse": settings.reuse,
        "merge": settings.merge,
        "seed": settings.seed,
        # What a kernel would be compiled without is 0 here.
        "plan": {name: 0 if value is None else as_json(value) for name, value in search.plan._asdict().items()},
    }
