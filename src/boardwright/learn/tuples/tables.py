"""The evaluator: n-tuple tables inside kernels, for any grid game.

`value` reads a game's state cell by cell. A game whose board is one number may bring code that does the same with
shifts and masks (`BoardTables`).
"""

from __future__ import annotations

from functools import cache, cached_property
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.learn.tuples.board_kit import board_kit
from boardwright.learn.tuples.patterns import Grid, grid_of, images_of, read_patterns, sizes_of, state_reader
from boardwright.registry import at
from boardwright.search.evaluator import Evaluator


class TupleTables(Evaluator):
    """Values positions by tables, which are given as `learned` (float32, flat: block by block, pattern by pattern).

    One player: the value is the points so far plus what the table expects to come. Two players of a game that is
    won: the table speaks for player 0, and has a block for each player who may be to move.
    """

    cells: tuple[tuple[int, ...], ...]  # of each pattern
    field: str
    rows: int
    columns: int
    values: int
    spots: tuple[int, ...]
    reader: str  # source of `cell`
    seats: int

    # Geometry

    @cached_property
    def grid(self) -> Grid:
        return Grid(self.field, self.rows, self.columns, self.values, self.spots)

    @cached_property
    def places(self) -> npt.NDArray[np.int64]:
        return np.array(self.spots, np.int64)

    @cached_property
    def locations(self) -> npt.NDArray[np.int64]:
        """[image, pattern, k]: the cell whose content is digit k of the pattern's index; -1 beyond its length."""
        images = images_of(self.grid)
        found = np.full((len(images), len(self.cells), max(map(len, self.cells))), -1, np.int64)
        for image in range(len(images)):
            for number, pattern in enumerate(self.cells):
                found[image, number, : len(pattern)] = images[image][list(pattern)]
        return found

    @cached_property
    def lengths(self) -> npt.NDArray[np.int64]:
        return np.array([len(pattern) for pattern in self.cells], np.int64)

    @cached_property
    def offsets(self) -> npt.NDArray[np.int64]:
        """Where each pattern's table begins in a block."""
        return np.cumsum([0, *sizes_of(self.cells, self.values)[:-1]]).astype(np.int64)

    @property
    def patterns(self) -> int:
        return len(self.cells)

    @property
    def images(self) -> int:
        return 8 if self.rows == self.columns else 4

    @property
    def active(self) -> int:
        """How many numbers make up a value."""
        return self.patterns * self.images

    @property
    def block_size(self) -> int:
        return sum(sizes_of(self.cells, self.values))

    @property
    def size(self) -> int:
        """Numbers in all."""
        return self.block_size * self.seats

    on_bitboards = False  # whether boards are one number each

    # Rules

    def value(self, game: Any, s: Any, learned: Any, out: Any) -> Any:
        total = self.total(s, learned, self.block(game.player(s)))
        if self.seats == 1:
            game.scores(s, out)
            out[0] += total
        else:
            out[0] = total
            out[1] = -total

    def block(self, actor: Any) -> Any:
        """Where the table for positions with `actor` to move begins."""
        return actor * self.block_size if self.seats > 1 else 0

    def total(self, s: Any, learned: Any, begin: Any) -> Any:
        """The sum of the active numbers: a pattern's over all images, then all patterns'."""
        total: Any = 0.0
        for pattern in range(self.patterns):
            part: Any = np.float32(0.0)
            for image in range(self.images):
                part += learned[begin + self.index(s, image, pattern)]
            total += np.float64(part)
        return total

    def index(self, s: Any, image: Any, pattern: Any) -> Any:
        """The active number of a pattern in an image, counted from the block's begin."""
        index = 0
        for k in range(self.lengths[pattern] - 1, -1, -1):
            index = index * self.values + self.cell(s, self.locations[image, pattern, k])
        return index + self.offsets[pattern]

    if TYPE_CHECKING:  # generated

        def cell(self, s: Any, c: Any) -> Any: ...

    def rules(self) -> tuple[str, ...]:
        return "value", "prior", "total", "cell", "index", "block"

    def made_methods(self) -> dict[str, FunctionType]:
        return _compiled_text(self.reader)


class BoardTables(TupleTables):
    """The same tables on boards that are one number, by the game's own code."""

    kit: str  # the module that brings it

    on_bitboards = True

    def rules(self) -> tuple[str, ...]:
        return *super().rules(), "board_value", "board_indices"

    def made_methods(self) -> dict[str, FunctionType]:
        kit = at(self.kit)
        made = _board_methods(self.kit, self.cells, tuple(self.offsets.tolist()))
        return super().made_methods() | made | {"value": kit.value_on_boards}

    @cached_property
    def row_left(self) -> npt.NDArray[np.uint16]:
        return np.asarray(at(self.kit).row_tables().left)

    @cached_property
    def row_right(self) -> npt.NDArray[np.uint16]:
        return np.asarray(at(self.kit).row_tables().right)

    @cached_property
    def row_reward(self) -> npt.NDArray[np.int32]:
        return np.asarray(at(self.kit).row_tables().reward)


@cache
def _board_methods(kit: str, cells: tuple[tuple[int, ...], ...], offsets: tuple[int, ...]) -> dict[str, FunctionType]:
    return _compiled_text(*at(kit).board_methods(cells, offsets))


def tables_for(game: Game, patterns: str) -> TupleTables:
    """The evaluator of `patterns` for a game; refused with the reason where such tables cannot serve it."""
    if game.players > 2 or (game.players == 2 and game.counts_points):
        raise InputError(
            f"{game.name}: n-tuple tables are for one player, or two who play to win; it has {game.players} players"
        )
    if game.players == 1 and not game.counts_points:
        raise InputError(f"{game.name}: n-tuple tables for one player need a game of points")
    grid = grid_of(game)
    if grid.field not in (game.state_dtype.names or ()):
        raise InputError(f"{game.name}: its grid names the field {grid.field!r}, which its state has not")
    shape: dict[str, Any] = {
        "cells": read_patterns(patterns, grid), "field": grid.field, "rows": grid.rows, "columns": grid.columns,
        "values": grid.values, "spots": grid.places, "reader": state_reader(grid, game.state_dtype),
        "seats": game.players,
    }  # fmt: skip
    return BoardTables(kit=game.card.tuples, **shape) if board_kit(game) else TupleTables(**shape)


def _compiled_text(source: str, names: dict[str, Any] | None = None) -> dict[str, FunctionType]:
    """The function that a text of our own making defines, by its name."""
    scope: dict[str, Any] = {"__name__": __name__, **(names or {})}
    exec(source, scope)  # noqa: S102 - text generated above from numbers and a checked field name
    return {name: item for name, item in scope.items() if isinstance(item, FunctionType)}
