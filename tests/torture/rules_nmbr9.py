"""NMBR 9 against the slow reading of tests/test_nmbr9.py: sets of squares on a plane without edges."""

from __future__ import annotations

from collections.abc import Callable

from boardwright.contract import position as positions
from boardwright.contract.random import Random
from boardwright.games.nmbr9 import Nmbr9
from tests.test_nmbr9 import Table, choose, squares_of, view_of
from tests.torture.trial import Finding

positions.SOON_COMPILED = 0
VARIANTS: tuple[dict[str, int], ...] = ({}, {}, {"table": 9, "levels": 3})


def attempt(seed: int, seconds: float, tell: Callable[[int], None]) -> None:
    rng = Random(seed)
    game = Nmbr9(**VARIANTS[rng.below(len(VARIANTS))])
    policy = ("random", "greedy", "greedy")[rng.below(3)]
    position, table = game.begin(rng.below(2**31)), Table(game.table, game.levels)
    while True:
        digit = view_of(position).digit
        expected = table.places(digit) if digit >= 0 else set()
        if position.is_over:
            if expected:
                raise Finding("over, though the rulebook goes on", position.to_json())
            return
        if {squares_of(position.text(move), digit) for move in position.moves} != expected:
            raise Finding("other places than the rulebook's", position.to_json())
        move = choose(position, policy, rng)
        table.place(squares_of(position.text(move), digit), digit)
        position = position.play(move)
        if position.scores[0] != table.score:
            raise Finding("other points than the rulebook's", f"{table.score} {position.to_json()}")
        position = position.settle(rng)
        tell(1)
