"""A tree that opens: one HTML file, no script, in which every node with enough visits unfolds to its children."""

from __future__ import annotations

from html import escape

from boardwright.contract.position import Position
from boardwright.draw.embed import embedded_board
from boardwright.draw.labels import data, percent, prior_text, sentence, value_text, who
from boardwright.draw.palette import CARD, DRAWS, FAINT, INK, LINE, PAPER, PROVEN, SANS, colour_of
from boardwright.draw.visible_tree import Node, most_visited
from boardwright.search.tree import RUN, Tree

STYLE = f"""
body {{ margin: 0 auto; padding: 24px; max-width: 1100px; background: {PAPER}; color: {INK};
  font: 15px/1.45 {SANS}; }}
h1 {{ font-size: 22px; font-weight: 600; margin: 0 0 4px; }}
p {{ color: {FAINT}; margin: 0 0 18px; }}
.node {{ background: {CARD}; border: 1px solid {LINE}; border-radius: 10px; margin: 8px 0; }}
.node .node {{ margin-left: 26px; margin-right: 8px; }}
.face {{ display: flex; align-items: center; gap: 16px; padding: 8px 12px; }}
summary.face {{ cursor: pointer; }}
summary.face:hover {{ background: #f6f2e9; border-radius: 10px; }}
.face::before {{ content: ""; width: 12px; color: {FAINT}; }}
summary.face::before {{ content: "▸"; }}
details[open] > summary.face::before {{ content: "▾"; }}
summary.face::-webkit-details-marker {{ display: none; }}
.board {{ flex: none; width: 120px; text-align: center; }}
.board svg {{ width: 100%; height: auto; max-height: 150px; }}
details[open] > summary .board {{ width: 260px; }}
details[open] > summary .board svg {{ max-height: 320px; }}
.move {{ display: inline-block; border-radius: 99px; color: #fff; font-weight: 600; padding: 1px 11px;
  overflow-wrap: anywhere; }}
.tag {{ border: 1px solid; border-radius: 4px; font-size: 12px; font-weight: 600; padding: 0 5px; }}
.draws {{ color: {DRAWS}; font-size: 13px; }}
.numbers {{ display: flex; flex-wrap: wrap; gap: 2px 18px; margin-top: 6px; }}
.numbers b {{ font-weight: 600; }}
.numbers i {{ font-style: normal; color: {FAINT}; }}
.bar {{ width: 220px; height: 6px; border-radius: 3px; background: #efe9dc; margin-top: 6px; overflow: hidden; }}
.bar div {{ height: 100%; border-radius: 3px; }}
.more {{ color: {FAINT}; margin: 4px 12px 10px 38px; font-size: 13px; }}
"""


def tree_page(tree: Tree, position: Position, *, least: int = 2, most: int = 200, board: int = 120) -> str:
    """The tree that a search grew from `position` as a complete HTML document: the `most` nodes with the most visits,
    none with fewer than `least` unless it is proof, each folded into its parent, best
    first. `board` as in `tree_picture`."""
    root = most_visited(tree, position, least, most)
    game = position.game
    unit = "points" if game.counts_points else "1 a win, −1 a loss"
    shown = sum(1 for _ in root.all())
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"/>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
        f"<title>{escape(f'Search tree of {game}')}</title><style>{STYLE}</style></head>\n<body>\n"
        f"<h1>{escape(str(game))}: {root.visits:,} visits</h1>\n"
        f"<p>Click a line to open it. N: visits. Q: value to whoever chose ({unit}). P: liked before the search, or "
        f"the chance of a draw. {shown:,} nodes shown, the most visited.</p>\n"
        f"{_node(root, board)}</body>\n</html>\n"
    )


def _node(node: Node, board: float) -> str:
    root = not node.text
    face = _face(node, board)
    left_out = ""
    if node.more:
        left_out = f'<div class="more" data-pill="{node.more}">+{node.more:,} more, {node.more_visits:,} visits</div>\n'
    if not node.children:
        return f'<div class="node" {data(node)}><div class="face">{face}</div>{left_out}</div>\n'
    below = "".join(_node(child, board) for child in node.children)
    opened = ' open="open"' if root else ""
    return (
        f'<details class="node"{opened} {data(node)}><summary class="face">{face}</summary>\n'
        f"{below}{left_out}</details>\n"
    )


def _face(node: Node, board: float) -> str:
    """What shows of a node while it is folded."""
    game = node.position.game
    picture = embedded_board(node.position, f"n{node.slot}-", board)
    size = f'width="{picture.width:.0f}" height="{picture.height:.0f}"'
    colour = colour_of(node.chooser) if node.text else colour_of(node.actor)
    tags = f' <span class="tag" style="color: {PROVEN[node.proven]}">{node.proven}</span>' if node.proven else ""
    if node.of_chance:
        every = len(node.children) + node.more
        what = "sample" if node.actor == RUN else "outcome"
        tags += f' <span class="draws">chance draws: {every:,} {what}{"s" * (every != 1)}</span>'
    numbers = [("N", f"{node.visits:,}"), ("Q", value_text(game, node.q)), ("P", prior_text(node))]
    row = "".join(f"<span><i>{name}</i> <b>{value}</b></span>" for name, value in numbers if value)
    share = "" if not node.text else f"<span><i>{percent(node.share)} of visits</i></span>"
    bar = f'<div class="bar"><div style="width: {100 * node.share:.1f}%; background: {colour}"></div></div>'
    return (
        f'<div class="board"><svg {size} {picture.head}>{picture.body}</svg></div>'
        f'<div title="{escape(sentence(node))}"><span class="move" style="background: {colour}">'
        f"{escape(node.text or who(node.actor))}</span>{tags}"
        f'<div class="numbers">{row}{share}</div>{bar if node.text else ""}</div>'
    )
