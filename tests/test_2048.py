"""2048: OpenSpiel draw for draw, a second slow slide, chance, symmetries, states from outside."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import boardwright as bw
from boardwright.check import play_on
from boardwright.compile import rule_kernels
from boardwright.compile.kernel import interpret
from boardwright.contract.position import Position, blank
from boardwright.contract.random import Random
from boardwright.contract.state import States, copy_record
from boardwright.games.twenty48 import TwentyFortyEight
from boardwright.games.twenty48.look import DIRECTIONS
from tests.marks import examples, slowly, thorough

GAMES = [TwentyFortyEight(), TwentyFortyEight(size=3, four=0.2)]
MORE = [TwentyFortyEight(size=2, four=0.0), TwentyFortyEight(size=5, four=1.0)]
ALL_GAMES = pytest.mark.parametrize("game", [*GAMES, *slowly(*MORE)], ids=str)


def random_step(position: Position, rng: Random) -> Position:
    if position.is_chance:
        return position.sample(rng)
    return position.play(position.moves[rng.below(len(position.moves))])


def some_steps(game: TwentyFortyEight, seed: int, steps: int) -> Position:
    """Moves and draws at random from the empty board."""
    rng, position = Random(seed), blank(game)
    for _ in range(steps):
        if position.is_over:
            break
        position = random_step(position, rng)
    return position


def with_cells(game: TwentyFortyEight, rows: list[list[int]], actor: int = 0) -> Position:
    """A position with these tiles, written as their numbers, and no points."""
    record = np.zeros(1, game.state_dtype)
    s: Any = States(record)[0]
    for cell, number in enumerate(number for row in rows for number in row):
        s.cells[cell] = number.bit_length() - 1 if number else 0
    s.tiles = sum(number > 0 for row in rows for number in row)
    s.actor = actor
    return Position(game, record)


def numbers(position: Position) -> list[list[int]]:
    size = position.game.options["size"]
    cells = position.fields()["cells"]
    return [[1 << tile if tile else 0 for tile in cells[row * size : (row + 1) * size]] for row in range(size)]


def slid_left(row: list[int]) -> tuple[list[int], int]:
    """The second definition: close the gaps, then merge pairs from the wall."""
    tiles, merged, points = [tile for tile in row if tile], [], 0
    while tiles:
        if len(tiles) > 1 and tiles[0] == tiles[1]:
            points += 2 * tiles[0]
            merged.append(2 * tiles[0])
            del tiles[:2]
        else:
            merged.append(tiles.pop(0))
    return merged + [0] * (len(row) - len(merged)), points


def slid(rows: list[list[int]], direction: str) -> tuple[list[list[int]], int]:
    turns = {"left": 0, "up": 1, "right": 2, "down": 3}[direction]
    done = [slid_left(row) for row in np.rot90(np.array(rows), turns).tolist()]
    return np.rot90(np.array([row for row, _ in done]), -turns).tolist(), sum(points for _, points in done)


def only_merges(rows: list[list[int]], direction: str) -> bool:
    """Does no tile of the board move into an empty cell in this direction, unless another merged before it?"""
    turns = {"left": 0, "up": 1, "right": 2, "down": 3}[direction]
    lanes = np.rot90(np.array(rows), turns)
    return not ((lanes[:, :-1] == 0) & (lanes[:, 1:] != 0)).any() and slid(rows, direction)[1] > 0


# Slides


@pytest.mark.parametrize(
    ("row", "left", "points"),
    [
        ([2, 2, 2, 2], [4, 4, 0, 0], 8),
        ([2, 2, 2, 0], [4, 2, 0, 0], 4),
        ([0, 2, 2, 4], [4, 4, 0, 0], 4),
        ([4, 0, 2, 2], [4, 4, 0, 0], 4),
        ([2, 0, 0, 2], [4, 0, 0, 0], 4),
        ([0, 0, 2, 4], [2, 4, 0, 0], 0),
        ([8, 8, 16, 0], [16, 16, 0, 0], 16),
        ([1024, 1024, 0, 0], [2048, 0, 0, 0], 2048),
    ],
)
def test_a_pair_merges_once_the_one_at_the_wall_first(row: list[int], left: list[int], points: int) -> None:
    empty = [[0] * 4] * 3
    after = with_cells(GAMES[0], [row, *empty]).play("left")
    assert numbers(after) == [left, *empty] and after.scores[0] == points
    after = with_cells(GAMES[0], [row[::-1], *empty]).play("right")
    assert numbers(after) == [left[::-1], *empty] and after.scores[0] == points


@ALL_GAMES
def test_slides_agree_with_a_second_definition(game: TwentyFortyEight) -> None:
    for seed in range(4):
        for position in some_steps(game, seed, 150).line():
            if position.is_chance:
                continue
            before = numbers(position)
            moved = {name: slid(before, name) for name in DIRECTIONS}
            assert {position.text(move) for move in position.moves} == {
                name for name, (rows, _) in moved.items() if rows != before
            }
            for move in position.moves:
                after = position.play(move)
                rows, points = moved[position.text(move)]
                assert numbers(after) == rows and after.is_chance
                assert after.scores[0] - position.scores[0] == points


def test_agrees_with_openspiel() -> None:
    """Two differences are its own. It ends, by default, with the first tile of 2048: its option is set here beyond
    what random play reaches. And it forgets, when it lists the legal slides, that a tile that merged in the last
    slide may merge again in this one: such slides are missing from its list, though it carries them out."""
    pyspiel = pytest.importorskip("pyspiel")
    other_game, game, rng = pyspiel.load_game("2048(max_tile=131072)"), TwentyFortyEight(), Random(8)
    for _ in range(150 if thorough() else 50):
        position, other, merged_before = blank(game), other_game.new_initial_state(), False
        while not position.is_over:
            assert not other.is_terminal() and other.is_chance_node() == position.is_chance
            if position.is_chance:
                expected = dict(other.chance_outcomes())
                found = dict(position.chances)
                assert list(found) == list(expected)
                assert list(found.values()) == pytest.approx(list(expected.values()), abs=1e-12)
            else:
                forgotten = set(position.moves) - set(other.legal_actions())
                assert set(other.legal_actions()) <= set(position.moves)
                assert not forgotten or merged_before
                for move in forgotten:
                    assert only_merges(numbers(position), position.text(move))
                assert [position.text(move).title() for move in position.moves] == [
                    other.action_to_string(0, move) for move in position.moves
                ]
            before, position = position, random_step(position, rng)
            assert position.step is not None
            if not before.is_chance:
                merged_before = position.scores != before.scores
            other.apply_action(position.step)
            assert [position.scores[0]] == other.returns()
        assert other.is_terminal()
        assert numbers(position) == [list(map(int, line.split())) for line in str(other).splitlines()]


def test_goes_on_after_2048() -> None:
    rows = [[1024, 1024, 2, 4], [0] * 4, [0] * 4, [0] * 4]
    position = with_cells(GAMES[0], rows).play("left").draw("d1=2")
    assert numbers(position)[0] == [2048, 2, 4, 0] and not position.is_over


# Chance


def test_two_tiles_at_the_start() -> None:
    for game in GAMES:
        position = blank(game)
        assert position.is_chance and len(position.chances) == game.area * (2 if 0.0 < game.four < 1.0 else 1)
        first = position.sample(Random(1))
        second = first.sample(Random(2))
        assert first.is_chance and second.player == 0
        assert second.fields()["tiles"] == 2 == sum(tile > 0 for tile in second.fields()["cells"])


def test_odds_of_a_new_tile() -> None:
    position = with_cells(
        TwentyFortyEight(four=0.2), [[2, 4, 2, 4], [4, 2, 4, 2], [2, 4, 2, 4], [0, 0, 0, 2]], bw.CHANCE
    )
    named = {position.text(outcome): odds for outcome, odds in position.chances}
    twos, fours = dict.fromkeys(["a1=2", "b1=2", "c1=2"], 0.8 / 3), dict.fromkeys(["a1=4", "b1=4", "c1=4"], 0.2 / 3)
    assert named == pytest.approx(twos | fours)
    for four, value in ((0.0, 2), (1.0, 4)):
        position = blank(TwentyFortyEight(four=four))
        assert all(position.text(outcome).endswith(f"={value}") for outcome, _ in position.chances)


def test_over_only_when_the_last_tile_leaves_no_pair() -> None:
    rows = [[2, 4, 2, 4], [4, 2, 4, 2], [2, 4, 2, 4], [4, 2, 4, 0]]
    position = with_cells(GAMES[0], rows, bw.CHANCE)
    assert position.draw("d1=2").is_over
    going_on = position.draw("d1=4")
    assert [going_on.text(move) for move in going_on.moves] == list(DIRECTIONS)


# The policy


def test_greedy_scores_many_times_what_random_play_does() -> None:
    game = TwentyFortyEight()
    means = {}
    for policy in ("", "greedy"):
        totals = []
        for seed in range(10 if policy else 40):
            rng = Random(seed)
            position = game.begin(seed)
            while not position.is_over:
                if policy and not position.is_chance:
                    position = position.play(position.moves[int(np.argmax(position.weigh(policy)))])
                else:
                    position = random_step(position, rng)
            totals.append(position.scores[0])
        means[policy] = float(np.mean(totals))
    assert 700 < means[""] < 1_600
    assert means["greedy"] > 8_000  # 19,000 over many games, one tenth of it a standard deviation of ten


@ALL_GAMES
def test_greedy_looks_at_what_play_makes(game: TwentyFortyEight) -> None:
    for position in some_steps(game, 5, 80).line():
        for move in position.moves:
            ahead = np.zeros(game.area, np.int64)
            game.interpreted.slide_into(position.view, move, ahead)
            assert ahead.tolist() == position.play(move).fields()["cells"]


def test_greedy_by_rows_is_greedy_by_cells() -> None:
    game = TwentyFortyEight()
    for position in some_steps(game, 11, 300).line():
        if position.moves:
            weights, moves = np.zeros(4), position.moves
            game.interpreted.orders_by_rows(position.view, moves, len(moves), weights)
            for i, move in enumerate(moves):
                after = position.play(move).fields()["cells"]
                assert weights[i] == game.interpreted.order(after)


def played(game: TwentyFortyEight, position: Position, run: Any, most: int, seed: int) -> tuple[int, bytes, int, int]:
    """(moves made, the state, both generators) after playing on by `greedy`."""
    states = np.frombuffer(bytearray(position.key), game.state_dtype)
    rng, luck = np.array([seed], np.uint64), np.array([seed + 9], np.uint64)
    room = 2 * 8 * 8  # the outcomes of the largest board
    made = run(game, states, 1, most, rng, luck, np.zeros(room, np.int32), np.zeros(room))
    return int(made), states.tobytes(), int(rng[0]), int(luck[0])


@given(st.integers(0, 2**32), st.sampled_from([0.1, 1.0]), st.integers(2, 200), st.integers(0, 60))
@examples(60)
def test_playing_on_makes_the_moves_and_draws_of_the_rules_one_by_one(
    seed: int, four: float, steps_before: int, most: int
) -> None:
    game = TwentyFortyEight(four=four)
    position = some_steps(game, seed, steps_before)
    assume(position.view.tiles >= 2)  # of a single tile the rules play on step by step
    at_once = played(game, position, play_on.at_once, most, seed)
    assert at_once == played(game, position, play_on.one_by_one, most, seed)
    assert at_once == played(game, position, interpret(play_on.at_once), most, seed)
    assert at_once[0] == most or Position(game, np.frombuffer(at_once[1], game.state_dtype)).is_over


def test_playing_on_fills_a_board_to_its_end() -> None:
    game = TwentyFortyEight()
    ends = [played(game, some_steps(game, seed, 2), play_on.at_once, 10**6, seed) for seed in range(20)]
    assert all(made > 100 for made, *_ in ends)
    assert ends == [played(game, some_steps(game, seed, 2), play_on.one_by_one, 10**6, seed) for seed in range(20)]


@pytest.mark.parametrize("game", [*GAMES[1:], *slowly(*MORE)], ids=str)
def test_other_boards_are_left_to_the_rules(game: TwentyFortyEight) -> None:
    position = some_steps(game, 3, 4)
    assert played(game, position, play_on.at_once, 10, 1)[:2] == (0, position.key)


def test_playing_on_stops_before_tiles_that_no_nibble_holds() -> None:
    game, big = TwentyFortyEight(), 1 << 15
    for rows in (
        [[big, 0, 0, 0], [big, 0, 0, 0], [0, 0, 0, 2], [0, 0, 0, 0]],
        [[2 * big, 2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2], [0, 0, 0, 0]],
    ):
        position = with_cells(game, rows)
        assert played(game, position, play_on.at_once, 10, 1)[:2] == (0, position.key)
    quarters = with_cells(game, [[big // 2] * 4, [0, 0, 0, 2], [0] * 4, [0] * 4])
    made, state, *_ = played(game, quarters, play_on.at_once, 50, 1)
    one_by_one = played(game, quarters, play_on.one_by_one, made, 1)
    assert 0 < made < 50 and one_by_one[:2] == (made, state)
    assert max(np.frombuffer(state, game.state_dtype)["cells"][0]) == 15


# Symmetries, two runs, text


def image_of(position: Position, image: int) -> Position:
    states = np.zeros(2, position.game.state_dtype)
    states[0] = position.record[0]
    rule_kernels.mirror_state(position.game, states, image)
    return Position(position.game, copy_record(states[1:]))


@ALL_GAMES
def test_symmetries_commute_with_play_and_draw(game: TwentyFortyEight) -> None:
    for position in some_steps(game, 9, 40).line():
        if position.is_over:
            continue
        step = (position.moves or [outcome for outcome, _ in position.chances])[-1]
        for image in range(8):
            mirrored = image_of(position, image)
            if position.is_chance:
                there = 2 * int(game.images[image, step // 2]) + step % 2
                assert {outcome for outcome, _ in mirrored.chances} >= {there}
            else:
                moves = np.array([*position.moves, step], np.int32)
                rule_kernels.mirror_moves(game, moves, image)
                assert sorted(mirrored.moves) == sorted(moves[:-1].tolist())
                there = int(moves[-1])
            assert mirrored.advance(there) == image_of(position.advance(step), image)
            assert game.from_json(mirrored.to_json()) == mirrored


def test_the_eight_images_differ() -> None:
    position = with_cells(GAMES[0], [[2, 4, 8, 16], [32, 0, 0, 0], [0] * 4, [0] * 4])
    assert len({image_of(position, image).key for image in range(8)}) == 8
    assert image_of(position, 0) == position


@ALL_GAMES
def test_interpreter_and_compiled_rules_agree(game: TwentyFortyEight) -> None:
    compiled, debugged, rng = blank(game), blank(game, debug=True), Random(6)
    for _ in range(400):
        assert compiled.key == debugged.key
        assert (
            compiled.player == debugged.player
            and compiled.moves == debugged.moves
            and compiled.chances == debugged.chances
        )
        assert (compiled.observe() == debugged.observe()).all()
        if compiled.is_over:
            break
        if not compiled.is_chance:
            assert (compiled.weigh("greedy") == debugged.weigh("greedy")).all()
        compiled = random_step(compiled, rng)
        assert compiled.step is not None
        debugged = debugged.advance(compiled.step)
    assert compiled.results == debugged.results


def test_observes_one_plane_an_exponent_and_who_is_next() -> None:
    position = with_cells(GAMES[0], [[2, 4, 0, 2048], [0] * 4, [0] * 4, [0] * 4])
    seen = position.observe()
    assert seen.shape == (4, 4, 18) and (seen[:, :, :17].sum(axis=2) == 1.0).all()
    assert [int(seen[0, column, :17].argmax()) for column in range(4)] == [1, 2, 0, 11]
    assert not seen[:, :, 17].any() and (position.play("left").observe()[:, :, 17] == 1.0).all()


@ALL_GAMES
def test_texts_and_json_go_there_and_back(game: TwentyFortyEight) -> None:
    for position in some_steps(game, 2, 60).line():
        for step in position.moves or [outcome for outcome, _ in position.chances]:
            assert position.parse(position.text(step)) == step
        assert game.from_json(position.to_json()) == position


def test_says_why_a_move_does_not_fit() -> None:
    position = with_cells(GAMES[0], [[2, 4, 0, 0], [0] * 4, [0] * 4, [0] * 4])
    with pytest.raises(bw.InputError, match="no tile can go left"):
        position.play("left")
    with pytest.raises(bw.InputError, match="moves are up, right, down, left"):
        position.play("sideways")


def test_board_and_picture_show_the_tiles() -> None:
    position = with_cells(GAMES[0], [[2, 4, 0, 0], [0, 131072, 0, 0], [0] * 4, [2048, 0, 0, 0]])
    text, root = str(position), ElementTree.fromstring(position.svg())
    drawn = {element.text for element in root.iter() if element.tag.endswith("text")}
    for number in ("2", "4", "2048", "131072"):
        assert number in text.split() and number in drawn
    assert sum(element.get("data-cell") is not None for element in root.iter()) == 16
    over = some_steps(GAMES[1], 1, 10_000)
    assert over.is_over and "Over" in str(over) and "Game over" in over.svg()


# States from outside


@examples(80)
@given(st.data())
def test_refuses_altered_states_or_plays_them(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(GAMES[:2]))
    position = some_steps(game, data.draw(st.integers(0, 1000)), data.draw(st.integers(0, 120)))
    state = json.loads(position.to_json())
    field = data.draw(st.sampled_from(sorted(state["state"])))
    where, last = state["state"], field
    if isinstance(where[last], list):
        where, last = where[last], data.draw(st.integers(0, len(where[last]) - 1))
    where[last] = data.draw(st.one_of(st.integers(-3, 12), st.integers(-128, 127)))
    try:
        found = game.from_json(json.dumps(state))
    except bw.InputError:
        return
    position, rng = Position(game, copy_record(found.record), debug=True), Random(1)
    while not position.is_over:
        position = random_step(position, rng)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"score": 16}, "cannot have scored 16"),
        ({"score": 2}, "cannot have scored 2"),
        ({"cells": [3, 2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0]}, "cannot have scored 4"),  # 8 at best
        ({"tiles": 2}, "tiles says 2"),
        ({"actor": -2}, "actor must be 0"),
        ({"actor": 3}, "actor must be 0"),
        ({"actor": -1}, "no slide leaves the tiles like this"),
        ({"cells": [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0]}, "no slide and new tile"),
        ({"cells": [2, 2, 0, 0, 0, 0, 0, 0, 0, 51, 0, 0, 0, 0, 0, 0]}, "exponents from 0 to 17"),
    ],
    ids=str,
)
def test_refuses_what_cannot_arise(change: dict[str, Any], reason: str) -> None:
    game = TwentyFortyEight()
    sound = {"score": 4, "cells": [2, 2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0], "tiles": 3, "actor": 0}
    text = json.loads(blank(game).to_json())
    assert game.from_json(json.dumps(text | {"state": sound})).player == 0
    with pytest.raises(bw.InputError, match=reason):
        game.from_json(json.dumps(text | {"state": sound | change}))


@pytest.mark.parametrize(
    "options", [{"size": 1}, {"size": 9}, {"four": -0.1}, {"four": 1.5}, {"four": float("nan")}], ids=str
)
def test_refuses_options_that_make_no_game(options: dict[str, Any]) -> None:
    with pytest.raises(bw.InputError):
        TwentyFortyEight(**options)
