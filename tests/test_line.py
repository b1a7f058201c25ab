"""Tic-tac-toe and Gomoku: every game there is on 3x3, OpenSpiel move for move, slow second definitions."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boardwright as bw
from boardwright.compile import rule_kernels
from boardwright.compile.kernel import kernel
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.contract.state import copy_record
from boardwright.games.in_a_row import Gomoku, LineGame, TicTacToe
from tests.marks import examples, slowly

BOARDS = [
    TicTacToe(),
    TicTacToe(size=3, rows=5, line=4),
    Gomoku(size=7),
    TicTacToe(size=9, rows=8, line=8),  # too long for the table of tense neighbourhoods
]
MORE = [
    TicTacToe(size=4, rows=3),
    Gomoku(size=9, rows=6, exactly=True),
    Gomoku(size=17, rows=16, line=4, exactly=True),  # more than 256 cells
]
ON_ALL_BOARDS = pytest.mark.parametrize("game", [*BOARDS, *slowly(*MORE)], ids=str)


def some_moves(game: LineGame, seed: int, plies: int, debug: bool = False) -> Position:
    """Random play, which leaves wins untaken and threats unblocked."""
    rng, position = Random(seed), game.begin(debug=debug)
    for _ in range(plies):
        if position.is_over:
            break
        position = position.play(position.moves[rng.below(len(position.moves))])
    return position


def grid(position: Position) -> np.ndarray[Any, Any]:
    """The stones as rows and columns, from what `observe` shows: 1 is X, 2 is O."""
    own, other = np.moveaxis(position.observe(), 2, 0)[:2]
    me = (position.game.actions - position.view.left) % 2 + 1
    return np.asarray(own * me + other * (3 - me)).astype(int)


def has_line(game: LineGame, stones: np.ndarray[Any, Any], who: int) -> bool:
    """Every row, column and diagonal as text, searched by a pattern."""
    rows, columns = stones.shape
    lines = [*stones, *stones.T]
    for board in (stones, stones[::-1]):
        lines += [board.diagonal(offset) for offset in range(1 - rows, columns)]
    stretch = f"{who}{{{game.line}}}"
    pattern = re.compile(f"(?<!{who}){stretch}(?!{who})" if game.exactly else stretch)
    return any(pattern.search("".join(map(str, line.tolist()))) for line in lines)


def winning_cells(game: LineGame, stones: np.ndarray[Any, Any], who: int) -> set[int]:
    found = set()
    for cell in np.flatnonzero(stones == 0).tolist():
        after = stones.copy()
        after.flat[cell] = who
        if has_line(game, after, who):
            found.add(cell)
    return found


# Every game on 3x3


@kernel
def walk(game: Any, states: Any, moves: Any, tried: Any, counts: Any, out: Any, tally: Any) -> None:
    """Every game from state 0 to its end; tally[0, 1, 2]: how many the first player won, the second, nobody."""
    depth = 0
    counts[0] = game.legal(states[0], moves[0])
    while depth >= 0:
        if tried[depth] == counts[depth]:
            tried[depth] = 0
            depth -= 1
            continue
        states[depth + 1] = states[depth]
        game.play(states[depth + 1], moves[depth, tried[depth]])
        tried[depth] += 1
        if game.player(states[depth + 1]) == bw.OVER:
            game.results(states[depth + 1], out)
            tally[0 if out[0] > 0 else 1 if out[1] > 0 else 2] += 1
        else:
            depth += 1
            counts[depth] = game.legal(states[depth], moves[depth])


def test_every_game_of_tic_tac_toe() -> None:
    game = TicTacToe()
    states = np.zeros(10, game.state_dtype)
    rule_kernels.start_state(game, states)
    tally = np.zeros(3, np.int64)
    walk(game, states, np.zeros((10, 9), np.int32), np.zeros(10, np.int64), np.zeros(10, np.int64), np.zeros(2), tally)
    assert tally.tolist() == [131_184, 77_904, 46_080]


@cache
def every_position() -> dict[bytes, tuple[Position, list[bytes]]]:
    """Each position of 3x3, by its stones, with the stones after each of its moves; earlier ones first."""
    first = TicTacToe().begin()
    level, found = {grid(first).tobytes(): first}, {}
    while level:
        following: dict[bytes, Position] = {}
        for stones, position in level.items():
            after = [position.play(move) for move in position.moves]
            names = [grid(each).tobytes() for each in after]
            following.update(zip(names, after, strict=True))
            found[stones] = position, names
        level = following
    return found


def test_positions_of_tic_tac_toe() -> None:
    assert len(every_position()) == 5_478
    classes = {min(grid(image).tobytes() for image in images(position)) for position, _ in every_position().values()}
    assert len(classes) == 765


@pytest.mark.parametrize(
    ("policy", "first", "second"),
    [("random", 99.48, 91.64), ("win_block", 92.71, 26.03), ("win_block_middle", 83.33, 5.71)],
)
def test_how_often_a_player_who_never_loses_can_win(policy: str, first: float, second: float) -> None:
    """Known exactly, by dynamic programming, for each opponent: these opponents are the ones they are meant to be."""
    for seat, known in ((0, first), (1, second)):
        wins: dict[bytes, float] = {}  # minus infinity: could be lost
        for stones, (position, after) in reversed(every_position().items()):
            if position.results:
                wins[stones] = {1.0: 1.0, 0.0: 0.0, -1.0: -np.inf}[position.results[seat]]
            elif position.player == seat:
                wins[stones] = max(wins[each] for each in after)
            else:
                weights = np.ones(len(after)) if policy == "random" else position.weigh(policy)
                odds = weights / weights.sum()
                wins[stones] = sum(chance * wins[each] for chance, each in zip(odds, after, strict=True) if chance)
        assert round(100 * wins[next(iter(every_position()))], 2) == known


# Against OpenSpiel

SPIEL = [
    (TicTacToe(), "tic_tac_toe", 3000),
    (TicTacToe(size=5, rows=4, line=4), "mnk(m=5,n=4,k=4)", 1500),
    (Gomoku(size=6, line=4), "gomoku(size=6,connect=4)", 1500),
    (Gomoku(), "gomoku", 60),
]


@pytest.mark.parametrize(("game", "name", "count"), SPIEL, ids=[name for _, name, _ in SPIEL])
def test_agrees_with_openspiel(game: LineGame, name: str, count: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    other_game = pyspiel.load_game(name)
    rng = Random(11)
    for _ in range(count):
        position, other = game.begin(), other_game.new_initial_state()
        while not position.is_over:
            assert not other.is_terminal() and other.current_player() == position.player
            assert sorted(position.moves) == other.legal_actions()
            move = position.moves[rng.below(len(position.moves))]
            position = position.play(move)
            other.apply_action(move)
        assert other.is_terminal()
        assert list(position.results or ()) == other.returns()


# Lines


@ON_ALL_BOARDS
def test_ends_with_the_first_line_and_knows_who_could_win(game: LineGame) -> None:
    for seed in range(6 if game.actions < 20 else 2):
        for position in some_moves(game, seed, game.actions).line():
            stones = grid(position)
            lines = [has_line(game, stones, who) for who in (1, 2)]
            assert position.is_over == (any(lines) or not (stones == 0).any())
            if position.is_over:
                win = lines[0] - lines[1]
                assert position.results == (win, -win)
            elif game.actions < 20 or len(position.moves) % (game.actions // 7) == 0:
                me = position.player + 1
                mine, theirs = winning_cells(game, stones, me), winning_cells(game, stones, 3 - me)
                check_win_block(position, mine or theirs)


def check_win_block(position: Position, urgent: set[int]) -> None:
    game: Any = position.game
    moves = set(position.moves)

    def liked(policy: str) -> set[int]:
        weights = position.weigh(policy)
        assert (weights >= 0.0).all()
        return {move for move, weight in zip(position.moves, weights, strict=True) if weight > 0.0}

    middle_rows = {(game.height - 1) // 2, game.height // 2}
    middle_columns = {(game.columns - 1) // 2, game.columns // 2}
    middle = {move for move in moves if move // game.columns in middle_rows and move % game.columns in middle_columns}
    assert liked("win_block") == (urgent or moves)
    assert liked("win_block_middle") == (urgent or middle or moves)
    assert liked("greedy") <= (urgent or moves)
    weights = position.weigh("win_block")
    assert set(weights[weights > 0.0].tolist()) == {1.0}


def played(game: LineGame, moves: str) -> Position:
    position = game.begin()
    for move in moves.split():
        position = position.play(move)
    return position


SIX = "a1 a9 b1 c9 c1 e9 e1 g9 f1 b7"  # X lacks d1 for six in a row


def test_six_win_only_where_five_or_more_do() -> None:
    assert played(Gomoku(size=9), f"{SIX} d1").results == (1.0, -1.0)
    after = played(Gomoku(size=9, exactly=True), f"{SIX} d1")
    assert after.player == 1 and not after.is_over
    assert winning_texts(played(Gomoku(size=9), SIX)) == {"d1"}
    assert (played(Gomoku(size=9, exactly=True), SIX).weigh("win_block") == 1.0).all(), "d1 is like any other"


def test_six_one_way_and_five_the_other_win() -> None:
    column = "d2 h9 d3 h7 d4 h5 d5 a7"
    assert played(Gomoku(size=9, exactly=True), f"{SIX} {column} d1").results == (1.0, -1.0)


def test_a_winning_point_is_lost_when_the_line_grows_too_long() -> None:
    four = "b1 a9 c1 c9 d1 e9 e1 g9"
    for exactly, still in ((True, {"a1"}), (False, {"a1", "f1"})):
        game = Gomoku(size=9, exactly=exactly)
        assert winning_texts(played(game, four)) == {"a1", "f1"}
        assert winning_texts(played(game, f"{four} g1 b7")) == still


def winning_texts(position: Position) -> set[str]:
    weights = position.weigh("win_block")
    assert (weights == 0.0).any(), "nothing is urgent here"
    return {position.text(move) for move, weight in zip(position.moves, weights, strict=True) if weight > 0.0}


def test_greedy_beats_win_block_at_gomoku() -> None:
    game, rng, wins = Gomoku(), Random(5), 0
    for number in range(10):
        position = game.begin()
        while not position.is_over:
            policy = ("greedy", "win_block")[(position.player + number) % 2]
            weights = position.weigh(policy)
            best = np.flatnonzero(weights == weights.max())
            position = position.play(position.moves[int(best[rng.below(len(best))])])
        assert position.results is not None
        wins += position.results[number % 2] == 1.0
    assert wins == 10


# Symmetries, two runs, text


def images(position: Position) -> list[Position]:
    found = []
    for image in range(position.game.symmetries):
        states = np.zeros(2, position.game.state_dtype)
        states[0] = position.record[0]
        rule_kernels.mirror_state(position.game, states, image)
        found.append(Position(position.game, copy_record(states[1:])))
    return found


@ON_ALL_BOARDS
def test_symmetries_commute_with_play(game: LineGame) -> None:
    assert game.symmetries == (8 if game.columns == game.height else 4)
    for seed in range(4):
        rng = Random(seed)
        position = some_moves(game, seed, rng.below(game.actions))
        if position.is_over:
            continue
        move = position.moves[rng.below(len(position.moves))]
        before, after = images(position), images(position.play(move))
        assert before[0] == position
        assert len({grid(image).tobytes() for image in before}) > 1 or position.view.left == game.actions
        for image in range(game.symmetries):
            moves = np.array([*position.moves, move], np.int32)
            rule_kernels.mirror_moves(game, moves, image)
            assert sorted(before[image].moves) == sorted(moves[:-1].tolist())
            assert before[image].play(int(moves[-1])) == after[image]
            assert game.from_json(after[image].to_json()) == after[image]


@ON_ALL_BOARDS
def test_interpreter_and_compiled_rules_agree(game: LineGame) -> None:
    compiled, debugged, rng = game.begin(), game.begin(debug=True), Random(3)
    while not compiled.is_over:
        assert compiled.key == debugged.key and compiled.moves == debugged.moves
        for policy in game.policies if len(compiled.moves) % 5 == 0 else ():
            assert (compiled.weigh(policy) == debugged.weigh(policy)).all()
        move = compiled.moves[rng.below(len(compiled.moves))]
        compiled, debugged = compiled.play(move), debugged.play(move)
    assert compiled.results == debugged.results
    assert (compiled.observe() == debugged.observe()).all()


@ON_ALL_BOARDS
def test_texts_go_there_and_back(game: LineGame) -> None:
    position = some_moves(game, 1, game.actions // 3)
    for move in position.moves:
        assert position.parse(position.text(move)) == position.parse(position.text(move).upper()) == move
    assert game.from_json(position.to_json()) == position
    stones = grid(position)
    shown = str(position).partition("\n\n")[0]
    assert [shown.count(sign) for sign in ".XO"] == [(stones == who).sum() for who in range(3)]


def test_names_count_rows_from_the_bottom() -> None:
    game = Gomoku()
    assert game.cell_name(0) == "a15" and game.cell_name(224) == "o1" and game.begin().parse("h8") == 112


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("b2", "X has b2"),
        ("d1", "columns are a to c"),
        ("a4", "rows are 1 to 3"),
        ("a0", "rows are"),
        ("hello", "column letter"),
    ],
)
def test_says_why_a_move_does_not_fit(text: str, reason: str) -> None:
    with pytest.raises(bw.InputError, match=reason):
        TicTacToe().begin().play("b2").play(text)


def test_board_shows_stones_last_move_and_winner() -> None:
    assert str(played(TicTacToe(), "a1 a2 b2 b1 c3")).splitlines() == [
        "3  . .(X)",
        "2  O X .",
        "1  X O .",
        "   a b c",
        "",
        "X wins: c3 b2 a1",
    ]


def test_observes_from_the_mover_s_side() -> None:
    seen = played(TicTacToe(), "b2 a3").observe()
    assert np.argwhere(seen[:, :, 0]).tolist() == [[1, 1]]
    assert np.argwhere(seen[:, :, 1]).tolist() == np.argwhere(seen[:, :, 2]).tolist() == [[0, 0]]
    assert (seen[:, :, 3] == 1.0).all()


@ON_ALL_BOARDS
def test_pictures_are_svg_with_places_to_play(game: LineGame) -> None:
    for plies in (0, 7, game.actions):
        position = some_moves(game, 2, plies)
        root = ElementTree.fromstring(position.svg())
        places = {element.get("data-move") for element in root.iter()} - {None}
        assert places == (set() if position.is_over else set(map(position.text, position.moves)))


# States from outside


@examples(60)
@given(st.data())
def test_refuses_altered_states_or_plays_them(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from([TicTacToe(), Gomoku(size=6, exactly=True)]))
    position = some_moves(game, data.draw(st.integers(0, 1000)), data.draw(st.integers(0, 20)))
    state = json.loads(position.to_json())
    field = data.draw(st.sampled_from(sorted(state["state"])))
    where, last = state["state"], field
    while isinstance(where[last], list):
        where, last = where[last], data.draw(st.integers(0, len(where[last]) - 1))
    where[last] = data.draw(st.integers(-3, 40))
    try:
        found = game.from_json(json.dumps(state))
    except bw.InputError:
        return
    finish(Position(game, copy_record(found.record), debug=True), data.draw(st.integers(0, 1000)))


def finish(position: Position, seed: int) -> None:
    rng = Random(seed)
    while not position.is_over:
        position = position.play(position.moves[rng.below(len(position.moves))])


def test_refuses_play_after_a_win() -> None:
    game = TicTacToe()
    state = json.loads(played(game, "a1 a2 b2 b1 c3").to_json())
    state["state"]["winner"] = 0
    with pytest.raises(bw.InputError, match="winner does not follow"):
        game.from_json(json.dumps(state))
    state = json.loads(played(game, "a1 a2 b2 b1 c3").to_json())
    state["state"]["left"] -= 1
    with pytest.raises(bw.InputError, match="goes on after the game was won"):
        game.from_json(json.dumps(state))


@pytest.mark.parametrize(
    "options", [{"size": 2}, {"size": 26}, {"line": 2}, {"line": 4}, {"rows": 1}, {"rows": -3}], ids=str
)
def test_refuses_options_that_make_no_game(options: dict[str, int]) -> None:
    with pytest.raises(bw.InputError, match="choose"):
        TicTacToe(**options)
