"""Chinese Checkers for two or three. Try `boardwright check docs/examples/chinese_checkers.py:ChineseCheckers`.

Bring your pegs from your point of the star into the one opposite. A peg steps to a free hole beside it, or jumps over a
peg beside it, anyone's, into the hole behind, and on from there as often as it likes; one that has come to its point
stays in it. Who cannot move passes. The first with all pegs there wins; after 100 rounds, who has come furthest."""

import numpy as np

import boardwright as bw

SIZE, ROUNDS = 3, 100  # rows of a point: 3 are 73 holes and 6 pegs each, 4 would be 121 and 10, the usual board
REACH = range(-2 * SIZE, 2 * SIZE + 1)
# A hole has three coordinates, whose sum is 0; y counts rows, from the bottom. A star is two triangles.
HOLES = [(x, y, -x - y) for y in REACH for x in REACH if max(x, y, -x - y) <= SIZE or min(x, y, -x - y) >= -SIZE]
AREA, PASS = len(HOLES), len(HOLES) ** 2  # moves below say from where to where
NAMES = ["abcdefghijklm"[sum(b == y and a < x for a, b, _ in HOLES)] + str(y + 2 * SIZE + 1) for x, y, _ in HOLES]
WAYS = ((1, -1, 0), (0, -1, 1), (-1, 0, 1), (-1, 1, 0), (0, 1, -1), (1, 0, -1))
COLOURS, TINTS = ("#bb4a35", "#2f6fa6", "#3f8549"), ("#eecac2", "#c5d9ea", "#cbe3cd")
WHOSE = ("", "player 1", "player 2", "player 3")
BESIDE = [[(x + a, y + b, z + c) for a, b, c in WAYS] for x, y, z in HOLES]


class ChineseCheckers(bw.Game):
    """Step and jump across the star; the first to bring all pegs into the opposite point wins."""

    players: int = 3
    actions = PASS + 1
    beside = np.array([[HOLES.index(hole) if hole in HOLES else -1 for hole in six] for six in BESIDE])
    along = np.array([(y, x, z, -y) for x, y, z in HOLES])  # how far on: below -SIZE at home, above SIZE at the goal
    card = bw.Card(title="Chinese Checkers")
    move_help = "a move is from where to where, such as a3-d4: holes are called by their place in the row, and the row"

    def __post_init__(self):
        if not 2 <= self.players <= 3:
            raise bw.InputError(f"chinese_checkers: players={self.players}; choose 2 or 3")

    def layout(self):  # pegs: 0 none, or whose; to_go: rows that all pegs of a player together have still to go
        return [("pegs", "i1", (AREA,)), ("to_go", "i2", (self.players,)), ("turn", "i1"), ("turns", "i2")]

    def far(self, player, hole):
        """How far on a hole is for a player; two players go opposite ways."""
        return self.along[hole, 3 * player if self.players == 2 else player]

    def start(self, s):
        for i in range(self.players):
            for hole in range(AREA):
                if self.far(i, hole) < -SIZE:
                    s.pegs[hole], s.to_go[i] = i + 1, s.to_go[i] - 2 * self.far(i, hole)

    def player(self, s):
        home = s.to_go[(s.turns - 1) % self.players] == 0  # of who moved last
        return bw.OVER if home or s.turns == ROUNDS * self.players else s.turn

    def add(self, s, moves, first, count, hole, to):
        """Write a move if the peg may land there and it is none of those since `first`; return how many there are."""
        new = to >= 0 and s.pegs[to] == 0 and (self.far(s.turn, hole) <= SIZE or self.far(s.turn, to) > SIZE)
        for i in range(first, count):
            new = new and moves[i] != hole * AREA + to
        moves[count] = hole * AREA + to if new else PASS
        return count + new

    def legal(self, s, moves):
        count = 0
        for hole in range(AREA):
            if s.pegs[hole] == s.turn + 1:
                first, last = count, count - 1
                while last < count:  # jumps, from the hole itself and from each that was reached
                    here = hole if last < first else moves[last] % AREA
                    for way in range(6):
                        over = self.beside[here, way]
                        if over >= 0 and over != hole and s.pegs[over] > 0:
                            count = self.add(s, moves, first, count, hole, self.beside[over, way])
                    last += 1
                for way in range(6):
                    count = self.add(s, moves, first, count, hole, self.beside[hole, way])
        moves[count] = PASS
        return max(count, 1)

    def play(self, s, move):
        if move < PASS:
            hole, to = move // AREA, move % AREA
            s.pegs[to], s.pegs[hole] = s.turn + 1, 0
            s.to_go[s.turn] -= self.far(s.turn, to) - self.far(s.turn, hole)
        s.turns += 1
        s.turn = s.turns % self.players

    def results(self, s, out):
        for i in range(self.players):
            out[i] = 1.0
            for other in range(self.players):
                if other != i and s.to_go[other] <= s.to_go[i]:
                    out[i] = min(out[i], 0.0 if s.to_go[other] == s.to_go[i] else -1.0)

    def spots(self, player, move):
        return [NAMES[move // AREA], NAMES[move % AREA]] if move < PASS else []

    def move_text(self, s, move):
        return "-".join(self.spots(s.turn, move)) or "pass"

    def board(self, s):
        rows = [""] * (4 * SIZE + 1)
        for hole, (x, y, _) in enumerate(HOLES):
            rows[2 * SIZE - y] = (rows[2 * SIZE - y] or " " * (2 * x + y + 3 * SIZE)) + "·ABC"[s.pegs[hole]] + " "
        return "\n".join(rows)

    def svg(self, s):
        parts = ['<rect width="500" height="560" rx="16" class="paper" fill="#f6f2e9"/>']
        for hole, (x, y, _) in enumerate(HOLES):
            right, down, name, peg = 250 + 46 * x + 23 * y, 280 - 40 * y, NAMES[hole], s.pegs[hole]
            at, called = f'cx="{right}" cy="{down}"', f'data-cell="{name}" data-spot="{name}"'
            owner = [i for way in (-1, 1) for i in range(self.players) if way * self.far(i, hole) > SIZE]
            look = f'class="sq tint{owner[0]}" fill="{TINTS[owner[0]]}"' if owner else 'class="sq" fill="#e9dfca"'
            parts.append(f'<circle {at} r="20" {look} {called} data-holds="{WHOSE[peg]}"/>')
            if peg:  # with its number, for those who do not tell colours
                parts.append(f'<circle {at} r="17" fill="{COLOURS[peg - 1]}" stroke="#201a10" stroke-opacity="0.5"/>')
                parts.append(f'<text x="{right}" y="{down + 6}" fill="#fff" text-anchor="middle">{peg}</text>')
        head = 'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 500 560" font-family="sans-serif" font-weight="600"'
        return f"<svg {head}>{''.join(parts)}</svg>"
