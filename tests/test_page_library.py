"""The library, studies, exercises and the next level in a real browser."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import boardwright as bw
from boardwright.arena.levels import own_file, write_levels
from boardwright.records.reports import Reports
from tests.serving import Served, served
from tests.test_levels import measured
from tests.test_page import Watched, browser, cell, in_a_study, press, watched, window
from tests.test_serve_library import LOST, WON, keep, play_tiny, report

__all__ = ["browser", "watched", "window"]  # fixtures
PICTURES = os.environ.get("PICTURES", "")  # a folder: every view is photographed into it


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("library")) as running:
        yield running


def photograph(page: Page, name: str) -> None:
    if not PICTURES:
        return
    for width, theme in ((1280, "light"), (390, "light"), (1280, "dark")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        page.wait_for_timeout(300)
        page.screenshot(path=Path(PICTURES) / f"{name}-{width}-{theme}.png")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.emulate_media(color_scheme="light")


def person(watched: Watched) -> str:
    """The secret of this browser."""
    watched.page.goto(f"{watched.server.address}/#/library")
    watched.page.wait_for_selector(".filters")
    kept = watched.page.context.storage_state()["origins"][0]["localStorage"]
    return next(one["value"] for one in kept if one["name"] == "boardwright.person").strip('"')


def test_my_games_by_name_result_and_player(watched: Watched, server: Served) -> None:
    library, me = server.context.store.library, person(watched)
    mine, other = keep(library, ("human", "greedy"), *WON), keep(library, ("human", "random"), *LOST)
    keep(library, ("greedy", "random"), *WON)
    server.post(f"/api/tables/{mine}/people", person=me, name="Ann", seats=[0])
    page = watched.page
    page.reload()
    rows = page.locator(".rows .row")
    row = page.locator(f".row[href='#/game/{mine}']")
    expect(row).to_contain_text("Ann against")
    expect(row).to_contain_text("Won")
    expect(page.locator(f".row[href='#/game/{other}']")).to_contain_text("Lost")
    photograph(page, "library")
    page.get_by_label("Whose games").select_option("mine")
    expect(rows).to_have_count(1)
    page.get_by_label("Result").select_option("lost")
    expect(page.locator(".rows .hint")).to_have_text("No such games.")
    page.get_by_label("Whose games").select_option("people")
    page.get_by_label("Player").fill("random")
    expect(rows).to_have_count(1)


def test_a_new_game_is_mine_at_once(watched: Watched) -> None:
    me = person(watched)
    page = watched.page
    page.get_by_label("Your name").fill("Cleo")
    page.get_by_label("Your name").blur()
    page.goto(f"{watched.server.address}/#/new/tictactoe")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".game .board svg")
    page.goto(f"{watched.server.address}/#/library")
    page.get_by_label("Whose games").select_option("mine")
    expect(page.locator(".rows .row").first).to_contain_text("Cleo against")
    assert len(watched.server.context.store.library.find()) > 0 and len(me) == 32


def test_best_scores_stand_above_the_games(watched: Watched, server: Served) -> None:
    me = person(watched)
    id = play_tiny(server.context.store.library)
    server.post(f"/api/tables/{id}/people", person=me, name="Ann", seats=[0])
    page = watched.page
    page.reload()
    page.get_by_label("Game", exact=True).select_option("2048")
    expect(page.locator(".best li")).to_have_count(1)
    expect(page.locator(".best")).to_contain_text(f"{server.context.store.library.get(id).scores[0]:,.0f}")
    photograph(page, "best")


def test_a_study_with_branches_and_comments_survives_a_reload(watched: Watched, server: Served) -> None:
    table = server.begin("tictactoe", "human", "human")
    page = watched.open(table)
    press(page, "e")
    in_a_study(page)
    for name in ("b2", "a1", "c3"):
        cell(page, name).click()
        expect(page.locator(".moves .step[aria-current]")).to_have_text(name)
    page.get_by_label("Comment on this position").fill("now the other corner")
    page.get_by_label("Comment on this position").blur()
    press(page, "ArrowLeft", "ArrowLeft")
    expect(page.locator(".game")).to_have_attribute("data-at", "1")
    cell(page, "b1").click()
    expect(page.locator(".moves .variation .step")).to_have_text(["b1"])
    page.get_by_label("Name of the study").fill("Corners or sides")
    page.get_by_label("Name of the study").blur()
    expect(page.locator(".sub")).to_contain_text("kept under its address")
    assert "#/study/" in page.url
    photograph(page, "study")
    page.goto(f"{server.address}/#/library")
    expect(page.locator(".studies")).to_contain_text("Corners or sides")
    page.locator(".studies .row").first.click()
    expect(page.locator(".moves .variation .step")).to_have_text(["b1"])
    page.reload()
    expect(page.locator(".moves > .step")).to_have_text(["b2", "a1", "c3"])
    expect(page.locator(".moves q")).to_have_text("now the other corner")
    page.locator(".moves .step", has_text="b1").click()
    expect(page.locator(".game")).to_have_attribute("data-at", "2")
    page.get_by_role("button", name="Delete from here").click()
    expect(page.locator(".moves .variation")).to_have_count(0)
    page.reload()
    expect(page.locator(".moves > .step")).to_have_text(["b2", "a1", "c3"])
    expect(page.locator(".moves .variation")).to_have_count(0)
    assert server.get(f"/api/tables/{table['id']}").json()["ply"] == 0, "the game is what it was"


def test_deal_all_in_one_click(watched: Watched, server: Served) -> None:
    page = watched.open(server.begin("2048", seed=3))
    press(page, "e")
    in_a_study(page)
    page.locator(".choices button").first.click()
    page.get_by_role("button", name="Deal all").click()
    expect(page.locator(".game")).to_have_attribute("data-turn", "0")
    expect(page.locator(".moves .step")).to_have_count(2)


def test_a_mistake_comes_back_as_an_exercise(watched: Watched, server: Served) -> None:
    library, me = server.context.store.library, person(watched)
    id = keep(library, ("human", "greedy"), *LOST)
    server.post(f"/api/tables/{id}/people", person=me, name="", seats=[0])
    Reports(library).save(library.get(id), report({"ply": 5, "text": "c3", "best": "a3", "line": ["a3"]}))
    page = watched.page
    page.reload()
    expect(page.locator(".due")).to_contain_text("1 exercise from your mistakes")
    page.locator(".due a").click()
    expect(page.locator(".side .lesson")).to_contain_text("you played c3 here (blunder)")
    photograph(page, "exercise")
    cell(page, "a3").click()
    expect(page.locator(".side .lesson")).to_contain_text("a3 is best. It comes again in 1 day.")
    page.get_by_role("button", name="Finish").click()
    expect(page.locator("main")).to_contain_text("All done for now. 1 will come again")


def test_options_without_measured_levels_are_told(watched: Watched, server: Served) -> None:
    game = bw.load("gomoku")
    found = measured(game, *((f"mcts:simulations={2**k}", 150.0 * k) for k in range(1, 5)))
    write_levels(found, own_file(game, str(game.digest)))
    page = watched.page
    page.goto(f"{server.address}/#/")
    press(page, "n")
    page.get_by_label("Game", exact=True).select_option("gomoku")
    dialog = page.locator("dialog")
    said = dialog.get_by_text("Not measured for these options")
    expect(dialog.locator("select[name=seat-1]")).to_contain_text("Elo above random")
    expect(said).to_have_count(0)
    dialog.locator("select[name=seat-1]").select_option("Easy")
    dialog.locator("summary").click()
    dialog.locator("[name=size]").fill("9")
    dialog.locator("[name=size]").press("Tab")
    expect(said).to_be_visible()
    expect(dialog.locator("select[name=seat-1]")).to_have_value("Easy")
    photograph(page, "not-measured")


def test_the_next_level_is_offered_after_three_wins(watched: Watched, server: Served) -> None:
    game = bw.load("tictactoe")
    found = measured(game, ("slips:epsilon=0.5,of=greedy", 160.0), ("greedy", 310.0), ("mcts:simulations=64", 480.0))
    write_levels(found, own_file(game, str(game.digest)))
    library = server.context.store.library
    me = person(watched)
    for _ in range(3):
        id = keep(library, ("human", "greedy"), *WON)
        server.post(f"/api/tables/{id}/people", person=me, name="", seats=[0])
    page = watched.page
    page.goto(f"{server.address}/#/game/{id}")
    expect(page.locator(".nextlevel")).to_contain_text("Three wins in a row against Easy.")
    expect(page.locator(".seat.p1")).to_have_attribute("title", "Easy: about 310 Elo above random, the rule greedy")
    photograph(page, "next-level")
    page.get_by_role("button", name="Try Medium").click()
    expect(page.locator(".seat.p1 .who")).to_contain_text("Medium")
