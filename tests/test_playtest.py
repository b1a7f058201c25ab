"""Playtests of games whose figures are known: the report names each within its interval."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import asdict
from html import escape
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import boardwright as bw
from boardwright.arena.elo import expected
from boardwright.arena.intervals import Estimate
from boardwright.arena.workers import Here
from boardwright.cli.main import app
from boardwright.contract.folders import home_folder
from boardwright.playtesting import Playtest
from boardwright.playtesting.crew import DealOrder, play_order
from boardwright.playtesting.experiments import experiments, usable_opening
from boardwright.playtesting.journal import Journal
from boardwright.playtesting.ladder import Level, common_ladder, make_ladder
from boardwright.playtesting.luck import DISTINCT, make_step, sure_levels
from boardwright.playtesting.one_game import Tracer
from boardwright.playtesting.placing import DEALS, Pair, place
from boardwright.playtesting.report import Report
from boardwright.playtesting.variants import Variants
from boardwright.records import Library

DESIGNS = str(Path(__file__).parent / "games" / "designs.py")
EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"


def design(name: str, **options: int) -> bw.Game:
    return bw.load(f"{DESIGNS}:{name}", **options)


def labels(report: Report) -> dict[str, str]:
    return {row["kind"]: row["label"] for row in report.section("worth").data["kinds"]}


def wrong(report: Report) -> list[str]:
    return [one.key for one, _ in report.shown]


def test_a_coin_has_no_skill_and_luck_decides() -> None:
    report = bw.playtest(design("CoinFlip"), sets=80, top=16)
    assert 0.5 in report["fairness.seat_1"].estimate
    luck = report["luck.share"].estimate
    assert luck.value == 1.0 and 1.0 in luck and luck.low > 0.85
    levels = report["luck.levels"].estimate
    assert levels.value == levels.high == 1.0
    assert 2.0 in report["length.moves"].estimate
    assert report["length.matter"].estimate.value == 0.0  # nor is the noise of the search taken for anything
    texts = [one.text for one in report.section("luck").verdicts]
    assert any("No skill" in text for text in texts) and any("luck" in text.lower() for text in texts)
    assert not wrong(report)
    # Every figure of the page and of the JSON is there with its definition.
    told = json.loads(report.to_json())
    assert told["games"] == report.games and len(told["sections"]) == 6
    assert all(figure["definition"] for section in told["sections"] for figure in section["figures"])
    page = report.html()
    assert page.startswith("<!doctype html>") and "http" not in page.replace("http-equiv", "")
    assert all(escape(figure.name) in page for figure in report.figures if figure.known)


def test_a_dead_option_and_three_points_for_seat_2_are_named() -> None:
    report = bw.playtest(design("Shop"), sets=30, top=32)
    found = labels(report)
    assert found == {"burn": "dead", "left": "", "right": ""}
    shares = {row["kind"]: row["without"] for row in report.section("worth").data["kinds"]}
    assert all(0.5 in shares[kind] for kind in ("left", "right"))
    handicap = report["fairness.handicap"].estimate
    assert -3.0 in handicap and handicap.high < 0
    assert report["fairness.seat_2"].estimate.low > 0.5
    assert "seat 2" in report.section("fairness").verdicts[0].text
    wasted = report["fairness.random_first_2"].estimate  # one time in three, "burn" gives eight points away
    assert wasted.high < report["fairness.seat_2"].estimate.value
    assert report["luck.share"].estimate.value > 0.5  # nothing but the dice is left between equals


@pytest.mark.slow
def test_perfect_tic_tac_toe_is_drawn() -> None:
    report = bw.playtest(bw.load("tictactoe"), sets=12, top=16)
    assert report.levels[-1].name == "perfect play"
    assert 0.5 in report["fairness.seat_1"].estimate and report["fairness.seat_1"].estimate.margin < 0.15
    assert report["tension.draws"].estimate.value == 1.0
    assert report["length.moves"].estimate.value == 9.0
    assert report["luck.share"].estimate.value == 0.0


@pytest.mark.parametrize("games", [10, 100])  # while players are put in order, and later
def test_a_playtest_goes_on_where_it_stopped_and_says_the_same_again(tmp_path: Path, games: int) -> None:
    game = design("CoinFlip")
    whole = Playtest(game, sets=12, top=16, path=tmp_path / "whole.sqlite")
    whole.run(0)

    stopped = Playtest(game, sets=12, top=16, path=tmp_path / "part.sqlite")
    stopped.run(0, stop=lambda: stopped.games > games)
    assert 0 < stopped.games < whole.games
    stopped.close()

    later = Playtest(game, sets=12, top=16, path=tmp_path / "part.sqlite")
    later.run(0)
    assert later.games == whole.games
    one, other = later.report().to_dict(), whole.report().to_dict()
    one.pop("seconds"), other.pop("seconds")
    assert one == other

    # A deal that was half written, as nothing of ours leaves it, is played again.
    later.journal._open.execute("DELETE FROM games WHERE id IN (SELECT id FROM games LIMIT 1)")
    later.close()
    mended = Playtest(game, sets=12, top=16, path=tmp_path / "part.sqlite")
    mended.run(0)
    assert mended.games == whole.games


@pytest.mark.slow
def test_workers_play_the_same_games(tmp_path: Path) -> None:
    game = design("CoinFlip")
    reports = []
    for number, (workers, hire) in enumerate(((0, None), (2, None), (0, Here))):
        test = Playtest(game, sets=6, top=16, path=tmp_path / f"{number}.sqlite")
        test.run(workers, hire=hire)
        reports.append(test.report().to_dict())
        reports[-1].pop("seconds")
    assert reports[0] == reports[1] == reports[2]


def test_what_was_lost_on_the_way_is_played_by_who_goes_on(tmp_path: Path) -> None:
    """As on a cluster whose answers nobody waited for."""
    game = design("CoinFlip")
    whole, lossy = (Playtest(game, sets=6, top=16, path=tmp_path / f"{name}.sqlite") for name in ("whole", "lossy"))
    whole.run(0)
    lossy.run(hire=Here, stop=lambda: lossy.games > 20)
    assert lossy.games < whole.games
    lossy.run(hire=Here)
    assert lossy.games == whole.games


def test_games_to_look_at_are_in_the_library_and_replay() -> None:
    game = design("Shop")
    report = bw.playtest(game, sets=8, top=32)
    ids = report.save_records()
    assert len(ids) == len(set(ids)) >= 4
    assert [one.name for one in report.looks] == ["typical", "closest", "wildest", "most lopsided"]
    for id in ids:
        Library().get(id).replay(game)


def test_bad_settings_are_refused_with_the_cure() -> None:
    game = design("CoinFlip")
    with pytest.raises(bw.InputError, match="minutes"):
        Playtest(game, 0.0)
    with pytest.raises(bw.InputError, match="16 to"):
        Playtest(game, top=5)
    with pytest.raises(bw.InputError, match="sets"):
        Playtest(game, sets=-1)


def placed_by(elo: list[float], rng: np.random.Generator | None = None) -> tuple[list[int], dict[Pair, int]]:
    """The order of players of these strengths, with the luck of two games a deal if there is an rng; and what was
    played."""
    played: dict[Pair, int] = {}
    games: dict[Pair, list[float]] = {}

    def met(pair: Pair, deals: int) -> float | None:
        return float(np.mean(games[pair][:deals])) if played.get(pair, 0) >= deals else None

    while True:
        wanted, order = place(len(elo), met)
        if not wanted:
            return order, played
        for pair, deals in wanted.items():
            assert deals > played.get(pair, 0)
            share, played[pair] = expected(elo[pair[0]] - elo[pair[1]]), deals
            games[pair] = [share] * deals if rng is None else list(rng.binomial(2, share, deals) / 2)


def test_players_are_put_where_they_belong() -> None:
    # As they are made: random moves, two rules, four searches, who has learnt. A search is out of order too.
    elo = [0.0, 700.0, -100.0, 400.0, 500.0, 450.0, 800.0, 600.0]
    order, played = placed_by(elo)
    assert order == sorted(range(len(elo)), key=elo.__getitem__)
    assert sum(played.values()) < DEALS * len(elo) * (len(elo) - 1) / 2  # not everybody against everybody
    assert placed_by([0.0]) == ([0], {}) and placed_by([0.0, 50.0])[0] == [0, 1]


def test_the_strongest_is_on_top_although_games_have_luck() -> None:
    """As in Azul, where who looks one ply ahead was put above 128 tries, and won 44 % against them."""
    elo = [0.0, 500.0, 750.0, 850.0, 950.0, 1050.0, 1010.0, 1150.0]
    tops = [placed_by(elo, np.random.default_rng(seed))[0][-1] for seed in range(60)]
    assert tops.count(7) >= 40 and set(tops) <= {5, 6, 7}  # by 100 Elo points it is better


@pytest.mark.slow
def test_games_without_chance_begin_with_random_moves_and_seats_are_told_from_the_start(tmp_path: Path) -> None:
    game = bw.load("gomoku", size=6)
    test = Playtest(game, sets=4, top=16, path=tmp_path / "test.sqlite")
    test.run(0)
    moves = usable_opening(game)
    assert moves == test.opening == 4
    assert test.scheduler is not None
    for key, state in test.scheduler.states.items():
        kind = key.partition(" ")[0]
        opened = {one.opened for one in state.games}
        assert opened == ({moves} if kind in ("place", "equal", "step", "without") else {0}), key
        for one in state.games:  # the same opening in all games of a deal
            same = [other for other in state.games if other.deal == one.deal]
            assert len({tuple(other.steps[: one.opened]) for other in same}) == 1
    equal = test.scheduler.states["equal"].games
    assert len({tuple(one.steps[:moves]) for one in equal}) == len({one.deal for one in equal})
    report = test.report()
    assert report["fairness.seat_1"].name.endswith("from the start position")
    assert report["fairness.opened_1"].games == len(equal) and report["fairness.seat_1"].games > 0
    lines = {tuple(one.steps) for one in test.scheduler.states["start"].games}
    assert report.section("fairness").data["different"] == len(lines)
    assert "from the start position" in report.html() and "after 4 random moves" in report.html()


def test_journals_of_before_are_read_as_they_were(tmp_path: Path) -> None:
    """Levels in order, no openings, no games that put players in order."""
    game = design("Nim")
    journal = Journal(tmp_path / "old.sqlite")
    levels = [Level("random moves", "random"), Level("search, 16 tries", "mcts:simulations=16", 16)]
    for name, value in (("checked", ""), ("game", str(game)), ("levels", [asdict(one) for one in levels])):
        journal.note(name, value)
    old = play_order(Tracer(game), DealOrder(experiments(levels)[2], (0, 1)), 0)
    assert all(one.opened == 0 for one in old)
    journal.close()
    with closing(sqlite3.connect(tmp_path / "old.sqlite")) as opened:
        for one in old:
            fields = {name: value for name, value in vars(one).items() if name != "opened"}  # as it was written then
            opened.execute("INSERT INTO games VALUES (?, ?)", (one.id, json.dumps(fields)))
        opened.commit()
    test = Playtest(game, sets=3, top=16, path=tmp_path / "old.sqlite")
    test.run(0)
    report = test.report()
    assert test.levels == levels and test.opening == 0
    assert test.scheduler is not None and set(test.scheduler.states) >= {"equal", "weak", "step 1"}
    assert not [key for key in test.scheduler.states if key.startswith(("place", "start"))]
    assert report["fairness.seat_1"].name == "Seat 1 wins"


def test_the_ladder_has_whoever_learnt_the_game_and_answers_in_a_moment() -> None:
    found = {name: [one.spec for one in make_ladder(bw.load(name), 64)] for name in ("azul", "azul:rounds=5")}
    searches = [f"mcts:value=auto,simulations={tries}" for tries in (16, 64)]
    assert found["azul"][-3:] == ["value:model=auto", *searches]
    assert not [spec for spec in found["azul:rounds=5"] if "auto" in spec]
    assert not [
        one for one in make_ladder(bw.load("nmbr9"), 64) if "value=auto" in one.spec
    ]  # alone, it answers at once


@pytest.mark.slow
def test_the_ladder_is_in_order_and_its_levels_hold_when_they_are_measured_again(tmp_path: Path) -> None:
    game = bw.load(str(EXAMPLES / "connect_four.py"))  # in tic-tac-toe levels lie too near for so few games
    test = Playtest(game, sets=40, top=64, seed=1, path=tmp_path / "test.sqlite")
    test.prepare()
    steps = [
        make_step(level, below, play_order(Tracer(game), DealOrder(experiment, tuple(range(40))), 1))
        for (below, level), experiment in zip(pairwise(test.levels), experiments(test.levels)[2:], strict=True)
    ]

    def again(stronger: Level, weaker: Level) -> Estimate:
        specs, library = [stronger.spec, weaker.spec], Library(tmp_path / "games.sqlite")
        return bw.match(game, specs, 200, seed=99, opening=0, library=library).table.pairs[0].share

    begun = [level for level, _ in sure_levels(steps)]
    assert len(begun) > 2 and begun[0].spec == "random"
    for weaker, stronger in pairwise(begun):
        assert again(stronger, weaker).high > DISTINCT, f"{stronger.name} against {weaker.name}"
    for weaker, stronger in pairwise(test.levels):  # nobody loses for certain to the one below
        assert again(stronger, weaker).high > 0.5, f"{stronger.name} against {weaker.name}"


@pytest.mark.slow
def test_searches_tell_of_luck_where_a_learnt_player_wins() -> None:
    report = bw.playtest(bw.load("nmbr9"), sets=8, top=16)
    assert report.levels[-1].name == "learnt"
    assert report["luck.share"].known and report["length.matter"].known and report["length.one_sensible"].known
    assert not any("cannot be told" in one.text for one in report.section("luck").verdicts)


@pytest.mark.slow
def test_nim_is_without_luck_and_decided_at_the_start() -> None:
    report = bw.playtest(design("Nim"), sets=90, top=16)
    assert report["luck.share"].estimate.high == 0.0
    assert report["fairness.seat_1"].estimate.value == 1.0
    assert 0.0 in report["tension.decided"].estimate and report["tension.runaway"].estimate.value == 1.0
    assert {"always", "never"} <= set(wrong(report))
    assert all(record for one, record in report.shown if one.key in ("always", "never"))


@pytest.mark.slow
def test_a_dominant_option_is_named() -> None:
    report = bw.playtest(design("Shop", left=8, bonus=0), sets=60, top=64)
    found = labels(report)
    assert found["left"] == "dominant" and found["burn"] == "dead"
    assert found["right"] in ("dead", "a trap", "")  # a short search takes it now and then, and had better not
    assert "“left”" in " ".join(one.text for one in report.section("worth").verdicts)
    assert 0.5 in report["fairness.seat_1"].estimate


@pytest.mark.slow
def test_a_game_that_never_ends_is_named_with_a_record() -> None:
    game = design("Standstill")
    report = bw.playtest(game, sets=20, top=64)
    assert "endless" in wrong(report)
    record = next(record for one, record in report.shown if one.key == "endless")
    assert record is not None and record.status == "unfinished"
    record.replay(game)
    assert "stalling pays" in " ".join(one.text for one in report.section("broken").verdicts)


def test_the_command_writes_a_page_and_json_and_refuses_what_it_cannot_do(tmp_path: Path) -> None:
    runner, page = CliRunner(), tmp_path / "report.html"
    spec = f"{DESIGNS}:CoinFlip"
    done = runner.invoke(app, ["playtest", spec, "--sets", "6", "--workers", "0", "--out", str(page), "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["game"] == "CoinFlip" and told["games"] > 0
    assert "Playtest: CoinFlip" in page.read_text()
    # What was kept is told again without a game being played, by whatever code there is by then.
    kept = next((home_folder() / "playtests").glob("CoinFlip-*.sqlite"))
    again = runner.invoke(app, ["playtest", spec, "--from", str(kept), "--out", str(page), "--json"])
    assert again.exit_code == 0, again.output
    assert json.loads(again.stdout) == told
    for arguments, said in (
        ([f"{DESIGNS}:Nim", "--from", str(kept)], "a playtest of CoinFlip"),
        ([spec, "--from", str(tmp_path / "nothing.sqlite")], "name one game"),
        ([spec, spec, "--sweep", "a=1..2"], "not both"),
        ([spec, "--sweep", "size=1..3"], "no option 'size'"),
        ([spec, spec], "the same game"),
        ([spec, "--out", str(tmp_path / "no" / "where.html")], "cannot write"),
    ):
        refused = runner.invoke(app, ["playtest", *arguments])
        assert isinstance(refused.exception, bw.InputError) and said in str(refused.exception)


@pytest.mark.slow
def test_variants_are_compared_on_common_deals() -> None:
    test = Variants([design("Shop"), design("Shop", bonus=0)], ["three", "none"], 10, 0, top=16, sets=60)
    test.run(hire=Here)  # as on a cluster
    report = test.report()
    found = {one.one.key: one for one in report.differences}
    seat = found["fairness.seat_1"]
    assert (
        seat.common == 60 and seat.real and seat.p < 0.01 and seat.estimate.low > 0
    )  # without the bonus seat 1 wins more
    assert found["length.moves"].p == 1.0 and found["length.moves"].estimate.value == 0.0
    assert {one.levels[-1].spec for one in report.reports} == {"mcts:simulations=16"}  # who comes out best may differ
    assert str(report).count("mcts:simulations=16") == 2 == report.html().count("mcts:simulations=16")
    assert seat.family <= 0.05 and seat.chance > 0.99 and "% more" in str(report) and "Holm" in report.html()
    assert "three" in report.html() and json.loads(report.to_json())["differences"]


@pytest.mark.parametrize(
    ("specs", "last", "learnt"),
    [
        (("gomoku:size=9", "gomoku:size=8"), "mcts:simulations=32", False),  # a model for one of them only
        (("azul:players=2", "azul:players=3"), "mcts:value=auto,simulations=32", True),
        ((f"{DESIGNS}:Nim", f"{DESIGNS}:Nim:heap=12"), "solver:nodes=2000000,polish=2000", False),
        (("tictactoe", "gomoku:size=8"), "mcts:simulations=32", False),  # one is too large to be solved
    ],
)
def test_variants_have_the_same_players_and_the_same_strong_one(
    specs: tuple[str, str], last: str, learnt: bool
) -> None:
    ladder = common_ladder([bw.load(spec) for spec in specs], 32)
    assert ladder[-1].spec == last
    assert any("auto" in one.spec for one in ladder) == learnt
    assert {"random", "mcts:simulations=16", "mcts:simulations=32"} <= {one.spec for one in ladder}


@pytest.mark.slow
def test_killed_at_any_moment_a_playtest_loses_no_whole_deal(tmp_path: Path) -> None:
    spec = f"{DESIGNS}:CoinFlip"
    command = [sys.executable, "-m", "boardwright", "playtest", spec, "--sets", "40", "--workers", "2", "--json"]
    games: set[str] = set()
    for wanted in (10, 120):
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while len(kept()) < wanted and running.poll() is None:
            pass
        running.kill()
        running.wait()
        assert games <= kept()
        games = kept()
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    told = json.loads(done.stdout)
    whole = Playtest(design("CoinFlip"), sets=40, path=tmp_path / "whole.sqlite")
    whole.run(0)
    alone = whole.report().to_dict()
    assert {**told, "seconds": 0} == {**json.loads(json.dumps(alone)), "seconds": 0}


def kept() -> set[str]:
    """The games that playtests in this home have kept."""
    found = set()
    for path in (home_folder() / "playtests").glob("*.sqlite"):
        with closing(sqlite3.connect(path, timeout=30)) as opened:
            if opened.execute("SELECT 1 FROM sqlite_master WHERE name = 'games'").fetchone():
                found |= {id for (id,) in opened.execute("SELECT id FROM games")}
    return found
