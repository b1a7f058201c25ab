"""The kinds of players that have learnt something. Listing them reads headings of models only: no weights, no JAX."""

from __future__ import annotations

from collections.abc import Callable

from boardwright.contract.game import Game
from boardwright.learn.shipped import NETWORK, shipped_model, shipped_options
from boardwright.learn.tuples.board_kit import board_kit, own_kit, served
from boardwright.players.kinds import Kind


def _without_network(game: Game) -> str:
    if not shipped_model(game, NETWORK):
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


def _without_table(game: Game) -> str:
    kit = own_kit(game)
    return _without_model("tuples", None if kit is None else kit.TABLE_OPTIONS)(game)


def _without_boards(game: Game) -> str:
    return "" if board_kit(game) else f"it is not {served()}"


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
    _without_table,
)
HEURISTIC = Kind(
    "looks some slides ahead with values made by hand",
    "boardwright.learn.tuples.player:heuristic_player",
    "boardwright.learn.tuples.player:HeuristicSettings",
    _without_boards,
)
TUPLES = Kind(
    "looks some plies ahead with learnt n-tuple tables",
    "boardwright.learn.tuples.player:tuple_player",
    "boardwright.learn.tuples.player:TuplePlayerSettings",
    _without_table,
)
VALUES = Kind(
    "plays alone by a learnt value of what each move leaves, with the model that comes along",
    "boardwright.learn.values.player:ValuesPlayer",
    "boardwright.learn.values.player:ValuesSettings",
    _without_model("values"),
)
VALUE = Kind(
    "plays the turn that ends best by a value learnt inside the kernel (model=FILE or the folder of a run)",
    "boardwright.learn.kernel.player:value_player",
    "boardwright.learn.kernel.player:ValueSettings",
    _without_model("value"),
)
VALUE_SEARCH = Kind(
    "tree search with such a value at its leaves",
    "boardwright.learn.kernel.player:ValueSearchPlayer",
    "boardwright.learn.kernel.player:ValueSearchSettings",
    _without_model("value"),
)
