"""What a learnt value sees of NMBR 9, against the slow reading of the rulebook in test_nmbr9."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardwright.compile import rule_kernels
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.contract.state import copy_record
from boardwright.games.nmbr9 import Nmbr9
from boardwright.games.nmbr9 import features as kinds
from boardwright.games.nmbr9.tiles import RING
from tests.marks import examples, slowly
from tests.test_nmbr9 import DIRECTIONS, Square, Table, choose, squares_of, view_of

NO_FLOOR, FREE, COVERED = 0, 1, 2


def played(seed: int, tiles: int, policy: str, game: Nmbr9 | None = None) -> tuple[Position, Table]:
    """A position after so many tiles, and the same on the slow table."""
    position, rng = (game or Nmbr9()).begin(seed=seed), Random(seed)
    table = Table()
    for number in range(tiles):
        move = choose(position, policy, rng)
        digit = view_of(position).digit
        table.place(squares_of(position.text(move), digit), digit)
        position = position.play(move)
        if number + 1 < tiles:
            position = position.settle(rng)
    return position, table


def seen(position: Position) -> Counter[tuple[int, float]]:
    indices, values = position.features()
    return Counter(zip(indices.tolist(), values.tolist(), strict=True))


def kind_of(features: Counter[tuple[int, float]], begin: int, end: int) -> Counter[int]:
    return Counter({index - begin: n for (index, _), n in features.items() if begin <= index < end})


def turns_of(window: tuple[tuple[int, ...], ...]) -> list[tuple[tuple[int, ...], ...]]:
    found = [window]
    for _ in range(3):
        found.append(tuple(zip(*found[-1][::-1], strict=True)))
    return found


CASES = [(1, 3, "greedy"), (2, 9, "greedy"), (3, 14, "greedy"), (4, 19, "greedy"), (5, 12, "random"), (6, 20, "greedy")]


@pytest.mark.parametrize(("seed", "tiles", "policy"), CASES)
def test_places_of_every_digit_are_counted_as_the_rulebook_has_them(seed: int, tiles: int, policy: str) -> None:
    position, table = played(seed, tiles, policy)
    found = kind_of(seen(position), kinds.PLACES, kinds.WINDOWS)
    left = view_of(position).left
    expected: Counter[int] = Counter()
    for digit in range(10):
        levels = Counter(table.level_of(tile) for tile in table.places(digit)) if left[digit] else Counter()
        for level in range(1, len(table.floors) + 1):
            if left[digit] and len(set(table.floors[level - 1].values())) >= 2:
                step = max(i for i, least in enumerate(kinds.STEPS) if levels[level] >= least)
                expected[(((level - 1) * 10 + digit) * 2 + left[digit] - 1) * len(kinds.STEPS) + step] += 1
    assert found == expected


@pytest.mark.parametrize(("seed", "tiles", "policy"), CASES)
def test_windows_show_the_squares_round_each_free_square(seed: int, tiles: int, policy: str) -> None:
    """Classes are told apart by what they hold, not by their numbers: those the game may choose."""
    position, table = played(seed, tiles, policy)
    found = kind_of(seen(position), kinds.WINDOWS, kinds.SEAMS)
    by_level: dict[int, Counter[tuple[tuple[int, ...], ...]]] = {}
    for level in range(min(len(table.floors) + 1, kinds.LEVELS_SEEN)):
        floor = table.floors[level] if level < len(table.floors) else {}

        def state(square: Square, level: int = level, floor: dict[Square, int] = floor) -> int:
            if square in floor:
                return COVERED
            return FREE if level == 0 or square in table.floors[level - 1] else NO_FLOOR

        if level == 0:
            near = {(y + dy, x + dx) for y, x in floor for dy, dx in DIRECTIONS}
            free = {square for square in near if state(square) == FREE}
        else:
            free = {square for square in table.floors[level - 1] if state(square) == FREE}
        windows = (tuple(tuple(state((y + dy, x + dx)) for dx in (-1, 0, 1)) for dy in (-1, 0, 1)) for y, x in free)
        by_level[level] = Counter(min(turns_of(window)) for window in windows)
    for level, windows_of_level in by_level.items():
        ours = {i % kinds.WINDOW_CLASSES: n for i, n in found.items() if i // kinds.WINDOW_CLASSES == level}
        assert sorted(ours.values()) == sorted(windows_of_level.values())
        for window, n in windows_of_level.items():
            number = sum(3 ** (3 * y + x) * window[y][x] for y in range(3) for x in range(3))
            assert ours[kinds.window_classes()[0][number]] == n
    assert sum(found.values()) == sum(sum(windows.values()) for windows in by_level.values())


@pytest.mark.parametrize(("seed", "tiles", "policy"), CASES)
def test_seams_are_the_free_squares_at_which_two_tiles_meet(seed: int, tiles: int, policy: str) -> None:
    position, table = played(seed, tiles, policy)
    found = kind_of(seen(position), kinds.SEAMS, kinds.END)
    for level in range(min(len(table.floors), kinds.SEAM_LEVELS)):
        above = table.floors[level + 1] if level + 1 < len(table.floors) else {}
        free = {square: tile for square, tile in table.floors[level].items() if square not in above}
        corners = {(y - dy, x - dx) for y, x in free for dy in (0, 1) for dx in (0, 1)}
        expected: Counter[int] = Counter()
        for y, x in corners:
            ring = [(y, x), (y, x + 1), (y + 1, x + 1), (y + 1, x)]  # clockwise from the top left
            bits = sum(1 << k for k in range(4) if ring[k] in free)
            pairs = [(ring[0], ring[1]), (ring[1], ring[2]), (ring[3], ring[2]), (ring[0], ring[3])]
            for k, (one, two) in enumerate(pairs):
                if one in free and two in free and free[one] != free[two]:
                    bits |= 16 << k
            if bits >> 4:
                expected[kinds.seam_classes()[0][bits]] += 1
        ours = {i % kinds.SEAM_CLASSES: n for i, n in found.items() if i // kinds.SEAM_CLASSES == level}
        assert ours == dict(expected)


def test_windows_and_seams_that_turn_into_another_share_a_class_and_others_do_not() -> None:
    windows, count = kinds.window_classes()
    assert len(set(windows.tolist())) == count == (3**9 + 3**5 + 2 * 3**3) // 4  # Burnside: turns by 0, 180, twice 90
    seams, count = kinds.seam_classes()
    assert len(set(seams)) == count == (2**8 + 2**4 + 2 * 2**2) // 4


@examples(25)
@given(
    seed=st.integers(0, 10**6), tiles=st.integers(1, 20), policy=st.sampled_from(["random", "greedy"]),
    down=st.integers(0, RING - 1), right=st.integers(0, RING - 1), image=st.integers(0, 3),
)  # fmt: skip
def test_neither_place_nor_turn_of_a_layout_matters(
    seed: int, tiles: int, policy: str, down: int, right: int, image: int
) -> None:
    game = Nmbr9()
    position, _ = played(seed, tiles, policy, game)
    states = np.zeros(2, game.state_dtype)
    states[:1] = copy_record(position.record)
    rule_kernels.mirror_state(game, states, image)
    moved = copy_record(states[1:])
    for name, by in (("row", down), ("top", down), ("column", right), ("start_column", right)):
        moved[name] = (moved[name].astype(int) + by) % RING
    moved.flags.writeable = False  # as a position's record is
    indices, values = np.zeros(game.features_most, np.int32), np.zeros(game.features_most, np.float32)
    count = rule_kernels.list_features(game, moved, indices, values)
    assert Counter(zip(indices[:count].tolist(), values[:count].tolist(), strict=True)) == seen(position)


@pytest.mark.parametrize("policy", ["right", "down", "random", "greedy"])
@pytest.mark.parametrize("options", [{}, *slowly({"levels": 2}, {"table": 12})])
def test_interpreter_and_compiled_rules_see_alike_however_wide_the_layout(policy: str, options: dict[str, int]) -> None:
    game, rng = Nmbr9(**options), Random(4)
    position = game.begin(seed=4)
    while not position.is_over:
        after = position.play(choose(position, policy, rng))
        indices, values = after.features()
        slow = Position(game, after.record, debug=True).features()
        assert np.array_equal(indices, slow[0]) and np.array_equal(values, slow[1])
        assert len(indices) <= game.features_most and 0 <= indices.min() <= indices.max() < game.features_count
        position = after.settle(rng)
