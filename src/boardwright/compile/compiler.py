"""A game as a Numba type: its rules become methods, its options constants, its arrays tables by pointer.

One `GameType` class serves every game; what differs is the digest in its key. A kernel that takes a game
is compiled once per digest, so options are constants to the compiler and no call is looked up at run time.
At run time a game is one pointer: to the buffer that holds its tables.
"""

from __future__ import annotations

import itertools
import secrets
import threading
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from numba.core import cgutils, errors, types
from numba.core.bytecode import FunctionIdentity
from numba.core.datamodel import register_default
from numba.core.datamodel.models import PrimitiveModel
from numba.core.imputils import lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import NativeValue, unbox
from numba.np import arrayobj, numpy_support

from boardwright.compile import parts
from boardwright.compile.cache import KernelCache
from boardwright.compile.fingerprint import Fingerprint
from boardwright.compile.kernel import Kernel, relink
from boardwright.contract.errors import RuleError

if TYPE_CHECKING:
    from boardwright.contract.compilable import Compilable

# Numba tells functions of one name apart by a number that counts up from 0 in each process. Kernels that different
# processes left in the cache can then bear the same symbols. Searches over such a cache crashed and built wrong trees,
# over an empty one never; since every process counts from a random place they no longer do. That a clash of symbols
# was the cause is inferred from this, not traced in the loader.
FunctionIdentity._unique_ids = itertools.count(secrets.randbits(47) << 16)

_OWN_CODE = Path(__file__).read_bytes() + Path(parts.__file__).read_bytes()
_bounds_checked = False
_in_work: set[FunctionType] = set()  # functions whose callees are being compiled
_linking = threading.RLock()  # one thread at a time makes dispatchers


class GameType(types.Type):  # type: ignore[misc]
    """One game with its options. Holds text only, so that it pickles into the cache and back."""

    def __init__(self, title: str, digest: str) -> None:
        self.title = title
        self.digest = digest
        super().__init__(f"Game.{title}.{digest}")

    @property
    def key(self) -> str:
        return self.digest


class RuleMethod(types.BoundFunction):  # type: ignore[misc]
    """`game.legal`, say, before it is called: the game's type and the method's name."""

    def __init__(self, game: GameType, method: str) -> None:
        self.this = game
        self.method = method
        types.Callable.__init__(self, f"{game.name}.{method}")

    @property
    def key(self) -> Any:
        return self.this, self.method

    def unify(self, typingctx: Any, other: Any) -> Any:
        return self if self.key == getattr(other, "key", None) else None

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        dispatcher = rule_dispatcher(rulebook_of(self.this).methods[self.method])
        template, pysig, folded, _ = dispatcher.get_call_template((self.this, *args), kws)
        found = template(context).apply(folded, {})
        if found is None:
            return None
        own = list(pysig.parameters.values())[1:]
        return found.replace(args=found.args[1:], recvr=self.this, pysig=pysig.replace(parameters=own))

    def get_impl_key(self, sig: Any) -> Any:
        dispatcher = rule_dispatcher(rulebook_of(self.this).methods[self.method])
        args = sig.args if sig.args and sig.args[0] == self.this else (self.this, *sig.args)
        return dispatcher.get_overload(args)

    def get_call_signatures(self) -> Any:
        return [], True


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
    dispatcher = numba.njit(
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        nogil=True,
        boundscheck=checked,
        forceinline=inner,  # a named tuple of arrays goes to a function as seventy numbers
        pipeline_class=parts.RawPartCompiler if inner else parts.PartCompiler,
    )(_linked(function))
    dispatch = dispatcher.get_call_template
    dispatcher.get_call_template = lambda args, kws: dispatch(
        tuple(map(widened, args)), {name: widened(kind) for name, kind in kws.items()}
    )
    return dispatcher


def widened(kind: Any) -> Any:
    """Every whole number that is handed to a function goes as int64 (uint64 stays). Otherwise a function is compiled
    again for each width in which a caller happens to hold a number: a count of int16, a cell of int8, the literal 0."""
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) and kind != types.uint64 else kind


def _linked(function: FunctionType) -> Any:
    """The function with what it calls compiled too. Numba imports its module when it loads it from the
    cache; a stranger's game file cannot be imported by name, and needs nothing from there by then."""
    _in_work.add(function)
    try:
        copy = relink(function, _compiled_twin)
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
    dispatcher = numba.njit(
        no_cfunc_wrapper=True, nogil=True, boundscheck=checked, pipeline_class=parts.KernelCompiler
    )(_linked(kernel.py_func))
    own = Fingerprint()
    own.note(_OWN_CODE, checked)
    dispatcher._cache = KernelCache(kernel.__name__, lambda: own.hexdigest() + kernel.fingerprint)
    return dispatcher


def kernel_dispatcher(kernel: Kernel[..., Any]) -> Any:
    """The compiled form of a kernel, callable from Python and from other kernels."""
    with _linking:
        return _kernel_dispatcher(kernel, _bounds_checked)


def check_bounds(on: bool) -> None:
    """Compile from now on with every array index checked (15-20 % slower), or no longer."""
    global _bounds_checked
    _bounds_checked = on


def _compiled_twin(value: object) -> object:
    """Inside compiled code every call is bare, without a door for Python or a cache entry of its own: that halves
    the compiler's work."""
    if isinstance(value, Kernel):
        return rule_dispatcher(value.py_func, value.inner)
    if isinstance(value, FunctionType):
        return rule_dispatcher(value)  # an author's plain helper, called from a rule
    return None


# Typing: what `game.something` is.


@infer_getattr
class GameAttributes(AttributeTemplate):  # type: ignore[misc]
    key = GameType

    def generic_resolve(self, game: GameType, name: str) -> Any:
        book = rulebook_of(game)
        if name in book.methods:
            return RuleMethod(game, name)
        if name in book.tables:
            array = book.tables[name][1]
            return types.Array(numpy_support.from_dtype(array.dtype), array.ndim, "C", readonly=True)
        return constant_type(book.game, name)


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
        return _lower_table(context, builder, pointer, *book.tables[name])
    value = getattr(book.game, name)
    return context.get_constant_generic(builder, plain_type(value), value)


def _lower_table(context: Any, builder: Any, pointer: Any, offset: int, array: np.ndarray[Any, Any]) -> Any:
    kind = types.Array(numpy_support.from_dtype(array.dtype), array.ndim, "C", readonly=True)
    made = arrayobj.make_array(kind)(context, builder)
    intp = context.get_constant
    address = builder.add(pointer, intp(types.uintp, offset))
    arrayobj.populate_array(
        made,
        data=builder.inttoptr(address, made.data.type),
        shape=cgutils.pack_array(builder, [intp(types.intp, n) for n in array.shape]),
        strides=cgutils.pack_array(builder, [intp(types.intp, n) for n in array.strides]),
        itemsize=intp(types.intp, array.itemsize),
        meminfo=None,
    )
    return made._getvalue()


# At run time: one pointer.


@register_default(GameType)
class _GameModel(PrimitiveModel):  # type: ignore[misc]
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, dmm.lookup(types.uintp).get_value_type())


@register_default(RuleMethod)
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
