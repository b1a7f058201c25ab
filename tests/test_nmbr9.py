"""NMBR 9 against a second, slow reading of the rulebook: sets of squares on a plane without edges."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardwright.compile import rule_kernels
from boardwright.compile.playout import new_room, play_games
from boardwright.contract.errors import InputError
from boardwright.contract.game import OVER
from boardwright.contract.position import Position, blank
from boardwright.contract.random import Random
from boardwright.contract.state import copy_record
from boardwright.games.nmbr9 import Nmbr9
from boardwright.games.nmbr9.sight import OBSERVED
from boardwright.games.nmbr9.tiles import LEVELS, RING, SHAPES, squares
from tests.marks import examples, slowly, thorough

Square = tuple[int, int]  # row, column
DIRECTIONS = ((0, 1), (1, 0), (0, -1), (-1, 0))

# Typed from the facts again, upright and in one picture, so that an error in the game's own table shows.
PICTURE = """
### ##. .## ### .## ### ##. ### .## ###
#.# .#. .## ..# .#. ### #.. .#. .## ###
#.# .#. ##. .## ### ..# ### ##. ##. ##.
### .#. ### ### .## ### ### #.. ##. ##.
"""
UPRIGHT: list[frozenset[Square]] = [
    frozenset((y, x) for y, line in enumerate(PICTURE.split("\n")[1:5]) for x in range(3) if line[4 * digit + x] == "#")
    for digit in range(10)
]


def turned(tile: frozenset[Square], degrees: int) -> frozenset[Square]:
    """The tile turned clockwise, its box in the corner."""
    for _ in range(degrees // 90):
        tile = frozenset((x, -y) for y, x in tile)
    top, left = min(y for y, _ in tile), min(x for _, x in tile)
    return frozenset((y - top, x - left) for y, x in tile)


class Table:
    """The rulebook, sentence by sentence. `floors[level]` says which tile lies on a square of that level."""

    def __init__(self, side: int = 0, most_levels: int = 0) -> None:
        self.floors: list[dict[Square, int]] = []
        self.side, self.most_levels, self.tiles, self.score = side, most_levels, 0, 0

    def level_of(self, tile: frozenset[Square]) -> int:
        """The level on which the tile may lie, or -1."""
        # Never moved again: no tile is pushed under another, so it lies on top of all that is there.
        level = sum(any(square in floor for square in tile) for floor in self.floors)
        if level == len(self.floors):
            floor: dict[Square, int] = {}
        else:
            floor = self.floors[level]
        if self.most_levels and level >= self.most_levels:
            return -1
        if self.side and not all(0 <= y < self.side and 0 <= x < self.side for y, x in tile):
            return -1
        # An edge shared with a tile of its level, unless it is the first there.
        if floor and not any((y + dy, x + dx) in floor for y, x in tile for dy, dx in DIRECTIONS):
            return -1
        # Every square on a tile of the level below, and at least two different tiles there.
        if level and not all(square in self.floors[level - 1] for square in tile):
            return -1
        if level and len({self.floors[level - 1][square] for square in tile}) < 2:
            return -1
        return level

    def places(self, digit: int) -> set[frozenset[Square]]:
        tiles = {turned(UPRIGHT[digit], degrees) for degrees in (0, 90, 180, 270)}
        if self.floors:
            rows = range(min(y for y, _ in self.floors[0]) - 5, max(y for y, _ in self.floors[0]) + 3)
            columns = range(min(x for _, x in self.floors[0]) - 5, max(x for _, x in self.floors[0]) + 3)
        else:
            rows = columns = range(self.side) if self.side else range(1)
        corners = [(row, column) for row in rows for column in columns]
        moved = (frozenset((y + row, x + column) for y, x in tile) for tile in tiles for row, column in corners)
        return {tile for tile in moved if self.level_of(tile) >= 0}

    def place(self, tile: frozenset[Square], digit: int) -> int:
        level = self.level_of(tile)
        assert level >= 0
        if level == len(self.floors):
            self.floors.append({})
        self.floors[level].update(dict.fromkeys(tile, self.tiles))
        self.tiles += 1
        self.score += digit * level
        return level


def squares_of(text: str, digit: int) -> frozenset[Square]:
    """What a move's text says: `90@3,-2` is the tile turned by 90 degrees, its box at column 3, row -2."""
    degrees, _, place = text.partition("@")
    column, row = map(int, place.split(","))
    return frozenset((y + row, x + column) for y, x in turned(UPRIGHT[digit], int(degrees)))


def view_of(position: Position) -> Any:
    """The state, whose fields no type checker knows."""
    return position.view


def choose(position: Position, policy: str, rng: Random) -> int:
    moves = position.moves
    if policy == "random":
        return moves[rng.below(len(moves))]
    if policy in ("right", "down"):  # as far as it goes: the layout becomes as wide, or as tall, as it can
        digit = view_of(position).digit
        ends = [max(square[policy == "right"] for square in squares_of(position.text(move), digit)) for move in moves]
        return moves[ends.index(max(ends))]
    weights = position.weigh(policy)
    best = np.flatnonzero(weights == weights.max())
    return moves[int(best[rng.below(len(best))])]


def play(game: Nmbr9, policy: str, seed: int, tiles: int = 20, *, debug: bool = False) -> Position:
    """The position before tile number `tiles` + 1 is placed, or the end."""
    rng, position = Random(seed), game.begin(seed, debug=debug)
    while not position.is_over and view_of(position).count < tiles:
        position = position.play(choose(position, policy, rng)).settle(rng)
    return position


# Seeds of greedy games that reach level 4 are rare (1 in 350); these were found by trying.
@pytest.mark.parametrize(
    ("policy", "options", "seeds", "highest"),
    [
        ("random", {}, range(0 if thorough() else 5, 8), 1),
        ("greedy", {}, (0, 15, 186, 328, 750, 832), 4),
        ("right", {}, range(1), 0),
        ("down", {}, range(1), 0),
        ("random", {"table": 9, "levels": 3}, range(5), 1),
        ("greedy", {"table": 9, "levels": 3}, range(5), 2),
        *slowly(("greedy", {"levels": 3}, range(2), 2)),
    ],
)
def test_legal_moves_and_scores_are_the_rulebooks(
    policy: str, options: dict[str, int], seeds: tuple[int, ...], highest: int
) -> None:
    game = Nmbr9(**options)
    reached, longest = [], 0
    for seed in seeds:
        rng = Random(seed)
        position, table = game.begin(seed), Table(game.table, game.levels)
        while True:
            digit = view_of(position).digit
            expected = table.places(digit) if digit >= 0 else set()
            if position.player == OVER:
                assert not expected
                break
            squares = {squares_of(position.text(move), digit): move for move in position.moves}
            assert len(squares) == len(position.moves)
            assert set(squares) == expected
            move = choose(position, policy, rng)
            reached.append(table.place(squares_of(position.text(move), digit), digit))
            position = position.play(move)
            assert position.scores[0] == table.score
            longest = max(longest, view_of(position).tall, view_of(position).wide)
            position = position.settle(rng)
        assert view_of(position).count == table.tiles
        assert table.tiles == 20 or game.table
    assert max(reached) >= highest
    if policy in ("right", "down"):
        assert longest > 70  # more than one strip of bits


def test_a_table_with_edges_can_end_a_game_early() -> None:
    position = play(Nmbr9(table=4), "random", 1, debug=True)
    assert position.is_over
    assert view_of(position).count == 1
    assert position.results == (0.0,)
    assert "has no place: the game is over" in str(position)


@pytest.mark.parametrize("options", [{"table": 3}, {"table": 81}, {"table": -1}, {"levels": -1}, {"levels": 11}])
def test_options_out_of_range_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(InputError, match=r"give"):
        Nmbr9(**options)


def results(policy: int, games: int) -> npt.NDArray[np.float64]:
    game = Nmbr9()
    found, totals = np.zeros((games, 1)), np.zeros(2, np.int64)
    states, room = np.zeros(2, game.state_dtype), new_room(game)
    finished = play_games(game, states, policy, Random(1).state, room, found, totals, 1000)
    assert finished == games
    assert totals.tolist() == [20 * games, 20 * games]
    return found[:, 0]


def test_yardsticks() -> None:
    assert 1.0 < results(0, 6000).mean() < 1.4  # its error is 0.03
    assert 64.0 < results(1, 2000).mean() < 75.0  # drawn in proportion to the weights; its error is 0.3


@pytest.mark.parametrize(("options", "policy"), [({}, "greedy"), ({}, "right"), ({"table": 9, "levels": 3}, "random")])
def test_interpreter_and_compiled_rules_agree(options: dict[str, int], policy: str) -> None:
    game, rng = Nmbr9(**options), Random(186)
    position = game.begin(186)
    while not position.is_over:
        slow = Position(game, copy_record(position.record), debug=True)
        assert (slow.player, slow.moves, slow.scores) == (position.player, position.moves, position.scores)
        assert (slow.weigh("greedy") == position.weigh("greedy")).all()
        move = choose(position, policy, rng)
        after = position.play(move)
        assert slow.play(move).key == after.key
        if not after.is_over:
            outcome = after.chances[rng.pick([chance for _, chance in after.chances])][0]
            slow_after = Position(game, copy_record(after.record), debug=True)
            assert slow_after.chances == after.chances
            assert (slow_after.observe() == after.observe()).all()
            after = after.draw(outcome)
            assert slow_after.draw(outcome).key == after.key
        position = after


def image_of(position: Position, image: int) -> Position:
    states = np.zeros(2, position.game.state_dtype)
    states[0] = position.record[0]
    rule_kernels.mirror_state(position.game, states, image)
    return Position(position.game, copy_record(states[1:]))


@pytest.mark.parametrize(
    ("options", "policy"), [({}, "greedy"), ({}, "random"), ({}, "right"), ({"table": 9, "levels": 3}, "random")]
)
def test_symmetries_commute_with_play(options: dict[str, int], policy: str) -> None:
    game = Nmbr9(**options)
    for seed in range(4):
        rng, position = Random(seed), game.begin(seed)
        while not position.is_over:
            move = choose(position, policy, rng)
            for image in range(4):
                mirrored = image_of(position, image)
                moves = np.array(position.moves, np.int32)
                rule_kernels.mirror_moves(game, moves, image)
                assert sorted(moves.tolist()) == sorted(mirrored.moves)
                there = int(moves[position.moves.index(move)])
                assert mirrored.play(there) == image_of(position.play(move), image)
                assert game.from_json(mirrored.to_json()) == mirrored if view_of(position).count == 7 else True
            position = position.play(move).settle(rng)
        assert image_of(image_of(position, 1), 3) == position
        assert image_of(position, 0) == position


def test_a_square_of_the_picture_a_network_sees() -> None:
    position = play(Nmbr9(), "greedy", 186, 15)
    s, seen = view_of(position), position.observe()
    stacks = position.game.stacks(view_of(position))  # type: ignore[attr-defined]  # of NMBR 9
    top, left = min(y for y, _ in stacks), min(x for _, x in stacks)
    y0, x0 = (28 - s.tall) // 2 - top, (28 - s.wide) // 2 - left
    assert seen.shape == (28, 28, len(OBSERVED)) == position.game.observe_shape
    for y in range(28):
        for x in range(28):
            pile = stacks.get((y - y0, x - x0), [])
            right, below = stacks.get((y - y0, x - x0 + 1), []), stacks.get((y - y0 + 1, x - x0), [])
            assert seen[y, x, :3].tolist() == [1, bool(pile), len(pile) / 4]
            assert seen[y, x, 3:8].tolist() == [
                len(pile) == level or (level == 5 and len(pile) > 5) for level in range(1, 6)
            ]
            assert seen[y, x, 8] == (len(pile) == len(right) > 0 and pile[-1] != right[-1])
            assert seen[y, x, 9] == (len(pile) == len(below) > 0 and pile[-1] != below[-1])
            assert seen[y, x, 10:20].tolist() == [digit == s.digit for digit in range(10)]
            assert (2 * seen[y, x, 20:]).tolist() == s.left.tolist()


@pytest.mark.parametrize("options", [{}, {"table": 9, "levels": 3}])
def test_moves_round_trip_as_text(options: dict[str, int]) -> None:
    position = play(Nmbr9(**options), "greedy", 5, 9)
    texts = [position.text(move) for move in position.moves]
    assert all(re.fullmatch(r"(0|90|180|270)@-?\d+,-?\d+", text) for text in texts)
    assert [position.parse(text) for text in texts] == list(position.moves)


def test_coordinates_stay_the_same_during_a_game() -> None:
    position = blank(Nmbr9()).draw("5").play("0@0,0").draw("1").play("90@-4,1").draw("9")
    assert position.game.stacks(view_of(position))[0, 0] == [0]  # type: ignore[attr-defined]  # of NMBR 9
    assert " -4 -3 -2 -1  0" in str(position)
    assert "0@-2,-2" not in [position.text(move) for move in position.moves]


def test_a_refused_move_gets_its_reason() -> None:
    first = blank(Nmbr9()).draw("5")
    second = first.play("0@0,0").draw("5")  # ### / ### / ..# / ###
    third = second.play("0@3,0").draw("8")
    for position, text, reason in (
        (first, "0@1,1", "the first tile lies at 0,0"),
        (second, "north", "write turn@column,row"),
        (second, "45@0,0", "cannot be turned by 45"),
        (second, "0@0,0", "on the 5 alone"),
        (second, "0@4,4", "no edge with a tile on level 0"),
        (second, "0@1,0", "not lie flat"),
        (third, "180@0,4", "looks the same after half a turn: write 0@0,4"),
        (blank(Nmbr9(table=6), debug=True).draw("5"), "0@4,0", "over the table's edge"),
    ):
        with pytest.raises(InputError, match=re.escape(reason)):
            position.play(text)
    limited = Nmbr9(levels=1)
    on_top = blank(limited, debug=True).draw("5").play("0@0,0").draw("5").play("0@3,0").draw("1")
    with pytest.raises(InputError, match="ends at level 0"):
        on_top.play("90@1,0")


def test_pictures_are_well_formed_and_name_every_square() -> None:
    for position in (
        blank(Nmbr9()),
        play(Nmbr9(), "greedy", 186, 16),
        play(Nmbr9(), "greedy", 186),
        play(Nmbr9(table=5), "random", 2, debug=True),
    ):
        root = ElementTree.fromstring(position.svg())
        assert root.get("viewBox")
        cells = {element.get("data-cell") for element in root.iter() if element.get("data-cell")}
        places = {(x, y) for y, x in position.game.stacks(view_of(position))}  # type: ignore[attr-defined]  # of NMBR 9
        assert {f"{x},{y}" for x, y in places} <= cells
        for text in map(position.text, position.moves if position.player == 0 else ()):  # no place is out of reach
            degrees, x, y = map(int, re.split("[@,]", text))
            shape = SHAPES[4 * view_of(position).digit + degrees // 90]
            assert {f"{x + column},{y + row}" for row, column in squares(shape)} <= cells
        assert f"score {view_of(position).score} " in str(position)


@cache
def sound(tiles: int) -> Position:
    return play(Nmbr9(), "greedy", 186, tiles)


BYTE = st.integers(-128, 127)


@examples(120)
@given(data=st.data())
def test_altered_states_are_refused_or_really_playable(data: st.DataObject) -> None:
    position = sound(data.draw(st.sampled_from((0, 1, 2, 6, 13, 19))))
    written = json.loads(position.to_json())
    state = written["state"]
    name = data.draw(st.sampled_from(sorted(state)))
    if isinstance(state[name], list):
        index = data.draw(st.integers(0, len(state[name]) - 1))
        near = st.sampled_from([state[name][index] + step for step in (-1, 1)])
        state[name][index] = data.draw(BYTE | near)
    else:
        state[name] = data.draw(BYTE | st.sampled_from([state[name] - 1, state[name] + 1]))
    try:
        altered = position.game.from_json(json.dumps(written))
    except InputError:
        return
    rng = Random(0)
    slow = Position(altered.game, copy_record(altered.record), debug=True).settle(rng)
    while not slow.is_over:
        slow = slow.play(slow.moves[rng.below(len(slow.moves))]).settle(rng)
    assert view_of(slow).count == 20


@pytest.mark.parametrize(
    ("field", "value"),
    [("score", 1), ("stuck", 1), ("top", 3), ("tall", 60), ("count", -1), ("digit", -2), ("digit", 11)],
)
def test_a_derived_field_that_does_not_follow_is_refused(field: str, value: int) -> None:
    written = json.loads(sound(6).to_json())
    assert written["state"][field] != value
    written["state"][field] = value
    with pytest.raises(InputError, match="cannot arise in play"):
        sound(6).game.from_json(json.dumps(written))


def test_no_layout_can_meet_itself() -> None:
    position = play(Nmbr9(), "right", 0)
    assert view_of(position).wide + 4 < RING
    assert view_of(position).wide > 70
    assert LEVELS == 20 // 2  # two tiles on each level but the last
