"""A playtest in a real browser: its minutes are chosen, and its games open with their analysis."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Route, expect

import boardwright as bw
from boardwright.playtesting import Playtest
from boardwright.playtesting.page import page as report_page
from boardwright.serve.playtests import policy_of
from tests.serving import Served, served
from tests.test_page import Watched, browser, watched, window
from tests.test_serve_library import WON, keep

__all__ = ["browser", "watched", "window"]  # fixtures


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("playtest")) as running:
        yield running


def test_a_game_to_look_at_opens_with_its_report(watched: Watched, server: Served) -> None:
    game = keep(server.context.store.library, ("greedy", "random"), *WON)
    page = watched.page
    page.goto(f"{server.address}/#/game/{game}/analysis")
    expect(page.locator("aside.analysis")).to_be_visible()
    expect(page.locator("aside.analysis .judged")).to_contain_text("Report")
    expect(page.locator("aside.analysis table.counts").first).to_be_visible(timeout=120_000)
    assert page.url.endswith(f"/#/game/{game}")  # one goes back to the game, not to its report again
    page.goto(f"{server.address}/#/")
    page.goto(f"{server.address}/#/game/{game}/analysis")  # while it is still open in a tab
    expect(page.locator("aside.analysis table.counts").first).to_be_visible()


def test_the_minutes_of_a_playtest_are_chosen(watched: Watched, server: Served) -> None:
    page, asked = watched.page, list[Any]()

    def answer(route: Route) -> None:
        asked.append(route.request.post_data_json)
        route.fulfill(json={"page": "/#/library"})

    page.route("**/api/playtests", answer)
    page.goto(f"{server.address}/#/new/tictactoe")
    page.locator("dialog summary", has_text="Options and seed").click()
    field = page.get_by_label("Minutes of a playtest")
    expect(field).to_have_value("10")
    field.fill("0.5")
    page.locator("dialog [name=size]").fill("4")
    page.get_by_role("button", name="Playtest", exact=True).click()
    page.wait_for_url("**/#/library")
    assert asked == [{"game": "tictactoe", "options": {"size": 4, "rows": 0, "line": 3}, "minutes": 0.5}]
    page.unroute("**/api/playtests")


def test_a_report_that_grows_waits_for_a_server_that_is_away(watched: Watched, server: Served) -> None:
    test = Playtest(bw.load("tictactoe"), sets=2, top=16)
    test.run(0)
    report = test.report()
    test.close()
    address, state = f"{server.address}/api/playtests/tictactoe", {"turn": 0, "away": False}

    def answer(route: Route) -> None:
        if state["away"]:
            return route.abort()
        state["turn"] += 1
        growing = "" if state["turn"] > 3 else f"Turn {state['turn']}."
        told = report_page(report, growing=growing).replace('data-again="10"', 'data-again="0.2"')
        route.fulfill(body=told, content_type="text/html", headers={"Content-Security-Policy": policy_of(told)})

    page = watched.page
    page.route(address, answer)
    page.goto(address)
    definition = page.locator("#length details.figure").first
    definition.locator("summary").click()
    expect(page.locator(".growing")).to_have_text("Turn 2.")
    state["away"] = True
    waiting = page.locator(".waiting")
    expect(waiting).to_have_text("Waiting for Boardwright; the report goes on when it is back.")
    expect(page.locator("#fairness")).to_be_visible()  # what was known stays
    state["away"] = False
    expect(page.locator(".growing")).to_have_count(0)
    expect(waiting).to_have_count(0)
    expect(definition).to_have_attribute("open", "")
    expect(definition.locator("summary")).to_be_focused()
    page.unroute(address)
    watched.wrong = [one for one in watched.wrong if "ERR_FAILED" not in one]  # the server that was away
