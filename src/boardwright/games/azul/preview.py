"""What a move of Azul brings, as far as it can be told at once; and at the end, what a score is made of."""

from __future__ import annotations

from typing import Any

from boardwright.contract.state import copied
from boardwright.games.azul.rules import NOBODY, AzulRules
from boardwright.games.azul.text import PENALTIES
from boardwright.games.azul.wall import COLOUR_BONUS, COLUMN_BONUS, ROW_BONUS


def preview(game: AzulRules, s: Any, move: int) -> dict[str, Any]:
    """What becomes of the tiles of a move, and the points that it adds if nothing more is taken this round."""
    source, colour, line = move // 30, move // 6 % 5, move % 6
    p, tiles = s.turn, s.offer[source, colour]
    marker = source == game.displays and s.marker == NOBODY
    placed = min(tiles, line + 1 - s.line_fill[p, line]) if line < 5 else 0
    fills = line < 5 and s.line_fill[p, line] + placed == line + 1
    before = s.floor_fill[p]
    after = min(before + tiles - placed + marker, len(PENALTIES))
    gained = _tiling_points(game, s, p, line, colour) - _tiling_points(game, s, p, -1, 0) if fills else 0
    found = {
        "tiles": int(tiles),
        "placed": int(placed),
        "fills": bool(fills),
        "points": int(gained),
        "floor": -sum(PENALTIES[before:after]),
        "marker": bool(marker),
    }
    return {**found, "words": _words(found, line)}


def _words(found: dict[str, Any], line: int) -> str:
    """The same for people."""
    parts = []
    if found["fills"]:
        parts.append(f"completes line {line + 1}: +{found['points']}")
    elif found["placed"]:
        parts.append(f"{found['placed']} into line {line + 1}")
    if found["tiles"] > found["placed"]:
        parts.append(f"{found['tiles'] - found['placed']} to the floor")
    if found["marker"]:
        parts.append("takes the starting marker")
    if found["floor"]:
        parts.append(f"floor line −{-found['floor']}")
    return ", ".join(parts)


def _tiling_points(game: AzulRules, s: Any, p: int, filled: int, colour: int) -> int:
    """What the complete lines of player p score at the end of the round, with line `filled` (-1: none) complete too."""
    end = copied(s)
    if filled >= 0:
        end.line_fill[p, filled], end.line_colour[p, filled] = filled + 1, colour
    game.tile_wall(end, p)
    return int(end.score[p] - s.score[p])


def tally(game: AzulRules, s: Any) -> list[tuple[str, list[float]]]:
    """At the end: what was scored while tiling, less what the floor line cost, and the bonuses by kind."""
    rows, columns, colours, tiling = [], [], [], []
    for p in range(game.players):
        in_columns, of_colours = game.columns_and_colours(s, p)
        rows.append(float(ROW_BONUS * game.complete_rows(s, p)))
        columns.append(float(COLUMN_BONUS * in_columns))
        colours.append(float(COLOUR_BONUS * of_colours))
        tiling.append(float(s.score[p] - rows[p] - columns[p] - colours[p]))
    return [
        ("tiles, less the floor line", tiling),
        (f"complete rows, {ROW_BONUS} each", rows),
        (f"complete columns, {COLUMN_BONUS} each", columns),
        (f"all five of a colour, {COLOUR_BONUS} each", colours),
    ]
