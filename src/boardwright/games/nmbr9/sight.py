"""What a network sees of NMBR 9, and which positions are the same to it. What a learnt value sees: features.py."""

from __future__ import annotations

from boardwright.games.nmbr9.rules import Nmbr9Rules
from boardwright.games.nmbr9.tiles import RING

WINDOW = 28
OBSERVED = (
    "on the table", "covered", "height / 4", "top on level 0", "level 1", "level 2", "level 3", "level 4 or more",
    "the square to the right is as high but another tile's", "the square below is as high but another tile's",
    *(f"the tile to be placed is a {digit}" for digit in range(10)),
    *(f"cards left of digit {digit}, / 2" for digit in range(10)),
)  # fmt: skip


class Nmbr9Sight(Nmbr9Rules):
    """Observation and symmetries."""

    symmetries = 4
    observe_shape = (WINDOW, WINDOW, len(OBSERVED))

    # A window of 28 x 28 squares with the layout in its middle (half a square off where the layout's side is odd;
    # what lies outside is not seen). Channels: see OBSERVED.

    def observe(self, s, out):
        y0 = (WINDOW - s.tall) // 2
        x0 = (WINDOW - s.wide) // 2
        for k in range(s.count):
            shape = 4 * s.number[k] + s.turned[k]
            for dy in range(self.shape_tall[shape]):
                for dx in range(self.shape_wide[shape]):
                    y = y0 + (s.row[k] - s.top) % RING + dy
                    x = x0 + (s.column[k] - s.start_column) % RING + dx
                    if (self.shape_bits[shape, dy] >> dx) & 1 and 0 <= y < WINDOW and 0 <= x < WINDOW:
                        out[y, x, 1] = 1 + k  # which tile is on top, until the seams are known
                        out[y, x, 2] = 1 + s.level[k]
        for y in range(WINDOW):
            for x in range(WINDOW):
                row = s.top + y - y0
                column = s.start_column + x - x0
                if self.table == 0 or (0 <= row < self.table and 0 <= column < self.table):
                    out[y, x, 0] = 1.0
                if s.digit >= 0:
                    out[y, x, 10 + s.digit] = 1.0
                for digit in range(10):
                    out[y, x, 20 + digit] = 0.5 * s.left[digit]
                height = out[y, x, 2]
                if height == 0.0:
                    continue
                if x + 1 < WINDOW and out[y, x + 1, 2] == height and out[y, x + 1, 1] != out[y, x, 1]:
                    out[y, x, 8] = 1.0
                if y + 1 < WINDOW and out[y + 1, x, 2] == height and out[y + 1, x, 1] != out[y, x, 1]:
                    out[y, x, 9] = 1.0
                out[y, x, 2 + min(int(height), 5)] = 1.0
        for y in range(WINDOW):
            for x in range(WINDOW):
                out[y, x, 1] = min(out[y, x, 1], 1.0)
                out[y, x, 2] *= 0.25

    # Quarter turns of the table. No flips: a flipped tile is another tile.

    def mirror(self, s, image, out):
        for digit in range(10):
            out.left[digit] = s.left[digit]
        out.digit = s.digit
        out.count = s.count
        out.score = s.score
        out.highest = s.highest
        out.stuck = s.stuck
        for k in range(s.count):
            digit = s.number[k]
            turned = s.turned[k]
            out.number[k] = digit
            out.turned[k] = (turned + image) % self.looks[digit]
            out.level[k] = s.level[k]
            tall = self.shape_tall[4 * digit + turned]
            wide = self.shape_wide[4 * digit + turned]
            out.row[k], out.column[k] = self.turn_box(s.row[k], s.column[k], tall, wide, image)
        out.top, out.start_column = self.turn_box(s.top, s.start_column, s.tall, s.wide, image)
        out.tall = s.tall if image % 2 == 0 else s.wide
        out.wide = s.wide if image % 2 == 0 else s.tall
        if s.count == 0:
            out.top = 0
            out.start_column = 0

    def turn_box(self, row, column, tall, wide, image):
        """The top left corner of a box after `image` quarter turns of the table clockwise."""
        for _ in range(image):
            row, column = column, (self.side - row - tall) % RING
            tall, wide = wide, tall
        return row, column

    def mirror_move(self, move, image):
        turned = move // (self.side * self.side)
        row = move // self.side % self.side
        column = move % self.side
        if turned < 4:
            row, column = self.turn_box(row, column, 1, 1, image)
            turned = (turned + image) % 4
        else:
            row, column = self.turn_box(row, column, 8 - turned, turned - 1, image)  # 4 x 3, or 3 x 4
            turned = 4 + (turned + image) % 2
        return (turned * self.side + row) * self.side + column
