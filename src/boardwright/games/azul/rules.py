"""Azul, for two to four players: draft tiles from the displays, fill pattern lines, tile a wall.

A colour is 0..4 = B Y R D W (D is the dark one). A source is a display, 0 .. displays-1, or the centre, numbered
`displays`. A line is a pattern line 0..4, which holds 1..5 tiles, or FLOOR. A move is (source * 5 + colour) * 6 + line.
How a wall looks and what it scores: wall.py.
"""

import numpy as np

from boardwright.contract.errors import InputError
from boardwright.contract.game import CHANCE, OVER
from boardwright.games.azul.wall import Wall

COLOURS = "BYRDW"
OF_EACH_COLOUR = 20
ON_A_DISPLAY = 4
FLOOR = 5  # the `line` of tiles that go straight to the floor line
FLOOR_SPACES = 7
EMPTY = -1  # colour of a pattern line without tiles
NOBODY = -1  # holder of the starting marker while it lies in the centre


class AzulRules(Wall):
    """The rules of Azul, and nothing else."""

    players: int = 2  # 2 to 4
    rounds: int = 20  # the game ends after this many; real games take five or six, but players may floor for ever

    outcomes = 5  # the colour of the tile that comes out of the bag
    floor_cost = np.array([0, 1, 2, 4, 6, 8, 11, 14])  # points lost with that many floor spaces taken

    def __post_init__(self) -> None:
        if not 2 <= self.players <= 4:
            raise InputError(f"azul: players={self.players}; Azul is for 2, 3 or 4 players")
        if not 1 <= self.rounds <= 100:
            raise InputError(f"azul: rounds={self.rounds}; the most rounds to play must be 1 to 100")

    @property
    def displays(self) -> int:
        return 2 * self.players + 1

    @property
    def actions(self) -> int:
        return (self.displays + 1) * 5 * 6

    def layout(self):
        n = self.players
        return [
            ("offer", "i1", (self.displays + 1, 5)),  # tiles of each colour on each display; the last row is the centre
            ("bag", "i1", (5,)),
            ("lid", "i1", (5,)),
            ("wall", "i1", (n, 5, 5)),  # 1 where [player, row, column] holds its tile
            ("line_colour", "i1", (n, 5)),  # EMPTY without tiles
            ("line_fill", "i1", (n, 5)),
            ("floor", "i1", (n, 5)),  # tiles of each colour: their order changes nothing
            ("floor_fill", "i1", (n,)),  # spaces taken, the marker's among them
            ("score", "i2", (n,)),
            ("marker", "i1"),  # who took it, or NOBODY
            ("first", "i1"),  # who started this round
            ("turn", "i1"),
            ("round", "i1"),  # from 1
            ("to_deal", "i1"),  # spaces on the displays that wait for a tile: above 0, chance moves
            ("over", "i1"),
        ]

    def start(self, s):
        for colour in range(5):
            s.bag[colour] = OF_EACH_COLOUR
        for p in range(self.players):
            for row in range(5):
                s.line_colour[p, row] = EMPTY
        s.marker = NOBODY
        s.round = 1
        s.to_deal = ON_A_DISPLAY * self.displays

    def player(self, s):
        if s.over:
            return OVER
        if s.to_deal > 0:
            return CHANCE
        return s.turn

    # The offer: take all tiles of one colour from one source, put them in one line.

    def legal(self, s, moves):
        open_lines = self.open_lines(s, s.turn)
        count = 0
        for source in range(self.displays + 1):
            for colour in range(5):
                if s.offer[source, colour] > 0:
                    take = (source * 5 + colour) * 6
                    for line in range(6):
                        moves[count] = take + line
                        count += open_lines >> (colour * 6 + line) & 1
        return count

    def open_lines(self, s, p):
        """Bit colour * 6 + line is 1 where player p may put a tile of that colour: asked once a turn, not once a
        source, since `legal` is where random games spend their time. The floor is open to every colour."""
        found = 0
        for line in range(6):
            for colour in range(5):
                if line == FLOOR or self.accepts(s, p, line, colour):
                    found |= 1 << (colour * 6 + line)
        return found

    def accepts(self, s, p, line, colour):
        """Whether a tile of that colour may go to player p's pattern line."""
        if s.line_colour[p, line] == EMPTY:
            return s.wall[p, line, (colour + line) % 5] == 0
        return s.line_colour[p, line] == colour and s.line_fill[p, line] <= line

    def play(self, s, move):
        line = move % 6
        colour = move // 6 % 5
        source = move // 30
        p = s.turn
        tiles = s.offer[source, colour]
        s.offer[source, colour] = 0
        if source < self.displays:
            for other in range(5):
                s.offer[self.displays, other] += s.offer[source, other]
                s.offer[source, other] = 0
        elif s.marker == NOBODY:
            # The marker is taken even if the floor line is full: then it costs nothing, and still starts.
            s.marker = p
            if s.floor_fill[p] < FLOOR_SPACES:
                s.floor_fill[p] += 1
        if line != FLOOR:
            placed = min(tiles, line + 1 - s.line_fill[p, line])
            s.line_colour[p, line] = colour
            s.line_fill[p, line] += placed
            tiles -= placed
        self.drop(s, p, colour, tiles)
        if self.nothing_offered(s):
            self.end_round(s)
        else:
            s.turn = (p + 1) % self.players

    def drop(self, s, p, colour, tiles):
        """Tiles fall to the floor line; what finds no space there goes to the lid and costs nothing."""
        kept = min(tiles, FLOOR_SPACES - s.floor_fill[p])
        s.floor[p, colour] += kept
        s.floor_fill[p] += kept
        s.lid[colour] += tiles - kept

    def nothing_offered(self, s):
        for source in range(self.displays + 1):
            for colour in range(5):
                if s.offer[source, colour] > 0:
                    return False
        return True

    # Tiling, and the next round.

    def end_round(self, s):
        last = s.round == self.rounds
        for p in range(self.players):
            self.tile_wall(s, p)
            self.clear_floor(s, p)
            if self.complete_rows(s, p) > 0:
                last = True
        if s.marker != NOBODY:  # if nobody took it, the same player starts again
            s.first = s.marker
        s.marker = NOBODY
        s.turn = s.first
        if not last:
            s.to_deal = ON_A_DISPLAY * self.displays
            self.refill_bag(s)
            if s.to_deal > 0:
                s.round += 1
                return
        for p in range(self.players):
            s.score[p] += self.bonus(s, p)
        s.over = 1

    def tile_wall(self, s, p):
        """Each complete line, top to bottom: one tile to the wall, which scores at once, the others to the lid."""
        for row in range(5):
            if s.line_fill[p, row] == row + 1:
                colour = s.line_colour[p, row]
                column = (colour + row) % 5
                s.wall[p, row, column] = 1
                s.score[p] += self.tile_points(s, p, row, column)
                s.lid[colour] += row
                s.line_fill[p, row] = 0
                s.line_colour[p, row] = EMPTY

    def clear_floor(self, s, p):
        """The floor line costs points, never below 0; its tiles go to the lid."""
        s.score[p] = max(0, s.score[p] - self.floor_cost[s.floor_fill[p]])
        for colour in range(5):
            s.lid[colour] += s.floor[p, colour]
            s.floor[p, colour] = 0
        s.floor_fill[p] = 0

    def refill_bag(self, s):
        """The lid becomes the bag if a tile is wanted and the bag is empty; if both are, the deal is done."""
        tiles = 0
        for colour in range(5):
            tiles += s.bag[colour]
        if tiles > 0:
            return
        for colour in range(5):
            tiles += s.lid[colour]
            s.bag[colour] = s.lid[colour]
            s.lid[colour] = 0
        if tiles == 0:
            s.to_deal = 0

    def chances(self, s, outcomes, weights):
        count = 0
        for colour in range(5):
            if s.bag[colour] > 0:
                outcomes[count] = colour
                weights[count] = s.bag[colour]
                count += 1
        return count

    def draw(self, s, outcome):
        display = self.displays - 1 - (s.to_deal - 1) // ON_A_DISPLAY
        s.bag[outcome] -= 1
        s.offer[display, outcome] += 1
        s.to_deal -= 1
        if s.to_deal > 0:
            self.refill_bag(s)

    # The end of the game.

    def scores(self, s, out):
        for p in range(self.players):
            out[p] = s.score[p]

    def results(self, s, out):
        """1 to a sole winner and -1 / (players - 1) to each other; winners who share get equal parts of the win.
        The values always sum to 0; for two players they are 1, 0, -1."""
        best, winners = 0, 0
        for p in range(self.players):
            # Rows decide between equal points; a wall has at most five.
            rank = 6 * s.score[p] + self.complete_rows(s, p)
            out[p] = rank
            if winners == 0 or rank > best:
                best, winners = rank, 1
            elif rank == best:
                winners += 1
        for p in range(self.players):
            share = 1.0 / winners if out[p] == best else 0.0
            out[p] = (self.players * share - 1.0) / (self.players - 1)
