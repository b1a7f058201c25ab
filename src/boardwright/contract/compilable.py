"""What can be compiled into kernels: a frozen dataclass whose methods are rules and whose fields are constants."""

from __future__ import annotations

import dataclasses
from functools import cached_property
from types import FunctionType
from typing import Any, ClassVar, dataclass_transform

from boardwright.contract.backend import backend


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Compilable:
    """The base of games and of evaluators. Subclasses are frozen dataclasses by themselves: an annotated field is
    an option, a plain class attribute a constant of the rules."""

    RULES: ClassVar[tuple[str, ...]] = ()  # methods that kernels call
    compiles: ClassVar[bool] = True  # False: the rules need Python itself, and every kernel runs interpreted over them

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "RULES" not in vars(cls):  # the bases of a kind are no dataclasses themselves
            dataclasses.dataclass(frozen=True, kw_only=True)(cls)

    def rules(self) -> tuple[str, ...]:
        """Every method that kernels may call by name."""
        return self.RULES

    def made_methods(self) -> dict[str, FunctionType]:
        """Methods generated for this object, besides those of its class."""
        return {}

    def digest_values(self) -> dict[str, object]:
        """What shapes the compiled code besides the rules and what they name."""
        return {}

    @cached_property
    def options(self) -> dict[str, Any]:
        """The options by name, as JSON can hold them."""
        fields = dataclasses.fields(self)  # type: ignore[arg-type]  # every game is made a dataclass
        return {field.name: getattr(self, field.name) for field in fields}

    @cached_property
    def rulebook(self) -> Any:
        """What the compiler knows of this object: see compile/compiler.py."""
        return backend().make_rulebook(self)

    @cached_property
    def _numba_type_(self) -> Any:
        """The compiler's name for this kind of value. Numba looks for it under this name before it takes its documented
        way, which is written in Python: 1.7 us instead of 0.9 for a call of an empty kernel. It drops whatever is
        raised on the look: were this computed at each call, a Ctrl-C that falls here would be lost."""
        return self.rulebook.type

    @cached_property
    def table_address(self) -> int:
        """Where the object's tables lie in memory: its value inside kernels."""
        return int(self.rulebook.buffer.ctypes.data)

    @cached_property
    def interpreted(self) -> Any:
        """The object as interpreted kernels see it: the same rules as plain Python."""
        return backend().interpreted_twin(self)

    @cached_property
    def digest(self) -> str:
        """Names these rules with these options: two objects agree in it only if they compute alike."""
        return str(self.rulebook.type.digest)
