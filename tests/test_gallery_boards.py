"""The board games of docs/examples against a second truth: OpenSpiel move by move, counts that others have published,
and small boards whose values are known."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import boardwright as bw
from boardwright.bench.gallery import twin_of
from boardwright.contract.random import Random
from boardwright.search.exact.solver import Solver
from boardwright.serve.view import see
from tests.beside_openspiel import play_beside
from tests.marks import slowly, thorough
from tests.second_readings import agreed
from tests.test_gallery import example

pyspiel = pytest.importorskip("pyspiel")
BOARDS = ("dots_and_boxes", "hex", "othello")


def games_of(game: bw.Game, few: int, many: int) -> list[bw.Position]:
    """Beginnings: a few in the interpreter, which compiles nothing; many and compiled in `make test-all`."""
    return [game.begin(debug=not thorough()) for _ in range(many if thorough() else few)]


def leaves(position: bw.Position, depth: int) -> int:
    """How many lines of `depth` plies there are: perft."""
    if depth == 1:
        return len(position.moves)
    return sum(leaves(position.play(move), depth - 1) for move in position.moves)


def shown(position: bw.Position) -> set[str]:
    """What can be clicked in the picture."""
    return set(re.findall(r'data-(?:cell|move)="([^"]+)"', see(position)["svg"]))


@pytest.mark.parametrize("name", BOARDS)
def test_every_move_is_a_click(name: str) -> None:
    position, rng = example(name).begin(debug=True), Random(1)
    while not position.is_over:
        assert {position.text(move) for move in position.moves} - shown(position) <= {"pass"}
        position = position.play(position.moves[rng.below(len(position.moves))])


# Othello


def test_othello_agrees_with_openspiel() -> None:
    game, passed = example("othello"), 0
    for seed, start in enumerate(games_of(game, 4, 300)):
        other = pyspiel.load_game("othello").new_initial_state()
        *played, end = play_beside(start, other, Random(seed), agreed, text=str)
        passed += sum(position.text(position.moves[0]) == "pass" for position in played)
        assert sum(end.scores or ()) == sum(disc > 0 for row in end.fields()["cells"] for disc in row)
    assert passed > 0


def test_othello_has_as_many_lines_as_published() -> None:
    published = (4, 12, 56, 244, 1396, 8200, 55092)  # as programs of Othello give them to compare
    for depth in range(1, 8 if thorough() else 5):
        assert leaves(example("othello").begin(debug=not thorough()), depth) == published[depth - 1]


def test_othello_ends_when_nobody_can_turn_a_disc() -> None:
    position = example("othello", size=4).begin(debug=True)
    for text in ("c4", "b4", "a4", "d4", "d2", "pass", "a1"):
        assert not position.is_over
        position = position.play(text)
    assert position.is_over and position.scores == (9.0, 1.0) and position.results == (1.0, -1.0)


# Dots and Boxes


@pytest.mark.parametrize(("rows", "columns"), [(2, 3), (4, 4)])
def test_dots_and_boxes_agree_with_openspiel(rows: int, columns: int) -> None:
    game, again, drawn = example("dots_and_boxes", rows=rows, columns=columns), 0, 0
    for seed, start in enumerate(games_of(game, 12, 300)):
        other = pyspiel.load_game(twin_of(game)).new_initial_state()
        played = list(play_beside(start, other, Random(seed), agreed))
        for before, position in pairwise(played):
            gained = sum(position.scores or ()) - sum(before.scores or ())
            assert position.is_over or (gained > 0) == (position.player == before.player)
            again += gained > 0
        assert sum(played[-1].scores or ()) == rows * columns
        drawn += played[-1].results == (0.0, 0.0)
    assert again > 0 and drawn > 0


# One box goes to the second player, who draws its last line; two in a row are a draw, as he can mirror what the first
# does; that the first wins two by two is in Winning Ways (Berlekamp, Conway, Guy).
@pytest.mark.parametrize(("rows", "columns", "value"), [(1, 1, -1.0), *slowly((1, 2, 0.0), (1, 3, -1.0), (2, 2, 1.0))])
def test_small_dots_and_boxes_are_worth_what_is_known(rows: int, columns: int, value: float) -> None:
    game = example("dots_and_boxes", rows=rows, columns=columns)
    quick = rows * columns < 4  # for the interpreter
    assert Solver(game, interpreted=quick).value(game.begin(debug=quick)) == value
    assert np.sign(known_margin(rows, columns, frozenset())) == value


@cache
def known_margin(rows: int, columns: int, drawn: frozenset[tuple[int, int, int, int]]) -> int:
    """How many more of the boxes that are left the player to move gets: lines as pairs of dots, by plain recursion."""
    lines = {(y, x, y, x + 1) for y in range(rows + 1) for x in range(columns)}
    lines |= {(y, x, y + 1, x) for y in range(rows) for x in range(columns + 1)}
    found = []
    for line in lines - drawn:
        after = drawn | {line}
        closed = sum(
            line in sides and sides <= after
            for y in range(rows)
            for x in range(columns)
            for sides in [{(y, x, y, x + 1), (y + 1, x, y + 1, x + 1), (y, x, y + 1, x), (y, x + 1, y + 1, x + 1)}]
        )
        rest = known_margin(rows, columns, after)
        found.append(closed + rest if closed else -rest)
    return max(found, default=0)


# Hex


@pytest.mark.parametrize("size", [4, 7])
def test_hex_agrees_with_openspiel(size: int) -> None:
    game, won = example("hex", size=size), [0, 0]
    for seed, start in enumerate(games_of(game, 12, 300)):
        other = pyspiel.load_game(twin_of(game)).new_initial_state()
        *_, end = play_beside(start, other, Random(seed), agreed, text=str)
        won[end.results == (-1.0, 1.0)] += 1
    assert min(won) > 0


@pytest.mark.parametrize("size", [2, *slowly(3)])
def test_small_boards_of_hex_are_won_by_the_first(size: int) -> None:
    """As on every board (Nash); and by the same first stones as OpenSpiel's rules say."""
    game = example("hex", size=size)
    quick = size == 2  # for the interpreter
    values = Solver(game, interpreted=quick).values(game.begin(debug=quick))
    start = pyspiel.load_game(twin_of(game)).new_initial_state()
    assert max(values.values()) == 1.0
    assert values == {move: -known_value(start.child(move), {}) for move in start.legal_actions()}


def known_value(state: Any, known: dict[str, float]) -> float:
    """What the player to move gets, by plain recursion over OpenSpiel's rules; who has lost is to move at the end."""
    text = str(state)
    if text not in known:
        after = [-known_value(state.child(move), known) for move in state.legal_actions()]
        known[text] = -1.0 if state.is_terminal() else max(after)
    return known[text]


def test_hex_refuses_chains_that_go_round() -> None:
    game = example("hex")
    text = game.begin(debug=True).to_json()
    assert game.from_json(text).moves == tuple(range(49))
    with pytest.raises(bw.InputError, match="cannot arise in play: a chain leads nowhere"):
        game.from_json(text.replace("[0, 1, 2, 3,", "[1, 0, 2, 3,"))
