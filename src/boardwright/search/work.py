"""What a search works with besides its tree: one record, made once, that every kernel of a simulation takes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.contract.game import Game

DEEPEST = 2048  # slots on a path; below that a leaf is valued where it is


class Work(NamedTuple):
    """The arrays of one descent; kernels that Python calls borrow them (compile/borrow.py), so that no references are
    counted where one is taken out."""

    states: npt.NDArray[np.void]  # three records: the root's state, the leaf's, scratch
    rng: npt.NDArray[np.uint64]  # (1,): random numbers of the search and of players in playouts
    luck: npt.NDArray[np.uint64]  # (1,): those of chance
    choices: npt.NDArray[np.int32]  # room for all moves twice, and for all outcomes
    weights: npt.NDArray[np.float64]  # room for all moves, and for all outcomes
    value: npt.NDArray[np.float64]  # (players,): value[i] is what player i gets in the leaf
    total: npt.NDArray[np.float64]  # (players,): sums over several playouts of a leaf
    path: npt.NDArray[np.int32]  # (DEEPEST,): the slots from the root to the leaf
    gumbel: npt.NDArray[np.float64]  # noise + log prior of the root's children: see gumbel.py
    order: npt.NDArray[np.int32]  # (simulations,): gumbel's order of visits; -1 in front if it has yet to be set


def new_work(game: Game, rng: npt.NDArray[np.uint64]) -> Work:
    """For one search of `game` with the random numbers of `rng`."""
    assert rng.shape == (1,) and rng.dtype == np.uint64
    size = max(game.actions, game.outcomes, 1)
    return Work(
        states=np.zeros(3, game.state_dtype),
        rng=rng,
        luck=np.zeros(1, np.uint64),
        choices=np.zeros(max(size, 2 * game.actions), np.int32),
        weights=np.zeros(size),
        value=np.zeros(game.players),
        total=np.zeros(game.players),
        path=np.zeros(DEEPEST, np.int32),
        gumbel=np.zeros(1),
        order=np.zeros(1, np.int32),
    )
