"""Small helpers for pictures: escaping, and a text board as an SVG for games that draw none."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boardwright.contract.game import Game


def fields_text(game: Game, s: Any) -> str:
    """A state for which nobody has written a text: its fields."""
    lines = []
    for name in game.state_dtype.names or ():
        value = getattr(s, name)
        lines.append(f"{name}: {value.tolist() if isinstance(value, memoryview) else value}")
    return "\n".join(lines)


def text_picture(text: str) -> str:
    """Text in a fixed-width font on a quiet card: a complete SVG document."""
    lines = text.splitlines() or [""]
    width = max(len(line) for line in lines) * 9.7 + 48
    height = len(lines) * 20 + 44
    rows = "".join(
        f'<text x="24" y="{36 + 20 * i}" xml:space="preserve">{escape(line)}</text>' for i, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" '
        f'width="{width:.0f}" height="{height}">'
        f'<rect width="100%" height="100%" rx="12" fill="#f6f3ec"/>'
        f'<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="16" fill="#2b2a27">{rows}</g></svg>'
    )
