"""What a playtest keeps of each game."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

FINISHED, ENDLESS, FAULT = "", "endless", "fault"


@dataclass
class Trace:
    """One game. Lists with an entry a turn are those of players' moves, in order."""

    id: str
    experiment: str  # its key
    deal: int
    game: int  # number within the deal
    seats: tuple[int, ...]  # who (by number in the experiment) sat where
    luck: int
    end: str = FINISHED
    fault: str = ""  # what the rules did wrong
    steps: list[int] = field(default_factory=list)  # moves and draws
    opened: int = 0  # moves at the start that nobody chose
    results: tuple[float, ...] = ()
    scores: tuple[float, ...] = ()
    draws: int = 0
    repeats: int = 0  # turns at a position that the game had seen before
    again: list[int] = field(default_factory=list)  # by seat: how often it led back to such a position
    movers: list[int] = field(default_factory=list)  # seats
    legal: list[int] = field(default_factory=list)  # moves open at the turn
    sensible: list[int] = field(default_factory=list)  # those that the search took seriously; 0: nobody searched
    gap: list[float] = field(default_factory=list)  # the value of the move made over the mean of the others tried
    noise: list[float] = field(default_factory=list)  # of `gap`, in standard deviations of a result; 0: exact
    values: list[list[float]] = field(default_factory=list)  # at each turn what each seat was expected to get; or []
    kinds: dict[str, list[list[int]]] = field(default_factory=dict)  # kind -> a player: [turns open, turns taken]
    drawn: dict[str, list[int]] = field(default_factory=dict)  # kind of draw -> how often, by the seat it fell to
    changed: dict[str, list[float]] = field(default_factory=dict)  # alone: draws of a kind, and by how much the
    # expected result rose, all together
    seconds: float = 0.0

    def to_json(self) -> str:
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Trace:
        data: dict[str, Any] = json.loads(text)
        for name in ("seats", "results", "scores"):
            data[name] = tuple(data[name])
        return cls(**data)

    @property
    def finished(self) -> bool:
        return self.end == FINISHED

    @property
    def moves(self) -> int:
        """Players' moves, those that nobody chose included."""
        return self.opened + len(self.movers)

    def wins(self) -> list[float]:
        """What each seat has of the win: 1 whole, or a part of it where several share it."""
        best = max(self.results)
        winners = sum(one == best for one in self.results)
        return [1.0 / winners if one == best else 0.0 for one in self.results]

    @property
    def drawn_game(self) -> bool:
        """Whether nobody won alone."""
        return len(self.results) > 1 and sum(one == max(self.results) for one in self.results) > 1

    def share(self, player: int = 0) -> float:
        """Of the comparisons between seats of `player` and seats of the other: what part it won, draws being half."""
        points, count = 0.0, 0
        for a, one in enumerate(self.seats):
            for b, other in enumerate(self.seats):
                if one == player and other != player:
                    mine, theirs = self._place(a), self._place(b)
                    points += 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
                    count += 1
        return points / count if count else 0.5

    def _place(self, seat: int) -> tuple[float, ...]:
        more = (self.scores[seat],) if len(self.seats) > 2 else ()
        return (self.results[seat], *more)
