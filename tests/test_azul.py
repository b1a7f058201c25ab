"""Azul against its rulebook: hand-made positions, a second slow scorer, and the places where engines go wrong."""

from __future__ import annotations

import json
import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardwright.compile import rule_kernels
from boardwright.compile.kernel import interpret, kernel
from boardwright.compile.random import below, pick
from boardwright.contract.errors import InputError
from boardwright.contract.game import CHANCE, OVER
from boardwright.contract.position import Position, blank
from boardwright.contract.random import Random
from boardwright.contract.state import States, copy_record
from boardwright.games.azul import Azul
from boardwright.games.azul.rules import EMPTY, FLOOR, NOBODY
from tests.marks import examples

B, Y, R, D, W = range(5)
CENTRE = {2: 5, 3: 7, 4: 9}  # its number as a source: one beyond the displays
SEATS = pytest.mark.parametrize("players", [2, 3, 4])


def table_of(game: Any) -> tuple[Any, Any]:
    """A writable state before the first round, with no tile to deal; and the record behind it."""
    record = np.zeros(1, game.state_dtype)
    s: Any = States(record)[0]
    game.start(s)
    s.to_deal = 0
    return s, record


def position(change: Callable[[Any], object], players: int = 2) -> Position:
    """The interpreter's position after `change` to an empty table."""
    game = Azul(players=players)
    s, record = table_of(game)
    change(s)
    return Position(game, record, debug=True)


# The names differ from the state's fields: the compiler takes a kernel's `s.wall` for a global function `wall` too.


def put_offer(s: Any, source: int, tiles: str) -> None:
    for letter in tiles:
        s.offer[source, "BYRDW".index(letter)] += 1


def put_line(s: Any, player: int, row: int, colour: int, fill: int) -> None:
    s.line_colour[player, row], s.line_fill[player, row] = colour, fill


def put_wall(s: Any, player: int, picture: str) -> None:
    """`picture`: five rows of # and . parted by spaces."""
    for row, cells in enumerate(picture.split()):
        for column, cell in enumerate(cells):
            s.wall[player, row, column] = cell == "#"


def random_line(game: Azul, seed: int, *, policy: str = "") -> list[Position]:
    """Every position of one game, draws included; weighed by `policy` or uniformly random."""
    rng, at = Random(seed), blank(game)
    positions = [at]
    while not at.is_over:
        if at.is_chance:
            at = at.sample(rng)
        elif policy:
            at = at.play(at.moves[rng.pick(at.weigh(policy))])
        else:
            at = at.play(at.moves[rng.below(len(at.moves))])
        positions.append(at)
    return positions


# Many games in one kernel.


@kernel
def tile_fault(game: Any, s: Any) -> Any:
    """1 + the first colour of which there are not 20 tiles, or 0."""
    for colour in range(5):
        tiles = s.bag[colour] + s.lid[colour]
        for source in range(game.displays + 1):
            tiles += s.offer[source, colour]
        for p in range(game.players):
            tiles += s.floor[p, colour]
            for row in range(5):
                tiles += s.wall[p, row, (colour + row) % 5]
                if s.line_colour[p, row] == colour:
                    tiles += s.line_fill[p, row]
        if tiles != 20:
            return colour + 1
    return 0


@kernel
def audit(game: Any, states: Any, policies: Any, rng: Any, choices: Any, weights: Any, out: Any, sums: Any) -> Any:
    """Plays len(out) games by policies[i] for player i (0: uniform; else its heaviest move); out[g]: results.

    sums: moves, legal moves, rounds, most rounds, points of all, turns taken twice in a row. Returns the steps at
    which a colour did not have 20 tiles."""
    faults = 0
    for g in range(len(out)):
        states[0] = states[1]
        s = states[0]
        game.start(s)
        before = NOBODY
        while game.player(s) != OVER:
            actor = game.player(s)
            if actor == CHANCE:
                game.draw(s, choices[pick(rng, weights, game.chances(s, choices, weights))])
            else:
                count = game.legal(s, choices)
                sums[0] += 1
                sums[1] += count
                sums[5] += before == actor
                before = actor
                move = choices[below(rng, count)]
                if policies[actor] > 0:
                    game.weigh(policies[actor], s, choices, count, weights)
                    best = 0
                    for i in range(count):
                        if weights[i] > weights[best]:
                            best = i
                    move = choices[best]
                game.play(s, move)
            faults += tile_fault(game, s) > 0
        sums[2] += s.round
        sums[3] = max(sums[3], s.round)
        game.results(s, out[g])
        for p in range(game.players):
            sums[4] += s.score[p]
    return faults


def audited(game: Azul, games: int, policies: list[int], seed: int = 1) -> tuple[int, Any, Any]:
    states, out, sums = np.zeros(2, game.state_dtype), np.zeros((games, game.players)), np.zeros(6)
    choices, weights = np.zeros(game.actions, np.int32), np.zeros(game.actions)
    faults = audit(game, states, np.array(policies), Random(seed).state, choices, weights, out, sums)
    return int(faults), out, sums


@SEATS
def test_20_tiles_of_each_colour_at_every_step(players: int) -> None:
    game = Azul(players=players)
    for policies in ([0] * players, [1] * players, [1, 0, 1, 0][:players]):
        faults, out, _ = audited(game, 400, policies)
        assert faults == 0
        assert np.abs(out.sum(axis=1)).max() < 1e-9, "results sum to 0"
        assert np.abs(out).max() <= 1.0


def test_the_tile_audit_notices_a_lost_tile() -> None:
    record = copy_record(blank(Azul()).record)
    record["bag"][0, R] = 19
    assert interpret(tile_fault)(Azul(), States(record)[0]) == R + 1


def test_random_games_have_the_known_size() -> None:
    games = 2000
    _, out, sums = audited(Azul(), games, [0, 0])
    moves, legal, rounds, most_rounds, points, twice = sums
    assert 65 < moves / games < 76
    assert 22 < legal / moves < 24.5
    assert 6 < rounds / games < 7.2
    assert most_rounds < 20, "the cap must not touch even random play"
    assert 2.5 < points / games / 2 < 3.5
    assert 0.2 < twice / rounds < 0.8, "about every other round its last mover starts the next"
    assert abs(out[:, 0].mean()) < 0.08


def test_greedy_plays_well() -> None:
    games = 600
    _, _, sums = audited(Azul(), games, [1, 1])
    assert 50 < sums[0] / games < 58
    assert 4.9 < sums[2] / games < 5.3
    assert sums[4] / games / 2 > 57, "a good one-ply heuristic has 57 points"
    for seats in ([1, 0], [0, 1]):
        _, out, _ = audited(Azul(), 300, seats)
        assert (out[:, seats.index(1)] == 1.0).mean() > 0.99


# Set-up and dealing.


@SEATS
def test_start(players: int) -> None:
    at = Azul(players=players).begin(seed=3)
    state = at.fields()
    assert at.player == 0
    assert [sum(display) for display in state["offer"]] == [4] * (2 * players + 1) + [0]
    assert sum(state["bag"]) == 100 - 4 * (2 * players + 1)
    assert at.game.actions == {2: 180, 3: 240, 4: 300}[players]
    assert at.game.symmetries == {2: 120, 3: 5040, 4: 362880}[players]
    assert at.scores == (0.0,) * players


def test_displays_are_filled_in_order_and_chances_are_the_bag() -> None:
    at = blank(Azul())
    drawn = np.zeros(5, int)
    rng = Random(4)
    for number in range(20):
        assert at.player == CHANCE
        left = 20 - drawn
        assert dict(at.chances) == pytest.approx({c: left[c] / left.sum() for c in range(5) if left[c]})
        at = at.sample(rng)
        drawn[at.step] += 1
        assert sum(at.fields()["offer"][number // 4]) == number % 4 + 1
    assert at.player == 0


def test_no_search_can_peek_since_no_order_is_kept() -> None:
    at = blank(Azul())
    assert at.draw("B").draw("Y") == at.draw("Y").draw("B")


# Taking and placing.


def test_take_from_a_display_sends_the_others_to_the_centre() -> None:
    def table(s: Any) -> None:
        put_offer(s, 4, "BBYW")
        put_offer(s, 0, "RRRR")

    at = position(table).play("5B3")
    state = at.fields()
    assert state["offer"][4] == [0] * 5
    assert state["offer"][5] == [0, 1, 0, 0, 1]
    assert (state["line_colour"][0][2], state["line_fill"][0][2]) == (B, 2)
    assert at.player == 1 and state["marker"] == NOBODY


def test_first_take_from_the_centre_takes_the_marker_before_the_tiles() -> None:
    def table(s: Any) -> None:
        put_offer(s, 5, "BBBYR")
        put_offer(s, 0, "RRRR")

    first = position(table).play("CB2")
    assert first.record["marker"][0] == 0
    assert first.record["floor_fill"][0].tolist() == [2, 0], "the marker and the tile that did not fit"
    assert first.record["floor"][0, 0].tolist() == [1, 0, 0, 0, 0]
    second = first.play("CY1")
    assert second.record["marker"][0] == 0
    assert second.record["floor_fill"][0].tolist() == [2, 0]


def test_what_does_not_fit_falls_and_beyond_seven_goes_to_the_lid_free() -> None:
    def table(s: Any) -> None:
        put_offer(s, 5, "Y" * 9)
        s.marker = 1
        s.score[0] = 20
        s.first = 1

    at = position(table).play("CY1")
    state = at.fields()
    assert state["wall"][0][0][Y] == 1
    assert state["score"][0] == 20 + 1 - 14
    assert state["lid"][Y] == 8 and sum(state["bag"]) == 100, "7 by way of the floor line, 1 straight"


def test_legal_moves_are_those_of_the_rulebook() -> None:
    def table(s: Any) -> None:
        put_offer(s, 0, "BBYR")
        put_line(s, 0, 0, R, 1)  # full
        put_line(s, 0, 1, B, 1)  # room for one more B
        put_line(s, 0, 2, Y, 2)
        put_wall(s, 0, "..... ..... ..... ...#. .....")  # row 4 has B

    at = position(table)
    assert {at.text(m) for m in at.moves} == {
        "1B2", "1B5", "1BF", "1Y3", "1Y4", "1Y5", "1YF", "1R4", "1R5", "1RF",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1X2", "no colour X; colours are B Y R D W"),
        ("7B1", "no source 7; sources are 1 to 5 and C"),
        ("1B6", "no line 6; lines are 1 to 5 and F"),
        ("3BF", "display 3 holds no B"),
        ("CWF", "the centre holds no W"),
        ("1R1", "line 1 is full"),
        ("1B3", "line 3 holds Y already"),
        ("1b4", "the wall's row 4 has B already"),
        ("hello", "such as 5B2"),
    ],
)
def test_a_refused_move_says_why(text: str, reason: str) -> None:
    def table(s: Any) -> None:
        put_offer(s, 0, "BBYR")
        put_line(s, 0, 0, R, 1)
        put_line(s, 0, 2, Y, 2)
        put_wall(s, 0, "..... ..... ..... ...#. .....")

    with pytest.raises(InputError) as refused:
        position(table).play(text)
    assert reason in str(refused.value)


@SEATS
def test_moves_and_outcomes_round_trip_as_text(players: int) -> None:
    for at in random_line(Azul(players=players), 5)[::7]:
        steps = at.answers.steps
        texts = [at.text(number) for number in steps]
        assert len(set(texts)) == len(texts)
        assert [at.parse(text) for text in texts] == list(steps)
        assert [at.parse(text.lower()) for text in texts] == list(steps)


# Tiling and scoring.


@pytest.mark.parametrize(
    ("picture", "row", "column", "points"),
    [
        ("..... ..... ..... ..... .....", 2, 2, 1),  # alone
        (".#... ..... ##..# ..... .....", 2, 2, 3),  # horizontal, not across the gap
        ("..#.. ..#.. ..... ..#.. .....", 2, 2, 4),  # vertical, both sides
        ("..#.. ..#.. ##... ..... .....", 2, 2, 6),  # both: the tile counts twice
        ("..... ..... .#.#. ..... ..#..", 2, 2, 3),  # a gap below does not count
        ("#.... #.... #.... #.... .####", 4, 0, 10),  # the most
        (".#... #.... ..... ..... .....", 0, 0, 4),  # both, in the corner
        ("..... ..... ..... ..... ....#", 3, 4, 2),  # down to the last row
        ("..#.. ..... ..... ..... .....", 1, 2, 2),  # up to the first
        ("..... .#.#. ..... .#.#. .....", 2, 2, 1),  # diagonals are no neighbours
    ],
)
def test_points_of_a_tile(picture: str, row: int, column: int, points: int) -> None:
    s, _ = table_of(Azul())
    put_wall(s, 0, picture)
    game: Any = Azul()
    assert game.tile_points(s, 0, row, column) == points


def slow_tiling(walls: list[list[int]], lines: list[tuple[int, int]]) -> tuple[list[list[int]], int]:
    """A second reading of the rulebook, over strings: the wall after tiling, and the points for it."""
    grid, points = [row[:] for row in walls], 0
    for row, (colour, fill) in enumerate(lines):
        if fill < row + 1:
            continue
        column = "BYRDWBYRDW".index("BYRDW"[colour]) + row
        column = column - 5 if column > 4 else column
        grid[row][column] = 2
        runs = ["".join(map(str, grid[row])), "".join(str(grid[r][column]) for r in range(5))]
        lengths = [len(part) for run in runs for part in run.split("0") if "2" in part]
        points += sum(length for length in lengths if length > 1) or 1
        grid[row][column] = 1
    return grid, points


@given(st.integers(0, 2**62))
@examples(60)
def test_tiling_agrees_with_a_second_slow_scorer(seed: int) -> None:
    rng = Random(seed)
    game: Any = Azul()
    for _ in range(50):
        s, _record = table_of(game)
        lines = []
        for row in range(5):
            for column in range(5):
                s.wall[0, row, column] = rng.below(2)
            colour, fill = rng.below(5), rng.below(row + 2)
            if s.wall[0, row, (colour + row) % 5]:
                fill = 0
            put_line(s, 0, row, colour if fill else EMPTY, fill)
            lines.append((colour, fill))
        grid, points = slow_tiling(s.wall.tolist()[0], lines)
        game.tile_wall(s, 0)
        assert s.wall.tolist()[0] == grid
        assert s.score[0] == points
        for row, (_, fill) in enumerate(lines):
            assert s.line_fill[0, row] == (0 if fill == row + 1 else fill), "incomplete lines stay"


@pytest.mark.parametrize(("spaces", "cost"), list(enumerate([0, 1, 2, 4, 6, 8, 11, 14])))
def test_floor_costs(spaces: int, cost: int) -> None:
    s, _ = table_of(Azul())
    s.score[0], s.floor[0, D], s.floor_fill[0] = 30, spaces, spaces
    s.score[1], s.floor[1, B], s.floor_fill[1] = 3, 6, 6
    game: Any = Azul()
    for p in range(2):
        game.clear_floor(s, p)
    assert s.score.tolist() == [30 - cost, 0], "never below 0"
    assert s.lid.tolist() == [6, 0, 0, spaces, 0]
    assert s.floor_fill.tolist() == [0, 0]


# Where engines go wrong, line by line.


def test_marker_with_a_full_floor_is_free_and_still_starts() -> None:
    def table(s: Any) -> None:
        put_offer(s, 5, "B")
        s.turn = s.first = 1
        s.floor[1, R] = s.floor_fill[1] = 7
        s.score[1] = 40

    at = position(table).play("CB1")
    assert at.record["score"][0].tolist() == [0, 40 + 1 - 14]
    assert at.record["first"][0] == 1 and at.is_chance
    assert at.settle(Random(1)).player == 1


def test_nobody_took_the_marker_so_the_same_player_starts_again() -> None:
    def table(s: Any) -> None:
        put_offer(s, 3, "WWWW")
        s.turn, s.first = 0, 1

    at = position(table).play("4W4")
    assert at.record["marker"][0] == NOBODY
    assert at.settle(Random(1)).player == 1


def test_the_lid_becomes_the_bag_only_when_the_bag_is_empty_even_in_the_middle_of_a_refill() -> None:
    def table(s: Any) -> None:
        put_offer(s, 5, "B")
        s.marker = 0
        for colour in range(5):
            s.bag[colour], s.lid[colour] = 0, 10
        s.bag[R] = 7

    at = position(table).play("CBF")
    for left in range(7, 0, -1):
        assert at.chances == ((R, 1.0),), "7 tiles are enough to draw from, though 20 are wanted"
        assert sum(at.record["lid"][0]) == 51 and at.record["bag"][0, R] == left
        at = at.draw("R")
    assert at.record["bag"][0].tolist() == [11, 10, 10, 10, 10]
    assert at.record["lid"][0].tolist() == [0] * 5
    assert len(at.chances) == 5


def test_a_bag_that_a_refill_just_empties_stays_empty_until_the_next() -> None:
    def table(s: Any) -> None:
        put_offer(s, 5, "B")
        s.marker = 0
        for colour in range(5):
            s.bag[colour], s.lid[colour] = 4, 5

    at = position(table).play("CBF").settle(Random(1))
    assert at.player == 0
    assert at.record["bag"][0].tolist() == [0] * 5
    assert at.record["lid"][0].tolist() == [6, 5, 5, 5, 5]


def test_the_tile_on_the_wall_is_not_discarded_too() -> None:
    def table(s: Any) -> None:
        put_offer(s, 5, "D")
        put_line(s, 0, 3, D, 3)
        s.marker = 1
        s.first = 1

    at = position(table).play("CD4")
    assert at.record["wall"][0, 0, 3, (D + 3) % 5] == 1
    assert at.record["lid"][0].tolist() == [0, 0, 0, 3, 0]


def test_vertical_runs_count_the_tiles_placed_just_above() -> None:
    def table(s: Any) -> None:
        put_offer(s, 5, "B")
        s.marker = 1
        for row in range(1, 5):
            put_line(s, 0, row, (0 - row) % 5, row + 1)  # all in column 0

    at = position(table).play("CB1")
    assert at.record["score"][0, 0] == 1 + 2 + 3 + 4 + 5


def test_scores_pass_the_range_of_int8() -> None:
    def table(s: Any) -> None:
        put_offer(s, 5, "B")
        s.marker = 1
        s.score[0] = 127

    for debug in (True, False):
        at = position(table)
        at = Position(at.game, copy_record(at.record), debug=debug).play("CB1")
        assert at.scores == (128.0, 0.0)


def test_a_player_may_move_twice_in_a_row_across_a_round() -> None:
    def table(s: Any) -> None:
        put_offer(s, 5, "B")
        s.turn = s.marker = 1

    at = position(table)
    assert at.player == 1
    assert at.play("CB1").settle(Random(2)).player == 1


@SEATS
def test_players_who_floor_for_ever_meet_the_cap(players: int) -> None:
    game, rng = Azul(players=players, rounds=4), Random(3)
    at = game.begin(seed=3, debug=True)
    while not at.is_over:
        at = at.play(next(m for m in at.moves if m % 6 == 5)).settle(rng)
    assert at.record["round"][0] == 4
    assert at.scores == (0.0,) * players
    assert at.results == (0.0,) * players


def full_table(s: Any) -> None:
    """Four players hold all tiles but one, a D: each wall lacks a column, the rest lies in incomplete lines."""
    for colour in range(5):
        s.bag[colour] = 0
        left = 4
        for p in range(4):
            row = (p - colour) % 5  # the wall of player p lacks column p
            fill = min(row, left)
            put_line(s, p, row, colour if fill else EMPTY, fill)
            left -= fill
        assert left == 0
    for p in range(4):
        put_wall(s, p, " ".join(["#" * p + "." + "#" * (4 - p)] * 5))
    s.round, s.marker, s.turn, s.first = 9, 2, 0, 2
    s.floor_fill[2] = 1
    assert s.line_colour[0, 2] == D
    s.line_fill[0, 2] -= 1
    put_offer(s, 9, "D")


def test_four_players_without_a_tile_to_deal_end_the_game() -> None:
    at = position(full_table, players=4)
    assert interpret(tile_fault)(at.game, at.view) == 0
    assert at.game.unsound(at.view) == ""
    after = at.play("CD3")
    assert after.is_over and after.record["round"][0] == 9
    assert after.scores == (28.0,) * 4, "four columns each"
    assert after.results == (0.0,) * 4
    assert after.game.unsound(after.view) == ""


def test_play_goes_on_with_what_there_is() -> None:
    at = position(full_table, players=4).play("CDF")  # the D goes by the floor to the lid, and is all that is left
    assert at.is_chance and at.record["round"][0] == 10
    at = at.draw("D")
    assert at.player == 2, "who had the marker"
    assert [at.text(m) for m in at.moves][-1] == "1DF"
    assert at.game.unsound(at.view) == ""
    assert Position(at.game, copy_record(at.record)).moves == at.moves


# The end.


def test_a_complete_row_ends_the_game_after_the_tiling_with_bonuses_once() -> None:
    def table(s: Any) -> None:
        put_offer(s, 5, "BY")
        s.marker, s.turn, s.first = 0, 1, 1
        put_wall(s, 0, ".#### #.... #.... #.... #....")
        put_line(s, 0, 0, B, 1)

    at = position(table).play("CY1")
    assert not at.is_over, "the round is played to its end"
    at = at.play("CBF")
    assert at.is_over
    # The tile scores 5 across and 5 down, the floor costs 1; then a row and a column.
    assert at.scores == (5.0 + 5.0 - 1.0 + 2.0 + 7.0, 1.0)
    assert at.results == (1.0, -1.0)


@pytest.mark.parametrize(
    ("picture", "bonus"),
    [
        ("..... ..... ..... ..... .....", 0),
        ("####. ####. ####. ####. .....", 0),
        ("##### ..... ..... ..... .....", 2),
        ("..#.. ..#.. ..#.. ..#.. ..#..", 7),
        ("#.... .#... ..#.. ...#. ....#", 10),  # all five B
        (".#... ..#.. ...#. ....# #....", 10),  # all five Y
        ("....# ...#. ..#.. .#... #....", 0),  # the other diagonal is no colour
        ("##### #.... #.... #.... #....", 9),
        ("##### ##### ##### ##### #####", 5 * 2 + 5 * 7 + 5 * 10),
    ],
)
def test_bonuses(picture: str, bonus: int) -> None:
    s, _ = table_of(Azul())
    put_wall(s, 1, picture)
    game: Any = Azul()
    assert [game.bonus(s, p) for p in range(2)] == [0, bonus]


@pytest.mark.parametrize(
    ("points", "rows", "results"),
    [
        ((30, 20), (0, 1), (1, -1)),
        ((20, 20), (0, 1), (-1, 1)),
        ((20, 20), (1, 1), (0, 0)),
        ((30, 20, 10), (0, 0, 1), (1, -0.5, -0.5)),
        ((30, 30, 10), (2, 1, 3), (1, -0.5, -0.5)),
        ((30, 10, 30), (1, 0, 1), (0.25, -0.5, 0.25)),
        ((10, 10, 10), (1, 1, 1), (0, 0, 0)),
        ((0, 0, 0, 9), (1, 0, 0, 0), (-1 / 3, -1 / 3, -1 / 3, 1)),
        ((9, 9, 0, 9), (1, 1, 0, 0), (1 / 3, 1 / 3, -1 / 3, -1 / 3)),
    ],
)
def test_most_points_then_rows_then_shared(
    points: tuple[int, ...], rows: tuple[int, ...], results: tuple[float, ...]
) -> None:
    def table(s: Any) -> None:
        s.over = 1
        for p in range(len(points)):
            s.score[p] = points[p]
            put_wall(s, p, " ".join(["#####"] * rows[p] + ["....."] * (5 - rows[p])))

    at = position(table, players=len(points))
    assert at.results == pytest.approx(results)
    assert Position(at.game, copy_record(at.record)).results == pytest.approx(results)


# Both ways to run, symmetries, what a net sees.


@SEATS
def test_interpreter_and_compiled_rules_agree(players: int) -> None:
    game = Azul(players=players)
    for seed in range(2):
        compiled = random_line(game, seed)
        slow = blank(game, debug=True)
        for at in compiled:
            assert slow.key == at.key
            assert slow.answers == at.answers
            assert np.array_equal(slow.observe(), at.observe())
            assert all(np.array_equal(*pair) for pair in zip(slow.features(), at.features(), strict=True))
            if at.moves:
                assert slow.weigh("greedy") == pytest.approx(at.weigh("greedy"), rel=1e-12)
            if not at.is_over:
                slow = slow.advance(compiled[compiled.index(at) + 1].step or 0)


def mirrored(at: Position, image: int) -> Position:
    pair = np.zeros(2, at.game.state_dtype)
    pair[0] = at.record[0]
    rule_kernels.mirror_state(at.game, pair, image)
    return Position(at.game, copy_record(pair[1:]))


@SEATS
def test_permuted_displays_commute_with_play(players: int) -> None:
    game, rng = Azul(players=players), Random(8)
    positions = [at for at in random_line(game, 2, policy="greedy") if at.moves]
    for at in positions[::2]:
        image = rng.below(game.symmetries)
        twin = mirrored(at, image)
        moves = np.array(at.moves, np.int32)
        rule_kernels.mirror_moves(game, moves, image)
        assert sorted(moves.tolist()) == sorted(twin.moves)
        assert twin.game.unsound(twin.view) == ""
        for i in range(0, len(moves), 5):
            after = at.play(at.moves[i])
            assert twin.play(int(moves[i])) == mirrored(after, image)
        assert mirrored(at, 0) == at


@pytest.mark.parametrize(("players", "images"), [(2, 120), (3, 5040)])
def test_every_image_is_another_permutation(players: int, images: int) -> None:
    game: Any = Azul(players=players)
    made = {tuple(game.moved(d, image) for d in range(game.displays)) for image in range(images)}
    assert len(made) == images
    assert all(sorted(order) == list(range(game.displays)) for order in made)
    assert game.moved(game.displays, images - 1) == game.displays, "the centre stays"


def expected_view(game: Azul, state: dict[str, Any]) -> list[float]:
    """The layout of docs/games/azul.md, written again over lists."""
    seen = [count / 4 for display in state["offer"][:-1] for count in display]
    seen += [count / 8 for count in state["offer"][-1]]
    seen += [count / 20 for count in state["bag"] + state["lid"]]
    seen += [float(state["marker"] == NOBODY), state["round"] / 10, state["to_deal"] / (4 * game.displays)]
    for seat in range(game.players):
        p = (state["turn"] + seat) % game.players
        for row in range(5):
            seen += [float(state["line_colour"][p][row] == c) for c in range(5)]
            seen.append(state["line_fill"][p][row] / (row + 1))
        seen += [float(cell) for row in state["wall"][p] for cell in row]
        seen += [count / 7 for count in state["floor"][p]]
        seen += [state["floor_fill"][p] / 7, state["score"][p] / 50]
        seen += [float(state["marker"] == p), float(state["first"] == p)]
    return seen


@SEATS
def test_observation(players: int) -> None:
    game = Azul(players=players)
    for at in random_line(game, 6, policy="greedy")[::9]:
        seen = at.observe()
        assert seen.shape == game.observe_shape
        assert seen.tolist() == pytest.approx(expected_view(game, at.fields()), abs=1e-6)
        assert seen.min() >= -0.01 and seen.max() < 4


def tiled(at: Position) -> list[int]:
    """The points of each player were the round over now, by the rules that end a round."""
    game: Any = at.game
    record = copy_record(at.record)
    record.flags.writeable = True
    s = States(record)[0]
    for p in range(game.players):
        game.tile_wall(s, p)
        game.clear_floor(s, p)
    return [int(points) for points in record["score"][0]]


def expected_features(game: Azul, at: Position) -> dict[int, float]:
    """The layout of docs/games/azul.md, written again over lists."""
    state, due = at.fields(), tiled(at)
    seen: dict[int, float] = {}
    centre = 20 * game.displays
    supply, bag, table = centre + 40, centre + 60, centre + 70
    groups = 0
    for source, tiles in enumerate(state["offer"]):
        for colour, count in enumerate(tiles):
            if count == 0:
                continue
            groups += 1
            if source < game.displays:
                seen[20 * source + 4 * colour + count - 1] = 1
                kind = supply + 4 * colour + count - 1
                seen[kind] = seen.get(kind, 0) + 0.5
            else:
                seen[centre + 8 * colour + min(count, 8) - 1] = 1
    for i, count in enumerate(state["bag"] + state["lid"]):
        seen[bag + i] = count / 10
    seen[table] = float(state["marker"] == NOBODY)
    seen[table + min(state["round"], 8)] = 1
    if groups:
        seen[table + 8 + min(groups, 24)] = 1
    for seat in range(game.players):
        p, base = (state["turn"] + seat) % game.players, table + 33 + 191 * seat
        wall = np.array(state["wall"][p])
        for row, (colour, fill) in enumerate(zip(state["line_colour"][p], state["line_fill"][p], strict=True)):
            if fill:
                seen[base + (0, 5, 15, 30, 50)[row] + colour * (row + 1) + fill - 1] = 1
            if fill == row + 1:
                wall[row, (colour + row) % 5] = 1
        for place in np.flatnonzero(wall).tolist():
            seen[base + 75 + place] = 1
        for i in range(5):
            of_colour = sum(wall[row, (i + row) % 5] for row in range(5))
            for begin, count in ((100, wall[:, i].sum()), (120, of_colour), (140, wall[i].sum())):
                if count > 1:
                    seen[base + begin + 4 * i + int(count) - 2] = 1
        if state["floor_fill"][p]:
            seen[base + 160 + state["floor_fill"][p] - 1] = 1
        seen[base + 167] = float(state["marker"] == p)
        seen[base + 168] = float(state["first"] == p)
        lead = due[state["turn"]] - due[p]
        seen[base + 169] = (lead if seat else due[p]) / 50
        if seat:
            seen[base + 170 + min(max((lead + 42) // 4, 0), 20)] = 1
    return {index: value for index, value in seen.items() if value}


@SEATS
def test_features(players: int) -> None:
    game = Azul(players=players)
    assert game.features_count == {2: 585, 3: 816, 4: 1047}[players]
    for at in [*random_line(game, 6, policy="greedy")[::5], *random_line(game, 7)[::9]]:
        seen: dict[int, float] = {}
        for index, value in zip(*(part.tolist() for part in at.features()), strict=True):
            seen[index] = seen.get(index, 0.0) + value
        assert {index: value for index, value in seen.items() if value} == pytest.approx(expected_features(game, at))


def points_on_the_wall(at: Position, p: int, row: int, column: int) -> int:
    """What a tile there would score, once the complete lines above are tiled."""
    state = at.fields()
    wall = {(y, x) for y in range(5) for x in range(5) if state["wall"][p][y][x]}
    for y in range(row):
        if state["line_fill"][p][y] == y + 1:
            wall.add((y, (state["line_colour"][p][y] + y) % 5))

    def run(down: int, right: int) -> int:
        length = 0
        while (row + (length + 1) * down, column + (length + 1) * right) in wall:
            length += 1
        return length

    across, along = run(0, 1) + run(0, -1), run(1, 0) + run(-1, 0)
    return across + along + (across > 0) + (along > 0) or 1


@SEATS
def test_features_of_moves(players: int) -> None:
    """Equal if and only if moves do the same: tiles, colour, line, what it lacks, floor, marker, points on the wall."""
    game = Azul(players=players)
    kinds: dict[tuple[object, ...], tuple[int, ...]] = {}
    for at in [*random_line(game, 6, policy="greedy")[::5], *random_line(game, 7)[::9]]:
        state = at.fields()
        p, centre = state["turn"], game.displays
        for move in at.moves:
            source, colour, line = move // 30, move // 6 % 5, move % 6
            tiles, marker = state["offer"][source][colour], source == centre and state["marker"] == NOBODY
            lacks = line + 1 - state["line_fill"][p][line] if line < FLOOR else 0
            floor = min(state["floor_fill"][p] + marker + max(tiles - lacks, 0), 7)
            points = points_on_the_wall(at, p, line, (colour + line) % 5) if line < FLOOR else 0
            kind = (line, lacks, colour, min(tiles, 6), source == centre, marker, floor, points)
            assert kinds.setdefault(kind, tuple(at.move_features(move).tolist())) == tuple(at.move_features(move))
    assert len(set(kinds.values())) == len(kinds) > 100


# Text, pictures, states from outside.


@SEATS
def test_the_text_board_shows_the_table(players: int) -> None:
    for at in random_line(Azul(players=players), 9)[::23]:
        text = str(at)
        assert max(map(len, text.splitlines())) <= 80
        for p in range(players):
            assert f"Player {p + 1}: {at.record['score'][0, p]} point" in text
        if at.moves:
            assert f"> Player {at.player + 1}:" in text


def test_the_text_board_in_full() -> None:
    def table(s: Any) -> None:
        put_offer(s, 0, "BBYW")
        put_offer(s, 5, "RR")
        put_line(s, 0, 2, D, 2)
        put_wall(s, 1, "#.... ##... ..... ..... .....")
        s.floor[0, Y], s.floor_fill[0], s.marker, s.score[1] = 2, 3, 0, 7

    assert str(position(table)).splitlines() == [
        "Round 1, player 1 to move   bag 100, lid 0",
        "",
        "1  B B Y W    2  . . . .    3  . . . .    4  . . . .    5  . . . .",
        "C  R R",
        "",
        "> Player 1: 0 points, starts next           Player 2: 7 points",
        "  1          .  |  b y r d w                1          .  |  B y r d w",
        "  2        . .  |  w b y r d                2        . .  |  W B y r d",
        "  3      . D D  |  d w b y r                3      . . .  |  d w b y r",
        "  4    . . . .  |  r d w b y                4    . . . .  |  r d w b y",
        "  5  . . . . .  |  y r d w b                5  . . . . .  |  y r d w b",
        "  F  M Y Y . . . .  costs 4                 F  . . . . . . .",
    ]


@SEATS
def test_the_picture_is_self_contained_and_names_the_moves(players: int) -> None:
    for at in random_line(Azul(players=players), 9)[::31]:
        root = ElementTree.fromstring(at.svg())
        uses = [e.attrib for e in root.iter("{http://www.w3.org/2000/svg}use")]
        assert all(use["href"].startswith("#azul-") for use in uses)
        cells = {e.attrib["data-cell"] for e in root.iter() if "data-cell" in e.attrib}
        if at.moves:
            assert {at.text(m)[:2] for m in at.moves} | set("12345F") == cells
        tiles = at.record["offer"][0, :-1].sum() + at.record["wall"].sum() + at.record["line_fill"].sum()
        tiles += at.record["floor"].sum() + sum(min(count, 2) for count in at.record["offer"][0, -1].tolist())
        assert sum(use["href"] != "#azul-M" for use in uses) == tiles


@SEATS
def test_every_state_of_a_game_is_sound(players: int) -> None:
    game = Azul(players=players)
    for seed, policy in ((1, ""), (2, "greedy")):
        for at in random_line(game, seed, policy=policy):
            assert game.unsound(at.view) == ""
            if at.record["to_deal"][0] in (0, 1):
                assert game.from_json(at.to_json()) == at


@cache
def real_states(players: int) -> list[str]:
    return [at.to_json() for at in random_line(Azul(players=players), 11, policy="greedy" if players == 3 else "")]


def play_out(at: Position, rng: Random) -> Position:
    while not at.is_over:
        at = at.sample(rng) if at.is_chance else at.play(at.moves[rng.below(len(at.moves))])
    return at


@given(st.data())
@examples(250)
def test_an_altered_state_is_refused_or_playable_to_the_end(data: st.DataObject) -> None:
    players = data.draw(st.sampled_from([2, 3, 4]))
    game = Azul(players=players)
    text = json.loads(data.draw(st.sampled_from(real_states(players))))
    state = text["state"]
    name = data.draw(st.sampled_from(sorted(state)))
    holder, key = state, name
    while isinstance(holder[key], list):
        holder, key = holder[key], data.draw(st.integers(0, len(holder[key]) - 1))
    before = holder[key]
    holder[key] = data.draw(st.one_of(st.integers(-2, 8), st.integers(-128, 127)).filter(lambda value: value != before))
    try:
        at = game.from_json(json.dumps(text))
    except InputError:
        return
    # A deal cut short after whole displays can look like displays taken whole; tiles cannot come from nowhere.
    assert name in ("score", "first", "turn", "round", "to_deal"), f"{name} can be told from the rest of the state"
    end = play_out(Position(game, copy_record(at.record), debug=True), Random(1))
    assert end.results is not None and abs(sum(end.results)) < 1e-9


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"bag": [17, 16, 16, 16, 16]}, "tiles of colour B, not 20"),
        ({"marker": 2}, "marker must be"),
        ({"marker": 0}, "floor line has 0 tiles on 0 spaces"),
        ({"score": [1, 0]}, "player 1's score must be 0 to 0"),
        ({"round": 21}, "round must be 1 to 20"),
        ({"turn": 1}, "another player's turn"),
        ({"to_deal": 4}, "do not hold what was dealt"),
        ({"over": 1}, "do not hold what was dealt"),
        ({"first": 1}, "another player's turn"),
        ({"first": 1, "turn": 1}, "first round"),
        ({"line_colour": [[0, -1, -1, -1, -1], [-1] * 5]}, "line 1 has 0 tiles"),
    ],
)
def test_a_false_start_is_refused_with_its_fault(change: dict[str, Any], reason: str) -> None:
    game = Azul()
    text = json.loads(game.begin(1).to_json())
    if "bag" in change:
        change = {"bag": [text["state"]["bag"][0] + 1, *text["state"]["bag"][1:]]}
    text["state"] |= change
    with pytest.raises(InputError) as refused:
        game.from_json(json.dumps(text))
    assert reason in str(refused.value)


def test_a_line_of_a_colour_that_the_wall_row_has_is_refused() -> None:
    game: Any = Azul()
    s, _ = table_of(game)
    s.round = 2
    put_wall(s, 1, "..... ..... ..... ...#. .....")
    put_line(s, 1, 3, Y, 2)
    assert game.boards_fault(s) == ""
    put_line(s, 1, 3, B, 2)
    assert game.boards_fault(s) == "player 2's line 4 has a colour that its wall row has already"


@pytest.mark.parametrize("options", [{"players": 1}, {"players": 5}, {"rounds": 0}, {"rounds": 101}])
def test_options_are_checked(options: dict[str, int]) -> None:
    with pytest.raises(InputError):
        Azul(**options)


def test_greedy_weights_are_steep() -> None:
    def table(s: Any) -> None:
        put_offer(s, 0, "BBBB")
        put_offer(s, 1, "BYRD")

    at = position(table)
    weights = dict(zip([at.text(m) for m in at.moves], at.weigh("greedy").tolist(), strict=True))
    assert max(weights, key=weights.__getitem__) == "1B4", "an exact fit"
    assert weights["1B4"] > 20 * weights["1B1"], "three on the floor"
    assert math.isfinite(sum(weights.values())) and min(weights.values()) > 0.0
