"""kill -9 of a training at random moments: taken up by the same command, it ends in the same weights."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from boardwright.learn.files import read_arrays
from boardwright.learn.metrics import read_metrics
from tests.test_values import FIVE_SLOTS, SMALL
from tests.torture.commands import command, killed_until_done, timed
from tests.torture.trial import Finding

# Method: game, settings, figures that no clock changes.
WAYS: dict[str, tuple[str, dict[str, Any], tuple[str, ...]]] = {
    "tuples": (
        "2048",
        {"patterns": "045+569", "games": 1200, "test_games": 20, "test_points": 6, "checkpoint_minutes": 0},
        ("training_score", "score"),
    ),
    "kernel": (FIVE_SLOTS, SMALL, ("error",)),
}


def attempt(seed: int, seconds: float, tell: Callable[[int], None]) -> None:
    luck = random.Random(seed)
    method = luck.choice(list(WAYS))
    game, settings, figures = WAYS[method]
    given = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    words = command("train", game, "--method", method, "--seed", str(seed % 1000), "--no-pilot", *given)
    with tempfile.TemporaryDirectory() as folder:
        home, whole, killed = (Path(folder) / name for name in ("home", "whole", "killed"))
        _, usual = timed([*words, "--out", str(whole)], home)
        done = killed_until_done([*words, "--out", str(killed)], home, luck, usual, tell)
        if done.returncode:
            raise Finding(f"{method}: not taken up again", done.stderr[-400:])
        if weights(whole) != weights(killed):
            raise Finding(f"{method}: other weights after a kill", f"{weights(whole).keys()}")
        if told(whole, figures) != told(killed, figures):
            raise Finding(f"{method}: other figures after a kill", f"{told(whole, figures)} {told(killed, figures)}")


def weights(folder: Path) -> dict[str, bytes]:
    """All arrays of the newest checkpoint."""
    newest = sorted((folder / "checkpoints").glob("*.safetensors"))[-1]
    return {newest.name: b"", **{name: array.tobytes() for name, array in read_arrays(newest)[0].items()}}


def told(folder: Path, figures: tuple[str, ...]) -> list[str]:
    return [json.dumps([line["step"], *(line.get(one) for one in figures)]) for line in read_metrics(folder)]
