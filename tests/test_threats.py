"""Continuous fours: true against a slow search that knows nothing but the rules, and against positions made by hand."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boardwright as bw
from boardwright.compile.kernel import interpret, kernel
from boardwright.compile.rule_kernels import mirror_state
from boardwright.contract.errors import RuleError
from boardwright.contract.state import copy_record
from tests.marks import examples, slowly, thorough

PLENTY = 100_000


@kernel
def look_for_win(game, states, line, tries):  # type: ignore[no-untyped-def]  # Numba types rules
    return game.winning(states[0], line, tries)


@kernel
def look_for_answers(game, states, moves, count, line, tries):  # type: ignore[no-untyped-def]  # Numba types rules
    return game.answers(states[0], moves, count, line, tries)


@kernel
def glance(game, states, out):  # type: ignore[no-untyped-def]  # Numba types rules
    game.estimate(states[0], out)


def winning(position: bw.Position, tries: int = PLENTY, *, plain: bool = False) -> list[int]:
    """The forced line that the game sees; the state must come back unharmed."""
    record, line = copy_record(position.record), np.zeros(position.game.actions, np.int32)
    run = interpret(look_for_win) if plain else look_for_win
    length = run(position.game, record, line, tries)
    assert record.tobytes() == position.record.tobytes()
    return [int(cell) for cell in line[:length]]


def answers(position: bw.Position, tries: int = PLENTY, *, plain: bool = False) -> set[int]:
    record, moves = copy_record(position.record), np.array(position.moves, np.int32)
    line = np.zeros(position.game.actions, np.int32)
    run = interpret(look_for_answers) if plain else look_for_answers
    kept = run(position.game, record, moves, len(moves), line, tries)
    assert record.tobytes() == position.record.tobytes()
    return set(moves[:kept].tolist())


# A slow judge of its own: boards as dictionaries, lines found by walking, no line of the game's code.


@dataclass(frozen=True)
class Rules:
    columns: int
    rows: int
    line: int
    exactly: bool

    def completes(self, stones: dict[tuple[int, int], int], at: tuple[int, int], who: int) -> bool:
        if at in stones or not (0 <= at[0] < self.columns and 0 <= at[1] < self.rows):
            return False
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            length = 1
            for sign in (1, -1):
                x, y = at[0] + sign * dx, at[1] + sign * dy
                while stones.get((x, y)) == who:
                    length += 1
                    x, y = x + sign * dx, y + sign * dy
            if length == self.line or (length > self.line and not self.exactly):
                return True
        return False

    def wins_on(self, stones: dict[tuple[int, int], int], who: int) -> list[tuple[int, int]]:
        cells = [(x, y) for y in range(self.rows) for x in range(self.columns)]
        return [cell for cell in cells if self.completes(stones, cell, who)]

    def wins_by_fours(self, stones: dict[tuple[int, int], int], who: int) -> bool:
        """Does `who`, to move, win by moves each of which threatens to win at once? By the definition, all replies."""
        if self.wins_on(stones, who):
            return True
        urgent = self.wins_on(stones, 1 - who)
        if len(urgent) > 1:
            return False
        cells = urgent or [(x, y) for y in range(self.rows) for x in range(self.columns) if (x, y) not in stones]
        for cell in cells:
            stones[cell] = who
            threats = self.wins_on(stones, who)
            won = len(threats) > 1
            if len(threats) == 1:
                stones[threats[0]] = 1 - who
                won = self.wins_by_fours(stones, who)
                del stones[threats[0]]
            del stones[cell]
            if won:
                return True
        return False


def judged(position: bw.Position) -> tuple[Rules, dict[tuple[int, int], int]]:
    game = position.game
    rules = Rules(game.columns, game.height, game.line, game.exactly)  # type: ignore[attr-defined]  # of a Line
    stones, order, left = {}, position.record["order"][0], int(position.record["left"][0])
    for number, cell in enumerate(reversed(order[left:].tolist())):
        stones[(cell % rules.columns, cell // rules.columns)] = number & 1
    return rules, stones


def place(game: bw.Game, first: str, second: str) -> bw.Position:
    """A position from the stones of each side, in any order, without a line on the way."""
    position = game.begin()
    one, other = first.split(), second.split()
    for number in range(len(one) + len(other)):
        position = position.play((other if number & 1 else one)[number // 2])
    return position


def named(position: bw.Position, cells: list[int]) -> list[str]:
    return [position.game.cell_name(cell) for cell in cells]  # type: ignore[attr-defined]  # of a Line


GAMES = ["gomoku:size=6,line=4,exactly=true", "gomoku:size=7"]
if thorough():
    GAMES += ["gomoku:size=6,line=4", "gomoku:size=7,exactly=true"]


@st.composite
def crowded(draw: st.DrawFn) -> bw.Position:
    """A position reached by moves that keep close together, so that lines arise; nobody has won."""
    game = bw.load(draw(st.sampled_from(GAMES)))
    position, rng = game.begin(), bw.Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(4, 26))):
        weights = position.weigh("greedy")
        liked = sorted(position.moves, key=lambda move: -weights[position.moves.index(move)])
        wanted = min(rng.below(6), len(liked) - 1) if rng.below(2) else rng.below(len(liked))
        for move in (*liked[wanted:], *liked[:wanted]):  # the first that does not end the game
            after = position.play(move)
            if not after.is_over:
                position = after
                break
        else:
            break
    return position


@examples(100)
@given(crowded())
def test_a_win_is_seen_exactly_where_there_is_one(position: bw.Position) -> None:
    rules, stones = judged(position)
    line = winning(position)
    assert bool(line) == rules.wins_by_fours(stones, position.player)
    assert line == winning(position, plain=True)
    check_line(position, line)


def check_line(position: bw.Position, line: list[int]) -> None:
    """Every move of the line must be a four or win, every reply forced, and the end beyond help."""
    if not line:
        return
    me = position.player
    rules, stones = judged(position)
    for number, cell in enumerate(line):
        at = (cell % rules.columns, cell // rules.columns)
        assert at not in stones
        if number & 1:
            assert rules.wins_on(stones, me) == [at], "the reply is the only one"
        else:
            assert at in rules.wins_on(stones, me) or set(rules.wins_on(stones, 1 - me)) <= {at}
        won = rules.completes(stones, at, me)
        stones[at] = me if number % 2 == 0 else 1 - me
    assert won or len(rules.wins_on(stones, me)) > 1


@examples(100)
@given(crowded())
def test_moves_left_out_lose_by_fours(position: bw.Position) -> None:
    kept = answers(position)
    assert kept == answers(position, plain=True)
    assert kept and kept <= set(position.moves)
    rules, stones = judged(position)
    me = position.player
    if rules.wins_on(stones, me) or rules.wins_on(stones, 1 - me):
        assert kept == set(position.moves)
        return
    for move in set(position.moves) - kept:
        at = (move % rules.columns, move // rules.columns)
        stones[at] = me
        assert not rules.wins_on(stones, me), "a four gains a move"
        assert rules.wins_by_fours(stones, 1 - me)
        del stones[at]


@examples(60)
@given(crowded(), st.integers(0, 30))
def test_few_tries_see_less_but_nothing_false(position: bw.Position, tries: int) -> None:
    line = winning(position, tries)
    assert not line or winning(position)
    check_line(position, line)
    assert answers(position) <= answers(position, tries)


FREE, EXACT = bw.load("gomoku"), bw.load("gomoku:exactly=true")


# Positions made by hand


def test_open_three_and_double_four() -> None:
    position = place(FREE, "h8 i8 j8 a1", "a15 b15 o1 d4")  # X to move: an open three becomes an open four
    assert named(position, winning(position)) in (["g8"], ["k8"])
    # two closed threes that cross: one stone makes two fours
    position = place(FREE, "h8 i8 j8 k9 k10 k11 a1", "g8 k12 a15 c15 e15 o1 d4")
    assert named(position, winning(position)) == ["k8"]


def test_a_chain_of_fours() -> None:
    """X has no double four at once: the first four, with its forced reply, builds the second."""
    position = place(FREE, *CHAIN)
    line = named(position, winning(position))
    assert line[:2] == ["h4", "g4"] and line[2] in ("h3", "h7")
    check_line(position, winning(position))


CHAIN = "d4 e4 f4 h5 h6", "c4 a15 c15 e15 m15"


def test_the_reply_that_makes_a_four_interrupts() -> None:
    """The same attack, but the forced reply on g4 stands below three stones of O's."""
    position = place(FREE, "d4 e4 f4 h5 h6", "c4 g5 g6 g7 m15")
    rules, stones = judged(position)
    assert winning(position) == [] and not rules.wins_by_fours(stones, 0)


def test_who_is_threatened_with_five_must_answer_first() -> None:
    # O has four in a row with one end open; X's open three is worth nothing unless it blocks with a four
    position = place(FREE, "h8 i8 j8 a2 o15", "a3 a4 a5 a6 o1")
    assert winning(position) == []
    position = place(FREE, "h8 i8 j8 l8 o15", "k7 k6 k5 k4 o1")
    assert named(position, winning(position)) == ["k8"], "the block makes five"


def test_an_overline_is_no_four_where_exactly_five_wins() -> None:
    first, second = "b8 c8 d8 g8 a1", "a15 c15 e15 g15 i15"
    free, exact = place(FREE, first, second), place(EXACT, first, second)
    rules, stones = judged(exact)
    assert winning(free)
    assert bool(winning(exact)) == rules.wins_by_fours(stones, 0)
    # XXX.X.X: the point between makes six or five
    first, second = "b8 c8 d8 f8 g8 h8", "a8 c15 e15 g15 i15 k15"
    assert named(place(FREE, first, second), winning(place(FREE, first, second))) == ["e8"]
    assert winning(place(EXACT, first, second)) == [], "seven in a row do not win"


def test_answers_to_an_open_three() -> None:
    """O must stop h8 i8 j8 at an end, or in the line that is seen first; there are no fours to make."""
    position = place(FREE, "h8 i8 j8", "a15 o15")
    kept = {position.text(move) for move in answers(position)}
    assert {"g8", "k8"} <= kept <= {"f8", "g8", "k8", "l8"}


def test_a_four_counts_that_only_the_forced_replies_would_make_too_long() -> None:
    """The reply f3 would make b3 to f3 five stones, where exactly four win; but b3 comes before it, and is a four."""
    game = bw.load("gomoku", size=6, line=4, exactly=True)
    position = place(game, "c4 c3 e3 b2 d2 e2 c1", "b6 e4 f4 a2 c2 a1 f1")
    assert "b3" in named(position, sorted(answers(position)))


def test_the_search_wins_and_defends_by_it() -> None:
    attack = place(FREE, *CHAIN)
    choice = bw.player("mcts:simulations=2", FREE).choose(attack)
    assert choice.note == "proven" and choice.value == (1.0, -1.0) and attack.text(choice.move) == "h4"
    blind = bw.player("mcts:simulations=2,threats=false", FREE).choose(attack)
    assert blind.note == ""
    defence = place(FREE, "h8 i8 j8", "a15 o15")
    choice = bw.player("mcts:simulations=50", FREE).choose(defence)
    assert {move for move, visits in choice.visits.items() if visits} <= answers(defence)


def test_a_lost_root_that_was_foreseen_still_moves() -> None:
    """The opponent goes into a win that our tree had foreseen for him: we must still answer."""
    player = bw.player("mcts:simulations=400,seed=1", FREE)
    position = place(FREE, "h8 i8 a1", "a15 c15 e15")
    for text in ("j8", "o15", "g8"):
        player.choose(position)
        position = position.play(text)
    assert player.choose(position).move in position.moves


def test_other_games_have_no_threats_and_pay_nothing() -> None:
    for name in ("tictactoe", "2048", "azul"):
        game = bw.load(name)
        assert not game.sees_threats and not game.estimates
    assert FREE.sees_threats and FREE.estimates


@examples(60)
@given(crowded())
def test_the_estimate_is_fair(position: bw.Position) -> None:
    """What one side can expect the other cannot; images of a position are worth the same."""
    values = []
    for image in range(position.game.symmetries):
        out = np.zeros(2)
        states = np.zeros(2, position.game.state_dtype)
        states[:1] = copy_record(position.record)
        mirror_state(position.game, states, image)
        glance(position.game, states[1:].copy(), out)
        values.append(out)
    assert np.allclose(values, values[0]) and values[0].sum() == 0.0 and abs(values[0][0]) < 1.0


WRONG = """
from boardwright.games.in_a_row import Gomoku


class Leaves(Gomoku):
    \"\"\"Forgets to take a stone off.\"\"\"

    def winning(self, s, line, tries):
        s.left -= 1
        return 0


class Drops(Gomoku):
    \"\"\"Leaves nothing to play.\"\"\"

    def answers(self, s, moves, count, line, tries):
        return 0


class Alone(bw.Game):
    \"\"\"A solitaire that claims to win against somebody.\"\"\"

    players = 1
    actions = 2

    def layout(self):
        return [("moves", "i1")]

    def player(self, s):
        return bw.OVER if s.moves > 2 else 0

    def legal(self, s, moves):
        moves[0] = 0
        moves[1] = 1
        return 2

    def play(self, s, move):
        s.moves += 1

    def scores(self, s, out):
        out[0] = s.moves

    def winning(self, s, line, tries):
        return 0
"""


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("Alone", "winning: only a game of two players that is won can have it"),
        *slowly(
            ("Leaves:size=5", "must leave the state as it was; it changed at ply 0"),
            ("Drops:size=5", "answers: keep some of the moves given"),
        ),
    ],
)
def test_check_finds_broken_promises(tmp_path: Path, spec: str, message: str) -> None:
    (tmp_path / "wrong.py").write_text("import boardwright as bw\n" + WRONG)
    with pytest.raises(RuleError, match=message):
        bw.check_game(bw.load(f"{tmp_path / 'wrong.py'}:{spec}"))
