"""The wall of a player of Azul: where each colour goes, and what tiles on it score.

All have the same one; `x` is where colour B goes:

    column   0 1 2 3 4
    row 0    x Y R D W       the colour c of row r stands in column (c + r) mod 5
    row 1    W x Y R D
    row 2    D W x Y R
    row 3    R D W x Y
    row 4    Y R D W x
"""

from boardwright.contract.game import Game

ROW_BONUS, COLUMN_BONUS, COLOUR_BONUS = 2, 7, 10


class Wall(Game):
    """The one place where walls are scored: rules, policy, features, texts and picture ask here."""

    def tile_points(self, s, p, row, column):
        """What a tile at that place of the wall scores."""
        up = row
        while up > 0 and s.wall[p, up - 1, column]:
            up -= 1
        return self.points_of_runs(s, p, row, column, up)

    def points_of_runs(self, s, p, row, column, up):
        """The runs through a place, each if longer than 1; alone, 1. up: the row in which its column's run begins."""
        left, right, down = column, column, row
        while left > 0 and s.wall[p, row, left - 1]:
            left -= 1
        while right < 4 and s.wall[p, row, right + 1]:
            right += 1
        while down < 4 and s.wall[p, down + 1, column]:
            down += 1
        across = right - left + 1
        along = down - up + 1
        if across > 1 and along > 1:
            return across + along
        return max(across, along)

    def complete_rows(self, s, p):
        rows = 0
        for row in range(5):
            tiles = 0
            for column in range(5):
                tiles += s.wall[p, row, column]
            if tiles == 5:
                rows += 1
        return rows

    def columns_and_colours(self, s, p):
        """How many columns are complete, and of how many colours all five tiles are there."""
        columns, colours = 0, 0
        for i in range(5):
            in_column, of_colour = 0, 0
            for row in range(5):
                in_column += s.wall[p, row, i]
                of_colour += s.wall[p, row, (i + row) % 5]
            if in_column == 5:
                columns += 1
            if of_colour == 5:
                colours += 1
        return columns, colours

    def bonus(self, s, p):
        columns, colours = self.columns_and_colours(s, p)
        return ROW_BONUS * self.complete_rows(s, p) + COLUMN_BONUS * columns + COLOUR_BONUS * colours
