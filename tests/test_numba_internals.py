"""Numba still keeps what compile/numba_internals.py, and for WebAssembly compile/wasm/numba_target.py, rely on beyond
its documented API. A failure is one sentence."""

from __future__ import annotations

import ast
import gc
import inspect
import operator
import re
import signal
import sys
import tomllib
import weakref
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from packaging.requirements import Requirement
from packaging.version import Version

import boardwright as bw
from boardwright.compile import numba_internals
from boardwright.compile.kernel import interpret, kernel
from tests.processes import hearing_ctrl_c

SOURCE = Path(__file__).parents[1] / "src"


def at(place: str) -> Any:
    """What lives at module:attribute.attribute."""
    module, _, names = place.partition(":")
    found = import_module(module)
    for name in filter(None, names.split(".")):
        found = getattr(found, name)
    return found


def takes(place: str, *names: str) -> Callable[[], bool]:
    """The function there can be called with these arguments in this order."""
    return lambda: tuple(inspect.signature(at(place)).parameters)[: len(names)] == names


def has(place: str, *names: str) -> Callable[[], bool]:
    return lambda: all(hasattr(at(place), name) for name in names)


def compiled() -> Any:
    """A compiled function's own description by Numba."""
    one = numba.njit(lambda: 1)
    one.compile(())
    return one.overloads[()]


class Typed:
    """A value that knows its own type."""

    _numba_type_ = numba.types.int64


def asks_a_value_for_its_type() -> bool:
    return bool(numba.typeof(Typed()) == numba.types.int64)


def counts_references_by_meminfo() -> bool:
    kind = numba.types.float64[:]
    model = at("numba.core.datamodel:default_manager").lookup(kind)
    return bool(model.get_type("meminfo") == numba.types.MemInfoPointer(kind.dtype))


def reads_what_it_wrote() -> bool:
    from numba.core import compiler

    made = compiled()
    count = len(inspect.signature(compiler.CompileResult._rebuild).parameters) - 1
    return len(made._reduce()) == count


def keeps_options() -> bool:
    flags = at("numba.core.compiler:Flags")()
    flags.nrt = True
    values = {name: getattr(flags, name) for name in flags.options}
    return values["nrt"] is True and bool(flags.values() == values)


def makes_rounds_of_passes() -> bool:
    codegen = compiled().library.codegen
    made = codegen._module_pass_manager(opt=1, loop_vectorize=False, slp_vectorize=False)
    return len(made) == 2 and hasattr(made[0], "run") if isinstance(made, tuple) else hasattr(made, "run")


TYPED = ("untyped_passes", "typed_passes", "typeinfer", "lowering", "ssa", "ir_utils", "inline_closurecall")


PROMISES: dict[str, Callable[[], bool]] = {
    "FunctionIdentity._unique_ids yields the numbers that tell functions of one name apart": lambda: isinstance(
        next(at("numba.core.bytecode:FunctionIdentity._unique_ids")), int
    ),
    "the number of a function is part of its name in machine code": lambda: (
        f"v{(made := compiled()).fndesc.uid}" in made.fndesc.mangled_name
    ),
    "a cache is a _Cache with exactly the six members that KernelCache has": lambda: (
        at("numba.core.caching:_Cache").__abstractmethods__
        == {"cache_path", "load_overload", "save_overload", "enable", "disable", "flush"}
    ),
    "a cache is asked as load_overload(sig, target_context)": takes(
        "numba.core.caching:_Cache.load_overload", "self", "sig", "target_context"
    ),
    "a cache is told by save_overload(sig, data)": takes(
        "numba.core.caching:_Cache.save_overload", "self", "sig", "data"
    ),
    "a dispatcher asks the cache in its attribute _cache": lambda: hasattr(numba.njit(lambda: 1), "_cache"),
    "CompileResult._rebuild takes the target context and what _reduce gives": reads_what_it_wrote,
    "a compile result names its library and target context": lambda: (
        hasattr(compiled().library, "has_dynamic_globals") and hasattr(compiled().target_context, "refresh")
    ),
    "rtsys.initialize(context) makes the runtime's symbols known": takes(
        "numba.core.runtime:rtsys.initialize", "ctx"
    ),
    "serialize.dumps turns a compile result into bytes": has("numba.core.serialize", "dumps"),
    "codegen().magic_tuple() names the machine that code was made for": lambda: bool(
        compiled().target_context.codegen().magic_tuple()
    ),
    "JITCodeLibrary makes machine code in _finalize_final_module and optimises in _optimize_final_module": has(
        "numba.core.codegen:JITCodeLibrary",
        "_finalize_final_module", "_optimize_final_module",
    ),
    "_optimize_functions(ll_module) goes over a function's code before it is linked": takes(
        "numba.core.codegen:JITCodeLibrary._optimize_functions", "self", "ll_module"
    ),
    "_module_pass_manager(opt, loop_vectorize, slp_vectorize) makes a round of LLVM's passes": makes_rounds_of_passes,
    "a dispatcher's clocks are started by event.install_timer(kind, callback)": lambda: (
        takes("numba.core.event:install_timer", "kind", "callback")()
        and at("numba.core.dispatcher:ev") is at("numba.core.event")
    ),
    "a statement lists its variables by _rec_list_vars(val)": takes(
        "boardwright.compile.numba_internals:_list_variables", "self", "val"
    ),
    "PostProcessor(code).run(emit_dels, extend_lifetimes) makes what passes know of variables": takes(
        "boardwright.compile.numba_internals:_postprocess", "self", "emit_dels", "extend_lifetimes"
    ),
    "what lives where a block begins is asked for in Python's own mode and in functions that yield only": lambda: (
        "block_entry_vars" not in "".join(inspect.getsource(at(f"numba.core.{name}")) for name in TYPED)
    ),
    "whether there is a BLAS is asked by ensure_blas(), which imports SciPy's": lambda: (
        at("numba.np.linalg:ensure_blas") is at("numba.np.arraymath:ensure_blas")
        and "scipy.linalg.cython_blas" in inspect.getsource(at("numba.np.linalg:ensure_blas"))
    ),
    "options that are set are in _values, and options has the defaults of all": keeps_options,
    "a code library is made of a codegen and a name": takes(
        "numba.core.codegen:JITCodeLibrary.__init__", "self", "codegen", "name"
    ),
    "a finished library holds its LLVM code in _final_module": lambda: hasattr(compiled().library, "_final_module"),
    "codegen.set_env(env_name, env) gives machine code its environment": takes(
        "numba.core.codegen:JITCPUCodegen.set_env", "self", "env_name", "env"
    ),
    "lookup_environment finds a live environment by its name in the code": lambda: (
        at("numba.core.environment:lookup_environment")((made := compiled()).fndesc.env_name) is made.environment
    ),
    "define_nopython_pipeline(state) lists Numba's own passes": takes(
        "numba.core.compiler:DefaultPassBuilder.define_nopython_pipeline", "state"
    ),
    "a pass can be put after another by add_pass_after(pass, location)": takes(
        "numba.core.compiler_machinery:PassManager.add_pass_after", "self", "pass_cls", "location"
    ),
    "type inference and lowering are passes of their own": has(
        "numba.core.typed_passes", "NopythonTypeInference", "NativeLowering"
    ),
    "a pass is an AnalysisPass registered by register_pass(mutates_CFG, analysis_only)": takes(
        "numba.core.compiler_machinery:register_pass", "mutates_CFG", "analysis_only"
    ),
    "constants are written before dead branches are pruned, in a pass of its own": has(
        "numba.core.untyped_passes", "RewriteSemanticConstants", "DeadBranchPrune"
    ),
    "an operator is typed by Function.get_call_type(context, args, kws), and named by typing_key": lambda: (
        takes("boardwright.compile.numba_internals:_find_operator", "self", "context", "args", "kws")()
        and compiled().typing_context.resolve_value_type(operator.add).typing_key is operator.add
    ),
    "what a context knows is in the registries that it has installed, each with the names of its lists": lambda: all(
        isinstance(getattr(registry, name), list)
        for context in (compiled().target_context, compiled().typing_context)
        for registry, loader in context._registries.items()
        for name in loader.registry_items
    ),
    "a context asks for what is new by refresh(), and for a type's size by get_abi_sizeof(ty)": lambda: (
        takes("boardwright.compile.numba_internals:_refresh", "self")()
        and takes("boardwright.compile.numba_internals:_refresh_types", "self")()
        and takes("boardwright.compile.numba_internals:_size_of", "self", "ty")()
    ),
    "events are told by start_event, end_event and trigger_event, and heard by whoever is in _registered": lambda: (
        takes("boardwright.compile.numba_internals:_start_event", "kind", "data")()
        and takes("boardwright.compile.numba_internals:_end_event", "kind", "data", "exc_details")()
        and takes("boardwright.compile.numba_internals:_trigger_event", "kind", "data")()
        and at("numba.core.base:event") is at("numba.core.compiler_lock:ev") is at("numba.core.event")
        and hasattr(at("numba.core.event"), "_registered")
    ),
    "the level of optimisation is config.OPT": lambda: (
        isinstance(int(at("numba.core.config:OPT")), int) and has("numba.core.config:OPT", "is_opt_max")()
    ),
    "a function can be compiled without counting references": has("numba.core.options:DefaultOptions", "_nrt"),
    "njit can leave out the wrappers for Python and for C": has(
        "numba.core.options:DefaultOptions", "no_cpython_wrapper", "no_cfunc_wrapper"
    ),
    "get_call_template(args, kws) settles for which types a function is compiled": takes(
        "numba.core.dispatcher:_DispatcherBase.get_call_template", "self", "args", "kws"
    ),
    "get_overload(sig) is the compiled function": takes(
        "numba.core.dispatcher:_DispatcherBase.get_overload", "self", "sig"
    ),
    "a method is a BoundFunction, typed by get_call_type(context, args, kws)": takes(
        "numba.core.types:BoundFunction.get_call_type", "self", "context", "args", "kws"
    ),
    "a method is lowered by get_impl_key(sig)": takes("numba.core.types:BoundFunction.get_impl_key", "self", "sig"),
    "attributes are typed by AttributeTemplate and its generic_resolve": takes(
        "numba.core.typing.templates:AttributeTemplate.__init__", "self", "context"
    ),
    "make_array and populate_array build an array of a pointer": lambda: (
        has("numba.np.arrayobj", "make_array")()
        and takes("numba.np.arrayobj:populate_array", "array", "data", "shape", "strides", "itemsize", "meminfo")()
    ),
    "an array counts its references through the member meminfo": counts_references_by_meminfo,
    "a value is asked for its type under the name _numba_type_": asks_a_value_for_its_type,
    "get_constant_generic(builder, ty, val) puts a number into the code": takes(
        "numba.core.base:BaseContext.get_constant_generic", "self", "builder", "ty", "val"
    ),
    "WebAssembly: machine code is made by codegen.JITCPUCodegen, whichever class has that name": lambda: (
        at("numba.core.cpu:codegen") is at("numba.core.codegen")
        and type(compiled().target_context.codegen()) is at("numba.core.codegen:JITCPUCodegen")
    ),
    "WebAssembly: a CPUCodegen sets up its machine in _init(llvm_module)": takes(
        "numba.core.codegen:CPUCodegen._init", "self", "llvm_module"
    ),
    "WebAssembly: a codegen's modules come from _create_empty_module(name)": takes(
        "numba.core.codegen:CPUCodegen._create_empty_module", "self", "name"
    ),
    "WebAssembly: a module is handed to the engine by _add_module(module) alone": takes(
        "numba.core.codegen:JITCPUCodegen._add_module", "self", "module"
    ),
    "WebAssembly: a library is loaded in _finalize_specific, which a CPUCodeLibrary leaves to others": lambda: (
        has("numba.core.codegen:JITCodeLibrary", "_finalize_specific")()
        and has("numba.core.codegen:CPUCodeLibrary", "_ensure_finalized")()
        and not hasattr(at("numba.core.codegen:CPUCodeLibrary"), "_finalize_specific")
    ),
    "WebAssembly: a codegen keeps its machine in _tm, _target_data, _data_layout and _tm_features": lambda: all(
        hasattr(compiled().target_context.codegen(), name)
        for name in ("_tm", "_target_data", "_data_layout", "_tm_features", "_engine", "_loopvect", "_opt_level")
    ),
    "WebAssembly: the convention of calls is CPUContext.call_conv, a CPUCallConv(context)": lambda: (
        isinstance(compiled().target_context.call_conv, at("numba.core.callconv:CPUCallConv"))
        and "call_conv" in vars(at("numba.core.cpu:CPUContext"))
    ),
    "WebAssembly: an error with a fixed text is written by set_static_user_exc": takes(
        "numba.core.callconv:CPUCallConv.set_static_user_exc",
        "self", "builder", "exc", "exc_args", "loc", "func_name",
    ),
    "WebAssembly: an error with a computed text is written by set_dynamic_user_exc": takes(
        "numba.core.callconv:CPUCallConv.set_dynamic_user_exc",
        "self", "builder", "exc", "exc_args", "nb_types", "loc", "func_name",
    ),
    "WebAssembly: where an error is written to is a pointer, told by _get_excinfo_argument(func)": lambda: (
        at("numba.core.callconv:excinfo_ptr_t").is_pointer
        and takes("numba.core.callconv:CPUCallConv._get_excinfo_argument", "self", "func")()
    ),
    "WebAssembly: the runtime is set up once, as _init of rtsys tells": lambda: (
        bool(compiled()) and all(hasattr(at("numba.core.runtime:rtsys"), name) for name in ("_init", "_library"))
    ),
    "WebAssembly: nothing was compiled as long as cpu_target has no _toplevel_target_context": lambda: (
        bool(compiled()) and "_toplevel_target_context" in vars(at("numba.core.registry:cpu_target"))
    ),
    "WebAssembly: compile_extra makes the code of a function": takes(
        "numba.core.compiler:compile_extra", "typingctx", "targetctx", "func", "args", "return_type", "flags", "locals"
    ),
    "WebAssembly: one thread compiles at a time, by global_compiler_lock": has(
        "numba.core.compiler_lock:global_compiler_lock", "__enter__", "__exit__"
    ),
}  # fmt: skip


def test_only_versions_are_allowed_that_the_promises_were_tried_with() -> None:
    """A newer Numba is let in by raising the bound, after `make test-numba` has passed with it."""
    project = tomllib.loads((SOURCE.parent / "pyproject.toml").read_text(encoding="utf-8"))
    needed = [Requirement(one) for one in project["project"]["dependencies"]]
    (allowed,) = [one.specifier for one in needed if one.name == "numba"]
    bounds = {one.operator: Version(one.version) for one in allowed}
    assert set(bounds) == {">=", "<"}, f"Numba needs a lowest and a highest version, not {allowed}"
    locked = re.search(r"(?m)^numba==(\S+)", (SOURCE.parent / "requirements.lock").read_text(encoding="utf-8"))
    assert locked and locked[1] in allowed
    newest = Version(locked[1])
    above = Version(f"{newest.major}.{newest.minor + 1}")
    assert bounds["<"] == above, f"the promises were tried with {newest}, the locked version: allow less than {above}"


def test_a_statement_lists_the_variables_that_numba_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    def written(numbers: Any, at: int) -> Any:
        pair = numbers[at], at + 1
        for i in range(len(numbers)):
            numbers[i] = max(pair[0], numbers[i], key=abs)
        return pair

    blocks = at("numba.core.compiler:run_frontend")(written).blocks
    statements = [one for block in blocks.values() for one in block.body]
    monkeypatch.setattr("numba.core.ir.Inst._rec_list_vars", numba_internals._quickly_listed)
    quickly = [one.list_vars() for one in statements]
    monkeypatch.setattr("numba.core.ir.Inst._rec_list_vars", numba_internals._list_variables)
    assert quickly == [one.list_vars() for one in statements]
    assert max(map(len, quickly)) >= 4  # the call has a function, two arguments, one by name, a target


def test_what_is_taught_to_numba_later_is_known() -> None:
    """It looks for what is new only where there is something new."""

    def twice(number: int) -> int:
        return 2 * number

    with pytest.raises(numba.TypingError):
        numba.njit(lambda number: twice(number))(1)
    numba.extending.overload(twice)(lambda number: lambda number: 2 * number)
    assert numba.njit(lambda number: twice(twice(number)))(5) == 20


def test_who_listens_to_numba_still_hears_it() -> None:
    with (
        numba.core.event.install_recorder("numba:compile") as heard,
        numba.core.event.install_recorder("numba:llvm_lock") as calls,
    ):
        numba.njit(lambda: 1)()
    assert [event.is_start for _, event in heard.buffer] == [True, False]
    assert len(calls.buffer) > 10


def test_types_are_as_large_as_llvm_says() -> None:
    context = compiled().target_context
    kinds = [context.get_value_type(kind) for kind in (numba.types.int8, numba.types.float64[:, ::1], numba.types.none)]
    for _ in range(2):
        assert [context.get_abi_sizeof(kind) for kind in kinds] == [
            kind.get_abi_size(context.target_data) for kind in kinds
        ]


def test_what_compiling_leaves_behind_is_collected() -> None:
    """Not at once, but every few kernels."""

    class Left:
        pass

    one = Left()
    one.itself = one  # type: ignore[attr-defined]  # only the collector frees it
    alive = weakref.ref(one)
    for _ in range(numba_internals._LEFT_LYING):
        assert gc.isenabled()
        with numba_internals._undisturbed():
            one = Left()
    assert alive() is None


class Settings(NamedTuple):
    depth: int
    impossible: int | None


@kernel
def never_compiled(settings: Any) -> Any:
    return settings.no_such_field


@kernel
def with_a_part_left_out(settings: Any) -> Any:
    if settings.impossible and settings.depth > 0:
        return never_compiled(settings)
    return settings.depth + 1


def test_what_a_field_that_is_none_would_lead_to_is_not_compiled() -> None:
    assert with_a_part_left_out(Settings(3, None)) == 4 == interpret(with_a_part_left_out)(Settings(3, None))
    with pytest.raises(numba.TypingError, match="no_such_field"):
        with_a_part_left_out(Settings(3, 0))


@pytest.mark.parametrize("promise", PROMISES)
def test_numba_keeps_the_promise(promise: str) -> None:
    try:
        kept = PROMISES[promise]()
    except (AttributeError, ImportError, TypeError, KeyError):
        kept = False
    if not kept:
        pytest.fail(f"Numba {numba.__version__} breaks a promise: {promise}", pytrace=False)


def test_nothing_else_reaches_behind_numbas_documented_api() -> None:
    documented = {"numba", "numba.extending", "numba.core.cgutils"}  # the guide to extensions uses cgutils
    found = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                imported = {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "numba":
                module = str(node.module)
                imported = {f"{module}.{alias.name}" for alias in node.names} if module == "numba.core" else {module}
            else:
                continue
            if any(name.startswith("numba") and name not in documented for name in imported):
                found.add(path.name)
    assert found == {"numba_internals.py", "numba_target.py"}  # the second: for WebAssembly


@kernel
def list_moves(game: Any, states: Any, moves: Any) -> Any:
    return game.legal(states[0], moves)


def test_no_call_of_a_kernel_swallows_ctrl_c() -> None:
    """It is pressed in the moment in which the call enters its first function in Python, its second, and so on."""
    game = bw.load("tictactoe")
    states, moves = np.zeros(1, game.state_dtype), np.zeros(game.actions, np.int32)

    def call(pressed: int) -> int:
        """How many functions were entered before it ended."""
        entered = 0

        def enter(frame: FrameType, event: str, value: object) -> None:
            nonlocal entered
            entered += event == "call"
            if entered == pressed:
                sys.setprofile(None)
                signal.raise_signal(signal.SIGINT)

        sys.setprofile(enter)
        try:
            list_moves(game, states, moves)
        finally:
            sys.setprofile(None)
        return entered

    with hearing_ctrl_c():
        call(0)  # it compiles
        entered = call(0)
        assert entered > 0
        for pressed in range(1, entered + 1):
            with pytest.raises(KeyboardInterrupt):
                call(pressed)
