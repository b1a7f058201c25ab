"""N-tuple tables: bitboards against the rules, generated code against the plain sum, both trainers alike."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boardwright as bw
from boardwright.compile import rule_kernels
from boardwright.compile.kernel import interpret, kernel
from boardwright.compile.td_steps import FRESH, MOVES, SUM, Step, adjust
from boardwright.contract.errors import InputError
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.contract.state import States
from boardwright.games.twenty48.bitboard import (
    add_tile,
    board_of,
    cells_of,
    count_nibbles,
    empty_marks,
    flip_columns,
    flip_rows,
    row_tables,
    slide,
    transpose,
    two_largest,
)
from boardwright.games.twenty48.learner import learn_boards, new_board_lesson
from boardwright.games.twenty48.table_code import pieces
from boardwright.learn.tuples.learning import learn_games, meet_random, new_lesson
from boardwright.learn.tuples.patterns import NAMED, Grid, grid_of, images_of, read_patterns
from boardwright.learn.tuples.settings import TupleSettings, patterns_for
from boardwright.learn.tuples.tables import TupleTables, tables_for
from boardwright.learn.tuples.train import TupleLearner, slice_games
from tests.marks import examples

GAME = bw.load("2048")
ROWS = row_tables()
BOARDS = st.lists(st.integers(0, 15), min_size=16, max_size=16)
SMALL = st.lists(st.sampled_from([0, 0, 1, 2, 3, 4, 11, 14]), min_size=16, max_size=16)


def position_of(cells: list[int], actor: int = 0, game: Any = GAME) -> Position:
    record = np.zeros(1, game.state_dtype)
    s: Any = States(record)[0]
    for cell, tile in enumerate(cells):
        s.cells[cell] = tile
    s.tiles = sum(tile > 0 for tile in cells)
    s.actor = actor
    return Position(game, record)


def number(cells: list[int]) -> np.uint64:
    return np.uint64(board_of(cells))


def random_table(tables: TupleTables, seed: int = 1) -> npt.NDArray[np.float32]:
    return np.random.default_rng(seed).normal(100.0, 500.0, tables.size).astype(np.float32)


# Bitboards against the rules


@given(SMALL)
def test_slides_are_those_of_the_rules(cells: list[int]) -> None:
    """Where no two tiles of 32768 can meet, every direction moves, scores and refuses as the rules say."""
    position = position_of(cells)
    moves, room = [], np.zeros(4, np.int32)
    moves = room[
        : interpret(rule_kernels.look)(GAME, position.record, room, np.zeros(4), np.zeros(1), np.zeros(1))[1]
    ].tolist()
    for direction in range(4):
        after, points = slide(number(cells), ROWS, direction)
        assert (after != number(cells)) == (direction in moves)
        if direction in moves:
            played = position._after("play_move", direction)
            assert cells_of(int(after)) == list(played.view.cells)
            assert points == played.scores[0]


@given(BOARDS)
def test_images_turn_boards_as_grids_do(cells: list[int]) -> None:
    grid = np.array(cells).reshape(4, 4)
    for turned, expected in (
        (transpose(number(cells)), grid.T),
        (flip_rows(number(cells)), grid[::-1]),
        (flip_columns(number(cells)), grid[:, ::-1]),
    ):
        assert cells_of(int(turned)) == expected.reshape(-1).tolist()
    assert count_nibbles(empty_marks(number(cells))) == cells.count(0)
    assert two_largest(number(cells)) == (cells.count(15) >= 2)


@given(SMALL.filter(lambda cells: 0 in cells), st.integers(0, 2**63), st.sampled_from([0.0, 0.1, 0.5, 1.0]))
def test_new_tiles_are_those_that_the_rules_would_draw(cells: list[int], seed: int, four: float) -> None:
    """One random number, one tile: by `pick` from the list of chances, or straight from the number."""
    game = bw.load("2048", four=four)
    position = position_of(cells, actor=bw.CHANCE, game=game)
    expected = position.sample(Random(seed))
    got = add_tile(number(cells), Random(seed).unit(), four)
    assert cells_of(int(got)) == list(expected.view.cells)


# Patterns


def test_images_of_a_grid_are_those_of_the_game() -> None:
    images = images_of(grid_of(GAME))
    position = position_of(list(range(16)))
    theirs = set()
    for image in range(8):
        out = np.zeros(1, GAME.state_dtype)
        GAME.interpreted.mirror(position.view, image, States(out)[0])
        theirs.add(tuple(out["cells"][0].tolist()))
    assert {tuple(image.tolist()) for image in images} == theirs and len(theirs) == 8
    assert images_of(Grid("cells", 2, 3, 3, tuple(range(6)))).shape == (4, 6)


def test_patterns_are_read_and_refused() -> None:
    grid = grid_of(GAME)
    assert read_patterns("4x6", grid)[1] == (4, 5, 6, 7, 8, 9)
    assert read_patterns("0145+569a", grid) == ((0, 1, 4, 5), (5, 6, 9, 10))
    assert read_patterns("0.1.12", grid) == ((0, 1, 12),)
    assert read_patterns("lines4", grid) == ((0, 1, 2, 3), (0, 5, 10, 15), (1, 5, 9, 13))  # of symmetric ones, one
    assert len(read_patterns("all-2x2", grid)) == 3  # corner, edge, middle
    assert [len(read_patterns(name, grid)) for name in NAMED] == [4, 8, 4, 5]
    for text, reason in (
        ("", "names none"),
        ("0gz", "is no set of different cells below 16"),
        ("0-1", "is no pattern; name cells by digits"),
        ("011", "is no set of different cells"),
        ("all-2", "write all-RxC"),
        ("01234567", "needs a table of more than"),
    ):
        with pytest.raises(InputError, match=reason):
            read_patterns(text, grid)
    with pytest.raises(InputError, match="are for a board of 4x4, not 5x5"):
        read_patterns("4x6", grid_of(bw.load("2048", size=5)))


def test_games_that_tables_cannot_serve_are_refused() -> None:
    with pytest.raises(InputError, match="azul: n-tuple tables are for one player, or two who play to win"):
        tables_for(bw.load("azul", players=3), "all-2x2")
    with pytest.raises(InputError, match="nmbr9: it says nothing of a grid, which n-tuple tables need"):
        tables_for(bw.load("nmbr9"), "all-2x2")


@given(st.permutations(range(16)).flatmap(lambda cells: st.integers(1, 6).map(lambda n: tuple(cells[:n]))), BOARDS)
def test_runs_of_nibbles_give_the_index_of_a_pattern(pattern: tuple[int, ...], cells: list[int]) -> None:
    board, index = board_of(cells), 0
    for first, begin, length in pieces(pattern):
        index |= (board >> 4 * first & (1 << 4 * length) - 1) << 4 * begin
    assert index == sum(cells[cell] << 4 * digit for digit, cell in enumerate(pattern))


# The value


def slow_value(tables: TupleTables, learned: npt.NDArray[np.float32], cells: list[int]) -> float:
    """By the book: over patterns and over the eight turned grids."""
    total = 0.0
    for pattern, offset in zip(tables.cells, tables.offsets.tolist(), strict=True):
        for turn in range(4):
            for grid in (
                np.rot90(np.array(cells).reshape(4, 4), turn),
                np.rot90(np.array(cells).reshape(4, 4), turn).T,
            ):
                flat = grid.reshape(-1).tolist()
                total += float(learned[offset + sum(flat[cell] * 16**k for k, cell in enumerate(pattern))])
    return total


@examples(30)
@given(BOARDS, st.sampled_from(["5x4", "045+f9c0"]))
def test_the_value_is_the_sum_over_patterns_and_images(cells: list[int], patterns: str) -> None:
    tables = tables_for(GAME, patterns)
    learned = random_table(tables)
    fast = board_value(tables, learned, number(cells))
    out = np.zeros(1)
    state_value(GAME, tables, learned, position_of(cells, bw.CHANCE).record, out)
    plain = cell_by_cell(tables, learned, position_of(cells, bw.CHANCE).record)
    assert fast == out[0] == plain  # to the last bit
    assert fast == pytest.approx(slow_value(tables, learned, cells), abs=0.05)
    twin = np.zeros(1)
    interpret(state_value)(GAME, tables, learned, position_of(cells, bw.CHANCE).record, twin)
    assert twin[0] == out[0]
    for image in (transpose(number(cells)), flip_rows(number(cells))):
        assert board_value(tables, learned, np.uint64(image)) == pytest.approx(fast, abs=0.05)


@kernel
def board_value(tables: Any, learned: Any, board: Any) -> Any:
    return tables.board_value(learned, board)


@kernel
def state_value(game: Any, tables: Any, learned: Any, states: Any, out: Any) -> None:
    tables.value(game, states[0], learned, out)


@kernel
def cell_by_cell(tables: Any, learned: Any, states: Any) -> Any:
    return tables.total(states[0], learned, 0)


def test_the_value_counts_points_so_far_and_large_tiles_as_the_largest() -> None:
    tables = tables_for(GAME, "5x4")
    learned = random_table(tables)
    position = position_of([17, 16, *[0] * 14], bw.CHANCE)
    record = position.record.copy()
    record["score"] = 1000
    out = np.zeros(1)
    state_value(GAME, tables, learned, record, out)
    assert out[0] == 1000 + board_value(tables, learned, number([15, 15, *[0] * 14]))


def test_where_the_player_moves_the_best_afterstate_speaks() -> None:
    """Tables learn afterstates: of a board that waits for a slide they would say nothing true."""
    tables = tables_for(GAME, "5x4")
    learned = random_table(tables)
    cells = [1, 1, 2, 0, 3, 0, 0, 0, *[0] * 8]
    promises = []
    for direction in range(4):
        after, points = slide(number(cells), ROWS, direction)
        if after != int(number(cells)):
            promises.append(points + board_value(tables, learned, np.uint64(after)))
    out = np.zeros(1)
    state_value(GAME, tables, learned, position_of(cells).record, out)
    assert out[0] == max(promises) and len(promises) == 4 - 1


def test_two_players_have_a_block_each_and_opposite_values() -> None:
    game: Any = bw.load("tictactoe")
    tables = tables_for(game, "all-3x3")
    assert tables.size == 2 * 3**9 and tables.seats == 2 and not tables.on_bitboards
    learned = np.zeros(tables.size, np.float32)
    learned[0] = 0.5  # the empty board, X to move
    out = np.zeros(2)
    state_value(game, tables, learned, game.begin().record, out)
    assert out.tolist() == [4.0, -4.0]  # eight images, one table
    after = game.begin().play("b2")
    learned[3**9 + 3**4] = 0.25  # X in the middle, O to move
    state_value(game, tables, learned, after.record, out)
    assert out.tolist() == [2.0, -2.0]


# Learning


def test_steps_are_shared_and_shrink_when_errors_change_sign() -> None:
    learned, coherence = np.zeros(4, np.float32), np.zeros((4, 2), np.float32)
    indices = np.array([1, 3], np.uint64)
    step = Step(alpha=1.0, trace=0.0, coherent=1, restart=0)
    assert adjust(learned, coherence, indices, 1, 8.0, step) == 8.0
    assert learned.tolist() == [0, 4, 0, 4] and coherence[1].tolist() == [8, 8]
    assert adjust(learned, coherence, indices, 1, -8.0, step) == 0.0  # so far all errors had one sign: a full step
    assert coherence[3].tolist() == [0, 16]
    assert adjust(learned, coherence, indices, 1, 100.0, step) == 0.0  # they cancelled: no step at all
    plain = step._replace(coherent=0, alpha=0.5)
    assert adjust(learned, coherence, indices, 1, 100.0, plain) == 50.0 and coherence[3].tolist() == [100, 116]


@pytest.mark.parametrize(
    ("step", "four"),
    [
        (Step(1.0, 0.5, 1, 0), 0.1),
        (Step(0.1, 0.0, 0, 0), 0.1),
        (Step(1.0, 0.5, 1, 10), 0.1),
        (Step(1.0, 1.0, 1, 40), 0.25),
    ],
    ids=["tc", "td0", "restarts", "trace1"],
)
def test_both_trainers_learn_the_same_number_for_number(step: Step, four: float) -> None:
    """40 games on bitboards and by the rules of the game: equal tables, coherences, scores, random states."""
    game: Any = bw.load("2048", four=four)
    tables = tables_for(game, "5x4")
    fast, slow = np.zeros(tables.size, np.float32), np.zeros(tables.size, np.float32)
    fast_sums, slow_sums = np.zeros((tables.size, 2), np.float32), np.zeros((tables.size, 2), np.float32)
    boards = new_board_lesson(tables.active, Random(5).state)
    states = new_lesson(game, tables.active, Random(5).state, 20_000)
    learn_boards(tables, fast, fast_sums, ROWS, four, step, boards, 40)
    learn_games(game, tables, slow, slow_sums, step, 0.0, states, 40)
    assert boards.rng[0] == states.rng[0]
    assert boards.stats[[FRESH, MOVES, SUM]].tolist() == states.stats[[FRESH, MOVES, SUM]].tolist()
    assert (boards.stats[FRESH] < 40) == (step.restart > 0)
    np.testing.assert_array_equal(fast, slow)
    if step.coherent:
        np.testing.assert_array_equal(fast_sums, slow_sums)
    assert np.count_nonzero(fast) > 1000


def test_the_trainer_is_the_same_in_the_interpreter() -> None:
    game: Any = bw.load("tictactoe")
    tables = tables_for(game, "all-3x3")
    results = []
    for run in (learn_games, interpret(learn_games)):
        learned, sums = np.zeros(tables.size, np.float32), np.zeros((tables.size, 2), np.float32)
        lesson = new_lesson(game, tables.active, Random(3).state, 20_000)
        run(game, tables, learned, sums, Step(0.5, 0.5, 1, 0), 0.2, lesson, 20)
        results.append((learned, sums, int(lesson.rng[0]), lesson.stats))
    np.testing.assert_array_equal(results[0][0], results[1][0])
    np.testing.assert_array_equal(results[0][1], results[1][1])
    assert results[0][2] == results[1][2] and results[0][3].tolist() == results[1][3].tolist()


def test_a_line_game_is_learnt_from_nothing_to_play_without_a_mistake(tmp_path: Path) -> None:
    """Tic-tac-toe from 20,000 games of its own: never loses, whatever the other does, and does not waste a win against
    the perfect solver's draws. All games against all replies are walked."""
    game: Any = bw.load("tictactoe")
    learner = TupleLearner(game, TupleSettings(patterns="all-3x3", games=20_000, alpha=0.5, explore=0.1), seed=1)
    while learner.done < learner.settings.games:
        learner.run_slice(learner.settings.step_share(learner.done / learner.settings.games), None)
    tables, learned = learner.tables, learner.learned
    lost = won = 0

    def walk(position: Position, seat: int) -> None:
        nonlocal lost, won
        if position.is_over:
            assert position.results is not None
            lost += position.results[seat] < 0
            won += position.results[seat] > 0
            return
        if position.player != seat:
            for move in position.moves:
                walk(position.play(move), seat)
            return
        sign = 1.0 if seat == 0 else -1.0

        def promise(move: int) -> float:
            after = position.play(move)
            if after.results is not None:
                return sign * after.results[0]
            out = np.zeros(2)
            state_value(game, tables, learned, after.record, out)
            return sign * float(out[0])

        walk(position.play(max(position.moves, key=promise)), seat)

    walk(game.begin(), 0)
    walk(game.begin(), 1)
    assert lost == 0 and won > 50
    results = np.zeros(400)
    meet_random(game, tables, learned, new_lesson(game, tables.active, Random(1).state, 1), results)
    assert results.min() >= 0.0 and results.mean() > 0.85


@pytest.mark.slow
def test_two_thousand_games_beat_every_hand_made_policy_of_the_seed() -> None:
    """2048 by 5x4 patterns: above 19,193, the best mean that the seed reports, after seconds of training."""
    learner = TupleLearner(GAME, TupleSettings(patterns="5x4", games=2000), seed=1)
    while learner.done < 2000:
        learner.run_slice(learner.settings.step_share(learner.done / 2000), None)
    tested = learner.test(200, None)
    assert tested.low > 19_193


# Settings


def test_settings_are_checked_and_presets_fit() -> None:
    for wrong, reason in (
        ({"games": 0}, "games=0 must be 1 or more"),
        ({"rule": "sgd"}, "rule=sgd does not exist; there are tc, td"),
        ({"alpha": 0.0}, "alpha=0.0 must lie above 0"),
        ({"trace": 1.5}, "trace=1.5 must be 0 to 1"),
        ({"restart": 1}, "restart=1 must be 0, or 2 or more"),
        ({"threads": 0}, "threads=0 must be 1 to 64"),
    ):
        with pytest.raises(InputError, match=reason):
            TupleSettings(**wrong)
    for spec in ("2048", "2048:size=5", "tictactoe", "gomoku:size=7"):
        game = bw.load(spec)
        presets = TupleSettings.presets(game)
        assert list(presets) == ["quick", "lunch", "night"]
        for preset in presets.values():
            made = TupleSettings(**preset)  # type: ignore[arg-type]  # values of many types
            tables_for(game, patterns_for(game, made.patterns))


def test_the_step_shrinks_in_the_tail_only() -> None:
    own = TupleSettings(tail=0.25, tail_alpha=0.1)
    assert [round(own.step_share(x), 3) for x in (0.0, 0.75, 0.875, 1.0)] == [1.0, 1.0, 0.55, 0.1]
    assert TupleSettings(tail=0.0).step_share(1.0) == 1.0
    assert slice_games(TupleSettings(games=50)) == 1 and slice_games(TupleSettings(games=10**6)) == 100


def test_two_threads_learn_on_one_table() -> None:
    from concurrent.futures import ThreadPoolExecutor

    learner = TupleLearner(GAME, TupleSettings(patterns="5x4", games=4000, threads=2), seed=1)
    with ThreadPoolExecutor(2) as pool:
        while learner.done < 1000:
            learner.run_slice(1.0, pool)
        assert learner.test(50, pool).value > 8000
    assert learner.stats[FRESH] == learner.done
    assert learner.workers[0].rng[0] != learner.workers[1].rng[0]
    assert replace(learner.settings, threads=1).threads == 1
