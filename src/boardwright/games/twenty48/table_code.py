"""N-tuple tables on bitboards of 2048: code generated from the patterns.

`learn/tuples/tables.py` reads a state cell by cell. Here, where all 16 cells are one number, the methods `board_*` do
the same with shifts and masks. Both add in the same order, so they agree to the last bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boardwright.contract.game import CHANCE
from boardwright.games.twenty48.bitboard import Rows, flip_columns, flip_rows, transpose
from boardwright.games.twenty48.expectimax import best_slide


def value_on_boards(self: Any, game: Any, s: Any, learned: Any, out: Any) -> None:
    """A table's `value` of a state. The tables know afterstates; where the player is to move, the best slide speaks,
    for what its afterstate is worth."""
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


def board_methods(patterns: tuple[tuple[int, ...], ...], offsets: tuple[int, ...]) -> tuple[str, dict[str, Any]]:
    """The source of `board_value(learned, board)` and `board_indices(board, out)`, unrolled over images and patterns,
    and the names that it uses."""
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
    return "\n".join([*value, *indices]), scope
