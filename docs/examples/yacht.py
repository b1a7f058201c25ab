"""Yacht, the old game of dice, played alone. Try `boardwright check docs/examples/yacht.py:Yacht`.

Roll five dice, then any of them again, twice at most; then write their worth, be it nothing, into an open box."""

import boardwright as bw

BOXES = ("ones", "twos", "threes", "fours", "fives", "sixes", "full house", "four of a kind", "little straight",
         "big straight", "choice", "yacht")  # fmt: skip
FULL_HOUSE, FOUR_OF_A_KIND, LITTLE_STRAIGHT, BIG_STRAIGHT, CHOICE, YACHT = range(6, 12)
WRITE = 31  # moves below say which dice are kept, a bit each; from here on, which box is written
PIPS = ((), (4,), (0, 8), (0, 4, 8), (0, 2, 6, 8), (0, 2, 4, 6, 8), (0, 2, 3, 5, 6, 8))  # of nine places on a face


class Yacht(bw.Game):
    """Roll five dice up to three times a turn; fill twelve boxes with as many points as you can."""

    players = 1
    actions, outcomes = WRITE + 12, 6  # outcome 0 is a 1, outcome 5 a 6
    move_help = "a move is the dice to keep (keep 4 4, keep none) or the box to write (full house)"

    def layout(self):  # dice: in rising order, 0 not thrown; again: rolls after the first; sheet: 0 open, or points + 1
        return [("dice", "i1", (5,)), ("again", "i1"), ("sheet", "i1", (12,)), ("turns", "i1")]

    def player(self, s):
        return bw.OVER if s.turns == 12 else bw.CHANCE if s.dice[0] == 0 else 0

    def legal(self, s, moves):
        count = 0
        for kept in range(WRITE if s.again < 2 else 0):
            twice = False  # of equal dice the first are kept; the others instead would be the same move
            for i in range(4):
                twice = twice or (s.dice[i] == s.dice[i + 1] and kept >> i & 3 == 2)
            moves[count] = kept
            count += not twice
        for box in range(12):
            moves[count] = WRITE + box
            count += s.sheet[box] == 0
        return count

    def play(self, s, move):
        if move >= WRITE:
            s.sheet[move - WRITE] = self.worth(s, move - WRITE) + 1
        s.turns, s.again = (s.turns + 1, 0) if move >= WRITE else (s.turns, s.again + 1)
        for i in range(5):
            s.dice[i] = s.dice[i] if move < WRITE and move >> i & 1 else 0
        self.sort(s)

    def sort(self, s):
        for i in (0, 1, 2, 3, 0, 1, 2, 0, 1, 0):  # neighbours that change places if they must
            s.dice[i], s.dice[i + 1] = min(s.dice[i], s.dice[i + 1]), max(s.dice[i], s.dice[i + 1])

    def chances(self, s, outcomes, weights):
        for face in range(6):
            outcomes[face], weights[face] = face, 1.0
        return 6

    def draw(self, s, outcome):
        s.dice[0] = outcome + 1
        self.sort(s)

    def worth(self, s, box):
        """What the dice bring in a box. As they lie in order, the third belongs to any three or four that are alike."""
        a, b, c, d, e = s.dice[0], s.dice[1], s.dice[2], s.dice[3], s.dice[4]
        if box < FULL_HOUSE:
            return (box + 1) * ((a == box + 1) + (b == box + 1) + (c == box + 1) + (d == box + 1) + (e == box + 1))
        if box == FULL_HOUSE:
            return a + b + c + d + e if a == b and d == e and c in (b, d) and a != e else 0
        if box == FOUR_OF_A_KIND:
            return 4 * c if a == d or b == e else 0
        if box in (LITTLE_STRAIGHT, BIG_STRAIGHT):  # 1 to 5, or 2 to 6
            return 30 if a < b < c < d < e == a + 4 and a == 1 + box - LITTLE_STRAIGHT else 0
        return a + b + c + d + e if box == CHOICE else 50 if a == e else 0

    def scores(self, s, out):
        out[0] = 0.0
        for box in range(12):
            out[0] += max(s.sheet[box] - 1, 0)

    def move_text(self, s, move):
        kept = " ".join([str(s.dice[i]) for i in range(5) if move >> i & 1])
        return BOXES[move - WRITE] if move >= WRITE else f"keep {kept or 'none'}"

    def outcome_text(self, s, outcome):
        return str(outcome + 1)

    def board(self, s):
        boxes = [f"{name:17}{s.sheet[box] - 1 if s.sheet[box] else '.':>2}" for box, name in enumerate(BOXES)]
        sheet = "\n".join([f"{boxes[i]}      {boxes[i + 6]}" for i in range(6)])
        return f"{sheet}\ndice {' '.join([str(die) for die in s.dice])}, {2 - s.again} rolls left"

    def page(self, s, moves, narrow):  # click the dice to keep, in any order, then Roll; or a box
        dice = [f"die {i + 1}" for i in range(5)]
        paths = {text: [dice[i] for i in range(5) if move >> i & 1] + ["roll"] for move, text in moves.items()}
        paths.update({text: [text] for move, text in moves.items() if move >= WRITE})
        alike = {dice[i]: f"a {s.dice[i]}" for i in range(5)}
        return {"svg": self.svg(s), "hover": {"kind": "cells", "paths": paths, "alike": alike}}

    def svg(self, s):
        def cell(x, y, wide, high, name, holds, look='class="sq" fill="#e9dfca"'):
            called = f'data-cell="{name}" data-holds="{holds}"'
            return f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" rx="9" {look} {called}/>'

        parts = ['<rect width="488" height="396" rx="16" class="paper" fill="#f6f2e9"/>']
        for i, die in enumerate(s.dice):
            pips = "".join([f"M{38 + 72 * i + 16 * (pip % 3)} {38 + 16 * (pip // 3)}h.1" for pip in PIPS[die]])
            parts.append(cell(24 + 72 * i, 24, 60, 60, f"die {i + 1}", die or "", 'fill="#fffdf7" stroke="#7b7365"'))
            parts.append(f'<path d="{pips}" stroke="#2b2822" stroke-width="12" stroke-linecap="round"/>')
        left = f'<tspan x="426" dy="20" font-size="14">{2 - s.again} left</tspan>'
        said = f'<text x="426" y="50" class="ink" text-anchor="middle">Roll{left}</text>'
        parts.append(cell(388, 24, 76, 60, "roll", f"{2 - s.again} left") + said)
        for box, name in enumerate(BOXES):
            x, y = 24 + 226 * (box // 6), 104 + 46 * (box % 6)
            look = 'class="ink" font-weight="700"' if s.sheet[box] else 'class="faint" fill="#8f8470"'
            points = s.sheet[box] - 1 if s.sheet[box] else self.worth(s, box) if s.dice[0] else ""
            parts.append(cell(x, y, 214, 40, name, f"{points} points" if s.sheet[box] else "open"))
            parts.append(f'<text x="{x + 14}" y="{y + 26}" class="ink">{name.capitalize()}</text>')
            parts.append(f'<text x="{x + 200}" y="{y + 26}" {look} text-anchor="end">{points}</text>')
        head = 'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 488 396" font-family="sans-serif" font-size="18"'
        return f'<svg {head} fill="#3a352c">{"".join(parts)}</svg>'
