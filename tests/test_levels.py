"""Measured levels: the ladder, names by bands of Elo, where they are kept, and what page and terminal make of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import boardwright as bw
from boardwright.arena.ladder import Ladder, LadderCandidate
from boardwright.arena.levels import (
    Levels,
    Rated,
    card_file,
    choose_levels,
    describe,
    level_named,
    levels_of,
    name_of,
    own_file,
    write_levels,
)
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.games.built_in import BUILT_IN
from boardwright.learn.level_candidates import candidates
from boardwright.publish.modules import Modules
from boardwright.publish.strengths import settings_of
from boardwright.records import Library
from boardwright.records.live_game import HUMAN, LiveGame
from boardwright.records.people import People
from boardwright.serve.limits import Limits
from boardwright.serve.seats import Seats
from tests.processes import run_here
from tests.serving import Served, served

RACE = '''
import boardwright as bw
class Race(bw.Game):
    """Race: one step or two; who comes to {goal} wins."""
    players = 2
    actions = 2
    def layout(self): return [("at", "i1"), ("turn", "i1")]
    def player(self, s): return bw.OVER if s.at >= {goal} else s.turn
    def legal(self, s, moves):
        moves[0], moves[1] = 0, 1
        return 2
    def play(self, s, move):
        s.at += move + 1
        s.turn = 1 - s.turn
    def results(self, s, out):
        out[1 - s.turn], out[s.turn] = 1, -1
'''


def measured(game: Game, *rated: tuple[str, float]) -> Levels:
    """Levels as if they had been measured."""
    players = tuple(Rated(spec, elo, elo - 30, elo + 30, 100, 0.001) for spec, elo in (("random", 0.0), *rated))
    return Levels(game.name, game.options, str(game.digest), "2026-01-01", "boardwright levels", 500, players)


@pytest.fixture
def tictactoe() -> Game:
    """With levels of its own, whatever comes with it."""
    game = bw.load("tictactoe")
    found = measured(game, ("slips:epsilon=0.5,of=greedy", 160.0), ("greedy", 310.0), ("mcts:simulations=64", 480.0))
    write_levels(found, own_file(game, str(game.digest)))
    return game


# Names


def test_names_are_bands_of_elo_above_random() -> None:
    assert [name_of(number) for number in (1, 3, 6, 7, 8)] == ["Beginner", "Medium", "Master", "Master 2", "Master 3"]
    rated = [Rated(f"p{elo}", float(elo), elo - 20.0, elo + 20.0, 50) for elo in (0, 60, 140, 200, 310, 500, 1040)]
    assert [(one.name, one.spec) for one in choose_levels(rated)] == [
        ("Beginner", "p140"), ("Easy", "p310"), ("Medium", "p500"), ("Master 2", "p1040"),
    ]  # fmt: skip


def test_an_unsure_player_is_no_level_and_of_two_alike_the_quicker_is_taken() -> None:
    unsure = Rated("unsure", 300.0, 100.0, 500.0, 4)
    assert choose_levels([unsure]) == ()
    assert choose_levels([replace(unsure, elo=2400.0, low=2300.0, high=2500.0)])  # far up 5 % is as sure as it gets
    assert not choose_levels([replace(unsure, elo=2400.0, low=2270.0, high=2530.0)])
    slow, quick = Rated("slow", 300.0, 280, 320, 50, 0.5), Rated("quick", 305.0, 280, 320, 50, 0.001)
    assert [one.spec for one in choose_levels([slow, quick])] == ["quick"]


def test_a_game_of_luck_has_no_levels() -> None:
    assert choose_levels([Rated("random", 0.0, 0.0, 0.0, 50), Rated("best", 40.0, 20.0, 60.0, 50)]) == ()


def test_players_in_plain_words() -> None:
    assert describe("mcts:simulations=1024") == "1,024 simulations"
    assert describe("slips:epsilon=0.3,of=greedy") == "the rule greedy, 3 moves of 10 at random"
    assert describe("slips:epsilon=0.1,of=greedy") == "the rule greedy, 1 move of 10 at random"
    assert describe("mcts:net=auto,simulations=16") == "16 simulations with what was learnt"


# The ladder


def few(game: Game) -> list[LadderCandidate]:
    return [one for one in candidates(game) if one.spec in ("random", "slips:epsilon=0.3,of=win-block", "greedy")]


def test_a_ladder_finds_who_is_better_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    game, library = bw.load("tictactoe"), Library(tmp_path / "records.sqlite3")
    ladder = Ladder(game, few(game), library=library)
    ladder.run(3.0)
    rated = ladder.rated()
    assert [one.spec for one in rated] == ["random", "slips:epsilon=0.3,of=win-block", "greedy"]
    assert rated[0].elo == 0.0 and rated[1].low > 50 and rated[2].low > rated[1].elo - 50
    again = Ladder(game, few(game), library=library)
    assert again.recall() == len(ladder.outcomes)
    told = [[(one.spec, one.elo, one.low, one.high, one.games) for one in each] for each in (rated, again.rated())]
    assert told[0] == told[1], "what is told comes from the games alone"


def test_the_least_sure_meet_next() -> None:
    game = bw.load("tictactoe")
    ladder = Ladder(game, [LadderCandidate("random"), LadderCandidate("greedy"), LadderCandidate("win-block")])
    ladder._sum[0, 1] = ladder._sum[1, 0] = 200.0  # random and greedy have met often
    assert ladder._next_pair(60.0) in ((0, 2), (1, 2))


def test_more_simulations_are_tried_when_fewer_have_been() -> None:
    game = bw.load("tictactoe")
    fewer = LadderCandidate("mcts:simulations=64")
    ladder = Ladder(game, [LadderCandidate("random"), fewer, LadderCandidate("mcts:simulations=128", fewer.spec, 2.0)])
    assert 2 not in ladder._open(*ladder._belief(), 1e9)
    ladder._sets[1] = 100
    ladder._sum[1, 0], ladder._sum[0, 1] = 900.0, 300.0
    assert 2 in ladder._open(*ladder._belief(), 1e9)
    assert 2 not in ladder._open(*ladder._belief(), 0.0), "there is no time for it"


# Where they are kept


def test_changed_rules_are_not_rated_by_old_levels(tmp_path: Path) -> None:
    path = tmp_path / "race.py"
    path.write_text(RACE.format(goal=10))
    game = bw.load(str(path))
    write_levels(measured(game, ("mcts:simulations=8", 150.0)), own_file(game, str(game.digest)))
    assert [one.name for one in levels_of(game)] == ["Beginner"]
    assert card_file(game) is None
    path.write_text(RACE.format(goal=11))
    assert levels_of(bw.load(str(path))) == ()


def test_what_comes_with_the_games_can_be_played() -> None:
    """The files beside the cards: of the game with its usual options, levels that exist, Medium among them."""
    shipped = [game for game in map(bw.load, BUILT_IN) if (path := card_file(game)) is not None and path.exists()]
    assert shipped
    for game in shipped:
        names = [one.name for one in levels_of(game)]
        assert "Medium" in names, game
        for one in levels_of(game):
            assert bw.player(one.spec, game).game is game and "seconds" not in one.spec


def test_a_short_measurement_takes_no_levels_away() -> None:
    game = bw.load("tictactoe")
    write_levels(measured(game, ("greedy", 310.0)), own_file(game, str(game.digest)))
    assert [one.name for one in levels_of(game)] == ["Beginner", "Easy", "Medium"]


def test_a_damaged_file_is_as_good_as_none(tictactoe: Game) -> None:
    path = own_file(tictactoe, str(tictactoe.digest))
    path.write_text(path.read_text()[:100])
    assert "mcts:simulations=64" not in [one.spec for one in levels_of(tictactoe)]


def test_too_little_play_writes_nothing_and_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "race.py"
    path.write_text(RACE.format(goal=10))
    refused = run_here("levels", str(path), "--minutes", "0", "--workers", "0")
    assert refused.returncode == 2 and "give it more time: --minutes 1" in refused.stderr
    refused = run_here("levels", str(path), "--card")
    assert refused.returncode == 2 and "come with Boardwright" in refused.stderr
    assert levels_of(bw.load(str(path))) == ()


@pytest.mark.slow
def test_the_command_measures_writes_and_goes_on() -> None:
    first = run_here("levels", "tictactoe", "--minutes", "0.5", "--workers", "2", "--json")
    assert first.returncode == 0, first.stderr
    told = json.loads(first.stdout)
    assert (
        [one["elo"] for one in told["players"] if one["spec"] == "random"] == [0.0]
        and told["games"] > 0
        and told["rules"] == bw.load("tictactoe").digest
    )
    again = run_here("levels", "tictactoe", "--minutes", "0", "--workers", "0", "--json")
    recalled = {one["spec"]: one["elo"] for one in json.loads(again.stdout)["players"]}
    # Sums of the same games in another order: a tenth of a point, which is where it is rounded.
    assert recalled == pytest.approx({one["spec"]: one["elo"] for one in told["players"]}, abs=0.11)
    assert "already" in again.stderr


# Who plays by them


def test_the_page_and_the_terminal_offer_them(tictactoe: Game) -> None:
    listed = Seats({}, Limits()).strengths(tictactoe)
    assert [name for name, _, _ in listed] == ["Random", "Beginner", "Easy", "Medium", "Best"]
    assert listed[3] == ("Medium", "mcts:simulations=64", "about 480 Elo above random, 64 simulations")
    found = level_named("easy", tictactoe)
    assert found is not None and found.spec == "greedy"
    with pytest.raises(InputError, match="has no level Strong; it has Beginner, Easy, Medium"):
        level_named("Strong", tictactoe)
    assert level_named("greedy", tictactoe) is None
    played = run_here("play", "tictactoe", "--seat", "Easy", "--seat", "beginner", "--seed", "3")
    assert played.returncode == 0 and "Easy: about 310 Elo above random, the rule greedy" in played.stdout
    assert "player 1 (Easy) plays" in played.stdout
    assert "Levels, as measured" in run_here("games", "tictactoe").stdout


def test_a_level_that_is_not_measured_says_how(tmp_path: Path) -> None:
    path = tmp_path / "race.py"
    path.write_text(RACE.format(goal=10))
    refused = run_here("play", str(path), "--seat", "human", "--seat", "Medium")
    assert refused.returncode == 2 and f"boardwright levels {path}" in refused.stderr


def test_slips_play_in_a_browser_too(tictactoe: Game) -> None:
    modules = Modules(tictactoe, "tictactoe")
    assert settings_of(tictactoe, "slips:epsilon=0.5,of=greedy", modules) == {
        "kind": "slips", "epsilon": 0.5, "of": settings_of(tictactoe, "greedy", modules),
    }  # fmt: skip
    always = bw.player("slips:epsilon=0,of=greedy", tictactoe)
    position = tictactoe.begin().play("a1").play("c3").play("a2").play("c2")
    assert position.text(always.choose(position).move) == "a3"
    with pytest.raises(InputError, match="epsilon=2 must be 0 to 1"):
        bw.player("slips:epsilon=2", tictactoe)


# The next one


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path) as running:
        yield running


def play_out(game: Game, library: Library, seats: tuple[str, str], *moves: str, note: str = "") -> str:
    live = LiveGame(game, seats, 1).begin()
    for move in moves:
        live.play(move, 0.1)
    live.note = note
    library.save(live.record())
    return live.id


WON = ("a1", "b1", "a2", "b2", "a3")


def test_three_wins_in_a_row_bring_the_next_level(tictactoe: Game, server: Served) -> None:
    library, seats = server.context.store.library, ("human", "greedy")

    def suggested(id: str) -> str | None:
        told = server.get(f"/api/tables/{id}").json()["next"]
        return None if told is None else str(told["name"])

    lost = play_out(tictactoe, library, ("greedy", "human"), *WON)
    assert [suggested(play_out(tictactoe, library, seats, *WON)) for _ in range(3)] == [None, None, "Medium"]
    assert suggested(lost) is None
    play_out(tictactoe, library, ("greedy", "human"), *WON)
    assert suggested(play_out(tictactoe, library, seats, *WON)) is None, "a loss between them"
    helped = [play_out(tictactoe, library, seats, *WON, note="assisted: hint") for _ in range(3)]
    assert suggested(helped[-1]) is None, "help was taken"
    again = play_out(tictactoe, library, ("human", "human"), *WON)
    assert suggested(again) is None, "nobody has been beaten"
    top = [play_out(tictactoe, library, ("human", "mcts:simulations=64"), *WON) for _ in range(3)]
    assert suggested(top[-1]) is None, "there is none above it"


def test_wins_of_others_bring_nobody_the_next_level(tictactoe: Game, server: Served) -> None:
    library = server.context.store.library
    people = People(library)

    def suggested(person: str) -> bool:
        id = play_out(tictactoe, library, ("human", "greedy"), *WON)
        people.sit(id, [0], person, "")
        return server.get(f"/api/tables/{id}").json()["next"] is not None

    ann, ben = "a" * 32, "b" * 32
    assert not any(suggested(who) for who in (ann, ben, ann, ben))
    assert suggested(ann), "her third, with his between"


def race_game(game: Game, who: str, seed: int) -> LiveGame:
    """A whole game that one plays alone."""
    live = LiveGame(game, (who,), seed).begin()
    while not live.is_over:
        live.play(live.position.moves[0], 0.1)
    return live


def test_races_bring_the_next_level_too(tmp_path: Path, server: Served) -> None:
    """Games for one: who has more points than the player on the same draws has won."""
    game, library = bw.load("2048", size=2), server.context.store.library
    write_levels(measured(game, ("slips:epsilon=0.9,of=greedy", 150.0), ("greedy", 300.0)), own_file(game, game.digest))
    beaten = "slips:epsilon=0.9,of=greedy"
    points = {seed: race_game(game, HUMAN, seed).position.scores[0] for seed in range(8)}
    worse, better = min(points, key=points.__getitem__), max(points, key=points.__getitem__)
    assert points[worse] < points[better]

    def race(more: bool, over: bool = True, against: str = beaten) -> str | None:
        """A person's whole game beside another, longer or shorter one."""
        other, mine = (
            race_game(game, against, worse if more else better),
            race_game(game, HUMAN, better if more else worse),
        )
        if not over:
            other = LiveGame(game, (against,), 1).begin()
        mine.note = f"race against {other.id} by {against}"
        for one in (other, mine):
            library.save(one.record())
        told = server.get(f"/api/tables/{mine.id}").json()["next"]
        return None if told is None else str(told["name"])

    assert [race(True) for _ in range(3)] == [None, None, "Easy"]
    assert race(True, over=False) is None, "nobody knows yet who has won"
    assert race(False) is None
    assert [race(True) for _ in range(2)] == [None, None], "a loss between them"
    assert [race(True, against="greedy") for _ in range(3)] == [None, None, None], "there is none above it"
