"""Games whose figures are known, for the tests of the playtest."""

from __future__ import annotations

import numpy as np

import boardwright as bw


class CoinFlip(bw.Game):
    """Both call, then a coin decides: no skill at all."""

    players = 2
    actions = 2
    outcomes = 2

    def layout(self):
        return [("made", "i1"), ("winner", "i1")]

    def player(self, s):
        return s.made if s.made < 2 else bw.CHANCE if s.winner == 0 else bw.OVER

    def legal(self, s, moves):
        moves[0] = 0
        moves[1] = 1
        return 2

    def play(self, s, move):
        s.made += 1

    def chances(self, s, outcomes, weights):
        for i in range(2):
            outcomes[i] = i
            weights[i] = 1.0
        return 2

    def draw(self, s, outcome):
        s.winner = outcome + 1

    def results(self, s, out):
        for i in range(2):
            out[i] = 1.0 if s.winner == i + 1 else -1.0

    def move_text(self, s, move):
        return ("heads", "tails")[move]


class Nim(bw.Game):
    """Take one to three; who takes the last wins. No luck, and decided at the start: ten are a win for seat 1."""

    heap: int = 10
    players = 2
    actions = 3

    def layout(self):
        return [("left", "i1"), ("turn", "i1")]

    def start(self, s):
        s.left = self.heap

    def player(self, s):
        return s.turn if s.left > 0 else bw.OVER

    def legal(self, s, moves):
        count = min(s.left, 3)
        for i in range(count):
            moves[i] = i
        return count

    def play(self, s, move):
        s.left -= move + 1
        s.turn = 1 - s.turn

    def results(self, s, out):
        out[s.turn] = -1.0
        out[1 - s.turn] = 1.0

    def move_text(self, s, move):
        return f"take {move + 1}"


class Shop(bw.Game):
    """Four turns each of a gain and a die of four: of three goods, and with points for seat 2 before it begins.

    As it stands "left" and "right" are alike, "burn" is dead, and seat 2 has three points more; with left=8 that good
    is dominant."""

    left: int = 3
    right: int = 3
    burn: int = -5
    bonus: int = 3
    players = 2
    actions = 3
    outcomes = 4

    def layout(self):
        return [("points", "i2", (2,)), ("made", "i1"), ("throwing", "i1")]

    def start(self, s):
        s.points[1] = self.bonus

    def player(self, s):
        return bw.CHANCE if s.throwing else s.made % 2 if s.made < 8 else bw.OVER

    def legal(self, s, moves):
        for i in range(3):
            moves[i] = i
        return 3

    def play(self, s, move):
        s.points[s.made % 2] += self.left if move == 0 else self.right if move == 1 else self.burn
        s.throwing = 1

    def chances(self, s, outcomes, weights):
        for i in range(4):
            outcomes[i] = i
            weights[i] = 1.0
        return 4

    def draw(self, s, outcome):
        s.points[s.made % 2] += outcome
        s.made += 1
        s.throwing = 0

    def scores(self, s, out):
        for i in range(2):
            out[i] = s.points[i]

    def results(self, s, out):
        ahead = s.points[0] - s.points[1]
        out[0] = 1.0 if ahead > 0 else -1.0 if ahead < 0 else 0.0
        out[1] = -out[0]

    def move_kind(self, s, move):
        return ("left", "right", "burn")[move]


class Standstill(bw.Game):
    """Push the token or pull it back; who pushes it over the edge loses. So nobody who thinks does: it never ends."""

    players = 2
    actions = 2

    def layout(self):
        return [("place", "i1"), ("turn", "i1")]

    def player(self, s):
        return bw.OVER if s.place == 3 else s.turn

    def legal(self, s, moves):
        moves[0] = 0
        moves[1] = 1
        return 2

    def play(self, s, move):
        s.place = s.place + 1 if move == 0 else max(s.place - 1, 0)
        s.turn = 1 - s.turn

    def results(self, s, out):
        out[s.turn] = 1.0
        out[1 - s.turn] = -1.0

    def move_text(self, s, move):
        return ("push", "pull")[move]


class Harvest(bw.Game):
    """Alone, four rounds: a die falls, and what it shows is taken, or left."""

    faces: int = 4
    players = 1
    actions = 2

    @property
    def outcomes(self):
        return self.faces

    def layout(self):
        return [("points", "i2"), ("face", "i2"), ("made", "i1")]

    def start(self, s):
        s.face = -1

    def player(self, s):
        return bw.OVER if s.made == 4 else bw.CHANCE if s.face < 0 else 0

    def legal(self, s, moves):
        moves[0] = 0
        moves[1] = 1
        return 2

    def play(self, s, move):
        if move == 0:
            s.points += s.face
        s.face = -1
        s.made += 1

    def chances(self, s, outcomes, weights):
        for i in range(self.faces):
            outcomes[i] = i
            weights[i] = 1.0
        return self.faces

    def draw(self, s, outcome):
        s.face = outcome

    def scores(self, s, out):
        out[0] = s.points

    def move_text(self, s, move):
        return ("take", "leave")[move]


class Stutter(bw.Game):
    """Throw a die and move, six times; once the sum is above 9, one move is offered twice: the check finds it."""

    players = 2
    actions = 3
    outcomes = 3

    def layout(self):
        return [("sum", "i1"), ("made", "i1"), ("throwing", "i1")]

    def player(self, s):
        return bw.OVER if s.made == 12 else bw.CHANCE if s.throwing else s.made % 2

    def legal(self, s, moves):
        for i in range(3):
            moves[i] = i
        if s.sum > 9:
            moves[2] = 0
        return 3

    def play(self, s, move):
        s.sum += move
        s.throwing = 1

    def chances(self, s, outcomes, weights):
        for i in range(3):
            outcomes[i] = i
            weights[i] = 1.0
        return 3

    def draw(self, s, outcome):
        s.sum += outcome
        s.made += 1
        s.throwing = 0

    def results(self, s, out):
        out[0] = 1.0 if s.sum % 2 else -1.0
        out[1] = -out[0]


class Gap(Nim):
    """The rules forgot what happens at three: nobody can move, and nobody has won."""

    def legal(self, s, moves):
        count = 0 if s.left == 3 else min(s.left, 3)
        for i in range(count):
            moves[i] = i
        return count


class Stumble(Nim):
    """The rules give up at three."""

    def play(self, s, move):
        if s.left == 3:
            raise ValueError("nobody thought of three")
        s.left -= move + 1
        s.turn = 1 - s.turn


class Tilted(Nim):
    """Two heaps that are mirror images of each other; a result that is none, on one of many ways."""

    actions = 6
    symmetries = 2

    def layout(self):
        return [("heaps", "i1", (2,)), ("turn", "i1"), ("odd", "b1")]

    def start(self, s):
        for i in range(2):
            s.heaps[i] = self.heap

    def player(self, s):
        return s.turn if s.heaps[0] + s.heaps[1] > 0 else bw.OVER

    def legal(self, s, moves):
        count = 0
        for move in range(6):
            if s.heaps[move // 3] > move % 3:
                moves[count] = move
                count += 1
        return count

    def play(self, s, move):
        s.heaps[move // 3] -= move % 3 + 1
        s.odd = s.odd or (s.heaps[0] == 2 and s.heaps[1] == 2)
        s.turn = 1 - s.turn

    def results(self, s, out):
        for i in range(2):
            out[i] = (np.nan if s.odd else 1.0) * (1.0 if i != s.turn else -1.0)

    def mirror(self, s, image, out):
        for i in range(2):
            out.heaps[i] = s.heaps[i] if image == 0 else s.heaps[1 - i]
        out.turn = s.turn
        out.odd = s.odd

    def mirror_move(self, move, image):
        return move if image == 0 else (move + 3) % 6
