"""The replay buffer: the positions of the latest games, on the disk as one file an iteration, within a cap.

A checkpoint lists the files that it needs with their digests. Files are written before the checkpoint that names them
and removed after the last that does, so that a kill at any moment leaves each checkpoint complete.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.state import join_records
from boardwright.learn.files import digest_of, read_arrays, save_arrays
from boardwright.learn.selfplay.games import Portion

FIRST_WINDOW = 5_000  # positions that the window holds before it forgets any
GROWTH = 0.5  # share of all positions so far that the window holds


@dataclass(frozen=True)
class Chapter:
    """The positions of one iteration, and the file that holds them."""

    name: str
    digest: str
    positions: Portion


class Buffer:
    """Positions to learn from, oldest first."""

    def __init__(self, folder: Path, game: Game, window: int, megabytes: float) -> None:
        self.folder, self.game = folder, game
        each = sum(array.nbytes for array in joined([], game, 1))
        self._most = max(1, min(window, int(megabytes * 1e6 / each)))
        self.chapters: list[Chapter] = []
        self.seen = 0  # positions ever added
        self._named: set[str] = set()  # files of the checkpoint before
        folder.mkdir(exist_ok=True)

    def __len__(self) -> int:
        return sum(len(chapter.positions.states) for chapter in self.chapters)

    def add(self, iteration: int, positions: Portion) -> None:
        """Write an iteration's positions, and leave out the oldest beyond the window. Iteration -1 is a warm start."""
        name = f"iteration-{iteration:06d}.safetensors" if iteration >= 0 else "warm.safetensors"
        arrays = {
            field: np.ascontiguousarray(array).view(np.uint8).reshape(len(array), -1) if field == "states" else array
            for field, array in positions._asdict().items()
        }
        digest = save_arrays(self.folder / name, arrays, {"boardwright_positions": str(iteration)})
        self.chapters.append(Chapter(name, digest, positions))
        self.seen += len(positions.states) if iteration >= 0 else len(positions.states) // 2  # soon left behind
        window = min(self._most, max(FIRST_WINDOW, int(GROWTH * self.seen)))
        while len(self.chapters) > 1 and len(self) - len(self.chapters[0].positions.states) >= window:
            self.chapters.pop(0)

    def positions(self) -> Portion:
        """All positions of the window."""
        return joined([chapter.positions for chapter in self.chapters], self.game)

    def state(self) -> dict[str, Any]:
        """For a checkpoint."""
        return {"files": [[chapter.name, chapter.digest] for chapter in self.chapters], "seen": self.seen}

    def checkpointed(self) -> None:
        """A checkpoint that lists the present files is safe: remove files that neither it nor the one before needs."""
        now = {chapter.name for chapter in self.chapters}
        for path in self.folder.glob("*.safetensors"):
            if path.name not in now | self._named:
                path.unlink(missing_ok=True)
        self._named = now

    def restore(self, state: dict[str, Any]) -> list[str]:
        """Read the files of a checkpoint again. Returns what was refused, and why; the rest is used."""
        refused = []
        self.chapters = []
        for name, digest in state["files"]:
            try:
                self.chapters.append(Chapter(name, digest, self._read(self.folder / Path(name).name, digest)))
            except InputError as error:
                refused.append(f"{name}: {error}; its positions are left out")
        self.seen = int(state["seen"])
        self._named = {chapter.name for chapter in self.chapters}
        return refused

    def _read(self, path: Path, digest: str) -> Portion:
        if not path.is_file():
            raise InputError("it is missing")
        if digest_of(path) != digest:
            raise InputError("it is cut or altered: its digest does not fit")
        arrays, _ = read_arrays(path)
        raw = arrays.pop("states")
        states = np.ascontiguousarray(raw).reshape(-1).view(self.game.state_dtype)
        return Portion(states=states, **arrays)


def joined(portions: Sequence[Portion], game: Game, room: int = 0) -> Portion:
    """Portions as one; without any, `room` empty positions."""
    empty = Portion(
        np.zeros(room, game.state_dtype), np.zeros(room, np.int8), np.zeros((room, game.actions), np.float16),
        np.zeros((room, game.players), np.float32), np.zeros((room, game.players), np.float32),
        np.zeros(room, np.float32), np.zeros(room, np.int32),
    )  # fmt: skip
    if not portions:
        return empty
    states, *others = zip(*portions, strict=True)
    return Portion(join_records(states, game.state_dtype), *(np.concatenate(parts) for parts in others))
