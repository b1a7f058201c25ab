"""Pictures of the line games: tic-tac-toe on paper, Gomoku on a wooden board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from boardwright.games.in_a_row.rules import LETTERS

if TYPE_CHECKING:
    from boardwright.games.in_a_row.look import LineLook

SANS = "Avenir Next, Segoe UI, Helvetica Neue, Helvetica, Arial, sans-serif"
CELL = 40
MARGIN = 52
STATUS = 46  # height of the line of words below


def draw(game: LineLook, s: Any) -> str:
    """The state as an SVG document; a free cell carries `data-move`, its move's name."""
    return _Wood(game, s).document() if game.picture == "wood" else _Paper(game, s).document()


def page(game: LineLook, s: Any, moves: Mapping[int, str], narrow: bool) -> dict[str, Any]:
    """What the page in the browser shows and needs: the board alone, and the stone that would come next, drawn round
    0,0, for the cell under the pointer."""
    sheet = _Wood(game, s) if game.picture == "wood" else _Paper(game, s)
    x, y = sheet.centre(0)
    sheet.stones[0], kept = game.turn(s) + 1, sheet.stones[0]
    ghost = f'<g transform="translate({-x:g} {-y:g})">{sheet.stone(0)}</g>' if moves else ""
    sheet.stones[0] = kept
    return {"svg": sheet.document(bare=True), "hover": {"kind": "cells", "ghost": ghost}}


class _Sheet:
    """What both pictures share: measures, the frame, names of rows and columns, places to click."""

    cell = CELL
    margin = MARGIN
    foot = STATUS  # room below the board
    names = ("", "X", "O")  # of what a cell holds

    def __init__(self, game: LineLook, s: Any) -> None:
        self.game = game
        self.stones = [s.cells[game.point(cell)] for cell in range(game.actions)]
        self.last = game.last_cell(s)
        self.won = game.winning_cells(s)
        self.status = game.status(s).partition(":")[0]
        self.width = 2 * self.margin + game.columns * self.cell
        self.height = 2 * self.margin + game.height * self.cell

    def centre(self, cell: int) -> tuple[float, float]:
        row, column = divmod(cell, self.game.columns)
        return self.margin + (column + 0.5) * self.cell, self.margin + (row + 0.5) * self.cell

    def document(self, bare: bool = False) -> str:
        """The picture; `bare`: without the words below, which the page has elsewhere."""
        self.foot = 0 if bare else STATUS
        width, height = self.width, self.height + self.foot
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'font-family="{SANS}" role="img" aria-label="{self.game.name}: {self.spoken()}">'
            f"{self.body()}{self.places()}</svg>"
        )

    def body(self) -> str:
        raise NotImplementedError

    def stone(self, cell: int) -> str:
        """The stone of a cell, if there is one."""
        raise NotImplementedError

    def labels(self, colour: str, offset: float) -> str:
        """Letters below, numbers at the left."""
        parts = [f'<g fill="{colour}" font-size="14" text-anchor="middle" font-weight="500">']
        for column in range(self.game.columns):
            x, _ = self.centre(column)
            parts.append(f'<text x="{x:g}" y="{self.height - offset + 5:g}">{LETTERS[column]}</text>')
        for row in range(self.game.height):
            _, y = self.centre(row * self.game.columns)
            parts.append(f'<text x="{offset:g}" y="{y + 5:g}">{self.game.height - row}</text>')
        return "".join(parts) + "</g>"

    def words(self, colour: str) -> str:
        if not self.foot:
            return ""
        return (
            f'<text x="{self.width / 2:g}" y="{self.height + 26:g}" fill="{colour}" font-size="19" font-weight="600" '
            f'text-anchor="middle">{self.spoken()}</text>'
        )

    def spoken(self) -> str:
        return self.status

    def places(self) -> str:
        parts = ['<g fill="#000" fill-opacity="0">']
        for cell, stone in enumerate(self.stones):
            x, y = self.centre(cell)
            what = f'data-cell="{self.game.cell_name(cell)}" data-holds="{self.names[stone]}"'
            if not stone and not self.won:
                what += f' data-move="{self.game.cell_name(cell)}"'
            half = self.cell / 2
            parts.append(f'<rect x="{x - half:g}" y="{y - half:g}" width="{self.cell}" height="{self.cell}" {what}/>')
        return "".join(parts) + "</g>"


class _Paper(_Sheet):
    """Tic-tac-toe: a warm sheet, a grid of rounded strokes, a red cross and a blue ring."""

    CROSS, RING, INK = "#d1495b", "#2e6f95", "#3d3a36"

    def __init__(self, game: LineLook, s: Any) -> None:
        self.cell = 110 if game.actions <= 16 else 72 if game.actions <= 49 else 48
        super().__init__(game, s)

    def body(self) -> str:
        return "".join(
            [
                f'<rect width="{self.width}" height="{self.height + self.foot}" rx="18" class="paper" fill="#faf6ee"/>',
                *self.highlights(),
                self.grid(),
                *(self.stone(cell) for cell in range(self.game.actions)),
                self.strike(),
                self.labels("#9a9287", 26),
                self.words(self.INK),
            ]
        )

    def grid(self) -> str:
        left, top = self.margin, self.margin
        right, bottom = self.width - self.margin, self.height - self.margin
        strokes = [f"M{left + i * self.cell} {top}V{bottom}" for i in range(1, self.game.columns)]
        strokes += [f"M{left} {top + i * self.cell}H{right}" for i in range(1, self.game.height)]
        width = self.cell * 0.035
        style = f'class="rule" stroke="#c9c0b2" stroke-width="{width:g}" stroke-linecap="round"'
        return f'<path d="{"".join(strokes)}" {style}/>'

    def highlights(self) -> list[str]:
        marked = [(cell, "#f6dfa8") for cell in self.won] or [(self.last, "#f1e9d8")] * (self.last >= 0)
        side = self.cell * 0.9
        parts = []
        for cell, colour in marked:
            x, y = self.centre(cell)
            place = f'x="{x - side / 2:g}" y="{y - side / 2:g}" width="{side:g}" height="{side:g}"'
            parts.append(f'<rect {place} rx="{side * 0.14:g}" class="glow" fill="{colour}"/>')
        return parts

    def stone(self, cell: int) -> str:
        """An X or an O."""
        x, y = self.centre(cell)
        reach = self.cell * 0.25
        stroke = f'stroke-width="{self.cell * 0.105:g}" stroke-linecap="round" fill="none"'
        if self.stones[cell] == 1:
            over = 2 * reach
            arms = f"M{x - reach:g} {y - reach:g}l{over:g} {over:g}m{-over:g} 0l{over:g} {-over:g}"
            return f'<path d="{arms}" stroke="{self.CROSS}" {stroke}/>'
        if self.stones[cell] == 2:
            return f'<circle cx="{x:g}" cy="{y:g}" r="{reach * 1.08:g}" stroke="{self.RING}" {stroke}/>'
        return ""

    def strike(self) -> str:
        """A stroke through the winning line; two lines won at once are shown by their cells alone."""
        rows = {cell // self.game.columns for cell in self.won}
        columns = {cell % self.game.columns for cell in self.won}
        straight = len(rows) in (1, len(self.won)) and len(columns) in (1, len(self.won))
        if not self.won or not straight:
            return ""
        (x, y), (u, v) = self.centre(self.won[0]), self.centre(self.won[-1])
        over = 0.3 / (len(self.won) - 1)  # the stroke runs a little over both ends
        x, y, u, v = x - over * (u - x), y - over * (v - y), u + over * (u - x), v + over * (v - y)
        return (
            f'<path d="M{x:g} {y:g}L{u:g} {v:g}" stroke="{self.INK}" stroke-opacity="0.55" '
            f'stroke-width="{self.cell * 0.05:g}" stroke-linecap="round"/>'
        )


class _Wood(_Sheet):
    """Gomoku: stones on the crossings of a wooden board."""

    STATUS_NAMES = {"X": "Black", "O": "White"}
    names = ("", "black", "white")

    def spoken(self) -> str:
        who, _, rest = self.status.partition(" ")
        return f"{self.STATUS_NAMES.get(who, who)} {rest}"

    def body(self) -> str:
        return "".join(
            [
                _WOOD_DEFS,
                f'<rect width="{self.width}" height="{self.height + self.foot}" rx="16" class="paper" fill="#f4ede1"/>',
                f'<rect x="8" y="8" width="{self.width - 16}" height="{self.height - 12}" rx="12" '
                'fill="url(#gomoku-wood)" stroke="#a9793f" stroke-width="1.5"/>',
                self.grain(),
                self.lines(),
                *(self.stone(cell) for cell in range(self.game.actions)),
                *self.marks(),
                self.labels("#6d4a1f", 30),
                self.words("#4a3520"),
            ]
        )

    def grain(self) -> str:
        """A few soft waves, the same every time."""
        parts, width = [], self.width - 16
        for i in range(1, 12):
            y = 8 + (self.height - 12) * i / 12
            swing = 9 * ((i * 7) % 5 - 2)
            parts.append(f"M8 {y:.1f}c{width * 0.3:.1f} {swing} {width * 0.6:.1f} {-swing} {width} {swing / 2:g}")
        return f'<path d="{"".join(parts)}" fill="none" stroke="#b98546" stroke-opacity="0.16" stroke-width="7"/>'

    def lines(self) -> str:
        (left, top), (right, bottom) = self.centre(0), self.centre(self.game.actions - 1)
        strokes = [f"M{left + i * self.cell:g} {top:g}V{bottom:g}" for i in range(self.game.columns)]
        strokes += [f"M{left:g} {top + i * self.cell:g}H{right:g}" for i in range(self.game.height)]
        parts = [
            f'<path d="{"".join(strokes)}" stroke="#5b3d18" stroke-opacity="0.75" stroke-width="1.2"/>',
            f'<rect x="{left:g}" y="{top:g}" width="{right - left:g}" height="{bottom - top:g}" fill="none" '
            'stroke="#4c3212" stroke-width="2.4"/>',
        ]
        for cell in self.star_points():
            x, y = self.centre(cell)
            parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="4.2" fill="#4c3212"/>')
        return "".join(parts)

    def star_points(self) -> list[int]:
        columns, rows = self.game.columns, self.game.height
        if columns != rows or columns % 2 == 0 or columns < 9:
            return []
        near, middle = (3 if columns >= 13 else 2), columns // 2
        far = columns - 1 - near
        spots = [(near, near), (near, far), (middle, middle), (far, near), (far, far)]
        return [row * columns + column for row, column in spots]

    def stone(self, cell: int) -> str:
        if not self.stones[cell]:
            return ""
        x, y = self.centre(cell)
        radius = self.cell * 0.45
        colour = ("black", "white")[self.stones[cell] - 1]
        edge = "#0b0b0c" if colour == "black" else "#b9b2a6"
        return (
            f'<circle cx="{x + 1.6:g}" cy="{y + 2.8:g}" r="{radius:g}" fill="#2c1c08" fill-opacity="0.32"/>'
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="url(#gomoku-{colour})" '
            f'stroke="{edge}" stroke-width="0.6"/>'
        )

    def marks(self) -> list[str]:
        parts = []
        for cell in self.won:
            x, y = self.centre(cell)
            ring = f'cx="{x:g}" cy="{y:g}" r="{self.cell * 0.45 + 0.6:g}"'
            parts.append(f'<circle {ring} fill="none" stroke="#e0a100" stroke-width="3"/>')
        if self.last >= 0:
            x, y = self.centre(self.last)
            parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{self.cell * 0.13:g}" fill="#d8412f"/>')
        return parts


_WOOD_DEFS = """<defs>
<linearGradient id="gomoku-wood" x1="0" y1="0" x2="1" y2="1">
<stop offset="0" stop-color="#ecc98b"/><stop offset="0.5" stop-color="#e2b56e"/><stop offset="1" stop-color="#d6a45a"/>
</linearGradient>
<radialGradient id="gomoku-black" cx="0.36" cy="0.32" r="0.75">
<stop offset="0" stop-color="#6b6d74"/><stop offset="0.35" stop-color="#303238"/><stop offset="1" stop-color="#0e0f12"/>
</radialGradient>
<radialGradient id="gomoku-white" cx="0.36" cy="0.32" r="0.8">
<stop offset="0" stop-color="#ffffff"/><stop offset="0.6" stop-color="#f3f0ea"/><stop offset="1" stop-color="#cfc8bb"/>
</radialGradient>
</defs>"""
