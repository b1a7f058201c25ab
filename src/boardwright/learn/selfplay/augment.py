"""Images of positions: the game's own symmetries, a board's turns or permuted displays, one at random a position."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel
from boardwright.contract.game import Game


@kernel
def mirror_all(
    game: Any, states: Any, images: Any, policies: Any, choices: Any, out: Any, out_policies: Any, legal: Any
) -> None:
    """out[t], zeroed before, = image number images[t] of states[t]; policies move with the moves; legal[t, move] = 1
    where allowed."""
    for t in range(len(states)):
        image = images[t]
        if image == 0:
            out[t] = states[t]
        else:
            game.mirror(states[t], image, out[t])
        count = game.legal(states[t], choices)
        for i in range(count):
            move = choices[i]
            there = game.mirror_move(move, image) if image != 0 else move
            legal[t, there] = 1
            out_policies[t, there] = policies[t, move]


def mirrored(
    game: Game, states: npt.NDArray[np.void], policies: npt.NDArray[np.float32], images: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.void], npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    """(states, policies, legal moves) of n positions, each in its image; image 0 is the position itself."""
    out = np.zeros(len(states), game.state_dtype)
    out_policies = np.zeros((len(states), game.actions), np.float32)
    legal = np.zeros((len(states), game.actions), np.bool_)
    run_kernel(
        game, mirror_all, game, states, images, policies, np.zeros(max(game.actions, 1), np.int32),
        out, out_policies, legal,
    )  # fmt: skip
    return out, out_policies, legal
