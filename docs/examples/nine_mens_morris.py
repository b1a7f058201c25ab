"""Nine Men's Morris. Try `boardwright check docs/examples/nine_mens_morris.py:NineMensMorris`.

Place nine men in turn, then slide them along the lines; who has three left may jump anywhere. Three of yours on a line
are a mill: each time that you close one, take a man of the other's, from a mill only if he has no other. Who has two
left, or cannot move, has lost. A hundred moves in a row without a man placed or taken are a draw."""

import boardwright as bw

# Eight points on each of three squares, the outer one first, clockwise: corners are even, middles of sides odd.
NAMES = "a7 d7 g7 g4 g1 d1 a1 a4 b6 d6 f6 f4 f2 d2 b2 b4 c5 d5 e5 e4 e3 d3 c3 c4".split()
POINTS, QUIET = 24, 100


class NineMensMorris(bw.Game):
    """Place nine men, then slide them; three on a line take a man of the other's."""

    players = 2
    actions = POINTS + POINTS * POINTS  # a point, to place or to take a man; or from where to where
    card = bw.Card(title="Nine Men's Morris", sides=("White", "Black"), openspiel="nine_mens_morris")  # other draws
    move_help = "a move is a point (d6), from where to where (a1-a4), or the man that a mill takes (xb2)"

    def layout(self):  # men: 0 none, 1 White, 2 Black; hand: to be placed; left: in hand and on the board
        fields = [("men", "i1", (POINTS,)), ("hand", "i1", (2,)), ("left", "i1", (2,)), ("turn", "i1")]
        return [*fields, ("taking", "b1"), ("still", "i2"), ("winner", "i1")]

    def start(self, s):
        s.hand[0] = s.hand[1] = s.left[0] = s.left[1] = 9

    def player(self, s):
        return bw.OVER if s.winner or (s.still >= QUIET and not s.taking) else s.turn

    def beside(self, point, way):
        """The next point on the square, either way, or along a line across the squares; -1 if there is none."""
        if way < 2:
            return point - point % 8 + (point + 1 + 6 * way) % 8
        across = point + 40 - 16 * way
        return across if point % 2 == 1 and 0 <= across < POINTS else -1

    def in_mill(self, s, point):
        one, other, who = self.beside(point, 0), self.beside(point, 1), s.men[point]
        if point % 2 == 1:  # in the middle of a side: that side, or the line across
            across = s.men[point % 8] == who and s.men[point % 8 + 8] == who and s.men[point % 8 + 16] == who
            return across or (s.men[one] == who and s.men[other] == who)
        side = s.men[one] == who and s.men[self.beside(one, 0)] == who
        return side or (s.men[other] == who and s.men[self.beside(other, 1)] == who)

    def legal(self, s, moves):
        count, own, other, all_in_mills = 0, s.turn + 1, 2 - s.turn, True
        for point in range(POINTS):
            all_in_mills = all_in_mills and (s.men[point] != other or self.in_mill(s, point))
        for point in range(POINTS):
            if s.taking or s.hand[s.turn] > 0:
                moves[count] = point
                takes = s.men[point] == other and (all_in_mills or not self.in_mill(s, point))
                count += takes if s.taking else s.men[point] == 0
            elif s.men[point] == own:
                for way in range(POINTS if s.left[s.turn] == 3 else 4):
                    to = way if s.left[s.turn] == 3 else self.beside(point, way)
                    if to >= 0 and s.men[to] == 0:
                        moves[count] = POINTS + POINTS * point + to
                        count += 1
        return count

    def play(self, s, move):
        if s.taking:
            s.men[move], s.taking, s.still = 0, False, 0
            s.left[1 - s.turn] -= 1
        else:
            if move < POINTS:
                s.hand[s.turn] -= 1
            else:
                s.men[move // POINTS - 1], s.still = 0, s.still + 1
            s.men[move % POINTS] = s.turn + 1
            s.taking = self.in_mill(s, move % POINTS)
        if not s.taking:
            s.turn = 1 - s.turn
            s.winner = 2 - s.turn if s.left[s.turn] < 3 or self.stuck(s) else 0

    def stuck(self, s):
        stuck = s.hand[s.turn] == 0 and s.left[s.turn] > 3
        for way in range(4 * POINTS):
            to = self.beside(way // 4, way % 4)
            stuck = stuck and not (s.men[way // 4] == s.turn + 1 and to >= 0 and s.men[to] == 0)
        return stuck

    def results(self, s, out):
        for i in range(2):
            out[i] = 0.0 if s.winner == 0 else 1.0 if s.winner == i + 1 else -1.0

    def spots(self, player, move):
        return [NAMES[move]] if move < POINTS else [NAMES[move // POINTS - 1], NAMES[move % POINTS]]

    def move_text(self, s, move):
        return ("x" if s.taking else "") + "-".join(self.spots(s.turn, move))

    def board(self, s):
        man = {name: "·WB"[s.men[point]] for point, name in enumerate(NAMES)}
        rows = [f"{row} " + " ".join([man.get(column + row, " ") for column in "abcdefg"]) for row in "7654321"]
        return "\n".join(rows) + f"\n  a b c d e f g\nin hand: White {s.hand[0]}, Black {s.hand[1]}"

    def svg(self, s):
        lines = "".join([f"M{60 + i} {60 + i}h{420 - 2 * i}v{420 - 2 * i}h{2 * i - 420}z" for i in (0, 70, 140)])
        lines = f'd="{lines}M270 60v140m0 140v140M60 270h140m140 0h140" stroke="#80613a" stroke-width="4"'
        parts = [f'<rect width="540" height="540" rx="16" class="paper" fill="#efe2c6"/><path {lines} fill="none"/>']
        looks = ('r="8" fill="#80613a"', 'r="25" fill="#fffdf5"', 'r="25" fill="#26221d"')
        for point, name in enumerate(NAMES):
            at = f'cx="{60 + 70 * "abcdefg".index(name[0])}" cy="{550 - 70 * int(name[1])}"'
            called = f'data-cell="{name}" data-spot="{name}" data-holds="{("", "White", "Black")[s.men[point]]}"'
            parts.append(f'<circle {at} {looks[s.men[point]]} stroke="#80613a" stroke-width="3"/>')
            parts.append(f'<circle {at} r="30" fill-opacity="0" {called}/>')
        for i in range(2):
            for man in range(s.hand[i]):  # small, in the middle
                at = f'transform="translate({234 + 9 * man} {238 + 64 * i}) scale(0.25)"'
                parts.append(f'<circle {at} {looks[i + 1]} stroke="#80613a" stroke-width="3"/>')
        words = [(270, 275, "take a man" if s.taking else "")]
        words += [(60 + 70 * i, 530, "abcdefg"[i]) for i in range(7)] + [(18, 485 - 70 * i, i + 1) for i in range(7)]
        look = 'class="faint" fill="#80613a" text-anchor="middle" font-family="sans-serif" font-size="15"'
        parts += [f'<text x="{x}" y="{y}" {look}>{said}</text>' for x, y, said in words]
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 540 540">{"".join(parts)}</svg>'
