"""Which states of stones in a row no play could lead to: guards positions that come from outside."""

from __future__ import annotations

from typing import Any

import numpy as np

import boardwright as bw
from boardwright.contract.state import States
from boardwright.games.in_a_row.rules import LineRules


class LineSoundness(LineRules):
    """What `unsound` says."""

    def unsound(self, s: Any) -> str:
        """The state holds its own moves: play them again and compare."""
        if not 0 <= s.left <= self.actions:
            return f"{s.left} empty cells on a board of {self.actions}"
        if sorted(s.order) != list(range(self.actions)):
            return "order must hold each cell once"
        rules = self.interpreted
        fresh: Any = States(np.zeros(1, self.state_dtype))[0]
        rules.start(fresh)
        for cell in reversed(s.order[s.left :].tolist()):
            if rules.player(fresh) == bw.OVER:
                return "it goes on after the game was won"
            rules.play(fresh, cell)
        for name in ("cells", "wins", "threats", "rays", "winner"):
            if getattr(s, name) != getattr(fresh, name):
                return f"{name} does not follow from the moves in order"
        if any(s.place[cell] != place for place, cell in enumerate(s.order)):
            return "place does not say where each cell stands in order"
        return ""
