"""A tiny game with players that misbehave, each in its own way: what a match must survive.

The players register themselves when this file is loaded, so that a worker process, which loads it too, knows them.
"""

from __future__ import annotations

import os
import signal
import threading

import boardwright as bw
from boardwright.players.player import NoSettings, Player
from boardwright.registry import offer
from boardwright.search.choice import Choice


class Nim(bw.Game):
    """Take one to three matches from a pile; who takes the last wins."""

    pile: int = 9

    players = 2
    actions = 3

    def layout(self):
        return [("left", "i2"), ("turn", "i1")]

    def start(self, s):
        s.left = self.pile

    def player(self, s):
        return bw.OVER if s.left == 0 else s.turn

    def legal(self, s, moves):
        for i in range(3):
            moves[i] = i
        return min(3, s.left)

    def play(self, s, move):
        s.left -= move + 1
        s.turn = 1 - s.turn

    def results(self, s, out):
        out[s.turn] = -1.0
        out[1 - s.turn] = 1.0

    def unsound(self, s):
        return "" if 0 <= s.left <= self.pile and 0 <= s.turn <= 1 else "the pile or the turn is out of range"


class Taker(Player):
    """Takes one match. Those below do so at first, then go wrong."""

    Settings = NoSettings

    def __init__(self, game: bw.Game, spec: str, settings: NoSettings) -> None:
        self.game, self.spec = game, spec

    def choose(self, position: bw.Position, control: bw.Control | None = None) -> Choice:
        return Choice(self.wrong() if position.view.left <= 6 else 0)

    def wrong(self) -> int:
        return 0


class Raises(Taker):
    def wrong(self) -> int:
        raise KeyError("lost \x1b[31mmy notes")


class Illegal(Taker):
    def wrong(self) -> int:
        return 7


class Slow(Taker):
    """By a clock that stands still unless it thinks: how fast the machine is makes no difference."""

    clock = 0.0

    def wrong(self) -> int:
        Slow.clock += 0.5
        return 0


class Hangs(Taker):
    def wrong(self) -> int:
        threading.Event().wait()
        return 0


class Dies(Taker):
    def wrong(self) -> int:
        os.kill(os.getpid(), signal.SIGKILL)
        return 0


for kind in (Taker, Raises, Illegal, Slow, Hangs, Dies):
    offer("players", {kind.__name__.lower(): f"{__name__}:{kind.__name__}"})
