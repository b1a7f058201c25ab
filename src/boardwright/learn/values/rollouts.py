"""Rollouts that the value guides and cuts short, for a few moves side by side on the same luck."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.kernel import kernel
from boardwright.compile.playout import settle
from boardwright.compile.random import bits
from boardwright.contract.game import OVER
from boardwright.learn.values.choosing import value_moves


class Rollouts(NamedTuple):
    """What is rolled out, and what came of it."""

    roots: npt.NDArray[np.void]  # the afterstates
    sums: npt.NDArray[np.float64]  # of what each came to, over its rollouts
    state: npt.NDArray[np.void]  # (1,): of the rollout in work
    rng: npt.NDArray[np.uint64]  # (1,)
    luck: npt.NDArray[np.uint64]  # (1,): chance's numbers
    depth: int  # moves of a rollout, after which the value speaks


@kernel
def roll_out(
    game: Any, network: Any, learned: Any, choosing: Any, rollouts: Any, alive: Any, sweeps: Any
) -> None:  # fmt: skip
    """rollouts.sums[i] += what the afterstate rollouts.roots[i] came to, for each i of `alive`, `sweeps` times: play on
    by the value, then ask it. One sweep has the same luck for all: with one deck, differences show in fewer games."""
    luck, moves, values, out = rollouts.luck, choosing.moves, choosing.values, choosing.out
    for _ in range(sweeps):
        fate = bits(rollouts.rng)
        for k in range(len(alive)):
            luck[0] = fate
            rollouts.state[0] = rollouts.roots[alive[k]]
            s = rollouts.state[0]
            for _ in range(rollouts.depth):
                if settle(game, s, luck, moves, values) == OVER:
                    break
                _, best = value_moves(game, network, learned, s, choosing)
                game.play(s, moves[best])
            network.value(game, s, learned, out)
            rollouts.sums[alive[k]] += out[0]
