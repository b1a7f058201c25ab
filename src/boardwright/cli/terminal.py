"""What the commands share in a terminal: the console, boards in colour, a line of progress."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from boardwright.contract.position import Position


def console(*, plain: bool = False) -> Console:
    """Standard output. No colours with `plain`, with NO_COLOR set, or when it is no terminal."""
    return Console(highlight=False, soft_wrap=True, color_system=None if plain else "auto")


def board(position: Position) -> Text:
    """The position's text board, coloured as its game asks (`text_styles`)."""
    text = Text(str(position), no_wrap=True, overflow="ignore")
    for pattern, style in position.game.text_styles.items():
        text.highlight_regex(pattern, style)
    return text


def say(text: str) -> None:
    """One line beside the answer: standard error, so that --json stays JSON."""
    print(clean(text), file=sys.stderr)


def clean(text: str, kept: str = "") -> str:
    """Text from outside (a file, a record) with what could command the terminal made visible, except for `kept`."""
    return "".join(c if c.isprintable() or c in kept else c.encode("unicode_escape").decode() for c in text)


def number(value: float) -> str:
    """A score as people write it: whole where it is whole."""
    return f"{value:g}" if abs(value) < 1e6 else f"{value:.0f}"


def rate(value: float) -> str:
    """A speed with three figures that mean something: 1,230,000 or 48.1."""
    if value >= 100:
        digits = len(str(int(value))) - 3
        return f"{round(value, -digits):,.0f}"
    return f"{value:.3g}"


def figures(heading: Sequence[str], rows: Iterable[Sequence[str]], *, words: int = 1) -> Table:
    """A table of measurements: the first `words` columns are read from the left, the numbers after them stand right."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, text in enumerate(heading):
        table.add_column(text, justify="left" if place < words else "right")
    for row in rows:
        table.add_row(*row)
    return table


class Ticker:
    """One line of progress on standard error, rewritten in place and gone at the end; silent off a terminal."""

    def __init__(self, heading: str = "") -> None:
        self.heading = heading
        self._alive = sys.stderr.isatty()

    def __call__(self, text: str) -> None:
        if self._alive:
            sys.stderr.write(f"\r\x1b[2K{clean(self.heading + text)[:100]}")
            sys.stderr.flush()

    def __enter__(self) -> Ticker:
        return self

    def __exit__(self, *error: object) -> None:
        if self._alive:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()
