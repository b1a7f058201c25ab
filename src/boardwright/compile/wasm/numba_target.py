"""All that the WebAssembly target takes from Numba beyond its documented API, with the reason for each.

Numba compiles for the machine that it runs on. Here its codegen is replaced, before anything is compiled, by one that
writes for wasm32 and has no engine to run code in. So this module belongs to a process of its own: `begin` refuses a
process in which something was compiled already. Numba's `intp` stays 64 bits wide, so that every whole number means
what it means natively; only addresses are 32 bits.
"""

from __future__ import annotations

from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils, codegen, compiler
from numba.core.callconv import CPUCallConv, excinfo_ptr_t
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys
from numba.extending import intrinsic
from numba.np import arrayobj

from boardwright.compile.wasm.runtime import RUNTIME, RUNTIME_NAMES
from boardwright.contract.errors import InputError, RuleError

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
OLDEST_NUMBA = (0, 62)  # before it LLVM had pointers with types, which the runtime's code does not


class WasmLibrary(codegen.CPUCodeLibrary):  # type: ignore[misc]  # Numba's classes have no types
    """A function's code that is never loaded into this process."""

    def _finalize_specific(self) -> None:
        pass

    def get_pointer_to_function(self, name: str) -> int:
        return 0


class _NoEngine:
    """Numba asks its engine only which symbols exist already."""

    @staticmethod
    def is_symbol_defined(name: str) -> bool:
        return False


class WasmCodegen(codegen.CPUCodegen):  # type: ignore[misc]  # Numba's classes have no types
    """Numba's codegen with another target machine."""

    _library_class = WasmLibrary

    def _init(self, llvm_module: Any) -> None:
        self._tm_features = FEATURES
        self._engine = _NoEngine
        self._tm = llvm.Target.from_triple(TRIPLE).create_target_machine(
            cpu="generic", features=FEATURES, opt=3, reloc="static", codemodel="default"
        )
        self._target_data = self._tm.target_data
        self._data_layout = str(self._target_data)
        self._loopvect, self._opt_level = False, 0

    def _create_empty_module(self, name: str) -> Any:
        module = ir.Module(cgutils.normalize_ir_text(name))
        module.triple = TRIPLE
        if self._data_layout:
            module.data_layout = self._data_layout
        return module

    def _add_module(self, module: Any) -> None:
        pass

    def set_env(self, name: str, env: Any) -> None:
        pass

    def magic_tuple(self) -> tuple[str, str, str]:
        return TRIPLE, "generic", FEATURES


class WasmCallConv(CPUCallConv):  # type: ignore[misc]  # Numba's classes have no types
    """Numba's convention, `status f(*result, **error, ...)`, but that an error is a number: the place of its sentence
    in `sentences`, from 1. Natively it is a pickle, which a page cannot read."""

    def __init__(self, context: Any, sentences: list[str]) -> None:
        super().__init__(context)
        self.sentences = sentences

    def set_static_user_exc(
        self, builder: Any, exc: Any, exc_args: Any = None, loc: Any = None, func_name: Any = None
    ) -> None:
        said = ": ".join([exc.__name__ if exc else "an error", *(str(arg) for arg in exc_args or ())])
        place = f" ({Path(loc.filename).name}, line {loc.line})" if loc is not None and loc.filename else ""
        sentence = f"a rule raised {said}{place}"
        if sentence not in self.sentences:
            self.sentences.append(sentence)
        number = ir.Constant(ir.IntType(32), self.sentences.index(sentence) + 1)
        builder.store(builder.inttoptr(number, excinfo_ptr_t), self._get_excinfo_argument(builder.function))

    def set_dynamic_user_exc(
        self, builder: Any, exc: Any, exc_args: Any, nb_types: Any, loc: Any = None, func_name: Any = None
    ) -> None:
        if loc is None or Path(numba.__file__).parent in Path(loc.filename).parents:
            self.set_static_user_exc(builder, exc)  # Numba's own, such as a dict's KeyError: see refusals.py
            return
        place = f"{Path(loc.filename).name}:{loc.line}: "
        raise RuleError(
            f"{place}an error is raised with a computed text, which a published page cannot show; "
            f"raise {exc.__name__} with a fixed text"
        )


_sentences: list[str] | None = None


def begin() -> list[str]:
    """Make this process compile for WebAssembly from now on. Returns the list that sentences of errors go into."""
    global _sentences
    if _sentences is not None:
        return _sentences
    version = tuple(int(part) for part in numba.__version__.split(".")[:2])
    if version < OLDEST_NUMBA:
        raise InputError(
            f"publish needs Numba {'.'.join(map(str, OLDEST_NUMBA))} or newer: pip install --upgrade numba"
        )
    assert "_toplevel_target_context" not in vars(cpu_target), "something was compiled in this process already"
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    codegen.JITCPUCodegen = WasmCodegen
    rtsys.initialize = _initialize_runtime
    sentences: list[str] = []
    _sentences = sentences
    CPUContext.call_conv = property(lambda context: WasmCallConv(context, sentences))
    return sentences


def _initialize_runtime(context: Any) -> None:
    """Our runtime in the place of Numba's own, which calls the C library."""
    if rtsys._init:
        return
    library = context.codegen().create_library("runtime")
    library.add_llvm_module(llvm.parse_assembly(f'target triple = "{TRIPLE}"\n{RUNTIME}'))
    with global_compiler_lock:
        library.finalize()
    rtsys._library, rtsys._ctx, rtsys._init = library, context, True


def compile_entry(function: FunctionType, name: str, arguments: tuple[Any, ...]) -> tuple[Any, Any]:
    """The LLVM module of a function, all that it calls included, that exports it as `name`; the type of its result."""
    flags = compiler.Flags()
    flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    flags.nrt = True
    flags.error_model = "python"
    made = compiler.compile_extra(
        cpu_target.typing_context, cpu_target.target_context, function, arguments, None, flags, {}
    )
    with global_compiler_lock:
        made.library._ensure_finalized()
    module = made.library._final_module
    module.get_function(made.fndesc.llvm_func_name).name = name
    for one in (*module.functions, *module.global_variables):
        # The runtime is one for all entries; a copy of its memory each would be empty. All else is the entry's own
        # (Numba's environments are `common`, which LLVM cannot write for wasm).
        if not one.is_declaration and one.name != name:
            one.linkage = "linkonce_odr" if one.name in RUNTIME_NAMES else "internal"
    return module, made.signature.return_type


def needed(module: Any) -> list[str]:
    """The functions and variables that a module takes from elsewhere."""
    named = (*module.functions, *module.global_variables)
    return sorted(one.name for one in named if one.is_declaration and not one.name.startswith("llvm."))


def emit(modules: list[Any]) -> bytes:
    """One object of several modules, which are used up."""
    first, *others = modules
    for other in others:
        first.link_in(other)
    first.verify()
    code: bytes = cpu_target.target_context.codegen()._tm.emit_object(first)
    return code


def arrays_of(dtype: np.dtype[Any], dimensions: int = 1) -> Any:
    """A function (address, count) -> array of so many numbers or records there, for entries; with two dimensions
    (address, rows, columns). The memory is the caller's."""
    kind = types.Array(numba.from_dtype(dtype), dimensions, "C")
    size = dtype.itemsize

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, *shape = arguments
        strides: list[Any] = []
        width = context.get_constant(types.intp, size)
        for extent in reversed(shape):
            strides.insert(0, width)
            width = builder.mul(width, extent)
        made = arrayobj.make_array(kind)(context, builder)
        arrayobj.populate_array(
            made,
            data=builder.inttoptr(address, made.data.type),
            shape=cgutils.pack_array(builder, shape),
            strides=cgutils.pack_array(builder, strides),
            itemsize=context.get_constant(types.intp, size),
            meminfo=None,
        )
        return made._getvalue()

    if dimensions == 2:

        @intrinsic  # type: ignore[untyped-decorator]  # Numba's decorators have no types
        def rows_at(typing_context: Any, address: Any, rows: Any, columns: Any) -> Any:
            return kind(types.int64, types.int64, types.int64), lower

        return rows_at

    @intrinsic  # type: ignore[untyped-decorator]  # Numba's decorators have no types
    def array_at(typing_context: Any, address: Any, count: Any) -> Any:
        return kind(types.int64, types.int64), lower

    return array_at
