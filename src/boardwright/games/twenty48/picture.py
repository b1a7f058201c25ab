"""A picture of 2048: rounded tiles from sand through apricot and rose to plum, the score above."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from boardwright.contract.game import CHANCE, OVER

if TYPE_CHECKING:
    from boardwright.games.twenty48.look import SlidingLook

SANS = "Avenir Next, Segoe UI, Helvetica Neue, Helvetica, Arial, sans-serif"
TILE, GAP, MARGIN, HEAD = 100, 12, 24, 84
INK, PAPER, FRAME, HOLE = "#40352f", "#fbf7f0", "#b7a999", "#cbbfb0"
# By exponent, 0 unused; larger tiles keep the last colour.
COLOURS = (
    "", "#f3ead9", "#f0dfba", "#f4c98b", "#f3ae6d", "#ee9060", "#e5705a", "#d95a66", "#c44a78", "#a64487",
    "#854391", "#644594", "#4a4a94", "#36588f", "#2b6a86", "#2a7a74", "#2f6b4f",
)  # fmt: skip


def draw(game: SlidingLook, s: Any) -> str:
    """The state as an SVG document; each cell carries `data-cell`, each tile is a group with `data-tile`."""
    board = game.size * TILE + (game.size + 1) * GAP
    width, height = board + 2 * MARGIN, board + MARGIN + HEAD
    head = f'<rect width="{width}" height="{height}" rx="18" fill="{PAPER}"/>{_head(game, s, width)}'
    return _document(game, s, f"0 0 {width} {height}", head, board, s.actor == OVER)


def page(game: SlidingLook, s: Any, moves: Mapping[int, str], narrow: bool) -> dict[str, Any]:
    """What the page in the browser shows and needs: the board alone, and where each slide takes each tile."""
    board = game.size * TILE + (game.size + 1) * GAP
    slides = {text: _slide(game, s, move) for move, text in moves.items()}
    hover = {"kind": "slide", "slides": slides, "step": TILE + GAP, "largest": 1 << max(s.cells) if max(s.cells) else 0}
    return {"svg": _document(game, s, f"{MARGIN} {HEAD} {board} {board}", "", board, False), "hover": hover}


def _slide(game: SlidingLook, s: Any, direction: int) -> list[tuple[str, int, int, bool]]:
    """Of each tile that moves: its cell, how many columns and rows it goes, whether it merges into another."""
    return [
        (game.cell_name(cell), stop % game.size - cell % game.size, stop // game.size - cell // game.size, merged)
        for cell, stop, merged in _paths(game, s, direction)
    ]


def merges(game: SlidingLook, s: Any, direction: int) -> list[int]:
    """The tiles that a slide makes by merging."""
    return [2 << s.cells[cell] for cell, _, merged in _paths(game, s, direction) if merged]


def _paths(game: SlidingLook, s: Any, direction: int) -> list[tuple[int, int, bool]]:
    """Of each tile that moves: from which cell to which, and whether it merges there."""
    step, found = game.away(direction), []
    for lane in range(game.size):
        target = cell = game.wall(direction, lane)
        waiting = 0
        for _ in range(game.size):
            tile = s.cells[cell]
            merged = tile != 0 and tile == waiting
            stop = target - step if merged else target
            if tile != 0 and stop != cell:
                found.append((cell, stop, merged))
            if tile != 0:
                target, waiting = (target, 0) if merged else (target + step, tile)
            cell += step
    return found


def _document(game: SlidingLook, s: Any, box: str, head: str, board: int, veil: bool) -> str:
    wide, high = box.split()[2:]
    frame = f'x="{MARGIN}" y="{HEAD}" width="{board}" height="{board}" rx="14"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{wide}" height="{high}" '
        f'font-family="{SANS}" role="img" aria-label="2048, score {s.score}">',
        head,
        f'<rect {frame} class="frame" fill="{FRAME}"/>',
        *(_hole(game, cell, s.cells[cell]) for cell in range(game.area)),
        *(_tile(game, cell, s.cells[cell]) for cell in range(game.area) if s.cells[cell]),
    ]
    if veil:
        width = board + 2 * MARGIN
        middle = HEAD + board / 2
        parts += [
            f'<rect {frame} fill="{PAPER}" fill-opacity="0.55"/>',
            f'<rect x="{width / 2 - 112:g}" y="{middle - 34:g}" width="224" height="68" rx="34" fill="{INK}"/>',
            f'<text x="{width / 2:g}" y="{middle + 10:g}" font-size="28" font-weight="700" fill="{PAPER}" '
            'text-anchor="middle">Game over</text>',
        ]
    return "".join(parts) + "</svg>"


def _head(game: SlidingLook, s: Any, width: int) -> str:
    words = "new tile" if s.actor == CHANCE else ""
    largest = 1 << max(s.cells) if max(s.cells) else 0
    small = 'font-size="13" font-weight="600" fill="#8d7f72" letter-spacing="1.2"'
    large = f'font-size="30" font-weight="700" fill="{INK}"'
    return (
        f'<text x="{MARGIN + 4}" y="32" {small}>SCORE</text><text x="{MARGIN + 4}" y="66" {large}>{s.score:,}</text>'
        f'<text x="{width / 2:g}" y="66" {small} text-anchor="middle">{words}</text>'
        f'<text x="{width - MARGIN - 4}" y="32" {small} text-anchor="end">LARGEST</text>'
        f'<text x="{width - MARGIN - 4}" y="66" {large} text-anchor="end">{largest:,}</text>'
    )


def _corner(game: SlidingLook, cell: int) -> tuple[int, int]:
    row, column = divmod(cell, game.size)
    return MARGIN + GAP + column * (TILE + GAP), HEAD + GAP + row * (TILE + GAP)


def _hole(game: SlidingLook, cell: int, tile: int) -> str:
    x, y = _corner(game, cell)
    name = f'data-cell="{game.cell_name(cell)}" data-holds="{1 << tile if tile else ""}"'
    return f'<rect x="{x}" y="{y}" width="{TILE}" height="{TILE}" rx="11" class="hole" fill="{HOLE}" {name}/>'


def _tile(game: SlidingLook, cell: int, tile: int) -> str:
    x, y = _corner(game, cell)
    place = f'x="{x}" width="{TILE}" height="{TILE}" rx="11"'
    number = str(1 << tile)
    size = (46, 46, 39, 31, 26, 21)[min(len(number), 6) - 1] if len(number) < 7 else 130 // len(number)
    ink = INK if tile <= 3 else "#fffaf2"
    return (
        f'<g data-tile="{game.cell_name(cell)}"><rect {place} y="{y + 3}" fill="#5d4a3c" fill-opacity="0.28"/>'
        f'<rect {place} y="{y}" fill="{COLOURS[min(tile, len(COLOURS) - 1)]}"/>'
        f'<text x="{x + TILE / 2:g}" y="{y + TILE / 2 + size * 0.36:.1f}" font-size="{size}" font-weight="700" '
        f'fill="{ink}" text-anchor="middle">{number}</text></g>'
    )
