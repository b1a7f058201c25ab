"""A policy for Azul: what a move is worth at a glance."""

import math

import numpy as np

from boardwright.games.azul.rules import FLOOR, FLOOR_SPACES, NOBODY, AzulRules
from boardwright.games.azul.wall import COLOUR_BONUS, COLUMN_BONUS


class AzulSkill(AzulRules):
    """The `greedy` policy."""

    policies = ("greedy",)
    hopes = np.array([1.0, 0.2, 0.08, 0.032, 0.0128])  # greedy's chance that a line short of that many tiles gets them

    def greedy(self, s, moves, count, weights):
        """Looks one ply ahead; a move that seems worth one point more weighs e² = 7 times as much."""
        last = self.row_is_coming(s)
        for i in range(count):
            weights[i] = math.exp(2.0 * self.move_worth(s, moves[i], last))

    def move_worth(self, s, move, last):
        """Points for the lines' hope of tiles on the wall, less what the floor costs. The constants were set by
        matches of the policy against itself; they are flat near the optimum."""
        line = move % 6
        colour = move // 6 % 5
        source = move // 30
        p = s.turn
        tiles = s.offer[source, colour]
        fallen = s.floor_fill[p]
        worth = 0.0
        if source == self.displays and s.marker == NOBODY:
            fallen += 1
            worth += 1.0  # to start the next round
        if line != FLOOR:
            missing = line + 1 - s.line_fill[p, line]
            placed = min(tiles, missing)
            gained = self.hope(missing - placed, last)
            if s.line_fill[p, line] > 0:
                gained -= self.hope(missing, last)
            worth += gained * self.place_worth(s, p, line, (colour + line) % 5)
            worth += 0.3 * line * placed  # the long lines take most time
            if not last:
                worth -= 0.3 * (missing - placed)  # a line begun is a line blocked
            tiles -= placed
        fallen = min(fallen + tiles, FLOOR_SPACES)
        return worth - (self.floor_cost[fallen] - self.floor_cost[s.floor_fill[p]])

    def hope(self, missing, last):
        return 0.0 if last and missing > 0 else self.hopes[missing]

    def place_worth(self, s, p, row, column):
        """What a tile at that place of the wall is worth: its points, neighbours to come, and steps to a bonus."""
        in_column, of_colour = 0, 0
        for other in range(5):
            in_column += self.will_hold(s, p, other, column)
            of_colour += self.will_hold(s, p, other, (column - row + other) % 5)
        worth = 1.0 + self.tile_points(s, p, row, column) + 0.2 * (in_column * in_column + of_colour * of_colour)
        if column == 2:
            worth += 0.2
        if in_column == 4:
            worth += COLUMN_BONUS
        if of_colour == 4:
            worth += COLOUR_BONUS
        return worth

    def will_hold(self, s, p, row, column):
        """1 if that place of the wall has its tile, or will get it from a complete line."""
        if s.line_fill[p, row] == row + 1 and (s.line_colour[p, row] + row) % 5 == column:
            return 1
        return s.wall[p, row, column]

    def row_is_coming(self, s):
        """Whether a complete line will complete a row of a wall, and so end the game with this round."""
        for p in range(self.players):
            for row in range(5):
                if s.line_fill[p, row] == row + 1:
                    tiles = 0
                    for column in range(5):
                        tiles += s.wall[p, row, column]
                    if tiles == 4:
                        return True
        return s.round == self.rounds
