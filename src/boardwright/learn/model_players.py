"""Which player plays by which kind of model: one table, and the specs that follow from it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from boardwright.contract.game import Game
from boardwright.players import PlayerSpec

Setting = tuple[str, str]  # a kind of player, and its setting that names a model


class Takers(NamedTuple):
    """Who plays by the models of a kind."""

    quickest: Setting
    with_time: Setting  # who makes the most of seconds
    leaves: str  # the setting of mcts that puts the model at the leaves of a tree; empty where no tree takes it


TAKERS = {
    "value": Takers(("value", "model"), ("mcts", "value"), "value"),
    "net": Takers(("net", "model"), ("mcts", "net"), "net"),
    "tuples": Takers(("tuples", "table"), ("tuples", "table"), "table"),
    "values": Takers(("values", "model"), ("values", "model"), ""),
}
KINDS = tuple(TAKERS)  # of models
# Which kinds of models a setting of a kind of player takes. `values`: of one player, from before learning inside the
# kernel took them over.
VALUES = ("value", "values")
TAKEN = {
    ("mcts", "value"): VALUES,
    ("value", "model"): VALUES,
    ("values", "model"): VALUES,
    ("mcts", "net"): ("net",),
    ("net", "model"): ("net",),
    ("mcts", "table"): ("tuples",),
    ("tuples", "table"): ("tuples",),
}


def quick_spec(kind: str, model: Path | str) -> PlayerSpec:
    """The quickest player with a model of a kind."""
    player, setting = TAKERS[kind].quickest
    return PlayerSpec(player, {setting: str(model)})


def timed_spec(kind: str, model: Path, game: Game, seconds: float) -> PlayerSpec:
    """The player of a model of a kind, thinking about so long; the model's path is the first setting."""
    from boardwright.learn.kernel.settings import is_solitaire
    from boardwright.learn.tuples.board_kit import board_kit

    takers = TAKERS[kind]
    # Alone, rollouts by the value make more of seconds than a tree.
    player, setting = takers.quickest if kind == "value" and is_solitaire(game) else takers.with_time
    spec = PlayerSpec(player, {setting: str(model)})
    timed = kind != "tuples" or board_kit(game) is not None
    return spec.with_setting("seconds", f"{seconds:g}") if timed else spec


def tree_spec(kind: str, model: Path | str, simulations: int) -> PlayerSpec | None:
    """A tree search with a model of a kind at its leaves; None for models that no tree takes."""
    setting = TAKERS[kind].leaves
    return PlayerSpec("mcts", {setting: str(model), "simulations": str(simulations)}) if setting else None
