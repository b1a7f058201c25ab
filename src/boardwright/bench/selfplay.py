"""What self-play costs: positions a second that a network values end to end, trees, rules and targets included, against
the bare network on the same core."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from statistics import median
from typing import Any

import numpy as np

from boardwright.contract.load import load

BATCH = 64
CASES = {  # (game, settings): the networks of facts that the targets speak of
    "conv 4 x 32, gomoku 7x7": ("gomoku:size=7", {"channels": 32, "blocks": 4, "parallel": BATCH, "games": 2 * BATCH}),
    "MLP 171-256-256-180, azul": ("azul", {"hidden": 256, "blocks": 1, "parallel": 4 * BATCH, "games": 4 * BATCH}),
}


@dataclass(frozen=True)
class Cost:
    """Positions a CPU second, medians over rounds in turn; share: of the same rounds' ratios, the median."""

    what: str
    end_to_end: float
    bare: float
    share: float
    rounds: int

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def measure_selfplay(rounds: int, tell: Callable[[str], None]) -> list[Cost]:
    """Each network: portions of real games in lock-step, and the network alone on batches of the same size."""
    from boardwright.learn.selfplay.eyes import Eyes
    from boardwright.learn.selfplay.forward import Forward, fresh_weights, set_up_jax
    from boardwright.learn.selfplay.games import SelfPlay
    from boardwright.learn.selfplay.settings import SelfplaySettings
    from boardwright.learn.selfplay.targets import Targets

    set_up_jax()
    from boardwright.learn.selfplay.net import shape_for

    found = []
    for what, (spec, changes) in CASES.items():
        game = load(spec)
        settings = replace(SelfplaySettings(full_share=1.0), **changes)  # type: ignore[arg-type]  # values of many types
        eyes, targets = Eyes.of(game), Targets.of(game)
        shape = shape_for(game, eyes.shape, settings.channels, settings.blocks, settings.hidden)
        net = Forward(shape, fresh_weights(shape, 0))
        plays = SelfPlay(game, settings, eyes, targets)
        seen = np.zeros((settings.parallel, *eyes.shape), np.float32)

        def played(seed: int) -> float:
            began = time.process_time()
            part = plays.play(net, settings.games, seed)  # noqa: B023 - called within this turn of the loop
            return part.evaluations / (time.process_time() - began)

        def bare() -> float:
            began, calls = time.process_time(), 0
            while time.process_time() - began < 1.0:
                net(seen)  # noqa: B023 - called within this turn of the loop
                calls += 1
            return calls * len(seen) / (time.process_time() - began)  # noqa: B023 - called within this turn of the loop

        tell(what)
        plays.play(net, settings.games, 0), bare()  # compile, warm up
        pairs = []
        for number in range(rounds):
            tell(f"{what}, round {number + 1} of {rounds}")
            before = bare()
            whole = played(number + 1)
            pairs.append((whole, (before + bare()) / 2))
        found.append(
            Cost(
                what,
                median(a for a, _ in pairs),
                median(b for _, b in pairs),
                median(a / b for a, b in pairs),
                rounds,
            )
        )
    return found
