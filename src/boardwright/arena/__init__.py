"""The arena: who is better, honestly; and where a game was won and lost."""

import warnings
from typing import Any

from boardwright.arena.match import Match, MatchProgress, MatchResult, match

__all__ = ["Match", "MatchProgress", "MatchResult", "match"]


def __getattr__(name: str) -> Any:
    if name == "Progress":  # which `boardwright.players` has, too
        warnings.warn(
            "boardwright.arena.Progress is MatchProgress now; the old name ends with the next version",
            DeprecationWarning,
            2,
        )
        return MatchProgress
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
