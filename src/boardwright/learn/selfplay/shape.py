"""What fixes a network's arrays, and which arrays those are. No JAX: whoever only plays has none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game

POOLED = 32  # channels of the heads
VALUED = 64  # units of the layer before the values
LARGEST = 100_000  # of any size in a shape: a file from outside must not ask for a network that nobody could build


@dataclass(frozen=True)
class Shape:
    """All that fixes a network's arrays; kept with the weights."""

    kind: str  # grid or flat
    observed: tuple[int, ...]  # of one position
    actions: int
    players: int
    bounded: bool  # values lie between -1 and 1
    channels: int
    blocks: int
    hidden: int

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "observed": list(self.observed)}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Shape:
        """What `to_dict` made; ValueError or TypeError for what no network of ours is."""
        made = cls(**{**data, "observed": tuple(data["observed"])})
        sizes = (*made.observed, made.actions, made.players, made.channels, made.hidden, made.blocks + 1)
        if any(type(size) is not int or not 1 <= size <= LARGEST for size in sizes):
            raise ValueError(f"sizes of a network are 1 to {LARGEST}")
        if made.kind not in ("grid", "flat") or type(made.bounded) is not bool:
            raise ValueError("a network is grid or flat, its values bounded or not")
        return made

    def fits(self, made: Shape) -> bool:
        """Whether the weights of `made` serve here: all alike, except that a net whose moves are cells of its board
        does not mind the board's size."""
        if self.moves_are_cells and made.moves_are_cells:
            made = replace(made, observed=(*self.observed[:2], *made.observed[2:]), actions=self.actions)
        return self == made

    @property
    def moves_are_cells(self) -> bool:
        """Whether each move is one cell of the grid, so that the policy is a plane as well."""
        return self.kind == "grid" and self.actions == self.observed[0] * self.observed[1]


def shape_for(game: Game, observed: tuple[int, ...], channels: int, blocks: int, hidden: int) -> Shape:
    """The network that fits what is observed of a game."""
    kind = "grid" if len(observed) == 3 else "flat"
    return Shape(kind, observed, game.actions, game.players, not game.counts_points, channels, blocks, hidden)


def array_shapes(shape: Shape) -> dict[str, tuple[int, ...]]:
    """Name -> shape of each of a network's arrays, as net.py makes them; none is made."""
    grid, channels, hidden = shape.kind == "grid", shape.channels, shape.hidden
    cells = shape.observed[0] * shape.observed[1] if grid else 0
    kernels: dict[str, tuple[int, ...]] = {}
    if grid:
        kernels["stem"] = (3, 3, shape.observed[-1], channels)
        for number in range(shape.blocks):
            kernels[f"blocks.{number}.first"] = (3, 3, channels, channels)
            kernels[f"blocks.{number}.whole"] = (2 * channels, channels)
            kernels[f"blocks.{number}.second"] = (3, 3, channels, channels)
        kernels["policy"] = (1, 1, channels, POOLED)
        kernels["policy_whole"] = (2 * POOLED, POOLED)
        kernels["policy_out"] = (1, 1, POOLED, 1) if shape.moves_are_cells else (cells * POOLED, shape.actions)
        kernels["value"] = (1, 1, channels, POOLED)
        kernels["value_hidden"] = (2 * POOLED, VALUED)
    else:
        kernels["stem"] = (shape.observed[-1], hidden)
        for number in range(shape.blocks):
            kernels[f"blocks.{number}.first"] = (hidden, hidden)
            kernels[f"blocks.{number}.second"] = (hidden, hidden)
        kernels["policy_out"] = (hidden, shape.actions)
        kernels["value_hidden"] = (hidden, VALUED)
    kernels["value_out"] = (VALUED, shape.players)
    found = {f"{layer}.kernel": kernel for layer, kernel in kernels.items()}
    return found | {f"{layer}.bias": kernel[-1:] for layer, kernel in kernels.items()}


def check_weights(shape: Shape, weights: Mapping[str, npt.NDArray[Any]], where: str) -> None:
    """Refuse arrays that are not those of the network, or hold what is no number."""
    # Blocks are listed one by one, and each has arrays of its own: more of them than arrays cannot be.
    wanted = array_shapes(shape) if shape.blocks <= len(weights) else {"blocks": (shape.blocks,)}
    found = {name: array.shape for name, array in weights.items()}
    if wanted != found:
        odd = sorted(set(wanted.items()) ^ set(found.items()))[0]
        raise InputError(f"{where}: the arrays are not those of its network (see {odd[0]}, shape {odd[1]})")
    if not all(np.isfinite(array).all() for array in weights.values()):
        raise InputError(f"{where}: some weights are no numbers")
