"""Random legal play of 256 games of 2048 at once: python docs/examples/gym_loop.py"""

from __future__ import annotations

import time

import gymnasium
import numpy as np

import boardwright.adapters.gym  # noqa: F401 - registers the ids

envs = gymnasium.make_vec("Boardwright/2048-v0", num_envs=256)
_, info = envs.reset(seed=1)
rng = np.random.default_rng(1)
points, games, began, steps = 0.0, 0, time.perf_counter(), 1000
for _ in range(steps):
    mask = info["action_mask"]
    actions = (mask * rng.random(mask.shape)).argmax(axis=1)  # a policy's logits go here, with -inf where mask is 0
    _, rewards, over, _, info = envs.step(actions)
    points, games = points + float(rewards.sum()), games + int(over.sum())
seconds = time.perf_counter() - began
print(f"{games} games, {points / max(games, 1):.0f} points a game, {256 * steps / seconds:,.0f} steps a second")
