"""What a learnt policy sees of a move in Azul: what it does, not which display it takes from."""

import numpy as np

from boardwright.games.azul.features import AzulFeatures
from boardwright.games.azul.rules import FLOOR, FLOOR_SPACES, NOBODY

LINE_KINDS = 16  # a pattern line that lacks 1 to row + 1 tiles, 15 of them; the floor
TILES_MOST = 6  # taken at once that are told apart
SOURCES = LINE_KINDS * 5 * TILES_MOST  # display, centre, centre with the marker; each with 0 to 7 floor spaces taken
PLACES = SOURCES + 3 * (FLOOR_SPACES + 1)  # 0 to 4 tiles that the line still lacks; each with 1 point to 10
POINTS_MOST = 10


class AzulMoveFeatures(AzulFeatures):
    """Three features a move: the line, what it lacks, colour and tiles; the kind of source, and the floor line after
    the move; what the line lacks then, and what its tile will score on the wall."""

    move_features_count = PLACES + 5 * POINTS_MOST
    move_features_most = 3

    def move_features(self, s, move, indices):
        line = move % 6
        colour = move // 6 % 5
        source = move // 30
        tiles = np.int64(s.offer[source, colour])
        fallen = np.int64(s.floor_fill[s.turn])
        taken_from = 0
        if source == self.displays:
            taken_from = 1
            if s.marker == NOBODY:
                taken_from = 2
                fallen += 1
        kind, count = LINE_KINDS - 1, 2
        if line == FLOOR:
            fallen += tiles
        else:
            lacks = line + 1 - s.line_fill[s.turn, line]
            kind = line * (line + 1) // 2 + lacks - 1
            fallen += max(tiles - lacks, 0)
            points = self.points_to_come(s, s.turn, line, (colour + line) % 5)
            indices[2] = PLACES + max(lacks - tiles, 0) * POINTS_MOST + min(points, POINTS_MOST) - 1
            count = 3
        indices[0] = (kind * 5 + colour) * TILES_MOST + min(tiles, TILES_MOST) - 1
        indices[1] = SOURCES + taken_from * (FLOOR_SPACES + 1) + min(fallen, FLOOR_SPACES)
        return count
