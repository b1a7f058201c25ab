"""Ludo for two to four players. Try `boardwright check docs/examples/ludo.py:Ludo`.

A 6 brings a token in; it goes once round the track and up its own column, home by an exact roll. Who can move must. To
land on another player's token sends it back; on the safe squares (starts and stars) all may stand together; elsewhere
nobody may land on two tokens of one player, though all may pass them. A 6 rolls again, the third in a row ends the turn
unplayed. Two players sit opposite each other. The first to bring all tokens home wins."""

import boardwright as bw

YARD, LAST, TRACK, HOME = 0, 51, 52, 57  # a token's way: yard, 1 to 51 on the track of 52, 52 to 56 in its column, home
QUARTER = ((1, 6), (2, 6), (3, 6), (4, 6), (5, 6), (6, 5), (6, 4), (6, 3), (6, 2), (6, 1), (6, 0), (7, 0), (8, 0))


class Ludo(bw.Game):
    """Race your tokens round the board and home; land on another player's to send it back."""

    players: int = 2
    tokens: int = 2
    actions = HOME  # how far the token has come that moves; 0 brings one in
    outcomes = 6  # outcome 0 is a 1, outcome 5 a 6
    policies = ("greedy",)
    move_help = "a move is how far the token has come that moves: in, or 1 to 56"

    def __post_init__(self):
        if not (2 <= self.players <= 4 and 1 <= self.tokens <= 4):
            raise bw.InputError(f"ludo: players={self.players},tokens={self.tokens}; choose 2 to 4, and 1 to 4 tokens")

    def layout(self):  # at[player, how far]: tokens there; roll: 0 before the die is thrown; sixes: of this turn so far
        return [("at", "i1", (self.players, HOME + 1)), ("turn", "i1"), ("roll", "i1"), ("sixes", "i1")]

    def start(self, s):
        for i in range(self.players):
            s.at[i, YARD] = self.tokens

    def player(self, s):
        for i in range(self.players):
            if s.at[i, HOME] == self.tokens:
                return bw.OVER
        return bw.CHANCE if s.roll == 0 else s.turn

    def quarter(self, player):
        return 2 * player if self.players == 2 else player

    def meets(self, s, step):
        """Whose tokens stand on this square of the mover's way, and how far they have come; -1 if nobody's, or safe."""
        square = (13 * self.quarter(s.turn) + step - 1) % TRACK
        for i in range(self.players):
            theirs = (square - 13 * self.quarter(i)) % TRACK + 1
            if i != s.turn and step <= LAST and theirs <= LAST and s.at[i, theirs] > 0 and square % 13 not in (0, 8):
                return i, theirs
        return -1, YARD

    def may_leave(self, s, step):
        to = step + s.roll if step > YARD else 1
        if s.at[s.turn, step] == 0 or to > HOME or (step == YARD and s.roll != 6):
            return False
        other, theirs = self.meets(s, to)
        return other < 0 or s.at[other, theirs] == 1  # two are a block

    def legal(self, s, moves):
        count = 0
        for step in range(HOME):
            if self.may_leave(s, step):
                moves[count] = step
                count += 1
        return count

    def play(self, s, move):
        to = move + s.roll if move > YARD else 1
        other, theirs = self.meets(s, to)
        if other >= 0:
            s.at[other, theirs], s.at[other, YARD] = 0, s.at[other, YARD] + 1
        s.at[s.turn, move] -= 1
        s.at[s.turn, to] += 1
        self.go_on(s, s.roll == 6)

    def go_on(self, s, again):
        s.roll, s.sixes = 0, s.sixes + 1 if again else 0
        s.turn = s.turn if again else (s.turn + 1) % self.players

    def chances(self, s, outcomes, weights):
        for face in range(6):
            outcomes[face], weights[face] = face, 1.0
        return 6

    def draw(self, s, outcome):
        s.roll = outcome + 1
        third, movable = s.roll == 6 and s.sixes == 2, False
        for step in range(HOME):
            movable = movable or self.may_leave(s, step)
        if third or not movable:
            self.go_on(s, s.roll == 6 and not third)

    def results(self, s, out):
        for i in range(self.players):
            out[i] = 1.0 if s.at[i, HOME] == self.tokens else -1.0

    def greedy(self, s, moves, count, weights):
        """Captures first, then a token out of the yard, then the one that is furthest on."""
        for i in range(count):
            to = moves[i] + s.roll if moves[i] > YARD else 1
            weights[i] = to + (200.0 if self.meets(s, to)[0] >= 0 else 100.0 if moves[i] == YARD else 0.0)

    def move_text(self, s, move):
        return str(move) if move else "in"

    def outcome_text(self, s, outcome):
        return str(outcome + 1)

    def board_cells(self, s):
        grid = [[""] * 15 for _ in range(15)]
        for step, i in [(step, i) for step in range(HOME + 1) for i in range(self.players)]:
            x, y = (2, 2) if step == YARD else (step - LAST, 7) if step > LAST else QUARTER[(step - 1) % 13]
            for _ in range(self.quarter(i) + ((step - 1) // 13 if YARD < step <= LAST else 0)):
                x, y = 14 - y, x  # a quarter turn
            empty = "-" if step == YARD else "*" if step <= LAST and step % 13 in (1, 9) else "."
            empty += "abcd"[i] if step < 2 or step > LAST else ""
            grid[y][x] = (grid[y][x] or empty) + (f"{s.at[i, step]}{'ABCD'[i]}" if s.at[i, step] else "")
        return grid
