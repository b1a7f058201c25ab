"""The learnt value of one who plays alone for points, from a model file."""

from __future__ import annotations

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.games.named import game_argument
from boardwright.learn.kernel.fitting import Numbers
from boardwright.learn.kernel.model import load_value
from boardwright.learn.kernel.network import ValueNetwork
from boardwright.learn.models import shipped_models


def load_values(name: str, game: Game) -> tuple[ValueNetwork, Numbers]:
    """The network and its numbers from a file, a run's folder or a shipped model; with no name, the shipped one."""
    if game.players != 1 or not game.counts_points:
        raise InputError(
            f"{game.name}: player values is for one player who counts points; say value:model=... or mcts:value=..."
        )
    if not name and game.name not in shipped_models():
        raise InputError(
            f"no values come with Boardwright for {game.name}; say values:model=FOLDER of a run, "
            f"or make one with: boardwright train {game_argument(game)}"
        )
    return load_value(name or game.name, game)
