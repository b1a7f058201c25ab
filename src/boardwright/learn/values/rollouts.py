"""Rollouts that the value guides and cuts short, for a few moves side by side on the same luck."""

from __future__ import annotations

from typing import Any

from boardwright.compile.kernel import kernel
from boardwright.compile.random import bits
from boardwright.contract.game import OVER
from boardwright.learn.values.choosing import value_moves
from boardwright.learn.values.games import settle


@kernel
def roll_out(
    game: Any, network: Any, learned: Any, roots: Any, alive: Any, sweeps: Any, rng: Any, depth: Any, policy: Any,
    consider: Any, states: Any, scratch: Any, luck: Any, sums: Any, moves: Any, values: Any, out: Any,
) -> None:  # fmt: skip
    """sums[i] += what the afterstate roots[i] came to, for each i of `alive`, `sweeps` times: play `depth` moves by the
    value, then ask it. One sweep has the same luck for all: with one deck, differences show in fewer games.
    states, scratch: a record each. rng, luck: one uint64 each."""
    for _ in range(sweeps):
        fate = bits(rng)
        for k in range(len(alive)):
            luck[0] = fate
            states[0] = roots[alive[k]]
            s = states[0]
            for _ in range(depth):
                settle(game, s, luck, moves, values)
                if game.player(s) == OVER:
                    break
                _, best = value_moves(game, network, learned, s, scratch, policy, consider, moves, values, out)
                game.play(s, moves[best])
            network.value(game, s, learned, out)
            sums[alive[k]] += out[0]
