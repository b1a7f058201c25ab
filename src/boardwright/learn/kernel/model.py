"""A learnt value of any number of players as a model file, and back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.learn.kernel.fitting import Numbers
from boardwright.learn.kernel.network import ValueNetwork, move_rows, network_for
from boardwright.learn.kernel.sight import Sight, check_plan, plan_for
from boardwright.learn.models import find_model, load_model, save_model
from boardwright.learn.shipped import AUTO, VALUE, default_model, model_heading

KIND = VALUE
SOLO_KIND = "values"  # of models by the method for one player that this one took over: the same network
MOST_UNITS = 4096
PROBED_MOVES = 30


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
    names = ("first", "second", "outs", "policy_rows", "plan")
    shape = {name: getattr(network, name) for name in names}
    if game.features_count:
        about = {**about, "features": features_digest(game)}
    if network.has_policy and network.move_count:
        about = {**about, "move_features": move_features_digest(game)}
    return save_model(path, KIND, game, {**settings, **shape}, arrays, about)


def load_value(name: str, game: Game) -> tuple[ValueNetwork, Numbers]:
    """The network and its numbers from a file, a run's folder or a shipped model, `auto` being the game's."""
    path = find_model(default_model(game, KIND) if name == AUTO else name)
    old = model_heading(path).get("kind") == SOLO_KIND
    model = load_model(path, SOLO_KIND if old else KIND, game)
    shape = model.settings
    if old:
        shape = {"outs": 1, "policy_rows": 0, "plan": plan_for(game), **shape}
    numbers, unit = model.arrays.get("learned"), model.arrays.get("unit")
    sizes = [shape.get(one) for one in ("first", "second", "outs")]
    rows = shape.get("policy_rows", 0)
    if (
        any(type(size) is not int or not 1 <= size <= MOST_UNITS for size in sizes)
        or not isinstance(shape.get("plan"), str)
        or numbers is None
        or unit is None
        or unit.shape != (1,)
    ):
        raise InputError(f"{model.path.name} is no whole model of a value; copy or train it again")
    check_plan(game, shape["plan"])
    if Sight(plan=shape["plan"]).move_count and model.about.get("move_features") != move_features_digest(game):
        raise InputError(
            f"{model.path.name} was made for other features of moves of {game.name} than it has now; train it again"
        )
    if rows not in (0, move_rows(game, shape["plan"])):
        raise InputError(f"{model.path.name} has a policy over other moves than {game.name} has; train it again")
    if (old or "features" in model.about) and model.about.get("features") != features_digest(game):
        raise InputError(
            f"{model.path.name} was made for other features of {game.name} than it has now; train it again"
        )
    network = network_for(game, shape["first"], shape["second"], shape["outs"] == 1, shape["plan"], has_policy=rows > 0)
    if numbers.shape != (network.size,) or not np.all(np.isfinite(numbers)):
        raise InputError(f"{model.path.name} does not fit {game.name}; train it again")
    learned = numbers.astype(np.float32)
    learned[-1] = unit[0]
    return network, learned


def numbers_of(name: str, game: Game, network: ValueNetwork, fresh: Numbers) -> Numbers:
    """The numbers of a model that was trained with these or other options of the game, to begin with; refused if they
    are those of another network. Where only its policy is told by other features of moves, that begins as in `fresh`.
    """
    path = find_model(name)
    heading = model_heading(path)
    if heading.get("game") != game.name:
        raise InputError(f"start: {path.name} was made for {heading.get('game')}, not for {game.name}")
    other, numbers = load_value(name, type(game)(**heading.get("options", {})))
    for one in ("first", "second", "outs", "count", "most", "points"):
        if getattr(other, one) != getattr(network, one):
            raise InputError(f"start: {path.name} has {one}={getattr(other, one)}, not {getattr(network, one)}")
    if (other.policy_rows, other.move_count) == (network.policy_rows, network.move_count):
        return numbers
    features = network.count * network.first
    return np.concatenate(
        [
            numbers[:features],
            fresh[features : network.first_biases],
            numbers[other.first_biases : other.move_biases],
            fresh[network.move_biases : network.size - 1],
            numbers[-1:],
        ]
    )


def features_digest(game: Game) -> str:
    """Names what the game's own features see, by what they see in one game played at random: a value learnt on other
    features would see nonsense."""
    digest = hashlib.sha256(f"{game.features_count}".encode())
    for _, after in _probed(game):
        indices, values = after.features()
        seen = sorted(zip(indices.tolist(), [round(value, 4) for value in values.tolist()], strict=True))
        digest.update(json.dumps(seen).encode())
    return digest.hexdigest()[:16]


def move_features_digest(game: Game) -> str:
    """The same for the features of moves."""
    digest = hashlib.sha256(f"{game.move_features_count}".encode())
    for position, _ in _probed(game):
        seen = [sorted(position.move_features(move).tolist()) for move in position.moves]
        digest.update(json.dumps(seen).encode())
    return digest.hexdigest()[:16]


def _probed(game: Game) -> Iterator[tuple[Position, Position]]:
    """Positions of one game played at random, each with what a move made of it, before chance acts."""
    rng = Random(0)
    position = game.begin(seed=0)
    for _ in range(PROBED_MOVES):
        if position.is_over:
            return
        after = position.play(position.moves[rng.below(len(position.moves))])
        yield position, after
        position = after.settle(rng)
