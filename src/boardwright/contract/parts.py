"""What Numba makes of functions that only kernels call: LLVM code to link into the kernels, and nothing else.

Left to itself Numba makes machine code of every function on the way up a chain of calls, though only the kernel at its
top is ever called from Python. Without that a first compile of a search takes a sixth less time.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.environment import lookup_environment
from numba.core.typed_passes import NativeLowering, NopythonTypeInference


class Part(JITCodeLibrary):  # type: ignore[misc]  # Numba's classes have no types
    """The LLVM code of one function."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    @property
    def codegen(self) -> Any:
        """Asked only where the environment of machine code is to be set, and there is none."""
        return _NoMachineCode


class _NoMachineCode:
    @staticmethod
    def set_env(name: str, env: Any) -> None:
        pass


class RawPart(Part):
    """One that is not optimised either before it is linked: see `inner_kernel`."""

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


class PartCompiler(CompilerBase):  # type: ignore[misc]  # Numba's classes have no types
    """Numba's own passes for a function that only kernels call."""

    make_library: type[MakePart] = MakePart

    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(self.make_library, NopythonTypeInference)
        passes.finalize()
        return [passes]


class RawPartCompiler(PartCompiler):
    make_library = MakeRawPart


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
        passes.add_pass_after(SetEnvironments, NativeLowering)
        passes.finalize()
        return [passes]
