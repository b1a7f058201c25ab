"""What a learnt value and policy see of Gomoku, against a second, slow account of it by walks over the board."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boardwright as bw
from boardwright.compile.kernel import interpret, kernel
from boardwright.compile.rule_kernels import mirror_state
from boardwright.contract.position import Position
from boardwright.contract.state import copy_record
from boardwright.games.in_a_row import features, move_features, shapes
from boardwright.learn.kernel.network import ValueNetwork, fresh_numbers, network_for
from boardwright.search.expand import ROOT_TRIES, list_moves
from boardwright.search.settings import SearchSettings, make_plan
from tests.marks import examples

BOARDS: list[dict[str, int]] = [
    {"size": 15}, {"size": 7, "exactly": True}, {"size": 8, "rows": 5, "line": 4}, {"size": 9, "line": 6},
]  # fmt: skip
ONE, TWO, FREE, OUTSIDE = "xo. "
STEPS = ((0, 1), (1, 0), (1, 1), (-1, 1))


# A line as text, the new stone in its middle: "x" own, "o" the other's, "." free, " " no point of the board.


@cache
def shape_of(text: str, line: int, exactly: bool) -> int:
    """By trying every next stone, and counting to what it leads."""
    middle = len(text) // 2
    length = 1
    for way in (-1, 1):
        at = middle + way
        while 0 <= at < len(text) and text[at] == ONE:
            length, at = length + 1, at + way
    if length == line or (length > line and not exactly):
        return shapes.LINE
    ways = Counter(
        shape_of(text[:at] + ONE + text[at + 1 :], line, exactly) for at, sign in enumerate(text) if sign == FREE
    )
    if ways[shapes.LINE]:
        return shapes.OPEN_FOUR if ways[shapes.LINE] > 1 else shapes.FOUR
    if ways[shapes.OPEN_FOUR]:
        return shapes.WIDE_THREE if ways[shapes.OPEN_FOUR] > 1 else shapes.THREE
    if ways[shapes.FOUR]:
        return shapes.CLOSED_THREE
    threes = ways[shapes.THREE] + ways[shapes.WIDE_THREE]
    if threes:
        return shapes.WIDE_TWO if threes > 2 else shapes.TWO
    if ways[shapes.CLOSED_THREE]:
        return shapes.CLOSED_TWO
    if ways[shapes.TWO] + ways[shapes.WIDE_TWO]:
        return shapes.ONE
    return shapes.CLOSED_ONE if ways[shapes.CLOSED_TWO] else shapes.NOTHING


class Board:
    """A position's stones by row and column; all that is known here comes from looking at them."""

    def __init__(self, position: Position) -> None:
        game: Any = position.game
        self.game, self.order = game, [int(cell) for cell in position.view.order[position.view.left :]][::-1]
        self.stones = {divmod(cell, game.columns): turn % 2 for turn, cell in enumerate(self.order)}
        self.me = len(self.order) % 2

    def sign(self, at: tuple[int, int], me: int) -> str:
        if not (0 <= at[0] < self.game.height and 0 <= at[1] < self.game.columns):
            return OUTSIDE
        return FREE if at not in self.stones else ONE if self.stones[at] == me else TWO

    def shapes(self, at: tuple[int, int], me: int) -> list[int]:
        line = min(self.game.line, 5)
        return [
            shape_of(
                "".join(self.sign((at[0] + k * down, at[1] + k * right), me) for k in range(1 - line, line)),
                line,
                self.game.exactly,
            )
            for down, right in STEPS
        ]

    def rank(self, at: tuple[int, int], me: int) -> int:
        second, best = sorted(self.shapes(at, me))[-2:]
        return int(self.game.ranks[best, second])

    def near(self) -> list[tuple[int, int]]:
        """Within two steps of a stone; of the middle, while there is none."""
        rows, columns = self.game.height, self.game.columns
        stones: list[tuple[float, float]] = [*self.stones] or [((rows - 1) / 2, (columns - 1) / 2)]
        return [
            (row, column)
            for row in range(rows)
            for column in range(columns)
            if (row, column) not in self.stones
            and any(abs(row - other[0]) <= 2 and abs(column - other[1]) <= 2 for other in stones)
        ]


def expected_features(board: Board) -> dict[int, float]:
    counts: Counter[int] = Counter()
    for at in board.near():
        ranks = [board.rank(at, who) for who in (board.me, 1 - board.me)]
        counts[features.PAIRS + ranks[0] * shapes.RANKS + ranks[1]] += 1
        for side, who in enumerate((board.me, 1 - board.me)):
            for shape in board.shapes(at, who):
                counts[features.LINES + side * shapes.SHAPES + shape] += shape > 0
    for side, begin in enumerate((features.OWN, features.OTHERS)):
        ranks = [board.rank(at, board.me if side == 0 else 1 - board.me) for at in board.near()]
        for rank, cells in Counter(ranks).items():
            if rank == shapes.QUIET:
                counts[begin] = cells
            else:
                counts[begin + rank * features.COUNTED + min(cells, features.COUNTED) - 1] = 1
    counts[features.PHASE + min(len(board.stones) // features.STONES_A_PHASE, features.PHASES - 1)] = 1
    most = 255  # lines that are told apart by number
    return {feature: 0.5 + 0.5 * float(np.log2(1 + min(cells, most))) for feature, cells in counts.items() if cells}


def expected_of_move(board: Board, move: int) -> list[int]:
    at = divmod(move, board.game.columns)
    own, others = board.shapes(at, board.me), board.shapes(at, 1 - board.me)
    found = [move_features.LINES + one * shapes.SHAPES + other for one, other in zip(own, others, strict=True)]
    found.append(move_features.RANKED + board.rank(at, board.me) * shapes.RANKS + board.rank(at, 1 - board.me))
    edge = min(at[0], board.game.height - 1 - at[0], at[1], board.game.columns - 1 - at[1])
    found.append(move_features.MARGIN + min(edge, 4))
    for begin, back in ((move_features.FROM_LAST, 1), (move_features.FROM_OWN, 2)):
        if len(board.order) >= back:
            row, column = divmod(board.order[-back], board.game.columns)
            apart = sorted((abs(at[0] - row), abs(at[1] - column)), reverse=True)
            known = [(more, fewer) for more in range(1, 5) for fewer in range(more + 1)]
            found.append(begin + (known.index((apart[0], apart[1])) if apart[0] < 5 else len(known)))
    return found


def position_of(options: dict[str, int], seed: int, plies: int) -> Position:
    """Played half at random, half as the greedy policy likes: lines come about."""
    luck, position = random.Random(seed), bw.load("gomoku", **options).begin()
    for _ in range(plies):
        weights = position.weigh(luck.choice(("greedy", "nearby")))
        after = position.play(luck.choices(position.moves, (weights + 1e-9).tolist())[0])
        if after.is_over:
            break
        position = after
    return position


some_positions = st.builds(position_of, st.sampled_from(BOARDS), st.integers(0, 10**6), st.integers(0, 40))


@given(st.text("xxo. ", min_size=8, max_size=8), st.booleans())
@examples(250)
def test_the_table_knows_every_line(sides: str, exactly: bool) -> None:
    game: Any = bw.load("gomoku", exactly=exactly)
    own = sum(1 << k for k, sign in enumerate(sides) if sign == ONE)
    closed = sum(1 << k for k, sign in enumerate(sides) if sign in (TWO, OUTSIDE))
    assert game.shapes[own << 8 | closed] == shape_of(sides[:4] + ONE + sides[4:], 5, exactly)


@pytest.mark.parametrize(
    ("line", "shape"),
    [
        ("....x....", shapes.ONE), ("....xx...", shapes.WIDE_TWO), ("..oxxx.o.", shapes.NOTHING),
        (".oxxx....", shapes.CLOSED_THREE), ("...xxx...", shapes.WIDE_THREE), (".oxxxx.o.", shapes.FOUR),
        ("..xxxx...", shapes.OPEN_FOUR), ("x.xxx.x..", shapes.OPEN_FOUR), ("xxxxx....", shapes.LINE),
    ],
)  # fmt: skip
def test_shapes_have_the_names_that_players_use(line: str, shape: int) -> None:
    assert shape_of(line, 5, False) == shape


@given(some_positions)
@examples(40)
def test_features_are_what_a_walk_over_the_board_finds(position: Position) -> None:
    board = Board(position)
    indices, values = position.features()
    assert dict(zip(indices.tolist(), values.tolist(), strict=True)) == pytest.approx(expected_features(board))
    for move in random.Random(0).sample(position.moves, min(8, len(position.moves))):
        assert sorted(position.move_features(move).tolist()) == sorted(expected_of_move(board, move))


@given(some_positions, st.integers(1, 7))
@examples(40)
def test_an_image_of_a_position_has_the_same_features(position: Position, image: int) -> None:
    game: Any = position.game
    states = np.zeros(2, game.state_dtype)
    states[:1] = copy_record(position.record)
    mirror_state(game, states, image % game.symmetries)
    other = Position(game, states[1:].copy())
    assert sorted(zip(*(part.tolist() for part in position.features()), strict=True)) == sorted(
        zip(*(part.tolist() for part in other.features()), strict=True)
    )
    for move in position.moves[:6]:
        there = int(game.images[image % game.symmetries, move])
        assert sorted(position.move_features(move).tolist()) == sorted(other.move_features(there).tolist())


@kernel
def listed(game, states, plan, choices, weights):  # type: ignore[no-untyped-def]  # Numba types rules
    return list_moves(game, states[0], plan, choices, weights, ROOT_TRIES)


def children(position: Position, *, forcing: bool = True, threats: bool = True) -> set[int]:
    """The moves that a tree looks at."""
    game = position.game
    plan = make_plan(game, SearchSettings(forcing=forcing, threats=threats))
    choices, weights = np.zeros(2 * game.actions, np.int32), np.zeros(game.actions)
    return set(choices[: listed(game, copy_record(position.record), plan, choices, weights)].tolist())


@given(some_positions)
@examples(60)
def test_a_tree_looks_at_every_move_that_wins_blocks_or_answers(position: Position) -> None:
    board = Board(position)
    game = board.game
    looked_at = children(position)
    points = {cell for cell in position.moves if position.view.wins[game.point(cell)]}
    own = {cell for cell in points if position.view.wins[game.point(cell)] & board.me + 1}
    assert looked_at >= (own or points)  # all points on which he wins, or else must block
    if points:
        return
    line, moves = np.zeros(game.actions, np.int32), np.array(position.moves, np.int32)
    kept = answering(game, copy_record(position.record), moves, len(moves), line)
    if kept < len(moves):
        assert looked_at == set(moves[:kept].tolist()), "every answer to a win by fours, near or far"
    else:
        assert looked_at == {row * game.columns + column for row, column in board.near()}


@kernel
def answering(game, states, moves, count, line):  # type: ignore[no-untyped-def]  # Numba types rules
    return game.answers(states[0], moves, count, line, ROOT_TRIES)


def test_without_forcing_every_move_has_a_child() -> None:
    position = position_of({"size": 9}, 1, 6)
    assert children(position, forcing=False, threats=False) == set(position.moves)
    assert len(children(position)) < len(position.moves)


@kernel
def prior_of(game, network, learned, states, moves, weights):  # type: ignore[no-untyped-def]  # Numba types rules
    network.prior(game, states[0], learned, moves, len(moves), weights)


@kernel
def lift_of(game, network, learned, states, work):  # type: ignore[no-untyped-def]  # Numba types rules
    indices = np.empty(network.most, np.int32)
    network.lift(indices, work, network.see(game, states[0], indices, work), learned)


def random_network(game: bw.Game) -> tuple[ValueNetwork, np.ndarray]:
    network = network_for(game, 32, 8, zero_sum=True, has_policy=True)
    numbers = fresh_numbers(network, 3, 1.0, random_rows=True)
    rng = np.random.Generator(np.random.PCG64(4))
    begin = network.count * network.first
    numbers[begin : begin + network.policy_rows * network.first] = rng.normal(
        0, 0.1, network.policy_rows * network.first
    )
    numbers[network.move_biases : network.move_biases + network.policy_rows] = rng.normal(0, 1, network.policy_rows)
    return network, numbers


@pytest.mark.parametrize("options", BOARDS[:3])
def test_the_policy_adds_up_the_rows_of_a_moves_features(options: dict[str, int]) -> None:
    """A product a feature, looked up for every move that has it: the same as all rows added up first."""
    position = position_of(options, 5, 9)
    game = position.game
    network, numbers = random_network(game)
    units = np.zeros(network.room, np.float32)
    interpret(lift_of)(game, network, numbers, copy_record(position.record), units)
    units = units[network.most : network.most + network.first]
    rows = numbers[network.count * network.first :][: network.policy_rows * network.first].reshape(-1, network.first)
    biases = numbers[network.move_biases :][: network.policy_rows]
    told = [position.move_features(move) for move in position.moves]
    logits = np.array([(rows[one].sum(axis=0) @ units) + biases[one].sum() for one in told])
    expected = np.exp(logits - logits.max())
    for form in (prior_of, interpret(prior_of)):
        shares = np.zeros(len(position.moves))
        form(game, network, numbers, copy_record(position.record), np.array(position.moves, np.int32), shares)
        assert shares == pytest.approx(expected / expected.sum(), rel=1e-3)
