"""Pictures of Azul: the table, and for the page what each move would score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from boardwright.games.azul.preview import preview
from boardwright.games.azul.rules import COLOURS, NOBODY, AzulRules
from boardwright.games.azul.spoken import board_words, floor_words, line_words, table_words, tiles_words
from boardwright.games.azul.text import PENALTIES, fallen_tiles, phase, tiles_of

TILE = 34
GAP = 4
STEP = TILE + GAP
WIDTH = 1000
BOARD_WIDTH, BOARD_HEIGHT = 470, 330
# Colour of the tile, of its ornament, of its letter.
PAINT = {
    "B": ("#2f78b7", "#8fc1e8", "#ffffff"),
    "Y": ("#eeb62f", "#fbe29a", "#5b3d00"),
    "R": ("#c8402f", "#f0a596", "#ffffff"),
    "D": ("#34383f", "#868e99", "#ffffff"),
    "W": ("#e3f1f1", "#5fb0b3", "#12585c"),
}
INK, SOFT, CARD, TABLE, RIM, ACCENT = "#22354a", "#6d7f91", "#fffdf8", "#e9e4d8", "#cbbf9f", "#c98a1b"
FONT = "Avenir Next, Segoe UI, Helvetica Neue, DejaVu Sans, sans-serif"


def draw(game: AzulRules, s: Any) -> str:
    """The table as a complete SVG document. The tiles on offer carry data-cell="5B", the lines of the player to act
    data-cell="2" or "F": put together they are a move's text."""
    return _document(game, s, WIDTH, {5: 5, 7: 4, 9: 5}[game.displays], 2, 74)


def page(game: AzulRules, s: Any, moves: Mapping[int, str], narrow: bool) -> dict[str, Any]:
    """What the page in the browser shows and needs: the table without its heading, on a narrow screen one board below
    the other; and what each move would score if the round ended with it."""
    wide = (WIDTH, {5: 5, 7: 4, 9: 5}[game.displays], 2, 16)
    picture = _document(game, s, *((510, 3, 1, 16) if narrow else wide))
    hover = {
        "kind": "pick",
        "preview": {text: preview(game, s, move) for move, text in moves.items()},
        "round": int(s.round),
        "bag": int(sum(s.bag)),
        "lid": int(sum(s.lid)),
    }
    return {"svg": picture, "hover": hover}


def _document(game: AzulRules, s: Any, width: int, per_row: int, beside: int, top: int) -> str:
    """`per_row` displays and `beside` boards side by side, `top` pixels for the heading."""
    rows = -(-game.displays // per_row)
    centre_y = top + rows * 138
    boards_y = centre_y + 92
    height = boards_y + -(-game.players // beside) * (BOARD_HEIGHT + 20) + 4
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="{FONT}">',
        _defs(),
        f'<rect width="{width}" height="{height}" rx="18" class="paper" fill="{TABLE}"/>',
        _header(s) if top > 60 else "",
        *(f'<g data-told="{words}"/>' for words in table_words(game, s)),
    ]
    for display in range(game.displays):
        row, column = divmod(display, per_row)
        in_row = min(per_row, game.displays - row * per_row)
        x = width / 2 + (column - (in_row - 1) / 2) * (172 if width > 600 else 164)
        parts.append(_display(s, display, x, top + 54 + row * 138))
    parts.append(_centre(game, s, centre_y, width))
    for p in range(game.players):
        alone = p == game.players - 1 and p % beside == 0
        x = (width - BOARD_WIDTH) / 2 if alone or beside == 1 else 20 + (p % 2) * (BOARD_WIDTH + 20)
        parts.append(_player_board(game, s, p, x, boards_y + (p // beside) * (BOARD_HEIGHT + 20)))
    return "".join(parts) + "</svg>"


def board_figure(game: AzulRules, s: Any) -> str:
    """The first player's board alone, as a document: a figure of the rules."""
    size = f"0 0 {BOARD_WIDTH + 12} {BOARD_HEIGHT + 12}"
    drawn = _defs() + _player_board(game, s, 0, 6, 4)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" font-family="{FONT}">{drawn}</svg>'


def offer_figure(game: AzulRules, s: Any, displays: int = 3) -> str:
    """The first displays and the centre alone, as a document."""
    width = 172 * displays
    drawn = _defs() + "".join(_display(s, display, 86 + 172 * display, 70) for display in range(displays))
    drawn += _centre(game, s, 146, width)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 222" font-family="{FONT}">{drawn}</svg>'


def _defs() -> str:
    """One symbol a colour: glaze, four corner petals, and the letter for those who cannot tell the hues."""
    made = [
        '<defs><linearGradient id="azul-glaze" x1="0" y1="0" x2="0" y2="1">'
        '<stop offset="0" stop-color="#fff" stop-opacity=".32"/><stop offset=".5" stop-color="#fff" stop-opacity="0"/>'
        '<stop offset="1" stop-color="#000" stop-opacity=".16"/></linearGradient>'
        '<radialGradient id="azul-plate"><stop offset="0" stop-color="#fffefb"/>'
        '<stop offset=".82" stop-color="#f6f1e4"/><stop offset="1" stop-color="#e2d9c3"/></radialGradient>'
        f'<clipPath id="azul-clip">{_square(0, 0, "")}</clipPath>'
    ]
    corners = "".join(f'<circle cx="{x}" cy="{y}" r="9"/>' for x in (2, 32) for y in (2, 32))
    for letter, (paint, ornament, ink) in PAINT.items():
        made.append(
            f'<symbol id="azul-{letter}" viewBox="0 0 34 34">' + _square(0, 0, f'fill="{paint}"')
            + f'<g clip-path="url(#azul-clip)" fill="{ornament}" fill-opacity=".55">{corners}</g>'
            + _square(0, 0, 'fill="url(#azul-glaze)" stroke="#0b1a28" stroke-opacity=".35"')
            + _words(17, 22.6, letter, 15, ink, weight=700) + "</symbol>"
        )  # fmt: skip
    marker = _square(0, 0, f'fill="#fff8e6" stroke="{ACCENT}" stroke-width="2"')
    marker += _words(17, 23.5, "1", 18, ACCENT, weight=700)
    return "".join(made) + f'<symbol id="azul-M" viewBox="0 0 34 34">{marker}</symbol></defs>'


def _square(x: float, y: float, style: str) -> str:
    """A tile's outline, or the place for one."""
    return f'<rect x="{x + 1:g}" y="{y + 1:g}" width="{TILE - 2}" height="{TILE - 2}" rx="6" {style}/>'


def _badge(x: float, y: float, name: str) -> str:
    """The name of a source."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="14" fill="{INK}"/>' + _words(x, y + 5, name, 14, "#fff", weight=700)


def _tile(letter: str, x: float, y: float, cell: str = "", size: int = TILE, words: str = "") -> str:
    hook = f' data-cell="{cell}" data-label="{words}"' if cell else ""
    return f'<use href="#azul-{letter}" x="{x:g}" y="{y:g}" width="{size}" height="{size}"{hook}/>'


def _words(x: float, y: float, text: str, size: int, fill: str = INK, anchor: str = "middle", weight: int = 400) -> str:
    style = f'font-size="{size}" font-weight="{weight}" fill="{fill}" text-anchor="{anchor}"'
    return f'<text x="{x:g}" y="{y:g}" {style}>{text}</text>'


def _header(s: Any) -> str:
    return (
        _words(28, 42, f"Round {s.round}", 24, weight=600, anchor="start")
        + _words(WIDTH / 2, 42, phase(s), 18, SOFT)
        + _words(WIDTH - 28, 42, f"bag {sum(s.bag)} · lid {sum(s.lid)}", 18, SOFT, "end")
    )


def _display(s: Any, display: int, x: float, y: float) -> str:
    name, ring = display + 1, PAINT["B"][0]
    made = [
        f'<circle cx="{x:g}" cy="{y + 3:g}" r="62" fill="#000" fill-opacity=".10"/>',
        f'<circle cx="{x:g}" cy="{y:g}" r="62" data-spot="from {display}" fill="url(#azul-plate)" stroke="{RIM}" '
        'stroke-width="1.5"/>',
        f'<circle cx="{x:g}" cy="{y:g}" r="55" fill="none" stroke="{ring}" stroke-opacity=".35" stroke-width="1.5"/>',
    ]
    tiles = tiles_of(s.offer, display)
    for i, letter in enumerate(tiles):
        left, top = x + (i % 2 - 1) * STEP + GAP / 2, y + (i // 2 - 1) * STEP + GAP / 2
        words = f"{tiles_words(tiles.count(letter), letter)} on display {name}"
        made.append(_tile(letter, left, top, f"{name}{letter}", words=words))
    if not tiles:
        made.append(_words(x, y + 8, str(name), 24, "#c4b797", weight=600))
    else:
        made.append(_badge(x - 50, y - 46, str(name)))
    return "".join(made)


def _centre(game: AzulRules, s: Any, y: float, width: int) -> str:
    """One tile a colour with its number: the centre can hold dozens."""
    tiles = tiles_of(s.offer, game.displays)
    wide = min(620, width - 20)
    x, apart = (width - wide) / 2, (wide - 112) / 5
    made = [
        f'<rect x="{x:g}" y="{y:g}" width="{wide}" height="68" rx="34" class="card" data-spot="from {game.displays}" '
        f'fill="{CARD}" stroke="{RIM}" '
        'stroke-width="1.5"/>',
        _badge(x + 34, y + 34, "C"),
    ]
    if s.marker == NOBODY and not s.over:
        made.append(_tile("M", x + 66, y + 17))
    for i, letter in enumerate(dict.fromkeys(tiles)):
        left, words = x + 106 + i * apart, f"{tiles_words(tiles.count(letter), letter)} in the centre"
        if tiles.count(letter) > 1:
            made.append(_tile(letter, left + 5, y + 13, f"C{letter}", words=words))
        made.append(_tile(letter, left, y + 17, f"C{letter}", words=words))
        made.append(_words(left + 42, y + 40, f"×{tiles.count(letter)}", 17, INK, "start", 600))
    return "".join(made)


def _player_board(game: AzulRules, s: Any, p: int, x: float, y: float) -> str:
    acting = not s.over and not s.to_deal and s.turn == p
    rim = f'stroke="{ACCENT}" stroke-width="3"' if acting else 'stroke="#d6ccb4" stroke-width="1.5"'
    size = f'width="{BOARD_WIDTH}" height="{BOARD_HEIGHT}" rx="16"'
    made = [
        f'<g data-told="{board_words(game, s, p)}" data-seat="{p}"/>',
        f'<rect x="{x:g}" y="{y + 4:g}" {size} fill="#000" fill-opacity=".07"/>',
        f'<rect x="{x:g}" y="{y:g}" {size} class="card" fill="{CARD}" {rim}/>',
        _words(x + 34, y + 37, f"Player {p + 1}", 20, INK, "start", 600).replace("<text", f'<text data-seat="{p}"', 1),
        _words(x + BOARD_WIDTH - 27, y + 40, str(s.score[p]), 30, INK, "end", 700),
    ]
    if s.over:
        rows = game.complete_rows(s, p)
        made.append(_words(x + 144, y + 37, f"{rows} complete row{'' if rows == 1 else 's'}", 15, SOFT, "start"))
    elif s.marker == p or (s.to_deal and s.first == p):
        made.append(_tile("M", x + 142, y + 17, size=26) + _words(x + 176, y + 37, "starts next", 15, SOFT, "start"))
    for row in range(5):
        top = y + 58 + row * STEP
        made.append(_pattern_line(s, p, row, x + 34, top, acting))
        made.append(f'<path d="M{x + 229:g} {top + 11} l8 6 l-8 6 z" fill="#c9bd9f"/>')
        for column in range(5):
            made.append(_wall_place(s, p, row, column, x + 244 + column * (STEP + 4), top))
    made.append(_floor_line(s, p, x + 34, y + 268, acting))
    return "".join(made)


def _pattern_line(s: Any, p: int, row: int, x: float, y: float, acting: bool) -> str:
    """Right-aligned, and filled from the right."""
    name = f'data-spot="{p} line {row}"'
    made = [f'<g data-cell="{row + 1}" data-label="{line_words(s, p, row)}" {name}>' if acting else f"<g {name}>"]
    for i in range(row + 1):
        left = x + (4 - i) * STEP
        if i < s.line_fill[p, row]:
            made.append(_tile(COLOURS[s.line_colour[p, row]], left, y))
        else:
            made.append(_square(left, y, 'fill="#efe9da" stroke="#d3c8ad"'))
    made.append(_words(x + (4 - row) * STEP - 11, y + 22, str(row + 1), 13, "#a3946c"))
    return "".join(made) + "</g>"


def _wall_place(s: Any, p: int, row: int, column: int, x: float, y: float) -> str:
    letter = COLOURS[(column - row) % 5]
    if s.wall[p, row, column]:
        return _tile(letter, x, y)
    paint, ornament, _ = PAINT[letter]
    edge = {"W": ornament, "Y": "#c48f12"}.get(letter, paint)
    faint = ".45" if letter == "W" else ".14"
    place = _square(x, y, f'fill="{paint}" fill-opacity="{faint}" stroke="{edge}" stroke-opacity=".4"')
    return f'{place}<g opacity=".75">{_words(x + 17, y + 22, letter, 13, edge)}</g>'


def _floor_line(s: Any, p: int, x: float, y: float, acting: bool) -> str:
    name = f'data-spot="{p} line 5"'
    hook = f'data-cell="F" data-overflow="" data-label="{floor_words(s, p)}" {name}' if acting else name
    made = [f"<g {hook}>", _words(x - 11, y + 22, "F", 13, "#a3946c")]
    fallen = fallen_tiles(s, p)
    for i, penalty in enumerate(PENALTIES):
        left = x + i * (STEP + 4)
        made.append(_words(left + 17, y - 4, f"−{penalty}", 12, "#b0503f", weight=600))
        if i < len(fallen):
            made.append(_tile(fallen[i], left, y))
        else:
            made.append(_square(left, y, 'fill="#f4e4dd" stroke="#dcbcb0"'))
    cost = sum(PENALTIES[: len(fallen)])
    if cost:
        made.append(_words(x + 7 * (STEP + 4) + 14, y + 24, f"−{cost}", 19, "#b0503f", "start", 700))
    return "".join(made) + "</g>"
