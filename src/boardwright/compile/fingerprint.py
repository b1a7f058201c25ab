"""What a function would do, as a digest: the key of the cache of compiled code.

A digest of source text misses a helper that changed in another module, an imported constant, an option.
So this walks what the code really uses: bytecode, constants, defaults, closures and the globals that it
names, into every function it calls. For a method it also follows the attributes of its game.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

_FOREIGN = frozenset(sys.stdlib_module_names) | {"numpy", "numba", "llvmlite"}


class Fingerprint:
    """Walks functions and values into one sha256. `owner` is the game whose attributes methods may name."""

    def __init__(self, owner: object = None) -> None:
        self.owner = owner
        self.tables: dict[str, np.ndarray[Any, Any]] = {}  # the owner's arrays that its rules name
        self._sha = hashlib.sha256()
        self._seen: set[int] = set()
        self._alive: list[object] = []  # keeps ids in _seen unique while we walk

    def hexdigest(self) -> str:
        return self._sha.hexdigest()

    def note(self, *texts: object) -> None:
        for text in texts:
            data = str(text).encode()
            self._sha.update(b"%d:" % len(data) + data)

    def function(self, function: FunctionType) -> None:
        if id(function) in self._seen:
            return
        self._remember(function)
        self.note("function", function.__name__)
        self.value(function.__defaults__)
        self.value(function.__kwdefaults__)
        for cell in function.__closure__ or ():
            self.value(cell.cell_contents)
        self._code(function.__code__, function.__globals__)

    def _remember(self, thing: object) -> None:
        self._seen.add(id(thing))
        self._alive.append(thing)

    def _code(self, code: CodeType, scope: dict[str, Any]) -> None:
        self.note("code", code.co_code.hex(), code.co_names, code.co_varnames, code.co_freevars, code.co_argcount)
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                self._code(constant, scope)
            else:
                self.value(constant)
        modules = []
        for name in code.co_names:
            if name in scope:
                used = scope[name]
                self.note("global", name)
                if isinstance(used, ModuleType):
                    modules.append(used)
                else:
                    self.value(used)
            if self.owner is not None:
                self._attribute(name)
        # `tables.ROWS` names the module and the attribute apart, so every name may belong to every module.
        for module in modules:  # and into those that they hold
            if module.__name__.partition(".")[0] in _FOREIGN:
                self.note("module", module.__name__, getattr(module, "__version__", ""))
                continue
            for name in code.co_names:
                used = getattr(module, name, None)
                if isinstance(used, ModuleType):
                    # Whether there is a bw.players, which self.players does not mean, depends on what was imported.
                    if module.__name__ != "boardwright" and used not in modules:
                        modules.append(used)
                elif used is not None and not (module.__name__ == "boardwright" and callable(used)):
                    self.note("in", module.__name__, name)  # bw.player is no rule, though self.player is
                    self.value(used)

    def _attribute(self, name: str) -> None:
        found = inspect.getattr_static(self.owner, name, None)
        if isinstance(found, FunctionType):
            self.note("method", name)
            self.function(found)
        elif found is not None:
            value = getattr(self.owner, name)
            self.note("attribute", name)
            self.value(value)
            if isinstance(value, np.ndarray):
                self.tables[name] = value

    def value(self, value: object) -> None:
        # A Kernel, a Numba dispatcher, or an intrinsic: what it was made of.
        inner = getattr(value, "py_func", None) or getattr(value, "__wrapped__", value)
        if isinstance(inner, FunctionType):
            self.function(inner)
            substitute = getattr(value, "substitute", None)
            if substitute is not None:
                self.function(substitute)
        elif isinstance(inner, np.ndarray):
            self.note(
                "array", inner.dtype, inner.shape, hashlib.sha256(np.ascontiguousarray(inner).tobytes()).hexdigest()
            )
        elif isinstance(inner, (tuple, list)):
            self.note(type(inner).__name__, len(inner))
            for item in inner:
                self.value(item)
        elif isinstance(inner, (set, frozenset)):
            self.note("set", sorted(map(repr, inner)))
        elif isinstance(inner, dict):
            self.note("dict", len(inner))
            for key, item in inner.items():
                self.value(key)
                self.value(item)
        elif isinstance(inner, CodeType):
            self._code(inner, {})
        elif isinstance(inner, (bool, int, float, complex, str, bytes, type(None), np.generic, np.dtype)):
            self.note(type(inner).__name__, repr(inner))
        elif isinstance(inner, type) and hasattr(inner, "_fields"):
            self.note("named tuple", inner.__qualname__, inner._fields)  # a kernel takes its fields by place
        else:
            text = repr(inner)
            self.note("other", type(inner).__qualname__, "" if " at 0x" in text else text)
