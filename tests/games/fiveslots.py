"""A solitaire of dice that is only a test's: small enough to be solved, and not built in."""

from __future__ import annotations

import boardwright as bw


class FiveSlots(bw.Game):
    """Roll a die, put it into a free slot, five times; a slot pays its number times the die."""

    slots: int = 5

    players = 1
    outcomes = 6
    move_help = "the number of a free slot"

    @property
    def actions(self):
        return self.slots

    @property
    def observe_shape(self):
        return (self.slots + 6,)

    def layout(self):
        return [("filled", "i1", (self.slots,)), ("die", "i1"), ("used", "i1"), ("points", "i2")]

    def player(self, s):
        if s.die > 0:
            return 0
        return bw.OVER if s.used == self.slots else bw.CHANCE

    def chances(self, s, outcomes, weights):
        for face in range(6):
            outcomes[face] = face
            weights[face] = 1.0
        return 6

    def draw(self, s, outcome):
        s.die = outcome + 1

    def legal(self, s, moves):
        count = 0
        for slot in range(self.slots):
            if s.filled[slot] == 0:
                moves[count] = slot
                count += 1
        return count

    def play(self, s, move):
        s.filled[move] = s.die
        s.points += (move + 1) * s.die
        s.die = 0
        s.used += 1

    def scores(self, s, out):
        out[0] = s.points

    def observe(self, s, out):
        for slot in range(self.slots):
            if s.filled[slot] > 0:
                out[slot] = 1.0
        if s.die > 0:
            out[self.slots + s.die - 1] = 1.0
