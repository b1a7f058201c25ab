"""Specs of players: what is written is read again as the same, and makes a player or is refused."""

from __future__ import annotations

import os
import random
from collections.abc import Callable

import boardwright as bw
from boardwright.players import PlayerSpec
from tests.torture import mutate
from tests.torture.door import bound_memory, knock
from tests.torture.trial import Finding

GAMES = ("tictactoe", "2048", "azul")
SEEDS = [
    "random", "greedy", "win-block", "mcts", "mcts:simulations=8,seed=1", "mcts:seconds=0.5,threads=2,reuse=true",
    "mcts:c=1.4,rollout=greedy,depth=5,megabytes=10", "mcts:select=gumbel,considered=4", "mcts:select=puct",
    "mcts:net=tictactoe-3x3,simulations=4", 'mcts:net="a,b",trust=0.5', "net:model=tictactoe-3x3",
    "expectimax:depth=2", "expectimax:seconds=0.1", "solver:megabytes=4", "slips:epsilon=0.3,of=random",
    'slips:epsilon=0.1,of="mcts:simulations=3,seed=2"', "tuples:table=2048", "mcts:value=last", "mcts:tuned=none.json",
    "engine:echo hello", 'piskvork:command="a b",seconds=1', "players.py:Mine:depth=2", "masb", "hybrid",
]  # fmt: skip


def attempt(seed: int, seconds: float, tell: Callable[[int], None]) -> None:
    luck = random.Random(seed)
    games = [bw.load(name) for name in GAMES]
    bound_memory()
    for _ in range(300):
        for _ in range(9):  # to read one is quick, to make a player takes its time
            text = mutate.text(luck, SEEDS)
            knock(read_spec, text)
            tell(1)
        text, game = mutate.text(luck, SEEDS), luck.choice(games)
        knock(try_spec, text, game)
        tell(1)


def try_spec(text: str, game: bw.Game) -> None:
    spec = read_spec(text)
    if not spec.is_program and not (spec.is_file and os.path.exists(spec.file)):  # what chance wrote is not run
        bw.player(text, game)


def read_spec(text: str) -> PlayerSpec:
    spec = PlayerSpec.parse(text)
    again = PlayerSpec.parse(str(spec))
    if again != spec and not spec.is_file:  # a file's name may hold what would be settings elsewhere
        raise Finding("a spec is not read as it is written", f"{text!r} is {spec!r}, read again {again!r}")
    return spec
