"""What a network sees of Azul, and which positions are the same to it: displays may change places."""

import math

import numpy as np

from boardwright.games.azul.rules import EMPTY, NOBODY, AzulRules


class AzulSight(AzulRules):
    """Observation and symmetries."""

    factorials = np.array([1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880])

    @property
    def observe_shape(self) -> tuple[int]:
        return (5 * (self.displays + 1) + 13 + 64 * self.players,)

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

    @property
    def symmetries(self) -> int:
        return math.factorial(self.displays)

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
