"""A learnt value as a model file, and back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.random import Random
from boardwright.learn.kernel.network import ValueNetwork, network_for
from boardwright.learn.models import load_model, save_model, shipped_models

KIND = "values"
PROBED_MOVES = 30
Numbers = npt.NDArray[np.float32]


def check_suits(game: Game) -> None:
    """Values are for one player who counts points, in a game that says what a value can see."""
    cure = "use --method selfplay"
    if game.players != 1 or not game.counts_points:
        raise InputError(f"{game.name}: values are learnt for one player who counts points; {cure}")
    if not game.features_count:
        raise InputError(
            f"{game.name} has neither features() nor observe(), so that a value would see nothing; write one, or {cure}"
        )


def save_values(
    path: Path,
    game: Game,
    network: ValueNetwork,
    learned: Numbers,
    settings: Mapping[str, Any],
    about: Mapping[str, Any],
) -> Path:
    """Write a model: half precision, which playing does not notice."""
    arrays: dict[str, npt.NDArray[Any]] = {"learned": learned.astype(np.float16), "unit": learned[-1:]}
    about = {**about, "features": features_digest(game)}
    return save_model(path, KIND, game, {**settings, "first": network.first, "second": network.second}, arrays, about)


def load_values(name: str, game: Game) -> tuple[ValueNetwork, Numbers]:
    """The network and its numbers from a file, a run's folder or a shipped model; with no name, the shipped one."""
    check_suits(game)
    if not name and game.name not in shipped_models():
        raise InputError(
            f"no values come with Boardwright for {game.name}; say values:model=FOLDER of a run, "
            f"or make one with: boardwright train {game.name} --method values"
        )
    model = load_model(name or game.name, KIND, game)
    shape, numbers, unit = model.settings, model.arrays.get("learned"), model.arrays.get("unit")
    if type(shape.get("first")) is not int or type(shape.get("second")) is not int or numbers is None or unit is None:
        raise InputError(f"{model.path.name} is no whole model of values; copy or train it again")
    network = network_for(game, shape["first"], shape["second"])
    if model.about.get("features") != features_digest(game) or numbers.shape != (network.size,) or unit.shape != (1,):
        raise InputError(
            f"{model.path.name} was made for other features of {game.name} than it has now; train it again"
        )
    learned = numbers.astype(np.float32)
    learned[-1] = unit[0]
    return network, learned


def features_digest(game: Game) -> str:
    """Names what the game's `features` sees, by what it sees in one game played at random: a value learnt on other
    features would see nonsense."""
    digest = hashlib.sha256(f"{game.features_count}".encode())
    rng = Random(0)
    position = game.begin(seed=0)
    for _ in range(PROBED_MOVES):
        if position.is_over:
            break
        position = position.play(position.moves[rng.below(len(position.moves))])
        indices, values = position.features()
        seen = sorted(zip(indices.tolist(), [round(value, 4) for value in values.tolist()], strict=True))
        digest.update(json.dumps(seen).encode())
        position = position.settle(rng)
    return digest.hexdigest()[:16]
