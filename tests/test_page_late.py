"""Answers that come late, and news that come at a bad moment: the page shows what was asked for last, and nothing moves
under a press. Each test holds back what would have to be slow."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.serving import Served, heard, send, served
from tests.test_page import Watched, browser, cell, press, watched, window
from tests.test_serve_watch import training

__all__ = ["browser", "watched", "window"]  # fixtures

# From now on requests whose address has this part wait until they are let go.
HOLD = """part => {
    const real = window.fetch;
    window.held = [];
    window.fetch = (...asked) => {
        if (!String(asked[0]).includes(part)) return real(...asked);
        return new Promise((answer) => window.held.push(async () => {
            const got = await real(...asked);
            answer(new Response(await got.text(), { status: got.status, headers: got.headers }));
            await new Promise((done) => setTimeout(done));
        }));
    };
}"""
HELD = "() => new Promise((done) => { const look = () => (held.length ? done() : setTimeout(look, 20)); look(); })"
LET_GO = "place => window.held.splice(place, 1)[0]()"
# Sockets are kept with what they heard and said; what is said with a word of `window.deaf` stays here.
LINES = """
    window.lines = [];
    window.deaf = "nothing";
    window.WebSocket = class extends WebSocket {
        constructor(...where) {
            super(...where);
            Object.assign(this, { heard: [], said: [], kept: [] });
            this.addEventListener("message", ({ data }) => this.heard.push(data));
            window.lines.push(this);
        }
        send(text) {
            const goes = !text.includes(window.deaf);
            this[goes ? "said" : "kept"].push(text);
            if (goes) super.send(text);
        }
    };
"""
UNTIL = """([line, list, word]) => new Promise((done) => {
    const look = () => (window.lines[line]?.[list].some((text) => text.includes(word)) ? done() : setTimeout(look, 20));
    look();
})"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("games")) as running:
        yield running


@pytest.fixture
def wired(watched: Watched) -> Iterator[Page]:
    """Another page of the same window, whose sockets can be looked at."""
    page = watched.context.new_page()
    page.add_init_script(LINES)
    yield page
    page.close()


def row(page: Page, table: str) -> str:
    return f".row[href='#/game/{table}']"


def test_of_two_lines_of_a_study_the_one_chosen_last_is_shown(watched: Watched, server: Served) -> None:
    page, table = watched.page, server.begin("tictactoe")
    steps = [(-1, "", -9), (0, "b2", 0), (1, "a1", 1), (1, "b1", 1)]
    nodes = [{"parent": parent, "text": text, "by": by, "comment": ""} for parent, text, by in steps]
    study = server.post("/api/studies", table=table["id"], ply=0, nodes=nodes).json()["id"]
    page.goto(f"{server.address}/#/study/{study}")
    expect(page.locator(".moves .step")).to_have_text(["b2", "a1", "b1"])
    page.evaluate(HOLD, "/api/look")
    press(page, "End")
    page.locator(".moves .step", has_text="b1").click()
    page.evaluate(LET_GO, 1)
    expect(cell(page, "b1")).to_have_attribute("aria-label", "b1, O")
    page.evaluate(LET_GO, 0)  # what a1 led to, which nobody wants to see any more
    press(page, "ArrowLeft")
    page.evaluate(LET_GO, 0)
    expect(page.locator(".game")).to_have_attribute("data-at", "1")
    press(page, "ArrowRight")
    expect(page.locator(".game")).to_have_attribute("data-at", "2")
    expect(cell(page, "b1")).to_have_attribute("aria-label", "b1, O")


def test_keys_in_a_study_go_on_from_where_the_last_one_leads(watched: Watched, server: Served) -> None:
    page, table = watched.page, server.begin("tictactoe")
    steps = [(-1, "", -9), (0, "b2", 0), (1, "a1", 1), (2, "c3", 0)]
    nodes = [{"parent": parent, "text": text, "by": by, "comment": ""} for parent, text, by in steps]
    study = server.post("/api/studies", table=table["id"], ply=0, nodes=nodes).json()["id"]
    page.goto(f"{server.address}/#/study/{study}")
    expect(page.locator(".moves .step")).to_have_count(3)
    page.evaluate(HOLD, "/api/look")
    press(page, "ArrowRight", "ArrowRight")
    page.evaluate(LET_GO, 1)
    expect(page.locator(".game")).to_have_attribute("data-at", "2")
    page.evaluate(LET_GO, 0)  # an answer to an old wish
    press(page, "ArrowRight")
    page.evaluate(LET_GO, 0)
    expect(page.locator(".game")).to_have_attribute("data-at", "3")


def test_who_goes_back_while_the_game_is_looked_at_again_stays_there(watched: Watched, server: Served) -> None:
    table = server.play(server.begin("tictactoe"), "b2")
    page = watched.open(table)
    page.evaluate(HOLD, f"/api/tables/{table['id']}?")
    page.evaluate("() => { document.dispatchEvent(new Event('visibilitychange')) }")
    press(page, "Home")
    expect(page.locator(".game")).to_have_attribute("data-at", "0")
    page.evaluate(LET_GO, 0)
    expect(page.locator(".game")).to_have_attribute("data-at", "0")
    expect(page.locator(".status")).to_have_text("Position 0 of 1")


def test_a_list_knows_of_what_changed_before_its_news_began(wired: Page, server: Served) -> None:
    table = server.begin("tictactoe")["id"]
    wired.goto(f"{server.address}/#/rules/tictactoe")
    expect(wired.locator("h1")).to_have_text("Rules of Tic-tac-toe")
    wired.evaluate("() => { window.deaf = '\"watch\"' }")
    wired.goto(f"{server.address}/#/")
    expect(wired.locator(row(wired, table))).to_have_count(1)
    with server.client() as client:
        client.request("DELETE", f"/api/tables/{table}", json={})
    wired.evaluate(
        "() => { window.deaf = 'nothing'; for (const text of window.lines[0].kept) window.lines[0].send(text); }"
    )
    expect(wired.locator(row(wired, table))).to_have_count(0)


def test_a_row_that_is_pressed_stays_until_it_is_released(watched: Watched, server: Served) -> None:
    page, table = watched.page, server.begin("tictactoe")["id"]
    for place in ("", "library"):
        page.goto(f"{server.address}/#/{place}")
        found = page.locator(row(page, table))
        expect(found).to_have_count(1)
        found.hover()
        page.mouse.down()
        with page.expect_response("**/api/tables?*"):
            server.begin("tictactoe")
        page.evaluate("() => new Promise((done) => setTimeout(done))")
        page.mouse.up()
        expect(page.locator(".game")).to_have_attribute("data-table", table)


def test_a_game_begun_on_the_way_to_a_list_is_ones_own_there(watched: Watched, server: Served) -> None:
    page = watched.page
    page.goto(f"{server.address}/#/new/tictactoe")
    page.evaluate(HOLD, "/people")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".game .board svg")
    table = page.url.rpartition("/")[2]
    page.goto(f"{server.address}/#/library")
    page.evaluate(LET_GO, 0)
    expect(page.locator(row(page, table))).to_contain_text("You against")


def test_a_search_that_was_stopped_is_not_begun_again_with_the_line(wired: Page, server: Served) -> None:
    table = server.begin("tictactoe")
    wired.goto(f"{server.address}/#/game/{table['id']}")
    wired.wait_for_selector(".game .board svg")
    press(wired, "a")
    wired.evaluate(UNTIL, [0, "said", '"analyse"'])
    wired.evaluate("() => { window.deaf = 'terminate' }")
    press(wired, "a")
    wired.evaluate("() => window.lines[0].close()")
    wired.evaluate(UNTIL, [1, "said", '"watch"'])  # what is still wanted is asked for again, all of it at once
    assert not wired.evaluate("() => window.lines[1].said.some((text) => text.includes('\"analyse\"'))")


def test_curves_that_were_put_away_do_not_come_back(watched: Watched, server: Served) -> None:
    page = watched.page
    with training(Path(os.environ["BOARDWRIGHT_HOME"]) / "runs" / "night", "tictactoe", "selfplay") as run:
        run.log(1, {"loss": 1.0})
        page.goto(f"{server.address}/#/watch")
        expect(page.locator(".panel .graph")).to_have_count(1)
        page.evaluate(HOLD, "/api/runs/")
        run.log(2, {"loss": 0.5})
        page.evaluate(HELD)
        page.get_by_role("checkbox").uncheck()
        expect(page.locator(".panel .graph")).to_have_count(0)
        page.evaluate(LET_GO, 0)
        expect(page.locator(".panel .graph")).to_have_count(0)


def test_the_end_of_a_race_stays_told(wired: Page, server: Served) -> None:
    table = server.post("/api/tables", game="2048", options={"size": 2}, rival="Random", seed=3).json()
    while table["status"] == "unfinished":
        table = server.play(table, table["view"]["moves"][0])
    rival = table["race"]["id"]
    with server.socket() as line:
        send(line, "w", "watch", table=rival)
        assert heard(line)["status"] == "unfinished"  # whoever sets the pace watches, and watching may take its time
        send(line, "p", "pace", table=rival, speed=100)
        while (news := heard(line))["id"] == "p" or news["status"] == "unfinished":
            pass
    wired.goto(f"{server.address}/#/game/{table['id']}")
    words = wired.locator(".race .hint")
    expect(words).to_have_text(re.compile("tie|race by"))
    with server.socket() as line:
        send(line, "w", "watch", table=rival)
        wired.evaluate(UNTIL, [0, "heard", '"watchers": 2'])
    expect(words).to_have_text(re.compile("tie|race by"))
