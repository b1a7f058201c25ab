"""Ridge: two walkers lay one row of stones. The first wants it to climb, the second to fall."""

import boardwright as bw


class Ridge(bw.Game):
    """Roll two dice, lay one into a gap of the row. A step up counts for the first player, a step down against."""

    stones: int = 8  # gaps in the row; even, so that both lay as many

    players = 2
    outcomes = 6  # what one die can show: outcome 0 is a 1
    move_help = "a move is a die and a gap, such as 4c"

    @property
    def actions(self):
        return 6 * self.stones  # a face for a gap: (face - 1) * stones + gap

    def layout(self):
        return [("row", "i1", (self.stones,)), ("dice", "i1", (2,)), ("laid", "i2")]

    def player(self, s):
        if s.laid == self.stones:
            return bw.OVER
        if s.dice[1] == 0:  # one die after the other: chance may follow chance
            return bw.CHANCE
        return s.laid % 2

    def chances(self, s, outcomes, weights):
        for face in range(6):
            outcomes[face] = face
            weights[face] = 1.0
        return 6

    def draw(self, s, outcome):
        if s.dice[0] == 0:
            s.dice[0] = outcome + 1
        else:
            s.dice[1] = outcome + 1

    def legal(self, s, moves):
        count = 0
        for i in range(2):
            if i == 1 and s.dice[1] == s.dice[0]:
                break  # a double: the second die would only repeat the moves of the first
            for gap in range(self.stones):
                if s.row[gap] == 0:
                    moves[count] = (s.dice[i] - 1) * self.stones + gap
                    count += 1
        return count

    def play(self, s, move):
        s.row[move % self.stones] = move // self.stones + 1
        s.dice[0] = 0
        s.dice[1] = 0
        s.laid += 1

    def scores(self, s, out):
        steps = 0
        for gap in range(self.stones - 1):
            steps += self.step(s.row[gap], s.row[gap + 1])
        out[0] = steps
        out[1] = -steps  # points may be negative

    def step(self, left, right):
        """1 up, -1 down, 0 level or not laid yet. Helpers are methods too."""
        if left == 0 or right == 0 or left == right:
            return 0
        return 1 if right > left else -1

    def move_text(self, s, move):
        return f"{move // self.stones + 1}{chr(97 + move % self.stones)}"

    def outcome_text(self, s, outcome):
        return str(outcome + 1)

    def board_cells(self, s):
        row = [f"{chr(97 + gap)}:{s.row[gap] or '.'}" for gap in range(self.stones)]
        dice = [f"{face}:-{face}" for face in sorted(set(s.dice)) if face]
        return [row, dice + [""] * (self.stones - len(dice))]

    policies = ("eager",)

    def eager(self, s, moves, count, weights):
        """Lays the stone that counts most at once."""
        side = 1 if s.laid % 2 == 0 else -1
        for i in range(count):
            face, gap = moves[i] // self.stones + 1, moves[i] % self.stones
            gain = 0
            if gap > 0:
                gain += self.step(s.row[gap - 1], face)
            if gap < self.stones - 1:
                gain += self.step(face, s.row[gap + 1])
            weights[i] = 3.0 + side * gain  # from 1, two steps for the other, to 5
