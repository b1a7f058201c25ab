"""Connect four solved a second time, in plain Python over bitboards: no line of it is shared with the package."""

from __future__ import annotations

HEIGHT, WIDTH = 6, 7
STRIDE = HEIGHT + 1  # bits a column; the one on top stays empty, so that no line runs from a column into the next
MIDDLE_FIRST = (3, 2, 4, 1, 5, 0, 6)


def has_four(discs: int) -> bool:
    for step in (1, STRIDE, STRIDE - 1, STRIDE + 1):
        pairs = discs & discs >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


class Truth:
    """value(columns) is what the side to move gets after these moves, columns counted from 1: 1, 0 or -1."""

    def __init__(self) -> None:
        self.bounds: dict[tuple[int, int], tuple[int, int]] = {}  # (mover's discs, all discs) -> least and most

    def value(self, columns: list[int]) -> int:
        mine = theirs = 0
        for column in columns:
            place = self.free(mine | theirs, column - 1)
            mine, theirs = theirs, mine | place
        return self.search(mine, theirs, -1, 1)

    @staticmethod
    def free(discs: int, column: int) -> int:
        """The lowest empty place of a column; 0 if it is full."""
        place = (discs + (1 << STRIDE * column)) & ((1 << HEIGHT) - 1 << STRIDE * column)
        return place & -place if place else 0

    def search(self, mine: int, theirs: int, low: int, high: int) -> int:
        discs = mine | theirs
        places = [place for column in MIDDLE_FIRST if (place := self.free(discs, column))]
        if any(has_four(mine | place) for place in places):
            return 1
        if not places or discs.bit_count() == HEIGHT * WIDTH:
            return 0
        forced = [place for place in places if has_four(theirs | place)]
        if len(forced) > 1:
            return -1
        least, most = self.bounds.get((mine, discs), (-1, 1))
        low, high = max(low, least), min(high, most)
        if low >= high:
            return least if least >= high else most
        best, alpha = -1, low
        for place in forced or places:
            best = max(best, -self.search(theirs, mine | place, -high, -alpha))
            alpha = max(alpha, best)
            if alpha >= high:
                break
        if best <= low:
            most = min(most, best)
        elif best >= high:
            least = max(least, best)
        else:
            least = most = best
        self.bounds[mine, discs] = least, most
        return best
