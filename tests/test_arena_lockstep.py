"""Games of a match played many at once are the games that the referee plays one by one."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import boardwright as bw
from boardwright.arena import Match, lockstep
from boardwright.arena.referee import Played, Referee
from boardwright.players.many import Chooser, Games, Told
from boardwright.players.player import NoSettings
from boardwright.players.simple import RandomPlayer
from boardwright.records import Library
from boardwright.records.long_lists import list_as_json
from tests.marks import slowly

MAD = '''
import boardwright as bw


class Mad(bw.Game):
    """Take one or two matches; who takes the last wins."""

    players, actions, policies = 2, 2, ("odd",)

    def layout(self):
        return [("left", "i2"), ("turn", "i1")]

    def start(self, s):
        s.left = 9

    def player(self, s):
        return bw.OVER if s.left == 0 else s.turn

    def legal(self, s, moves):
        for i in range(min(2, s.left)):
            moves[i] = i
        return min(2, s.left)

    def play(self, s, move):
        s.left -= move + 1
        s.turn = 1 - s.turn

    def results(self, s, out):
        out[s.turn] = -1.0
        out[1 - s.turn] = 1.0

    def move_text(self, s, move):
        return f"{move + 1} of {s.left}"

    def odd(self, s, moves, count, weights):
        """Does not know what to do with four."""
        for i in range(count):
            weights[i] = 1.0 if s.left != 4 else float("nan")
'''


def both(game: bw.Game, specs: list[str], games: int, opening: int | None = None) -> list[Played]:
    """The games of a match, after they were played in both ways and found equal."""
    match = Match(game, specs, games, seed=3, opening=opening)
    meetings = [meeting for meetings in match.sets for meeting in meetings]
    many = lockstep.lockstep(game, match.specs, match.terms, lockstep.WORTH_WHILE)
    assert many is not None
    referee = Referee(game, match.specs, match.terms)
    found = many.play(meetings)
    for meeting, played in zip(meetings, found, strict=True):
        alone = referee.play(meeting)
        timeless = replace(alone.record, seconds=played.record.seconds, started=played.record.started)
        assert played.record == timeless
        assert len(played.record.seconds) == len(alone.record.seconds)
        assert replace(played, record=alone.record) == alone
        played.record.replay(game)
    return found


@pytest.mark.parametrize(
    ("name", "specs", "games", "opening"),
    [
        ("tictactoe", ["greedy", "random"], 20, 0),
        ("tictactoe", ["win-block", "random:seed=4"], 12, 2),
        ("2048:size=3", ["random", "random:seed=1"], 6, None),
        ("tictactoe", ["mcts:simulations=30", "mcts:simulations=12,seed=3"], 8, 1),
        *slowly(
            ("azul", ["mcts:simulations=40", "greedy"], 6, None),
            ("gomoku:size=6", ["mcts:simulations=60", "mcts:simulations=20,reuse=false"], 4, 2),
            ("docs/examples/royal_ur.py:RoyalUr:pieces=2", ["mcts:simulations=40", "random"], 6, None),
            ("docs/examples/ludo.py:players=4", ["mcts:simulations=20", "random"], 4, None),
            ("2048", ["mcts:simulations=20", "random"], 2, None),
            ("azul", ["greedy", "random"], 20, None),
            ("azul:players=3", ["greedy", "random"], 12, None),
            ("nmbr9", ["greedy", "random"], 4, None),
            ("nmbr9", ["values", "random"], 4, None),
            ("gomoku:size=7", ["greedy", "win-block"], 8, 4),
            ("2048", ["tuples:plies=1", "random", "heuristic:plies=1"], 3, None),
        ),
    ],
)
def test_games_at_once_are_those_played_one_by_one(
    name: str, specs: list[str], games: int, opening: int | None
) -> None:
    found = both(bw.load(name), specs, games, opening)
    assert len({played.record.plies for played in found}) > len(found) / 2, "and not all the same"


def test_what_goes_wrong_goes_wrong_as_it_would_one_by_one(tmp_path: Path) -> None:
    (tmp_path / "mad.py").write_text(MAD)
    found = both(bw.load(str(tmp_path / "mad.py")), ["odd", "random"], 12)
    assert any(played.forfeit >= 0 for played in found) and any(played.forfeit < 0 for played in found)
    assert any(ply.endswith(" of 9") for played in found for ply in played.record.plies), "texts that read the state"


def test_a_move_that_is_not_legal_is_left_to_the_referee() -> None:
    game = bw.load("tictactoe")
    match = Match(game, ["greedy", "random"], 4, seed=3)
    meetings = [meeting for meetings in match.sets for meeting in meetings]
    many = lockstep.lockstep(game, match.specs, match.terms, lockstep.WORTH_WHILE)
    assert many is not None
    honest = [one.record.plies for one in many.play(meetings)]

    class Stubborn(RandomPlayer):
        """Wants the first place, whoever holds it."""

        def chooser(self) -> Chooser:
            def choose(games: Games, picked: npt.NDArray[np.int64], told: Told) -> None:
                told.moves[picked] = 0

            return choose

    many.players = [many.players[0], Stubborn(game, "random", NoSettings())]
    assert [one.record.plies for one in many.play(meetings)] == honest, "as the specs have it"
    assert many._play(meetings) is None


@pytest.mark.parametrize(
    "values",
    [
        *([], ["a"] * 9, [1, 2] * 9, [0, 0, 0, 0, 7] * 3, [0] * 9, [None] * 9, [0.5] * 9, [0.5, None] * 8),
        *([None, 0.5] * 8, [0.0, -0.0] * 9, [0.1, 0.25, 3e-9], [0.1, None, 3e-9]),
    ],
)
def test_long_lists_are_written_as_the_encoder_writes_them(values: list[float | None]) -> None:
    assert list_as_json(values) == json.dumps(values)


def test_a_match_is_the_same_by_either_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, games, told = bw.load("tictactoe"), 2 * lockstep.WORTH_WHILE, []
    for way in ("at once", "in workers", "one by one"):
        if way == "one by one":
            monkeypatch.setattr(lockstep, "WORTH_WHILE", 10**9)
        library = Library(tmp_path / f"{way}.sqlite")
        workers = 2 if way == "in workers" else 0
        result = bw.match(game, ["greedy", "random"], games, seed=5, library=library, workers=workers)
        records = [library.get(one.id) for one in result.outcomes]
        told.append([replace(record, seconds=(), started="2026-01-01T00:00:00Z") for record in records])
        assert result.table.games == games
    assert told[0] == told[1] == told[2]


def test_who_is_timed_or_thinks_is_asked_one_by_one() -> None:
    game, many = bw.load("tictactoe"), lockstep.WORTH_WHILE
    terms = Match(game, ["greedy", "random"], 2).terms
    assert lockstep.lockstep(game, ("greedy", "random"), terms, many) is not None
    assert lockstep.lockstep(game, ("greedy", "random"), terms, many - 1) is None
    assert lockstep.lockstep(game, ("greedy", "random"), replace(terms, move_seconds=1.0), many) is None
    assert lockstep.lockstep(game, ("greedy", "mcts:simulations=5"), terms, many) is not None
    for slow in ("mcts:simulations=5,threads=2", "mcts:seconds=0.1", "mcts:simulations=100000", "solver"):
        assert lockstep.lockstep(game, ("greedy", slow), terms, many) is None
