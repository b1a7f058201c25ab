"""Writes a file of every format that this Boardwright has: `python tests/formats/make.py FOLDER`.

Run it once for a version that changes a format, with the code of that version, and keep what it wrote: README.md.
"""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import boardwright as bw
from boardwright.learn.models import save_model
from boardwright.learn.runs import Run
from boardwright.records.sgf import to_sgf

ID, STARTED = "0123456789abcdef" * 2, "2026-01-02T03:04:05Z"
MOVES = ("b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3")
DICE = str(Path(__file__).parents[1] / "games" / "dicerace.py")


@dataclass(frozen=True)
class Settings:
    """Of the run."""

    rate: float = 0.5
    batch: int = 32


def played() -> bw.Position:
    position = bw.load("tictactoe").begin()
    for move in MOVES:
        position = position.play(move)
    return position


def arrays() -> dict[str, Any]:
    return {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.array([2**63 + 5], np.uint64)}


def make_run(folder: Path) -> None:
    with Run(folder, bw.load("tictactoe"), "some", Settings(), 7) as run:
        assert run.resume() is None
        run.log(1, {"score": 10.0})
        run.save(1, arrays(), {"games": 12})
    (folder / "lock").unlink(missing_ok=True)
    shutil.rmtree(folder / "tensorboard", ignore_errors=True)  # for another program


def make(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    game, position = bw.load("tictactoe"), played()
    (folder / "position.json").write_text(game.begin().play("b2").to_json() + "\n")
    record = bw.Record.of(
        position, seed=3, players=("human", "mcts:simulations=80"), seconds=(0.5,) * 9, started=STARTED, id=ID
    )
    (folder / "record.json").write_text(record.to_json() + "\n")
    (folder / "record.sgf").write_text(to_sgf(record), encoding="utf-8")
    bw.Library(folder / "records.sqlite3").save(record)
    make_run(folder / "run")
    make_net(folder / "net.safetensors", game)
    make_value(folder / "value.safetensors")


def make_net(path: Path, game: bw.Game) -> None:
    from boardwright.learn.selfplay.shape import Shape, array_shapes

    shape = Shape("grid", (3, 3, 4), 9, 2, bounded=True, channels=2, blocks=1, hidden=4)
    rng = np.random.default_rng(1)
    weights = {name: rng.standard_normal(size).astype(np.float32) for name, size in array_shapes(shape).items()}
    settings = {"shape": shape.to_dict(), "eyes": None, "unit": 0.0, "trust": 0.25, "considered": 16, "iteration": 3}
    save_model(path, "net", game, settings, weights, {"games": 12})


def make_value(path: Path) -> None:
    from boardwright.learn.kernel.model import save_value
    from boardwright.learn.kernel.network import network_for
    from boardwright.learn.kernel.sight import plan_for

    game = bw.load(DICE)
    network = network_for(game, 2, 2, False, plan_for(game), has_policy=False)
    save_value(path, game, network, np.linspace(-1, 1, network.size, dtype=np.float32), {"rounds": 1}, {"games": 12})


if __name__ == "__main__":
    make(Path(sys.argv[1]))
