"""A door that is broken on purpose: one seed in four comes upon it. What the test of the frame looks for."""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.torture.trial import Finding


def attempt(seed: int, seconds: float, tell: Callable[[int], None]) -> None:
    luck = random.Random(seed)
    for number in range(10):
        if luck.random() < 0.03:
            raise Finding("planted", f"number {number} of seed {seed}")
        tell(1)
