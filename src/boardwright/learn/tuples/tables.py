"""The evaluator: n-tuple tables inside kernels, for any grid game; and generated code for 2048's bitboards.

`value` reads a game's state cell by cell. For 4x4 boards of 2048, where all 16 cells are one number, the methods
`board_*` do the same with shifts and masks: code generated from the patterns. Both add in the same order, so they
agree to the last bit.
"""

from __future__ import annotations

from functools import cache, cached_property
from types import FunctionType
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from boardwright.contract.errors import InputError
from boardwright.contract.game import CHANCE, Game
from boardwright.games.twenty48.bitboard import Rows, flip_columns, flip_rows, row_tables, transpose
from boardwright.games.twenty48.bitlearn import best_slide
from boardwright.learn.tuples.patterns import Grid, grid_of, images_of, read_patterns, sizes_of, state_reader
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

    @property
    def on_bitboards(self) -> bool:
        """Whether boards are 16 nibbles."""
        return (self.rows, self.columns, self.values, self.seats) == (4, 4, 16, 1)

    # Rules: any game

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

    # Rules: bitboards; see _board_methods

    def rules(self) -> tuple[str, ...]:
        return "value", "total", "cell", "index", "block", "board_value", "board_indices"

    def made_methods(self) -> dict[str, FunctionType]:
        made = _compiled_text(self.reader)
        if self.on_bitboards:
            made |= _board_methods(self.cells, tuple(self.offsets.tolist()))
            made["value"] = cast("FunctionType", _value_on_boards)
        return made

    @cached_property
    def row_left(self) -> npt.NDArray[np.uint16]:
        return row_tables().left

    @cached_property
    def row_right(self) -> npt.NDArray[np.uint16]:
        return row_tables().right

    @cached_property
    def row_reward(self) -> npt.NDArray[np.int32]:
        return row_tables().reward


def _value_on_boards(self: Any, game: Any, s: Any, learned: Any, out: Any) -> None:
    """`value` for 2048 on 4x4. The tables know afterstates; where the player is to move, the best slide speaks, for
    what its afterstate is worth."""
    board = np.uint64(0)
    for cell in range(15, -1, -1):
        board = (board << np.uint64(4)) | np.uint64(self.cell(s, cell))
    game.scores(s, out)
    if game.player(s) == CHANCE:
        out[0] += self.board_value(learned, board)
    else:
        rows = Rows(self.row_left, self.row_right, self.row_reward)
        direction, _after, points, worth = best_slide(self, learned, rows, board)
        if direction >= 0:
            out[0] += points + worth


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
    return TupleTables(
        cells=read_patterns(patterns, grid), field=grid.field, rows=grid.rows, columns=grid.columns, values=grid.values,
        spots=grid.places, reader=state_reader(grid, game.state_dtype), seats=game.players,
    )  # fmt: skip


def pieces(pattern: tuple[int, ...]) -> list[tuple[int, int, int]]:
    """Cells as runs of neighbouring nibbles: (first cell, first digit, length). `012456` is two shifts, not six."""
    runs: list[tuple[int, int, int]] = []
    for digit, cell in enumerate(pattern):
        if runs and cell == runs[-1][0] + runs[-1][2]:
            first, begin, length = runs[-1]
            runs[-1] = (first, begin, length + 1)
        else:
            runs.append((cell, digit, 1))
    return runs


def _index_text(pattern: tuple[int, ...], offset: int, image: str, constants: dict[str, Any]) -> str:
    def constant(number: int) -> str:
        # A literal would make the sum a signed number: `uint64 | 1` is int64 to the compiler.
        name = f"_U{number}"
        constants[name] = np.uint64(number)
        return name

    parts = []
    for first, begin, length in pieces(pattern):
        mask, shift = (1 << 4 * length) - 1 << 4 * begin, 4 * (first - begin)
        moved = (
            f"({image} >> {constant(shift)})" if shift > 0 else f"({image} << {constant(-shift)})" if shift else image
        )
        parts.append(f"({moved} & {constant(mask)})")
    return " | ".join(parts) if not offset else f"({' | '.join(parts)}) + {constant(offset)}"


@cache
def _board_methods(patterns: tuple[tuple[int, ...], ...], offsets: tuple[int, ...]) -> dict[str, FunctionType]:
    """`board_value(learned, board)` and `board_indices(board, out)`, unrolled over images and patterns."""
    constants: dict[str, Any] = {}
    images = [
        "    b0 = board", "    b1 = flip_rows(board)", "    b2 = flip_columns(board)", "    b3 = flip_rows(b2)",
        *(f"    b{image + 4} = transpose(b{image})" for image in range(4)),
    ]  # fmt: skip
    value = ["def board_value(self, learned, board):", *images, "    total = 0.0"]
    indices = ["def board_indices(self, board, out):", *images]
    for number, (pattern, offset) in enumerate(zip(patterns, offsets, strict=True)):
        texts = [_index_text(pattern, offset, f"b{image}", constants) for image in range(8)]
        value.append("    part = learned[" + "]\n    part += learned[".join(texts) + "]\n    total += np.float64(part)")
        indices += [f"    out[{number * 8 + image}] = {text}" for image, text in enumerate(texts)]
    value.append("    return total")
    scope = {"np": np, "flip_rows": flip_rows, "flip_columns": flip_columns, "transpose": transpose, **constants}
    return _compiled_text("\n".join(value), scope) | _compiled_text("\n".join(indices), scope)


def _compiled_text(source: str, names: dict[str, Any] | None = None) -> dict[str, FunctionType]:
    """The function that a text of our own making defines, by its name."""
    scope: dict[str, Any] = {"__name__": __name__, **(names or {})}
    exec(source, scope)  # noqa: S102 - text generated above from numbers and a checked field name
    return {name: item for name, item in scope.items() if isinstance(item, FunctionType)}
