"""A game that is only a test's: it has more moves than a tree can count."""

from __future__ import annotations

import boardwright as bw


class Wide(bw.Game):
    """One move among many ends it."""

    players = 1
    actions = 40_000

    def layout(self):
        return [("over", "i1")]

    def start(self, s):
        pass

    def player(self, s):
        return bw.OVER if s.over else 0

    def legal(self, s, moves):
        for move in range(self.actions):
            moves[move] = move
        return self.actions

    def play(self, s, move):
        s.over = 1

    def scores(self, s, out):
        out[0] = 0.0
