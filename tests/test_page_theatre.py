"""The search theatre in a real browser: ten simulations step by step, the phases, why a child was chosen, two searches
side by side, a link that means the same tree, and the ways in."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from typer.testing import CliRunner

import boardwright as bw
from boardwright.cli.main import app
from boardwright.serve.app import WEB
from boardwright.serve.theatre_address import theatre_address
from tests.processes import hearing_ctrl_c
from tests.serving import Served, served
from tests.test_page import PATIENCE, Watched, browser, check_access, press, watched, window

__all__ = ["browser", "watched", "window"]  # fixtures
PIG = str(Path(__file__).parents[1] / "docs" / "examples" / "pig.py")
PHASES = ("selection", "expansion", "evaluation", "backup")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("games"), files=(PIG,)) as running:
        yield running


def opened(watched: Watched, address: str, at: int = 0) -> Page:
    watched.page.goto(f"{watched.server.address}/{address}")
    shows(watched.page, at)
    return watched.page


def shows(page: Page, at: int, phase: str | None = None) -> None:
    expect(page.locator(".theatre")).to_have_attribute("data-at", str(at), timeout=PATIENCE)
    if phase is not None:
        expect(page.locator(".theatre")).to_have_attribute("data-phase", phase)


def drawn(where: Page | Locator) -> dict[str, tuple[str, str]]:
    """What is on the cards, by slot."""
    cards = where.locator(".growth .node").all()
    return {one.get_attribute("data-slot") or "": (one.get_attribute("data-visits") or "", said(one)) for one in cards}


def said(one: Locator) -> str:
    return re.sub(r"\s+", " ", one.inner_text())


def test_ten_simulations_phase_by_phase(watched: Watched) -> None:
    page = opened(watched, "#/theatre/tictactoe?seed=3&select=ucb1")
    expect(page.get_by_role("combobox", name="Playouts")).to_have_value("win-block")
    root = page.locator(".growth .node[data-slot='0']")
    expect(root).to_have_attribute("data-visits", "0")
    for number in range(1, 11):
        for phase in PHASES:
            press(page, "ArrowRight")
            shows(page, number, phase)
            expect(page.locator(".phases [aria-pressed=true]")).to_contain_text(phase.capitalize())
            expect(root).to_have_attribute("data-visits", str(number - (phase != "backup")))
            expect(page.locator(".told h3")).to_have_text(f"Simulation {number}: {phase}")
            if phase == "evaluation":
                expect(page.locator(".end .mini svg")).to_be_visible()
    expect(page.locator(".growth .leaf")).to_have_count(1)
    press(page, "Shift+ArrowLeft")
    shows(page, 9, "backup")
    press(page, "ArrowLeft")
    shows(page, 9, "evaluation")


def test_the_bars_are_the_terms_and_the_chosen_child_has_the_best_score(watched: Watched) -> None:
    page = opened(watched, "#/theatre/tictactoe?seed=3&select=ucb1&c=0.8&at=25", 25)
    page.get_by_role("button", name="Selection").click()
    shows(page, 25, "selection")
    rows = page.locator(".told .why tbody tr")
    expect(rows).to_have_count(9)
    scores = []
    for row in rows.all():
        terms = [float(one) for one in (row.get_attribute("data-terms") or "").split()]
        assert len(terms) == 2 == row.locator(".terms i").count()
        scores.append(float(row.get_attribute("data-score") or "nan"))
        assert sum(terms) == scores[-1]
    chosen = page.locator(".told .why tr.chosen")
    assert float(chosen.get_attribute("data-score") or "nan") == max(scores)
    second = page.locator(".way button").nth(1)
    second.click()
    expect(page.locator(".way [aria-pressed=true]")).to_contain_text("2. ")


def test_two_searches_side_by_side_and_a_link_that_means_them(watched: Watched) -> None:
    page = opened(watched, "#/theatre/tictactoe?seed=3&select=ucb1&at=30&proofs=false", 30)
    alone = drawn(page)
    page.get_by_role("button", name="Compare").click()
    expect(page.locator(".pane")).to_have_count(2)
    expect(page.locator(".pane").nth(1)).to_have_attribute("data-at", "30")
    assert drawn(page.locator(".pane").nth(1)) == alone, "it begins as a copy"
    page.get_by_role("form", name="Search B").get_by_label("Exploration c").fill("0")
    press(page, "Enter")
    expect(page.locator(".pane").nth(1).locator(".growth .node").nth(1)).not_to_have_attribute("data-visits", "")
    expect(page).to_have_url(re.compile(r"c2=0(&|$)"))
    expect(page.locator(".pane").nth(1)).to_have_attribute("data-at", "30")
    press(page, "Escape", "Shift+ArrowRight")
    shows(page, 31, "backup")
    both = [drawn(pane) for pane in page.locator(".pane").all()]
    assert both[0] != both[1], "greedy and curious grow different trees"
    expect(page).to_have_url(re.compile(r"at=31"))
    page.reload()
    shows(page, 31, "backup")
    assert [drawn(pane) for pane in page.locator(".pane").all()] == both
    page.get_by_role("button", name="One search").click()
    expect(page.locator(".pane")).to_have_count(1)


def test_it_plays_by_itself_and_stops(watched: Watched) -> None:
    page = opened(watched, "#/theatre/tictactoe?seed=3&simulations=30")
    speed = page.get_by_label("Speed")
    speed.select_option("Slow")  # three minutes to the end
    page.locator(".theatre h1").click()
    press(page, " ")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.locator(".theatre")).not_to_have_attribute("data-at", "0")
    press(page, " ")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    speed.select_option("Very fast")
    page.locator(".theatre h1").click()
    press(page, " ")
    shows(page, 30)
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_chance_is_round_and_has_its_odds(watched: Watched) -> None:
    page = opened(watched, "#/theatre/Pig?seed=1&moves=roll+~4&at=60&children=6", 60)
    round_ = page.locator(".growth .node.round").first
    expect(round_).to_contain_text("6 outcomes")
    expect(page.locator(".growth .node .draws + small").first).to_have_text("17 %")
    expect(page.locator(".growth .words").first).to_contain_text("banked")


def test_another_position_and_a_bad_one(watched: Watched) -> None:
    page = opened(watched, "#/theatre/tictactoe?at=5", 5)
    page.get_by_text("Game, position, seed, view").click()
    typed = page.get_by_label("Moves from the start")
    typed.fill("b2 z9")
    press(page, "Enter")
    expect(page.locator(".theatre > .problem")).to_contain_text("'z9' - no column z")
    typed.fill("b2 a1")
    press(page, "Enter")
    expect(page.locator(".theatre > .problem")).to_be_empty()
    expect(page.locator(".theatre > header p")).to_contain_text("after b2 a1")
    shows(page, 0)
    weight = page.get_by_label("Exploration c")
    weight.fill("-1")
    press(page, "Enter")
    expect(page.locator(".theatre > .problem")).to_contain_text("c=-1.0 must be 0 to")
    weight.fill("0.5")
    press(page, "Enter")
    expect(page.locator(".theatre > .problem")).to_be_empty()
    expect(page).to_have_url(re.compile(r"c=0\.5"))


def test_a_bad_address_is_one_sentence(watched: Watched) -> None:
    for address, message in (
        ("#/theatre/chess", "no game 'chess'; there are"),
        ("#/theatre/tictactoe?at=many", "'at' must be a whole number from 0 to"),
        ("#/theatre/tictactoe?c=much", "c='much' does not fit; it must be a number"),
        ("#/theatre/tictactoe?table=nowhere&ply=1", "no such game"),
        ("#/theatre/tictactoe?position=%7B", "'position' must be an object"),
    ):
        watched.page.goto(f"{watched.server.address}/{address}")
        expect(watched.page.locator(".theatre > .problem")).to_contain_text(message)


def test_the_ways_in(watched: Watched) -> None:
    page = watched.page
    page.goto(watched.server.address)
    page.get_by_role("link", name="search theatre").click()
    shows(page, 0)
    table = watched.server.play(watched.server.begin("tictactoe"), "b2")
    watched.open(table)
    press(page, "a")
    page.get_by_role("button", name="How does it think?").click()
    shows(page, 0)
    expect(page).to_have_url(re.compile(r"#/theatre/tictactoe\?moves=b2$"))
    page.go_back()
    page.wait_for_selector(".game .board svg")


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_accessibility_and_width(browser: Browser, server: Served, theme: Any) -> None:
    for width in (390, 1280):
        seen = Watched(
            browser, server, viewport={"width": width, "height": 900}, reduced_motion="reduce", color_scheme=theme
        )
        page = opened(seen, "#/theatre/tictactoe?seed=3&at=40&c2=0.2&moves=b2", 40)
        page.locator(".phases").first.get_by_role("button", name="Selection").click()
        shows(page, 40, "selection")
        check_access(page, f"theatre {width}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        seen.context.close()
        assert seen.wrong == []


def test_it_is_loaded_by_those_who_look_at_it(watched: Watched) -> None:
    asked: list[str] = []
    watched.page.on("request", lambda request: asked.append(request.url))
    watched.page.goto(watched.server.address)
    watched.page.wait_for_selector(".gamecard")
    assert not [url for url in asked if "/theatre/" in url]
    assert sum(path.stat().st_size for path in (WEB / "theatre").glob("*.js")) < 50_000


# The command


def test_the_command_s_address_is_what_the_page_reads(watched: Watched) -> None:
    game = bw.load("tictactoe:size=4")
    address = theatre_address(game, ["b2", "a1"], "mcts:simulations=20,c=0.5,depth=6", 3, 2, 1)
    assert address == ("#/theatre/tictactoe:size=4?moves=b2+a1&seed=3&simulations=20&children=2&levels=1&c=0.5&depth=6")
    assert theatre_address(bw.load("tictactoe"), [], "mcts", 0) == "#/theatre/tictactoe"
    opened(watched, "#/theatre/tictactoe?moves=b2+a1&seed=3&simulations=20&c=0.5&depth=6&at=20", 20)


def test_the_command_opens_the_theatre_of_ones_own_game(browser: Browser) -> None:
    command = [sys.executable, "-m", "boardwright", "tree", PIG, "--moves", "roll ~4", "--player", "mcts:c=0.5"]
    with hearing_ctrl_c():
        running = subprocess.Popen([*command, "--no-open"], stdout=subprocess.PIPE, text=True)
    try:
        assert running.stdout is not None
        found = re.search(r"http://\S+", running.stdout.readline())
        assert found and found[0].endswith("/#/theatre/Pig?moves=roll+~4&c=0.5")
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(found[0])
        shows(page, 0)
        expect(page.locator(".growth .words")).to_contain_text("player 1 has rolled 4")
        press(page, "Shift+ArrowRight")
        shows(page, 1, "backup")
        page.close()
    finally:
        running.send_signal(signal.SIGINT)
        assert running.wait(PATIENCE / 1000) == 0
        assert running.stdout is not None
        running.stdout.close()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--player", "masb"], "the theatre shows mcts, not masb; name a file with --out"),
        (["--player", "mcts:simulations=9999"], "the theatre shows 1 to 2,000 simulations"),
        (["--player", "mcts:seconds=2"], "the theatre has no setting 'seconds'; there are select"),
        (["--player", "mcts:seed=4"], "one seed fixes draws and search; leave it to --seed"),
        (["--player", "mcts:prior=wise"], "prior=wise does not exist"),
        (["--top", "20"], "--top 20: the theatre shows 1 to 8"),
        (["--seed", "-1"], "--seed -1: in the theatre it is a whole number from 0"),
        (["--moves", "a1 b1 a2 b2 a3"], "the game is over there"),
    ],
)
def test_the_command_refuses_in_one_sentence(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(app, ["tree", "tictactoe", *arguments])
    assert isinstance(result.exception, bw.InputError) and message in str(result.exception), result.exception
