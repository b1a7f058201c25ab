"""What an agent of another ecosystem sees of a position: an array of numbers, and which actions are legal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.contract.game import Game
from boardwright.contract.position import Position

FAR = 1e9  # no number in an observation is larger: spaces want finite bounds, the contract has none


class Sight:
    """Observations of one game: what `observe` writes, or every field of the state in a row where a game has no
    `observe`. Seen by the player to act."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.drawn = bool(game.observe_shape)
        fields: Mapping[str, Any] = game.state_dtype.fields or {}
        size = sum(int(np.prod(kind[0].shape, dtype=int)) for kind in fields.values())
        self.shape: tuple[int, ...] = tuple(game.observe_shape) if self.drawn else (size,)

    def of(self, position: Position) -> npt.NDArray[np.float32]:
        """A new array of `shape`."""
        return position.observe() if self.drawn else self.fields(position.record)[0]

    def fields(self, records: npt.NDArray[np.void]) -> npt.NDArray[np.float32]:
        """(records, size): the fields of each record as numbers."""
        names = records.dtype.names or ()
        flat = [records[name].reshape(len(records), -1).astype(np.float32) for name in names]
        return np.concatenate(flat, axis=1)


def mask_of(position: Position) -> npt.NDArray[np.int8]:
    """1 where an action is legal for the player to act; nothing is, once the game is over."""
    mask = np.zeros(position.game.actions, np.int8)
    mask[list(position.moves)] = 1
    return mask


def lost(game: Game) -> float:
    """What an illegal action costs: the game where it is won or lost, and of points all that might have come."""
    return 0.0 if game.counts_points else -1.0
