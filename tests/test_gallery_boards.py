"""The board games of docs/examples against a second truth: OpenSpiel move by move, counts that others have published,
and small boards whose values are known."""

from __future__ import annotations

import re

import pytest

import boardwright as bw
from boardwright.contract.random import Random
from boardwright.serve.view import see
from tests.marks import thorough
from tests.test_gallery import example

pyspiel = pytest.importorskip("pyspiel")
BOARDS = ("othello",)


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
    for seed, position in enumerate(games_of(game, 4, 300)):
        other, rng = pyspiel.load_game("othello").new_initial_state(), Random(seed)
        while not position.is_over:
            assert [position.text(move) for move in position.moves] == [
                other.action_to_string(move) for move in other.legal_actions()
            ]
            assert list(position.moves) == other.legal_actions() and position.player == other.current_player()
            passed += position.text(position.moves[0]) == "pass"
            move = position.moves[rng.below(len(position.moves))]
            position = position.play(move)
            other.apply_action(move)
        assert other.is_terminal() and list(position.results or ()) == other.returns()
        assert sum(position.scores or ()) == sum(disc > 0 for row in position.fields()["cells"] for disc in row)
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
