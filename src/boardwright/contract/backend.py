"""Who runs a game's rules. The contract says what it needs; the compiler, which stands on the contract, answers."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from boardwright.registry import find

if TYPE_CHECKING:
    from boardwright.contract.compilable import Compilable
    from boardwright.contract.game import Game


class Backend(Protocol):
    """What stands behind positions and games."""

    def make_rulebook(self, owner: Compilable) -> Any:
        """What the compiler knows of a game or an evaluator: its type, methods, tables and digest."""

    def interpreted_twin(self, owner: Compilable) -> Any:
        """The same rules as plain Python, for kernels that run in the interpreter."""

    def ask(self, game: Game, question: str, *args: Any, interpreted: bool) -> Any:
        """The answer of the rules to one of the questions in compile/rule_kernels.py, compiled or as plain Python."""

    def explain_failure(self, game: Game, error: Exception) -> Exception:
        """What the rules' failure is to be raised as: the author's mistake, if it is one, in one sentence."""


@cache
def backend() -> Backend:
    """The one that this package comes with."""
    found: Backend = find("backend", "rules")
    return found
