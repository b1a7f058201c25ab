"""Model files: headings and arrays changed, with true digests too; a player is made of one, or it is refused."""

from __future__ import annotations

import json
import random
import struct
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import boardwright as bw
from boardwright.learn import models
from boardwright.learn.files import read_arrays, save_arrays
from boardwright.learn.models import KEY, SEAL, find_model
from boardwright.players import PlayerSpec
from tests.torture import mutate
from tests.torture.door import bound_memory, knock
from tests.torture.examples import ROOT

FORMATS = ROOT / "tests" / "formats"
DICE = str(ROOT / "tests" / "games" / "dicerace.py")
MODELS: list[tuple[Path, str, str]] = [  # file, game, setting of mcts
    (find_model("tictactoe-3x3"), "tictactoe", "net"),
    (FORMATS / "0.2" / "net.safetensors", "tictactoe", "net"),
    (FORMATS / "0.1" / "net.safetensors", "tictactoe", "net"),
    (FORMATS / "0.2.0" / "value.safetensors", DICE, "value"),
]


def attempt(seed: int, seconds: float, tell: Callable[[int], None]) -> None:
    luck = random.Random(seed)
    path, name, setting = luck.choice(MODELS)
    game = bw.load(name)
    whole = path.read_bytes()
    arrays, metadata = read_arrays(path)
    make(game, setting, path)
    models.EARLY_SEALS.clear()  # as if the shipped ones were a stranger's
    bound_memory()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "m.safetensors"
        for _ in range(40):
            way = luck.randrange(4)
            if way == 0:
                file.write_bytes(mutate.data(luck, [whole]))
            elif way == 1:
                file.write_bytes(other_heading(luck, whole))
            else:  # an old file, whose heading has no digest: each change is looked at for itself
                heading = mutate.value(luck, {**json.loads(metadata[KEY]), "format": 1})
                kept = {key: text for key, text in metadata.items() if key != SEAL}
                save_arrays(file, arrays, {**kept, KEY: json.dumps(heading)})
            knock(make, game, setting, file, shown=(path.name, way, file.read_bytes()[:600]))
            tell(1)


def other_heading(luck: random.Random, whole: bytes) -> bytes:
    """The heading of safetensors itself: eight bytes of its length, then JSON of types, shapes and places."""
    (length,) = struct.unpack("<Q", whole[:8])
    heading: Any = mutate.value(luck, json.loads(whole[8 : 8 + length]))
    text = json.dumps(heading).encode()
    said = luck.choice((len(text), len(text), len(text), len(text) + 1, 0, 2**63, 100_000_001))
    return struct.pack("<Q", said) + text + whole[8 + length :]


def make(game: bw.Game, setting: str, file: Path) -> None:
    bw.player(PlayerSpec("mcts", {setting: str(file), "simulations": "2", "select": "gumbel"}), game)
