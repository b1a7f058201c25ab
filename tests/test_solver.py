"""The exact solver, against plain recursion and against values known from the literature."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boardwright as bw
from boardwright.compile.kernel import kernel
from boardwright.contract.position import Position
from boardwright.players.solver import SolverPlayer
from boardwright.search.exact.solver import Solver, SolverSettings
from boardwright.search.exact.transposition import claim, find, hashed, mixed, new_table, state_key, words_of
from tests.marks import examples, slowly

# The rules again, written from scratch: a board is a text of "." X O, row by row.


@cache
def windows(columns: int, rows: int, line: int) -> tuple[tuple[int, ...], ...]:
    found = []
    for row in range(rows):
        for column in range(columns):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + i * down, column + i * right) for i in range(line)]
                if all(0 <= r < rows and 0 <= c < columns for r, c in cells):
                    found.append(tuple(r * columns + c for r, c in cells))
    return tuple(found)


def longest(board: str, columns: int, rows: int, stone: str, line: int) -> set[int]:
    """The lengths of all unbroken rows of a stone, from `line` up."""
    lengths = set()
    for length in range(line, max(columns, rows) + 1):
        for cells in windows(columns, rows, length):
            if all(board[cell] == stone for cell in cells):
                lengths.add(length)
    return lengths


def plain_value(board: str, columns: int, rows: int, line: int, memory: dict[str, int]) -> int:
    """What X gets of a board under free-style rules, by plain recursion."""
    if board not in memory:
        mover = "XO"[(len(board) - board.count(".")) % 2]
        before = "OX"["XO".index(mover)]
        if longest(board, columns, rows, before, line):
            memory[board] = 1 if before == "X" else -1
        elif "." not in board:
            memory[board] = 0
        else:
            after = [
                plain_value(board[:cell] + mover + board[cell + 1 :], columns, rows, line, memory)
                for cell in range(len(board))
                if board[cell] == "."
            ]
            memory[board] = max(after) if mover == "X" else min(after)
    return memory[board]


def stones(position: Position) -> str:
    game: Any = position.game
    return "".join(".XO"[position.view.cells[game.point(cell)]] for cell in range(game.actions))


def reached(position: Position, moves: Sequence[int]) -> Position:
    for move in moves:
        position = position.play(move)
    return position


def test_all_positions_of_tictactoe() -> None:
    game = bw.load("tictactoe")
    solver, waiting = Solver(game), [game.begin()]
    seen: dict[str, float] = {}
    memory: dict[str, int] = {}
    while waiting:
        position = waiting.pop()
        if stones(position) in seen:
            continue
        seen[stones(position)] = solver.value(position)
        waiting += [position.play(move) for move in position.moves]
    assert len(seen) == 5478
    assert seen == {board: plain_value(board, 3, 3, 3, memory) for board in seen}


KNOWN = {
    (3, 3, 3): 0, (4, 4, 4): 0, (5, 4, 4): 0, (6, 4, 4): 0, (7, 4, 4): 0, (5, 5, 4): 0, (5, 5, 5): 0,
    (4, 3, 3): 1, (4, 4, 3): 1, (6, 5, 4): 1, (6, 6, 4): 1,
}  # fmt: skip
QUICKLY = [(3, 3, 3), (4, 4, 3)]


@pytest.mark.parametrize("board", [*QUICKLY, *slowly(*((board,) for board in KNOWN if board not in QUICKLY))], ids=str)
def test_known_values(board: tuple[int, int, int]) -> None:
    """m x n boards with k in a row, as listed in Uiterwijk and van den Herik (2000)."""
    columns, rows, line = board
    game = bw.load("tictactoe", size=columns, rows=rows if rows != columns else 0, line=line)  # a square has rows=0
    assert Solver(game).value(game.begin()) == KNOWN[board]


@pytest.mark.parametrize(
    ("options", "pattern"),
    [
        ("size=4,line=3", "WWWW/WWWW/WWWW/WWWW"),
        *slowly(("size=6,rows=5,line=4", "....../.WWWW./..WW../.WWWW./......")),
    ],
)
def test_winning_first_moves(options: str, pattern: str) -> None:
    game: Any = bw.load(f"tictactoe:{options}")
    start, solver = game.begin(), Solver(game)
    # One cell of each set of mirror images is enough.
    first = {move: min(int(game.images[image, move]) for image in range(game.symmetries)) for move in start.moves}
    wins = {move: solver.holds(start.play(move), 0, 1.0) for move in set(first.values())}
    cells = "".join("W" if wins[first[move]] else "." for move in range(game.actions))
    assert "/".join(cells[row : row + game.columns] for row in range(0, len(cells), game.columns)) == pattern


LATE = [
    "tictactoe:size=4,line=3",
    "gomoku:size=5,line=4",
    *slowly("tictactoe:size=4,rows=5,line=4", "tictactoe:size=5,rows=3,line=3"),
]


@pytest.mark.parametrize("name", LATE)
@examples(25)
@given(data=st.data())
def test_late_positions_and_bounds(name: str, data: st.DataObject) -> None:
    """Values agree with plain recursion, the rules' own bounds hold, and neither they, nor forced moves, nor
    symmetry change a value."""
    game: Any = bw.load(name)
    order = data.draw(st.permutations(range(game.actions)))
    position = game.begin()
    for move in order[: game.actions - 8]:
        if position.is_over:
            break
        position = position.play(move)
    memory: dict[str, int] = {}
    value = plain_value(stones(position), game.columns, game.height, game.line, memory)
    later = position
    for cell in [-1, *data.draw(st.permutations(position.moves))]:
        later = later.play(cell) if cell >= 0 else later
        low, high = bounds(later)
        assert low <= plain_value(stones(later), game.columns, game.height, game.line, memory) <= high
        if later.is_over:
            break
    solver = solver_of(name)
    assert solver.value(position) == value
    bare = Solver(game, SolverSettings(megabytes=1, symmetric=0, order="history"))
    bare.guide = replace_guide(bare, forcing=0, bounded=0)
    assert bare.value(position) == value


@pytest.mark.slow
@examples(25)
@given(order=st.permutations(range(25)))
def test_exactly_four(order: list[int]) -> None:
    """Where a longer line does not win: all shortcuts on against all off."""
    game = bw.load("gomoku", size=5, line=4, exactly=True)
    position = game.begin()
    for move in order[:16]:
        if position.is_over:
            break
        position = position.play(move)
    bare = Solver(game, SolverSettings(megabytes=1, symmetric=0, order="history"))
    bare.guide = replace_guide(bare, forcing=0, bounded=0)
    value = bare.value(position)
    low, high = bounds(position)
    assert low <= value <= high
    assert Solver(game, SolverSettings(megabytes=1)).value(position) == value


@cache
def solver_of(name: str) -> Solver:
    """One for all examples: what it remembers of one must fit the next."""
    return Solver(bw.load(name), SolverSettings(megabytes=4))


def replace_guide(solver: Solver, **changes: int) -> Any:
    return solver.guide._replace(**changes)


@kernel
def ask_bounds(game: Any, states: Any, low: Any, high: Any) -> None:
    game.bounds(states[0], low, high)


def bounds(position: Position) -> tuple[float, float]:
    """What player 0 gets at least and at most, by the rules' own word."""
    low, high = np.zeros(2), np.zeros(2)
    ask_bounds(position.game, position.record.copy(), low, high)
    return max(low[0], -high[1]), min(high[0], -low[1])


@kernel
def ask_key(game: Any, states: Any, words: Any, at: Any) -> Any:
    return state_key(game, states, words, at)


@given(order=st.permutations(range(9)), data=st.data())
def test_key_names_the_stones(order: list[int], data: st.DataObject) -> None:
    """The order of moves does not matter to it; one stone elsewhere does."""
    game = bw.load("tictactoe")
    first = reached(game.begin(), order[:4])
    other = reached(game.begin(), [order[2], order[3], order[0], order[1]])
    moved = reached(game.begin(), [order[0], order[1], order[2], order[data.draw(st.integers(4, 8))]])
    states = np.zeros(3, game.state_dtype)
    for at, position in enumerate((first, other, moved)):
        states[at] = position.record[0]
    keys = [int(ask_key(game, states, words_of(states), at)) for at in range(3)]
    assert keys[0] == keys[1] != keys[2]
    assert min(keys) >= 0


# Other games


class Sticks(bw.Game):
    """Take one to three sticks; who takes the last one loses, and who takes three goes on. A test's game without
    key, bounds, policies or symmetries."""

    sticks: int = 17
    players = 2
    actions = 3

    def layout(self) -> Any:
        return [("left", "i2"), ("turn", "i1")]

    def start(self, s: Any) -> Any:
        s.left = self.sticks

    def player(self, s: Any) -> Any:
        return s.turn if s.left > 0 else bw.OVER

    def legal(self, s: Any, moves: Any) -> Any:
        for i in range(min(3, s.left)):
            moves[i] = i
        return min(3, s.left)

    def play(self, s: Any, move: Any) -> Any:
        s.left -= move + 1
        if move != 2 or s.left == 0:
            s.turn = 1 - s.turn

    def results(self, s: Any, out: Any) -> Any:
        out[s.turn] = 1.0 + 0.1 * s.turn  # player 1's wins are worth a little more: not only -1, 0 and 1
        out[1 - s.turn] = -out[s.turn]


def plain_sticks(left: int, turn: int) -> float:
    if left == 0:
        return 1.0 if turn == 0 else -1.1
    after = []
    for taken in range(1, min(3, left) + 1):
        after.append(plain_sticks(left - taken, turn if taken == 3 and left > 3 else 1 - turn))
    return max(after) if turn == 0 else min(after)


@pytest.mark.parametrize("sticks", range(1, 18))
def test_moving_twice_and_odd_results(sticks: int) -> None:
    game = Sticks(sticks=17)
    position, left = game.begin(), 17
    while left > sticks:
        position, left = position.play(0), left - 1
    value = Solver(game, SolverSettings(megabytes=1)).value(position)
    assert value == pytest.approx(plain_sticks(sticks, position.player), rel=1e-6)


class Endless(Sticks):
    """Nobody ever takes a stick."""

    def play(self, s: Any, move: Any) -> Any:
        s.turn = 1 - s.turn


class Generous(Sticks):
    """Both win."""

    def results(self, s: Any, out: Any) -> Any:
        out[0] = 1.0
        out[1] = 1.0


@pytest.mark.parametrize(
    ("game", "options", "reason"),
    [
        (bw.load("2048"), {}, "2048: the solver needs two players and no chance; it has chance: use expect"),
        (Endless(), {}, "Endless: position too large to solve: a game can go on for more than 1000 moves; use mcts"),
        (Generous(), {}, "the solver needs results that add up to 0"),
        (
            bw.load("gomoku:size=5,line=4"),
            {"nodes": 1000},
            "too large to solve: 1,000 positions were not enough; allow more by nod",
        ),
        (
            bw.load("gomoku:size=5,line=4"),
            {"seconds": 0.001},
            "too large to solve: 0.001 seconds were not enough; allow more by sec",
        ),
    ],
    ids=["chance", "endless", "both win", "nodes", "seconds"],
)
def test_refusals(game: bw.Game, options: dict[str, Any], reason: str) -> None:
    with pytest.raises(bw.InputError) as refused:
        Solver(game, SolverSettings(megabytes=1, **options), interpreted=isinstance(game, Sticks)).value(game.begin())
    assert reason in str(refused.value)


def test_settings_are_checked() -> None:
    game = bw.load("tictactoe")
    for spec, reason in {
        "solver:depth=3": "player solver has no setting 'depth'; its settings are: megabytes=256.0",
        "solver:megabytes=0": "megabytes=0.0 must be 1 to 1000000",
        "solver:nodes=-1": "nodes=-1 must be 0 or more",
        "solver:order=best": "order=best does not exist; there are auto, history, greedy",
    }.items():
        with pytest.raises(bw.InputError, match=reason.replace("(", r"\(")):
            bw.player(spec, game)


# The player


def walk(position: Position, player: SolverPlayer, seat: int, results: list[float], seen: set[str]) -> None:
    """Let the player meet every reply that there is."""
    if position.results is not None:
        results.append(position.results[seat])
    elif position.player == seat:
        walk(position.play(player.choose(position).move), player, seat, results, seen)
    else:
        for move in position.moves:
            after = position.play(move)
            if stones(after) not in seen:
                seen.add(stones(after))
                walk(after, player, seat, results, seen)


@pytest.mark.parametrize(
    ("name", "seat", "least"),
    [
        ("tictactoe", 0, 0.0),
        ("tictactoe", 1, 0.0),
        ("tictactoe:size=4", 0, 1.0),
        *slowly(("tictactoe:size=4,rows=3", 0, 1.0)),
    ],
)
def test_player_never_gives_anything_away(name: str, seat: int, least: float) -> None:
    game = bw.load(name)
    player = SolverPlayer(game, "solver", SolverSettings(seed=seat))
    results: list[float] = []
    walk(game.begin(), player, seat, results, set())
    assert min(results) == least
    assert len(results) > 20


def test_fastest_win_and_slowest_loss() -> None:
    game = bw.load("tictactoe")
    player = bw.player("solver", game)
    #  X O .      X has a winning attack, which takes three stones of his and two replies
    #  . . .
    #  . . .
    position = reached(game.begin(), [0, 1])
    choice = player.choose(position)
    assert choice.note == "solved: a win in 5 moves"
    assert choice.value == (1.0, -1.0)
    assert len(choice.values) == 7 and max(choice.values.values()) == choice.values[choice.move] == 1.0
    assert reached(position, choice.line).results == (1.0, -1.0)
    # O to move has lost: it blocks the first of two threats rather than let X win at once.
    position = reached(game.begin(), [0, 1, 4, 8, 6])
    choice = player.choose(position)
    assert choice.note == "solved: a loss in 2 moves"
    assert choice.move in (2, 3)
    # And what is won at once is taken at once.
    position = reached(game.begin(), [0, 1, 4, 2])
    assert (player.choose(position).move, player.choose(position).note) == (8, "solved: a win in 1 move")


def test_same_seed_same_game() -> None:
    """Also after other games: what the table has learnt meanwhile changes no choice."""
    game = bw.load("tictactoe", size=4)
    player = bw.player("solver:seed=5", game)

    def one_game() -> list[int]:
        player.forget()
        position = game.begin()
        while not position.is_over:
            position = position.play(player.choose(position).move)
        return [at.step for at in position.line() if at.step is not None]

    assert one_game() == one_game()


# Inside


@pytest.mark.parametrize("name", ["tictactoe", "tictactoe:size=4", *slowly("tictactoe:size=4,rows=3")])
def test_interpreter_fills_the_same_table(name: str) -> None:
    tables = []
    for interpreted in (False, True):
        solver = Solver(bw.load(name), SolverSettings(megabytes=1), interpreted=interpreted)
        solver.value(solver.game.begin())
        solver.ask(solver.game.begin(), 1.0, 5, -2.0)
        tables.append((solver.nodes, solver.table.tobytes()))
    assert tables[0] == tables[1]
    assert tables[0][0] > 50


SAVING = [("tictactoe:size=4", 1.0), *slowly(("tictactoe:size=5,rows=4,line=4", 0.0))]


@pytest.mark.parametrize(("name", "value"), SAVING)
def test_symmetry_saves_work(name: str, value: float) -> None:
    game = bw.load(name)
    nodes = []
    for symmetric in (0, 6):
        solver = Solver(game, SolverSettings(megabytes=4, symmetric=symmetric))
        assert solver.value(game.begin()) == value
        nodes.append(solver.nodes)
    assert nodes[1] < 0.7 * nodes[0]


@pytest.mark.parametrize(("name", "value"), SAVING)
def test_a_full_table_changes_no_value(name: str, value: float) -> None:
    game = bw.load(name)
    small = Solver(game, SolverSettings(megabytes=4))
    small.table = small.table[:16].copy()
    assert small.value(game.begin()) == value


@given(st.lists(st.integers(0, 2**63 - 1), unique=True, max_size=40))
def test_table_keeps_what_is_worth_most(keys: list[int]) -> None:
    table = new_table([("low", "f4")], 1e-9)
    assert len(table) == 4
    for worth, key in enumerate(keys, start=1):
        slot = int(claim(table, key))
        table[slot] = (key, worth, -1, 0.0)
    assert [key for key in keys if int(find(table, key)) >= 0] == keys[-4:]


@given(st.integers(-(2**63), 2**63 - 1), st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=5))
def test_hashes_agree_with_the_interpreter(number: int, row: list[int]) -> None:
    words = np.array([row], np.uint64)
    assert mixed(number) == mixed.interpreted(number) >= 0
    assert hashed(words, 0) == hashed.interpreted(words, 0) >= 0
