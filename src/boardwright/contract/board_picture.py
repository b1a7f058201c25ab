"""A board of cells as an SVG picture, and what pointing at it means: for every game that draws nothing itself.

Plain Python over texts, lists and dicts: a published page runs it by Brython.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from boardwright.contract.cells import COLUMNS, PLAYERS, cell_words, cells_text, is_plain_grid, read_cells
from boardwright.contract.clicks import changed_cells, find_clicks
from boardwright.contract.picture import fields_text, text_picture

if TYPE_CHECKING:
    from boardwright.contract.game import Game

SANS = "Avenir Next, Segoe UI, Helvetica Neue, Helvetica, Arial, sans-serif"
CELL = 64
MARGIN = 34
GAP = 14  # between panels
TALL = 62  # a panel's height
# By player, as the page's own colours of seats; a piece's second tone is its rim.
COLOURS = ("#bb4a35", "#2f6fa6", "#3f8549", "#9a6a1c", "#7a4a93", "#2d8383", "#a0466e", "#6a6a6a")
RIMS = ("#7c2a1b", "#1a4670", "#245530", "#63420d", "#4c2a5f", "#175252", "#6a2744", "#3d3d3d")
TINTS = ("#eecac2", "#c5d9ea", "#cbe3cd", "#ecdcb8", "#dccbe6", "#c5e2e2", "#ebcad9", "#d8d8d8")
PIPS = {1: (4,), 2: (0, 8), 3: (0, 4, 8), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}
MOST_MARKED = 4  # cells that the last move changed; more are no mark but noise


def field_cells(plan: tuple[Any, ...], s: Any) -> list[list[str]]:
    """The cells of a field, by the plan of contract/grid.py."""
    if not plan:
        return []
    field, rows, columns, order, kind = plan
    flat = []
    for item in getattr(s, field).tolist():
        if isinstance(item, list):
            flat += item
        else:
            flat.append(item)
    texts = [_value_text(int(flat[place]), kind) for place in order]
    return [texts[row * columns : (row + 1) * columns] for row in range(rows)]


def _value_text(value: int, kind: str) -> str:
    if value == 0:
        return "."
    if kind == "numbers":
        return str(value) if value > 0 else f"={value}"
    return PLAYERS[value - 1] if value > 0 else PLAYERS[1]


def board_text(game: Game, s: Any) -> str:
    """The state for a terminal: its cells and what is shown beside them; its fields where there are no cells."""
    rows = game.board_cells(s)
    if not rows:
        return fields_text(game, s)
    beside = []
    for name, _ in game.panel_plan:
        value = getattr(s, name)
        said = " ".join([str(one) for one in value.tolist()]) if hasattr(value, "tolist") else str(value)
        beside.append(f"{name}: {said}")
    return cells_text(rows) + ("\n" + "   ".join(beside) if beside else "")


def draw_board(game: Game, s: Any) -> str:
    """The state as a picture: its cells and, below them, dice and what else there is to know; its text where there are
    no cells but the game writes a text of several lines."""
    rows = game.board_cells(s)
    panels = _panels(game, s)
    if not rows and (not panels or (game.has_text_board and "\n" in game.board(s))):
        return text_picture(game.board(s))
    cells = read_cells(rows)
    named = bool(rows) and is_plain_grid(cells, rows)
    columns = max([len(row) for row in rows] + [0])
    margin = MARGIN if named else 20
    board_width, board_height = columns * CELL, len(rows) * CELL
    scale = min(max(board_width / 450, 1), 2)  # what stands beside a large board is read from as far
    lines = _wrapped(panels, max(board_width, 330) / scale)
    least = 0 if rows else 520  # panels alone are no poster
    spans = [scale * (sum(wide for wide, _ in line) + GAP * (len(line) - 1)) for line in lines]
    inner = max([board_width, least] + spans)  # noqa: RUF005 - Brython
    width = inner + 2 * margin
    left = (width - board_width) / 2
    height = board_height + 2 * margin * (1 if rows else 0.6) + len(lines) * (TALL + GAP) * scale
    parts = [f'<rect width="{width:g}" height="{height:g}" rx="16" class="paper" fill="#f6f2e9"/>']
    if rows:
        parts += _frame(cells, left, margin, game.board_style)
        for cell in cells:
            parts.append(_square(cell, left, margin, game.board_style, len(rows)))
            parts.append(_content(cell, left, margin))
        if named:
            letters = game.column_names or tuple(COLUMNS[:columns])
            parts.append(_labels(len(rows), letters, left, margin))
        parts.append(_places(cells, left, margin, game.side_names))
    top: float = margin + board_height + (margin if named else GAP if rows else 0)
    for line in lines:
        x = (width - scale * (sum(wide for wide, _ in line) + GAP * (len(line) - 1))) / 2
        for wide, drawn in line:
            parts.append(f'<g transform="translate({x:g} {top:g}) scale({scale:g})">{drawn}</g>')
            x += scale * (wide + GAP)
        top += scale * (TALL + GAP)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" font-family="{SANS}" role="img" aria-label="{escape(game.name)}">{"".join(parts)}</svg>'
    )


def point_at_board(
    game: Game, s: Any, moves: dict[int, str], afters: dict[int, Any], player: int, before: Any
) -> dict[str, Any]:
    """What pointing at the picture means. `afters[move]`: the state after that move of `player`; `before`: the state
    before the last move, or None."""
    rows = game.board_cells(s)
    if not rows:
        return {"kind": "cells"}
    cells = read_cells(rows)
    hover: dict[str, Any] = {"kind": "cells"}
    if moves:
        then = {move: read_cells(game.board_cells(after)) for move, after in afters.items()}
        hover.update(find_clicks(cells, then, moves, player, game.actions))
        if hover["lands"]:
            hover["ghost"] = _piece(player, 0, 0, CELL * 0.36, 1)
    if before is not None:
        changed = [cell["name"] for cell, _ in changed_cells(read_cells(game.board_cells(before)), cells)]
        if len(changed) <= MOST_MARKED:
            hover["last"] = changed
    return hover


def _frame(cells: list[dict[str, Any]], left: float, top: float, style: str) -> list[str]:
    """What the squares lie on."""
    inside = [cell for cell in cells if not cell["beside"]]
    if style != "holes" or not inside:
        return []
    wide, tall = (1 + max(cell[way] for cell in inside) for way in ("column", "row"))
    return [
        f'<rect x="{left - 10:g}" y="{top - 10:g}" width="{wide * CELL + 20}" height="{tall * CELL + 20}" rx="16" '
        'class="rack" fill="#4b6a88"/>'
    ]


def _square(cell: dict[str, Any], left: float, top: float, style: str, rows: int) -> str:
    x, y = left + cell["column"] * CELL, top + cell["row"] * CELL
    spot = f'data-spot="{escape(cell["name"])}"'
    if cell["beside"] and cell["tint"] >= 0:
        place = f'cx="{x + CELL / 2:g}" cy="{y + CELL / 2:g}" r="{CELL * 0.9:g}"'
        return f'<circle {place} class="sq tint{cell["tint"]}" fill="{TINTS[cell["tint"]]}" {spot}/>'
    if cell["beside"]:
        return f'<rect x="{x + 2:g}" y="{y + 2:g}" width="{CELL - 4}" height="{CELL - 4}" fill="none" {spot}/>'
    if style == "holes":
        place = f'cx="{x + CELL / 2:g}" cy="{y + CELL / 2:g}" r="{CELL * 0.41:g}"'
        return f'<circle {place} class="hole" fill="#f6f2e9" {spot}/>'
    if cell["heap"] is not None:
        return (
            f'<circle cx="{x + CELL / 2:g}" cy="{y + CELL / 2:g}" r="{CELL * 0.46:g}" class="pit" fill="#d9bd8f" '
            f'stroke="#b08d55" stroke-width="2" {spot}/>'
        )
    dark = style == "checks" and (cell["column"] + rows - cell["row"]) % 2 == 1
    kind, fill = ("sq dark", "#cbb48e") if dark else ("sq", "#e9dfca")
    if cell["tint"] >= 0:
        kind, fill = f"sq tint{cell['tint']}", TINTS[cell["tint"]]
    inset, round_by = (0, 0) if style == "checks" else (2, 9)
    star = ""
    if cell["star"]:
        star = _star(x + CELL / 2, y + CELL / 2, CELL * 0.34)
    return (
        f'<rect x="{x + inset:g}" y="{y + inset:g}" width="{CELL - 2 * inset}" height="{CELL - 2 * inset}" '
        f'rx="{round_by}" class="{kind}" fill="{fill}" {spot}/>{star}'
    )


def _star(x: float, y: float, reach: float) -> str:
    """A rosette of eight petals, for squares that are special."""
    petals = ((0, -1), (0.7, -0.7), (1, 0), (0.7, 0.7), (0, 1), (-0.7, 0.7), (-1, 0), (-0.7, -0.7))
    drawn = "".join(f"M{x:g} {y:g}l{reach * dx:g} {reach * dy:g}" for dx, dy in petals)
    return f'<path d="{drawn}" class="star" stroke="#bfa36c" stroke-width="4.5" stroke-linecap="round"/>'


def _content(cell: dict[str, Any], left: float, top: float) -> str:
    """Pieces, a number, a heap, or words."""
    x, y = left + (cell["column"] + 0.5) * CELL, top + (cell["row"] + 0.5) * CELL
    if cell["heap"] is not None:
        return _heap(cell["heap"], x, y)
    pieces = list(cell["pieces"])
    parts = []
    if pieces and len(pieces) + (1 if cell["neutral"] else 0) == 1:
        parts.append(_piece(pieces[0][0], x, y, CELL * 0.36, pieces[0][1]))
    else:
        group = pieces + ([(-1, cell["neutral"])] if cell["neutral"] else [])
        size = CELL * (0.24 if len(group) > 1 else 0.3)
        corners = ((-1, -1), (1, 1), (1, -1), (-1, 1), (0, 0)) if len(group) > 1 else ((0, 0),)
        for (owner, count), (dx, dy) in zip(group, corners):  # noqa: B905 - Brython's zip knows no strict
            parts.append(_piece(owner, x + dx * CELL * 0.2, y + dy * CELL * 0.2, size, count))
    said = cell["words"] or ("" if cell["number"] is None else str(cell["number"]))
    if said:
        size = CELL * (0.44 if len(said) < 3 else 0.34 if len(said) < 5 else 0.22)
        kind = "faint" if cell["beside"] else "ink"
        colour = "#8a8172" if cell["beside"] else "#3a352c"
        if cell["number"] is not None and not cell["beside"]:
            depth = min(cell["number"], 12) / 12
            parts.append(
                f'<rect x="{x - CELL * 0.42:g}" y="{y - CELL * 0.42:g}" width="{CELL * 0.84:g}" '
                f'height="{CELL * 0.84:g}" rx="8" fill="#c77d2e" fill-opacity="{0.12 + 0.5 * depth:.2f}"/>'
            )
        parts.append(
            f'<text x="{x:g}" y="{y + size * 0.35:g}" font-size="{size:g}" font-weight="650" text-anchor="middle" '
            f'class="{kind}" fill="{colour}">{escape(said)}</text>'
        )
    return "".join(parts)


def _piece(owner: int, x: float, y: float, radius: float, count: int) -> str:
    """A disc in its owner's colour, with a sign of its own for those who do not tell colours; -1 is nobody's."""
    fill, rim = (COLOURS[owner % 8], RIMS[owner % 8]) if owner >= 0 else ("#f7f4ec", "#57524a")
    parts = [
        f'<circle cx="{x + 1:g}" cy="{y + 2.5:g}" r="{radius:g}" fill="#201a10" fill-opacity="0.28"/>'
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{rim}" stroke-width="2"/>'
    ]
    light = 'fill="none" stroke="#fff" stroke-opacity="0.75" stroke-width="2.5"'
    inner = radius * 0.55
    if count > 1:
        parts.append(
            f'<text x="{x:g}" y="{y + radius * 0.36:g}" font-size="{radius:g}" font-weight="700" text-anchor="middle" '
            f'fill="{"#fff" if owner >= 0 else "#2b2822"}">{count}</text>'
        )
    elif owner == 0:
        parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{inner:g}" {light}/>')
    elif owner == 1:
        side = inner * 0.85
        parts.append(
            f'<rect x="{x - side:g}" y="{y - side:g}" width="{2 * side:g}" height="{2 * side:g}" rx="3" {light}/>'
        )
    elif owner == 2:
        parts.append(f'<path d="M{x:g} {y - inner:g}l{inner:g} {1.7 * inner:g}h{-2 * inner:g}z" {light}/>')
    elif owner >= 3:
        parts.append(f'<path d="M{x - inner:g} {y:g}h{2 * inner:g}m{-inner:g} {-inner:g}v{2 * inner:g}" {light}/>')
    return "".join(parts)


def _heap(count: int, x: float, y: float) -> str:
    """Seeds in a pit, and how many."""
    spots = ((0, 0), (-1, -0.4), (1, -0.4), (-0.5, 0.8), (0.5, 0.8), (0, -1), (-1.5, 0.5), (1.5, 0.5), (-0.9, -1.3),
             (0.9, -1.3), (0, 1.6), (1.7, -0.9), (-1.7, -0.9))  # fmt: skip
    seeds = "".join(
        f'<circle cx="{x + 8.5 * dx:g}" cy="{y - 5 + 8.5 * dy:g}" r="5" fill="#5c6b3c" stroke="#39441f"/>'
        for dx, dy in spots[:count]
    )
    return (
        f'{seeds}<text x="{x:g}" y="{y + CELL * 0.38:g}" font-size="15" font-weight="700" text-anchor="middle" '
        f'fill="#2f2818" stroke="#ecd9b5" stroke-width="4" paint-order="stroke">{count}</text>'
    )


def _labels(rows: int, columns: tuple[str, ...], left: float, top: float) -> str:
    """Letters, or what a move into the column is called, below; numbers at the left."""
    parts = ['<g class="faint" fill="#8a8172" font-size="15" text-anchor="middle" font-weight="500">']
    for column, name in enumerate(columns):
        parts.append(f'<text x="{left + (column + 0.5) * CELL:g}" y="{top + rows * CELL + 25:g}">{escape(name)}</text>')
    for row in range(rows):
        parts.append(f'<text x="{left - 20:g}" y="{top + (row + 0.5) * CELL + 5:g}">{rows - row}</text>')
    return "".join(parts) + "</g>"


def _places(cells: list[dict[str, Any]], left: float, top: float, sides: tuple[str, ...]) -> str:
    """What can be pointed at, by name, and what is said of it."""
    parts = ['<g fill="#000" fill-opacity="0">']
    for cell in cells:
        if cell["beside"] and cell["words"] and not cell["pieces"]:
            continue  # a mere label
        x, y = left + cell["column"] * CELL, top + cell["row"] * CELL
        parts.append(
            f'<rect x="{x + 1:g}" y="{y + 1:g}" width="{CELL - 2}" height="{CELL - 2}" '
            f'data-cell="{escape(cell["name"])}" data-holds="{escape(cell_words(cell, sides))}"/>'
        )
    return "".join(parts) + "</g>"


def _panels(game: Game, s: Any) -> list[tuple[float, str]]:
    """(width, drawing) of each field that is shown beside the board."""
    found: list[tuple[float, str]] = []
    for name, kind in game.panel_plan:
        value = getattr(s, name)
        many = list(value.tolist()) if kind == "players" or hasattr(value, "tolist") else [value]
        label = name.replace("_", " ").capitalize()
        if kind == "dice":
            inner = [_die(int(face)) for face in many]
            wide = max(46 * len(inner), 9 * len(label)) + 24
            step = 46
        elif kind == "players":
            inner = [_owned(player, number) for player, number in enumerate(many)]
            step = 34 + 11 * max(len(_number(number)) for number in many)
            wide = max(step * len(inner), 9 * len(label)) + 20
        else:
            said = ("yes" if many[0] else "no") if kind == "truth" else _number(many[0])
            wide, step = max(13 * len(said), 9 * len(label), 60) + 24, 0
            inner = [
                f'<text y="13" font-size="22" font-weight="650" text-anchor="middle" class="ink" fill="#3a352c">'
                f"{said}</text>"
            ]
        first = wide / 2 - step * (len(inner) - 1) / 2
        drawn = "".join(f'<g transform="translate({first + step * i:g} 37)">{one}</g>' for i, one in enumerate(inner))
        found.append(
            (
                wide,
                f'<rect width="{wide:g}" height="{TALL}" rx="10" class="sq" fill="#e9dfca"/>'
                f'<text x="{wide / 2:g}" y="15" font-size="12" text-anchor="middle" class="faint" fill="#6d6557">'
                f"{escape(label)}</text>{drawn}",
            )
        )
    return found


def _wrapped(panels: list[tuple[float, str]], most: float) -> list[list[tuple[float, str]]]:
    """Panels in lines that are not wider than that."""
    lines: list[list[tuple[float, str]]] = []
    used = most + 1
    for panel in panels:
        used += GAP + panel[0]
        if used > most:
            lines.append([])
            used = panel[0]
        lines[-1].append(panel)
    return lines


def _number(value: Any) -> str:
    return str(value) if isinstance(value, int) else f"{value:g}"


def _owned(player: int, number: Any) -> str:
    """One player's number, in its colour."""
    return (
        f'{_piece(player, -12, 5, 9, 1)}<text x="4" y="12" font-size="19" font-weight="650" class="ink" '
        f'fill="#3a352c">{_number(number)}</text>'
    )


def _die(face: int) -> str:
    """A die round 0,5: pips for 1 to 6, empty before it is thrown, a number for anything else."""
    body = (
        '<rect x="-18" y="-16" width="36" height="36" rx="8" fill="#fffdf7" stroke="#7b7365" stroke-width="1.5" '
        f'fill-opacity="{1 if face > 0 else 0.35}"/>'
    )
    if face in PIPS:
        return body + "".join(
            f'<circle cx="{-10 + 10 * (place % 3)}" cy="{-8 + 10 * (place // 3)}" r="3.6" fill="#2b2822"/>'
            for place in PIPS[face]
        )
    said = "" if face <= 0 else str(face)
    return body + f'<text y="9" font-size="19" font-weight="700" text-anchor="middle" fill="#2b2822">{said}</text>'
