"""Where a tile of NMBR 9 may lie, found by rows of bits.

A level is a row of bits for each row of squares. One AND of shifted rows asks for a whole row of places at once
whether a tile fits there, which is worth its while: 62 us a random game, against 1,270 us with the same rules written
square by square over a map of heights (both compiled, side by side). Bits stop at 61, which leaves the sign alone,
so that compiled numbers and Python's agree. A layout wider than that is worked off in strips: places for
a tile's left edge are the bits 1 to STRIP, beside them lies what such tiles can touch.
"""

from __future__ import annotations

import numpy as np

from boardwright.games.nmbr9.tiles import BITS, FULL, MARGIN, RING, STRIP


class Places:
    """The part of the rules that finds places."""

    def find_places(self, s, moves, most):
        """Write the places of the tile to be placed, `most` at most; return how many."""
        if s.count == 0:
            return self.first_places(s, moves, most)
        found = 0
        work = np.empty((10 + s.highest + 2, s.tall + 2 * MARGIN), np.int64)
        carries, touches, found_at, taken = work[0:4], work[4:8], work[8:10], work[10:]
        fits, touching = found_at[0], found_at[1]
        for strip in range((s.wide + MARGIN + STRIP - 1) // STRIP):
            self.lay_out(s, strip, taken)
            first_column = s.start_column + strip * STRIP - MARGIN
            for level in range(min(s.highest + 2, self.level_limit)):
                if level > 0 and self.tiles_on(s, level - 1) < 2:
                    break
                begin, end = self.prepare(level, level > s.highest, taken, carries, touches)
                for turned in range(self.looks[s.digit]):
                    shape = 4 * s.digit + turned
                    stop = end - self.shape_tall[shape] + 1
                    places = self.columns(shape, first_column, s.wide + MARGIN - strip * STRIP)
                    self.match(shape, begin, stop, places, carries, touches, found_at)
                    if level > 0:
                        self.strike_out(s, shape, level - 1, strip, fits)
                    for i in range(begin, stop):
                        here = fits[i] & touching[i]
                        if here == 0:
                            continue
                        row = (s.top + i - MARGIN) % RING
                        if self.table > 0 and row > self.table - self.shape_tall[shape]:
                            continue
                        number = self.row_number(shape, row)
                        corner = first_column + self.corner_column[shape]
                        while here != 0:
                            bit = here & -here
                            here ^= bit
                            column = corner + self.bit_number[bit % 67]
                            if column < 0:
                                column += RING
                            elif column >= RING:
                                column -= RING
                            moves[found] = number + column
                            found += 1
                            if found == most:
                                return found
        return found

    def tiles_on(self, s, level):
        tiles = 0
        for k in range(s.count):
            tiles += 1 if s.level[k] == level else 0
        return tiles

    def match(self, shape, begin, stop, places, carries, touches, found_at):
        """Rows of bits at which the tile fits, and at which it touches a tile of its level."""
        rows = stop - begin
        for i in range(begin, stop):
            found_at[0, i] = places
            found_at[1, i] = 0
        for k in range(8):
            length = self.runs[shape, k, 2]
            if length < 0:
                break
            y = begin + self.runs[shape, k, 0]
            dx = self.runs[shape, k, 1]
            # Slices, because the compiler turns such loops into vector code: twice as fast.
            fit, touch = found_at[0, begin:stop], found_at[1, begin:stop]
            carry, near = carries[length, y : y + rows], touches[length, y : y + rows]
            for i in range(rows):
                fit[i] &= carry[i] >> dx
                touch[i] |= near[i] >> dx

    def strike_out(self, s, shape, level, strip, fits):
        """Two different tiles must lie below: take out the places where one tile of `level` carries it alone."""
        for k in range(s.count):
            if s.level[k] != level:
                continue
            alone = self.alone[shape, 4 * s.number[k] + s.turned[k]]
            if alone == 0:
                continue
            i = (s.row[k] - s.top) % RING + MARGIN
            x = (s.column[k] - s.start_column) % RING + MARGIN - strip * STRIP
            if -4 < x < BITS:
                for y in range(4):
                    fits[i + y] &= ~self.shifted((alone >> (4 * y)) & 15, x)

    def shifted(self, bits, x):
        return (bits << x) & FULL if x >= 0 else bits >> -x

    def first_places(self, s, moves, most):
        """The first tile: anywhere on a table with edges; on the endless one all places are equal, so in one.
        That place is its own image when the ring is turned by 180 degrees."""
        found = 0
        for turned in range(self.looks[s.digit]):
            shape = 4 * s.digit + turned
            tall = self.shape_tall[shape]
            wide = self.shape_wide[shape]
            if self.table == 0:
                row = (RING - tall) // 2 if tall % 2 == 1 else RING - tall // 2
                column = (RING - wide) // 2 if wide % 2 == 1 else RING - wide // 2
                moves[found] = self.move_at(shape, row, column)
                found += 1
                continue
            for row in range(self.table - tall + 1):
                for column in range(self.table - wide + 1):
                    if found < most:
                        moves[found] = self.move_at(shape, row, column)
                        found += 1
        return found

    def lay_out(self, s, strip, taken):
        """Rows of bits of one strip, by level: the squares that tiles lie on."""
        for level in range(taken.shape[0]):
            for i in range(taken.shape[1]):
                taken[level, i] = 0
        for k in range(s.count):
            shape = 4 * s.number[k] + s.turned[k]
            i = (s.row[k] - s.top) % RING + MARGIN
            x = (s.column[k] - s.start_column) % RING + MARGIN - strip * STRIP
            if -4 < x < BITS:
                for y in range(self.shape_tall[shape]):
                    taken[s.level[k], i + y] |= self.shifted(self.shape_bits[shape, y], x)

    def prepare(self, level, empty, taken, carries, touches):
        """For runs of 1 to 4 squares that begin at a bit: does the level below carry all of it, and does any
        of it share an edge with a tile of this level (the first tile of a level need not)."""
        last = taken.shape[1] - 1
        begin = last
        end = 0
        for i in range(last + 1):
            here = taken[level, i]
            free = FULL & ~here
            if level > 0:
                free &= taken[level - 1, i]
            near = FULL
            if not empty:
                near = ((here << 1) & FULL) | (here >> 1)
                if i > 0:
                    near |= taken[level, i - 1]
                if i < last:
                    near |= taken[level, i + 1]
            if free != 0:
                begin = min(begin, i)
                end = i + 1
            carries[0, i] = free
            touches[0, i] = near
            for more in range(1, 4):
                carries[more, i] = carries[more - 1, i] & (free >> more)
                touches[more, i] = touches[more - 1, i] | (near >> more)
        return begin, end

    def columns(self, shape, first_column, last):
        """Bits at which a tile's left edge may lie: 1..STRIP, up to `last`, and on the table."""
        low = 1
        high = min(STRIP, last)
        if self.table > 0:
            low = max(low, -first_column)
            high = min(high, self.table - self.shape_wide[shape] - first_column)
        if high < low:
            return 0
        return ((1 << (high + 1)) - 1) & ~((1 << low) - 1)
