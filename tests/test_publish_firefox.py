"""A published site in Firefox: a game is played to its end, judged and kept. `make test-firefox` installs it."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardwright.publish.site import publish
from tests.firefox import ENTER, Firefox, firefox
from tests.test_publish_page import hosted

STANDS = "document.querySelector('.game')?.dataset.ply"
MINE = "document.querySelector('.status')?.textContent === 'Your move'"
OVER = "document.querySelector('.status.over')?.textContent"


def named(selector: str, text: str) -> str:
    return f"[...document.querySelectorAll({selector!r})].find((one) => one.textContent.includes({text!r}))"


def move_by(page: Firefox, act: str) -> None:
    before = page.until(STANDS)
    if act == "mouse":
        page.click("document.querySelector('.board .cell.open')")
    else:
        page.evaluate("document.querySelector('.board .cell.open').focus()")
        page.press(ENTER)
    page.until(f"{STANDS} !== {before!r}")


@pytest.mark.slow
def test_a_game_is_played_judged_and_kept_in_firefox(tmp_path: Path) -> None:
    publish(["tictactoe"], tmp_path / "site")
    with hosted(tmp_path) as host, firefox(tmp_path / "profile") as page:
        page.open(f"{host}/site/")
        page.click("document.querySelector('.gamecard')")
        page.click(named("dialog button", "Start"))
        moves = 0
        while page.until(f"({OVER} && 'over') || ({MINE} && 'on')") == "on":
            move_by(page, "mouse" if moves else "keyboard")
            moves += 1
        assert moves >= 3
        page.press("j")
        page.until("document.querySelector('.judged .counts')?.textContent")
        assert "the search in this browser" in page.until("document.querySelector('.judged')?.textContent")
        ended, plies = page.until(OVER), page.until(STANDS)
        page.reload()
        assert page.until(OVER) == ended and page.until(STANDS) == plies  # IndexedDB
        page.press("a")
        page.until("document.querySelector('.judged .counts')?.textContent")  # the report, too
        assert page.evaluate("navigator.serviceWorker.ready.then((it) => it.active.state)") in (
            "activated",
            "activating",
        )
        assert page.wrong == []
