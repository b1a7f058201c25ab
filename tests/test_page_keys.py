"""Keys on the page that do what is meant and nothing else, and words instead of settings."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.processes import run_here
from tests.serving import Served, served
from tests.test_page import Watched, browser, cell, ply, press, watched, window

__all__ = ["browser", "watched", "window"]  # fixtures


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("games")) as running:
        yield running


def test_slides_pressed_quickly_are_all_played(watched: Watched) -> None:
    """Six keys in one moment: what is legal when its turn comes is played, in order."""
    ways = ["left", "up", "right", "up", "left", "down"]
    twin = watched.server.begin("2048", seed=3)
    for way in ways:
        if way in twin["view"]["moves"]:
            twin = watched.server.play(twin, way)
    table = watched.server.begin("2048", seed=3)
    page = watched.open(table)
    page.evaluate(
        """ways => { for (const way of ways) document.body.dispatchEvent(
            new KeyboardEvent('keydown', {key: 'Arrow' + way[0].toUpperCase() + way.slice(1), bubbles: true})) }""",
        ways,
    )
    expect(page.locator(".game")).to_have_attribute("data-ply", str(twin["ply"]))
    assert watched.server.get(f"/api/tables/{table['id']}").json()["view"]["board"] == twin["view"]["board"]


def test_arrows_in_the_past_of_a_sliding_game_only_look(watched: Watched) -> None:
    table = watched.server.begin("2048", seed=3)
    for _ in range(3):
        table = watched.server.play(table, table["view"]["moves"][0])
    page = watched.open(table)
    press(page, "Home")
    expect(page.locator(".game")).to_have_attribute("data-at", "0")
    press(page, "ArrowRight", "ArrowRight")
    expect(page.locator(".game")).not_to_have_attribute("data-at", "0")
    press(page, "ArrowLeft", "ArrowLeft", "ArrowLeft")
    expect(page.locator(".game")).to_have_attribute("data-at", "0")
    assert table["id"] in page.url and ply(page) == table["ply"], "no study was begun, nothing was played"


def test_space_never_plays_and_arrows_after_a_click_go_back(watched: Watched) -> None:
    page = watched.open(watched.server.begin("tictactoe"))
    press(page, "b", "Space")
    expect(page.locator(":focus")).to_have_attribute("role", "gridcell")
    assert ply(page) == 0
    cell(page, "b2").click()
    expect(page.locator(".game")).to_have_attribute("data-ply", "1")
    press(page, "ArrowLeft")
    expect(page.locator(".game")).to_have_attribute("data-at", "0")
    press(page, "End")
    expect(page.locator(".game")).to_have_attribute("data-at", "1")
    press(page, "b", "ArrowUp", "Enter")
    expect(page.locator(".game")).to_have_attribute("data-ply", "2")


def test_the_link_of_a_deleted_game_says_so(watched: Watched) -> None:
    table = watched.server.begin("tictactoe")
    with watched.server.client() as client:
        client.request("DELETE", f"/api/tables/{table['id']}", json={})
    watched.refusals = 1
    watched.page.goto(f"{watched.server.address}/#/game/{table['id']}")
    expect(watched.page.locator("h1")).to_have_text("This game is not here")
    expect(watched.page.locator("main")).to_contain_text("It was deleted")


def test_an_address_begins_with_a_game(watched: Watched) -> None:
    watched.page.goto(f"{watched.server.address}/#/new/azul")
    expect(watched.page.locator("dialog select[aria-label=Game]")).to_have_value("azul")


def test_options_and_sides_in_words(watched: Watched) -> None:
    page = watched.open(watched.server.begin("gomoku"))
    expect(page.locator(".sub")).to_have_text("seed 1")
    assert "Black" in page.locator(".seat.p0").inner_text() and "White" in page.locator(".seat.p1").inner_text()
    page = watched.open(watched.server.begin("gomoku", size=9, exactly=True))
    expect(page.locator(".sub")).to_have_text("columns: 9 · a longer row does not win · seed 1")


def test_what_was_meant() -> None:
    assert "did you mean azul?" in run_here("serve", "--no-open", "azzul").stderr
    assert "did you mean 2048?" in run_here("play", "2084").stderr
    assert "did you mean" not in run_here("play", "chess").stderr
    assert "did you mean gomoku?" in run_here("reproduce", "gomuku").stderr
    for wrong in (("play", "tictactoe", "--seat", "Mediun"), ("match", "tictactoe", "mediun", "random")):
        said = run_here(*wrong).stderr
        assert "did you mean Medium? Its levels are " in " ".join(said.split()), said
    met = run_here("match", "tictactoe", "Medium", "random", "--games", "2", "--workers", "0")
    assert met.returncode == 0, met.stderr
    assert "its levels are " in " ".join(run_here("play", "tictactoe", "--seat", "qqqq").stderr.split())


def test_the_page_s_players_too(server: Served) -> None:
    said = server.post("/api/tables", game="tictactoe", seats=["human", "Medum"])
    assert said.status_code == 400 and "did you mean Medium?" in said.json()["error"]


def test_arrow_keys_slide_in_the_terminal(tmp_path: Path) -> None:
    """In a terminal of its own: the arrow alone plays, without Enter."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "boardwright", "play", "2048", "--seed", "3"], stdin=theirs, stdout=theirs,
        stderr=theirs, env={**os.environ, "BOARDWRIGHT_HOME": str(tmp_path), "TERM": "xterm"}, close_fds=True,
    )  # fmt: skip
    os.close(theirs)
    said = b""

    def until(text: bytes) -> None:
        nonlocal said
        while text not in said:
            said += os.read(ours, 4096)
        said = said[said.index(text) + len(text) :]

    try:
        until(b"(? for help)> ")
        os.write(ours, b"\x1b[D\x1b[A\x1b[C")
        for _ in range(2):
            until(b"drawn:")
            until(b"(? for help)> ")
    finally:
        process.kill()
        process.wait()
        os.close(ours)
