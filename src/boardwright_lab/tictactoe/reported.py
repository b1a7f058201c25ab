"""What the report that this program began from says of its own search, of 80 iterations a move, on 3x3."""

from __future__ import annotations

from dataclasses import dataclass

GAMES = 1000  # a cell


@dataclass(frozen=True)
class Count:
    """Games of one player against another, from one seat."""

    wins: int
    losses: int
    draws: int

    @property
    def games(self) -> int:
        return self.wins + self.losses + self.draws


OPPONENTS = ("random", "win-block", "win-block-middle")

# Tables 1 to 3: the search moves first. Table 5: it moves second.
FIRST = {"random": Count(958, 7, 35), "win-block": Count(944, 13, 43), "win-block-middle": Count(937, 0, 63)}
SECOND = {"random": Count(753, 56, 191), "win-block": Count(711, 124, 165), "win-block-middle": Count(721, 31, 248)}
ITSELF = Count(640, 57, 303)  # table 4, from the first seat
BOTH = {"random": 85.55, "win-block": 82.75, "win-block-middle": 84.7}  # table 6: per cent won, mean of both seats
