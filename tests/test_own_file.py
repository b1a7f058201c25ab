"""A game's file that is saved while the page shows it: checked, shown where it is wrong, and used once it is right."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from boardwright.serve.own_files import find_line
from tests.serving import Served, final, heard, send, served
from tests.test_page import PATIENCE, browser

__all__ = ["browser"]  # a fixture

EXAMPLES = Path("docs/examples")
GAME = '''
import boardwright as bw


class Nim(bw.Game):
    """Take one or two; who takes the last wins."""

    players = 2
    actions = 2

    def layout(self):
        return [("heap", "i1"), ("turn", "i1")]

    def start(self, s):
        s.heap = 5

    def player(self, s):
        return bw.OVER if s.heap == 0 else s.turn

    def legal(self, s, moves):
        moves[0] = 0
        moves[1] = 1
        return min(2, s.heap)

    def play(self, s, move):
        s.heap -= move + 1
        s.turn = 1 - s.turn

    def results(self, s, out):
        out[s.turn] = -1.0
        out[1 - s.turn] = 1.0

    def move_text(self, s, move):
        return ("one", "two")[move]
'''
WRONG = GAME.replace("moves[1] = 1\n        return min(2, s.heap)", "moves[1] = 1\n        return 2")
OTHER = GAME.replace("s.heap = 5", "s.heap = 7")
LOOKS = GAME.replace('("one", "two")', '("1", "2")')
UNREADABLE = GAME.replace("return 1 - s.turn", "").replace("def play(self, s, move):", "def play(self, s, move:")


@pytest.fixture
def nim(tmp_path: Path) -> Path:
    file = tmp_path / "nim.py"
    file.write_text(GAME)
    return file


@pytest.fixture
def server(tmp_path: Path, nim: Path) -> Iterator[Served]:
    with served(tmp_path, files=(str(nim),)) as running:
        yield running


def save(file: Path, text: str) -> None:
    """As editors do it: nobody ever reads half of it."""
    written = file.with_suffix(".new")
    written.write_text(text)
    written.replace(file)


def until(line: Any, state: str, edition: int) -> dict[str, Any]:
    while True:
        message = heard(line)
        if message["id"] == "f" and message["files"][0]["state"] == state:
            told: dict[str, Any] = message["files"][0]
            assert told["edition"] == edition
            return told


@pytest.mark.slow
def test_a_saved_file_is_checked_and_used(server: Served, nim: Path) -> None:
    begun = server.begin("Nim")
    with server.socket() as line:
        send(line, "f", "files")
        assert until(line, "fine", 0) == {
            "game": "Nim", "file": "nim.py", "state": "fine", "edition": 0, "error": "", "line": 0, "source": "",
        }  # fmt: skip
        save(nim, UNREADABLE)
        told = until(line, "broken", 0)
        assert told["line"] == 1 + UNREADABLE[: UNREADABLE.index("def play(")].count("\n")
        assert told["source"] == "def play(self, s, move:" and told["error"]
        save(nim, WRONG)
        told = until(line, "broken", 0)
        assert "Nim." in told["error"] and told["line"] and told["source"], told
        assert server.begin("Nim")["view"]["moves"] == ["one", "two"]  # the rules before
        save(nim, LOOKS)
        assert until(line, "fine", 1)["error"] == ""
        known = server.get(f"/api/tables/{begun['id']}").json()
        assert known["view"]["moves"] == ["1", "2"] and not known["old_rules"]  # only the look is another
        save(nim, OTHER)
        until(line, "fine", 2)
        known = server.get(f"/api/tables/{begun['id']}").json()
        assert known["old_rules"] and "heap: 5" in known["view"]["board"]
        known = server.play(known, "2")  # goes on by the rules that it began with
        assert "heap: 3" in known["view"]["board"]
        fresh = server.begin("Nim")
        assert "heap: 7" in fresh["view"]["board"] and not fresh["old_rules"]
        send(line, "stop", "terminate", of="f")
        assert final(line, "f")["stopped"]


def test_an_error_is_shown_where_it_belongs() -> None:
    text = b"class A:\n    def play(self, s, move):\n        s.x = 1\n"
    assert find_line("nim.py:3: A.play: a number too large", "nim.py", text) == (
        "A.play: a number too large", 3, "s.x = 1",
    )  # fmt: skip
    assert find_line("A.play: no end", "nim.py", text) == ("A.play: no end", 2, "def play(self, s, move):")
    assert find_line("other.py:3: hm", "nim.py", text)[1:] == (0, "")
    assert find_line("nim.py:77: hm", "nim.py", text) == ("hm", 77, "")


# In the browser


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    made, wrong = context.new_page(), list[str]()
    made.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
    made.on("pageerror", lambda error: wrong.append(str(error)))
    yield made
    context.close()
    assert wrong == []


def open_table(page: Page, server: Served, table: dict[str, Any]) -> None:
    page.goto(f"{server.address}/#/game/{table['id']}")
    page.wait_for_selector(f".game[data-ply='{table['ply']}'] .board svg")


def cell(page: Page, name: str) -> Any:
    return page.locator(f'.cell[data-name="{name}"]').first


def test_the_page_shows_the_error_and_the_mended_game(page: Page, server: Served, nim: Path) -> None:
    open_table(page, server, server.begin("Nim"))
    expect(page.locator(".choices button")).to_have_text(["one", "two"])
    save(nim, UNREADABLE)
    note = page.locator(".filenote")
    expect(note).to_contain_text("nim.py, line 25")
    expect(note.locator("pre")).to_contain_text("def play(self, s, move:")
    save(nim, LOOKS)
    expect(note).to_have_count(0)
    expect(page.locator(".choices button")).to_have_text(["1", "2"])


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    names = ("connect_four", "breakthrough", "oware")
    with served(tmp_path_factory.mktemp("games"), files=tuple(f"{EXAMPLES / name}.py" for name in names)) as running:
        yield running


def test_connect_four_by_column(page: Page, gallery: Served) -> None:
    table = gallery.begin("ConnectFour")
    open_table(page, gallery, table)
    assert page.locator(".choices button").count() == 0
    cell(page, "d6").hover()
    expect(page.locator(".ghost .strip")).to_have_count(6)
    expect(page.locator(".ghost .stone")).to_have_count(1)
    cell(page, "d5").click()
    page.wait_for_selector(".game[data-ply='1']")
    assert cell(page, "d1").get_attribute("aria-label") == "d1, player 1, can be chosen"
    for key in ("b", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    page.wait_for_selector(".game[data-ply='2']")


def test_breakthrough_from_cell_to_cell(page: Page, gallery: Served) -> None:
    open_table(page, gallery, gallery.begin("Breakthrough"))
    assert page.locator(".choices button").count() == 0
    cell(page, "b2").click()
    expect(page.locator(".places .target")).to_have_count(3)
    cell(page, "c3").click()
    page.wait_for_selector(".game[data-ply='1']")
    assert cell(page, "c3").get_attribute("aria-label") == "c3, player 1"
    assert page.locator(".spots .spot").count() == 2


def test_oware_by_house(page: Page, gallery: Served) -> None:
    open_table(page, gallery, gallery.begin("Oware"))
    cell(page, "C").hover()
    expect(page.locator(".ghost .lead")).to_have_count(4)
    cell(page, "a").click()  # the other's
    cell(page, "C").click()
    page.wait_for_selector(".game[data-ply='1']")
    assert cell(page, "C").get_attribute("aria-label") == "C, 0 seeds"
    assert cell(page, "a").get_attribute("aria-label") == "a, 5 seeds, can be chosen"
