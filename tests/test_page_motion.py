"""Tiles that move where tiles move; one switch, or a system that wants less motion, turns it off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.serving import Served, served
from tests.test_page import Watched, browser, press, wait_past

__all__ = ["browser"]  # a fixture


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("games")) as running:
        yield running


def moving(page: Page, table: dict[str, Any], move: str) -> int:
    """How much moves at the moment when a move is made."""
    page.fill("#entry", move)
    count: int = page.evaluate(
        "() => { document.querySelector('.entry').requestSubmit(); return document.querySelector('.board svg')"
        ".getAnimations({ subtree: true }).length }"
    )
    wait_past(page, table["ply"])
    return count


def test_tiles_move_to_their_line_and_onto_their_place(browser: Browser, server: Served) -> None:
    seen = Watched(browser, server)
    azul = server.begin("azul", seed=4)  # display 1 holds two red and two white
    assert moving(seen.open(azul), azul, "1R1") == 2
    expect(seen.page.locator(".told li").nth(6)).to_contain_text("line 1, 1 of 1 red")
    nine = server.begin("nmbr9", seed=4)
    assert moving(seen.open(nine), nine, nine["view"]["moves"][0]) == 1
    # One switch, which is remembered.
    seen.page.locator("#help").click()
    seen.page.get_by_label("Tiles move").uncheck()
    press(seen.page, "Escape")
    seen.page.reload()
    for name in ("azul", "nmbr9", "2048"):
        table = server.begin(name, seed=4)
        assert moving(seen.open(table), table, table["view"]["moves"][0]) == 0
    seen.context.close()
    assert seen.wrong == []


def test_a_system_that_wants_less_motion_has_none(browser: Browser, server: Served) -> None:
    seen = Watched(browser, server, reduced_motion="reduce")
    table = server.begin("azul", seed=4)
    assert moving(seen.open(table), table, "1R1") == 0
    seen.page.locator("#help").click()
    expect(seen.page.get_by_label("Tiles move")).to_be_disabled()
    seen.context.close()
    assert seen.wrong == []
