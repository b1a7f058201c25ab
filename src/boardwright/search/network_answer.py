"""A network as searches know it: a function of Python that values leaves by the batch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game

# (states of leaves, who acts in each) -> (logits (n, actions), values (n, players): what player i can expect)
Network = Callable[
    [npt.NDArray[np.void], npt.NDArray[np.int8]], tuple[npt.NDArray[np.float32], npt.NDArray[np.float64]]
]


def checked_answer(
    game: Game, leaves: int, logits: npt.NDArray[Any], values: npt.NDArray[Any]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float64]]:
    """A network's answer for so many leaves, in the form that kernels trust: they are compiled without bounds checks
    and would read and write beyond an array that is too small."""
    logits, values = np.asarray(logits), np.asarray(values)
    for name, given, wanted, meaning in (
        ("logits", logits, (leaves, game.actions), "leaves, actions"),
        ("values", values, (leaves, game.players), "leaves, players"),
    ):
        if given.shape != wanted:
            raise InputError(
                f"{game.name}: a network's {name} must be of shape {wanted} ({meaning}), not {given.shape}"
            )
        if given.dtype.kind != "f":
            raise InputError(f"{game.name}: a network's {name} must be floats, not {given.dtype}")
    sealed = np.ascontiguousarray(logits, np.float32).view()
    sealed.flags.writeable = False  # JAX seals what it hands out; a kernel is compiled once for it and for others
    return sealed, np.ascontiguousarray(values, np.float64)
