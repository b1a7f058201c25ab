"""Pig, a game of dice: roll as often as you dare, or hold. Try `boardwright check docs/examples/pig.py:Pig`."""

import boardwright as bw

HOLD, ROLL = 0, 1


class Pig(bw.Game):
    """Roll and add up, or hold and bank it; a 1 loses what you rolled. The first to bank the target wins."""

    target: int = 100
    players = 2
    actions = 2
    outcomes = 6  # outcome 0 is a 1, outcome 5 a 6
    move_help = "a move is roll or hold"

    def layout(self):
        return [("banked", "i4", (2,)), ("rolled", "i4"), ("turn", "i1"), ("rolling", "b1")]

    def player(self, s):
        if s.banked[0] >= self.target or s.banked[1] >= self.target:
            return bw.OVER
        return bw.CHANCE if s.rolling else s.turn

    def legal(self, s, moves):
        moves[0] = ROLL
        if s.rolled == 0:  # holding nothing would let both players pass for ever
            return 1
        moves[1] = HOLD
        return 2

    def play(self, s, move):
        if move == ROLL:
            s.rolling = True
        else:
            s.banked[s.turn] += s.rolled
            self.pass_on(s)

    def chances(self, s, outcomes, weights):
        for face in range(6):
            outcomes[face] = face
            weights[face] = 1.0
        return 6

    def draw(self, s, outcome):
        s.rolling = False
        if outcome == 0:
            self.pass_on(s)
        else:
            s.rolled += outcome + 1

    def pass_on(self, s):
        s.rolled = 0
        s.turn = 1 - s.turn

    def results(self, s, out):
        for i in range(2):
            out[i] = 1.0 if s.banked[i] >= self.target else -1.0

    def move_text(self, s, move):
        return ("hold", "roll")[move]

    def outcome_text(self, s, outcome):
        return str(outcome + 1)

    def board(self, s):
        return f"banked {s.banked[0]} : {s.banked[1]}, player {s.turn + 1} has rolled {s.rolled}"
