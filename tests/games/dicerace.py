"""A game of dice that is only a test's: small, with chance after every move, and not built in."""

from __future__ import annotations

import boardwright as bw

ONE, TWO = 0, 1


class DiceRace(bw.Game):
    """Throw one die or two; whoever first reaches the goal wins, but a throw of two equal dice counts nothing."""

    goal: int = 20

    players = 2
    actions = 2
    outcomes = 6
    policies = ("greedy",)
    move_help = "one or two, the dice you throw"

    def layout(self):
        return [("points", "i2", (2,)), ("turn", "i1"), ("left", "i1"), ("first", "i1")]

    def player(self, s):
        if s.left > 0:
            return bw.CHANCE
        if s.points[0] >= self.goal or s.points[1] >= self.goal:
            return bw.OVER
        return s.turn

    def legal(self, s, moves):
        moves[0] = ONE
        moves[1] = TWO
        return 2

    def play(self, s, move):
        s.left = move + 1
        s.first = 0

    def chances(self, s, outcomes, weights):
        for face in range(6):
            outcomes[face] = face
            weights[face] = 1.0
        return 6

    def draw(self, s, outcome):
        face = outcome + 1
        s.left -= 1
        if s.left == 1:
            s.first = face
            return
        if s.first != face:
            s.points[s.turn] += s.first + face
        s.turn = 1 - s.turn

    def scores(self, s, out):
        for i in range(2):
            out[i] = s.points[i]

    def results(self, s, out):
        for i in range(2):
            out[i] = 1.0 if s.points[i] >= self.goal else -1.0

    def greedy(self, s, moves, count, weights):
        for i in range(count):
            weights[i] = 1.0 if moves[i] == ONE else 5.0

    def move_text(self, s, move: int) -> str:
        return ("one", "two")[move]

    def outcome_text(self, s, outcome: int) -> str:
        return str(outcome + 1)

    def board(self, s) -> str:
        return f"{s.points[0]} : {s.points[1]}, goal {self.goal}"
