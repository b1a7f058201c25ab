"""A game as one HTML file that needs nothing else: it opens from a disk, a mail or a website."""

from __future__ import annotations

import base64
import json
import zlib
from html import escape
from pathlib import Path
from string import Template

from boardwright.contract.position import Position
from boardwright.records.record import DRAW
from boardwright.serve.requests import Refused
from boardwright.serve.table import Table
from boardwright.serve.view import see

MOST_FRAMES = 3000  # pictures in one file
TEMPLATE = Path(__file__).parent / "web" / "replay.template.html"


def replay_page(table: Table, names: list[str]) -> str:
    """The game move by move. The pictures, nearly the same each time, are packed (deflate, base64), and unpacked by the
    reader's browser."""
    stops = [ply for ply in range(len(table.positions)) if ply == len(table.plies) or table.by[ply] >= 0]
    if len(stops) > MOST_FRAMES:
        raise Refused(f"a replay page holds {MOST_FRAMES:,} moves; this game has {len(stops):,}: export the record")
    frames, before = [], 0
    for number, ply in enumerate(stops):
        frames.append({"svg": _picture(table.positions[ply]), "said": _said(table, names, before, ply, number)})
        before = ply
    data = json.dumps({"frames": frames})
    packed = base64.b64encode(zlib.compress(data.encode(), 9)).decode()
    title = f"{table.game.card.title or table.game.name}: {' – '.join(names)}"
    about = f"{table.game}, seed {table.seed}, {table.started[:10]}"
    if table.note:
        about += f"; {table.note}"
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        title=escape(title), about=escape(about), data=packed
    )


def _picture(position: Position) -> str:
    # A position of its own, so that those of the game do not keep what they compute about themselves.
    svg: str = see(Position(position.game, position.record, previous=None))["svg"]
    return svg


def _said(table: Table, names: list[str], before: int, ply: int, number: int) -> str:
    moves = [
        f"{names[by]}: {text}" if by >= 0 else text.removeprefix(DRAW)
        for text, by in zip(table.plies[before:ply], table.by[before:ply], strict=True)
    ]
    scores = table.positions[ply].scores
    points = f"  ({' : '.join(f'{score:g}' for score in scores)})" if any(scores) else ""
    shown = ", ".join(moves[:8]) + (" ..." if len(moves) > 8 else "")
    return (f"{number}. {shown}" if number else "The start") + points
