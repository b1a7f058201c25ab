"""Tables in model files: whole, or packed to the numbers that training ever touched."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.games.named import game_argument
from boardwright.learn.models import SHIPPED, find_model, load_model, save_model
from boardwright.learn.tuples.board_kit import own_kit
from boardwright.learn.tuples.tables import TupleTables, tables_for

KIND = "tuples"
PRECISIONS = {"float32": np.float32, "float16": np.float16}


def pack(learned: npt.NDArray[np.float32], precision: str) -> dict[str, npt.NDArray[Any]]:
    """A bit an entry says whether it is other than 0; the others follow in order, in `precision`."""
    if precision not in PRECISIONS:
        raise InputError(f"precision={precision} does not exist; there are {', '.join(PRECISIONS)}")
    touched = learned != 0.0
    return {"touched": np.packbits(touched), "numbers": learned[touched].astype(PRECISIONS[precision])}


def unpack(arrays: Mapping[str, npt.NDArray[Any]], size: int, where: str) -> npt.NDArray[np.float32]:
    """The table of a file, packed or whole; refused if it does not have `size` numbers."""
    if "learned" in arrays:
        learned = np.ascontiguousarray(arrays["learned"])
        if learned.shape != (size,) or learned.dtype != np.float32:
            raise InputError(f"{where}: its table has {learned.shape} numbers of {learned.dtype}, not {size:,} float32")
        return learned
    try:
        touched = np.unpackbits(arrays["touched"], count=size).astype(bool)
        numbers = arrays["numbers"]
        learned = np.zeros(size, np.float32)
        learned[touched] = numbers
    except (KeyError, ValueError, TypeError) as error:
        raise InputError(f"{where}: it holds no table of {size:,} numbers ({error})") from None
    if not np.isfinite(learned).all():
        raise InputError(f"{where}: its table holds what is no number")
    return learned


def save_packed(source: str | Path, game: Game, path: Path, precision: str = "float32") -> Path:
    """Write a trained table again, packed."""
    model = load_model(source, KIND, game, _options(game))
    tables = tables_for(game, str(model.settings["patterns"]))
    learned = unpack(model.arrays, tables.size, model.path.name)
    return save_model(path, KIND, game, model.settings, pack(learned, precision), model.about)


def _options(game: Game) -> tuple[str, ...] | None:
    """The options that must be those of the table's training; None: all."""
    kit = own_kit(game)
    return None if kit is None else tuple(kit.TABLE_OPTIONS)


def default_table(game: Game) -> str:
    """The name of the table that comes with Boardwright for a game."""
    found = sorted(path.stem for path in SHIPPED.glob(f"{game.name}-tuples*.safetensors"))
    if not found:
        raise InputError(
            f"{game.name}: no table comes with Boardwright; train one: "
            f"boardwright train {game_argument(game)} --method tuples"
        )
    return found[0]


def load_tables(name: str, game: Game) -> tuple[TupleTables, npt.NDArray[np.float32]]:
    """The evaluator and its numbers from a file, a run's folder, or by name; `auto`: the one that comes for the game.
    Players of a process share them."""
    path = find_model(name if name != "auto" else default_table(game))
    stat = path.stat()
    return _load(path, stat.st_mtime_ns, stat.st_size, game)


@lru_cache(maxsize=4)
def _load(path: Path, changed: int, size: int, game: Game) -> tuple[TupleTables, npt.NDArray[np.float32]]:
    model = load_model(path, KIND, game, _options(game))
    try:
        tables = tables_for(game, str(model.settings["patterns"]))
    except KeyError:
        raise InputError(f"{path.name}: its settings {json.dumps(model.settings)[:80]} name no patterns") from None
    learned = unpack(model.arrays, tables.size, path.name)
    learned.flags.writeable = False
    return tables, learned
