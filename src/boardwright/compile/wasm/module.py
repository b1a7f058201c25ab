"""Entries, which are functions over a game and one address, compiled into one module for the browser."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from numba import types

from boardwright.compile import compiler
from boardwright.compile.kernel import relink
from boardwright.compile.wasm import numba_target
from boardwright.compile.wasm.link import LinkError, link
from boardwright.compile.wasm.refusals import MATH, refuse
from boardwright.compile.wasm.runtime import HEAP
from boardwright.contract.errors import BoardwrightError, RuleError
from boardwright.contract.game import Game


@dataclass(frozen=True)
class Module:
    """What a page needs to run a game: code, and the sentence of each error that its rules can raise, from number 1."""

    code: bytes
    sentences: tuple[str, ...]


def compile_module(game: Game, evaluator: Any, entries: dict[str, Callable[..., Any]]) -> Module:
    """Compile each entry, called as entry(game, evaluator, address of the argument block), in this process, which can
    compile nothing else then. What a browser cannot have is refused with file, line and cure."""
    sentences = numba_target.begin()
    arguments = (game.rulebook.type, evaluator.rulebook.type, types.int64)
    modules = []
    for name, entry in entries.items():
        assert isinstance(entry, FunctionType)
        try:
            linked = relink(entry, compiler.compiled_value)
            module, _ = numba_target.compile_entry(linked, f"boardwright_{name}", arguments)
        except BoardwrightError:
            raise
        except Exception as error:
            from boardwright.compile.diagnose import explain_failure

            raise explain_failure(game, error) from None
        missing = [symbol for symbol in numba_target.needed(module) if symbol not in MATH]
        if missing:
            refuse(game, missing)
        modules.append(module)
    try:
        linked_code = link(
            numba_target.emit(modules),
            [f"boardwright_{name}" for name in entries],
            {"tables": bytes(game.rulebook.buffer), "evaluator_tables": bytes(evaluator.rulebook.buffer)},
            (HEAP,),
        )
    except LinkError as error:
        raise RuleError(f"{game.name}: it cannot be published, as {error}") from None
    missing = [symbol for symbol in linked_code.imports if symbol not in MATH]
    if missing:
        refuse(game, missing)
    return Module(linked_code.code, tuple(sentences))
