"""Entries of a module, each a call of one kernel with the arguments that a native player hands it.

Arrays and numbers among the arguments, those inside named tuples too, become fields of one record, the argument block:
addresses, lengths and values. The page lays the arrays out, as long as they are here, and drives the kernels as the
player does.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

import numpy as np

from boardwright.compile.kernel import Kernel
from boardwright.compile.wasm.numba_target import arrays_of
from boardwright.contract.game import Game
from boardwright.search.evaluator import Evaluator


@dataclass(frozen=True)
class Call:
    """A kernel, and by name what it is called with, in its order. `returns`: whether its result is a whole number."""

    kernel: Kernel[..., Any]
    arguments: dict[str, Any]
    returns: bool = False


@dataclass
class ArgumentBlock:
    """What the calls of one player share. Arrays of different names that lie at one address are one to the page."""

    evaluator: Evaluator
    arrays: dict[str, np.ndarray[Any, Any]] = field(default_factory=dict)
    numbers: dict[str, int | float] = field(default_factory=dict)

    @property
    def dtype(self) -> np.dtype[np.void]:
        """The record: eight bytes a field."""
        numbers = [(name, "f8" if isinstance(number, float) else "i8") for name, number in self.numbers.items()]
        return np.dtype([*((n, "i8") for name in self.arrays for n in (name, f"{name}_count")), *numbers])

    def text(self, name: str, value: Any, scope: dict[str, Any], makers: dict[str, Any]) -> str:
        """The source of an argument; what it needs goes into `scope`, what makes arrays into `makers`."""
        if isinstance(value, Game):
            return "game"
        if isinstance(value, Evaluator):
            return "evaluator"
        if isinstance(value, np.ndarray):
            own = self._table_of_evaluator(value)
            return f"evaluator.{own}" if own else self._array(name, value, makers)
        if isinstance(value, tuple):
            kind = type(value)
            scope[kind.__name__] = kind
            fields: tuple[str, ...] = value._fields  # type: ignore[attr-defined]  # all tuples here are named ones
            parts = (self.text(f"{name}_{one}", item, scope, makers) for one, item in zip(fields, value, strict=True))
            return f"{kind.__name__}({', '.join(parts)})"
        assert isinstance(value, (int, float)), f"{name} is {type(value).__name__}"
        assert self.numbers.setdefault(name, value) == value, f"{name} stands for two numbers"
        return f"args.{name}"

    def _table_of_evaluator(self, array: np.ndarray[Any, Any]) -> str:
        """Its name, if the array is a table that the module holds already."""
        for name, (_, table) in self.evaluator.rulebook.tables.items():
            if table.ctypes.data == array.ctypes.data and table.shape == array.shape:
                return str(name)
        return ""

    def _array(self, name: str, array: np.ndarray[Any, Any], makers: dict[str, Any]) -> str:
        assert array.ndim in (1, 2) and array.flags.c_contiguous
        assert self.arrays.setdefault(name, array) is array, f"{name} stands for two arrays"
        maker = f"at_{name}"
        makers[maker] = arrays_of(array.dtype, array.ndim)
        width = f", {array.shape[1]}" if array.ndim == 2 else ""
        return f"{maker}(args.{name}, args.{name}_count{width})"

    def layout(self, state: np.dtype[np.void]) -> dict[str, Any]:
        """What the page lays out: of each array the bytes of a row, rows, kind of number or fields of the record, and
        the array that it shares memory with; and the numbers as they are at first. A `state` is only copied there."""
        seen: dict[int, str] = {}
        told: dict[str, Any] = {}
        for name, array in self.arrays.items():
            one: dict[str, Any] = {
                "row": array.dtype.itemsize * int(np.prod(array.shape[1:])),
                "rows": array.shape[0],
                "kind": f"{array.dtype.kind}{array.dtype.itemsize}",
            }
            if array.dtype.names and array.dtype != state:
                one["fields"] = fields_of(array.dtype)
            first = seen.setdefault(array.ctypes.data, name) if array.nbytes else name
            told[name] = one if first == name else {**one, "same": first}
        return {"arrays": told, "numbers": {name: as_json(number) for name, number in self.numbers.items()}}


def as_json(number: float) -> float | str:
    """JSON knows no infinity; JavaScript reads the word."""
    return number if math.isfinite(number) else "Infinity" if number > 0 else "-Infinity"


def fields_of(dtype: np.dtype[np.void]) -> dict[str, Any]:
    """Offset, kind and shape of each field of a record."""
    assert dtype.names is not None and dtype.fields is not None
    told = {}
    for name in dtype.names:
        kind, offset = dtype.fields[name][:2]
        told[name] = {"at": offset, "kind": f"{kind.base.kind}{kind.base.itemsize}", "shape": list(kind.shape)}
    return told


def entries_of(calls: dict[str, Call], evaluator: Evaluator) -> tuple[dict[str, Callable[..., Any]], ArgumentBlock]:
    """The entry of each call, which takes the game, the evaluator and the argument block's address; and that block."""
    args, texts = ArgumentBlock(evaluator), {}
    for name, call in calls.items():
        scope: dict[str, Any] = {"__name__": __name__, "np": np, "kernel": call.kernel}
        makers: dict[str, Any] = {}
        arguments = [args.text(one, value, scope, makers) for one, value in call.arguments.items()]
        texts[name] = scope, makers, f"kernel({', '.join(arguments)})", call.returns
    args_at = arrays_of(args.dtype)
    return {name: _entry(name, args_at, *parts) for name, parts in texts.items()}, args


def _entry(
    name: str, args_at: Any, scope: dict[str, Any], makers: dict[str, Any], call: str, returns: bool
) -> Callable[..., Any]:
    # Arrays are made by what stands in the closure: globals are for kernels, which get their compiled twins there.
    lines = [
        f"def make(args_at, {', '.join(makers)}):",
        f"    def {name}(game, evaluator, args_address):",
        "        args = args_at(args_address, 1)[0]",
        f"        return np.int64({call})" if returns else f"        {call}",
        f"    return {name}",
    ]
    exec("\n".join(lines), scope)  # noqa: S102 - a text of our own making, of names and numbers
    made: FunctionType = scope["make"](args_at, **makers)
    return made
