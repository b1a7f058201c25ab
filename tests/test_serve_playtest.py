"""Playtests from the page: begun once, shown as they grow, one at a time."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import boardwright as bw
from boardwright.playtesting import Playtest
from boardwright.playtesting.page import page
from boardwright.serve.playtests import PAGE_POLICY
from tests.processes import PATIENCE
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
    assert "Games to look at" in page and '/analysis">Open it' in page and "http-equiv" not in page


def test_a_second_start_is_refused_and_the_page_shows_what_another_process_plays(
    server: Served, tmp_path: Path
) -> None:
    game = bw.load(DESIGNS)
    first, second = (Playtest(game, sets=2, top=16, path=tmp_path / "test.sqlite") for _ in range(2))
    first.journal.play_alone()
    with pytest.raises(bw.InputError, match="another process is playing"):
        second.run(0)
    assert [second.journal.is_played for _ in range(2)] == [True, True]  # asking takes nothing away
    first.close()
    second.run(0)  # who has ended keeps nobody away
    assert second.games > 0 and [second.journal.is_played] == [False]
    second.close()
    # The same on the page: the command is being played in a terminal.
    elsewhere = Playtest(game, 0.2)
    elsewhere.journal.play_alone()
    assert server.post("/api/playtests", game="CoinFlip", minutes=0.2).status_code == 200
    assert server.context.playtests._running is None
    assert "http-equiv" in server.get("/api/playtests/CoinFlip").text
    elsewhere.close()


SERVER = """
import sys, time
from pathlib import Path
from boardwright.serve.catalogue import Catalogue
from boardwright.serve.clients import Quota
from boardwright.serve.limits import Limits
from boardwright.serve.playtests import Playtests

tests = Playtests(Catalogue([sys.argv[1]]), Quota(Limits(), Path.cwd()))
tests.begin("CoinFlip", 20.0)
print(tests._running[1].pid, flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(os.name != "posix", reason="groups of processes")
def test_a_server_that_is_killed_leaves_nobody_playing() -> None:
    running = subprocess.Popen([sys.executable, "-c", SERVER, DESIGNS], stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    group = int(running.stdout.readline())  # the leash leads the group of the command and of its workers
    os.killpg(group, 0)
    running.kill()
    running.wait()
    running.stdout.close()
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError("somebody plays on")
