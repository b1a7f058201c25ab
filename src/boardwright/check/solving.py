"""Check what exact search relies on: `bounds`."""

from __future__ import annotations

from boardwright.check.failures import guarded
from boardwright.check.pair import Pair
from boardwright.contract.errors import RuleError


def check_solving(pair: Pair) -> None:
    """Raise RuleError where `bounds` promises what does not hold."""
    if not pair.game.writes("bounds"):
        return
    lows, highs = pair.fast.bounds()
    pair.same("bounds", guarded(pair.game, pair.plain.bounds), (lows, highs))
    for i, (low, high, got) in enumerate(zip(lows, highs, pair.fast.results or lows, strict=True)):
        if not low <= got <= high:
            raise RuleError(
                f"{pair.game.name}.bounds: promised player {i} {low:g} to {high:g} {pair.at}, where {got:g} is "
                "right; promise only what holds"
            )
