"""Playtests from the page: begun once, shown as they grow, one at a time."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

import boardwright as bw
from boardwright.contract.folders import home_folder
from boardwright.playtesting import Playtest
from boardwright.playtesting.page import page
from boardwright.serve.playtests import PAGE_POLICY, Playtests
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
    assert playing is not None and playing.process.wait(240) == 0
    page = server.get(begun["page"]).text
    assert "Games to look at" in page and '/analysis">Open it' in page and "<script" not in page


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
    assert 'class="growing"' in server.get("/api/playtests/CoinFlip").text
    elsewhere.close()


def journals() -> list[Path]:
    return sorted((home_folder() / "playtests").glob("*.sqlite"))


def test_who_only_looks_leaves_nothing_behind(server: Served) -> None:
    before = journals()
    assert "Nobody has begun it yet" in server.get("/api/playtests/azul").text
    assert journals() == before


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What a server would run: a process in place of each that waits until it is ended, or what `fails` says."""
    asked: list[list[str]] = []
    start = Playtests._start

    def noted(self: Playtests, command: list[str], errors: IO[bytes]) -> subprocess.Popen[bytes]:
        asked.append(command[3:])
        return start(self, [sys.executable, "-c", "import time; time.sleep(600)"], errors)

    monkeypatch.setattr(Playtests, "_start", noted)
    return asked


def test_a_playtest_is_of_the_options_that_were_chosen(server: Served, commands: list[list[str]]) -> None:
    begun = server.post("/api/playtests", game="tictactoe", options={"size": 4}, minutes=0.5).json()
    assert commands == [["playtest", "tictactoe:size=4", "--minutes", "0.5"]]
    assert "compiled and checked first" in server.get(begun["page"]).text and "size" in begun["page"]
    assert "Nobody has begun it yet" in server.get("/api/playtests/tictactoe").text
    other = server.post("/api/playtests", game="tictactoe")
    assert other.status_code == 409 and "size=4" in other.json()["error"]
    assert server.get("/api/playtests/tictactoe?options=[").status_code == 400
    assert server.get('/api/playtests/tictactoe?options={"depth":1}').status_code == 400


def test_more_minutes_are_taken_while_it_plays(server: Served, commands: list[list[str]]) -> None:
    for minutes in (0.5, 0.5, 0.2, 2.0):
        assert server.post("/api/playtests", game="CoinFlip", minutes=minutes).status_code == 200
    assert [words[-1] for words in commands] == ["0.5", "2"]
    run = server.context.playtests._running
    assert run is not None and run.minutes == 2.0 and run.playing


def test_rules_that_are_changed_end_their_playtest(tmp_path: Path, commands: list[list[str]]) -> None:
    file = tmp_path / "own.py"
    text = Path(DESIGNS.rpartition(":")[0]).read_text()
    file.write_text(text)
    with served(tmp_path, files=(f"{file}:CoinFlip",)) as server:
        server.post("/api/playtests", game="CoinFlip", minutes=0.5)
        old = server.context.playtests._running
        assert old is not None and old.process.poll() is None
        file.write_text(text.replace("weights[i] = 1.0", "weights[i] = 1.0 + i"))
        server.context.catalogue.renew(bw.load(f"{file}:CoinFlip"))  # as when it is saved
        assert "Its rules have changed" in server.get("/api/playtests/CoinFlip").text
        assert old.process.returncode is not None
        server.post("/api/playtests", game="CoinFlip", minutes=0.5)
        assert "compiled and checked first" in server.get("/api/playtests/CoinFlip").text and len(commands) == 2


def test_a_playtest_that_fails_says_why(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    start, script = Playtests._start, "import sys; sys.exit('noise\\nthe disk is <full>')"
    monkeypatch.setattr(
        Playtests, "_start", lambda self, command, errors: start(self, [sys.executable, "-c", script], errors)
    )
    begun = server.post("/api/playtests", game="tictactoe", options={"line": 3, "size": 5}, minutes=0.5).json()
    run = server.context.playtests._running
    assert run is not None and run.process.wait(PATIENCE) == 1
    told = server.get(begun["page"]).text
    assert '<p class="failed">the disk is &lt;full&gt;</p>' in told and "Nobody has begun" not in told


SERVER = """
import sys, time
from pathlib import Path
from boardwright.serve.catalogue import Catalogue
from boardwright.serve.clients import Quota
from boardwright.serve.limits import Limits
from boardwright.serve.playtests import Playtests

tests = Playtests(Catalogue([sys.argv[1]]), Quota(Limits(), Path.cwd()))
tests.begin("CoinFlip", {}, 20.0)
print(tests._running.process.pid, flush=True)
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
