"""2048: slide all tiles one way, equal neighbours merge, a new 2 or 4 appears."""

from __future__ import annotations

import boardwright as bw

UP, RIGHT, DOWN, LEFT = range(4)
LETTERS = "abcdefgh"


class SlidingRules(bw.Game):
    """The rules of 2048, and nothing else.

    Cells are numbered row by row from the top left and hold exponents: 0 is empty, 1 a tile of 2, 11 a tile of 2048.
    """

    size: int = 4
    four: float = 0.1  # how likely a new tile is a 4 instead of a 2

    players = 1
    actions = 4

    def __post_init__(self) -> None:
        if not 2 <= self.size <= len(LETTERS):
            raise bw.InputError(f"2048: size={self.size}; choose 2 to {len(LETTERS)}")
        if not 0.0 <= self.four <= 1.0:
            raise bw.InputError(f"2048: four={self.four}; the odds of a 4 lie between 0 and 1, such as 0.1")

    @property
    def area(self) -> int:
        return self.size * self.size

    @property
    def outcomes(self) -> int:
        return 2 * self.area  # 2 * cell: a 2 appears there; 2 * cell + 1: a 4

    def layout(self):
        return [
            ("score", "i8"),
            ("cells", "i1", (self.area,)),
            ("tiles", "i1"),  # how many cells are not empty
            ("actor", "i1"),  # 0 the player, CHANCE, OVER
        ]

    def start(self, s):
        s.actor = bw.CHANCE

    def player(self, s):
        return s.actor

    # A slide

    def legal(self, s, moves):
        ways = self.ways(s)
        count = 0
        for direction in range(4):
            if ways >> direction & 1 == 1:
                moves[count] = direction
                count += 1
        return count

    def ways(self, s):
        """The directions in which some tile moves or merges, a bit each: seen from pairs of neighbours alone."""
        ways = 0
        for cell in range(self.area):
            if cell % self.size != self.size - 1:
                ways |= self.pair_ways(s.cells[cell], s.cells[cell + 1], LEFT, RIGHT)
            if cell < self.area - self.size:
                ways |= self.pair_ways(s.cells[cell], s.cells[cell + self.size], UP, DOWN)
        return ways

    def pair_ways(self, first, second, back, forth):
        """Of two neighbours: the second may go back, the first forth, and equal tiles both."""
        can_go_back = (second != 0) & ((first == 0) | (first == second))
        can_go_forth = (first != 0) & ((second == 0) | (first == second))
        return can_go_back << back | can_go_forth << forth

    def wall(self, direction, lane):
        """The cell at the wall towards which a row or column, number `lane`, slides."""
        if direction == UP:
            return lane
        if direction == RIGHT:
            return lane * self.size + self.size - 1
        if direction == DOWN:
            return self.area - self.size + lane
        return lane * self.size

    def away(self, direction):
        """From a cell to its neighbour away from the wall."""
        if direction == UP:
            return self.size
        if direction == RIGHT:
            return -1
        if direction == DOWN:
            return -self.size
        return 1

    def play(self, s, move):
        step = self.away(move)
        for lane in range(self.size):
            self.slide(s, self.wall(move, lane), step)
        s.actor = bw.CHANCE

    def slide(self, s, wall, step):
        """Slide one lane: every tile goes as far as it can; two equal ones merge once, those at the wall first."""
        target = wall  # where the next tile stops
        waiting = 0  # the tile that stopped last, if it has not merged
        cell = wall
        for _ in range(self.size):
            tile = s.cells[cell]
            s.cells[cell] = 0
            if tile != 0 and tile == waiting:
                s.cells[target - step] = tile + 1
                s.score += 1 << (tile + 1)
                s.tiles -= 1
                waiting = 0
            elif tile != 0:
                s.cells[target] = tile
                target += step
                waiting = tile
            cell += step

    # A new tile

    def chances(self, s, outcomes, weights):
        count = 0
        for cell in range(self.area):
            if s.cells[cell] == 0:
                if self.four < 1.0:
                    outcomes[count] = 2 * cell
                    weights[count] = 1.0 - self.four
                    count += 1
                if self.four > 0.0:
                    outcomes[count] = 2 * cell + 1
                    weights[count] = self.four
                    count += 1
        return count

    def draw(self, s, outcome):
        s.cells[outcome // 2] = 1 + outcome % 2
        s.tiles += 1
        if s.tiles == 1:
            s.actor = bw.CHANCE  # the game starts with two tiles
        elif s.tiles == self.area and self.ways(s) == 0:
            s.actor = bw.OVER
        else:
            s.actor = 0

    def scores(self, s, out):
        out[0] = s.score
