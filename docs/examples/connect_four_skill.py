"""Connect four with a policy that sees what is forced: what a game can tell the solver, and how much that helps."""

from connect_four import ConnectFour  # type: ignore[import-not-found]  # the file beside this one

import boardwright as bw


class ConnectFourSkill(ConnectFour):
    """The same game, of which the solver needs to look at a tenth or less: docs/methods/solver.md has figures."""

    policies = ("careful",)
    card = bw.Card(search=bw.SearchHints(forcing="careful"))

    def wins(self, s, column, row, who):
        """Whether a disc of `who` there makes four in a row."""
        for across, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
            if 1 + self.run(s, column, row, across, up, who) + self.run(s, column, row, -across, -up, who) >= 4:
                return True
        return False

    def careful(self, s, moves, count, weights):
        """Win if you can, else prevent a win, else the middle first; nothing that lets the other win on top of it."""
        me, other = s.count % 2 + 1, 2 - s.count % 2
        best = 0
        for i in range(count):
            row = s.heights[moves[i]]
            urgent = 2 if self.wins(s, moves[i], row, me) else 1 if self.wins(s, moves[i], row, other) else 0
            weights[i] = self.columns - abs(2 * moves[i] - self.columns + 1)
            if row + 1 < self.rows and urgent < 2 and self.wins(s, moves[i], row + 1, other):
                weights[i] = 0.0
            if urgent > best:
                best = urgent
                for k in range(i):
                    weights[k] = 0.0
            if urgent < best:
                weights[i] = 0.0
            elif best > 0:
                weights[i] = 1.0
