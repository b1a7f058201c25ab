"""The arena: who is better, honestly; and where a game was won and lost."""

from boardwright.arena.match import Match, MatchResult, Progress, match

__all__ = ["Match", "MatchResult", "Progress", "match"]
