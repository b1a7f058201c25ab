"""Trained networks on disk, with their learning curves: a second run trains nothing again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.contract.errors import InputError
from boardwright.learn.files import read_arrays, save_arrays
from boardwright_lab.gomoku.nets import Weights
from boardwright_lab.gomoku.train import Nets

KEY = "boardwright_gomoku_lab"
CURVE = "curve"


class Trained(NamedTuple):
    """The outcome of a training."""

    weights: Nets
    curve: npt.NDArray[np.float64]  # (points, columns), as `curves.py` names them
    earlier: Nets | None = None  # the weights at an episode on the way, if one was asked for


def kept_or_trained(path: Path, settings: dict[str, Any], make: Callable[[], Trained]) -> Trained:
    """The networks of the file if they were trained with these settings, else trained now and saved there."""
    if path.exists():
        arrays, metadata = read_arrays(path)
        if KEY not in metadata:
            raise InputError(f"{path.name} in {path.parent} is not a network of this program; move it away")
        if metadata[KEY] == _text(settings):
            return _from_arrays(path, arrays)
    made = make()
    save_arrays(path, _to_arrays(made), {KEY: _text(settings)})
    return made


def _text(settings: dict[str, Any]) -> str:
    return json.dumps(settings, sort_keys=True)


def _to_arrays(made: Trained) -> dict[str, npt.NDArray[Any]]:
    arrays: dict[str, npt.NDArray[Any]] = {CURVE: made.curve}
    for prefix, nets in (("", made.weights), ("earlier.", made.earlier)):
        if nets is not None:
            for kind, weights in zip(Nets._fields, nets, strict=True):
                arrays |= {f"{prefix}{kind}.{name}": np.asarray(array) for name, array in weights.items()}
    return arrays


def _from_arrays(path: Path, arrays: dict[str, npt.NDArray[Any]]) -> Trained:
    def part(prefix: str) -> Weights:
        return {name[len(prefix) :]: array for name, array in arrays.items() if name.startswith(prefix)}

    if CURVE not in arrays or not part("policy.") or not part("value."):
        raise InputError(f"{path.name} in {path.parent} lacks arrays: delete it, and it is trained again")
    earlier = Nets(part("earlier.policy."), part("earlier.value."))
    return Trained(Nets(part("policy."), part("value.")), arrays[CURVE], earlier if earlier.policy else None)
