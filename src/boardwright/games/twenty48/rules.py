"""2048: slide all tiles one way, equal neighbours merge, a new 2 or 4 appears."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

import boardwright as bw
from boardwright.compile.random import pick, unit
from boardwright.games.twenty48.bitboard import (
    SIDE,
    add_tile,
    all_lanes,
    count_nibbles,
    empty_marks,
    fits,
    pack,
    row_tables,
    slide_rows,
    sum_rows,
    transpose,
    two_largest,
)

DIRECTIONS = ("up", "right", "down", "left")
UP, RIGHT, DOWN, LEFT = range(4)
LETTERS = "abcdefgh"
EMPTY, PAIR = 14, 25  # what an empty cell and a pair that could merge are worth to `greedy`; found by trial
LARGEST = 50  # a state from outside may hold tiles up to 2^50, so that no score leaves 64 bits


class TwentyFortyEight(bw.Game):
    """2048: slide the tiles of a square board, merge equal ones, score what you merge.

    Cells are numbered row by row from the top left and hold exponents: 0 is empty, 1 a tile of 2, 11 a tile of 2048.
    """

    _name = "2048"
    size: int = 4
    four: float = 0.1  # how likely a new tile is a 4 instead of a 2

    players = 1
    actions = 4
    symmetries = 8
    policies = ("greedy",)
    card = bw.Card(search=bw.SearchHints(advice={"depth": 40, "grow": 1}))  # docs/methods/search.md has the figures
    move_help = "a move is up, right, down or left"
    text_styles = {
        r"\b(8|16|32|64)\b": "yellow",
        r"\b(128|256|512)\b": "bold yellow",
        r"\b\d{4,}\b": "bold red",
        r"[-+|]": "dim",
    }

    def __post_init__(self) -> None:
        if not 2 <= self.size <= len(LETTERS):
            raise bw.InputError(f"2048: size={self.size}; choose 2 to {len(LETTERS)}")
        if not 0.0 <= self.four <= 1.0:
            raise bw.InputError(f"2048: four={self.four}; the odds of a 4 lie between 0 and 1, such as 0.1")

    @property
    def area(self) -> int:
        return self.size * self.size

    @property
    def outcomes(self) -> int:
        return 2 * self.area  # 2 * cell: a 2 appears there; 2 * cell + 1: a 4

    def layout(self):
        return [
            ("score", "i8"),
            ("cells", "i1", (self.area,)),
            ("tiles", "i1"),  # how many cells are not empty
            ("actor", "i1"),  # 0 the player, CHANCE, OVER
        ]

    def start(self, s):
        s.actor = bw.CHANCE

    def player(self, s):
        return s.actor

    # A slide

    def legal(self, s, moves):
        ways = self.ways(s)
        count = 0
        for direction in range(4):
            if ways >> direction & 1 == 1:
                moves[count] = direction
                count += 1
        return count

    def ways(self, s):
        """The directions in which some tile moves or merges, a bit each: seen from pairs of neighbours alone."""
        ways = 0
        for cell in range(self.area):
            if cell % self.size != self.size - 1:
                ways |= self.pair_ways(s.cells[cell], s.cells[cell + 1], LEFT, RIGHT)
            if cell < self.area - self.size:
                ways |= self.pair_ways(s.cells[cell], s.cells[cell + self.size], UP, DOWN)
        return ways

    def pair_ways(self, first, second, back, forth):
        """Of two neighbours: the second may go back, the first forth, and equal tiles both."""
        can_go_back = (second != 0) & ((first == 0) | (first == second))
        can_go_forth = (first != 0) & ((second == 0) | (first == second))
        return can_go_back << back | can_go_forth << forth

    def wall(self, direction, lane):
        """The cell at the wall towards which a row or column, number `lane`, slides."""
        if direction == UP:
            return lane
        if direction == RIGHT:
            return lane * self.size + self.size - 1
        if direction == DOWN:
            return self.area - self.size + lane
        return lane * self.size

    def away(self, direction):
        """From a cell to its neighbour away from the wall."""
        if direction == UP:
            return self.size
        if direction == RIGHT:
            return -1
        if direction == DOWN:
            return -self.size
        return 1

    def play(self, s, move):
        step = self.away(move)
        for lane in range(self.size):
            self.slide(s, self.wall(move, lane), step)
        s.actor = bw.CHANCE

    def slide(self, s, wall, step):
        """Slide one lane: every tile goes as far as it can; two equal ones merge once, those at the wall first."""
        target = wall  # where the next tile stops
        waiting = 0  # the tile that stopped last, if it has not merged
        cell = wall
        for _ in range(self.size):
            tile = s.cells[cell]
            s.cells[cell] = 0
            if tile != 0 and tile == waiting:
                s.cells[target - step] = tile + 1
                s.score += 1 << (tile + 1)
                s.tiles -= 1
                waiting = 0
            elif tile != 0:
                s.cells[target] = tile
                target += step
                waiting = tile
            cell += step

    # A new tile

    def chances(self, s, outcomes, weights):
        count = 0
        for cell in range(self.area):
            if s.cells[cell] == 0:
                if self.four < 1.0:
                    outcomes[count] = 2 * cell
                    weights[count] = 1.0 - self.four
                    count += 1
                if self.four > 0.0:
                    outcomes[count] = 2 * cell + 1
                    weights[count] = self.four
                    count += 1
        return count

    def draw(self, s, outcome):
        s.cells[outcome // 2] = 1 + outcome % 2
        s.tiles += 1
        if s.tiles == 1:
            s.actor = bw.CHANCE  # the game starts with two tiles
        elif s.tiles == self.area and self.ways(s) == 0:
            s.actor = bw.OVER
        else:
            s.actor = 0

    def scores(self, s, out):
        out[0] = s.score

    # A policy

    def greedy(self, s, moves, count, weights):
        """Look one slide ahead for order: empty cells, pairs that could merge, lanes that rise or fall all along."""
        if self.size == SIDE:
            self.orders_by_rows(s, moves, count, weights)
        else:
            after = np.zeros(self.area, np.int64)
            for i in range(count):
                self.slide_into(s, moves[i], after)
                weights[i] = self.order(after)
        self.prefer_best(count, weights)

    def prefer_best(self, count, weights):
        """Weights from orders: the best one weighs 1, one that is d points worse 1 / (1 + d)^2."""
        best = -1.0e9
        for i in range(count):
            best = max(best, weights[i])
        for i in range(count):
            gap = best - weights[i]
            weights[i] = 1.0 / ((1.0 + gap) * (1.0 + gap))

    def orders_by_rows(self, s, moves, count, weights):
        """weights[i] = the order after moves[i], on 4x4: look-ups of whole rows are several times as fast."""
        board = pack(s.cells)
        turned = transpose(board)
        for i in range(count):
            weights[i] = self.order_of_rows(self.slid(board, turned, moves[i]))

    def slid(self, board, turned, direction):
        """The board after a slide; the transposed one if the slide is up or down. `turned` is the transposed board."""
        return slide_rows(
            turned if direction in (UP, DOWN) else board,
            self.to_first if direction in (UP, LEFT) else self.to_last,
        )

    def order_of_rows(self, board):
        return sum_rows(board, self.lane_orders) + sum_rows(transpose(board), self.lane_orders)

    def play_on(self, policy, s, most, rng, luck, moves, weights):
        """`greedy` against chance on 4x4, with the board as one number all the way."""
        if self.size != SIDE or policy != 1 or s.actor == bw.OVER or s.tiles < 2 or not fits(s.cells):
            return 0
        board = pack(s.cells)
        made = 0
        while True:
            if s.actor == bw.CHANCE:
                board = add_tile(board, unit(luck), self.four)
            turned = transpose(board)
            count = 0
            for direction in range(4):
                after = self.slid(board, turned, direction)
                if after != (turned if direction in (UP, DOWN) else board):
                    moves[count] = direction
                    weights[count] = self.order_of_rows(after)
                    count += 1
            s.actor = 0 if count > 0 else bw.OVER
            if count == 0 or made == most or two_largest(board):
                break
            self.prefer_best(count, weights)
            direction = moves[pick(rng, weights, count)]
            after = self.slid(board, turned, direction)
            if direction in (UP, DOWN):
                s.score += sum_rows(turned, self.row_points)
                board = transpose(after)
            else:
                s.score += sum_rows(board, self.row_points)
                board = after
            s.actor = bw.CHANCE
            made += 1
        for cell in range(self.area):
            s.cells[cell] = np.int64((board >> np.uint64(4 * cell)) & np.uint64(15))
        s.tiles = self.area - count_nibbles(empty_marks(board))
        return made

    @property
    def to_first(self) -> npt.NDArray[np.uint16]:
        return row_tables().left

    @property
    def to_last(self) -> npt.NDArray[np.uint16]:
        return row_tables().right

    @property
    def row_points(self) -> npt.NDArray[np.int32]:
        return row_tables().reward

    @cached_property
    def lane_orders(self) -> npt.NDArray[np.int32]:
        """[row of 16 bits]: its order."""
        lanes = all_lanes()
        change = np.diff(lanes * lanes, axis=1)
        pairs = ((change == 0) & (lanes[:, 1:] != 0)).sum(1)
        strays = np.minimum(np.maximum(change, 0).sum(1), np.maximum(-change, 0).sum(1))
        orders: npt.NDArray[np.int32] = (EMPTY * (lanes == 0).sum(1) + PAIR * pairs - strays).astype(np.int32)
        return orders

    def slide_into(self, s, direction, after):
        """What `play` would make of the cells, into `after`."""
        step = self.away(direction)
        for cell in range(self.area):
            after[cell] = 0
        for lane in range(self.size):
            cell = target = self.wall(direction, lane)
            waiting = 0
            for _ in range(self.size):
                tile = s.cells[cell]
                if tile != 0 and tile == waiting:
                    after[target - step] = tile + 1
                    waiting = 0
                elif tile != 0:
                    after[target] = tile
                    target += step
                    waiting = tile
                cell += step

    def order(self, after):
        total = 0
        for lane in range(self.size):
            total += self.lane_order(after, lane * self.size, 1)
            total += self.lane_order(after, lane, self.size)
        return total

    def lane_order(self, after, cell, step):
        """Squares of exponents weigh how far a lane strays from rising (or falling)."""
        before = after[cell]
        total = EMPTY if before == 0 else 0
        rising = falling = 0
        for _ in range(1, self.size):
            cell += step
            tile = after[cell]
            change = tile * tile - before * before
            if tile == 0:
                total += EMPTY
            elif change == 0:
                total += PAIR
            if change > 0:
                rising += change
            else:
                falling -= change
            before = tile
        return total - min(rising, falling)

    # For networks

    @property
    def observe_shape(self) -> tuple[int, int, int]:
        return self.size, self.size, 18

    def observe(self, s, out):
        """Planes 0 to 16: the cell holds that exponent (16: or a larger one). Plane 17: ones if chance moves next."""
        for cell in range(self.area):
            row, column = cell // self.size, cell % self.size
            out[row, column, min(s.cells[cell], 16)] = 1.0
            if s.actor == bw.CHANCE:
                out[row, column, 17] = 1.0

    @cached_property
    def images(self) -> npt.NDArray[np.int64]:
        """[image, cell]: where the cell lands. Bit 1 of an image turns rows round, 2 columns, 4 swaps them."""
        row, column = np.divmod(np.arange(self.area), self.size)
        images = []
        for image in range(8):
            new_row = self.size - 1 - row if image & 1 else row
            new_column = self.size - 1 - column if image & 2 else column
            images.append(new_column * self.size + new_row if image & 4 else new_row * self.size + new_column)
        return np.array(images)

    def mirror(self, s, image, out):
        for cell in range(self.area):
            out.cells[self.images[image, cell]] = s.cells[cell]
        out.score = s.score
        out.tiles = s.tiles
        out.actor = s.actor

    def mirror_move(self, move, image):
        if image & 1 and move in (UP, DOWN):
            move = UP + DOWN - move
        if image & 2 and move in (LEFT, RIGHT):
            move = LEFT + RIGHT - move
        return LEFT - move if image & 4 else move  # swapping the axes swaps up with left and right with down

    # For people

    def move_text(self, s: Any, move: int) -> str:
        return DIRECTIONS[move]

    def cell_name(self, cell: int) -> str:
        return f"{LETTERS[cell % self.size]}{self.size - cell // self.size}"

    def outcome_text(self, s: Any, outcome: int) -> str:
        return f"{self.cell_name(outcome // 2)}={2 + 2 * (outcome % 2)}"

    def explain(self, s: Any, text: str) -> str:
        direction = text.lower()
        return f"no tile can go {direction}" if direction in DIRECTIONS else "moves are up, right, down, left"

    def board(self, s: Any) -> str:
        width = max(6, *(len(str(2**tile)) + 2 for tile in s.cells))
        rule = "  +" + ("-" * width + "+") * self.size
        lines = [f"    score {s.score:,}", rule]
        for row in range(self.size):
            tiles = [s.cells[row * self.size + column] for column in range(self.size)]
            cells = "|".join(f"{2**tile if tile else '':^{width}}" for tile in tiles)
            lines += [f"{self.size - row} |{cells}|", rule]
        lines += ["   " + " ".join(f"{letter:^{width}}" for letter in LETTERS[: self.size]), "", self.status(s)]
        return "\n".join(line.rstrip() for line in lines)

    def status(self, s: Any) -> str:
        """What comes next, in words."""
        if s.actor == bw.OVER:
            return f"Over: nothing moves any more; {s.score:,} points"
        if s.actor == bw.CHANCE:
            return "A new tile comes"
        ways = self.ways(s)
        return "You can slide " + ", ".join(name for way, name in enumerate(DIRECTIONS) if ways >> way & 1)

    def svg(self, s: Any) -> str:
        from boardwright.games.twenty48.look import draw

        return draw(self, s)

    def unsound(self, s: Any) -> str:
        largest = min(self.area + 1, LARGEST)
        if any(not 0 <= tile <= largest for tile in s.cells):
            return f"cells hold exponents from 0 to {largest}"
        tiles = [tile for tile in s.cells if tile]
        if s.tiles != len(tiles):
            return f"tiles says {s.tiles}, the board has {len(tiles)}"
        # A tile of 2^k made of 2s alone scored (k-1) 2^k; each 4 that came as such saves its makers 4 points.
        made_of_twos = sum((tile - 1) << tile for tile in tiles)
        most_fours = sum(1 << tile - 2 for tile in tiles if tile > 1)
        fours, rest = divmod(made_of_twos - s.score, 4)
        if rest or not 0 <= fours <= most_fours:
            return f"these tiles cannot have scored {s.score}"
        if (self.four == 0.0 and fours) or (self.four == 1.0 and (fours < most_fours or 1 in tiles)):
            return "chance does not make such tiles"
        return self._wrong_actor(s, len(tiles))

    def _wrong_actor(self, s: Any, tiles: int) -> str:
        """A new tile comes at the start and after a slide, which leaves the tiles packed; then somebody can slide."""
        cells = list(s.cells)
        opening = s.score == 0 and tiles <= 2 and max(cells) <= 2
        if s.actor == bw.CHANCE:
            fits = (opening and tiles < 2) or (0 < tiles < self.area and self._packed(cells))
            return "" if fits else "no slide leaves the tiles like this"
        newest = [cell for cell in range(self.area) if cells[cell] in (1, 2)]
        without = ([*cells[:cell], 0, *cells[cell + 1 :]] for cell in newest)
        if tiles < 2 or not (opening or any(map(self._packed, without))):
            return "no slide and new tile make such a board"
        expected = 0 if self.ways(s) else bw.OVER
        return "" if s.actor == expected else f"actor must be {expected} here"

    def _packed(self, cells: list[int]) -> bool:
        """Are all tiles as close to one of the walls as they can be?"""
        lanes = np.array(cells).reshape(self.size, self.size) != 0
        turned = (np.rot90(lanes, turn) for turn in range(4))
        return any(bool((rows[:, :-1] >= rows[:, 1:]).all()) for rows in turned)
