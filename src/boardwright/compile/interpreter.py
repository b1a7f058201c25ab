"""A game as interpreted kernels see it: methods in plain Python, options as numbers, tables that yield Python ints."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from boardwright.compile.kernel import interpreted_value, relink

if TYPE_CHECKING:
    from boardwright.contract.compilable import Compilable


class InterpretedGame:
    """Stands in for a game wherever a kernel names it."""

    def __init__(self, game: Compilable) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._game, name)
        if isinstance(value, np.ndarray):
            value = Table(value)
        self.__dict__[name] = value
        return value


class Table:
    """One of a game's arrays: read-only, plain Python numbers out, rows as tables again."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self._array = array
        self.shape = array.shape

    def __getitem__(self, index: Any) -> Any:
        found = self._array[index]
        return Table(found) if isinstance(found, np.ndarray) else found.item()

    def __len__(self) -> int:
        return len(self._array)


def interpreted_twin(game: Compilable) -> Any:
    """A class of its own for the game, so that a method is found as fast as Python finds any."""
    body: dict[str, Any] = {}
    rules = set(game.rules())
    made: dict[int, FunctionType] = {}
    for name, method in game.rulebook.methods.items():
        if name.startswith("__"):
            continue
        plain = relink(method, interpreted_value, made)
        body[name] = _with_python_ints(plain) if name in rules else plain
    return type(f"Interpreted{type(game).__name__}", (InterpretedGame,), body)(game)


def _with_python_ints(rule: Callable[..., Any]) -> Callable[..., Any]:
    """NumPy's small integers wrap; a kernel's moves and outcomes reach the rule as Python's."""

    @wraps(rule)
    def call(self: Any, *args: Any) -> Any:
        return rule(self, *[int(a) if isinstance(a, np.integer) else a for a in args])

    return call
