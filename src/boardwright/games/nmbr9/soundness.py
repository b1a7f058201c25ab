"""Which states of NMBR 9 no play could lead to: guards positions that come from outside."""

from __future__ import annotations

from typing import Any

import numpy as np

from boardwright.contract.state import States
from boardwright.games.nmbr9.rules import Nmbr9Rules
from boardwright.games.nmbr9.tiles import CARDS


class Nmbr9Soundness(Nmbr9Rules):
    """What `unsound` says."""

    def unsound(self, s: Any) -> str:
        """A state tells its whole game: play it again by the rules and compare."""
        if not 0 <= s.count <= CARDS:
            return f"{s.count} tiles placed"
        rules: Any = self.interpreted
        again: Any = States(np.zeros(1, self.state_dtype))[0]
        moves = np.empty(self.actions, np.int32)
        rules.start(again)
        for k in range(s.count):
            number, turned, row, column = s.number[k], s.turned[k], s.row[k], s.column[k]
            if not 0 <= number <= 9 or again.left[number] == 0:
                return f"tile {k + 1} is a {number}, of which no card was left"
            rules.draw(again, number)
            if not (0 <= turned < self.looks[number] and 0 <= row < self.side and 0 <= column < self.side):
                return f"tile {k + 1} lies outside the table or is turned by more than it can be"
            move = rules.move_at(4 * number + turned, row, column)
            if again.stuck or move not in moves[: rules.legal(again, moves)]:
                return f"tile {k + 1}, the {number}, lies where it may not"
            rules.play(again, move)
        if s.digit >= 0:
            if s.digit > 9 or again.left[s.digit] == 0:
                return f"the card is a {s.digit}, of which none was left"
            rules.draw(again, s.digit)
        for name in self.state_dtype.names or ():
            ours, theirs = getattr(again, name), getattr(s, name)
            if ours != theirs:
                return f"field {name!r} does not follow from the tiles placed"
        return ""
