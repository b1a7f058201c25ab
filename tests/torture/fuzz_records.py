"""Records of games as JSON: read and replayed, kept in a library, or refused; nothing that was refused is kept."""

from __future__ import annotations

import dataclasses
import json
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import boardwright as bw
from boardwright.contract.random import Random
from boardwright.records import Library, Record
from tests.torture import mutate
from tests.torture.door import bound_memory, knock

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("tictactoe", {}), ("gomoku", {"size": 7}), ("2048", {"size": 3}), ("azul", {}), ("nmbr9", {}),
]  # fmt: skip


def attempt(seed: int, seconds: float, tell: Callable[[int], None]) -> None:
    luck = random.Random(seed)
    name, options = luck.choice(GAMES)
    record = played(bw.load(name, **options), seed, luck.choice((3, 20, 1000)))
    # Without a seal each change is looked at for itself; with one nearly all end at the seal.
    seeds = [json.loads(dataclasses.replace(record, sealed=sealed).to_json()) for sealed in (False, False, False, True)]
    bound_memory()
    with tempfile.TemporaryDirectory() as folder:
        library = Library(Path(folder) / "records.sqlite3")
        library.save(record)
        for _ in range(60):
            for _ in range(9):
                text = mutate.json_text(luck, seeds)
                knock(Record.from_json, text)
                tell(1)
            text = mutate.json_text(luck, seeds)
            knock(replay, text)
            before = len(library.find(limit=None))
            if not knock(library.import_lines, text.splitlines()):
                assert len(library.find(limit=None)) == before, "what was refused is kept"
            tell(1)


def replay(text: str) -> None:
    Record.from_json(text).replay()


def played(game: bw.Game, seed: int, most: int) -> Record:
    """A game at random; of at most so many plies."""
    position, rng = game.begin(seed), Random(seed)
    for _ in range(most):
        if position.is_over:
            break
        position = position.play(position.moves[rng.below(len(position.moves))]).settle(rng)
    return Record.of(position, seed=seed, players=("random",) * game.players)
