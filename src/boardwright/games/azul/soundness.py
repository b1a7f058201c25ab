"""Which states of Azul no play could lead to: guards positions that come from outside."""

from typing import Any

import numpy as np

from boardwright.games.azul.rules import (
    COLOURS,
    EMPTY,
    FLOOR_SPACES,
    NOBODY,
    OF_EACH_COLOUR,
    ON_A_DISPLAY,
    AzulRules,
)


class AzulSoundness(AzulRules):
    """What `unsound` says."""

    def unsound(self, s: Any) -> str:
        return self.out_of_range(s) or self.boards_fault(s) or self.offer_fault(s)

    def out_of_range(self, s: Any) -> str:
        seats = self.players - 1
        limits = {
            "offer": (0, 20), "bag": (0, 20), "lid": (0, 20), "wall": (0, 1), "line_colour": (EMPTY, 4),
            "line_fill": (0, 5), "floor": (0, 7), "floor_fill": (0, 7), "score": (0, 400), "marker": (NOBODY, seats),
            "first": (0, seats), "turn": (0, seats), "round": (1, self.rounds),
            "to_deal": (0, ON_A_DISPLAY * self.displays), "over": (0, 1),
        }  # fmt: skip
        for name, (low, high) in limits.items():
            values = np.asarray(getattr(s, name))
            if values.min() < low or values.max() > high:
                return f"{name} must be {low} to {high}"
        return ""

    def boards_fault(self, s: Any) -> str:
        tilings = s.round if s.over else s.round - 1
        for p in range(self.players):
            wall, fills, who = np.asarray(s.wall)[p], np.asarray(s.line_fill)[p], f"player {p + 1}'s"
            for row in range(5):
                colour, fill = s.line_colour[p, row], s.line_fill[p, row]
                if fill > row + 1 or (fill == 0) != (colour == EMPTY):
                    return f"{who} line {row + 1} has {fill} tiles of colour {colour}"
                if fill > 0 and wall[row, (colour + row) % 5]:
                    return f"{who} line {row + 1} has a colour that its wall row has already"
            if wall.sum(axis=1).max() > tilings:
                return f"{who} wall has more tiles in a row than there were tilings"
            if not s.over and self.complete_rows(s, p):
                return f"{who} wall has a complete row, but the game is not over"
            if self.resting(s) and (s.floor_fill[p] or any(fills[row] == row + 1 for row in range(5))):
                return f"{who} board is not tiled, though the round is over"
            # The runs through a tile were no longer when it was placed than they are now.
            most = sum(self.tile_points(s, p, row, column) for row, column in zip(*wall.nonzero(), strict=True))
            bonus = self.bonus(s, p) if s.over else 0
            if not bonus <= s.score[p] <= most + bonus:
                return f"{who} score must be {bonus} to {most + bonus}"
            tiles = int(np.asarray(s.floor)[p].sum())
            if s.floor_fill[p] != (min(tiles + 1, FLOOR_SPACES) if s.marker == p else tiles):
                return f"{who} floor line has {tiles} tiles on {s.floor_fill[p]} spaces"
        return ""

    def offer_fault(self, s: Any) -> str:
        offer, floors, bag, lid = np.asarray(s.offer), np.asarray(s.floor), sum(s.bag), sum(s.lid)
        for colour in range(5):
            tiles = s.bag[colour] + s.lid[colour] + int(offer[:, colour].sum()) + int(floors[:, colour].sum())
            for p in range(self.players):
                for row in range(5):
                    tiles += s.wall[p, row, (colour + row) % 5]
                    tiles += s.line_fill[p, row] if s.line_colour[p, row] == colour else 0
            if tiles != OF_EACH_COLOUR:
                return f"there are {tiles} tiles of colour {COLOURS[colour]}, not {OF_EACH_COLOUR}"
        held, centre = offer[:-1].sum(axis=1).tolist(), int(offer[-1].sum())
        if self.resting(s):
            dealt = 0 if s.over else ON_A_DISPLAY * self.displays - s.to_deal
            if held != [min(max(dealt - ON_A_DISPLAY * d, 0), ON_A_DISPLAY) for d in range(self.displays)] or centre:
                return "the displays do not hold what was dealt"
            if s.marker != NOBODY or s.turn != s.first or (s.over and s.to_deal):
                return "the round is over, but its marker, turn or deal is not"
            rows = sum(self.complete_rows(s, p) for p in range(self.players))
            if s.over and s.round < self.rounds and bag + lid and not rows:
                return "the game is over without a cause"
            return "the bag is empty, but a tile is to be dealt" if not s.over and bag == 0 else ""
        if not any(held) and centre == 0:
            return "nobody can take a tile"
        short = next((d for d in range(self.displays) if held[d] not in (0, ON_A_DISPLAY)), None)
        if short is not None and (held[short] > ON_A_DISPLAY or bag or any(held[short + 1 :])):
            return f"display {short + 1} holds {held[short]} tiles"
        if centre > 3 * held.count(0):
            return "the centre holds more than the empty displays left"
        # With tiles in the bag all displays were dealt. What was taken lies on the boards unless a floor line is full.
        taken = ON_A_DISPLAY * self.displays - sum(held) - centre
        if bag and max(s.floor_fill) < FLOOR_SPACES and taken > int(np.asarray(s.line_fill).sum() + floors.sum()):
            return "tiles that were taken are on no board"
        # Without the marker all takes were from displays, one each.
        if bag and s.marker == NOBODY and s.turn != (s.first + held.count(0)) % self.players:
            return "it is another player's turn"
        return "the first round is player 1's" if s.round == 1 and s.first != 0 else ""

    def resting(self, s: Any) -> bool:
        """Between two rounds, or after the last: all boards are tiled."""
        return bool(s.over or s.to_deal)
