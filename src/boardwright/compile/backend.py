"""What the contract asks of the compiler; see contract/backend.py."""

from __future__ import annotations

from typing import Any

from boardwright.compile import rule_kernels
from boardwright.compile.compiler import make_rulebook
from boardwright.compile.diagnose import explain_failure, run_kernel
from boardwright.compile.interpreter import interpreted_twin
from boardwright.contract.game import Game

__all__ = ["ask", "explain_failure", "interpreted_twin", "make_rulebook"]


def ask(game: Game, question: str, *args: Any, interpreted: bool) -> Any:
    """Run the rule kernel of that name for `game`."""
    return run_kernel(game, getattr(rule_kernels, question), game, *args, interpreted=interpreted)
