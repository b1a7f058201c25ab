"""SAM, the report's safety actor-critic, and its variants (section 5, appendix B): one-step TD, one action, one update.

Actor and critic are two networks of the same build: a convolution of 3 x 3, layer normalisation, one linear layer; or
the linear layer alone. The actor's linear layer feeds four softmax heads, for x, y, z and theta of an action. (The
report's drawing of its networks is lost; rates, discount and number of channels are ours.)
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.learn.selfplay.forward import set_up_jax
from boardwright_lab.nmbr9.any_action import EMPTY, HEADS, LEVELS, MOST_LEGAL, SIDE, AnyActionTable

CHANNELS = 4
RATE = 5e-5  # of Adam, for actor and critic
DISCOUNT = 0.9
DEMONSTRATED, ILLEGAL, FIXED = 23.0, -45.0, 20.0  # the report's constants, in points


@dataclass(frozen=True)
class Variant:
    """What an actor-critic is told of its actions."""

    name: str
    convolution: bool = True
    safety: bool = False  # the validity factor: an illegal action brings no points
    teacher: str = ""  # the demonstrator reward: "all squares", "covered squares" (what the cosine sees) or "fixed"
    masked: bool = False  # ours: only legal actions can be drawn


VARIANTS = (
    Variant("linear", convolution=False),
    Variant("convolutional"),
    Variant("safety", safety=True),
    Variant("full SAM", safety=True, teacher="all squares"),
)
ASIDES = (
    Variant("full SAM, 20 for every legal move", safety=True, teacher="fixed"),
    Variant("full SAM, cosine of covered squares", safety=True, teacher="covered squares"),
)
MASKED = Variant("convolutional, masked", safety=True, masked=True)


@dataclass(frozen=True)
class Episode:
    """What came of one game."""

    points: int  # by the rules
    asked: int  # number times level, of every action, legal or not: what the plain variants take for their reward
    legal: int  # actions of 20
    streak: int  # legal actions before the first illegal one
    similarity: float  # mean cosine to the demonstration, over legal actions; NaN without


def cosine(one: npt.NDArray[np.float32], other: npt.NDArray[np.float32]) -> float:
    """The cosine of the angle between two matrices, taken as vectors; 0 if one is all 0."""
    length = math.sqrt(float(np.vdot(one, one)) * float(np.vdot(other, other)))
    return float(np.vdot(one, other)) / length if length else 0.0


def reward(variant: Variant, asked: float, legal: bool, similarity: float) -> float:
    """R' + Q^D of section 5, in points. asked: number times the level that the action names."""
    got = asked * legal if variant.safety else asked
    if not variant.teacher:
        return got
    if not legal:
        return got + ILLEGAL
    return got + (FIXED if variant.teacher == "fixed" else DEMONSTRATED * similarity)


@lru_cache(maxsize=4)
def network(convolution: bool, masked: bool) -> Any:
    """The compiled functions of actor and critic: (fresh, act, learn). Masked: the policy is over the legal actions
    alone, the first `count` rows of `legal`; else these two are not looked at."""
    set_up_jax()
    import jax
    import jax.numpy as jnp
    import optax

    optimizer = optax.adam(RATE)
    inputs = SIDE * SIDE * (CHANNELS if convolution else 2 * LEVELS) + 20

    def one_net(key: Any, outputs: int) -> dict[str, Any]:
        weights = {"linear": jnp.zeros((inputs, outputs)), "bias": jnp.zeros(outputs)}
        if convolution:
            weights["kernel"] = jax.random.normal(key, (3, 3, 2 * LEVELS, CHANNELS)) * (2 / (9 * 2 * LEVELS)) ** 0.5
        return weights

    def fresh(seed: int) -> tuple[Any, Any]:
        keys = jax.random.split(jax.random.key(seed))
        weights = {"actor": one_net(keys[0], sum(HEADS)), "critic": one_net(keys[1], 1)}
        return weights, optimizer.init(weights)

    def run(weights: Any, board: Any, hand: Any) -> Any:
        seen = board
        if convolution:
            seen = jax.lax.conv_general_dilated(
                board[None], weights["kernel"], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
            )[0]
            seen = jax.nn.relu((seen - seen.mean()) / jnp.sqrt(seen.var() + 1e-5))
        return jnp.concatenate([seen.ravel(), hand]) @ weights["linear"] + weights["bias"]

    def heads(weights: Any, board: Any, hand: Any) -> list[Any]:
        return jnp.split(run(weights["actor"], board, hand), np.cumsum(HEADS)[:-1])

    def likings(parts: list[Any], actions: Any) -> Any:
        """The sum of the heads' outputs for each row of actions."""
        return sum(part[actions[..., i]] for i, part in enumerate(parts))

    def legal_likings(parts: list[Any], legal: Any, count: Any) -> Any:
        # At least one row stays open: where the tile has no place, it is lost whatever is drawn.
        return jnp.where(jnp.arange(MOST_LEGAL) < jnp.maximum(count, 1), likings(parts, legal), -jnp.inf)

    def log_policy(weights: Any, board: Any, hand: Any, action: Any, legal: Any, count: Any) -> Any:
        """ln pi(action | state)."""
        parts = heads(weights, board, hand)
        if masked:
            return likings(parts, action) - jax.nn.logsumexp(legal_likings(parts, legal, count))
        return likings(parts, action) - sum(jax.nn.logsumexp(part) for part in parts)

    @jax.jit
    def act(weights: Any, board: Any, hand: Any, legal: Any, count: Any, seed: Any, call: Any) -> Any:
        """An action, drawn from the policy; call: how many were drawn before."""
        parts = heads(weights, board, hand)
        key = jax.random.fold_in(jax.random.key(seed), call)
        if masked:
            return legal[jax.random.categorical(key, legal_likings(parts, legal, count))]
        keys = jax.random.split(key, len(HEADS))
        return jnp.stack([jax.random.categorical(one, part) for one, part in zip(keys, parts, strict=True)])

    @jax.jit
    def learn(weights: Any, memory: Any, before: Any, action: Any, legal: Any, count: Any, got: Any, after: Any) -> Any:
        """One step of appendix B; got: the reward; after: the next state and what its value counts (0 at the end)."""
        error = got + after[2] * run(weights["critic"], *after[:2])[0] - run(weights["critic"], *before)[0]

        def loss(weights: Any) -> Any:
            chosen = log_policy(weights, before[0], before[1], action, legal, count)
            # Down the slope of this is up along delta x grad ln pi and delta x grad v.
            return -error * (chosen + run(weights["critic"], *before)[0])

        steps, memory = optimizer.update(jax.grad(loss)(weights), memory)
        return optax.apply_updates(weights, steps), memory

    return fresh, act, learn


class Learner:
    """One actor-critic on the report's table."""

    def __init__(self, variant: Variant, seed: int, demonstrations: npt.NDArray[np.float32]) -> None:
        """demonstrations: (games, CARDS, SIDE, SIDE, LEVELS), the matrix B after each turn."""
        self.variant, self.table, self.demonstrations = variant, AnyActionTable(), demonstrations
        fresh, self._act, self._learn = network(variant.convolution, variant.masked)
        self._weights, self._memory = fresh(seed)
        self._rng = np.random.Generator(np.random.PCG64(seed))
        self._seed, self._calls = seed, 0

    def train(self, episodes: int) -> Iterator[Episode]:
        """Play and learn, each time with a new deck."""
        cards = np.repeat(np.arange(10), 2)
        for _ in range(episodes):
            yield self.play(tuple(self._rng.permutation(cards).tolist()), learn=True)

    def play(self, deck: tuple[int, ...], learn: bool = False) -> Episode:
        """One episode with the cards in this order, actions drawn from the policy."""
        table, variant = self.table, self.variant
        table.begin(deck)
        seen, asked, legals, cosines = table.observe(), 0, [], []
        while not table.over:
            shown = self.demonstrations[self._rng.integers(len(self.demonstrations)), table.turn]
            count = table.count_legal() if variant.masked else 0
            options = table.legal.copy()
            action = np.asarray(self._act(self._weights, *seen, options, count, self._seed, self._calls))
            self._calls += 1
            worth = table.digit * int(action[2])
            legals.append(table.step(tuple(action)))
            asked += worth
            now = table.observe()
            similarity = self._similarity(shown) if legals[-1] else 0.0
            cosines += [similarity] if legals[-1] else []
            if learn:
                got = reward(variant, worth, legals[-1], similarity)
                after = (*now, 0.0 if table.over else DISCOUNT)
                self._weights, self._memory = self._learn(
                    self._weights, self._memory, seen, action, options, count, got, after
                )
            seen = now
        streak = [*legals, False].index(False)
        return Episode(table.points, asked, sum(legals), streak, float(np.mean(cosines)) if cosines else math.nan)

    def _similarity(self, shown: npt.NDArray[np.float32]) -> float:
        if self.variant.teacher == "covered squares":
            return cosine(shown - EMPTY, self.table.digits - EMPTY)
        return cosine(shown, self.table.digits)
