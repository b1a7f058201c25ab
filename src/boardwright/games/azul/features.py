"""What a learnt value sees of Azul: one feature for every amount of a thing, and what the walls are about to score.

A small network reads amounts badly: that three tiles fill a line of which two are missing is no sum of anything. So a
line is one feature for each colour and fill, an offer one for each number of tiles. Tiles of complete lines count as
on the wall, and the points that they and the floor line will bring count as points: both are certain.
"""

import numpy as np

from boardwright.games.azul.rules import FLOOR_SPACES, NOBODY, ON_A_DISPLAY
from boardwright.games.azul.skill import AzulSkill

# The features of one player, from the viewer's on.
LINES = 0  # 75: row, colour, tiles from 1 to row + 1
WALL = LINES + 75  # 25 places that hold their tile, or will
COLUMNS = WALL + 25  # 20: column, 2 to 5 tiles
COLOURS = COLUMNS + 20  # 20: colour, 2 to 5 tiles
ROWS = COLOURS + 20  # 20: row, 2 to 5 tiles
FLOORS = ROWS + 20  # 7: spaces taken
MARKER = FLOORS + FLOOR_SPACES  # holds it
FIRST = MARKER + 1  # started this round
POINTS = FIRST + 1  # once the round is tiled, by 50; of others, those that the viewer has more
LEADS = POINTS + 1  # 21: the same in steps of 4, from -40 to 40
A_PLAYER = LEADS + 21

CENTRE_MOST = 8  # tiles of one colour in the centre that are told apart
ROUNDS_MOST = 8
GROUPS_MOST = 24  # of tiles of one colour at one source


class AzulFeatures(AzulSkill):
    """Features, and where each kind of them begins."""

    @property
    def features_count(self) -> int:
        return self.seats_from + A_PLAYER * self.players

    @property
    def features_most(self) -> int:
        return 5 * (self.displays + 1) + 20 + 10 + 3 + self.players * (5 + 25 + 15 + 3 + 2)

    @property
    def centre_from(self) -> int:  # displays come first: display, colour, 1 to 4 tiles
        return self.displays * 5 * ON_A_DISPLAY

    @property
    def supply_from(self) -> int:  # how many displays have so many tiles of a colour
        return self.centre_from + 5 * CENTRE_MOST

    @property
    def bag_from(self) -> int:  # bag and lid
        return self.supply_from + 5 * ON_A_DISPLAY

    @property
    def table_from(self) -> int:  # the marker in the centre, rounds, groups of tiles on offer
        return self.bag_from + 10

    @property
    def seats_from(self) -> int:
        return self.table_from + 1 + ROUNDS_MOST + GROUPS_MOST

    def features(self, s, indices, values):
        """Seen by the player to act; at chance and at the end by who starts next."""
        count = self.table_features(s, indices, values)
        own = self.points_due(s, s.turn)
        for seat in range(self.players):
            p = (s.turn + seat) % self.players
            base = self.seats_from + A_PLAYER * seat
            count = self.player_features(s, p, base, indices, values, count)
            indices[count] = base + POINTS
            if seat == 0:
                values[count] = own / 50.0
            else:
                lead = own - self.points_due(s, p)
                values[count] = lead / 50.0
                count += 1
                indices[count] = base + LEADS + min(max((lead + 42) // 4, 0), 20)
                values[count] = 1.0
            count += 1
        return count

    def table_features(self, s, indices, values):
        """What lies between the players; returns how many."""
        count = 0
        groups = 0
        for colour in range(5):
            kept = count
            for source in range(self.displays):
                tiles = s.offer[source, colour]
                if tiles > 0:
                    groups += 1
                    indices[count] = (source * 5 + colour) * ON_A_DISPLAY + tiles - 1
                    values[count] = 1.0
                    count += 1
            first = count
            for at in range(kept, first):  # a feature may be named twice: each display adds its part
                indices[count] = self.supply_from + colour * ON_A_DISPLAY + indices[at] % ON_A_DISPLAY
                values[count] = 0.5
                count += 1
            tiles = s.offer[self.displays, colour]
            if tiles > 0:
                groups += 1
                indices[count] = self.centre_from + colour * CENTRE_MOST + min(tiles, CENTRE_MOST) - 1
                values[count] = 1.0
                count += 1
            if s.bag[colour] > 0:
                indices[count] = self.bag_from + colour
                values[count] = s.bag[colour] / 10.0
                count += 1
            if s.lid[colour] > 0:
                indices[count] = self.bag_from + 5 + colour
                values[count] = s.lid[colour] / 10.0
                count += 1
        if s.marker == NOBODY:
            indices[count] = self.table_from
            values[count] = 1.0
            count += 1
        indices[count] = self.table_from + 1 + min(max(s.round, 1), ROUNDS_MOST) - 1
        values[count] = 1.0
        count += 1
        if groups > 0:
            indices[count] = self.table_from + 1 + ROUNDS_MOST + min(groups, GROUPS_MOST) - 1
            values[count] = 1.0
            count += 1
        return count

    def player_features(self, s, p, base, indices, values, count):
        """What lies before player p, behind `count` features; returns how many there are now."""
        begin = count
        columns, colours = 0, 0  # tiles of each, in four bits: an array would have to be made anew at every look
        for row in range(5):
            fill = s.line_fill[p, row]
            complete = -1
            if fill > 0:
                line_colour = np.int64(s.line_colour[p, row])
                indices[count] = base + LINES + 5 * (row * (row + 1) // 2) + line_colour * (row + 1) + fill - 1
                count += 1
                if fill == row + 1:
                    complete = (line_colour + row) % 5
            in_row = 0
            for column in range(5):
                if s.wall[p, row, column] or column == complete:
                    indices[count] = base + WALL + 5 * row + column
                    count += 1
                    in_row += 1
                    columns += 1 << 4 * column
                    colours += 1 << 4 * ((column - row + 5) % 5)
            if in_row > 1:
                indices[count] = base + ROWS + 4 * row + in_row - 2
                count += 1
        for i in range(5):
            in_column = columns >> 4 * i & 15
            if in_column > 1:
                indices[count] = base + COLUMNS + 4 * i + in_column - 2
                count += 1
            of_colour = colours >> 4 * i & 15
            if of_colour > 1:
                indices[count] = base + COLOURS + 4 * i + of_colour - 2
                count += 1
        if s.floor_fill[p] > 0:
            indices[count] = base + FLOORS + s.floor_fill[p] - 1
            count += 1
        if s.marker == p:
            indices[count] = base + MARKER
            count += 1
        if s.first == p:
            indices[count] = base + FIRST
            count += 1
        for at in range(begin, count):
            values[at] = 1.0
        return count

    def points_due(self, s, p):
        """The points that player p would have were the round over: complete lines tiled, the floor line paid."""
        points = np.int64(s.score[p])
        for row in range(5):
            if s.line_fill[p, row] == row + 1:
                points += self.points_to_come(s, p, row, (s.line_colour[p, row] + row) % 5)
        return max(0, points - self.floor_cost[s.floor_fill[p]])

    def points_to_come(self, s, p, row, column):
        """As `tile_points`, once the lines above are tiled."""
        up = row
        while up > 0 and self.will_hold(s, p, up - 1, column):
            up -= 1
        return self.points_of_runs(s, p, row, column, up)
