"""Games that do not work: searches refuse them in a sentence, and a playtest goes on to a report of the fault."""

from __future__ import annotations

import json
import re
import shlex
from html import unescape
from pathlib import Path

import pytest
from typer.testing import CliRunner

import boardwright as bw
from boardwright.check.side_by_side import compare
from boardwright.cli.main import app
from boardwright.playtesting.broken import check, checked_game
from boardwright.playtesting.page import page
from boardwright.playtesting.records import replay
from boardwright.playtesting.run import Playtest
from boardwright.search.search import Search
from boardwright.search.settings import SearchSettings

DESIGNS = str(Path(__file__).parent / "games" / "designs.py")
NO_MOVE = r"Gap\.legal: no move at a position that is not over; let player\(\) return bw\.OVER there"


def design(name: str) -> bw.Game:
    return bw.load(f"{DESIGNS}:{name}")


@pytest.mark.parametrize("settings", [{}, {"rollouts": 3}, {"select": "gumbel"}], ids=str)
@pytest.mark.parametrize("interpreted", [True, False])
def test_a_search_names_the_position_that_has_no_move(settings: dict[str, object], interpreted: bool) -> None:
    game = design("Gap")
    search = Search(game, SearchSettings(simulations=300, **settings), interpreted=interpreted)  # type: ignore[arg-type]  # values of many types
    with pytest.raises(bw.RuleError, match=NO_MOVE) as refused:
        search.grow(game.begin())
    named = json.loads(str(refused.value).partition("(position ")[2].removesuffix(")"))
    assert named["left"] == 3


@pytest.mark.parametrize("spec", ["mcts:simulations=500,threads=2", "solver", "expectimax:depth=4"])
def test_players_refuse_a_game_with_a_position_without_moves(spec: str) -> None:
    game = design("Gap")
    with pytest.raises(bw.RuleError, match=NO_MOVE):
        bw.player(spec, game).choose(game.begin())


@pytest.mark.parametrize(("name", "told"), [("Gap", NO_MOVE), ("Stumble", "nobody thought of three")])
@pytest.mark.parametrize("sets", [0, 3])
def test_a_playtest_of_rules_that_stumble_has_a_report_with_a_game_that_shows_it(
    tmp_path: Path, name: str, told: str, sets: int
) -> None:
    test = Playtest(design(name), 0.02, sets=sets, top=16 if sets else 0, path=tmp_path / "test.sqlite")
    test.run(0)
    report = test.report()
    test.close()
    found = [(one, record) for one, record in report.shown if one.key == "fault"]
    assert len(found) == 1, "one fault, however many searches saw it coming"
    fault, record = found[0]
    assert told.replace("\\", "") in fault.text
    assert record is not None and fault.game is not None
    assert record.replay(test.game).moves, "the record stops where one can still look at it"
    taken = sum(move + 1 for move in fault.game.steps)
    assert taken == 7, "and the game has come to where the rules have no answer"


def test_commands_that_a_report_prints_do_what_they_say(tmp_path: Path) -> None:
    run, report = CliRunner(), tmp_path / "report.html"
    advised = set()
    for name in ("Gap", "Nim"):
        terms = ["--sets", "3", "--top", "16", "--workers", "0", "--out", str(report)]
        told = run.invoke(app, ["playtest", f"{DESIGNS}:{name}", *terms])
        assert told.exit_code == 0, told.output
        lines = re.findall("<code>(boardwright .+?)</code>", report.read_text())
        lines += re.findall(r"Next: (boardwright .+)\.$", told.stdout, re.MULTILINE)
        for words in {tuple(shlex.split(unescape(line))[1:]) for line in lines}:
            advised.add(words[0])
            shown = run.invoke(app, [*words, "--help"] if words[0] == "serve" else words)
            assert shown.exit_code == 0, f"{shlex.join(words)}: {shown.output}"
    assert advised == {"analyse", "records", "serve"}


def test_a_game_that_shows_what_is_broken_opens_where_it_is_served(tmp_path: Path) -> None:
    test = Playtest(design("Gap"), sets=3, top=16, path=tmp_path / "test.sqlite")
    test.run(0)
    report = test.report()
    test.close()
    told = page(report, link=lambda id: f"/#/game/{id}/analysis")
    record = next(record for _, record in report.shown if record)
    assert f'<a href="/#/game/{record.id}/analysis">Open it</a>' in told


def test_what_check_finds_in_a_game_with_symmetries_has_a_game_that_shows_it() -> None:
    game, shown = design("Tilted"), 0
    for seed in range(20):  # held against each other, with images in between: the course is that of every check
        try:
            compare(game, seed, 100, lambda: None)
        except bw.RuleError as error:
            one = checked_game(game, str(error))
            assert one is not None
            last = replay(game, one)
            assert last.is_over and last.fields()["odd"]
            shown += 1
    assert shown, "no game was the odd one"
    assert checked_game(game, check(game)) is not None
