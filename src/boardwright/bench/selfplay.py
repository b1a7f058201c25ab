"""What self-play costs: positions a second that a network values end to end, trees, rules and targets included, against
the bare network on the same core."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from statistics import median
from typing import Any

import numpy as np

from boardwright.bench.cases import cases
from boardwright.games.load import load


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


Networks = Mapping[str, tuple[str, dict[str, Any]]]  # by game: what it is called, and the settings that make it


def measure_selfplay(
    rounds: int, tell: Callable[[str], None], networks: Networks | None = None, seconds: float = 1.0
) -> list[Cost]:
    """Each network: portions of real games in lock-step, and the network alone, for so many CPU seconds, on batches of
    the same size. `networks`: by default those that the games' cards name."""
    from boardwright.learn.selfplay.forward import Forward, fresh_weights, set_up_jax
    from boardwright.learn.selfplay.games import SelfPlay
    from boardwright.learn.selfplay.observation import Observer
    from boardwright.learn.selfplay.settings import SelfplaySettings
    from boardwright.learn.selfplay.targets import Targets

    set_up_jax()
    from boardwright.learn.selfplay.shape import shape_for

    found = []
    for spec, (what, changes) in (networks or cases("selfplay")).items():
        game = load(spec)
        settings = replace(SelfplaySettings(full_share=1.0), **changes)
        observer, targets = Observer.of(game), Targets.of(game)
        shape = shape_for(game, observer.shape, settings.channels, settings.blocks, settings.hidden)
        net = Forward(shape, fresh_weights(shape, 0))
        plays = SelfPlay(game, settings, observer, targets)
        seen = np.zeros((settings.parallel, *observer.shape), np.float32)

        def played(seed: int) -> float:
            began = time.process_time()
            part = plays.play(net, settings.games, seed)  # noqa: B023 - called within this turn of the loop
            return part.evaluations / (time.process_time() - began)

        def bare() -> float:
            began, calls = time.process_time(), 0
            while time.process_time() - began < seconds:
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
