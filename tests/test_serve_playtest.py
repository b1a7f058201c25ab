"""Playtests from the page: begun once, shown as they grow, one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import boardwright as bw
from boardwright.playtesting import Playtest
from boardwright.playtesting.page import page
from boardwright.serve.playtests import PAGE_POLICY
from tests.serving import Served, served

DESIGNS = str(Path(__file__).parent / "games" / "designs.py") + ":CoinFlip"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path, files=(DESIGNS,)) as running:
        yield running


def test_what_cannot_be_playtested_is_refused(server: Served) -> None:
    unknown = server.post("/api/playtests", game="nothing")
    assert unknown.status_code == 404 and "no game" in unknown.json()["error"]
    long = server.post("/api/playtests", game="CoinFlip", minutes=1e9)
    assert long.status_code == 400
    assert server.get("/api/games").json()["playtests"] is True


def test_the_report_is_a_page_of_its_own_without_scripts(server: Served) -> None:
    empty = server.get("/api/playtests/CoinFlip")
    assert empty.status_code == 200 and "Nobody has begun it yet" in empty.text
    assert empty.headers["content-security-policy"] == PAGE_POLICY and "<script" not in empty.text


def test_a_report_has_the_title_of_its_game(server: Served) -> None:
    told = server.get("/api/playtests/tictactoe").text
    assert "<h1>Playtest: Tic-tac-toe</h1>" in told
    assert '<a href="/#/">All games</a>' in told, "one comes back from it"


@pytest.mark.slow
def test_a_report_tells_options_in_words() -> None:
    test = Playtest(bw.load("tictactoe"), 0.1)
    told = page(test.report())
    test.close()
    assert "columns: 3 · rows (0: as many as columns): 0 · stones in a row that win: 3" in told


@pytest.mark.slow
def test_a_playtest_is_begun_and_its_report_grows_to_its_end(server: Served) -> None:
    begun = server.post("/api/playtests", game="CoinFlip", minutes=0.1).json()
    assert begun["page"] == "/api/playtests/CoinFlip"
    refused = server.post("/api/playtests", game="tictactoe")
    assert refused.status_code == 409 and "one at a time" in refused.json()["error"]
    playing = server.context.playtests._running
    assert playing is not None and playing[1].wait(240) == 0
    page = server.get(begun["page"]).text
    assert "Games to look at" in page and "/#/game/" in page and "http-equiv" not in page
