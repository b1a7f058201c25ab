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
    policies, card = ("greedy",), bw.Card(title="The Royal Game of Ur")
    move_help = "a move is the square that a piece leaves: in, or 1 to 14"

    def __post_init__(self):
        if not 1 <= self.pieces <= 7:
            raise bw.InputError(f"royal_ur: pieces={self.pieces}; choose 1 to 7")

    def layout(self):
        # at[player, square]: pieces there, on squares 1 to 14 never more than one; roll: -1 before the dice are thrown
        return [("at", "i1", (2, 16)), ("turn", "i1"), ("roll", "i1")]

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

    def board_cells(self, s):
        rows = [[""] * 8 for _ in range(3)]
        for player, square in [(player, square) for player in (0, 1) for square in range(16)]:
            row = 1 if 5 <= square <= 12 else 2 * player
            column = square - 5 if row == 1 else 4 - square if square < 5 else 20 - square
            empty = "-" if square in (WAITING, HOME) else "*" if square in ROSETTES else "."
            piece = f"{s.at[player, square]}{'AB'[player]}" if s.at[player, square] else ""
            rows[row][column] = (rows[row][column] or empty) + piece
        return rows
