"""Options of games, in a spec and as values: a game that can be begun, or a refusal."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import boardwright as bw
from tests.torture import mutate
from tests.torture.door import bound_memory, knock
from tests.torture.examples import EXAMPLES

SEEDS = [
    "tictactoe", "tictactoe:size=4,line=3", "gomoku:size=9,exactly=true", "gomoku:size=7,rows=6,line=4",
    "2048:size=3,four=0.2",
    "azul:players=3,rounds=5", "nmbr9:table=9,levels=3", "openspiel:tic_tac_toe",
    "openspiel:breakthrough(rows=6,columns=6)",
    f"{EXAMPLES}/ludo.py:players=3,tokens=2", f"{EXAMPLES}/oware.py:Oware:quiet=10",
    f"{EXAMPLES}/pig.py:Pig:target=20",
]  # fmt: skip
VALUES: list[tuple[str, dict[str, Any]]] = [
    ("tictactoe", {"size": 4, "rows": 3, "line": 3}), ("gomoku", {"size": 9, "line": 5, "exactly": True}),
    ("2048", {"size": 3, "four": 0.2}), ("azul", {"players": 3, "rounds": 5}), ("nmbr9", {"table": 9, "levels": 3}),
]  # fmt: skip
MOST_ACTIONS = 3000  # beyond it a board is begun for ever, as it was asked for


def attempt(seed: int, seconds: float, tell: Callable[[int], None]) -> None:
    luck = random.Random(seed)
    bound_memory()
    for _ in range(200):
        if luck.random() < 0.5:
            text = mutate.text(luck, SEEDS)
            knock(begin, text, {})
        else:
            name, options = luck.choice(VALUES)
            changed = {str(key): value for key, value in as_object(mutate.value(luck, options)).items()}
            knock(begin, name, changed)
        tell(1)


def as_object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {"size": value}


def begin(name: str, options: dict[str, Any]) -> None:
    game = bw.load(name, **options)
    if max(game.actions, game.outcomes) <= MOST_ACTIONS and game.state_dtype.itemsize <= 100_000:
        position = game.begin(1)
        assert str(position) and position.player < game.players
