"""Hex (Piet Hein, 1942; John Nash, 1948). Try `boardwright check docs/examples/hex.py:Hex`."""

import boardwright as bw

WAYS = ((0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1))  # rows are shifted to the right, each more than the last
LETTERS, SIDES, COLOURS = "abcdefghijklmnopqrs", ("Red", "Blue"), ("#bb4a35", "#2f6fa6")
CORNERS = ((0, -30), (26, -15), (26, 15), (0, 30), (-26, 15), (-26, -15))  # of a cell in the picture, from its middle


def hexagon(x, y, colour):
    points = " ".join(f"{x + dx},{y + dy}" for dx, dy in CORNERS)
    return f'<polygon points="{points}" {colour} stroke="#a3957c"/>'


def stone(x, y, who):
    mark = f'<rect x="{x - 9}" y="{y - 9}" width="18" height="18" rx="{(9, 2)[who]}" fill="none" stroke="#fff"/>'
    return f'<circle cx="{x}" cy="{y}" r="20" fill="{COLOURS[who]}"/>{mark}'


class Hex(bw.Game):
    """Join your two sides by a chain of stones: the first player top and bottom, the second left and right."""

    size: int = 7
    players = 2
    card = bw.Card(title="Hex", sides=SIDES, openspiel="hex(num_cols={0.size},num_rows={0.size})".format)
    move_help = "a move is a cell, such as c4: a column's letter and a row's number from the top"

    def __post_init__(self):
        if not 2 <= self.size <= 19:
            raise bw.InputError(f"hex: size={self.size}; choose 2 to 19")

    @property
    def actions(self):
        return self.size * self.size

    def layout(self):
        # Stones, row by row: 0 none, 1 and 2 the players'. chain[i] is a later stone of i's chain, or i itself if it is
        # the chain's head; behind the cells come the four sides, which chains may reach: top, bottom, left, right.
        chain = ("chain", "i2", (self.actions + 4,))
        return [("cells", "i1", (self.actions,)), chain, ("count", "i2"), ("winner", "i1")]

    def start(self, s):
        for i in range(self.actions + 4):
            s.chain[i] = i

    def player(self, s):
        return bw.OVER if s.winner else s.count % 2

    def legal(self, s, moves):
        count = 0
        for cell in range(self.actions):
            if s.cells[cell] == 0:
                moves[count] = cell
                count += 1
        return count

    def play(self, s, move):
        turn, row, column = s.count % 2, move // self.size, move % self.size
        side = self.actions + 2 * turn  # the first of this player's two
        s.cells[move] = turn + 1
        for down, across in WAYS:
            y, x = row + down, column + across
            if 0 <= y < self.size and 0 <= x < self.size and s.cells[y * self.size + x] == turn + 1:
                self.join(s, move, y * self.size + x)
        for end in range(2):
            if (column if turn else row) == end * (self.size - 1):
                self.join(s, move, side + end)
        if self.head(s, side) == self.head(s, side + 1):
            s.winner = turn + 1
        s.count += 1

    def head(self, s, stone):
        while s.chain[stone] != stone:
            stone = s.chain[stone]
        return stone

    def join(self, s, stone, other):
        one, two = self.head(s, stone), self.head(s, other)
        s.chain[min(one, two)] = max(one, two)

    def unsound(self, s):
        ahead = [i <= to < self.actions + 4 for i, to in enumerate(s.chain.tolist())]
        return "" if all(ahead) else "a chain leads nowhere"

    def results(self, s, out):
        for i in range(2):
            out[i] = 1.0 if s.winner == i + 1 else -1.0

    def move_text(self, s, move):
        return f"{LETTERS[move % self.size]}{move // self.size + 1}"

    def board(self, s):
        stones = [".XO"[stone] for stone in s.cells.tolist()]
        rows = [stones[row * self.size : (row + 1) * self.size] for row in range(self.size)]
        lines = [f"{' ' * i}{i + 1:2} {' '.join(row)}" for i, row in enumerate(rows)]
        return "\n".join(["   " + " ".join(LETTERS[: self.size]), *lines])

    def page(self, s, moves, narrow):
        return {"svg": self.svg(s), "hover": {"kind": "cells", "ghost": stone(0, 0, s.count % 2)}}

    def svg(self, s):
        wide, high, last = 78 * self.size + 14, 45 * self.size + 60, self.size - 1
        parts = [f'<rect width="{wide}" height="{high}" rx="16" class="paper" fill="#f6f2e9"/>']
        for i in range(self.size):  # the sides' colours look out from under the cells
            for row, column, x, y in ((0, i, 0, -8), (last, i, 0, 8), (i, 0, -7, 4), (i, last, 7, -4)):
                parts.append(hexagon(46 + 52 * column + 26 * row + x, 58 + 45 * row + y, f'fill="{COLOURS[x != 0]}"'))
            for x, y, said in ((46 + 52 * i, 15, LETTERS[i]), (6 + 26 * i, 60 + 45 * i, i + 1)):
                parts.append(f'<text x="{x}" y="{y}" class="faint" fill="#6d6557">{said}</text>')
        for cell in range(self.actions):
            x, y = 46 + 52 * (cell % self.size) + 26 * (cell // self.size), 58 + 45 * (cell // self.size)
            name, who = self.move_text(s, cell), s.cells[cell] - 1
            parts += [hexagon(x, y, 'class="sq" fill="#e9dfca"'), stone(x, y, who) if who >= 0 else ""]
            names = f'data-cell="{name}" data-spot="{name}" data-holds="{SIDES[who] if who >= 0 else ""}"'
            parts.append(f'<rect x="{x - 26}" y="{y - 22}" width="52" height="45" fill-opacity="0" {names}/>')
        view = f'viewBox="0 0 {wide} {high}" font-family="sans-serif" font-size="14" text-anchor="middle"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {view}>{"".join(parts)}</svg>'

    def spots(self, player, move):
        return [self.move_text(None, move)]
