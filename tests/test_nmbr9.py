"""NMBR 9 against a second, slow reading of the rulebook: sets of squares on a plane without edges."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardwright.contract import doors
from boardwright.contract.errors import InputError
from boardwright.contract.game import OVER
from boardwright.contract.playout import play_games
from boardwright.contract.position import Position, blank
from boardwright.contract.random import Random
from boardwright.games.nmbr9 import Nmbr9

Square = tuple[int, int]  # row, column
DIRECTIONS = ((0, 1), (1, 0), (0, -1), (-1, 0))

# Typed from the facts again, upright and in one picture, so that an error in the game's own table shows.
PICTURE = """
### ##. .## ### .## ### ##. ### .## ###
#.# .#. .## ..# .#. ### #.. .#. .## ###
#.# .#. ##. .## ### ..# ### ##. ##. ##.
### .#. ### ### .## ### ### #.. ##. ##.
"""
UPRIGHT: list[frozenset[Square]] = [
    frozenset(
        (y, x) for y, line in enumerate(PICTURE.split("\n")[1:5]) for x in range(3) if line[4 * digit + x] == "#"
    )
    for digit in range(10)
]


def turned(tile: frozenset[Square], degrees: int) -> frozenset[Square]:
    """The tile turned clockwise, its box in the corner."""
    for _ in range(degrees // 90):
        tile = frozenset((x, -y) for y, x in tile)
    top, left = min(y for y, _ in tile), min(x for _, x in tile)
    return frozenset((y - top, x - left) for y, x in tile)


class Table:
    """The rulebook, sentence by sentence. `floors[level]` lists the tiles of that level as sets of squares."""

    def __init__(self, side: int = 0, most_levels: int = 0) -> None:
        self.floors: list[list[frozenset[Square]]] = []
        self.side, self.most_levels, self.score = side, most_levels, 0

    def allowed(self, tile: frozenset[Square], level: int) -> bool:
        floor = self.floors[level] if level < len(self.floors) else []
        if self.most_levels and level >= self.most_levels:
            return False
        if self.side and not all(0 <= y < self.side and 0 <= x < self.side for y, x in tile):
            return False
        if any(tile & other for other in floor):
            return False
        edge = {(y + dy, x + dx) for y, x in tile for dy, dx in DIRECTIONS}
        if floor and not any(edge & other for other in floor):
            return False
        if level == 0:
            return True
        below = self.floors[level - 1] if level - 1 < len(self.floors) else []
        if not tile <= frozenset().union(*below):
            return False
        return sum(bool(tile & other) for other in below) >= 2

    def level_of(self, tile: frozenset[Square]) -> int:
        """The level on which the tile may lie, or -1. A tile cannot lie below one that is there already."""
        found = [level for level in range(len(self.floors) + 1) if self.allowed(tile, level)]
        above = [level for level, floor in enumerate(self.floors) if any(tile & other for other in floor)]
        found = [level for level in found if not above or level > max(above)]
        assert len(found) <= 1
        return found[0] if found else -1

    def places(self, digit: int) -> set[frozenset[Square]]:
        tiles = {turned(UPRIGHT[digit], degrees) for degrees in (0, 90, 180, 270)}
        ground = frozenset().union(*self.floors[0]) if self.floors else frozenset()
        if ground:
            rows = range(min(y for y, _ in ground) - 5, max(y for y, _ in ground) + 3)
            columns = range(min(x for _, x in ground) - 5, max(x for _, x in ground) + 3)
        else:
            rows = columns = range(self.side) if self.side else range(1)
        moved = (frozenset((y + row, x + column) for y, x in tile) for tile in tiles for row in rows for column in columns)
        return {tile for tile in moved if self.level_of(tile) >= 0}

    def place(self, tile: frozenset[Square], digit: int) -> int:
        level = self.level_of(tile)
        assert level >= 0
        if level == len(self.floors):
            self.floors.append([])
        self.floors[level].append(tile)
        self.score += digit * level
        return level


def squares_of(text: str, digit: int) -> frozenset[Square]:
    """What a move's text says: `90@3,-2` is the tile turned by 90 degrees, its box at column 3, row -2."""
    degrees, _, place = text.partition("@")
    column, row = map(int, place.split(","))
    return frozenset((y + row, x + column) for y, x in turned(UPRIGHT[digit], int(degrees)))


def choose(position: Position, policy: str, rng: Random) -> int:
    if policy == "random":
        return position.moves[rng.below(len(position.moves))]
    weights = position.weigh(policy)
    best = np.flatnonzero(weights == weights.max())
    return position.moves[int(best[rng.below(len(best))])]


@pytest.mark.parametrize(("policy", "options", "seeds"), [
    ("random", {}, range(12)),
    ("greedy", {}, range(100, 112)),
    ("greedy", {"levels": 3}, range(3)),
    ("random", {"table": 11}, range(6)),
    ("greedy", {"table": 9, "levels": 4}, range(6)),
])  # fmt: skip
def test_legal_moves_and_scores_are_the_rulebooks(policy: str, options: dict[str, int], seeds: range) -> None:
    game = Nmbr9(**options)
    highest, ended_early = 0, 0
    for seed in seeds:
        rng = Random(seed)
        position, table = game.begin(seed), Table(game.table, game.levels)
        while True:
            digit = position.view.digit
            expected = table.places(digit) if digit >= 0 else set()
            if position.is_over:
                assert not expected
                break
            squares = {squares_of(position.text(move), digit): move for move in position.moves}
            assert len(squares) == len(position.moves)
            assert set(squares) == expected
            move = choose(position, policy, rng)
            tile = squares_of(position.text(move), digit)
            highest = max(highest, table.place(tile, digit))
            position = position.play(move)
            assert position.scores == (table.score,)
            position = position.settle(rng)
        ended_early += position.view.count < 20
    if policy == "greedy" and not options:
        assert highest >= 4
    assert (ended_early > 0) == bool(options.get("table"))
    if game.levels:
        assert highest == game.levels - 1
