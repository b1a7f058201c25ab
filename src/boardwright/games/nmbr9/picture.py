"""Pictures of NMBR 9: the layout from above, and for the page where the tile may go."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from boardwright.games.nmbr9.tiles import SHAPES, squares

if TYPE_CHECKING:
    from boardwright.games.nmbr9.look import Nmbr9Look

Square = tuple[int, int]  # row, column

UNIT = 30  # pixels a square
MARGIN_PIXELS = 36  # left of and above the squares, for their numbers
REACH = 4  # squares: no tile is longer
PANEL = 268  # width of the column at the side
COLOURS = (
    "#8b8f9a", "#d9a441", "#4f8fc4", "#c8553d", "#6a9f58", "#8a6bb0", "#d97f4a", "#3f9c97", "#c06c94", "#5a6fb5",
)  # fmt: skip
INK, PAPER, FAINT, GONE, SHADOW, CREAM = "#33302b", "#f5f1e8", "#857e72", "#cfc7b8", "#1d1a15", "#fffbe8"
FONT = "font-family=\"'Avenir Next', 'Segoe UI', 'DejaVu Sans', Helvetica, Arial, sans-serif\""


def draw(game: Nmbr9Look, s: Any) -> str:
    """The state as a complete SVG document. Every square of the table carries data-cell="column,row"."""
    rows, columns = _part_shown(game, s)
    width, height = len(columns) * UNIT + 56 + PANEL, max(len(rows) * UNIT + 56, 470)
    return _document(game, s, rows, columns, width, height, _panel(game, s, len(columns) * UNIT + 56))


def page(game: Nmbr9Look, s: Any, moves: Mapping[int, str], narrow: bool) -> dict[str, Any]:
    """What the page in the browser shows and needs: the table alone, the tile's looks as squares (column, row), and
    its places as (quarter turns, column, row, level)."""
    rows, columns = _part_shown(game, s)
    stacks = game.stacks(s)
    digit = s.digit if moves else -1
    shapes = [SHAPES[4 * digit + turned] for turned in range(game.looks[digit])] if moves else []
    firsts = [shape[0].index("#") for shape in shapes]  # a square of the top row tells the level
    places = []
    for text in moves.values():
        degrees, _, corner = text.partition("@")
        turned, (x, y) = int(degrees) // 90, map(int, corner.split(","))
        places.append((turned, x, y, len(stacks.get((y, x + firsts[turned]), ()))))
    hover = {
        "kind": "tile",
        "digit": digit,
        "colour": COLOURS[digit] if moves else "",
        "looks": [sorted((x, y) for y, x in squares(shape)) for shape in shapes],
        "places": places,
        "unit": UNIT,
        "origin": (MARGIN_PIXELS - columns[0] * UNIT, MARGIN_PIXELS - rows[0] * UNIT),
        "left": [int(count) for count in s.left],
        "count": int(s.count),
        "colours": COLOURS,
    }
    width, height = len(columns) * UNIT + 48, len(rows) * UNIT + 48
    return {"svg": _document(game, s, rows, columns, width, height, []), "hover": hover}


def _document(game: Nmbr9Look, s: Any, rows: range, columns: range, width: int, height: int, panel: list[str]) -> str:
    stacks = game.stacks(s)
    across, down = len(columns) * UNIT, len(rows) * UNIT
    x0 = y0 = MARGIN_PIXELS
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" {FONT}>',
        f"<title>NMBR 9, score {s.score}, {s.count} of 20 tiles</title>",
        f'<rect width="{width}" height="{height}" rx="16" class="paper" fill="{PAPER}"/>',
        f'<rect x="{x0}" y="{y0}" width="{across}" height="{down}" rx="8" class="felt" fill="#e9e2d3"/>',
        *_coordinates(rows, columns, x0, y0),
        f'<g transform="translate({x0 - columns[0] * UNIT} {y0 - rows[0] * UNIT})" stroke-linejoin="round">',
        '<g class="hole" fill="#efe9dc">',
        *(
            f'<rect data-cell="{x},{y}"{_holds(s, stacks, (y, x))} x="{x * UNIT + 1}" y="{y * UNIT + 1}" '
            f'width="{UNIT - 2}" height="{UNIT - 2}" rx="5"/>'
            for y, x in _within_reach(game, stacks, rows, columns)
        ),
        "</g>",
        *_tiles(s, stacks),
        "</g>",
        *panel,
        "</svg>",
    ]
    return "\n".join(parts)


def _holds(s: Any, stacks: dict[Square, list[int]], square: Square) -> str:
    """What lies on a square, for those who hear the board."""
    pile = stacks.get(square)
    return f' data-holds="{s.number[pile[-1]]} on level {s.level[pile[-1]]}"' if pile else ""


def figure(game: Nmbr9Look, s: Any) -> str:
    """The layout alone, with no more than a rim round it: a figure of the rules."""
    rows, columns = _part_shown(game, s, 1)
    return _document(game, s, rows, columns, len(columns) * UNIT + 48, len(rows) * UNIT + 48, [])


def _part_shown(game: Nmbr9Look, s: Any, room: int = REACH) -> tuple[range, range]:
    """The table, or what matters of it: the layout with room for one more tile on each side."""
    if game.table:
        return range(game.table), range(game.table)
    if s.count == 0:
        return range(-4, 8), range(-4, 8)
    room = 1 if s.count == 20 else room
    top, left = game.coordinates(s, s.top, s.start_column)
    return range(top - room, top + s.tall + room), range(left - room, left + s.wide + room)


def _within_reach(game: Nmbr9Look, stacks: dict[Square, list[int]], rows: range, columns: range) -> list[Square]:
    """The squares that the next tile may cover: on a layout that sprawls, thousands of others would be drawn and asked
    for what is under the pointer."""
    if game.table or not stacks:
        return [(y, x) for y in rows for x in columns]
    across = {(y, x + k) for y, x in stacks for k in range(-REACH, REACH + 1)}
    near = {(y + k, x) for y, x in across for k in range(-REACH, REACH + 1)}
    return sorted(square for square in near if square[0] in rows and square[1] in columns)


def _coordinates(rows: range, columns: range, x0: int, y0: int) -> list[str]:
    return [
        f'<g font-size="11" class="faint" fill="{FAINT}" text-anchor="middle">',
        *(f'<text x="{x0 + (k + 0.5) * UNIT}" y="{y0 - 10}">{x}</text>' for k, x in enumerate(columns)),
        *(f'<text x="{x0 - 16}" y="{y0 + (k + 0.5) * UNIT + 4}">{y}</text>' for k, y in enumerate(rows)),
        "</g>",
    ]


def _tiles(s: Any, stacks: dict[Square, list[int]]) -> list[str]:
    """All tiles from the lowest level up, so that each covers what it lies on."""
    parts, labels = [], []
    for k in sorted(range(s.count), key=lambda k: s.level[k]):
        own = {square for square, pile in stacks.items() if k in pile}
        visible = [square for square in own if stacks[square][-1] == k]
        level, colour, path = s.level[k], COLOURS[s.number[k]], outline(own)
        deep = 2.5 + 2 * level
        parts += [
            f'<path d="{path}" transform="translate({deep / 2:.1f} {deep:.1f})" fill="{SHADOW}" stroke="{SHADOW}" '
            f'stroke-width="2" opacity="{0.24 + 0.06 * level:.2f}"/>',
            f'<path d="{path}" fill="{_lighter(colour, 0.09 * level)}" stroke="{_lighter(colour, -0.38)}" '
            'stroke-width="2"/>',
            f'<path d="{path}" transform="translate(0 1.5)" fill="none" stroke="#ffffff" stroke-opacity="0.28" '
            'stroke-width="1.2"/>',
        ]
        parts.append(f'<path d="{_inner_lines(own)}" stroke="#ffffff" stroke-opacity="0.16" stroke-width="1"/>')
        if k == s.count - 1:
            parts.append(f'<path d="{path}" fill="none" stroke="{CREAM}" stroke-width="3" stroke-dasharray="5 4"/>')
        if visible:
            labels += _label(s.number[k], level, _best_square(visible))
    return parts + labels


def _label(number: int, level: int, square: Square) -> list[str]:
    """The number, and for tiles above the table a badge with the level at its corner."""
    x, y = (square[1] + 0.5) * UNIT, (square[0] + 0.5) * UNIT
    bold = 'text-anchor="middle" font-weight="700"'
    parts = [f'<text x="{x}" y="{y + 7}" {bold} font-size="20" fill="#ffffff">{number}</text>']
    if level:
        parts += [
            f'<circle cx="{x + 9}" cy="{y - 8}" r="7.5" fill="{CREAM}" stroke="{INK}" stroke-width="0.8"/>',
            f'<text x="{x + 9}" y="{y - 3.8}" {bold} font-size="11.5" fill="{INK}">{level}</text>',
        ]
    return parts


def _best_square(visible: list[Square]) -> Square:
    """The square nearest to the middle of what can be seen of a tile."""
    y, x = (sum(square[i] for square in visible) / len(visible) for i in (0, 1))
    return min(sorted(visible), key=lambda square: (square[0] - y) ** 2 + (square[1] - x) ** 2)


def _panel(game: Nmbr9Look, s: Any, x: int) -> list[str]:
    head = f'font-size="12" letter-spacing="1.2" fill="{FAINT}"'
    large = f'font-size="44" font-weight="700" fill="{INK}"'
    parts = [
        f'<text x="{x}" y="52" {head}>SCORE</text>',
        f'<text x="{x}" y="96" {large}>{s.score}</text>',
        f'<text x="{x + 124}" y="52" {head}>TILES</text>',
        f'<text x="{x + 124}" y="96" {large}>{s.count}<tspan font-size="20" fill="{FAINT}"> / 20</tspan></text>',
        f'<text x="{x}" y="136" {head}>CARDS LEFT</text>',
    ]
    for digit in range(10):
        for copy in range(2):
            fill, line, ink = (COLOURS[digit],) * 2 + ("#ffffff",) if copy < s.left[digit] else ("none", GONE, GONE)
            cx, cy = x + digit * 24, 148 + copy * 32
            parts += [
                f'<rect x="{cx}" y="{cy}" width="20" height="27" rx="4" fill="{fill}" stroke="{line}"/>',
                f'<text x="{cx + 10}" y="{cy + 19}" text-anchor="middle" font-size="14" font-weight="700" '
                f'fill="{ink}">{digit}</text>',
            ]
    if s.digit < 0:
        message = "The game is over." if s.count == 20 else "A card is about to be drawn."
        parts.append(f'<text x="{x}" y="248" font-size="15" fill="{INK}">{message}</text>')
        return parts
    message = f"GAME OVER: NO PLACE FOR THE {s.digit}" if s.stuck else f"PLACE THE {s.digit}"
    parts.append(f'<text x="{x}" y="242" {head}>{message}</text>')
    for turned in range(game.looks[s.digit]):
        parts += _look(game, s.digit, turned, x + turned % 2 * 124, 258 + turned // 2 * 106)
    return parts


def _look(game: Nmbr9Look, digit: int, turned: int, x: int, y: int) -> list[str]:
    """One rotation of the tile to be placed, half size, with what to write for it."""
    own = squares(SHAPES[4 * digit + turned])
    colour, half = COLOURS[digit], UNIT * 0.6
    return [
        f'<g data-turn="{90 * turned}" transform="translate({x} {y}) scale(0.6)">',
        f'<path d="{outline(own)}" fill="{colour}" stroke="{_lighter(colour, -0.38)}" stroke-width="2.5" '
        'stroke-linejoin="round"/></g>',
        f'<text x="{x + 4 * half + 6}" y="{y + 14}" font-size="12" fill="{FAINT}">{90 * turned}°</text>',
    ]


def outline(own: set[Square]) -> str:
    """The border of a set of squares as an SVG path, holes included: edges walked with the squares on the right."""
    edges: dict[Square, list[Square]] = {}
    for y, x in sorted(own):
        for begin, end, beyond in (
            ((y, x), (y, x + 1), (y - 1, x)),
            ((y, x + 1), (y + 1, x + 1), (y, x + 1)),
            ((y + 1, x + 1), (y + 1, x), (y + 1, x)),
            ((y + 1, x), (y, x), (y, x - 1)),
        ):
            if beyond not in own:
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


def _inner_lines(own: set[Square]) -> str:
    """Lines between neighbouring squares of one tile: they make squares easy to count."""
    right = (f"M{(x + 1) * UNIT} {y * UNIT + 2}v{UNIT - 4}" for y, x in sorted(own) if (y, x + 1) in own)
    below = (f"M{x * UNIT + 2} {(y + 1) * UNIT}h{UNIT - 4}" for y, x in sorted(own) if (y + 1, x) in own)
    return "".join((*right, *below))


def _lighter(colour: str, by: float) -> str:
    """The colour mixed with white, or, below 0, with black."""
    goal = 255 if by > 0 else 0
    mixed = (round(int(colour[i : i + 2], 16) * (1 - abs(by)) + goal * abs(by)) for i in (1, 3, 5))
    return "#" + "".join(f"{part:02x}" for part in mixed)
