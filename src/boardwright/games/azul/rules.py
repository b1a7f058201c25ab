"""Azul, for two to four players: draft tiles from the displays, fill pattern lines, tile a wall.

A colour is 0..4 = B Y R D W (D is the dark one). A source is a display, 0 .. displays-1, or the centre, numbered
`displays`. A line is a pattern line 0..4, which holds 1..5 tiles, or FLOOR. A move is (source * 5 + colour) * 6 + line.

The wall has the same pattern for all; `x` is where colour B goes:

    column   0 1 2 3 4
    row 0    x Y R D W       the colour c of row r stands in column (c + r) mod 5
    row 1    W x Y R D
    row 2    D W x Y R
    row 3    R D W x Y
    row 4    Y R D W x
"""

import math
from typing import Any

import numpy as np

from boardwright.contract.errors import InputError
from boardwright.contract.game import CHANCE, OVER, Game

COLOURS = "BYRDW"
OF_EACH_COLOUR = 20
ON_A_DISPLAY = 4
FLOOR = 5  # the `line` of tiles that go straight to the floor line
FLOOR_SPACES = 7
EMPTY = -1  # colour of a pattern line without tiles
NOBODY = -1  # holder of the starting marker while it lies in the centre
ROW_BONUS, COLUMN_BONUS, COLOUR_BONUS = 2, 7, 10


class Azul(Game):
    """Azul: draft tiles, fill pattern lines and tile your wall; the most points win."""

    players: int = 2  # 2 to 4
    rounds: int = 20  # the game ends after this many; real games take five or six, but players may floor for ever

    _name = "azul"
    outcomes = 5  # the colour of the tile that comes out of the bag
    policies = ("greedy",)
    floor_cost = np.array([0, 1, 2, 4, 6, 8, 11, 14])  # points lost with that many floor spaces taken
    hopes = np.array([1.0, 0.2, 0.08, 0.032, 0.0128])  # greedy's chance that a line short of that many tiles gets them
    factorials = np.array([1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880])

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

    @property
    def symmetries(self) -> int:
        return math.factorial(self.displays)

    @property
    def observe_shape(self) -> tuple[int]:
        return (5 * (self.displays + 1) + 13 + 64 * self.players,)

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

    def tile_points(self, s, p, row, column):
        """What a tile at that place of the wall scores: the runs through it, each if longer than 1; alone, 1."""
        left, right, up, down = column, column, row, row
        while left > 0 and s.wall[p, row, left - 1]:
            left -= 1
        while right < 4 and s.wall[p, row, right + 1]:
            right += 1
        while up > 0 and s.wall[p, up - 1, column]:
            up -= 1
        while down < 4 and s.wall[p, down + 1, column]:
            down += 1
        across = right - left + 1
        along = down - up + 1
        if across > 1 and along > 1:
            return across + along
        return max(across, along)

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

    def complete_rows(self, s, p):
        rows = 0
        for row in range(5):
            tiles = 0
            for column in range(5):
                tiles += s.wall[p, row, column]
            if tiles == 5:
                rows += 1
        return rows

    def bonus(self, s, p):
        points = ROW_BONUS * self.complete_rows(s, p)
        for i in range(5):
            in_column, of_colour = 0, 0
            for row in range(5):
                in_column += s.wall[p, row, i]
                of_colour += s.wall[p, row, (i + row) % 5]
            if in_column == 5:
                points += COLUMN_BONUS
            if of_colour == 5:
                points += COLOUR_BONUS
        return points

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

    # What a learner and a search may use.

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

    def observe(self, s, out):
        """Seen by the player to act; at chance and at the end by who starts next. Layout: docs/games/azul.md."""
        at = 0
        for source in range(self.displays + 1):
            for colour in range(5):
                out[at] = s.offer[source, colour] / (4.0 if source < self.displays else 8.0)
                at += 1
        for colour in range(5):
            out[at] = s.bag[colour] / 20.0
            out[at + 5] = s.lid[colour] / 20.0
            at += 1
        at += 5
        out[at] = 1.0 if s.marker == NOBODY else 0.0
        out[at + 1] = s.round / 10.0
        out[at + 2] = s.to_deal / (4.0 * self.displays)
        at += 3
        for seat in range(self.players):
            p = (s.turn + seat) % self.players
            for row in range(5):
                if s.line_colour[p, row] != EMPTY:
                    out[at + s.line_colour[p, row]] = 1.0
                out[at + 5] = s.line_fill[p, row] / (row + 1.0)
                at += 6
            for row in range(5):
                for column in range(5):
                    out[at] = s.wall[p, row, column]
                    at += 1
            for colour in range(5):
                out[at] = s.floor[p, colour] / 7.0
                at += 1
            out[at] = s.floor_fill[p] / 7.0
            out[at + 1] = s.score[p] / 50.0
            out[at + 2] = 1.0 if s.marker == p else 0.0
            out[at + 3] = 1.0 if s.first == p else 0.0
            at += 4

    def mirror(self, s, image, out):
        """Permuted displays. While they are being filled, in order, no other image is as good: the state itself."""
        for source in range(self.displays + 1):
            target = source if s.to_deal > 0 else self.moved(source, image)
            for colour in range(5):
                out.offer[target, colour] = s.offer[source, colour]
        for colour in range(5):
            out.bag[colour] = s.bag[colour]
            out.lid[colour] = s.lid[colour]
        for p in range(self.players):
            for i in range(5):
                for column in range(5):
                    out.wall[p, i, column] = s.wall[p, i, column]
                out.line_colour[p, i] = s.line_colour[p, i]
                out.line_fill[p, i] = s.line_fill[p, i]
                out.floor[p, i] = s.floor[p, i]
            out.floor_fill[p] = s.floor_fill[p]
            out.score[p] = s.score[p]
        out.marker = s.marker
        out.first = s.first
        out.turn = s.turn
        out.round = s.round
        out.to_deal = s.to_deal
        out.over = s.over

    def mirror_move(self, move, image):
        return self.moved(move // 30, image) * 30 + move % 30

    def moved(self, source, image):
        """Where permutation number `image` puts that source. Digit d of the number (Lehmer's code, in the factorial
        base) says how many displays after d get a lower place; so the place is found by going back from digit d."""
        if source == self.displays:
            return source
        place = self.digit(source, image)
        for earlier in range(source - 1, -1, -1):
            if place >= self.digit(earlier, image):
                place += 1
        return place

    def digit(self, display, image):
        return image // self.factorials[self.displays - 1 - display] % (self.displays - display)

    # For people.

    move_help = "source (a display or C), colour (B Y R D W), line (1-5 or F for the floor), such as 5B2 or CWF"
    text_styles = {
        r"(?<![A-Za-z])B(?![A-Za-z])": "bold bright_white on blue",
        r"(?<![A-Za-z])Y(?![A-Za-z])": "bold black on yellow",
        r"(?<![A-Za-z])R(?![A-Za-z])": "bold bright_white on red",
        r"(?<![A-Za-z])D(?![A-Za-z])": "bold bright_white on grey23",
        r"(?<![A-Za-z])W(?![A-Za-z])": "bold black on bright_cyan",
        r"(?<![A-Za-z])M(?![A-Za-z])": "bold yellow",
        r"(?<![A-Za-z])[byrdw](?![A-Za-z])": "dim",
        r"(?m)^> .*?points|(?<=   )> .*?points": "bold",
    }

    def move_text(self, s: Any, move: int) -> str:
        return self.source_text(move // 30) + COLOURS[move // 6 % 5] + "12345F"[move % 6]

    def source_text(self, source: int) -> str:
        return "C" if source == self.displays else str(source + 1)

    def outcome_text(self, s: Any, outcome: int) -> str:
        return COLOURS[outcome]

    def explain(self, s: Any, text: str) -> str:
        text = text.upper()
        sources = "".join(self.source_text(source) for source in range(self.displays + 1))
        if s.over or len(text) != 3:
            return "the game is over" if s.over else f"write {self.move_help}"
        if text[0] not in sources:
            return f"no source {text[0]}; sources are 1 to {self.displays} and C"
        if text[1] not in COLOURS:
            return f"no colour {text[1]}; colours are {' '.join(COLOURS)}"
        if text[2] not in "12345F":
            return f"no line {text[2]}; lines are 1 to 5 and F (the floor)"
        source, colour, line = sources.index(text[0]), COLOURS.index(text[1]), "12345F".index(text[2])
        if s.offer[source, colour] == 0:
            return f"{'the centre' if text[0] == 'C' else f'display {text[0]}'} holds no {text[1]}"
        if line == FLOOR:
            return ""
        if s.line_fill[s.turn, line] == line + 1:
            return f"line {line + 1} is full"
        if s.line_colour[s.turn, line] not in (EMPTY, colour):
            return f"line {line + 1} holds {COLOURS[s.line_colour[s.turn, line]]} already"
        if s.wall[s.turn, line, (colour + line) % 5]:
            return f"the wall's row {line + 1} has {text[1]} already"
        return ""

    def board(self, s: Any) -> str:
        from boardwright.games.azul.look import text_board

        return text_board(self, s)

    def svg(self, s: Any) -> str:
        from boardwright.games.azul.look import draw

        return draw(self, s)

    def unsound(self, s: Any) -> str:
        return self.out_of_range(s) or self.boards_fault(s) or self.offer_fault(s)

    def out_of_range(self, s: Any) -> str:
        seats = self.players - 1
        limits = {
            "offer": (0, 20), "bag": (0, 20), "lid": (0, 20), "wall": (0, 1), "line_colour": (EMPTY, 4),
            "line_fill": (0, 5), "floor": (0, 7), "floor_fill": (0, 7), "score": (0, 400), "marker": (NOBODY, seats),
            "first": (0, seats), "turn": (0, seats), "round": (1, self.rounds),
            "to_deal": (0, ON_A_DISPLAY * self.displays), "over": (0, 1),
        }  # fmt: skip
        for name, (low, high) in limits.items():
            values = np.asarray(getattr(s, name))
            if values.min() < low or values.max() > high:
                return f"{name} must be {low} to {high}"
        return ""

    def boards_fault(self, s: Any) -> str:
        tilings = s.round if s.over else s.round - 1
        for p in range(self.players):
            wall, fills, who = np.asarray(s.wall)[p], np.asarray(s.line_fill)[p], f"player {p + 1}'s"
            for row in range(5):
                colour, fill = s.line_colour[p, row], s.line_fill[p, row]
                if fill > row + 1 or (fill == 0) != (colour == EMPTY):
                    return f"{who} line {row + 1} has {fill} tiles of colour {colour}"
                if fill > 0 and wall[row, (colour + row) % 5]:
                    return f"{who} line {row + 1} has a colour that its wall row has already"
            if wall.sum(axis=1).max() > tilings:
                return f"{who} wall has more tiles in a row than there were tilings"
            if not s.over and self.complete_rows(s, p):
                return f"{who} wall has a complete row, but the game is not over"
            if self.resting(s) and (s.floor_fill[p] or any(fills[row] == row + 1 for row in range(5))):
                return f"{who} board is not tiled, though the round is over"
            # The runs through a tile were no longer when it was placed than they are now.
            most = sum(self.tile_points(s, p, row, column) for row, column in zip(*wall.nonzero(), strict=True))
            bonus = self.bonus(s, p) if s.over else 0
            if not bonus <= s.score[p] <= most + bonus:
                return f"{who} score must be {bonus} to {most + bonus}"
            tiles = int(np.asarray(s.floor)[p].sum())
            if s.floor_fill[p] != (min(tiles + 1, FLOOR_SPACES) if s.marker == p else tiles):
                return f"{who} floor line has {tiles} tiles on {s.floor_fill[p]} spaces"
        return ""

    def offer_fault(self, s: Any) -> str:
        offer, floors, bag, lid = np.asarray(s.offer), np.asarray(s.floor), sum(s.bag), sum(s.lid)
        for colour in range(5):
            tiles = s.bag[colour] + s.lid[colour] + int(offer[:, colour].sum()) + int(floors[:, colour].sum())
            for p in range(self.players):
                for row in range(5):
                    tiles += s.wall[p, row, (colour + row) % 5]
                    tiles += s.line_fill[p, row] if s.line_colour[p, row] == colour else 0
            if tiles != OF_EACH_COLOUR:
                return f"there are {tiles} tiles of colour {COLOURS[colour]}, not {OF_EACH_COLOUR}"
        held, centre = offer[:-1].sum(axis=1).tolist(), int(offer[-1].sum())
        if self.resting(s):
            dealt = 0 if s.over else ON_A_DISPLAY * self.displays - s.to_deal
            if held != [min(max(dealt - ON_A_DISPLAY * d, 0), ON_A_DISPLAY) for d in range(self.displays)] or centre:
                return "the displays do not hold what was dealt"
            if s.marker != NOBODY or s.turn != s.first or (s.over and s.to_deal):
                return "the round is over, but its marker, turn or deal is not"
            rows = sum(self.complete_rows(s, p) for p in range(self.players))
            if s.over and s.round < self.rounds and bag + lid and not rows:
                return "the game is over without a cause"
            return "the bag is empty, but a tile is to be dealt" if not s.over and bag == 0 else ""
        if not any(held) and centre == 0:
            return "nobody can take a tile"
        short = next((d for d in range(self.displays) if held[d] not in (0, ON_A_DISPLAY)), None)
        if short is not None and (held[short] > ON_A_DISPLAY or bag or any(held[short + 1 :])):
            return f"display {short + 1} holds {held[short]} tiles"
        if centre > 3 * held.count(0):
            return "the centre holds more than the empty displays left"
        # With tiles in the bag all displays were dealt. What was taken lies on the boards unless a floor line is full.
        taken = ON_A_DISPLAY * self.displays - sum(held) - centre
        if bag and max(s.floor_fill) < FLOOR_SPACES and taken > int(np.asarray(s.line_fill).sum() + floors.sum()):
            return "tiles that were taken are on no board"
        # Without the marker all takes were from displays, one each.
        if bag and s.marker == NOBODY and s.turn != (s.first + held.count(0)) % self.players:
            return "it is another player's turn"
        return "the first round is player 1's" if s.round == 1 and s.first != 0 else ""

    def resting(self, s: Any) -> bool:
        """Between two rounds, or after the last: all boards are tiled."""
        return bool(s.over or s.to_deal)
