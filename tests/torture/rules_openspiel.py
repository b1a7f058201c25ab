"""Rules against OpenSpiel's, move for move: who moves, what is legal, how it ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import boardwright as bw
from boardwright.contract import position as positions
from boardwright.contract.position import blank
from boardwright.contract.random import Random
from boardwright.games.twenty48 import TwentyFortyEight
from tests.beside_openspiel import play_beside
from tests.second_readings import play_morris
from tests.test_2048 import numbers, only_merges, random_step
from tests.test_gallery import numbers as oware_numbers
from tests.test_gallery import ours as oware_ours
from tests.test_gallery import upside_down
from tests.torture.examples import EXAMPLES
from tests.torture.trial import Finding, Lacking

positions.SOON_COMPILED = 0  # rules as they are searched with
Tell = Callable[[int], None]
ALIKE = (  # games whose moves have the same numbers there
    ("tictactoe", "tic_tac_toe"), ("tictactoe:size=5,rows=4,line=4", "mnk(m=5,n=4,k=4)"),
    ("gomoku:size=6,line=4", "gomoku(size=6,connect=4)"), ("gomoku", "gomoku"),
)  # fmt: skip


def load_theirs(name: str) -> Any:
    try:
        import pyspiel
    except ImportError:
        raise Lacking("OpenSpiel is not installed: pip install 'boardwright[openspiel]'") from None
    return pyspiel.load_game(name)


def agree(fine: object, what: str, position: bw.Position) -> None:
    if not fine:
        raise Finding(what, position.to_json())


def beside(
    game: bw.Game, theirs: str, seed: int, games: int, tell: Tell, text: Callable[[str], str] | None = None,
    numbers: bool = True,
) -> None:  # fmt: skip
    """So many games, as `play_beside` compares them."""
    other_game, rng = load_theirs(theirs), Random(seed)
    for _ in range(games):
        start, other = game.begin(), other_game.new_initial_state()
        tell(sum(1 for _ in play_beside(start, other, rng, agree, text, numbers)) - 1)


def in_a_row(seed: int, seconds: float, tell: Tell) -> None:
    ours, theirs = ALIKE[seed % len(ALIKE)]
    beside(bw.load(ours), theirs, seed, 20 if ours == "gomoku" else 150, tell)


def connect_four(seed: int, seconds: float, tell: Tell) -> None:
    game = bw.load(f"{EXAMPLES / 'connect_four.py'}:ConnectFour")
    beside(game, "connect_four", seed, 150, tell)


def breakthrough(seed: int, seconds: float, tell: Tell) -> None:
    game = bw.load(str(EXAMPLES / "breakthrough.py"))
    beside(game, "breakthrough(rows=6,columns=6)", seed, 30, tell, upside_down, numbers=False)


def othello(seed: int, seconds: float, tell: Tell) -> None:
    beside(bw.load(str(EXAMPLES / "othello.py")), "othello", seed, 30, tell, str)


def hex_(seed: int, seconds: float, tell: Tell) -> None:
    size = 2 + seed % 10
    game = bw.load(str(EXAMPLES / "hex.py"), size=size)
    beside(game, f"hex(num_cols={size},num_rows={size})", seed, 30, tell, str)


def dots_and_boxes(seed: int, seconds: float, tell: Tell) -> None:
    rows, columns = 1 + seed % 5, 1 + seed // 5 % 5
    game = bw.load(str(EXAMPLES / "dots_and_boxes.py"), rows=rows, columns=columns)
    beside(game, f"dots_and_boxes(num_rows={rows},num_cols={columns})", seed, 30, tell)


def nine_mens_morris(seed: int, seconds: float, tell: Tell) -> None:
    """And against a second reading: the two part at the end of a long game."""
    game, other_game, rng = (
        bw.load(str(EXAMPLES / "nine_mens_morris.py")),
        load_theirs("nine_mens_morris"),
        Random(seed),
    )
    for _ in range(5):
        play_morris(blank(game), other_game.new_initial_state(), rng, rng.below(3) > 0, agree, tell)


def oware(seed: int, seconds: float, tell: Tell) -> None:
    game, other_game, rng = bw.load(str(EXAMPLES / "oware.py"), quiet=1000), load_theirs("oware"), Random(seed)
    for _ in range(10):
        position, other, plies = game.begin(), other_game.new_initial_state(), 0
        while not position.is_over and not other.is_terminal():  # there a game ends that repeats itself
            agree(oware_numbers(str(other)) == oware_ours(position), "another board there", position)
            agree(list(position.moves) == other.legal_actions(), "other moves are legal there", position)
            move = position.moves[rng.below(len(position.moves))]
            position = position.play(move)
            other.apply_action(move)
            plies += 1
        if position.is_over:
            agree(other.is_terminal() and list(position.results or ()) == other.returns(), "another result", position)
        tell(plies)


def twenty48(seed: int, seconds: float, tell: Tell) -> None:
    """What differs there, and why, is told in tests/test_2048.py."""
    other_game, game, rng = load_theirs("2048(max_tile=131072)"), TwentyFortyEight(), Random(seed)
    for _ in range(5):
        position, other, merged, plies = blank(game), other_game.new_initial_state(), False, 0
        while not position.is_over:
            agree(not other.is_terminal() and other.is_chance_node() == position.is_chance, "another mover", position)
            if position.is_chance:
                expected = dict(other.chance_outcomes())
                found = dict(position.chances)
                far = max((abs(found.get(one, 0.0) - chance) for one, chance in expected.items()), default=0.0)
                agree(list(found) == list(expected) and far < 1e-12, "other odds there", position)
            else:
                forgotten = set(position.moves) - set(other.legal_actions())
                agree(set(other.legal_actions()) <= set(position.moves), "other moves are legal there", position)
                agree(not forgotten or merged, "moves that are not legal there", position)
                for move in forgotten:
                    agree(only_merges(numbers(position), position.text(move)), "a move that is not legal", position)
            before, position = position, random_step(position, rng)
            if not before.is_chance:
                merged = position.scores != before.scores
            other.apply_action(position.step)
            agree([position.scores[0]] == other.returns(), "other points there", position)
            plies += 1
        board = [list(map(int, line.split())) for line in str(other).splitlines()]
        agree(other.is_terminal() and numbers(position) == board, "another end there", position)
        tell(plies)
