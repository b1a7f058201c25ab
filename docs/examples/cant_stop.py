"""Can't Stop (Sid Sackson, 1980) for two to four. Try `boardwright check docs/examples/cant_stop.py:CantStop`."""

import boardwright as bw

TOPS = (3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3)  # how high the columns of the sums 2 to 12 are
STOP, ROLL = 132, 133  # moves below are 12 * column + 1 + another column, or 12 * column for one alone


class CantStop(bw.Game):
    """Roll four dice, pair them, climb by both sums; stop in time, or lose the turn's steps. Three columns win."""

    players: int = 2
    actions, outcomes = 134, 6  # outcome 0 is a 1, outcome 5 a 6
    card, grid = bw.Card(title="Can't Stop"), bw.Grid(shows=("dice",))
    move_help = "a move is the sums to climb in, such as 6+8 or 7, or roll or stop"

    def __post_init__(self):
        if not 2 <= self.players <= 4:
            raise bw.InputError(f"cant_stop: players={self.players}; choose 2 to 4")

    def layout(self):
        return [
            ("camps", "i1", (self.players, 11)),  # how high each player is
            ("runners", "i1", (11,)),  # how high the mover's are in this turn; 0 without
            ("placed", "i1"),  # how many of the three runners
            ("dice", "i1", (4,)),  # in rising order; 0 not thrown yet
            ("deciding", "b1"),  # whether to roll or to stop
            ("turn", "i1"),
            ("winner", "i1"),
        ]

    def player(self, s):
        return bw.OVER if s.winner else s.turn if s.deciding or s.dice[0] else bw.CHANCE

    def climbable(self, s, column):
        """Nobody has reached the top, and a runner is on its way there or can be placed."""
        for i in range(self.players):
            if s.camps[i, column] == TOPS[column]:
                return False
        return s.runners[column] < TOPS[column] if s.runners[column] else s.placed < 3

    def legal(self, s, moves):
        if s.deciding:
            moves[0], moves[1] = ROLL, STOP
            return 2
        count, seen, total = 0, 0, s.dice[0] + s.dice[1] + s.dice[2] + s.dice[3] - 4
        for partner in range(1, 4):  # of the first die
            one = s.dice[0] + s.dice[partner] - 2
            low, high = min(one, total - one), max(one, total - one)
            first, second = self.climbable(s, low), self.climbable(s, high)
            new = (s.runners[low] == 0 and low != high) + (s.runners[high] == 0)
            both = first and second and s.placed + new <= 3  # then both must be climbed
            if not seen >> low & 1:
                moves[count] = 12 * low + high + 1 if both else 12 * low if first else 12 * high
                moves[count + 1] = 12 * high
                count += 1 if both else first + second
                seen |= 1 << low
        return count

    def play(self, s, move):
        for i in range(4):
            s.dice[i] = 0
        s.deciding = move < STOP
        if move < STOP:
            self.climb(s, move // 12)
            if move % 12:
                self.climb(s, move % 12 - 1)
        elif move == STOP:
            tops = 0
            for column in range(11):
                s.camps[s.turn, column] = max(s.camps[s.turn, column], s.runners[column])
                tops += s.camps[s.turn, column] == TOPS[column]
            s.winner = s.turn + 1 if tops >= 3 else 0
            self.pass_on(s)

    def climb(self, s, column):
        s.placed += s.runners[column] == 0
        s.runners[column] = min(max(s.runners[column], s.camps[s.turn, column]) + 1, TOPS[column])

    def pass_on(self, s):
        for column in range(11):
            s.runners[column] = 0
        s.placed, s.turn = 0, (s.turn + 1) % self.players

    def chances(self, s, outcomes, weights):
        for face in range(6):
            outcomes[face], weights[face] = face, 1.0
        return 6

    def draw(self, s, outcome):
        s.dice[0] = outcome + 1
        for i in range(3):  # into its place; those not thrown yet come first
            s.dice[i], s.dice[i + 1] = min(s.dice[i], s.dice[i + 1]), max(s.dice[i], s.dice[i + 1])
        lost = s.dice[0] > 0
        for one in range(4):
            for other in range(one):
                lost = lost and not self.climbable(s, s.dice[one] + s.dice[other] - 2)
        if lost:
            self.play(s, ROLL)
            self.pass_on(s)

    def results(self, s, out):
        for i in range(self.players):
            out[i] = 1.0 if s.winner == i + 1 else -1.0

    def move_text(self, s, move):
        sums = str(move // 12 + 2) + (f"+{move % 12 + 1}" if move % 12 else "")
        return sums if move < STOP else ("stop", "roll")[move - STOP]

    def outcome_text(self, s, outcome):
        return str(outcome + 1)

    def board_cells(self, s):
        def step(column, height):
            camps = "".join("ABCD"[i] for i in range(self.players) if s.camps[i, column] == height)
            held = ("*" if height == TOPS[column] else ".") + camps + "+" * (s.runners[column] == height)
            return "" if height > TOPS[column] else held if height else f"-={column + 2}"

        return [[step(column, height) for column in range(11)] for height in range(13, -1, -1)]
