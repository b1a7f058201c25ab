"""Playing by n-tuple tables: the search against the plain expectimax, whole games against `match`, files, players."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boardwright as bw
from boardwright.compile.kernel import interpret
from boardwright.contract.errors import InputError
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.contract.state import States
from boardwright.games.twenty48.bitboard import (
    board_of,
    cells_of,
    flip_columns,
    flip_rows,
    row_tables,
    slide,
    transpose,
)
from boardwright.games.twenty48.expectimax import (
    NOTHING,
    Reach,
    downgraded,
    expect,
    halve_tiles,
    least_image,
    new_lookahead,
    search_slide,
)
from boardwright.games.twenty48.heuristic import LaneOrder, lane_numbers
from boardwright.learn.models import save_model
from boardwright.learn.tuples.board_player import BoardPlayer
from boardwright.learn.tuples.measure import measure_tiles, measure_training
from boardwright.learn.tuples.store import load_tables, pack, save_packed, unpack
from boardwright.learn.tuples.tables import TupleTables, tables_for
from boardwright.search.exact.expectimax import Expectimax, ExpectimaxSettings
from tests.marks import examples

GAME = bw.load("2048")
ROWS = row_tables()
SMALL = st.lists(st.sampled_from([0, 0, 0, 1, 1, 2, 3, 5, 9, 11]), min_size=16, max_size=16)


def random_table(tables: TupleTables, seed: int = 1) -> npt.NDArray[np.float32]:
    return np.random.default_rng(seed).normal(100.0, 50.0, tables.size).astype(np.float32)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of noise: no play depends on its being good."""
    tables = tables_for(GAME, "5x4")
    path = tmp_path_factory.mktemp("models") / "noise.safetensors"
    return save_model(path, "tuples", GAME, {"patterns": "5x4"}, {"learned": random_table(tables)})


def a_position(seed: int, moves: int) -> Position:
    rng, position = Random(seed), GAME.begin(seed)
    for _ in range(moves):
        if position.is_over:
            break
        position = position.play(position.moves[rng.below(len(position.moves))]).settle(rng)
    return position


# The search


@pytest.mark.parametrize("plies", [1, 2, 3])
def test_the_search_is_expectimax_with_the_table_at_the_horizon(plies: int) -> None:
    tables = tables_for(GAME, "5x4")
    learned = random_table(tables)
    tables.__dict__["learned"] = learned
    plain = Expectimax(GAME, ExpectimaxSettings(depth=plies, nodes=10**8), tables)
    lookahead = new_lookahead(8, 8)
    values = lookahead.values
    for seed in range(4):
        position = a_position(seed, 60)
        if position.is_over:
            continue
        expected = {move: float(v[0]) - position.scores[0] for move, v in plain.values(position).items()}
        board = np.uint64(board_of(position.view.cells))
        best = search_slide(tables, learned, ROWS, lookahead, board, Reach(plies, 0.1, 15))
        got = {move: values[move] for move in range(4) if values[move] > NOTHING}
        assert got == pytest.approx(expected, rel=1e-5)
        assert got[best] == max(got.values())


def test_the_search_can_stop_and_go_on_and_is_the_same_in_the_interpreter() -> None:
    tables = tables_for(GAME, "5x4")
    learned = random_table(tables)
    position = a_position(3, 40)
    board = np.uint64(board_of(position.view.cells))
    after = next(a for a, _ in (slide(board, ROWS, d) for d in range(4)) if a != int(board))

    def value(run: Any, nodes: int) -> tuple[float, int, int]:
        lookahead = new_lookahead(1, 8)
        stack, progress = lookahead.stack, lookahead.progress
        stack["after"][0], stack["plies"][0], stack["tile"][0] = after, 2, -1
        calls = 1
        while not run(tables, learned, ROWS, lookahead, 0.1, nodes):
            calls += 1
        return float(progress["value"][0]), int(progress["nodes"][0]), calls

    whole = value(expect, 10**9)
    assert whole[2] == 1
    parts = value(expect, 7)
    assert parts[:2] == whole[:2] and parts[2] > 10
    small = tables_for(GAME, "045")
    tables, learned = small, random_table(small)
    assert value(interpret_on_numbers, 10**9) == value(expect, 10**9)


def interpret_on_numbers(*args: Any) -> Any:
    """Compiled code wraps unsigned numbers silently; in the interpreter NumPy warns of it."""
    with np.errstate(over="ignore"):
        return interpret(expect)(*args)


@given(SMALL)
def test_a_board_and_its_images_share_their_place_in_the_memory(cells: list[int]) -> None:
    board = np.uint64(board_of(cells))
    turned = [board, *(np.uint64(turn(board)) for turn in (flip_rows, flip_columns, transpose))]
    assert len({int(least_image(image)) for image in turned}) == 1
    grid = np.array(cells).reshape(4, 4)
    every = [np.rot90(g, turn) for turn in range(4) for g in (grid, grid.T)]
    assert int(least_image(board)) == min(board_of(g.reshape(-1)) for g in every)


def halved(cells: list[int], smallest: int) -> list[int]:
    tiles = np.array(cells, np.int64)
    assert interpret(halve_tiles)(tiles, smallest) == (tiles.tolist() != cells)
    return [int(tile) for tile in tiles]


@given(st.lists(st.sampled_from([0, 0, 1, 2, 11, 12, 13, 14, 15]), min_size=16, max_size=16))
def test_halving_large_tiles_changes_no_slide(cells: list[int]) -> None:
    board = np.uint64(board_of(cells))
    for smallest in (15, 13):
        seen = cells_of(int(downgraded(board, smallest)))
        assert seen == [min(tile, 15) for tile in halved(cells, smallest)] or max(cells) < smallest
        if max(cells) < smallest:
            assert seen == cells
        present = {tile for tile in cells if tile}
        assert len(set(seen) - {0}) == len(present)
        for direction in range(4):
            before, after = slide(board, ROWS, direction), slide(np.uint64(board_of(seen)), ROWS, direction)
            assert (before[0] != int(board)) == (after[0] != board_of(seen))


def test_halving_by_example() -> None:
    # 32768, 16384 and 4096: 8192 is missing, so what is above it is halved
    assert halved([15, 14, 12, 1] + [0] * 12, 15) == [14, 13, 12, 1] + [0] * 12
    assert halved([17, 16, 14, 1] + [0] * 12, 15)[:4] == [15, 14, 13, 1]  # 131072: until a nibble holds it
    assert halved([14, 13] + [0] * 14, 15) == [14, 13] + [0] * 14
    assert halved([2, 1] + [0] * 14, 2) == [2, 1] + [0] * 14  # nothing is missing below


# Players


def test_whole_games_in_kernels_are_those_of_a_match(model: Path) -> None:
    for spec, games in (
        (f"tuples:table={model},plies=1", 5),
        (f"tuples:table={model},plies=2", 2),
        ("heuristic:plies=1", 2),
    ):
        figures = measure_tiles(GAME, spec, games, seed=4, threads=2)
        result = bw.match(GAME, [spec], games=games, seed=4)
        assert [one.score for one in figures.games] == [game.scores[0] for game in result.outcomes]
        assert [one.largest for one in figures.games] == [game.marks["largest tile"] for game in result.outcomes]
        told = figures.to_dict()
        assert told["mean"]["value"] == pytest.approx(np.mean(told["scores"])) and told["cut"] == 0


def test_hand_made_values_look_ahead() -> None:
    """Two plies of expectimax on the order of lanes: above the report's best mean, without training."""
    figures = measure_tiles(GAME, "heuristic:plies=2", 40, seed=1, threads=2)
    assert figures.score.low > 25_000
    assert figures.reached(1024).value > 0.9
    with pytest.raises(InputError, match="the player heuristic is for 2048 on 4x4"):
        bw.player("heuristic", bw.load("2048", size=5))
    assert LaneOrder().lanes == 8 and lane_numbers()[0] > lane_numbers()[0x1212]


def test_a_player_thinks_for_its_time_and_tells_what_it_saw(model: Path) -> None:
    position = a_position(1, 30)
    hurried = bw.player(f"tuples:table={model},seconds=1e-9", GAME).choose(position)
    assert hurried.move in position.moves and hurried.note == "1 plies"
    choice = bw.player(f"tuples:table={model},seconds=1000,plies=3", GAME).choose(position)  # more than enough
    assert choice.move in position.moves and choice.note == "3 plies"
    assert set(choice.values) == set(position.moves)
    assert choice.value == (max(choice.values.values()),) and choice.simulations > 100
    fixed = bw.player(f"tuples:table={model},plies=3", GAME)
    first = fixed.choose(position)
    again = fixed.choose(position)  # from memory
    assert again.values == pytest.approx(first.values, rel=1e-6) and again.simulations < first.simulations
    fixed.forget()
    assert fixed.choose(position).simulations == first.simulations


def test_tiles_beyond_a_nibble_are_played_on(model: Path) -> None:
    record = np.zeros(1, GAME.state_dtype)
    s: Any = States(record)[0]
    for cell, tile in enumerate([17, 16, 15, 14, 1, 2, 1, 2]):
        s.cells[cell] = tile
    s.tiles = 8
    position = Position(GAME, record)
    for spec in (f"tuples:table={model},plies=2", "heuristic:plies=2"):
        choice = bw.player(spec, GAME).choose(position)
        assert choice.move in position.moves
    with pytest.raises(InputError, match="nobody is to move here"):
        bw.player(f"tuples:table={model}", GAME).choose(position.play("down"))


def test_settings_of_players_are_checked(model: Path) -> None:
    for text, reason in (
        ("plies=17", "plies=17 must be 0 to 16"),
        ("seconds=-1", "seconds=-1.0 must be 0"),
        ("megabytes=0.5", "megabytes=0.5 must be 1"),
        ("downgrade=1000", "downgrade=1000 must be a tile"),
        ("table=nonesuch", "no model 'nonesuch'"),
        ("depth=2", "player tuples has no setting 'depth'; its settings are: table=auto, plies=0"),
    ):
        with pytest.raises(InputError, match=reason):
            bw.player(f"tuples:{text}", GAME)
    with pytest.raises(InputError, match="was made for 2048, not for tictactoe"):
        bw.player(f"tuples:table={model}", bw.load("tictactoe"))
    with pytest.raises(InputError, match="only players on bitboards can be measured so"):
        measure_tiles(GAME, "random", 1, 0, 1)
    with pytest.raises(InputError, match="games here have no clock"):
        measure_tiles(GAME, f"tuples:table={model},seconds=1", 1, 0, 1)


def test_another_size_is_played_by_the_rules(tmp_path: Path) -> None:
    """3x3 has no bitboard: the same player looks ahead by the generic search."""
    game = bw.load("2048", size=3)
    tables = tables_for(game, "all-2x2")
    path = save_model(
        tmp_path / "m.safetensors", "tuples", game, {"patterns": "all-2x2"}, {"learned": random_table(tables)}
    )
    player = bw.player(f"tuples:table={path},plies=2", game)
    assert not isinstance(player, BoardPlayer)
    position, rng = game.begin(1), Random(1)
    while not position.is_over:
        choice = player.choose(position)
        assert choice.line[0] == choice.move
        position = position.play(choice.move).settle(rng)
    player.forget()
    with pytest.raises(InputError, match="tuples with seconds= is for 2048 on 4x4"):
        bw.player(f"tuples:table={path},seconds=1", game)
    with pytest.raises(InputError, match="mcts:table= is for 2048 on 4x4 and for games without chance"):
        bw.player(f"mcts:table={path},simulations=9", game)
    with pytest.raises(InputError, match="was made for size=3, not size=4"):
        bw.player(f"tuples:table={path}", GAME)


def test_mcts_with_a_table_at_its_leaves(model: Path) -> None:
    """One simulation a move visits afterstates in turn: with enough of them the tree's values are the table's."""
    position = a_position(2, 30)
    spec = f"mcts:table={model},simulations=400,select=ucb1,grow=1,seed=3"
    choice = bw.player(spec, GAME).choose(position)
    greedy = bw.player(f"tuples:table={model}", GAME).choose(position)
    assert choice.move == greedy.move
    assert choice.values[choice.move] == pytest.approx(greedy.values[greedy.move], rel=1e-6)
    deeper = bw.player(f"mcts:table={model},simulations=400,seed=3", GAME).choose(position)
    assert deeper.move in position.moves and deeper.simulations == 400
    timed = bw.player(f"mcts:table={model},seconds=0.01", GAME).choose(position)
    assert timed.simulations > 0 and timed.move in position.moves
    with pytest.raises(InputError, match="no model 'nonesuch'"):
        bw.player("mcts:table=nonesuch,simulations=10", GAME)


def test_the_table_that_comes_with_boardwright_plays_well() -> None:
    """Found by its name and by `auto`; far above the report's 19,193 (the card has the whole figures)."""
    assert load_tables("auto", GAME)[1] is load_tables("2048-tuples-4x5", GAME)[1]
    figures = measure_tiles(GAME, "tuples", 60, seed=1, threads=2)
    assert figures.score.low > 80_000 and figures.reached(2048).value > 0.9


@pytest.mark.slow
def test_the_figures_on_the_card_hold() -> None:
    one = measure_tiles(GAME, "tuples:plies=1", 1000, seed=2, threads=2)
    assert one.score.low > 80_000 and one.reached(2048).value > 0.97
    two = measure_tiles(GAME, "tuples:plies=2", 200, seed=2, threads=2)
    assert two.score.low > 120_000


# Files


def test_tables_are_packed_without_loss_and_refused_if_they_do_not_fit(tmp_path: Path) -> None:
    tables = tables_for(GAME, "5x4")
    learned = random_table(tables)
    learned[np.random.default_rng(2).random(tables.size) < 0.7] = 0.0
    np.testing.assert_array_equal(unpack(pack(learned, "float32"), tables.size, "x"), learned)
    half = unpack(pack(learned, "float16"), tables.size, "x")
    np.testing.assert_allclose(half, learned, rtol=1e-3)
    whole = save_model(tmp_path / "w.safetensors", "tuples", GAME, {"patterns": "5x4"}, {"learned": learned})
    small = save_packed(whole, GAME, tmp_path / "s.safetensors")
    assert small.stat().st_size < 0.5 * whole.stat().st_size
    np.testing.assert_array_equal(load_tables(str(small), GAME)[1], learned)
    assert load_tables(str(small), GAME)[1] is load_tables(str(small), GAME)[1]
    with pytest.raises(InputError, match="precision=int8 does not exist"):
        pack(learned, "int8")
    for arrays, settings_, reason in (
        ({"learned": learned[:-1]}, {"patterns": "5x4"}, "its table has"),
        ({"touched": np.zeros(3, np.uint8)}, {"patterns": "5x4"}, "it holds no table of"),
        ({"learned": learned}, {}, "name no patterns"),
        ({"learned": learned}, {"patterns": "4x5"}, "its table has"),
        ({**pack(learned, "float32"), "numbers": np.full(np.count_nonzero(learned), np.nan, np.float32)},
         {"patterns": "5x4"}, "holds what is no number"),
    ):  # fmt: skip
        bad = save_model(tmp_path / "bad.safetensors", "tuples", GAME, settings_, arrays)
        with pytest.raises(InputError, match=reason):
            load_tables(str(bad), GAME)


def test_the_speed_of_training_is_measured() -> None:
    figures = measure_training(GAME, "5x4", "tc", warm_up=100, rounds=2)
    assert figures.moves_per_second > 0 and len(figures.rounds) == 2 and "cores" in figures.machine


@examples(20)
@given(SMALL)
def test_values_by_hand_are_those_of_the_policy(cells: list[int]) -> None:
    game: Any = GAME
    expected = sum(game.lane_order(cells, 4 * k, 1) + game.lane_order(cells, k, 4) for k in range(4))
    numbers = lane_numbers()
    board = board_of(cells)
    turned = board_of(np.array(cells).reshape(4, 4).T.reshape(-1))
    assert sum(numbers[b >> 16 * k & 0xFFFF] for b in (board, turned) for k in range(4)) == expected
