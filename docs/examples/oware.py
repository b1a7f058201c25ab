"""Oware by the Abapa rules. Try `boardwright check docs/examples/oware.py:Oware`."""

import boardwright as bw

SEEDS = 48


class Oware(bw.Game):
    """Sow the seeds of a house counterclockwise; end in the other's houses at two or three seeds to capture them."""

    quiet: int = 100  # moves without a capture after which each player takes the seeds on his side
    players = 2
    actions = 6
    card = bw.Card(title="Oware", openspiel="oware")  # which ends where a position comes again, not after quiet moves
    move_help = "a move is one of your houses: A to F or a to f, from your left to your right"

    def __post_init__(self):
        if not 10 <= self.quiet <= 1000:
            raise bw.InputError(f"oware: quiet={self.quiet}; choose 10 to 1000")

    def layout(self):
        # Houses 0 to 5 are the first player's from left to right, 6 to 11 the second's: the way that seeds are sown.
        return [("houses", "i1", (12,)), ("taken", "i1", (2,)), ("turn", "i1"), ("still", "i2"), ("over", "b1")]

    def start(self, s):
        for house in range(12):
            s.houses[house] = 4

    def player(self, s):
        return bw.OVER if s.over else s.turn

    def side(self, s, player):
        """How many seeds lie in a player's houses."""
        total = 0
        for house in range(6 * player, 6 * player + 6):
            total += s.houses[house]
        return total

    def may_sow(self, s, move):
        """Not from an empty house; and if the other has nothing, only so that he gets something."""
        seeds = s.houses[6 * s.turn + move]
        return seeds > 0 and (seeds > 5 - move or self.side(s, 1 - s.turn) > 0)

    def legal(self, s, moves):
        count = 0
        for move in range(6):
            if self.may_sow(s, move):
                moves[count] = move
                count += 1
        return count

    def play(self, s, move):
        origin = 6 * s.turn + move
        seeds, house = s.houses[origin], origin
        s.houses[origin] = 0
        while seeds > 0:
            house = (house + 1) % 12
            if house != origin:  # twelve seeds or more: the house sown from is left empty
                s.houses[house] += 1
                seeds -= 1
        s.still += 1
        self.capture(s, house)
        s.turn = 1 - s.turn
        movable = False
        for one in range(6):
            movable = movable or self.may_sow(s, one)
        if s.taken[0] > SEEDS // 2 or s.taken[1] > SEEDS // 2 or not movable or s.still >= self.quiet:
            self.finish(s)

    def capture(self, s, last):
        """The last house and those before it, as far as they hold two or three and are the other's; nothing if that
        were all that he has (a grand slam)."""
        first, total = last, 0
        while first >= 0 and first // 6 == 1 - s.turn and 2 <= s.houses[first] <= 3:
            total += s.houses[first]
            first -= 1
        if 0 < total < self.side(s, 1 - s.turn):
            for house in range(first + 1, last + 1):
                s.houses[house] = 0
            s.taken[s.turn] += total
            s.still = 0

    def finish(self, s):
        """Each takes what lies on his side, unless one has more than half already."""
        s.over = True
        if s.taken[0] <= SEEDS // 2 and s.taken[1] <= SEEDS // 2:
            for house in range(12):
                s.taken[house // 6] += s.houses[house]
                s.houses[house] = 0

    def scores(self, s, out):
        for i in range(2):
            out[i] = s.taken[i]

    def results(self, s, out):
        for i in range(2):
            more = s.taken[i] - s.taken[1 - i]
            out[i] = 1.0 if more > 0 else -1.0 if more < 0 else 0.0

    def move_text(self, s, move):
        return "ABCDEFabcdef"[6 * s.turn + move]

    def board_cells(self, s):
        upper = [f"{'abcdef'[house - 6]}:o{s.houses[house]}" for house in range(11, 5, -1)]
        return [upper, [f"{'ABCDEF'[house]}:o{s.houses[house]}" for house in range(6)]]

    def board(self, s):
        upper = " ".join(f"{s.houses[house]:2}" for house in range(11, 5, -1))
        lower = " ".join(f"{s.houses[house]:2}" for house in range(6))
        names = [" ".join(f" {name}" for name in row) for row in ("fedcba", "ABCDEF")]
        return f"{names[0]}\n{upper}   second: {s.taken[1]}\n{lower}   first: {s.taken[0]}\n{names[1]}"
