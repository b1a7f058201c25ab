"""Wins by continuous fours: attacks in which every move threatens to complete a line, so that each reply is forced.

A window is `line` points in a row. A four is a stone that leaves a window of one's own lacking one stone only; the
other must take that point, unless he can win at once. Two such points after one stone, and he is lost. Threat
sequences are Allis, van den Herik and Huntjens's (Go-Moku and Threat-Space Search, 1993); here only fours count, for
they leave exactly one reply, so that what is found is a proof, and the search is a walk without branching replies.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from boardwright.games.in_a_row.windows import Windows

NONE, SEVERAL = -1, -2  # instead of a cell
CELL = 1023  # a cell in the low ten bits of a number that carries more


class ContinuousFours(Windows):
    """What `winning` and `answers` promise. Stones are tried on `rays` alone and taken off again."""

    def winning(self, s, line, tries):
        me = self.turn(s)
        if s.threats[me] > 0:
            line[0] = self.urgent(s, me)
            return 1
        if s.threats[1 - me] > 1:
            return 0
        must = self.urgent(s, 1 - me) if s.threats[1 - me] == 1 else NONE
        return self.fours(s, me, must, line, tries)

    def answers(self, s, moves, count, line, tries):
        """A move outside the other's winning line, and outside the points where that line would end, leaves it as it
        is, unless it makes a four itself, or does so together with the forced replies: only such moves are kept."""
        if s.threats[0] + s.threats[1] > 0:
            return count
        me = self.turn(s)
        length = self.fours(s, 1 - me, NONE, line, tries)
        if length == 0:
            return count
        useful = length
        for side in range(2):  # the attacks without the replies, then the replies without the attacks
            who = 1 - me if side == 0 else me
            for k in range(side, length, 2):
                self.toggle(s, who, line[k])
            useful = self.note_holes(s, who, 1 + side, line, useful)
            for k in range(side, length, 2):
                self.toggle(s, who, line[k])
        if useful == len(line):
            return count
        kept = 0
        for i in range(count):
            for k in range(useful):
                if line[k] == moves[i]:
                    moves[kept] = moves[i]
                    kept += 1
                    break
        return kept

    def note_holes(self, s, who, lacking, cells, count):
        """Add to cells[:count] every cell that windows of player `who` lack which lack at most so many; how many there
        are then. It is len(cells) if there is no room. Windows that a stone beside them makes too long count, too: it
        may be one of the line of play, and not be there yet."""
        span = self.columns + self.height - 1
        for at in range(4 * span):
            direction, ray = at // span, at % span
            found = self.windows_open(s, who, direction, ray, lacking)
            while found != 0:
                start = self.lowest(found)
                holes = ~(s.rays[who, direction, ray] >> start) & (2**self.line - 1)
                while holes != 0 and count < len(cells):
                    cells[count] = self.cell_on(direction, ray, start + self.lowest(holes))
                    count += 1
                    holes &= holes - 1
                found &= found - 1
        return count

    def urgent(self, s, who):
        """A cell on which player `who` would complete a line."""
        for i in range(s.left):
            if s.wins[self.point(s.order[i])] & (who + 1) != 0:
                return s.order[i]
        return NONE

    def fours(self, s, me, must, line, tries):
        """Look for a win of player `me`, to move, by fours only, trying at most so many; `must` is the one cell on
        which the other would win, or NONE. Writes the line of play, replies included, up to the stone that leaves two
        points to win on; returns its length, 0 if there is none, or none was found.

        Depth first. Level k is two numbers in `line`: number of the four and its cell, `must` and the reply's cell.
        From the end of `line` stand keys of what was tried: the same fours in another order need no second look.
        """
        depth, number, key, seen, length = 0, 0, 0, 0, 0
        while tries > 0:
            number = self.next_four(s, me, number, must)
            if number < 0:
                if depth == 0:
                    break
            else:
                attack, reply = self.hole(s, me, number), self.hole(s, me, number ^ 1)
                after = key ^ self.pair_key(attack, reply)
                known = False
                for i in range(len(line) - seen, len(line)):
                    known = known or line[i] == after
                if known:
                    number += 1
                    continue
                tries -= 1
                if 2 * depth + seen + 2 < len(line):
                    seen += 1
                    line[len(line) - seen] = after
                self.toggle(s, me, attack)
                line[2 * depth] = number << 10 | attack
                if self.completing(s, me, attack) == SEVERAL:
                    length = 2 * depth + 1
                    break
                self.toggle(s, 1 - me, reply)
                line[2 * depth + 1] = (must + 1) << 10 | reply
                depth, key, number = depth + 1, after, 0
                must = self.completing(s, 1 - me, reply)
                if must != SEVERAL:
                    continue
            depth -= 1
            attack, reply = int(line[2 * depth]) & CELL, int(line[2 * depth + 1]) & CELL
            self.toggle(s, me, attack)
            self.toggle(s, 1 - me, reply)
            key ^= self.pair_key(attack, reply)
            number = (line[2 * depth] >> 10) + 1
            must = (line[2 * depth + 1] >> 10) - 1
        for i in range(max(2 * depth, length)):  # the stones that are still tried, off again
            line[i] &= CELL
            self.toggle(s, me if i & 1 == 0 else 1 - me, line[i])
        return length

    def pair_key(self, attack, reply):
        """31 bits that stand for a four and its reply."""
        return (attack << 10 | reply) * 2654435761 >> 7 & 0x7FFFFFFF

    def toggle(self, s, who, cell):
        """Put a stone of player `who` on the rays through a cell, or take it off."""
        for direction in range(4):
            s.rays[who, direction, self.crossing[cell, direction, 0]] ^= 1 << self.crossing[cell, direction, 1]

    def next_four(self, s, me, number, must):
        """The next four from `number` on, on cell `must` unless that is NONE; -1 if there is no more.

        A four's number: ((direction, ray), first spot of its window, which of the two points that the window lacks).
        """
        span = self.columns + self.height - 1
        for at in range(number >> 6, 4 * span):
            found = self.windows_lacking(s, me, at // span, at % span, 2)
            while found != 0:
                first = at << 6 | self.lowest(found) << 1
                for four in range(first, first + 2):
                    if four >= number and (must == NONE or self.hole(s, me, four) == must):
                        return four
                found &= found - 1
        return -1

    def hole(self, s, me, four):
        """The cell of a four: the first or the second point that its window lacks."""
        span = self.columns + self.height - 1
        at, start = four >> 6, four >> 1 & 31
        direction, ray = at // span, at % span
        holes = ~(s.rays[me, direction, ray] >> start) & (2**self.line - 1)
        if four & 1 != 0:
            holes &= holes - 1
        return self.cell_on(direction, ray, start + self.lowest(holes))

    def cell_on(self, direction, ray, spot):
        """The cell at a spot of a ray: what `ray` and `spot` take apart."""
        return self.origin[direction, ray] + spot * self.pace[direction]

    def completing(self, s, who, cell):
        """Where player `who` would complete a line through a stone: NONE, one cell, or SEVERAL."""
        last = NONE
        for direction in range(4):
            ray, spot = self.crossing[cell, direction, 0], self.crossing[cell, direction, 1]
            found = self.windows_lacking(s, who, direction, ray, 1) & self.through(spot)
            while found != 0:
                start = self.lowest(found)
                holes = ~(s.rays[who, direction, ray] >> start) & (2**self.line - 1)
                other = self.cell_on(direction, ray, start + self.lowest(holes))
                if last != NONE and last != other:
                    return SEVERAL
                last = other
                found &= found - 1
        return last

    def through(self, spot):
        """The first spots, as bits, of windows that hold a spot."""
        return (2**self.line - 1) << spot >> (self.line - 1)

    def windows_lacking(self, s, who, direction, ray, lacking):
        """The first spots, as bits, of windows on a ray in which the other has no stone, and player `who` all but one
        (lacking 1), or all but one or two (lacking 2)."""
        found = self.windows_open(s, who, direction, ray, lacking)
        if self.exactly:  # a stone next to the window would make the line too long
            own = s.rays[who, direction, ray]
            found &= ~(own << 1 | own >> self.line)
        return found

    def windows_open(self, s, who, direction, ray, lacking):
        """The same, and of those that a stone beside them makes too long."""
        own, other = s.rays[who, direction, ray], s.rays[1 - who, direction, ray]
        if self.stones(own) < self.line - lacking:
            return 0
        one, two, three, taken = 0, 0, 0, 0  # windows that lack so many or more; windows with the other's stones
        for k in range(self.line):
            absent = ~(own >> k)
            three |= two & absent
            two |= one & absent
            one |= absent
            taken |= other >> k
        return one & ~(two if lacking == 1 else three) & ~taken & self.starts[direction, ray]

    def lowest(self, bits):
        """The number of the lowest bit that is set."""
        number = 0
        while bits >> number & 1 == 0:
            number += 1
        return number

    # Tables instead of `ray` and `spot`: without their branches all this compiles in half the time.

    @cached_property
    def crossing(self) -> npt.NDArray[np.int64]:
        """[cell, direction]: which ray runs through the cell, and where on it the cell lies."""
        pairs = [
            [(self.ray(cell, direction), self.spot(cell, direction)) for direction in range(4)]
            for cell in range(self.actions)
        ]
        return np.array(pairs)

    @cached_property
    def origin(self) -> npt.NDArray[np.int64]:
        """[direction, ray]: the cell at spot 0, or where it would be."""
        table = np.zeros((4, self.columns + self.height - 1), np.int64)
        for cell, direction in np.ndindex(self.actions, 4):
            ray, spot = self.crossing[cell, direction]
            table[direction, ray] = cell - spot * self.pace[direction]
        return table

    @cached_property
    def pace(self) -> npt.NDArray[np.int64]:
        """[direction]: from a cell to the next on its ray."""
        return np.array([1, self.columns, self.columns + 1, 1 - self.columns])
