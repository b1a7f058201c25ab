"""Breakthrough (Dan Troyka, 2000). Try `boardwright check docs/examples/breakthrough.py:Breakthrough`."""

import boardwright as bw


class Breakthrough(bw.Game):
    """Step straight or slantwise forward, capture slantwise; reach the far row, or capture all, to win."""

    columns: int = 6
    rows: int = 6
    players = 2
    card = bw.Card(title="Breakthrough", openspiel="breakthrough(rows={0.rows},columns={0.columns})".format)
    move_help = "a move is from where to where, such as b2c3"

    def __post_init__(self):
        if not (2 <= self.columns <= 12 and 4 <= self.rows <= 12):
            raise bw.InputError(f"breakthrough: {self.columns} x {self.rows}; choose 2 to 12 columns, 4 to 12 rows")

    @property
    def actions(self):
        return 3 * self.columns * self.rows  # a cell, and one of three ways to go

    def layout(self):
        # Men: 0 none, 1 and 2 the players'. cells[row, column]; the first player starts in rows 0 and 1, the bottom.
        return [("cells", "i1", (self.rows, self.columns)), ("left", "i2", (2,)), ("turn", "i1"), ("winner", "i1")]

    def start(self, s):
        for column in range(self.columns):
            for row in range(2):
                s.cells[row, column] = 1
                s.cells[self.rows - 1 - row, column] = 2
        s.left[0] = s.left[1] = 2 * self.columns

    def player(self, s):
        return bw.OVER if s.winner else s.turn

    def target(self, s, move):
        """Where a move leads: row and column, perhaps beyond the edge."""
        cell, way = move // 3, move % 3
        return cell // self.columns + 1 - 2 * s.turn, cell % self.columns + way - 1

    def legal(self, s, moves):
        count = 0
        for cell in range(self.rows * self.columns):
            if s.cells[cell // self.columns, cell % self.columns] == s.turn + 1:
                for way in range(3):
                    row, column = self.target(s, 3 * cell + way)
                    if 0 <= column < self.columns:
                        there = s.cells[row, column]
                        if there == 0 or (there == 2 - s.turn and way != 1):
                            moves[count] = 3 * cell + way
                            count += 1
        return count

    def play(self, s, move):
        row, column = self.target(s, move)
        if s.cells[row, column]:
            s.left[1 - s.turn] -= 1
        s.cells[row, column] = s.turn + 1
        s.cells[move // 3 // self.columns, move // 3 % self.columns] = 0
        if row == (0 if s.turn else self.rows - 1) or s.left[1 - s.turn] == 0:
            s.winner = s.turn + 1
        s.turn = 1 - s.turn

    def results(self, s, out):
        for i in range(2):
            out[i] = 1.0 if s.winner == i + 1 else -1.0

    def move_text(self, s, move):
        row, column = self.target(s, move)
        cell = move // 3
        names = "abcdefghijkl"
        return f"{names[cell % self.columns]}{cell // self.columns + 1}{names[column]}{row + 1}"

    def board(self, s):
        lines = [
            f"{row + 1:2} " + " ".join(".XO"[s.cells[row, column]] for column in range(self.columns))
            for row in reversed(range(self.rows))
        ]
        return "\n".join([*lines, "   " + " ".join("abcdefghijkl"[: self.columns])])
