"""Rules against OpenSpiel's, move for move: who moves, what is legal, how it ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import boardwright as bw
from boardwright.contract import position as positions
from boardwright.contract.position import blank
from boardwright.contract.random import Random
from boardwright.games.twenty48 import TwentyFortyEight
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


def same_numbers(ours: str, theirs: str, seed: int, games: int, tell: Tell) -> None:
    game, other_game, rng = bw.load(ours), load_theirs(theirs), Random(seed)
    for _ in range(games):
        position, other = game.begin(), other_game.new_initial_state()
        plies = 0
        while not position.is_over:
            agree(not other.is_terminal(), "over there, not here", position)
            agree(other.current_player() == position.player, "another player moves there", position)
            agree(sorted(position.moves) == other.legal_actions(), "other moves are legal there", position)
            move = position.moves[rng.below(len(position.moves))]
            position = position.play(move)
            other.apply_action(move)
            plies += 1
        agree(other.is_terminal(), "over here, not there", position)
        agree(list(position.results or ()) == other.returns(), "another result there", position)
        tell(plies)


def in_a_row(seed: int, seconds: float, tell: Tell) -> None:
    ours, theirs = ALIKE[seed % len(ALIKE)]
    same_numbers(ours, theirs, seed, 20 if ours == "gomoku" else 150, tell)


def connect_four(seed: int, seconds: float, tell: Tell) -> None:
    same_numbers(f"{EXAMPLES / 'connect_four.py'}:ConnectFour", "connect_four", seed, 150, tell)


def breakthrough(seed: int, seconds: float, tell: Tell) -> None:
    game, other_game = bw.load(str(EXAMPLES / "breakthrough.py")), load_theirs("breakthrough(rows=6,columns=6)")
    rng = Random(seed)
    for _ in range(30):
        position, other, plies = game.begin(), other_game.new_initial_state(), 0
        while not position.is_over:
            theirs = {upside_down(other.action_to_string(move)): move for move in other.legal_actions()}
            agree({position.text(move) for move in position.moves} == set(theirs), "other moves are legal", position)
            agree(other.current_player() == position.player, "another player moves there", position)
            text = position.text(position.moves[rng.below(len(position.moves))])
            position = position.play(text)
            other.apply_action(theirs[text])
            plies += 1
        agree(other.is_terminal() and list(position.results or ()) == other.returns(), "another result", position)
        tell(plies)


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
