"""Check what every position answers: who acts, what can be done, how likely, and what it is worth."""

from __future__ import annotations

import math

from boardwright.check.failures import guarded
from boardwright.contract.errors import RuleError
from boardwright.contract.game import CHANCE, OVER, Game
from boardwright.contract.position import Position


def check_questions(game: Game, position: Position, at: str) -> None:
    """Raise RuleError where player, legal, chances, scores or results break the contract at an interpreted position."""
    before = position.record.tobytes()
    actor, steps, weights, scores, results = guarded(game, lambda: position.answers)
    if position.record.tobytes() != before:
        raise RuleError(
            f"{game.name}: player, legal, chances, scores or results changed the state {at}; only play and draw may"
        )
    method, limit = ("chances", game.outcomes) if actor == CHANCE else ("legal", game.actions)
    wrong = [number for number in steps if not 0 <= number < limit]
    if wrong:
        raise RuleError(f"{game.name}.{method}: wrote {wrong[0]} {at}; write whole numbers from 0 to {limit - 1}")
    if len(set(steps)) < len(steps):
        twice = next(number for number in steps if steps.count(number) > 1)
        raise RuleError(f"{game.name}.{method}: wrote {twice} twice {at}; write each once")
    if any(not 0.0 < weight < math.inf for weight in weights):
        raise RuleError(
            f"{game.name}.chances: a weight of {min(weights)} {at}; leave out what cannot happen, weights are above 0"
        )
    for name, values in (("scores", scores), ("results", results if actor == OVER else ())):
        if not all(map(math.isfinite, values)):
            raise RuleError(f"{game.name}.{name}: wrote {values} {at}; every player needs a finite number")
