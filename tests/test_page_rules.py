"""The rules of each game on one page, in words and pictures."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

import boardwright as bw
from boardwright.contract.guide import guide_of, set_up
from boardwright.contract.position import blank
from boardwright.games.nmbr9.guide import ENDED, LAID
from boardwright.games.twenty48.guide import LEFT
from tests.serving import Served, served
from tests.test_page import CONNECT, NASTY, Watched, browser, check_access, watched, window

__all__ = ["browser", "watched", "window"]  # fixtures

BUILT_IN = ("tictactoe", "gomoku", "2048", "nmbr9", "azul")
VARIANTS = (
    "gomoku:size=9,exactly=true",
    "tictactoe:size=5,line=4",
    "2048:size=3",
    "nmbr9:table=20,levels=2",
    "azul:players=4",
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("games")
    (folder / "nasty.py").write_text(NASTY)
    with served(folder, files=(CONNECT, str(folder / "nasty.py"))) as running:
        yield running


@pytest.mark.parametrize("spec", [*BUILT_IN, *VARIANTS])
def test_every_chapter_is_told_and_drawn(spec: str) -> None:
    chapters = guide_of(bw.load(spec))
    assert len(chapters) >= 3 and any(one.picture for one in chapters)
    for one in chapters:
        assert one.heading and one.text and bool(one.picture) == bool(one.caption)
        if one.picture:
            ElementTree.fromstring(one.picture)


def test_the_figures_are_true() -> None:
    """What they show can be reached by the rules, and scores what the words say."""
    position = blank(bw.load("nmbr9"))
    for number, turned, x, y in LAID:
        position = position.draw(number).play(f"{90 * turned}@{x},{y}")
    assert list(position.scores) == [17.0] and "= 17." in guide_of(position.game)[-2].text
    position = blank(bw.load("nmbr9"))
    for number, turned, x, y in ENDED:
        position = position.draw(number).play(f"{90 * turned}@{x},{y}")
    assert position.is_over and position.scores == (120.0,)
    assert guide_of(position.game)[-1].caption == "All tiles are laid: 120 points."
    assert "52 points" in guide_of(bw.load("2048:size=3"))[2].text
    game: Any = bw.load("2048")
    s = set_up(game)
    for cell, tile in enumerate((1, 2, 1, 3, 3, 5, 2, 1, 1, 4, 6, 2, 2, 1, 3, 1)):
        s.cells[cell] = tile
    assert game.ways(s) == 0 and game.move_text(s, LEFT) == "left"
    azul: Any = bw.load("azul")
    s = set_up(azul)
    for row, column in ((0, 2), (1, 1), (1, 2), (1, 3)):
        s.wall[0, row, column] = 1
    assert azul.tile_points(s, 0, 1, 2) == 5


def test_the_rules_of_a_game_on_one_page(watched: Watched) -> None:
    page = watched.open(watched.server.begin("azul", seed=1))
    page.get_by_role("link", name="Rules").click()
    expect(page.locator("h1")).to_have_text("Rules of Azul")
    assert page.locator(".rules h2").all_inner_texts()[:3] == ["The aim", "Taking tiles", "Pattern lines"]
    expect(page.locator(".rules figure svg[role=img]")).to_have_count(4)
    check_access(page, "rules")
    page.get_by_role("button", name="Play Azul").click()
    expect(page.locator("dialog select[aria-label=Game]")).to_have_value("azul")
    page.locator("dialog").get_by_role("link", name="Rules").click()
    expect(page.locator("dialog")).to_have_count(0)


def test_the_docstring_of_ones_own_game_is_its_rules_page(watched: Watched) -> None:
    page = watched.page
    page.goto(f"{watched.server.address}/#/rules/ConnectFour")
    expect(page.locator("h1")).to_have_text("Rules of Connect Four")
    told = (type(bw.load(CONNECT)).__doc__ or "").split("\n")[0].strip()
    expect(page.locator(".rules .chapter p").first).to_contain_text(told)
    expect(page.locator(".rules figure")).to_have_count(1)  # its cells
    page.goto(f"{watched.server.address}/#/rules/Nasty")
    expect(page.locator("h1")).to_have_text("Rules of Nasty")
    expect(page.locator(".rules figure svg rect.own")).to_have_count(1)
    assert page.locator(".rules script, .rules iframe, .rules image, .rules [onclick]").count() == 0
