"""The Royal Game of Ur by Irving Finkel's rules. Try `boardwright check docs/examples/royal_ur.py:RoyalUr`."""

import boardwright as bw

WAITING, HOME = 0, 15  # a piece's way: waiting, squares 1 to 14, home; 5 to 12 are shared with the other player
ROSETTES = (4, 8, 14)  # a piece that lands here rolls again; on 8, the shared one, it cannot be captured
SAFE = 8
ODDS = (1, 4, 6, 4, 1)  # of 16: four dice, each with two of four corners marked


class RoyalUr(bw.Game):
    """Bring all your pieces home along a way of fourteen squares; capture on the eight that both ways share."""

    pieces: int = 7
    players = 2
    actions = 15  # the square that a piece leaves; 0 brings one in
    outcomes = 5  # what the four dice show: 0 to 4
    policies = ("greedy",)
    move_help = "a move is the square that a piece leaves: in, or 1 to 14"

    def __post_init__(self):
        if not 1 <= self.pieces <= 7:
            raise bw.InputError(f"royal_ur: pieces={self.pieces}; choose 1 to 7")

    def layout(self):
        return [
            ("at", "i1", (2, 16)),  # at[player, square]: pieces there; on squares 1 to 14 never more than one
            ("turn", "i1"),
            ("roll", "i1"),  # -1 before the dice are thrown
        ]

    def start(self, s):
        s.at[0, WAITING] = s.at[1, WAITING] = self.pieces
        s.roll = -1

    def player(self, s):
        if s.at[0, HOME] == self.pieces or s.at[1, HOME] == self.pieces:
            return bw.OVER
        return bw.CHANCE if s.roll < 0 else s.turn

    def may_leave(self, s, square):
        """Whether the player to move has a piece there that the roll carries to a square where it may land."""
        to = square + s.roll
        if s.at[s.turn, square] == 0 or to > HOME:
            return False
        if to == HOME:
            return True
        return s.at[s.turn, to] == 0 and not (to == SAFE and s.at[1 - s.turn, to] > 0)

    def legal(self, s, moves):
        count = 0
        for square in range(HOME):
            if self.may_leave(s, square):
                moves[count] = square
                count += 1
        return count

    def play(self, s, move):
        to = move + s.roll
        s.at[s.turn, move] -= 1
        s.at[s.turn, to] += 1
        if 5 <= to <= 12 and s.at[1 - s.turn, to] > 0:
            s.at[1 - s.turn, to] = 0
            s.at[1 - s.turn, WAITING] += 1
        if to not in ROSETTES:
            s.turn = 1 - s.turn
        s.roll = -1

    def chances(self, s, outcomes, weights):
        for roll in range(5):
            outcomes[roll] = roll
            weights[roll] = ODDS[roll]
        return 5

    def draw(self, s, outcome):
        s.roll = outcome
        movable = False
        for square in range(HOME):
            movable = movable or (outcome > 0 and self.may_leave(s, square))
        if not movable:  # the turn passes, and the dice with it
            s.turn = 1 - s.turn
            s.roll = -1

    def results(self, s, out):
        for i in range(2):
            out[i] = 1.0 if s.at[i, HOME] == self.pieces else -1.0

    def greedy(self, s, moves, count, weights):
        """Captures first, then rosettes, then the piece that is furthest on."""
        for i in range(count):
            to = moves[i] + s.roll
            weights[i] = 1.0 + to
            if to in ROSETTES:
                weights[i] += 40.0
            if 5 <= to <= 12 and s.at[1 - s.turn, to] > 0:
                weights[i] += 80.0 + to

    def move_text(self, s, move):
        return str(move) if move else "in"

    def outcome_text(self, s, outcome):
        return str(outcome)

    def unsound(self, s):
        for i in range(2):
            if sum(s.at[i, square] for square in range(16)) != self.pieces:
                return f"player {i + 1} has not {self.pieces} pieces"
            if any(not 0 <= s.at[i, square] <= 1 for square in range(1, HOME)):
                return "a square holds more than one piece"
        if any(s.at[0, square] and s.at[1, square] for square in range(5, 13)):
            return "two pieces stand on one square"
        return "" if s.turn in (0, 1) and -1 <= s.roll <= 4 else "turn or roll does not exist"

    def board(self, s):
        def shown(player, square):
            mark = "XO"[player] if s.at[player, square] else "*" if square in ROSETTES else "."
            return mark if not 5 <= square <= 12 or s.at[0, square] + s.at[1, square] == 0 else "XO"[s.at[1, square]]

        rows = []
        for player in (0, 1):
            row = [shown(player, square) for square in (4, 3, 2, 1)] + [" ", " "]
            row += [shown(player, square) for square in (14, 13)]
            waiting, home = s.at[player, WAITING], s.at[player, HOME]
            rows.append(f"{' '.join(row)}   {'XO'[player]}: {waiting} waiting, {home} home")
        middle = " ".join(shown(0, square) for square in range(5, 13))
        roll = "" if s.roll < 0 else f"   {'XO'[s.turn]} moves {s.roll}"
        return "\n".join([rows[0], middle + roll, rows[1]])
