"""What a learnt value sees of a layout of NMBR 9: where each tile still to come could lie, and what its levels look
like close by.

Nothing here depends on where the layout lies or how it is turned. A position has about 140 features of 26,112, found in
3.4 us. Three kinds (docs/methods/afterstate-values.md):

- places: of each digit still in the deck, how many places it has now on each level, counted exactly by the rules;
- windows: the 3 x 3 squares round each free square of a level, each without support, free or covered;
- seams: 2 x 2 free squares in which two tiles meet. A tile must lie on two, so it needs a seam below it.
"""

from __future__ import annotations

from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from boardwright.games.nmbr9.rules import Nmbr9Rules
from boardwright.games.nmbr9.tiles import BITS, FULL, MARGIN, RING, SHAPES, shape_rows

LEVELS_SEEN = 5  # places on levels 1 to 5, windows on levels 0 to 4; nobody plays higher
SEAM_LEVELS = 4  # seams between tiles of levels 0 to 3
STEPS = (0, 1, 2, 3, 4, 6, 9, 14)  # a number of places counts as the last of these that it reaches
MOST_COUNTED = 64
PATTERNS = tuple(sorted({row for shape in SHAPES for row in shape_rows(shape)}))  # rows of tiles, as bits; 0 is first


@cache
def window_classes() -> tuple[npt.NDArray[np.int16], int]:
    """[3 x 3 squares, read as a number to the base of 3]: its class. Windows that turn into one another share one.
    Classes are numbered by the least of their windows. By arrays: every command that lists the games waits for it."""
    squares = np.arange(3**9)[:, np.newaxis] // 3 ** np.arange(9) % 3
    first_weighs_most = 3 ** np.arange(8, -1, -1)
    turned, smallest = squares, squares @ first_weighs_most
    for _ in range(3):
        turned = turned[:, (6, 3, 0, 7, 4, 1, 8, 5, 2)]
        smallest = np.minimum(smallest, turned @ first_weighs_most)
    _, least, of_kind = np.unique(smallest, return_index=True, return_inverse=True)
    number = np.empty(len(least), np.int16)
    number[np.argsort(least)] = np.arange(len(least))
    return number[of_kind], len(least)


@cache
def seam_classes() -> tuple[list[int], int]:
    """[bits 0-3: which of 2 x 2 squares are free, clockwise from the top left; bits 4-7: seams at the top, right,
    bottom, left]: its class, as above."""
    classes: dict[int, int] = {}
    found = []
    for number in range(256):
        free, seams = number & 15, number >> 4
        turns = [((free << k | free >> (4 - k)) & 15) | ((seams << k | seams >> (4 - k)) & 15) << 4 for k in range(4)]
        found.append(classes.setdefault(min(turns), len(classes)))
    return found, len(classes)


WINDOW_CLASSES = window_classes()[1]
SEAM_CLASSES = seam_classes()[1]

# Where each kind of feature begins.
TURN = 0  # one for each number of tiles placed
LEFT = TURN + 21  # digit and cards left of it (1 or 2)
TILES = LEFT + 20  # tiles of the level below, in eighths, by level
AREA = TILES + LEVELS_SEEN + 1  # squares on which a tile of the level can lie, in 32nds
PLACES = AREA + 10  # level, digit, cards left, step
WINDOWS = PLACES + LEVELS_SEEN * 10 * 2 * len(STEPS)  # level, class
SEAMS = WINDOWS + LEVELS_SEEN * WINDOW_CLASSES  # level, class
END = SEAMS + SEAM_LEVELS * SEAM_CLASSES

# Of one position: turn and cards, 12 a level, and for each of 20 tiles at most 14 squares beside it, 10 on it and 20
# windows of 2 x 2 that touch it.
MOST = 11 + 12 * LEVELS_SEEN + 20 * (14 + 10 + 20)


class Features(Nmbr9Rules):
    """The part of the rules that describes a position to a learnt value."""

    features_count = END
    features_most = MOST

    @cached_property
    def place_step(self) -> npt.NDArray[np.int64]:
        """[number of places]: which of STEPS it reaches."""
        return np.array([sum(n >= step for step in STEPS) - 1 for n in range(MOST_COUNTED)])

    @cached_property
    def patterns(self) -> npt.NDArray[np.int64]:
        return np.array(PATTERNS)

    @cached_property
    def shape_patterns(self) -> npt.NDArray[np.int64]:
        """[shape, row]: which of PATTERNS it is."""
        return np.array([[PATTERNS.index(row) for row in shape_rows(shape)] for shape in SHAPES])

    # Small numbers: these two are read for every window and should stay in the fastest memory.

    @cached_property
    def window_class(self) -> npt.NDArray[np.int16]:
        return window_classes()[0]

    @cached_property
    def threes(self) -> npt.NDArray[np.int16]:
        """[9 bits]: the same digits as a number to the base of 3."""
        return np.array([sum(3**k for k in range(9) if bits >> k & 1) for bits in range(512)], np.int16)

    @cached_property
    def seam_class(self) -> npt.NDArray[np.int16]:
        return np.array(seam_classes()[0], np.int16)

    def features(self, s, indices, values):
        indices[0] = TURN + s.count
        values[0] = 1.0
        n = 1
        for digit in range(10):
            if s.left[digit] > 0:
                indices[n] = LEFT + 2 * digit + s.left[digit] - 1
                values[n] = 1.0
                n += 1
        # Bits stop at 61 (see places.py): of a layout wider than 56 squares, the rest is not seen.
        taken = np.empty((s.highest + 3, s.tall + 2 * MARGIN), np.int64)
        self.lay_out(s, 0, taken)
        n = self.see_places(s, taken, indices, values, n)
        n = self.see_windows(s, taken, indices, values, n)
        return self.see_seams(s, taken, indices, values, n)

    # Places: as find_places has them, but of all tiles at once.

    def see_places(self, s, taken, indices, values, n):
        carries = np.empty((len(PATTERNS), s.tall + 8), np.int64)
        touches = np.empty((len(PATTERNS), s.tall + 8), np.int64)
        found = np.empty(10, np.int64)
        for level in range(1, min(s.highest + 2, LEVELS_SEEN + 1, self.level_limit)):
            tiles = self.tiles_on(s, level - 1)
            begin, rows, area = self.prepare_patterns(level, level > s.highest, taken, carries, touches)
            indices[n] = TILES + level
            values[n] = tiles / 8
            indices[n + 1] = AREA + level
            values[n + 1] = area / 32
            n += 2
            if tiles < 2:
                break
            self.count_places(s, level, begin, rows, carries, touches, found)
            for digit in range(10):
                if s.left[digit] > 0:
                    step = self.place_step[min(found[digit], MOST_COUNTED - 1)]
                    indices[n] = PLACES + (((level - 1) * 10 + digit) * 2 + s.left[digit] - 1) * len(STEPS) + step
                    values[n] = 1.0
                    n += 1
        return n

    def prepare_patterns(self, level, empty, taken, carries, touches):
        """For each row that tiles are made of: where in the level's row `begin` + i it finds support (carries[p, i]),
        and where it shares an edge with a tile of the level (touches[p, i]; the first tile of a level need not).
        Returns `begin`, the number of rows, and the free squares in all."""
        begin = taken.shape[1]
        end = 0
        for i in range(MARGIN, taken.shape[1] - MARGIN):
            if taken[level - 1, i] & ~taken[level, i] != 0:
                begin = min(begin, i)
                end = i + 1
        if end == 0:
            return 0, 0, 0
        rows = end - begin
        area = 0
        for i in range(rows + 4):  # a tile may look so far below its own last row
            y = begin + i
            here = taken[level, y]
            free = taken[level - 1, y] & ~here if i < rows else 0
            area += self.bits_in(free)
            carries[0, i] = FULL
            touches[0, i] = 0
            carries[1, i] = free
            touches[1, i] = FULL if empty else (here << 1) | (here >> 1) | taken[level, y - 1] | taken[level, y + 1]
        for p in range(2, len(PATTERNS)):
            bits = self.patterns[p]
            for i in range(rows + 4):
                carry, free = FULL, carries[1, i]
                touch, near = 0, touches[1, i]
                if bits & 1:
                    carry &= free
                    touch |= near
                if bits & 2:
                    carry &= free >> 1
                    touch |= near >> 1
                if bits & 4:
                    carry &= free >> 2
                    touch |= near >> 2
                if bits & 8:
                    carry &= free >> 3
                    touch |= near >> 3
                carries[p, i] = carry
                touches[p, i] = touch
        return begin, rows, area

    def count_places(self, s, level, begin, rows, carries, touches, found):
        """found[digit] = how many places it has on `level`."""
        for digit in range(10):
            found[digit] = 0
            if s.left[digit] == 0:
                continue
            for turned in range(self.looks[digit]):
                shape = 4 * digit + turned
                places = 0  # a number of its own, not found[digit]: a quarter faster
                for i in range(rows - self.shape_tall[shape] + 1):
                    places += self.bits_in(self.fits_in_row(shape, i, carries, touches))
                found[digit] += places
        # Two different tiles must lie below: take off the places where one tile carries it alone.
        for k in range(s.count):
            if s.level[k] != level - 1:
                continue
            below = 4 * s.number[k] + s.turned[k]
            row = (s.row[k] - s.top) % RING + MARGIN - begin
            column = (s.column[k] - s.start_column) % RING + MARGIN
            j = 0
            while self.alone_places[below, j, 0] >= 0:
                shape = self.alone_places[below, j, 0]
                i = row + self.alone_places[below, j, 1]
                x = column + self.alone_places[below, j, 2]
                j += 1
                if s.left[shape // 4] > 0 and 0 <= i <= rows - self.shape_tall[shape] and x < BITS:
                    found[shape // 4] -= (self.fits_in_row(shape, i, carries, touches) >> x) & 1

    def fits_in_row(self, shape, i, carries, touches):
        """Bits at which the tile can lie with its top in row i."""
        a = self.shape_patterns[shape, 0]
        b = self.shape_patterns[shape, 1]
        c = self.shape_patterns[shape, 2]
        d = self.shape_patterns[shape, 3]
        carried = carries[a, i] & carries[b, i + 1] & carries[c, i + 2] & carries[d, i + 3]
        return carried & (touches[a, i] | touches[b, i + 1] | touches[c, i + 2] | touches[d, i + 3])

    def bits_in(self, row):
        """How many bits are set; compilers know this loop and make one instruction of it."""
        found = 0
        while row != 0:
            row &= row - 1
            found += 1
        return found

    # Windows: round each square on which a tile of the level can lie; on the table, each beside a tile.

    def see_windows(self, s, taken, indices, values, n):
        for level in range(min(s.highest + 2, LEVELS_SEEN)):
            first = WINDOWS + level * WINDOW_CLASSES
            lower = taken[max(level - 1, 0)]
            for y in range(1, taken.shape[1] - 1):
                above, here, below = taken[level, y - 1], taken[level, y], taken[level, y + 1]
                if level == 0:
                    floor_above, floor, floor_below = FULL, FULL, FULL
                    squares = ((here << 1) | (here >> 1) | above | below) & FULL & ~here
                else:
                    floor_above, floor, floor_below = lower[y - 1], lower[y], lower[y + 1]
                    squares = floor & ~here
                while squares != 0:
                    bit = squares & -squares
                    squares ^= bit
                    x = self.bit_number[bit % 67] - 1
                    covered = ((above >> x) & 7) | ((here >> x) & 7) << 3 | ((below >> x) & 7) << 6
                    carried = ((floor_above >> x) & 7) | ((floor >> x) & 7) << 3 | ((floor_below >> x) & 7) << 6
                    indices[n] = first + self.window_class[self.threes[covered] + self.threes[carried]]
                    values[n] = 1.0
                    n += 1
        return n

    # Seams.

    def see_seams(self, s, taken, indices, values, n):
        levels = min(s.highest + 1, SEAM_LEVELS)
        across = np.zeros((levels, taken.shape[1]), np.int64)  # this square and the one to the right: one tile
        down = np.zeros((levels, taken.shape[1]), np.int64)
        for k in range(s.count):
            shape = 4 * s.number[k] + s.turned[k]
            i = (s.row[k] - s.top) % RING + MARGIN
            x = (s.column[k] - s.start_column) % RING + MARGIN
            if s.level[k] < levels and x < BITS:
                for y in range(self.shape_tall[shape]):
                    row = self.shape_bits[shape, y]
                    across[s.level[k], i + y] |= self.shifted(row & (row >> 1), x)
                    if y < 3:
                        down[s.level[k], i + y] |= self.shifted(row & self.shape_bits[shape, y + 1], x)
        for level in range(levels):
            first = SEAMS + level * SEAM_CLASSES
            for y in range(MARGIN - 1, taken.shape[1] - MARGIN):
                free = taken[level, y] & ~taken[level + 1, y]
                under = taken[level, y + 1] & ~taken[level + 1, y + 1]
                top = free & (free >> 1) & ~across[level, y]
                bottom = under & (under >> 1) & ~across[level, y + 1]
                side = free & under & ~down[level, y]
                corners = top | bottom | side | (side >> 1)
                while corners != 0:
                    bit = corners & -corners
                    corners ^= bit
                    x = self.bit_number[bit % 67]
                    window = ((free >> x) & 1) | ((free >> (x + 1)) & 1) << 1 | ((under >> (x + 1)) & 1) << 2
                    window |= ((under >> x) & 1) << 3 | ((top >> x) & 1) << 4 | ((side >> (x + 1)) & 1) << 5
                    window |= ((bottom >> x) & 1) << 6 | ((side >> x) & 1) << 7
                    indices[n] = first + self.seam_class[window]
                    values[n] = 1.0
                    n += 1
        return n
