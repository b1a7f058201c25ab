"""A game whose turns are two moves each, in either order the same."""

import boardwright as bw


class TwoSteps(bw.Game):
    """Each turn is two steps of 0 to 2; who has gone further after three turns each wins."""

    players = 2
    actions = 3

    def layout(self):
        return [("gone", "i2", (2,)), ("made", "i1")]

    def player(self, s):
        return bw.OVER if s.made == 12 else s.made // 2 % 2

    def legal(self, s, moves):
        for i in range(3):
            moves[i] = i
        return 3

    def play(self, s, move):
        s.gone[s.made // 2 % 2] += move
        s.made += 1

    def results(self, s, out):
        out[0] = (s.gone[0] > s.gone[1]) - (s.gone[0] < s.gone[1])
        out[1] = -out[0]
