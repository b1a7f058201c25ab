"""Races: a person and a player, each at a table of its own, on the same draws."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.serving import Served, served
from tests.test_page import Watched, browser, wait_past

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


def test_a_race_is_for_games_that_one_plays_alone(server: Served) -> None:
    refused = server.post("/api/tables", game="tictactoe", rival="Random")
    assert refused.status_code == 400 and "one plays alone" in refused.json()["error"]


def test_a_race_fits_beside_its_board_by_day_and_by_night(watched: Watched) -> None:
    """What stands below the other's board can be reached, and that board is as dark as one's own."""
    server, page = watched.server, watched.page
    table = server.post("/api/tables", game="nmbr9", seed=5, rival="Random").json()
    page.set_viewport_size({"width": 1280, "height": 700})
    page.emulate_media(color_scheme="dark")
    watched.open(table)
    page.wait_for_selector(".race .mini svg .paper", state="attached")
    page.locator(".moves").scroll_into_view_if_needed()
    panel, moves = page.locator(".side").bounding_box(), page.locator(".moves").bounding_box()
    assert panel and moves and moves["y"] + moves["height"] <= panel["y"] + panel["height"]
    paper = "one => getComputedStyle(one).fill"
    own, other = (page.locator(f"{where} svg .paper").first.evaluate(paper) for where in (".board", ".race .mini"))
    assert own == other


@pytest.mark.slow
def test_nmbr9_against_the_computer_on_the_same_cards(watched: Watched) -> None:
    """From the dialog to the end: the same cards at both tables, none shown ahead of time, the results compared."""
    server, page = watched.server, watched.page
    page.goto(f"{server.address}/#/new/nmbr9")
    page.get_by_label("Race against").select_option("Random")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".race .mini svg")
    id = page.url.rpartition("/")[2]
    table = server.get(f"/api/tables/{id}").json()
    rival = table["race"]["id"]
    assert table["race"]["name"] == "Random" and page.locator(".race .who").inner_text().startswith("Random")
    for number in range(20):
        before = table["ply"]
        places = table["view"]["hover"]["places"]  # in the order of the moves: turn, column, row, level
        highest = max(range(len(places)), key=lambda i: places[i][3])
        table = server.play(table, table["view"]["moves"][highest])
        table = server.get(f"/api/tables/{id}").json()
        if number == 1:
            wait_past(page, before)
            # of the other no more is shown than has been played here
            expect(page.locator(".race .mini svg title")).to_have_text(f"NMBR 9, score 0, {number + 1} of 20 tiles")
    assert table["status"] == "finished"
    expect(page.locator(".race .hint")).to_have_text(re.compile("tie|race by"))  # when the other has ended, too
    results = [server.get(f"/api/tables/{one}").json()["results"][0] for one in (id, rival)]
    ahead = results[0] - results[1]
    said = "A tie" if ahead == 0 else "You win the race by" if ahead > 0 else "Random wins the race by"
    expect(page.locator(".race .hint")).to_contain_text(said)
    other = server.get(f"/api/tables/{rival}").json()
    assert other["status"] == "finished" and other["seed"] == table["seed"]
    cards = [[step["text"] for step in one["steps"] if step["by"] < 0] for one in (table, other)]
    assert cards[0] == cards[1] and len(cards[0]) == 20
    by = abs(table["view"]["scores"][0] - other["view"]["scores"][0])
    expect(page.locator(".race .hint")).to_contain_text(f"the race by {by:g}")


def test_a_hint_leaves_the_race_a_race(server: Served) -> None:
    table = server.post("/api/tables", game="2048", rival="Random", seed=3).json()
    with server.context.store.using(table["id"]) as kept, server.context.store.changing(kept):
        kept.mark("hint")
    again = server.get(f"/api/tables/{table['id']}").json()
    assert again["assisted"] and again["race"] == table["race"]
    assert again["seed"] == 3 == server.get(f"/api/tables/{table['race']['id']}").json()["seed"]
