"""Whether what a learner sees ever changes: its inputs over positions of random games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel
from boardwright.contract.game import Game
from boardwright.learn.kernel.sight import Sight, plan_for
from boardwright.learn.sampling import random_positions


@dataclass(frozen=True)
class SightUse:
    """Of `inputs` features or numbers, over so many positions: how many are never there, how many never change."""

    inputs: int
    absent: int
    fixed: int  # there, and the same everywhere
    positions: int
    own: bool  # written by the game itself, not derived from its fields

    @property
    def changing(self) -> int:
        return self.inputs - self.absent - self.fixed


@kernel
def count_features(
    game: Any, sight: Any, states: Any, indices: Any, values: Any, present: Any, low: Any, high: Any
) -> None:
    """present[f] = in how many states feature f is; low[f], high[f]: the least and the most of it there."""
    for t in range(len(states)):
        count = sight.see(game, states[t], indices, values)
        for k in range(count):
            f = indices[k]
            if present[f] == 0:
                low[f] = values[k]
                high[f] = values[k]
            present[f] += 1
            low[f] = min(low[f], values[k])
            high[f] = max(high[f], values[k])


def features_used(game: Game) -> SightUse:
    """What a value inside the kernel sees."""
    sight = Sight(plan=plan_for(game))
    states = random_positions(game, draws_too=True).states
    present = np.zeros(sight.count, np.int64)
    low, high = np.zeros(sight.count, np.float32), np.zeros(sight.count, np.float32)
    indices, values = np.zeros(sight.most, np.int32), np.zeros(sight.most, np.float32)
    run_kernel(game, count_features, game, sight, states, indices, values, present, low, high)
    # What says who looks or acts is added to every game's, and is no sight of the position.
    told = slice(0, int(game.features_count)) if game.features_count else slice(game.players + 2, None)
    present, low, high = present[told], low[told], high[told]
    fixed = int(((present == len(states)) & (low == high)).sum())
    return SightUse(len(present), int((present == 0).sum()), fixed, len(states), bool(game.features_count))


def observations_used(game: Game) -> SightUse:
    """What a network in JAX sees."""
    from boardwright.learn.selfplay.observation import Observer

    states, actors, _ = random_positions(game)
    seen = Observer.of(game).see(states, actors).reshape(len(states), -1)
    same = seen.min(axis=0) == seen.max(axis=0)
    absent = same & (seen[0] == 0.0)
    return SightUse(
        seen.shape[1], int(absent.sum()), int((same & ~absent).sum()), len(states), bool(game.observe_shape)
    )
