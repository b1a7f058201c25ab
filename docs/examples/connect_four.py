"""Connect four: a whole game in one short file. Try `boardwright check docs/examples/connect_four.py:ConnectFour`."""

import boardwright as bw


class ConnectFour(bw.Game):
    """Drop discs into columns; the first four in a row, in any direction, win."""

    columns: int = 7
    rows: int = 6
    players = 2
    card = bw.Card(title="Connect Four", openspiel=lambda game: (game.columns, game.rows) == (7, 6) and "connect_four")
    move_help = "a move is a column's number, counted from 1 at the left"

    @property
    def actions(self):
        return self.columns

    def layout(self):
        # Discs: 0 none, 1 and 2 the players'. cells[column, row] with row 0 at the bottom.
        return [
            ("cells", "i1", (self.columns, self.rows)),
            ("heights", "i1", (self.columns,)),
            ("count", "i2"),
            ("winner", "i1"),
        ]

    def player(self, s):
        if s.winner != 0 or s.count == self.columns * self.rows:
            return bw.OVER
        return s.count % 2

    def legal(self, s, moves):
        count = 0
        for column in range(self.columns):
            if s.heights[column] < self.rows:
                moves[count] = column
                count += 1
        return count

    def play(self, s, move):
        me, row = s.count % 2 + 1, s.heights[move]
        s.cells[move, row] = me
        s.heights[move] += 1
        s.count += 1
        for across, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
            if 1 + self.run(s, move, row, across, up, me) + self.run(s, move, row, -across, -up, me) >= 4:
                s.winner = me

    def run(self, s, column, row, across, up, who):
        """How many discs of `who` follow in one direction."""
        count = 0
        while True:
            column, row = column + across, row + up
            if not (0 <= column < self.columns and 0 <= row < self.rows and s.cells[column, row] == who):
                return count
            count += 1

    def results(self, s, out):
        for i in range(2):
            out[i] = 0.0 if s.winner == 0 else 1.0 if s.winner == i + 1 else -1.0

    def move_text(self, s, move):
        return str(move + 1)

    def board(self, s):
        rows = [" ".join(".XO"[s.cells[column, row]] for column in range(self.columns)) for row in range(self.rows)]
        return "\n".join([*reversed(rows), " ".join(str(column + 1) for column in range(self.columns))])
