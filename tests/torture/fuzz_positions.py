"""Positions as JSON: refused, or shown, drawn and played on to the end."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import boardwright as bw
from boardwright.contract.position import blank
from boardwright.contract.random import Random
from tests.torture import mutate
from tests.torture.door import bound_memory, knock
from tests.torture.examples import gallery

BUILT_IN = ["tictactoe", "gomoku:size=7", "2048", "azul", "azul:players=3", "nmbr9"]


def attempt(seed: int, seconds: float, tell: Callable[[int], None]) -> None:
    luck, rng = random.Random(seed), Random(seed)
    game = bw.load(luck.choice([*BUILT_IN, *BUILT_IN, *gallery()]))
    position = blank(game)
    seeds: list[dict[str, Any]] = []
    while not position.is_over and len(seeds) < 200:
        seeds.append(json.loads(position.to_json()))
        position = position.sample(rng) if position.is_chance else position.play(luck.choice(position.moves))
    bound_memory()
    for _ in range(60):
        one = luck.choice(seeds)
        if luck.random() < 0.8:  # most of what is wrong is in the state
            text = json.dumps({**one, "state": mutate.value(luck, one["state"])})
        else:
            text = mutate.json_text(luck, [one])
        knock(play_on, game, text, luck.randrange(2**32))
        tell(1)


def play_on(game: bw.Game, text: str, seed: int) -> None:
    position, rng = game.from_json(text), Random(seed)
    again = game.from_json(position.to_json())
    assert again == position and str(position) is not None and position.svg().startswith("<svg")
    for _ in range(300):
        if position.is_over:
            return
        if position.is_chance:
            position = position.sample(rng)
        else:
            move = position.moves[rng.below(len(position.moves))]
            assert position.parse(position.text(move)) == move
            position = position.play(move)
