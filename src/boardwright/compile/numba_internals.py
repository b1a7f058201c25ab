"""All that this project takes from Numba beyond its documented API, with the reason for each.

A new version of Numba may change any of it without a word, so pyproject.toml has an upper bound, and
tests/test_numba_internals.py says in one sentence which of these promises a version breaks.
"""

from __future__ import annotations

import gc
import itertools
import os
import pickle
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import FunctionType
from typing import Any, Protocol

import numba
import numpy as np
from llvmlite import binding
from numba import types
from numba.core import caching, cgutils, config, event, ir, serialize, transforms
from numba.core.base import BaseContext
from numba.core.bytecode import FunctionIdentity
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, CompileResult, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, FunctionPass, register_pass
from numba.core.environment import lookup_environment
from numba.core.ir_utils import get_definition, guard
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.runtime import rtsys
from numba.core.targetconfig import TargetConfig
from numba.core.typed_passes import NativeLowering, NopythonTypeInference
from numba.core.typing.context import BaseContext as TypingContext
from numba.core.typing.templates import AttributeTemplate
from numba.core.untyped_passes import RewriteSemanticConstants
from numba.extending import intrinsic
from numba.np import arrayobj

__all__ = [
    "AttributeTemplate",
    "BoundMethod",
    "array_at",
    "compile_kernel",
    "compile_part",
    "constant",
    "result_type",
    "uncounted",
]


# Names of functions. Numba names a function's machine code by its qualified name, its argument types and a number that
# counts up from 1 in each process; a record type it names by another such number. So kernels that two processes left in
# the cache can hold different code under one name, and in a process that loads both, LLVM takes the first for both: it
# read fields at the other's offsets. Counting from a random place in each process keeps them apart.


def _count_from_a_random_place() -> None:
    FunctionIdentity._unique_ids = itertools.count(secrets.randbits(47) << 16)


_count_from_a_random_place()
if hasattr(os, "register_at_fork"):  # a forked process would go on from its parent's place
    os.register_at_fork(after_in_child=_count_from_a_random_place)


# What Numba makes of functions that only kernels call: LLVM code to link into the kernels, and nothing else. Left to
# itself it makes machine code of every function on the way up a chain of calls, though only the kernel at its top is
# ever called from Python. Without that a first compile of a search takes a sixth less time.


class Part(JITCodeLibrary):  # type: ignore[misc]  # Numba's classes have no types
    """The LLVM code of one function. Kernels go over it again in whole, so that it is optimised once before, and at
    LLVM's level 1: made small enough to be inlined. By Numba's own rounds (over each function at level 3, over all at
    0, over all at 3) a first compile takes a tenth longer, and the searches measured were no faster for it."""

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        made = self._codegen._module_pass_manager(opt=min(1, config.OPT), loop_vectorize=False, slp_vectorize=False)
        if isinstance(made, tuple):  # a manager and its builder; Numba 0.60 has the manager alone
            made[0].run(self._final_module, made[1])
        else:
            made.run(self._final_module)

    def _finalize_final_module(self) -> None:
        self._finalized = True  # what the names in it stand for is looked at in the kernels

    @property
    def codegen(self) -> Any:
        """Asked only where the environment of machine code is to be set, and there is none."""
        return _NoMachineCode


class _NoMachineCode:
    @staticmethod
    def set_env(name: str, env: Any) -> None:
        pass


class RawPart(Part):
    """One that is hardly optimised before it is linked: see `inner_kernel`."""

    def _optimize_functions(self, ll_module: Any) -> None:
        JITCodeLibrary._optimize_functions(self, ll_module)

    def _optimize_final_module(self) -> None:
        pass


@register_pass(mutates_CFG=False, analysis_only=True)
class MakePart(AnalysisPass):  # type: ignore[misc]  # Numba's classes have no types
    """Goes before Numba's own making of a library for the function."""

    _name = "boardwright_make_part"
    library: type[Part] = Part

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
        return False


@register_pass(mutates_CFG=False, analysis_only=True)
class MakeRawPart(MakePart):
    _name = "boardwright_make_raw_part"
    library = RawPart


# What is known before types are inferred. Numba drops a branch that its arguments' types decide, with all the functions
# that only it would call, if the condition is a constant by then; but it looks for constants in few places.


@register_pass(mutates_CFG=False, analysis_only=False)
class FoldConstants(FunctionPass):  # type: ignore[misc]  # Numba's classes have no types
    """`game.outcomes`, a whole number, becomes that number; `plan.threats`, a field of a named tuple whose type is that
    of None, becomes None. Of the function's arguments only."""

    _name = "boardwright_fold_constants"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        code = state.func_ir
        for block in code.blocks.values():
            for statement in block.body:
                taken = getattr(statement, "value", None)
                if not isinstance(taken, ir.Expr) or taken.op != "getattr":
                    continue
                argument = guard(get_definition, code, taken.value)
                if isinstance(argument, ir.Arg) and argument.index < len(state.args):
                    self._fold(code, statement, state.args[argument.index])
        return False

    def _fold(self, code: Any, statement: Any, kind: Any) -> None:
        taken = statement.value
        if isinstance(kind, types.NamedTuple):
            if taken.attr not in kind.fields or kind[kind.fields.index(taken.attr)] != types.none:
                return
            value = None
        else:
            value = kind.whole_constant(taken.attr) if hasattr(kind, "whole_constant") else None
            if value is None:
                return
        statement.value = ir.Const(value, statement.loc)
        known = code._definitions[statement.target.name]
        known[known.index(taken)] = statement.value


class PartCompiler(CompilerBase):  # type: ignore[misc]  # Numba's classes have no types
    """Numba's own passes for a function that only kernels call."""

    make_library: type[MakePart] = MakePart

    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(FoldConstants, RewriteSemanticConstants)
        passes.add_pass_after(self.make_library, NopythonTypeInference)
        passes.finalize()
        return [passes]


class RawPartCompiler(PartCompiler):
    make_library = MakeRawPart


def compile_part(function: FunctionType, checked: bool, raw: bool) -> Any:
    """A dispatcher for a function that only kernels call, without the wrappers that Python would need: never call it
    from Python. `checked`: every array index is; `raw`: not optimised before it is linked, and references to
    arrays are not counted."""
    dispatcher = numba.njit(
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        nogil=True,
        _nrt=not raw,  # the code that counts is a tenth of all
        boundscheck=checked,
        forceinline=raw,  # a named tuple of arrays goes to a function as seventy numbers
        pipeline_class=RawPartCompiler if raw else PartCompiler,
    )(function)
    # The call template is where Numba settles for which types a function is compiled: see `_widened`.
    template = dispatcher.get_call_template
    dispatcher.get_call_template = lambda args, kws: template(
        tuple(map(_widened, args)), {name: _widened(kind) for name, kind in kws.items()}
    )
    return dispatcher


def _widened(kind: Any) -> Any:
    """Every whole number that is handed to a function goes as int64 (uint64 stays). Otherwise a function is compiled
    again for each width in which a caller happens to hold a number: a count of int16, a cell of int8, the literal 0."""
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) and kind != types.uint64 else kind


# Kernels: what Python calls.


@register_pass(mutates_CFG=False, analysis_only=True)
class SetEnvironments(AnalysisPass):  # type: ignore[misc]  # Numba's classes have no types
    """Give a kernel the environments of its parts, which an exception with arguments looks up; a kernel out of the
    cache gets them from Numba."""

    _name = "boardwright_set_environments"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        for variable in state.library._final_module.global_variables:
            environment = lookup_environment(variable.name)
            if environment is not None:
                state.library.codegen.set_env(variable.name, environment)
        return False


class KernelCompiler(CompilerBase):  # type: ignore[misc]  # Numba's classes have no types
    """Numba's own passes for a kernel that Python calls."""

    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(FoldConstants, RewriteSemanticConstants)
        passes.add_pass_after(SetEnvironments, NativeLowering)
        passes.finalize()
        return [passes]


class Store(Protocol):
    """Where compiled code is kept; see compile/cache.py. `shape`: all that Numba says shaped the code, as text."""

    def read(self, shape: str) -> bytes | None: ...

    def write(self, shape: str, code: bytes) -> None: ...

    def compiled(self) -> None: ...


class KernelCache(caching._Cache):  # type: ignore[misc]  # Numba's classes have no types
    """Our store in the place of Numba's own cache, whose index two processes that fill it at once can spoil."""

    cache_path = ""  # asked for by Numba's statistics only

    def __init__(self, store: Store) -> None:
        self._store = store

    def enable(self) -> None:
        pass

    def disable(self) -> None:
        pass

    def flush(self) -> None:
        pass

    @staticmethod
    def _shape(sig: Any, context: Any) -> str:
        # The machine, how far LLVM goes (NUMBA_OPT and its like), the types of the arguments; and, as Numba's name of a
        # named tuple's type does not tell them, its fields, which a kernel takes by their place.
        fields = [_fields(kind) for kind in sig]
        effort = int(config.OPT), config.OPT.is_opt_max, config.LOOP_VECTORIZE, config.SLP_VECTORIZE
        return repr((context.codegen().magic_tuple(), effort, str(sig), fields))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        code = self._store.read(self._shape(sig, target_context))
        if code is None:
            return None
        try:
            payload, symbols = pickle.loads(code)  # noqa: S301 - our own file, see compile/cache.py
        except (AttributeError, ImportError):
            return None  # the class of a named tuple that it takes has moved since
        _make_known(symbols, target_context)
        return CompileResult._rebuild(target_context, *payload)

    def save_overload(self, sig: Any, data: Any) -> None:
        if not data.library.has_dynamic_globals:  # addresses of this process
            kept = data._reduce(), _outer_symbols(data.library)
            self._store.write(self._shape(sig, data.target_context), serialize.dumps(kept))


def _outer_symbols(library: Any) -> list[str]:
    """The functions and variables that a kernel's machine code takes from its process."""
    module = library._final_module
    named = (*module.functions, *module.global_variables)
    return sorted(one.name for one in named if one.is_declaration and not one.name.startswith("llvm."))


def _make_known(symbols: list[str], target_context: Any) -> None:
    """See that the process has what a kernel's machine code names. Numba itself loads all that it could ever compile
    with before it takes anything out of a cache: twice the time of the rest of a search's first move. Its runtime is
    enough for nearly every kernel."""
    rtsys.initialize(target_context)
    if not all(map(binding.address_of_symbol, symbols)):
        target_context.refresh()


def _fields(kind: Any) -> list[Any]:
    """The names of a named tuple's fields, and of those inside it."""
    if not isinstance(kind, types.BaseTuple):
        return []
    return [list(getattr(kind, "fields", ())), *(_fields(inner) for inner in kind.types)]


def compile_kernel(function: FunctionType, checked: bool, counting: bool, store: Store) -> Any:
    """A dispatcher for a kernel, whose compiled forms are kept in `store`; `counting`: references to
    arrays are."""
    dispatcher = numba.njit(
        no_cfunc_wrapper=True, nogil=True, _nrt=counting, boundscheck=checked, pipeline_class=KernelCompiler
    )(function)
    compile_alone = dispatcher.compile

    def compile_in_turn(signature: Any) -> Any:
        try:
            with _undisturbed():
                return compile_alone(signature)
        finally:
            store.compiled()

    dispatcher._cache, dispatcher.compile = KernelCache(store), compile_in_turn
    return dispatcher


# Operators and built-in functions over numbers, arrays, records and tuples of them. For each `a + b` Numba tries every
# signature that it knows of `+`, NumPy's included, twice where one is a literal: half of all inference of types, for a
# handful of answers.

_find_operator = types.Function.get_call_type
_operators: dict[Any, Any] = {}
_PLAIN = (types.Number, types.Boolean, types.IntegerLiteral, types.Array, types.Record, types.BaseTuple)


def _known_operator(self: Any, context: Any, args: Any, kws: Any) -> Any:
    if kws or not all(isinstance(kind, _PLAIN) and kind.is_precise() for kind in args):
        return _find_operator(self, context, args, kws)
    if getattr(self.typing_key, "__module__", "") not in ("_operator", "builtins"):
        return _find_operator(self, context, args, kws)
    key = self, context, tuple(args)
    if key not in _operators:
        _operators[key] = _find_operator(self, context, args, kws)
    return _operators[key]


types.Function.get_call_type = _known_operator


# The variables of a statement. Numba asks for them a dozen times on the way through its passes, and calls itself for
# every attribute of the statement, its line and its names included.

_list_variables = ir.Inst._rec_list_vars
_NO_VARIABLES = frozenset({str, int, float, bool, type(None), ir.Loc, ir.Scope})


def _quickly_listed(self: Any, value: Any) -> Any:
    if type(value) is dict:
        value = value.values()
    elif not isinstance(value, (list, tuple)):
        return _list_variables(self, value)
    found: list[Any] = []
    for one in value:
        kind = type(one)
        if kind is ir.Var:
            found.append(one)
        elif kind not in _NO_VARIABLES:
            found += self._rec_list_vars(one)
    return found


ir.Inst._rec_list_vars = _quickly_listed


# Which variables live where a block begins. Numba works it out after nearly every pass, and asks for it only in
# functions that yield, and in Python's own mode, where `del` is written out.

_postprocess = PostProcessor.run


def _postprocess_lazily(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    code = self.func_ir
    if emit_dels or code.is_generator:
        _postprocess(self, emit_dels, extend_lifetimes)
        return
    code.blocks = transforms.canonicalize_cfg(code.blocks)
    code.variable_lifetime = VariableLifetime(code.blocks)
    code.generator_info = None


PostProcessor.run = _postprocess_lazily


# The options that a function is compiled with: Numba asks for all of them, one by one, at every turn.


@cache
def _usual_options(kind: Any) -> dict[str, Any]:
    return {name: option.default for name, option in kind.options.items()}


def _all_options(self: Any) -> dict[str, Any]:
    kind: Any = type(self)
    return {**_usual_options(kind), **self._values}


TargetConfig.values = _all_options


_importing = threading.Lock()


@cache
def _import_array_functions() -> None:
    """To see whether there is a BLAS, Numba's array functions import all of SciPy's linear algebra: 0.2 of the 0.35
    CPU seconds that Numba needs to get ready. That SciPy is there says as much; who multiplies matrices imports it
    then."""
    if find_spec("scipy") is None:
        return
    linalg: Any = import_module("numba.np.linalg")
    ensure_blas = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        arraymath: Any = import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = ensure_blas
    arraymath.ensure_blas = ensure_blas


# What Numba knows how to compile. It looks whether there is more of it at every function, and at many calls: imports
# what it has long imported, and asks each of seventeen registries for what is new.

_refresh, _refresh_types = BaseContext.refresh, TypingContext.refresh


def _registered(context: Any) -> list[int]:
    known = context._registries.items()
    return [len(getattr(registry, name)) for registry, loader in known for name in loader.registry_items]


def _refresh_if_new(self: Any) -> None:
    if self.__dict__.get("_seen_by_us") != (_registered(self), _registered(self.typing_context)):
        _refresh(self)
        self._seen_by_us = _registered(self), _registered(self.typing_context)


def _refresh_types_if_new(self: Any) -> None:
    if self.__dict__.get("_seen_by_us") != _registered(self):
        _refresh_types(self)
        self._seen_by_us = _registered(self)


BaseContext.refresh, TypingContext.refresh = _refresh_if_new, _refresh_types_if_new


# How large a type is. Numba has LLVM parse a program for every answer.

_size_of = BaseContext.get_abi_sizeof


def _known_size_of(self: Any, kind: Any) -> Any:
    name = str(kind)
    if "%" in name:  # a type by name, which may mean another one elsewhere
        return _size_of(self, kind)
    known = self.__dict__.setdefault("_sizes_by_us", {})
    if (self.codegen(), name) not in known:
        known[self.codegen(), name] = _size_of(self, kind)
    return known[self.codegen(), name]


BaseContext.get_abi_sizeof = _known_size_of


# Events, such as every call into LLVM, that nobody listens to.

_start_event, _end_event, _trigger_event = event.start_event, event.end_event, event.trigger_event


def _start_if_heard(kind: str, data: Any = None) -> None:
    if event._registered.get(kind):
        _start_event(kind, data)


def _end_if_heard(kind: str, data: Any = None, exc_details: Any = None) -> None:
    if event._registered.get(kind):
        _end_event(kind, data, exc_details)


def _trigger_if_heard(kind: str, data: Any = None) -> Any:
    return _trigger_event(kind, data) if event._registered.get(kind) else nullcontext()


event.start_event, event.end_event, event.trigger_event = _start_if_heard, _end_if_heard, _trigger_if_heard


_install_timer = event.install_timer
_LEFT_LYING = 4  # kernels whose leavings the collector looks through at once
_left_lying = 0


@contextmanager
def _no_clock(kind: str, callback: Any) -> Iterator[None]:
    yield


@contextmanager
def _undisturbed() -> Iterator[None]:
    """While Numba compiles it makes millions of objects, and Python's collector looks through them over and over: a
    tenth of the time of a first compile. What is left lying until a kernel is done took 30 MB of 400. And for every
    function on the way down a chain of calls it starts two clocks, all of which hear of every call into LLVM."""
    was_on = gc.isenabled()
    gc.disable()
    event.install_timer = _no_clock
    try:
        with _importing:
            _import_array_functions()
        yield
    finally:
        event.install_timer = _install_timer
        if was_on:
            _put_away()
            gc.enable()


def _put_away() -> None:
    """All that was made goes to the oldest objects without being looked through, which takes a twentieth of a small
    game's first compile; every few kernels they are."""
    global _left_lying
    _left_lying = (_left_lying + 1) % _LEFT_LYING
    if _left_lying == 0:
        gc.collect()
    elif not gc.get_freeze_count():  # else somebody else keeps objects there
        gc.freeze()
        gc.unfreeze()


def result_type(dispatcher: Any, arguments: tuple[Any, ...]) -> Any:
    """Compile for these types of arguments; the type of what is returned."""
    dispatcher.compile(arguments)
    return dispatcher.overloads[arguments].signature.return_type


# Games as values: methods, tables, constants. Numba's documented way needs a class of methods for each type, written
# before any game is known.


class BoundMethod(types.BoundFunction):  # type: ignore[misc]  # Numba's classes have no types
    """`game.legal`, say, before it is called: the game's type and the method's name."""

    def __init__(self, this: Any, method: str) -> None:
        self.this = this
        self.method = method
        types.Callable.__init__(self, f"{this.name}.{method}")

    @property
    def dispatcher(self) -> Any:
        """The compiled method, whose first argument is `this`."""
        raise NotImplementedError

    @property
    def key(self) -> Any:
        return self.this, self.method

    def unify(self, typingctx: Any, other: Any) -> Any:
        return self if self.key == getattr(other, "key", None) else None

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        template, pysig, folded, _ = self.dispatcher.get_call_template((self.this, *args), kws)
        found = template(context).apply(folded, {})
        if found is None:
            return None
        own = list(pysig.parameters.values())[1:]
        return found.replace(args=found.args[1:], recvr=self.this, pysig=pysig.replace(parameters=own))

    def get_impl_key(self, sig: Any) -> Any:
        args = sig.args if sig.args and sig.args[0] == self.this else (self.this, *sig.args)
        return self.dispatcher.get_overload(args)

    def get_call_signatures(self) -> Any:
        return [], True


def array_at(context: Any, builder: Any, address: Any, kind: Any, array: np.ndarray[Any, Any]) -> Any:
    """An array of type `kind`, shaped as `array`, whose numbers lie at an address: Numba has no array of a pointer
    whose shape is a constant."""
    made = arrayobj.make_array(kind)(context, builder)
    number = context.get_constant
    arrayobj.populate_array(
        made,
        data=builder.inttoptr(address, made.data.type),
        shape=cgutils.pack_array(builder, [number(types.intp, n) for n in array.shape]),
        strides=cgutils.pack_array(builder, [number(types.intp, n) for n in array.strides]),
        itemsize=number(types.intp, array.itemsize),
        meminfo=None,
    )
    return made._getvalue()


def constant(context: Any, builder: Any, kind: Any, value: object) -> Any:
    """A number or a tuple of numbers in the code itself."""
    return context.get_constant_generic(builder, kind, value)


# Arrays without an owner. Numba counts references to an array wherever one is put into a named tuple or taken out, by
# atomic instructions. Python holds a kernel's arguments for as long as it runs, so that nothing need be counted there.


@intrinsic  # type: ignore[untyped-decorator]  # Numba's decorators have no types
def uncounted(typing_context: Any, value: Any) -> Any:
    """An array, or a named tuple of arrays and numbers, whose references are not counted: for a kernel's arguments."""
    return value(value), lambda context, builder, signature, args: _uncounted(context, builder, value, args[0])


def _uncounted(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    if isinstance(kind, types.BaseTuple):
        for place, inner in enumerate(kind.types):
            part = _uncounted(context, builder, inner, builder.extract_value(value, place))
            value = builder.insert_value(value, part, place)
    elif isinstance(kind, types.Array):
        array = arrayobj.make_array(kind)(context, builder, value)
        array.meminfo = array.meminfo.type(None)
        return array._getvalue()
    return value
