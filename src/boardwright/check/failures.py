"""What went wrong inside interpreted rules, as one sentence with file, line, method and cure."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import TypeVar

from boardwright.contract.errors import RuleError
from boardwright.contract.game import Game

R = TypeVar("R")


def guarded(game: Game, call: Callable[[], R]) -> R:
    """What the call returns; what it raises becomes a RuleError."""
    try:
        return call()
    except RuleError:
        raise
    except Exception as error:
        raise RuleError(describe(game, error)) from error


def describe(game: Game, error: BaseException) -> str:
    """An exception out of interpreted rules as one sentence: file, line, method, reason, cure."""
    codes = {method.__code__: name for name, method in game.rulebook.methods.items()}
    frames = [(frame, line) for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code in codes]
    text = f"{type(error).__name__}: {error}"
    if isinstance(error, IndexError):
        text = (
            "an index beyond the end of an array; check the loop's bounds, and that actions and outcomes are "
            "large enough"
        )
    elif "memoryview: invalid value" in text:
        text = "a number that does not fit its field; give the field a wider type in layout()"
    elif "cannot modify read-only memory" in text:
        text = "a question changed the state; only play and draw may"
    elif "memoryview: invalid type" in text:
        text = "a number of the wrong kind for its field; use // for whole numbers, or a float field"
    if not frames:
        return f"{game.name}: {text}"
    frame, line = frames[-1]
    return f"{Path(frame.f_code.co_filename).name}:{line}: {game.name}.{codes[frame.f_code]}: {text}"


def rule_at_work(game: Game, thread: int) -> str:
    """`file:line: Game.method` of the rule that a thread is running in the interpreter, if it is in one."""
    codes = {method.__code__: name for name, method in game.rulebook.methods.items()}
    frame: FrameType | None = sys._current_frames().get(thread)
    while frame is not None:
        if frame.f_code in codes:
            return f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}: {game.name}.{codes[frame.f_code]}"
        frame = frame.f_back
    return ""


def endless(game: Game, most_plies: int) -> RuleError:
    return RuleError(
        f"{game.name}.player: no end after {most_plies} moves and draws; every game must reach bw.OVER "
        "(count the moves in the state and stop)"
    )
