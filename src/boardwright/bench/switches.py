"""What each switch of self-play is worth: a run with it off against the same run with all on, net against net."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from boardwright.arena.match import match
from boardwright.games.load import load
from boardwright.learn.display import View
from boardwright.learn.model_players import tree_spec
from boardwright.learn.runs import Run
from boardwright.learn.selfplay.loop import train
from boardwright.learn.selfplay.settings import SelfplaySettings
from boardwright.learn.shipped import NETWORK
from boardwright.records import Library

# A switch's name -> the settings that turn it off.
OFF: dict[str, dict[str, Any]] = {
    "playout cap": {"full_share": 1.0, "games": 48},  # about as many evaluations an iteration as with it
    "search in the value's target": {"search_share": 0.0},
    "surprise weighting": {"surprise": 0.0},
    "mirror images": {"mirror": False},
    "random openings": {"openings": 0},
    "moving average": {"average": 0.0},
    "trust 0.25 (off: the paper's 1)": {"trust": 1.0},
}


@dataclass(frozen=True)
class Effect:
    """How runs with everything on did against the same runs with one switch off: their share, draws being half, with
    the interval of the games. Runs differ by more than games do: trust an effect that several seeds agree on."""

    switch: str
    share: float
    low: float
    high: float
    games: int

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


BASE = SelfplaySettings(games=128, simulations=16, fast_simulations=4, channels=24, blocks=3, rate_every=1e6, workers=2)


def measure_switches(
    spec: str,
    iterations: int,
    seeds: int,
    games: int,
    tell: Callable[[str], None],
    only: list[str] | None = None,
    base: SelfplaySettings = BASE,
) -> list[Effect]:
    """Train with all on, and once more with each switch off, `seeds` times; let the networks meet, 16 simulations.
    `only`: these switches; `base`: the settings with all on."""
    game, base = load(spec), replace(base, minutes=0.0, iterations=iterations)
    found = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)

        def trained(name: str, settings: SelfplaySettings, seed: int) -> Path:
            path = folder / f"{name}-{seed}"
            if not (path / "model.safetensors").exists():
                tell(f"training: {name}, seed {seed}")
                with Run(path, game, "selfplay", settings, seed, 0.0, View(quiet=True)) as run:
                    train(run)
            return path

        for number, (switch, off) in enumerate(OFF.items()):
            if only and switch not in only:
                continue
            shares = []
            for seed in range(seeds):
                on, without = trained("all", base, seed), trained(f"off{number}", replace(base, **off), seed)
                tell(f"meeting: {switch}, seed {seed}")
                players = [str(tree_spec(NETWORK, path, 16)) for path in (on, without)]
                pair = match(game, players, games, seed, opening=4, library=Library(folder / "games")).table.pairs[0]
                shares.append(pair.share)
            mean = sum(share.value for share in shares) / seeds
            half = math.sqrt(sum((share.high - share.low) ** 2 / 4 for share in shares)) / seeds
            found.append(Effect(switch, mean, mean - half, mean + half, seeds * games))
    return found
