"""The kinds of players that have learnt something. Listing them reads headings of models only: no weights, no JAX."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

from boardwright.contract.game import Game
from boardwright.learn.shipped import shipped_network, shipped_options
from boardwright.players.kinds import Kind


def _without_network(game: Game) -> str:
    if not (find_spec("jax") and find_spec("flax")):
        return "JAX is not installed"
    if not shipped_network(game):
        return "no network comes with Boardwright for it"
    return ""


def _without_model(kind: str, same: tuple[str, ...] | None = None) -> Callable[[Game], str]:
    """Whether no model of a kind comes with Boardwright for a game: with its options, or with those of `same` alike."""

    def against(game: Game) -> str:
        names = game.options if same is None else same
        for options in shipped_options(game, kind).values():
            if all(options.get(name) == game.options.get(name) for name in names):
                return ""
        return "no model comes with Boardwright for it"

    return against


def _not_2048(game: Game) -> str:
    return "" if game.name == "2048" and game.options.get("size") == 4 else "it is not 2048 on 4x4"


NET = Kind(
    "what a network likes best, without search (model=FILE or the folder of a run)",
    "boardwright.learn.selfplay.player:NetPlayer",
    "boardwright.learn.selfplay.player:NetSettings",
    _without_network,
)
NET_SEARCH = Kind(
    "tree search with a network at its leaves",
    "boardwright.learn.selfplay.player:NetSearchPlayer",
    "boardwright.learn.selfplay.player:NetSearchSettings",
    _without_network,
)
TABLE_SEARCH = Kind(
    "tree search with n-tuple tables at its leaves",
    "boardwright.learn.tuples.tree:TablePlayer",
    "boardwright.learn.tuples.tree:TableSettings",
    _without_model("tuples", ("size",)),
)
HEURISTIC = Kind(
    "looks some slides ahead with values made by hand",
    "boardwright.learn.tuples.player:heuristic_player",
    "boardwright.learn.tuples.player:HeuristicSettings",
    _not_2048,
)
TUPLES = Kind(
    "looks some plies ahead with learnt n-tuple tables",
    "boardwright.learn.tuples.player:tuple_player",
    "boardwright.learn.tuples.player:TuplePlayerSettings",
    _without_model("tuples", ("size",)),
)
VALUES = Kind(
    "plays by a learnt value of what each move leaves",
    "boardwright.learn.values.player:ValuesPlayer",
    "boardwright.learn.values.player:ValuesSettings",
    _without_model("values"),
)
