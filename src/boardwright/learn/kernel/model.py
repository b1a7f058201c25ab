"""A learnt value of any number of players as a model file, and back."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.learn.kernel.fitting import Numbers
from boardwright.learn.kernel.network import ValueNetwork, network_for
from boardwright.learn.kernel.sight import check_plan
from boardwright.learn.models import load_model, save_model

KIND = "value"
MOST_UNITS = 4096


def save_value(
    path: Path,
    game: Game,
    network: ValueNetwork,
    learned: Numbers,
    settings: Mapping[str, Any],
    about: Mapping[str, Any],
) -> Path:
    """Write a model: half precision, which playing does not notice."""
    arrays: dict[str, npt.NDArray[Any]] = {"learned": learned.astype(np.float16), "unit": learned[-1:]}
    names = ("first", "second", "outs", "liked", "plan")
    shape = {name: getattr(network, name) for name in names}
    return save_model(path, KIND, game, {**settings, **shape}, arrays, about)


def load_value(name: str, game: Game) -> tuple[ValueNetwork, Numbers]:
    """The network and its numbers from a file or a run's folder."""
    model = load_model(name, KIND, game)
    shape, numbers, unit = model.settings, model.arrays.get("learned"), model.arrays.get("unit")
    sizes = [shape.get(one) for one in ("first", "second", "outs")]
    liked = shape.get("liked", 0)
    if (
        any(type(size) is not int or not 1 <= size <= MOST_UNITS for size in sizes)
        or liked not in (0, game.actions)
        or not isinstance(shape.get("plan"), str)
        or numbers is None
        or unit is None
        or unit.shape != (1,)
    ):
        raise InputError(f"{model.path.name} is no whole model of a value; copy or train it again")
    check_plan(game, shape["plan"])
    network = network_for(game, shape["first"], shape["second"], shape["outs"] == 1, shape["plan"], likes=liked > 0)
    if numbers.shape != (network.size,) or not np.all(np.isfinite(numbers)):
        raise InputError(f"{model.path.name} does not fit {game.name}; train it again")
    learned = numbers.astype(np.float32)
    learned[-1] = unit[0]
    return network, learned
