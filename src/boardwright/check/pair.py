"""One position twice, for checks that hold the interpreter against compiled rules."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from boardwright.contract.errors import RuleError
from boardwright.contract.game import Game
from boardwright.contract.position import Position


@dataclass(frozen=True)
class Pair:
    """`plain` runs the rules in the interpreter, `fast` compiled."""

    game: Game
    plain: Position
    fast: Position
    at: str  # which ply of which game, for messages
    seed: int  # for random numbers that a check needs

    def same(self, what: str, plain: object, fast: object) -> None:
        """Raise RuleError if the two answers, or states as bytes, of the rule `what` differ."""
        if plain == fast:
            return
        raise RuleError(
            f"{self.game.name}.{what}: interpreter and compiled run differ "
            f"{self.at}: {self._difference(plain, fast)}; look for a small or unsigned "
            "integer that wraps, a float in a whole-number field, or a variable set on one path only"
        )

    def _difference(self, plain: object, fast: object) -> str:
        if not isinstance(plain, bytes) or not isinstance(fast, bytes):
            return f"{plain} interpreted, {fast} compiled"
        kind = self.game.state_dtype
        one, two = np.frombuffer(plain, kind)[0], np.frombuffer(fast, kind)[0]
        for name in kind.names or ():
            if not np.array_equal(one[name], two[name]):
                return f"field {name!r} is {one[name].tolist()} interpreted, {two[name].tolist()} compiled"
        return "padding differs"

    def differ(self, rule: str) -> RuleError:
        """The error for numbers that are not close enough."""
        return RuleError(f"{self.game.name}.{rule}: interpreter and compiled run differ {self.at}")
