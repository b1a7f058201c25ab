"""Azul against a second, slow reading of the rulebook: lists of letters, a wall of names, nothing counted ahead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import boardwright as bw
from boardwright.contract import position as positions
from boardwright.contract.position import blank
from boardwright.contract.random import Random
from tests.torture.trial import Finding

positions.SOON_COMPILED = 0
COLOURS = "BYRDW"
ROWS = ["BYRDW", "WBYRD", "DWBYR", "RDWBY", "YRDWB"]  # the wall as it is printed
FLOOR_COSTS = (-1, -1, -2, -2, -2, -3, -3)
MARKER = "1"


class Table:
    """Each display is a list of tiles; the centre holds the marker until somebody takes tiles there."""

    def __init__(self, players: int) -> None:
        self.displays: list[list[str]] = [[] for _ in range(2 * players + 1)]
        self.centre: list[str] = [MARKER]
        self.bag, self.lid = list(COLOURS * 20), list[str]()
        self.lines: list[list[list[str]]] = [[[] for _ in range(5)] for _ in range(players)]
        self.walls: list[set[tuple[int, int]]] = [set() for _ in range(players)]
        self.floors: list[list[str]] = [[] for _ in range(players)]
        self.points = [0] * players
        self.turn, self.first, self.round, self.over = 0, 0, 1, False

    def wants(self) -> int | None:
        """The display whose next tile comes out of the bag; None if none does."""
        if self.over or self.dealt:
            return None
        if not self.bag:
            self.bag, self.lid = self.lid, []
        return next(i for i, display in enumerate(self.displays) if len(display) < 4) if self.bag else None

    dealt = False  # whether this round's displays are filled, as far as tiles go

    def put(self, colour: str) -> None:
        display = self.wants()
        assert display is not None
        self.bag.remove(colour)
        self.displays[display].append(colour)
        if all(len(one) == 4 for one in self.displays) or not (self.bag or self.lid):
            self.dealt = True

    def moves(self) -> set[str]:
        found = set()
        for name, tiles in (*((str(i + 1), one) for i, one in enumerate(self.displays)), ("C", self.centre)):
            for colour in set(tiles) - {MARKER}:
                found |= {f"{name}{colour}{row + 1}" for row in range(5) if self.fits(row, colour)} | {
                    f"{name}{colour}F"
                }
        return found

    def fits(self, row: int, colour: str) -> bool:
        line = self.lines[self.turn][row]
        if (row, ROWS[row].index(colour)) in self.walls[self.turn]:
            return False
        return len(line) <= row and set(line) <= {colour}

    def take(self, text: str) -> None:
        source, colour, to = text[:-2], text[-2], text[-1]
        if source == "C":
            taken, rest = [one for one in self.centre if one == colour], [one for one in self.centre if one != colour]
            if MARKER in rest:
                rest.remove(MARKER)
                self.floors[self.turn].append(MARKER)
                self.next_first = self.turn
            self.centre = rest
        else:
            display = self.displays[int(source) - 1]
            taken = [one for one in display if one == colour]
            self.centre += [one for one in display if one != colour]
            display.clear()
        for tile in taken:
            if to != "F" and len(self.lines[self.turn][int(to) - 1]) < int(to):
                self.lines[self.turn][int(to) - 1].append(tile)
            elif len(self.floors[self.turn]) < 7:
                self.floors[self.turn].append(tile)
            else:
                self.lid.append(tile)
        if set(self.centre) <= {MARKER} and not any(self.displays):
            self.tile()
        else:
            self.turn = (self.turn + 1) % len(self.walls)

    next_first = -1

    def tile(self) -> None:
        for who, lines in enumerate(self.lines):
            for row, line in enumerate(lines):
                if len(line) == row + 1:
                    column = ROWS[row].index(line[0])
                    self.walls[who].add((row, column))
                    self.points[who] += self.worth(who, row, column)
                    self.lid += line[1:]
                    line.clear()
            self.points[who] = max(0, self.points[who] + sum(FLOOR_COSTS[: len(self.floors[who])]))
            self.lid += [tile for tile in self.floors[who] if tile != MARKER]
            self.floors[who].clear()
        if self.next_first >= 0:
            self.first = self.next_first
        self.turn, self.next_first, self.centre, self.dealt = self.first, -1, [MARKER], False
        if self.round == 20 or any(self.full_rows(who) for who in range(len(self.walls))) or not (self.bag or self.lid):
            self.end()
        else:
            self.round += 1

    def worth(self, who: int, row: int, column: int) -> int:
        across, down = self.run(who, row, column, 0, 1), self.run(who, row, column, 1, 0)
        return (across if across > 1 else 0) + (down if down > 1 else 0) or 1

    def run(self, who: int, row: int, column: int, dy: int, dx: int) -> int:
        count = 1
        for sign in (1, -1):
            y, x = row + sign * dy, column + sign * dx
            while (y, x) in self.walls[who]:
                count, y, x = count + 1, y + sign * dy, x + sign * dx
        return count

    def full_rows(self, who: int) -> int:
        return sum(all((row, column) in self.walls[who] for column in range(5)) for row in range(5))

    def end(self) -> None:
        self.over = True
        for who, wall in enumerate(self.walls):
            columns = sum(all((row, column) in wall for row in range(5)) for column in range(5))
            colours = sum(all((row, ROWS[row].index(colour)) in wall for row in range(5)) for colour in COLOURS)
            self.points[who] += 2 * self.full_rows(who) + 7 * columns + 10 * colours

    def results(self) -> list[float]:
        ranks = [(points, self.full_rows(who)) for who, points in enumerate(self.points)]
        winners, players = ranks.count(max(ranks)), len(ranks)
        shares = [1 / winners if rank == max(ranks) else 0.0 for rank in ranks]
        return [(players * share - 1) / (players - 1) for share in shares]


def attempt(seed: int, seconds: float, tell: Callable[[int], None]) -> None:
    rng = Random(seed)
    players = 2 + rng.below(3)
    game = bw.load("azul", players=players)
    # Random play floors nearly all; the game's own policy fills walls. Each player is more or less of the one.
    wise = [rng.below(11) / 10 for _ in range(players)]
    for _ in range(3):
        position, table, plies = blank(game), Table(players), 0
        while not position.is_over:
            compare(position, table)
            if position.is_chance:
                if table.wants() is None:
                    raise Finding("a tile is dealt that the rulebook does not deal", position.to_json())
                bag = Counter(table.bag)
                odds = {COLOURS[colour]: chance for colour, chance in position.chances}
                if any(abs(odds.get(one, 0.0) - bag[one] / len(table.bag)) > 1e-9 for one in COLOURS):
                    raise Finding("other odds than the bag's", position.to_json())
                position = position.sample(rng)
                assert position.step is not None
                table.put(COLOURS[position.step])
            else:
                if {position.text(move) for move in position.moves} != table.moves() or position.player != table.turn:
                    raise Finding("other moves than the rulebook's", position.to_json())
                clever = rng.below(1000) < 1000 * wise[position.player]
                pick = rng.pick(position.weigh("greedy")) if clever else rng.below(len(position.moves))
                text = position.text(position.moves[pick])
                position = position.play(text)
                table.take(text)
            plies += 1
        compare(position, table)
        expected = table.results()
        if not table.over or any(abs(a - b) > 1e-9 for a, b in zip(position.results or (), expected, strict=True)):
            raise Finding("another end than the rulebook's", f"{table.points} {expected} {position.to_json()}")
        tell(plies)


def compare(position: bw.Position, table: Table) -> None:
    if list(position.scores) != table.points:
        raise Finding("other points than the rulebook's", f"{table.points} {position.to_json()}")
    fields = position.fields()
    offer = [[tiles.count(colour) for colour in COLOURS] for tiles in (*table.displays, table.centre)]
    walls = [[[int((row, column) in wall) for column in range(5)] for row in range(5)] for wall in table.walls]
    if fields["offer"] != offer or fields["wall"] != walls:
        raise Finding("another table than the rulebook's", position.to_json())
