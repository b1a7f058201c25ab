"""Matches: pairing, common draws, forfeits, resuming after kills, and what the reports say."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

import boardwright as bw
from boardwright import registry
from boardwright.arena import Match, referee
from boardwright.arena.pairing import Schedule, Terms, files_key, groups, seatings
from boardwright.cli.main import app
from boardwright.learn import models, shipped
from boardwright.records import Library, Record
from boardwright.records.record import DRAW

SABOTEURS = str(Path(__file__).parent / "games" / "saboteurs.py")


@pytest.fixture(scope="module")
def nim() -> bw.Game:
    return bw.load(f"{SABOTEURS}:Nim")


def records(result: bw.MatchResult) -> list[Record]:
    library = Library()
    return [library.get(one.id) for one in result.outcomes]


# Pairing


@pytest.mark.parametrize(("seats", "players"), [(2, 2), (3, 2), (3, 3), (4, 2), (4, 3), (4, 4)])
def test_every_player_has_every_seat_equally_often(seats: int, players: int) -> None:
    rows = seatings(seats, tuple(range(players)))
    assert len(set(rows)) == len(rows)
    for seat in range(seats):
        counts = Counter(row[seat] for row in rows)
        assert len(counts) == players and len(set(counts.values())) == 1


def test_who_meets_whom() -> None:
    azul, alone = bw.load("azul:players=4"), bw.load("2048")
    assert groups(azul, 4, round_robin=False) == [(0, 1, 2, 3)]
    assert groups(azul, 3, round_robin=True) == [(0, 1), (0, 2), (1, 2)]
    assert groups(alone, 5, round_robin=True) == [(0, 1, 2, 3, 4)]
    with pytest.raises(bw.InputError, match="--round-robin"):
        groups(bw.load("tictactoe"), 3, round_robin=False)
    with pytest.raises(bw.InputError, match="two players or more"):
        groups(azul, 1, round_robin=False)


def test_a_game_is_named_by_all_that_shapes_it_and_by_nothing_else() -> None:
    game = bw.load("tictactoe")

    def ids(specs: tuple[str, ...], terms: Terms, **options: Any) -> set[str]:
        return {one.id for one in Schedule(game, specs, terms, **options).set((0, 1), 0)}

    base = ids(("random", "greedy"), Terms(1))
    assert len(base) == 2
    assert not ids(("random", "greedy"), Terms(1), own={1}) & base, "nobody knows a player of the caller's own again"
    assert ids(("random", "greedy"), Terms(1)) == base
    assert ids(("greedy", "random"), Terms(1)) == base  # the order in which they are named is no matter
    assert ids(("random", "greedy", "win-block"), Terms(1), round_robin=True) == base  # nor who else is there
    for other in (Terms(2), Terms(1, opening=1), Terms(1, move_seconds=5.0)):
        assert not ids(("random", "greedy"), other) & base
    assert not ids(("random", "greedy:seed=3"), Terms(1)) & base
    assert len(ids(("random", "random"), Terms(1))) == 2  # its own opponent, from both seats


def test_other_models_that_come_with_boardwright_are_other_players(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`auto` names no file; games of the model that it meant before say nothing about the one of today."""
    specs = ("mcts:net=auto", "net", "slips:of=net", "mcts:value=mine", "mcts:seconds=1", "random")

    def keys(game: str = "tictactoe") -> list[str]:
        return [files_key(bw.PlayerSpec.parse(spec), bw.load(game)) for spec in specs]

    larger, before = keys("tictactoe:size=4"), keys()
    shutil.copytree(models.SHIPPED, tmp_path / "models")
    monkeypatch.setattr(shipped, "SHIPPED", tmp_path / "models")
    assert keys() == before
    model = tmp_path / "models" / "tictactoe-3x3.safetensors"
    model.write_bytes(model.read_bytes()[:-1] + b"!")
    assert [old != new for old, new in zip(before, keys(), strict=True)] == [True, True, True, False, False, False]
    assert keys("tictactoe:size=4") == larger, "no model of that size comes along"


def test_nmbr9_players_meet_the_same_deck_and_azul_players_the_same_tiles() -> None:
    for name, specs in (("nmbr9", ["random", "greedy"]), ("azul", ["random", "greedy"])):
        result = bw.match(bw.load(name), specs, games=4, seed=5)
        by_set: dict[int, list[list[str]]] = {}
        for one, record in zip(result.outcomes, records(result), strict=True):
            draws = [ply for ply in record.plies if ply.startswith(DRAW)]
            by_set.setdefault(one.number, []).append(draws[:20])  # a whole deck; the first round of Azul
        assert all(drawn[0] == other for drawn in by_set.values() for other in drawn)
        assert len({tuple(drawn[0]) for drawn in by_set.values()}) == len(by_set)


def test_a_set_has_one_opening_and_sets_have_different_ones() -> None:
    result = bw.match(bw.load("gomoku:size=7"), ["greedy:seed=1", "win-block:seed=1"], games=12, seed=3)
    assert result.terms.opening == 4
    assert any("random moves" in note for note in result.notes)
    openings: dict[int, set[tuple[str, ...]]] = {}
    for one, record in zip(result.outcomes, records(result), strict=True):
        openings.setdefault(one.number, set()).add(record.plies[:4])
    assert all(len(same) == 1 for same in openings.values())
    assert len(set.union(*openings.values())) == len(openings) == 6


def test_games_that_repeat_are_counted_once_and_warned_of() -> None:
    result = bw.match(bw.load("tictactoe"), ["mcts:simulations=20,seed=1", "win-block:seed=2"], games=12, opening=0)
    assert result.table.games == 12 and result.table.distinct <= 2
    assert any("distinct" in note for note in result.notes)
    assert f"{result.table.distinct} of them distinct" in str(result)


# Figures


def test_a_match_is_the_same_again_and_its_figures_are_those_of_its_records() -> None:
    game = bw.load("tictactoe")
    result = bw.match(game, ["greedy", "random"], games=30, seed=2)
    assert result.to_json() == bw.match(game, ["greedy", "random"], games=30, seed=2).to_json()
    wins = draws = 0
    for record in records(result):
        record.replay()
        assert record.results is not None
        mine = record.results[record.players.index("greedy")]
        wins, draws = wins + (mine == 1.0), draws + (mine == 0.0)
    line = result.table.players[0]
    assert (line.games, line.wins, line.draws, line.losses) == (30, wins, draws, 30 - wins - draws)
    assert line.share.value == pytest.approx((wins + draws / 2) / 30)
    assert 0.5 < line.share.low < line.share.value <= line.share.high
    assert result.difference.low > 0
    seats = result.table.seats
    assert seats[0].wins.value + seats[1].wins.value == pytest.approx(1.0)


def test_a_player_against_itself_is_within_its_interval_of_even() -> None:
    for name, spec, games in (("tictactoe", "random", 100), ("azul", "greedy", 40), ("2048:size=3", "random", 60)):
        result = bw.match(bw.load(name), [spec, spec], games=games, seed=4)
        assert 0.5 in result.table.players[0].share, name
        assert 0.0 in result.difference, name
        assert result.players == (spec, f"{spec} #2")
        assert result.table.distinct > 0.9 * result.table.games


def test_four_players_of_azul_are_ranked_with_seats_rotated() -> None:
    result = bw.match(
        bw.load("azul:players=4"), ["random", "greedy", "random:seed=5", "greedy:seed=5"], games=16, seed=6
    )
    assert result.table.games == 16 and result.table.sets == 4
    for player in range(4):
        assert Counter(one.seats.index(player) for one in result.outcomes) == {0: 4, 1: 4, 2: 4, 3: 4}
    ratings = result.table.ratings
    assert ratings is not None
    order = sorted(range(4), key=lambda i: -ratings.values[i])
    assert set(order[:2]) == {1, 3}
    assert sum(line.wins for line in result.table.players) + sum(line.draws for line in result.table.players) / 2 <= 16
    assert sum(seat.wins.value for seat in result.table.seats) == pytest.approx(1.0)
    greedy, rand = result.table.players[1].points, result.table.players[0].points
    assert greedy is not None and rand is not None and greedy.low > rand.high


def test_players_alone_are_compared_on_the_same_draws() -> None:
    result = bw.match(bw.load("2048:size=3"), ["greedy", "random"], games=25, seed=1)
    assert result.table.sets == 25 and result.table.games == 50
    pair = result.table.pairs[0]
    assert pair.points is not None and pair.points.low > 0
    one, other = (line.points for line in result.table.players)
    assert one is not None and other is not None
    assert pair.points.value == pytest.approx(one.value - other.value)
    assert all(game.marks["largest tile"] >= 8 for game in result.outcomes)
    alone = bw.match(bw.load("2048:size=3"), ["random"], games=5)
    assert alone.table.ratings is None and alone.table.players[0].points is not None and str(alone)


def test_a_sequential_test_stops_the_match_and_says_why() -> None:
    game = bw.load("tictactoe")
    result = bw.match(game, ["greedy", "random"], games=2000, seed=2, sprt=(0, 200))
    assert result.test is not None and result.test.accepted == 1
    assert result.table.games == 2 * result.test.sets < 2000
    again = bw.match(game, ["greedy", "random"], games=2000, seed=2, sprt="0,200")
    assert again.to_json() == result.to_json()
    with pytest.raises(bw.InputError, match="between two players"):
        bw.match(game, ["greedy", "random", "random"], round_robin=True, sprt=(0, 10))


def test_a_rating_table_is_continued_with_more_games_and_more_players() -> None:
    game = bw.load("tictactoe")
    Match(game, ["greedy", "random"], 10, 1).run()
    longer = Match(game, ["greedy", "random"], 20, 1)
    assert longer.recall() == 10
    longer.run()
    table = Match(game, ["greedy", "random", "win-block"], 20, 1, round_robin=True)
    assert table.recall() == 20
    table.run()
    result = table.result()
    assert result.table.games == 60 and result.table.ratings is not None
    best = max(range(3), key=lambda i: result.table.ratings.values[i])  # type: ignore[union-attr]  # there are ratings
    assert result.players[best] != "random"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players": ["kasparov", "random"]}, "no player 'kasparov'"),
        ({"players": "random"}, "list of specs"),
        ({"games": 0}, "play 1 or more"),
        ({"workers": -1}, "workers=-1"),
        ({"opening": -1}, "opening=-1"),
        ({"opening": 9}, "ends the game; choose fewer"),
        ({"move_seconds": -1.0}, "move_seconds=-1"),
        ({"players": ["random:seed=" + "1" * 300, "random"]}, "records hold 200"),
    ],
)
def test_what_makes_no_match_is_refused(arguments: dict[str, object], message: str) -> None:
    wanted: dict[str, object] = {"players": ["random", "random"], "games": 2, **arguments}
    with pytest.raises(bw.InputError, match=re.escape(message)):
        bw.match(bw.load("tictactoe"), **wanted)  # type: ignore[arg-type]  # values of many types


# Players that misbehave


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("raises", "player {} (raises) raised KeyError: 'lost \\x1b[31mmy notes'"),
        ("illegal", "player {} (illegal) played 7, which is not legal there"),
        ("slow", "player {} (slow) thought for 0.50 s; 0.25 s are allowed"),
    ],
)
def test_whoever_goes_wrong_loses_that_game_and_the_match_goes_on(
    nim: bw.Game, spec: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow: Any = registry.find("players", "slow")
    monkeypatch.setattr(referee, "time", SimpleNamespace(perf_counter=lambda: slow.clock))
    result = bw.match(nim, [spec, "taker"], games=4, seed=1, move_seconds=0.25, opening=0)
    line = result.table.players[0]
    assert (line.games, line.losses, line.forfeits) == (4, 4, 4)
    for one, record in zip(result.outcomes, records(result), strict=True):
        assert record.status == "forfeit" and record.note.startswith(reason.format(one.seats.index(0) + 1))
        assert record.results is not None and record.results[one.seats.index(0)] == -1.0
        record.replay(nim)
    assert str(result)


def test_workers_play_the_same_match_as_one_process(tmp_path: Path) -> None:
    game = bw.load("tictactoe")
    here = bw.match(game, ["mcts:simulations=30", "greedy"], games=12, seed=9, library=Library(tmp_path / "a.sqlite3"))
    there = bw.match(
        game, ["mcts:simulations=30", "greedy"], games=12, seed=9, workers=2, library=Library(tmp_path / "b.sqlite3")
    )
    assert [(one.id, one.sequence) for one in here.outcomes] == [(one.id, one.sequence) for one in there.outcomes]


# Reports and the command


def test_reports_are_complete_and_self_contained(tmp_path: Path) -> None:
    html, markdown = tmp_path / "r.html", tmp_path / "r.md"
    arguments = ["match", "2048:size=3", "greedy", "random", "mcts:simulations=8", "--games", "4", "--workers", "0"]
    ran = CliRunner().invoke(app, [*arguments, "--html", str(html), "--markdown", str(markdown)])
    assert ran.exit_code == 0, ran.output
    page = html.read_text()
    assert page.count("<svg") == 4 and page.count("<figure>") == 4
    assert not re.search(r'(src|href)="(?!#)', page) and "<script" not in page and "http-equiv" not in page
    text = markdown.read_text()
    for name in ("elo", "scores", "values", "marks"):
        assert f"(r-{name}.svg)" in text
        assert (tmp_path / f"r-{name}.svg").read_text().startswith("<svg")
    assert "| greedy | 4 |" in text


def test_names_from_outside_cannot_break_the_page(nim: bw.Game) -> None:
    from boardwright.arena.report import html_report, markdown_report

    result = bw.match(nim, ["raises", "taker"], games=2, move_seconds=30.0, opening=0)
    shown = html_report(result, command="boardwright match '<script>alert(1)</script>'")
    assert "<script>" not in shown and "Forfeits" in shown and "\x1b" not in shown
    assert "Forfeits" in markdown_report(result)


def test_the_command_prints_json_that_says_all() -> None:
    ran = CliRunner().invoke(app, ["match", "azul", "greedy", "random", "--games", "4", "--workers", "0", "--json"])
    assert ran.exit_code == 0, ran.output
    data = json.loads(ran.stdout)
    assert data["games"] == 4 and len(data["players"]) == 2 and len(data["seats"]) == 2
    assert set(data["players"][0]["share"]) == {"value", "low", "high"}
    assert data["players"][0]["rating"]["value"] > data["players"][1]["rating"]["value"]


def test_a_report_that_could_not_be_written_is_told_before_the_match() -> None:
    with pytest.raises(bw.InputError, match="its folder does not exist"):
        CliRunner().invoke(
            app, ["match", "tictactoe", "random", "random", "--html", "/nowhere/x.html"], catch_exceptions=False
        )
    assert not Library().find()


def test_a_strength_table_is_written_and_replaced_in_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ladder: Any = bw.load("tictactoe").card.benchmarks["strength"]
    monkeypatch.setitem(ladder, "tictactoe", ("random", "greedy"))
    out = tmp_path / "strength.md"
    out.write_text("# Old title\n\n## azul\n\nkept as it was\n\n## tictactoe\n\nstale\n")
    ran = CliRunner().invoke(
        app, ["bench", "strength", "tictactoe", "--games", "6", "--workers", "0", "--out", str(out)]
    )
    assert ran.exit_code == 0, ran.output
    text = out.read_text()
    assert text.count("## tictactoe") == 1 and "stale" not in text and "kept as it was" in text
    assert "| greedy | 6 |" in text and re.search(r"\d{4}-\d\d-\d\d, commit \w+", text)


def test_a_guest_climbs_a_ladder_with_its_own_players(monkeypatch: pytest.MonkeyPatch) -> None:
    ladder: Any = bw.load("tictactoe").card.benchmarks["strength"]
    monkeypatch.setitem(ladder, "tictactoe", ("random", "greedy"))
    command = ["bench", "strength", "tictactoe", "--games", "4", "--workers", "0", "--json"]
    ran = CliRunner().invoke(app, [*command, "--player", "win-block"])
    assert ran.exit_code == 0, ran.output
    (told,) = json.loads(ran.stdout)
    assert sorted(one["name"] for one in told["players"]) == ["greedy", "random", "win-block"]
    with pytest.raises(bw.InputError, match="--player goes with one GAME"):
        CliRunner().invoke(app, ["bench", "strength", "--player", "win-block"], catch_exceptions=False)
