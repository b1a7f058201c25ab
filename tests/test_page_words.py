"""The page in words: who is who, what a screen reader hears, how points came about, what a hint says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.serving import Served, served
from tests.test_page import Watched, browser, cell

__all__ = ["browser"]  # a fixture


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("games")) as running:
        yield running


@pytest.fixture
def watched(browser: Browser, server: Served) -> Iterator[Watched]:
    seen = Watched(browser, server, reduced_motion="reduce")
    yield seen
    seen.context.close()
    assert seen.wrong == []


def labels(page: Page) -> list[str]:
    """What each cell of the board is called."""
    cells = page.locator(".board [role=gridcell]").all()
    return [one.get_attribute("aria-label") or "" for one in cells]


def test_azul_is_heard(watched: Watched) -> None:
    """Displays, lines, floor line and walls have words; each board has its owner's name."""
    table = watched.server.begin("azul", "human", "Random", seed=4)
    page = watched.open(table)
    heard = labels(page)
    assert "1: line 1, empty" in heard and "F: floor line, empty" in heard
    assert any(" tiles on display " in one or " tile on display " in one for one in heard)
    assert all(": " in one for one in heard), "no cell is a bare code"
    told = page.locator(".told li").all_inner_texts()
    assert len(told) == 6 + 2, "five displays, the centre, two boards"
    assert told[0].startswith("display 1: ") and told[5] == "centre: the starting marker"
    assert told[6].startswith("You: 0 points; line 1, empty;") and told[7].startswith("Random: 0 points;")
    assert "wall row 5, empty" in told[6] and told[6].endswith("floor line, empty")
    assert page.locator(".board text[data-seat]").all_text_contents() == ["You", "Random"]
    names = {"B": "blue", "Y": "yellow", "R": "red", "D": "dark", "W": "white"}
    move = next(one for one in table["view"]["moves"] if one.endswith("5"))
    watched.server.play(table, move)
    expect(page.locator(".told li").nth(6)).to_contain_text(f"of 5 {names[move[1]]}")


def test_who_is_who(watched: Watched) -> None:
    """Sides have names, on the chips, in the status, on the stones, in the result."""
    server = watched.server
    table = server.begin("gomoku")
    page = watched.open(table)
    assert page.locator(".chip").all_inner_texts() == ["B", "W"]
    expect(page.locator(".status")).to_have_text("Black to move")
    cell(page, "h8").click()
    expect(page.locator(".status")).to_have_text("White to move")
    assert "h8, black" in labels(page)
    expect(page.locator("#live")).to_contain_text("Black: h8")
    watched.open(server.begin("tictactoe", "Random", "Random"))
    assert page.locator(".who").all_inner_texts() == ["Random (X)", "Random (O)"]
