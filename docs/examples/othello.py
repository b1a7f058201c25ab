"""Othello. Try `boardwright check docs/examples/othello.py:Othello`."""

import boardwright as bw

WAYS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
LETTERS, SIDES, COLOURS = "abcdefghijklmnop", ("Black", "White"), ("", "#20201f", "#f8f6ef")


class Othello(bw.Game):
    """Enclose the other's discs between two of yours to turn them over; in the end the most discs win."""

    size: int = 8
    players = 2
    card = bw.Card(title="Othello", sides=SIDES, shows_points=True, openspiel=lambda game: game.size == 8 and "othello")
    move_help = "a move is a cell, such as d3, rows counted from the top; or pass, where no disc can be turned over"

    def __post_init__(self):
        if self.size % 2 or not 4 <= self.size <= 16:
            raise bw.InputError(f"othello: size={self.size}; choose 4 to 16, an even number")

    @property
    def actions(self):
        return self.size * self.size + 1  # a cell; the last is to pass

    def layout(self):
        # Discs: 0 none, 1 and 2 the players'. cells[row, column] with row 0 at the top.
        return [("cells", "i1", (self.size, self.size)), ("turn", "i1"), ("over", "b1")]

    def start(self, s):
        half = self.size // 2
        s.cells[half - 1, half] = s.cells[half, half - 1] = 1
        s.cells[half - 1, half - 1] = s.cells[half, half] = 2

    def player(self, s):
        return bw.OVER if s.over else s.turn

    def enclosed(self, s, player, row, column, down, across):
        """How many of the other's discs lie in one direction before the next one of the player's own."""
        count = 0
        while True:
            row, column = row + down, column + across
            if not (0 <= row < self.size and 0 <= column < self.size) or s.cells[row, column] == 0:
                return 0
            if s.cells[row, column] == player + 1:
                return count
            count += 1

    def may_place(self, s, player, cell):
        """On an empty cell, if that turns a disc over."""
        row, column = cell // self.size, cell % self.size
        if s.cells[row, column] == 0:
            for down, across in WAYS:
                if self.enclosed(s, player, row, column, down, across) > 0:
                    return True
        return False

    def can_place(self, s, player):
        cell = 0
        while cell < self.size * self.size and not self.may_place(s, player, cell):
            cell += 1
        return cell < self.size * self.size

    def legal(self, s, moves):
        count = 0
        for cell in range(self.size * self.size):
            if self.may_place(s, s.turn, cell):
                moves[count] = cell
                count += 1
        moves[count] = self.size * self.size
        return max(count, 1)  # nobody passes who can place a disc

    def play(self, s, move):
        if move < self.size * self.size:
            row, column = move // self.size, move % self.size
            s.cells[row, column] = s.turn + 1
            for down, across in WAYS:
                for step in range(1, self.enclosed(s, s.turn, row, column, down, across) + 1):
                    s.cells[row + step * down, column + step * across] = s.turn + 1
        s.turn = 1 - s.turn
        s.over = not self.can_place(s, 0) and not self.can_place(s, 1)

    def scores(self, s, out):
        out[0] = out[1] = 0.0
        for cell in range(self.size * self.size):
            disc = s.cells[cell // self.size, cell % self.size]
            if disc:
                out[disc - 1] += 1.0

    def results(self, s, out):
        self.scores(s, out)
        out[0] = 1.0 if out[0] > out[1] else -1.0 if out[0] < out[1] else 0.0
        out[1] = -out[0]

    def move_text(self, s, move):
        return "pass" if move == self.size * self.size else f"{LETTERS[move % self.size]}{move // self.size + 1}"

    def spots(self, player, move):
        return [self.move_text(None, move)]

    def board(self, s):
        across = range(self.size)
        lines = [f"{row + 1:2} " + " ".join(".XO"[s.cells[row, column]] for column in across) for row in across]
        return "\n".join(["   " + " ".join(LETTERS[: self.size]), *lines])

    def svg(self, s):
        side = 60 * self.size + 56
        parts = [f'<rect width="{side}" height="{side}" rx="16" class="paper" fill="#f6f2e9"/>']
        for cell in range(self.size * self.size):
            x, y, name = 30 + 60 * (cell % self.size), 30 + 60 * (cell // self.size), self.move_text(s, cell)
            disc = s.cells[cell // self.size, cell % self.size]
            names = f'data-cell="{name}" data-spot="{name}" data-holds="{("", *SIDES)[disc]}"'
            parts.append(f'<rect x="{x}" y="{y}" width="60" height="60" fill="#2f8057" stroke="#174a31" {names}/>')
            if disc:
                parts.append(f'<circle cx="{x + 30}" cy="{y + 30}" r="24" fill="{COLOURS[disc]}" stroke="#174a31"/>')
            if cell < self.size:  # letters above, numbers at the left
                for x, y, said in ((60 + 60 * cell, 21, LETTERS[cell]), (15, 65 + 60 * cell, cell + 1)):
                    parts.append(f'<text x="{x}" y="{y}" class="faint" fill="#6d6557">{said}</text>')
        style = f'viewBox="0 0 {side} {side}" font-family="sans-serif" font-size="15" text-anchor="middle"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {style}>{"".join(parts)}</svg>'
