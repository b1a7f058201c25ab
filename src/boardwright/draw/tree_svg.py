"""A tree for the eye: the root's board, below it its best children, below them theirs, as one SVG.

On every card: the move in the colour of whoever chose it, N visits, Q the value to whoever chose, P how much the move
was liked before the search. Each number is in a `data-` attribute too, for programs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape

from boardwright.contract.game import CHANCE, Game
from boardwright.contract.position import Position
from boardwright.draw.embed import EmbeddedBoard, embedded_board
from boardwright.draw.labels import data, percent, prior_text, sentence, value_text, who
from boardwright.draw.palette import CARD, DRAWS, FAINT, INK, LINE, PAPER, PROVEN, SANS, colour_of
from boardwright.draw.visible_tree import Node, top_of
from boardwright.search.tree import RUN, Tree

EDGE = 30.0  # free space round everything
PAD = 8.0  # inside a card
ACROSS, DOWN = 12.0, 52.0  # between neighbours, between levels
BETWEEN = 12.0  # between the cards of a column
INDENT, TRUNK = 24.0, 11.0  # of a column below its parent's left side; of the line that runs down beside it
HEADER, ROW = 24.0, 16.0  # the move's line above a board; a line of numbers below
TAB = 16.0  # "+7 more" hanging from a card
PILL, PILL_HEIGHT = 84.0, 24.0  # "+7 more" beside cards
NARROWEST = 124.0  # what two columns of numbers need
ROUND = 132.0  # the diameter of a chance node
THINNEST, THICKEST = 1.2, 11.0  # lines without visits, with all of them
LETTER = 0.58  # of the font's size: about what a letter takes
ROOT = 1.5  # the root's board is so much larger


def tree_picture(tree: Tree, position: Position, *, top: int = 4, depth: int = 3, board: int = 120) -> str:
    """The tree that a search grew from `position` as a complete SVG document: the `top` best children of every node,
    `depth` levels of moves and draws. A square board is `board` wide, any other has the same area."""
    root = top_of(tree, position, top, depth)
    spots = _spot(root, board)
    _arrange(spots)
    legend = _legend(position.game, spots)
    heading = f"{position.game}: {root.visits:,} visits"
    width = max(spots.span + 2 * EDGE, legend.width + 2 * EDGE, _long(heading, 18) + 2 * EDGE)
    _place(spots, (width - spots.span) / 2, EDGE + 34, _level_tops(spots, EDGE + 34))
    height = max(spot.y + spot.height for spot in spots.all()) + 28 + legend.height + EDGE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" font-family="{SANS}" fill="{INK}" role="img" '
        f'aria-label="{escape(f"Search tree of {heading}")}">',
        f'<rect width="100%" height="100%" fill="{PAPER}"/>',
        f'<text x="{width / 2:.1f}" y="{EDGE + 10}" font-size="18" font-weight="600" text-anchor="middle">'
        f"{escape(heading)}</text>",
        '<g fill="none" stroke-linecap="round" stroke-linejoin="round">',
        *(line for spot in spots.all() for line in _lines(spot)),
        "</g>",
        *(_drawn(spot) for spot in spots.all()),
        legend.at((width - legend.width) / 2, height - EDGE - legend.height),
        "</svg>\n",
    ]
    return "\n".join(parts)


# Where everything goes


@dataclass
class Spot:
    """A node, or the pill that counts the children left out beside their siblings (no node), and its place."""

    width: float
    height: float
    level: int
    node: Node | None = None
    board: EmbeddedBoard | None = None
    pill: int = 0
    children: list[Spot] = field(default_factory=list)
    column: bool = False  # whether the children stand one below the other
    span: float = 0.0  # width of all that is below, or of itself
    x: float = 0.0
    y: float = 0.0

    def all(self) -> list[Spot]:
        return [self, *(spot for child in self.children for spot in child.all())]

    @property
    def middle(self) -> float:
        return self.x + self.width / 2


def _spot(node: Node, board: float, level: int = 0) -> Spot:
    if node.of_chance and node.children:
        spot = Spot(ROUND, ROUND, level, node)
    else:
        side = board * (ROOT if level == 0 else 1.0)
        picture = embedded_board(node.position, f"n{node.slot}-", side)
        wide = max(picture.width, NARROWEST) + 2 * PAD
        high = HEADER + picture.height + 2 * ROW + 2 * PAD + (TAB if node.more and not node.children else 0.0)
        spot = Spot(wide, high, level, node, picture)
    spot.children = [_spot(child, board, level + 1) for child in node.children]
    if node.more and node.children:
        spot.children.append(Spot(PILL, PILL_HEIGHT, level + 1, pill=node.more))
    return spot


def _arrange(spot: Spot) -> None:
    """Choose column or row, and find the width of every part. What nothing hangs from goes into a column: sixty-four
    boards side by side would be a ribbon that nobody can read."""
    for child in spot.children:
        _arrange(child)
    spot.column = spot.level > 0 and bool(spot.children) and not any(child.children for child in spot.children)
    if spot.column:
        spot.span = max(spot.width, INDENT + max(child.width for child in spot.children))
    else:
        spot.span = max(spot.width, sum(child.span for child in spot.children) + ACROSS * (len(spot.children) - 1))


def _level_tops(root: Spot, top: float) -> list[float]:
    """Where each level begins, counting only the first card of a column: the others hang lower."""
    every = root.all()
    stacked = {id(child) for spot in every if spot.column for child in spot.children}
    tops = [top]
    for level in range(max(spot.level for spot in every)):
        tallest = max((spot.height for spot in every if spot.level == level and id(spot) not in stacked), default=0.0)
        tops.append(tops[-1] + tallest + DOWN)
    return tops


def _place(spot: Spot, left: float, y: float, tops: list[float]) -> None:
    """Give a spot and all below it their places, in the strip of `spot.span` that begins at `left`."""
    spot.y = y
    if spot.column:
        spot.x = left
        y = tops[spot.level + 1] - DOWN + BETWEEN + 8
        for child in spot.children:
            _place(child, left + INDENT, y, tops)
            y += child.height + BETWEEN
        return
    spot.x = left + (spot.span - spot.width) / 2
    x = left + (spot.span - sum(child.span for child in spot.children) - ACROSS * (len(spot.children) - 1)) / 2
    for child in spot.children:
        _place(child, x, tops[child.level], tops)
        x += child.span + ACROSS


# Drawing


def _lines(spot: Spot) -> list[str]:
    """From a spot to its children."""
    if spot.node is None:
        return []
    colour = _mixed(colour_of(spot.node.actor))  # and not half transparent: lines run together in a column
    lines = []
    for child in reversed(spot.children):
        share = child.node.share if child.node else 0.0
        thick = THINNEST + (THICKEST - THINNEST) * share
        if spot.column:
            path = _down_the_side(spot, child)
        else:
            begin, end = child.y - DOWN, child.y + 2
            half = (begin + end) / 2
            path = (
                f"M{spot.middle:.1f} {spot.y + spot.height - 2:.1f}V{begin:.1f}"
                f"C{spot.middle:.1f} {half:.1f} {child.middle:.1f} {half:.1f} {child.middle:.1f} {end:.1f}"
            )
        dots = "" if child.node else ' stroke-dasharray="1 5"'
        lines.append(f'<path d="{path}" stroke="{colour}" stroke-width="{thick:.2f}"{dots} data-share="{share:.6f}"/>')
    return lines


def _down_the_side(spot: Spot, child: Spot) -> str:
    """The path to a child of a column: down the trunk, then to the child's left side."""
    x, y = spot.x + TRUNK, child.y + min(child.height / 2, 60.0)
    begin = f"M{x:.1f} {spot.y + spot.height - 3:.1f}"
    if spot.board is None:  # a circle does not reach into the corner above the trunk
        bottom = spot.y + 0.9 * ROUND
        begin = f"M{spot.x + 0.2 * ROUND:.1f} {bottom - 4:.1f}Q{x:.1f} {bottom + 4:.1f} {x:.1f} {bottom + 18:.1f}"
    return f"{begin}V{y - 10:.1f}Q{x:.1f} {y:.1f} {x + 10:.1f} {y:.1f}H{child.x + 2:.1f}"


def _mixed(colour: str) -> str:
    """The colour, made paler by the paper's."""
    pairs = ((int(colour[i : i + 2], 16), int(PAPER[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(0.6 * own + 0.4 * paper):02x}" for own, paper in pairs)


def _drawn(spot: Spot) -> str:
    box = f'data-box="{spot.x:.1f} {spot.y:.1f} {spot.width:.1f} {spot.height:.1f}"'
    if spot.node is None:
        return (
            f'<g {box} data-pill="{spot.pill}"><rect x="{spot.x:.1f}" y="{spot.y:.1f}" width="{spot.width}" '
            f'height="{spot.height}" rx="12" fill="#f1ece1" stroke="{LINE}"/>'
            f"{_text(f'+{spot.pill:,} more', spot.middle, spot.y + 16.5, 12, fill=FAINT, anchor='middle')}</g>"
        )
    inside = _card(spot, spot.node, spot.board) if spot.board else _circle(spot, spot.node)
    return f"<g {box} {data(spot.node)}><title>{escape(sentence(spot.node))}</title>{inside}</g>"


def _card(spot: Spot, node: Node, board: EmbeddedBoard) -> str:
    game, x, y, width = node.position.game, spot.x, spot.y, spot.width
    tabbed = bool(node.more and not node.children)
    height = spot.height - (TAB if tabbed else 0.0)
    left, right = x + PAD, x + width - PAD
    frame = colour_of(node.actor) if spot.level == 0 else LINE
    parts = []
    if tabbed:
        parts += [
            f'<rect x="{spot.middle - 36:.1f}" y="{y + height - 8:.1f}" width="72" height="{TAB + 8}" rx="7" '
            f'fill="#f1ece1" stroke="{LINE}"/>',
            _text(f"+{node.more:,} more", spot.middle, y + height + 11.5, 10.5, fill=FAINT, anchor="middle"),
        ]
    parts += [
        f'<rect x="{x + 1:.1f}" y="{y + 2.5:.1f}" width="{width:.1f}" height="{height:.1f}" rx="10" fill="#6b5f45" '
        'fill-opacity="0.10"/>',
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="10" fill="{CARD}" '
        f'stroke="{frame}" stroke-width="{2 if spot.level == 0 else 1}"/>',
        *_header(node, left, right, y + PAD),
        board.at(spot.middle - board.width / 2, y + PAD + HEADER),
    ]
    under = y + PAD + HEADER + board.height + ROW - 2
    prior = prior_text(node)
    parts += [
        _pair("N", f"{node.visits:,}", left, under, "start"),
        _text(percent(node.share), right, under, 12, fill=FAINT, anchor="end") if spot.level else "",
        _pair("Q", value_text(game, node.q), left, under + ROW, "start"),
        _pair("P", prior, right, under + ROW, "end") if prior else "",
    ]
    return "".join(parts)


def _header(node: Node, left: float, right: float, y: float) -> list[str]:
    """The move on a pill of its chooser's colour, and at the right what is proven of it."""
    parts = []
    if node.proven:
        width = _long(node.proven, 10.5) + 10
        colour = PROVEN[node.proven]
        parts += [
            f'<rect x="{right - width:.1f}" y="{y + 1:.1f}" width="{width:.1f}" height="16" rx="4" fill="none" '
            f'stroke="{colour}"/>',
            _text(node.proven, right - width / 2, y + 12.8, 10.5, fill=colour, anchor="middle", weight=600),
        ]
        right -= width + 6
    if node.of_chance:
        parts.append(_die(right - 17, y + 0.5, 17))
        right -= 23
    text = fitted(node.text or who(node.actor), right - left - 14, 12)
    width = _long(text, 12) + 14
    colour = colour_of(node.chooser) if node.text else colour_of(node.actor)
    parts += [
        f'<rect x="{left:.1f}" y="{y:.1f}" width="{width:.1f}" height="18" rx="9" fill="{colour}"/>',
        _text(text, left + width / 2, y + 13.2, 12, fill="#ffffff", anchor="middle", weight=600),
    ]
    return parts


def _circle(spot: Spot, node: Node) -> str:
    """A chance node: no board, since what matters is what comes next."""
    game, x, y, r = node.position.game, spot.middle, spot.y + ROUND / 2, ROUND / 2
    text = fitted(node.text or who(node.actor), 78, 12)
    wide = _long(text, 12) + 14
    dashes = ' stroke-dasharray="7 4"' if node.actor == RUN else ""
    prior = prior_text(node)
    every = len(node.children) + node.more
    ways = f"{every} sample{'s' * (every != 1)}" if node.actor == RUN else f"{every} outcome{'s' * (every != 1)}"
    return "".join(
        [
            f'<circle cx="{x + 1:.1f}" cy="{y + 2.5:.1f}" r="{r - 1}" fill="#6b5f45" fill-opacity="0.10"/>',
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r - 1}" fill="#f6f4fa" stroke="{DRAWS}" '
            f'stroke-width="1.6"{dashes}/>',
            f'<rect x="{x - wide / 2:.1f}" y="{y - 42:.1f}" width="{wide:.1f}" height="18" rx="9" '
            f'fill="{colour_of(node.chooser) if node.text else DRAWS}"/>',
            _text(text, x, y - 28.8, 12, fill="#ffffff", anchor="middle", weight=600),
            _die(x - 56, y - 9, 18),
            _pair("N", f"{node.visits:,}", x - 29, y - 4, "start"),
            _pair("Q", value_text(game, node.q) + (f" {node.proven}" if node.proven else ""), x - 29, y + 12, "start"),
            _pair("P", prior, x - 29, y + 28, "start") if prior else "",
            _text(ways, x, y + 46, 11, fill=DRAWS, anchor="middle"),
        ]
    )


def _die(x: float, y: float, side: float) -> str:
    dots = "".join(
        f'<circle cx="{x + side * a:.1f}" cy="{y + side * b:.1f}" r="{side * 0.09:.1f}"/>'
        for a, b in ((0.27, 0.27), (0.73, 0.27), (0.5, 0.5), (0.27, 0.73), (0.73, 0.73))
    )
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{side}" height="{side}" rx="{side * 0.2:.1f}" fill="#ffffff" '
        f'stroke="{DRAWS}" stroke-width="1.2"/><g fill="{DRAWS}">{dots}</g>'
    )


@dataclass
class Legend:
    """The line below the tree that says what is what."""

    entries: list[tuple[str, str]]  # a kind of mark and its words
    height: float = 20.0

    @property
    def width(self) -> float:
        return sum(22 + _long(words, 12) + 22 for _, words in self.entries) - 22

    def at(self, x: float, y: float) -> str:
        parts = [f'<g data-box="{x:.1f} {y:.1f} {self.width:.1f} {self.height}">']
        for mark, words in self.entries:
            if mark == "line":
                parts.append(f'<path d="M{x:.1f} {y + 6}H{x + 16:.1f}V{y + 15}L{x:.1f} {y + 12}Z" fill="{FAINT}"/>')
            elif mark == "die":
                parts.append(_die(x + 1, y + 3, 14))
            elif mark.startswith("#"):
                parts.append(f'<rect x="{x:.1f}" y="{y + 4}" width="16" height="12" rx="6" fill="{mark}"/>')
            else:
                parts.append(_text(mark, x + 8, y + 14.5, 12, fill=INK, anchor="middle", weight=700))
            parts.append(_text(words, x + 22, y + 14.5, 12, fill=FAINT))
            x += 22 + _long(words, 12) + 22
        return "".join(parts) + "</g>"


def _legend(game: Game, root: Spot) -> Legend:
    nodes = [spot.node for spot in root.all() if spot.node]
    unit = "in points" if game.counts_points else "1 a win, −1 a loss"
    entries = [(colour_of(player), f"player {player + 1} chooses") for player in range(game.players)]
    if any(node.of_chance for node in nodes):
        entries.append(("die", "chance draws"))
    entries += [("N", "visits"), ("Q", f"value to whoever chose, {unit}")]
    if any(node.prior is not None for node in nodes):
        chance = any(node.prior is not None and node.chooser == CHANCE for node in nodes)
        entries.append(("P", "liked before the search" + (", or chance" if chance else "")))
    return Legend([*entries, ("line", "share of visits")])


def _pair(name: str, value: str, x: float, y: float, anchor: str) -> str:
    inner = f'<tspan fill="{FAINT}">{name}</tspan><tspan dx="4" font-weight="600">{escape(value)}</tspan>'
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="12" text-anchor="{anchor}">{inner}</text>'


def _text(text: str, x: float, y: float, size: float, *, fill: str, anchor: str = "start", weight: int = 400) -> str:
    where = f'x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}"'
    return f'<text {where} font-weight="{weight}" fill="{fill}">{escape(text)}</text>'


def _long(text: str, size: float) -> float:
    """About how wide a text is; no font can be asked here."""
    return sum(1.0 if ord(letter) > 0x2E80 else LETTER for letter in text) * size


def fitted(text: str, width: float, size: float) -> str:
    """The text, cut to what fits."""
    if _long(text, size) <= width:
        return text
    kept = text
    while kept and _long(kept + "…", size) > width:
        kept = kept[:-1]
    return kept.rstrip() + "…"
