"""Dots and Boxes. Try `boardwright check docs/examples/dots_and_boxes.py:DotsAndBoxes`."""

import boardwright as bw

LETTERS = "abcdefghij"
MARKS = ('rx="16" stroke="#bb4a35"', 'rx="3" stroke="#2f6fa6"')  # in the players' own boxes: a ring, a square
OPENSPIEL = "dots_and_boxes(num_rows={0.rows},num_cols={0.columns})"  # the same game there


def rect(x, y, wide, high, more):
    return f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" {more}/>'


class DotsAndBoxes(bw.Game):
    """Draw a line between two dots; who draws a box's fourth owns the box and draws again. The most boxes win."""

    rows: int = 4
    columns: int = 4
    players = 2
    card = bw.Card(title="Dots and Boxes", shows_points=True, openspiel=OPENSPIEL.format)
    move_help = "a move is a line from dot to dot, such as a1b1 or a1a2; a1 is the dot at the bottom left"

    def __post_init__(self):
        if not (1 <= self.rows <= 9 and 1 <= self.columns <= 9):
            raise bw.InputError(f"dots_and_boxes: {self.columns} x {self.rows}; choose 1 to 9 columns, 1 to 9 rows")

    @property
    def flat(self):
        return (self.rows + 1) * self.columns  # lines that lie; those that stand come after them

    @property
    def actions(self):
        return self.flat + self.rows * (self.columns + 1)

    def layout(self):
        # boxes[row, column] with row 0 at the bottom: 0 nobody's, 1 and 2 the players'.
        boxes = ("boxes", "i1", (self.rows, self.columns))
        return [("lines", "i1", (self.actions,)), boxes, ("taken", "i1", (2,)), ("turn", "i1")]

    def player(self, s):
        return bw.OVER if s.taken[0] + s.taken[1] == self.rows * self.columns else s.turn

    def legal(self, s, moves):
        count = 0
        for line in range(self.actions):
            if s.lines[line] == 0:
                moves[count] = line
                count += 1
        return count

    def place(self, move):
        """Row and column of a line's left or lower dot; 1 if the line goes up from there, 0 if to the right."""
        if move < self.flat:
            return move // self.columns, move % self.columns, 0
        return (move - self.flat) // (self.columns + 1), (move - self.flat) % (self.columns + 1), 1

    def play(self, s, move):
        s.lines[move] = 1
        row, column, up = self.place(move)
        if self.close(s, row, column) + self.close(s, row - 1 + up, column - up) == 0:  # on both sides of the line
            s.turn = 1 - s.turn

    def close(self, s, row, column):
        """Give a box with all its lines to the player to move; 1 if there is such a box here, 0 if not."""
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            return 0
        below, left = row * self.columns + column, self.flat + row * (self.columns + 1) + column
        if not (s.lines[below] and s.lines[below + self.columns] and s.lines[left] and s.lines[left + 1]):
            return 0
        s.boxes[row, column] = s.turn + 1
        s.taken[s.turn] += 1
        return 1

    def scores(self, s, out):
        out[0], out[1] = s.taken[0], s.taken[1]

    def results(self, s, out):
        out[0] = 1.0 if s.taken[0] > s.taken[1] else -1.0 if s.taken[0] < s.taken[1] else 0.0
        out[1] = -out[0]

    def move_text(self, s, move):
        row, column, up = self.place(move)
        return f"{LETTERS[column]}{row + 1}{LETTERS[column + 1 - up]}{row + 1 + up}"

    def spots(self, player, move):
        return [self.move_text(None, move)]

    def board(self, s):
        said = ["  " + "   ".join(LETTERS[: self.columns + 1])]
        for row in range(self.rows + 1):
            lying = ["---" if s.lines[row * self.columns + column] else "   " for column in range(self.columns)]
            said.append(f"{row + 1} +{'+'.join(lying)}+")
            if row < self.rows:
                first, held = self.flat + row * (self.columns + 1), [" AB"[box] for box in s.boxes.tolist()[row]] + [""]
                said.append("  " + "".join(f"{' |'[s.lines[first + i]]} {box} " for i, box in enumerate(held)).rstrip())
        return "\n".join(said[::-1])

    def svg(self, s):
        wide, high = 80 * self.columns + 60, 80 * self.rows + 60
        parts = [rect(0, 0, wide, high, 'rx="16" class="paper" fill="#f6f2e9"')]
        for row, column in [(row, column) for row in range(self.rows) for column in range(self.columns)]:
            who, x, y = s.boxes[row, column] - 1, 30 + 80 * column, high - 110 - 80 * row
            if who >= 0:
                parts.append(rect(x, y, 80, 80, f'class="sq tint{who}" fill="{("#eecac2", "#c5d9ea")[who]}"'))
                parts.append(rect(x + 24, y + 24, 32, 32, f'fill="none" stroke-width="5" {MARKS[who]}'))
        for line in range(self.actions):
            (row, column, up), name = self.place(line), self.move_text(s, line)
            x, y = 30 + 80 * column, high - 30 - 80 * (row + up)
            kind = 'class="ink" fill="#3a352c"' if s.lines[line] else 'class="faint" fill="#8a8172" fill-opacity="0.2"'
            click = f'fill-opacity="0" data-move="{name}" data-holds="{"drawn" if s.lines[line] else ""}"'
            parts.append(rect(*((x - 3, y, 6, 80) if up else (x, y - 3, 80, 6)), f'{kind} data-spot="{name}"'))
            parts.append(rect(*((x - 18, y + 18, 36, 44) if up else (x + 18, y - 18, 44, 36)), click))
        for x, y in [(x, y) for x in range(30, wide, 80) for y in range(30, high, 80)]:
            parts.append(f'<circle cx="{x}" cy="{y}" r="8" class="ink" fill="#3a352c"/>')
        parts.append('<g class="faint" fill="#6d6557" font-family="sans-serif" font-size="14" text-anchor="middle">')
        parts += [f'<text x="{30 + 80 * i}" y="{high - 6}">{LETTERS[i]}</text>' for i in range(self.columns + 1)]
        parts += [f'<text x="11" y="{high - 25 - 80 * i}">{i + 1}</text>' for i in range(self.rows + 1)]
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}">{"".join(parts)}</g></svg>'
