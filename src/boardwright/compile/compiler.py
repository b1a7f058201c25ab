"""A game as a Numba type: its rules become methods, its options constants, its arrays tables by pointer.

One `GameType` class serves every game; what differs is the digest in its key. A kernel that takes a game
is compiled once per digest, so options are constants to the compiler and no call is looked up at run time.
At run time a game is one pointer: to the buffer that holds its tables.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
import numpy as np
from numba import errors, types
from numba.core import cgutils
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    unbox,
)

from boardwright.compile import numba_internals
from boardwright.compile.cache import KernelStore
from boardwright.compile.fingerprint import Fingerprint
from boardwright.compile.kernel import Kernel, relink
from boardwright.compile.random import COMPILED_RANDOM
from boardwright.contract.compilable import Compilable
from boardwright.contract.errors import RuleError

_OWN_CODE = Path(__file__).read_bytes() + Path(numba_internals.__file__).read_bytes()
_bounds_checked = False
_in_work: set[FunctionType] = set()  # functions whose callees are being compiled
_linking = threading.RLock()  # one thread at a time makes dispatchers


class GameType(types.Type):  # type: ignore[misc]  # Numba's classes have no types
    """One game with its options. Holds text only, so that it pickles into the cache and back."""

    def __init__(self, title: str, digest: str) -> None:
        self.title = title
        self.digest = digest
        super().__init__(f"Game.{title}.{digest}")

    @property
    def key(self) -> str:
        return self.digest

    def whole_constant(self, name: str) -> int | None:
        """One of the game's whole numbers or truth values; None if there is none of that name."""
        book = rulebook_of(self)
        if name in book.methods or name in book.tables:
            return None
        value = getattr(book.game, name, None)
        if isinstance(value, (bool, np.bool_)):
            return bool(value)
        return int(value) if isinstance(value, (int, np.integer)) else None


class RuleMethod(numba_internals.BoundMethod):
    """`game.legal`, say, before it is called: the game's type and the method's name."""

    @property
    def dispatcher(self) -> Any:
        return rule_dispatcher(rulebook_of(self.this).methods[self.method])


@dataclass(frozen=True)
class Rulebook:
    """What the compiler knows of one game with its options."""

    game: Compilable
    type: GameType
    methods: dict[str, FunctionType]
    tables: dict[str, tuple[int, np.ndarray[Any, Any]]]  # name: offset in `buffer`, in bytes; the array
    buffer: np.ndarray[Any, Any]


_rulebooks: dict[str, Rulebook] = {}


def rulebook_of(game_type: GameType) -> Rulebook:
    return _rulebooks[game_type.digest]


def make_rulebook(game: Compilable) -> Rulebook:
    """Collect the methods over the class's ancestors, digest all that they use, pack the tables."""
    kind = type(game)
    methods: dict[str, FunctionType] = {}
    for ancestor in reversed(kind.__mro__):
        methods.update({name: item for name, item in vars(ancestor).items() if isinstance(item, FunctionType)})
    methods.update(game.made_methods())
    walk = Fingerprint(game)
    walk.note(kind.__qualname__, game.options)
    for name in sorted(set(game.rules())):
        if name in methods:
            walk.note("rule", name)
            walk.function(methods[name])
    for name, value in game.digest_values().items():
        walk.note("constant", name)
        walk.value(value)
    tables, size = {}, 0
    for name, array in sorted(walk.tables.items()):
        tables[name] = (size, np.ascontiguousarray(array))
        size += -(-array.nbytes // 64) * 64
    buffer = np.zeros(size + 64, np.uint8)
    buffer = buffer[-buffer.ctypes.data % 64 :]
    for offset, array in tables.values():
        buffer[offset : offset + array.nbytes] = array.reshape(-1).view(np.uint8)
    digest = walk.hexdigest()[:24]
    book = Rulebook(game, GameType(kind.__name__, digest), methods, tables, buffer)
    return _rulebooks.setdefault(digest, book)


# Dispatchers: what Numba compiles. One per function; Numba keeps an overload per game.


@cache
def _rule_dispatcher(function: FunctionType, checked: bool, inner: bool) -> Any:
    if function.__code__.co_flags & 0x20:
        raise RuleError(f"{function.__qualname__}: a rule cannot yield; write into the array that it is given")
    if function in _in_work:
        raise RuleError(f"{function.__qualname__}: it calls itself, which does not compile; write a loop")
    return numba_internals.compile_part(_linked(function), checked, inner)


def _linked(function: FunctionType) -> Any:
    """The function with what it calls compiled too. Numba imports its module when it loads it from the
    cache; a stranger's game file cannot be imported by name, and needs nothing from there by then."""
    _in_work.add(function)
    try:
        copy = relink(function, compiled_value)
    finally:
        _in_work.discard(function)
    copy.__module__ = __name__
    return copy


def rule_dispatcher(function: FunctionType, inner: bool = False) -> Any:
    """A rule, compiled without the wrappers that Python would need: never call the result from Python."""
    with _linking:
        return _rule_dispatcher(function, _bounds_checked, inner)


@cache
def _kernel_dispatcher(kernel: Kernel[..., Any], checked: bool) -> Any:
    own = Fingerprint()
    own.note(_OWN_CODE, checked)
    store = KernelStore(kernel.__name__, lambda: own.hexdigest() + kernel.fingerprint)
    return numba_internals.compile_kernel(_linked(kernel.py_func), checked, not kernel.inner, store)


def kernel_dispatcher(kernel: Kernel[..., Any]) -> Any:
    """The compiled form of a kernel, callable from Python and from other kernels."""
    with _linking:
        return _kernel_dispatcher(kernel, _bounds_checked)


def check_bounds(on: bool) -> None:
    """Compile from now on with every array index checked (15-20 % slower), or no longer."""
    global _bounds_checked
    _bounds_checked = on


def compiled_value(value: object) -> object:
    """Inside compiled code every call is bare, without a door for Python or a cache entry of its own: that halves
    the compiler's work."""
    if isinstance(value, FunctionType):
        value = COMPILED_RANDOM.get(value, value)  # a rule may name contract/random.py's, which are plain Python
    if isinstance(value, Kernel):
        return rule_dispatcher(value.py_func, value.inner)
    if isinstance(value, FunctionType):
        return rule_dispatcher(value)  # an author's plain helper, called from a rule
    return None


# Typing: what `game.something` is.


@infer_getattr
class GameAttributes(numba_internals.AttributeTemplate):  # type: ignore[misc]  # Numba's classes have no types
    key = GameType

    def generic_resolve(self, game: GameType, name: str) -> Any:
        book = rulebook_of(game)
        if name in book.methods:
            return RuleMethod(game, name)
        if name in book.tables:
            return table_type(book.tables[name][1])
        return constant_type(book.game, name)


def table_type(array: np.ndarray[Any, Any]) -> Any:
    """The Numba type of one of the game's arrays."""
    return types.Array(numba.from_dtype(array.dtype), array.ndim, "C", readonly=True)


def constant_type(game: Compilable, name: str) -> Any:
    """The Numba type of one of the game's constants: an option, a class attribute, a property."""
    owner = type(game).__name__
    try:
        value = getattr(game, name)
    except AttributeError:
        raise errors.TypingError(f"{owner} has no option, constant or method {name!r}") from None
    kind = plain_type(value)
    if kind is None:
        raise errors.TypingError(
            f"{owner}.{name} is {type(value).__name__}; rules can use whole numbers, floats, truth values, "
            "tuples of them and NumPy arrays: give the rule a property of such a kind"
        )
    return kind


def plain_type(value: object) -> Any:
    if isinstance(value, (bool, np.bool_)):
        return types.boolean
    if isinstance(value, (int, np.integer)):
        return types.int64
    if isinstance(value, (float, np.floating)):
        return types.float64
    if isinstance(value, tuple):
        inner = [plain_type(item) for item in value]
        return None if None in inner else types.BaseTuple.from_types(inner)
    return None


@lower_getattr_generic(GameType)
def _lower_attribute(context: Any, builder: Any, game: GameType, pointer: Any, name: str) -> Any:
    book = rulebook_of(game)
    if name in book.methods:
        return pointer
    if name in book.tables:
        offset, array = book.tables[name]
        address = builder.add(pointer, context.get_constant(types.uintp, offset))
        return numba_internals.array_at(context, builder, address, table_type(array), array)
    value = getattr(book.game, name)
    return numba_internals.constant(context, builder, plain_type(value), value)


# At run time: one pointer.


@register_model(GameType)
class _GameModel(models.PrimitiveModel):  # type: ignore[misc]  # Numba's classes have no types
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, dmm.lookup(types.uintp).get_value_type())


@register_model(RuleMethod)
def _rule_model(dmm: Any, method: RuleMethod) -> Any:
    return dmm[method.this]


@unbox(GameType)
def _unbox_game(kind: GameType, game: Any, c: Any) -> Any:
    address = c.pyapi.object_getattr_string(game, "table_address")
    value = c.pyapi.number_as_ssize_t(address)
    c.pyapi.decref(address)
    return NativeValue(
        c.builder.bitcast(value, c.context.get_value_type(types.uintp)),
        is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()),
    )
