"""Time control: how long to think about a move, so that no game is ever lost on time."""

from __future__ import annotations

from dataclasses import dataclass

QUICK = 0.05  # seconds of thought where "as fast as possible" is asked for
FASTEST = 0.01  # seconds of thought where time is running out
GAME_LENGTH = 26  # own moves that a game is expected to last
LEAST_MOVES = 9  # moves to share what is left among, however long the game has lasted
A_MOVE = 0.015  # seconds that are kept for every move that can still come, up to nine tenths of what is left
A_MATCH = 0.06  # seconds of a match that are kept to its end
AGES = 7 * 86400.0  # seconds; more is as good as no limit


@dataclass
class Clock:
    """What a manager allows, in seconds. 0 for the match means no limit; 0 for a turn means as fast as possible."""

    turn: float = 30.0
    match: float = 0.0
    left: float | None = None  # of the match, as the manager told last

    def spend(self, seconds: float) -> None:
        """Count down what a move took, in case the manager does not tell."""
        if self.left is not None:
            self.left = max(self.left - seconds, 0.0)

    def new_game(self) -> None:
        self.left = self.match if self.match > 0 else None

    def limits(self, made: int, most: int) -> tuple[float, float]:
        """(seconds to think, seconds by which an answer must be out), counted from the manager's command, after so many
        own moves, with at most so many to come."""
        hard = min(self.turn, AGES) if self.turn > 0 else 10 * QUICK
        soft = hard - reserve(hard) if self.turn > 0 else QUICK
        if self.left is not None and self.left < AGES:
            usable = max(self.left - reserve(self.left) - A_MATCH - min(A_MOVE * most, 0.9 * self.left), 0.0)
            soft = min(soft, usable / max(GAME_LENGTH - made, LEAST_MOVES))
            hard = min(hard, self.left / 2)
        return max(soft, FASTEST), max(hard - reserve(hard) / 2, FASTEST)


def reserve(limit: float) -> float:
    """What is kept back of a limit, for a slow pipe and a busy machine: 5 ms and a fiftieth, at most 300 ms. The search
    itself ends in time: it leaves out the slice that would not fit."""
    return min(limit / 50 + 0.005, 0.3)
