"""Kernels: functions that run compiled over any game, and, unchanged, in the plain interpreter.

`@kernel` marks a function. Called, it runs compiled; `interpret(kernel)` is the same code as plain Python,
with every kernel, Numba function and game inside it swapped for its interpreted twin. That the two agree
bit for bit is the central test of this project.
"""

from __future__ import annotations

import dis
from collections.abc import Callable
from functools import cached_property
from types import CodeType, FunctionType
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np

from boardwright.compile.fingerprint import Fingerprint

P = ParamSpec("P")
R = TypeVar("R")


class Kernel(Generic[P, R]):
    """A function with a compiled and an interpreted form. `substitute` replaces it in the interpreter
    where plain Python numbers behave otherwise (64-bit wrap-around). `inner`: see `inner_kernel`."""

    def __init__(
        self, function: Callable[P, R], substitute: Callable[..., R] | None = None, inner: bool = False
    ) -> None:
        assert isinstance(function, FunctionType)
        self.py_func = function
        self.substitute = substitute
        self.inner = inner
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        self.__wrapped__ = function

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        result: R = self.compiled(*args, **kwargs)
        return result

    @property
    def compiled(self) -> Any:
        from boardwright.compile import compiler

        return compiler.kernel_dispatcher(self)

    @cached_property
    def fingerprint(self) -> str:
        walk = Fingerprint()
        walk.function(self.py_func)
        return walk.hexdigest()

    @cached_property
    def interpreted(self) -> Callable[..., R]:
        if self.substitute is not None:
            return self.substitute
        twin: Callable[..., R] = relink(self.py_func, interpreted_value)
        return twin


def kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Mark a function as a kernel: compiled for each game that it is called with, cached on disk."""
    return Kernel(function)


def inner_kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Mark a large kernel that only kernels call. It becomes a part of them, and is not optimised by itself before: in
    a chain of such kernels the compiler would go over the innermost again at every link. A small one gains nothing, and
    is better inlined if it was optimised first. An inner kernel works on the arrays that it is given: it makes none and
    returns none, since references to them are not counted there."""
    return Kernel(function, inner=True)


def kernel_with(substitute: Callable[..., R]) -> Callable[[Callable[P, R]], Kernel[P, R]]:
    """Mark a kernel that the interpreter must run as `substitute` instead."""
    return lambda function: Kernel(function, substitute)


def kernel_of(function: Callable[P, R], twins: dict[Callable[..., Any], Kernel[..., Any]]) -> Kernel[P, R]:
    """A plain function as a kernel: what it calls becomes the kernel that `twins` has for it."""
    assert isinstance(function, FunctionType)
    linked = relink(function, lambda value: twins.get(value) if isinstance(value, FunctionType) else None)
    return Kernel(linked, function)


def interpret(function: Kernel[..., R]) -> Callable[..., R]:
    """The kernel as plain Python. Games and arrays of records among its arguments, and in named tuples among them,
    become their interpreted twins; arrays are shared, so results land where the caller expects them."""
    from boardwright.contract.compilable import Compilable
    from boardwright.contract.state import States

    def twin(argument: object) -> object:
        if isinstance(argument, Compilable):
            return argument.interpreted
        if isinstance(argument, np.ndarray) and argument.dtype.names:
            return States(argument)
        if isinstance(argument, tuple):
            make: Callable[..., object] = getattr(argument, "_make", tuple)  # a named tuple, or a plain one
            return make(map(twin, argument))
        return argument

    def run(*args: object) -> R:
        return function.interpreted(*map(twin, args))

    return run


def relink(
    function: FunctionType, twin: Callable[[object], object], made: dict[int, FunctionType] | None = None
) -> Any:
    """A copy of `function` in which each global that `twin` replaces (it returns None for others) is
    replaced, and plain functions are relinked in turn."""
    made = {} if made is None else made
    if id(function) in made:
        return made[id(function)]
    scope = dict(function.__globals__)
    copy = FunctionType(function.__code__, scope, function.__name__, function.__defaults__, function.__closure__)
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__qualname__ = function.__qualname__
    copy.__module__ = function.__module__
    copy.__doc__ = function.__doc__
    made[id(function)] = copy
    for name in global_names(function.__code__):
        if name not in scope:
            continue
        replacement = twin(scope[name])
        if replacement is not None:
            scope[name] = replacement
        elif isinstance(scope[name], FunctionType):
            scope[name] = relink(scope[name], twin, made)
    return copy


def global_names(code: CodeType) -> set[str]:
    """The globals that the code loads; not its attributes, which `co_names` holds as well."""
    names = {item.argval for item in dis.get_instructions(code) if item.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= global_names(constant)
    return names


def interpreted_value(value: object) -> object:
    """What a global of interpreted code stands for: a kernel its plain Python, anything else None."""
    if isinstance(value, Kernel):
        return value.interpreted
    python = getattr(value, "py_func", None)  # a Numba dispatcher that an author made
    return relink(python, interpreted_value) if isinstance(python, FunctionType) else None
