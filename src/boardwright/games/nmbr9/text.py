"""NMBR 9 for a terminal: the layout as text, and why a move is refused."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from boardwright.games.nmbr9.tiles import CARDS, SHAPES, SIDES, squares

if TYPE_CHECKING:
    from boardwright.games.nmbr9.look import Nmbr9Look

SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"


def text_board(game: Nmbr9Look, s: Any) -> str:
    """The state for a terminal: the squares that matter, then what there is to know and to do."""
    stacks = game.stacks(s)
    top, left = game.coordinates(s, s.top, s.start_column) if s.count else (0, 0)
    tall, wide = (s.tall, s.wide) if s.count else (4, 4)
    rows, columns = range(top - 1, top + tall + 1), range(left - 1, left + wide + 1)
    if game.table:
        rows, columns = range(game.table), range(game.table)
    lines = ["     " + "".join(f"{x:3}" for x in columns)]
    for y in rows:
        line, before = "", -1
        for x in columns:
            here = stacks.get((y, x), [-1])[-1]
            edge = "│" if here != before and x > columns[0] else " "
            line += edge + (f"{s.number[here]}{SUPERSCRIPTS[s.level[here]]}" if here >= 0 else "· ")
            before = here
        lines.append(f"{y:4}  {line}".rstrip())
    lines += ["", f"score {s.score}   tiles placed {s.count} of {CARDS}   a digit's superscript is its level"]
    if s.count:
        last = s.count - 1
        y, x = game.coordinates(s, s.row[last], s.column[last])
        lines.append(f"last: {s.number[last]} as {90 * s.turned[last]}@{x},{y} on level {s.level[last]}")
    lines.append("cards left: " + (" ".join(str(d) for d in range(10) for _ in range(s.left[d])) or "none"))
    if s.digit >= 0:
        lines += ["", *looks_of(game, s.digit)]
    if s.stuck:
        lines.append(f"the {s.digit} has no place: the game is over")
    return "\n".join(lines)


def looks_of(game: Nmbr9Look, digit: int) -> list[str]:
    """The tile to be placed in its rotations, side by side."""
    shapes = [SHAPES[4 * digit + turned] for turned in range(game.looks[digit])]
    lines = ["place   " + "".join(f"{f'{90 * turned}@':<12}" for turned in range(len(shapes)))]
    for y in range(4):
        rows = [shape[y] if y < len(shape) else "" for shape in shapes]
        cells = ["".join(f"{digit} " if square == "#" else "  " for square in row) for row in rows]
        lines.append(f"{digit if y == 0 else ' '}       " + "".join(f"{cell:<12}" for cell in cells))
    return [line.rstrip() for line in lines]


def why_not(game: Nmbr9Look, s: Any, text: str) -> str:
    """Why a text names no legal move."""
    read = re.fullmatch(r"(\d{1,4})\s*@\s*(-?\d{1,4})\s*,\s*(-?\d{1,4})", text)
    if not read:
        return game.move_help
    degrees, column, row = map(int, read.groups())
    number = s.digit
    if degrees not in (0, 90, 180, 270):
        return f"a tile cannot be turned by {degrees} degrees; turn it by 0, 90, 180 or 270"
    if degrees >= 90 * game.looks[number]:
        return f"the {number} looks the same after half a turn: write {degrees - 180}@{column},{row}"
    place = {(row + y, column + x) for y, x in squares(SHAPES[4 * number + degrees // 90])}
    if game.table and not all(0 <= y < game.table and 0 <= x < game.table for y, x in place):
        return f"it would lie over the table's edge; columns and rows go from 0 to {game.table - 1}"
    if s.count == 0:
        return f"the first tile lies at 0,0: write {degrees}@0,0"
    stacks = game.stacks(s)
    heights = {square: len(stacks.get(square, ())) for square in sorted(place)}
    level, low = max(heights.values()), min(heights.values())
    if level != low:
        (y1, x1), (y2, x2) = max(heights, key=lambda q: heights[q]), min(heights, key=lambda q: heights[q])
        return f"it would not lie flat: it would be on level {level} at {x1},{y1} and on level {low} at {x2},{y2}"
    if level >= game.level_limit:
        return f"it would lie on level {level}; this game ends at level {game.level_limit - 1}"
    below = {stacks[square][-1] for square in place} if level else set()
    if len(below) == 1:
        return f"it would lie on the {s.number[below.pop()]} alone; two different tiles must be below it"
    beside = {(y + dy, x + dx) for y, x in place for dy, dx in SIDES}
    if level in s.level[: s.count].tolist() and not any(len(stacks.get(square, ())) > level for square in beside):
        return f"it would share no edge with a tile on level {level}"
    return ""
