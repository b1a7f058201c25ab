"""NMBR 9 from above: tiles with outlines and shadows, a badge for the level, the tile to be placed at the side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boardwright.games.nmbr9 import Nmbr9

Square = tuple[int, int]  # row, column

UNIT = 30  # pixels a square
PANEL = 268  # width of the column at the side
COLOURS = (
    "#8b8f9a", "#d9a441", "#4f8fc4", "#c8553d", "#6a9f58", "#8a6bb0", "#d97f4a", "#3f9c97", "#c06c94", "#5a6fb5",
)  # fmt: skip
INK, PAPER, FAINT = "#33302b", "#f5f1e8", "#857e72"
FONT = "font-family=\"'Avenir Next', 'Segoe UI', 'DejaVu Sans', Helvetica, Arial, sans-serif\""


def draw(game: Nmbr9, s: Any) -> str:
    """The state as a complete SVG document. Every square of the table carries data-cell="column,row"."""
    stacks = game.stacks(s)
    rows, columns = _part_shown(game, s)
    across, down = len(columns) * UNIT, len(rows) * UNIT
    width, height = across + 56 + PANEL, max(down + 56, 470)
    x0, y0 = 36, 36
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" {FONT}>',
        f"<title>NMBR 9, score {s.score}, {s.count} of 20 tiles</title>",
        f'<rect width="{width}" height="{height}" rx="16" fill="{PAPER}"/>',
        f'<rect x="{x0}" y="{y0}" width="{across}" height="{down}" rx="8" fill="#e9e2d3"/>',
        *_coordinates(rows, columns, x0, y0),
        f'<g transform="translate({x0 - columns[0] * UNIT} {y0 - rows[0] * UNIT})">',
        *(
            f'<rect data-cell="{x},{y}" x="{x * UNIT + 1}" y="{y * UNIT + 1}" width="{UNIT - 2}" height="{UNIT - 2}" rx="5" fill="#efe9dc"/>'
            for y in rows
            for x in columns
        ),
        *_tiles(s, stacks),
        "</g>",
        *_panel(game, s, across + 56),
        "</svg>",
    ]
    return "\n".join(parts)


def _part_shown(game: Nmbr9, s: Any) -> tuple[range, range]:
    """The table, or what matters of it: the layout with room for one more tile on each side."""
    if game.table:
        return range(game.table), range(game.table)
    if s.count == 0:
        return range(-4, 8), range(-4, 8)
    room = 1 if s.count == 20 else 4
    top, left = game.coordinates(s, s.top, s.start_column)
    return range(top - room, top + s.tall + room), range(left - room, left + s.wide + room)


def _coordinates(rows: range, columns: range, x0: int, y0: int) -> list[str]:
    text = f'font-size="11" fill="{FAINT}"'
    return [
        *(f'<text x="{x0 + (k + 0.5) * UNIT}" y="{y0 - 10}" text-anchor="middle" {text}>{x}</text>' for k, x in enumerate(columns)),
        *(f'<text x="{x0 - 10}" y="{y0 + (k + 0.5) * UNIT + 4}" text-anchor="end" {text}>{y}</text>' for k, y in enumerate(rows)),
    ]


def _tiles(s: Any, stacks: dict[Square, list[int]]) -> list[str]:
    """All tiles from the lowest level up, so that each covers what it lies on."""
    parts = []
    for k in sorted(range(s.count), key=lambda k: s.level[k]):
        own = {square for square, pile in stacks.items() if k in pile}
        visible = [square for square in own if stacks[square][-1] == k]
        level, colour, path = s.level[k], COLOURS[s.number[k]], outline(own)
        deep = 2.5 + 2 * level
        parts += [
            f'<path d="{path}" transform="translate({deep / 2:.1f} {deep:.1f})" fill="#1d1a15" opacity="{0.24 + 0.06 * level:.2f}" stroke="#1d1a15" stroke-width="2" stroke-linejoin="round"/>',
            f'<path d="{path}" fill="{_lighter(colour, 0.09 * level)}" stroke="{_lighter(colour, -0.38)}" stroke-width="2" stroke-linejoin="round"/>',
            f'<path d="{path}" transform="translate(0 1.5)" fill="none" stroke="#ffffff" stroke-opacity="0.28" stroke-width="1.2" stroke-linejoin="round"/>',
        ]
        parts.append(f'<path d="{_inner_lines(own)}" stroke="#ffffff" stroke-opacity="0.16" stroke-width="1"/>')
        if k == s.count - 1:
            parts.append(f'<path d="{path}" fill="none" stroke="#fffbe8" stroke-width="3" stroke-dasharray="5 4" stroke-linejoin="round"/>')
        if visible:
            parts += _label(s.number[k], level, _best_square(visible))
    return parts


def _label(number: int, level: int, square: Square) -> list[str]:
    """The number, and for tiles above the table a badge with the level at its corner."""
    x, y = (square[1] + 0.5) * UNIT, (square[0] + 0.5) * UNIT
    parts = [f'<text x="{x}" y="{y + 7}" text-anchor="middle" font-size="20" font-weight="700" fill="#ffffff">{number}</text>']
    if level:
        parts += [
            f'<circle cx="{x + 10}" cy="{y - 9}" r="8" fill="#fffbe8" stroke="{INK}" stroke-width="0.8"/>',
            f'<text x="{x + 10}" y="{y - 4.6}" text-anchor="middle" font-size="12" font-weight="700" fill="{INK}">{level}</text>',
        ]
    return parts


def _best_square(visible: list[Square]) -> Square:
    """The square nearest to the middle of what can be seen of a tile."""
    y, x = (sum(square[i] for square in visible) / len(visible) for i in (0, 1))
    return min(sorted(visible), key=lambda square: (square[0] - y) ** 2 + (square[1] - x) ** 2)


def _panel(game: Nmbr9, s: Any, x: int) -> list[str]:
    head = f'font-size="12" letter-spacing="1.2" fill="{FAINT}"'
    parts = [
        f'<text x="{x}" y="52" {head}>SCORE</text>',
        f'<text x="{x}" y="96" font-size="44" font-weight="700" fill="{INK}">{s.score}</text>',
        f'<text x="{x + 124}" y="52" {head}>TILES</text>',
        f'<text x="{x + 124}" y="96" font-size="44" font-weight="700" fill="{INK}">{s.count}<tspan font-size="20" fill="{FAINT}"> / 20</tspan></text>',
        f'<text x="{x}" y="136" {head}>CARDS LEFT</text>',
    ]
    for digit in range(10):
        for copy in range(2):
            left = copy < s.left[digit]
            cx, cy = x + digit * 24, 148 + copy * 32
            parts += [
                f'<rect x="{cx}" y="{cy}" width="20" height="27" rx="4" fill="{COLOURS[digit] if left else "none"}" stroke="{COLOURS[digit] if left else "#cfc7b8"}"/>',
                f'<text x="{cx + 10}" y="{cy + 19}" text-anchor="middle" font-size="14" font-weight="700" fill="{"#ffffff" if left else "#cfc7b8"}">{digit}</text>',
            ]
    if s.digit < 0:
        message = "The game is over." if s.count == 20 else "A card is about to be drawn."
        parts.append(f'<text x="{x}" y="248" font-size="15" fill="{INK}">{message}</text>')
        return parts
    message = f"NO PLACE FOR THE {s.digit}: THE GAME IS OVER" if s.stuck else f"PLACE THE {s.digit}"
    parts.append(f'<text x="{x}" y="242" {head}>{message}</text>')
    for turned in range(game.looks[s.digit]):
        parts += _look(game, s.digit, turned, x + turned % 2 * 124, 258 + turned // 2 * 106)
    return parts


def _look(game: Nmbr9, digit: int, turned: int, x: int, y: int) -> list[str]:
    """One rotation of the tile to be placed, half size, with what to write for it."""
    shape = 4 * digit + turned
    own = {
        (dy, dx) for dy in range(game.shape_tall[shape]) for dx in range(game.shape_wide[shape]) if game.shape_bits[shape, dy] >> dx & 1
    }
    colour, half = COLOURS[digit], UNIT * 0.6
    return [
        f'<g data-turn="{90 * turned}" transform="translate({x} {y}) scale(0.6)">',
        f'<path d="{outline(own)}" fill="{colour}" stroke="{_lighter(colour, -0.38)}" stroke-width="2.5" stroke-linejoin="round"/></g>',
        f'<text x="{x + 4 * half + 6}" y="{y + 14}" font-size="12" fill="{FAINT}">{90 * turned}°</text>',
    ]


def outline(squares: set[Square]) -> str:
    """The border of a set of squares as an SVG path, holes included: edges walked with the squares on the right."""
    edges: dict[Square, list[Square]] = {}
    for y, x in sorted(squares):
        for begin, end, beyond in (
            ((y, x), (y, x + 1), (y - 1, x)),
            ((y, x + 1), (y + 1, x + 1), (y, x + 1)),
            ((y + 1, x + 1), (y + 1, x), (y + 1, x)),
            ((y + 1, x), (y, x), (y, x - 1)),
        ):
            if beyond not in squares:
                edges.setdefault(begin, []).append(end)
    path = ""
    while edges:
        start = min(edges)
        at, path = start, path + f"M{start[1] * UNIT} {start[0] * UNIT}"
        while at in edges:
            ends = edges[at]
            following = ends.pop()
            if not ends:
                del edges[at]
            at = following
            path += f"L{at[1] * UNIT} {at[0] * UNIT}" if at != start else "Z"
    return path


def _inner_lines(squares: set[Square]) -> str:
    """Lines between neighbouring squares of one tile: they make squares easy to count."""
    right = (f"M{(x + 1) * UNIT} {y * UNIT + 2}v{UNIT - 4}" for y, x in sorted(squares) if (y, x + 1) in squares)
    below = (f"M{x * UNIT + 2} {(y + 1) * UNIT}h{UNIT - 4}" for y, x in sorted(squares) if (y + 1, x) in squares)
    return "".join((*right, *below))


def _lighter(colour: str, by: float) -> str:
    """The colour mixed with white, or, below 0, with black."""
    goal = 255 if by > 0 else 0
    mixed = (round(int(colour[i : i + 2], 16) * (1 - abs(by)) + goal * abs(by)) for i in (1, 3, 5))
    return "#" + "".join(f"{part:02x}" for part in mixed)
