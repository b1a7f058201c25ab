"""Azul for a terminal: a capital is a tile, a small letter the place on the wall that waits for it."""

from __future__ import annotations

from typing import Any

import numpy as np

from boardwright.games.azul.rules import COLOURS, NOBODY, AzulRules

PENALTIES: tuple[int, ...] = tuple(np.diff(AzulRules.floor_cost).tolist())  # of each space of the floor line
BOARD_COLUMNS = 38  # of text; two boards and the gap fit 80


def text_board(game: AzulRules, s: Any) -> str:
    """The whole table as text, at most 80 columns for two boards side by side."""
    offered = [_spaced(tiles_of(s.offer, source), 4) for source in range(game.displays)]
    displays = [f"{source + 1}  {text}" for source, text in enumerate(offered)]
    centre = _spaced(tiles_of(s.offer, game.displays), 0) or "."
    marker = "  + starting marker" if s.marker == NOBODY and not s.over else ""
    lines = [f"Round {s.round}, {phase(s)}   bag {sum(s.bag)}, lid {sum(s.lid)}", ""]
    lines += ["    ".join(displays[i : i + 5]) for i in range(0, len(displays), 5)]
    lines += [f"C  {centre}{marker}", ""]
    boards = [_player_text(game, s, p) for p in range(game.players)]
    for left in range(0, game.players, 2):
        pair = boards[left : left + 2]
        rows = zip(*pair, strict=True)
        lines += [*("    ".join(part.ljust(BOARD_COLUMNS) for part in row).rstrip() for row in rows), ""]
    return "\n".join(lines).rstrip()


def phase(s: Any) -> str:
    """What happens now, in words."""
    if s.over:
        return "the game is over"
    return f"{s.to_deal} tiles to deal" if s.to_deal else f"player {s.turn + 1} to move"


def tiles_of(counts: Any, row: int) -> str:
    """The tiles of one row of counts as letters."""
    return "".join(letter * counts[row, colour] for colour, letter in enumerate(COLOURS))


def _spaced(tiles: str, width: int) -> str:
    return " ".join(tiles.ljust(width, "."))


def _player_text(game: AzulRules, s: Any, p: int) -> list[str]:
    acting = not s.over and not s.to_deal and s.turn == p
    starts = "starts next" if s.marker == p or (s.to_deal and s.first == p) else ""
    points = f"{s.score[p]} point{'' if s.score[p] == 1 else 's'}"
    if s.over:
        starts = f"{game.complete_rows(s, p)} rows"
    lines = [f"{'>' if acting else ' '} Player {p + 1}: {points}{', ' + starts if starts else ''}"]
    for row in range(5):
        fill = s.line_fill[p, row]
        held = COLOURS[s.line_colour[p, row]] * fill if fill else ""
        line = _spaced(held.rjust(row + 1, "."), 0).rjust(9)
        wall = " ".join(
            COLOURS[(column - row) % 5] if s.wall[p, row, column] else COLOURS[(column - row) % 5].lower()
            for column in range(5)
        )
        lines.append(f"  {row + 1}  {line}  |  {wall}")
    fallen = fallen_tiles(s, p)
    cost = sum(PENALTIES[: len(fallen)])
    lines.append(f"  F  {_spaced(fallen, 7)}" + (f"  costs {cost}" if cost else ""))
    return lines


def fallen_tiles(s: Any, p: int) -> str:
    """What lies on a floor line, the marker (as M) first: the state does not keep the order."""
    tiles = tiles_of(s.floor, p)
    return ("M" if s.floor_fill[p] > len(tiles) else "") + tiles
