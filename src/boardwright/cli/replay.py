"""Stepping through a record in a terminal, a key at a time."""

from __future__ import annotations

import os
import re
import select
import sys
import time
from typing import TYPE_CHECKING, Any

from boardwright.cli.terminal import board

if TYPE_CHECKING:
    from rich.console import Console

    from boardwright.contract.position import Position
    from boardwright.records import Record

KEYS = "Enter/right on, b/left back, number to a ply, a by itself, q quit"
AUTOPLAY_SECONDS = 0.6

# The arrows as terminals of several kinds send them.
RIGHT = ("\x1b[C", "\x1bOC", "\xe0M", "\x00M")
LEFT = ("\x1b[D", "\x1bOD", "\xe0K", "\x00K")
ENTER = ("\r", "\n")


def step_through(record: Record, line: list[Position], out: Console) -> None:
    """Show the positions of `line`, and answer keys until the reader has enough."""
    ply, last, typed, by_itself = 0, len(line) - 1, "", False
    told = captions(record, line)
    title = f"{record.game} {record.id[:8]}: {', '.join(record.players)}"
    with Keys() as keys:
        while True:
            footer = "any key stops" if by_itself else f"to ply {typed}, then Enter" if typed else KEYS
            _draw([title, told[ply]], line[ply], footer, out)
            key = keys.next(AUTOPLAY_SECONDS if by_itself else None)
            if key.isdecimal() and not by_itself:
                typed = (typed + key)[-9:]
                continue
            if not key and by_itself:
                ply = min(ply + 1, last)
            elif key.lower() == "q" or not key:
                return
            elif key in ENTER and typed:
                ply = min(int(typed), last)
            elif key.lower() == "b" or key in LEFT:
                ply = max(ply - 1, 0)
            elif (key in (*ENTER, " ") or key in RIGHT) and not by_itself:
                ply = min(ply + 1, last)
            by_itself = (not key or (key.lower() == "a" and not by_itself)) and ply < last
            typed = ""


def _draw(heads: list[str], position: Position, footer: str, out: Console) -> None:
    out.clear()
    for head in heads:
        out.print(head, style="bold", markup=False)
    out.print()
    out.print(board(position))
    out.print()
    out.print(footer, style="dim", markup=False)


def captions(record: Record, line: list[Position]) -> list[str]:
    """For each position, which ply it is and what led to it."""
    seconds = iter(record.seconds)
    told = [f"ply 0 of {len(line) - 1}: the start"]
    for ply, (before, text) in enumerate(zip(line, record.plies, strict=False), start=1):
        if before.is_chance:
            what = f"drawn {text[1:]}"
        else:
            what = f"player {before.player + 1} ({record.players[before.player]}) plays {text}"
            what += f" ({next(seconds):.1f} s)" if record.seconds else ""
        told.append(f"ply {ply} of {len(line) - 1}: {what}")
    return told


class Keys:
    """Single keys, without Enter. The terminal is set once, not for each key: setting it forgets what was typed."""

    def __enter__(self) -> Keys:
        self._typed = ""
        self._before: list[Any] | None = None
        try:
            import termios
            import tty
        except ImportError:  # Windows, where a key comes without Enter anyhow
            return self
        self._before = termios.tcgetattr(sys.stdin.fileno())
        tty.setcbreak(sys.stdin.fileno(), termios.TCSADRAIN)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            import termios

            termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, self._before)

    def next(self, seconds: float | None = None) -> str:
        """The next key; nothing at the end of the input, or when none came within `seconds`."""
        if self._before is None:
            return _key_on_windows(seconds)
        if not self._typed:
            file = sys.stdin.fileno()
            if seconds is not None and not select.select([file], [], [], seconds)[0]:
                return ""
            self._typed = os.read(file, 64).decode(errors="replace")
        # An arrow is several characters, and a quick typist's keys come together.
        found = re.match(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Za-z]|.|$", self._typed, re.DOTALL)
        key = found[0] if found else ""
        self._typed = self._typed[len(key) :]
        return "" if key == "\x04" else key


def _key_on_windows(seconds: float | None) -> str:
    import typer

    if seconds is not None:
        time.sleep(seconds)  # plays on by itself until Ctrl-C
        return ""
    try:
        return typer.getchar()
    except EOFError:
        return ""
