"""The page while servers come and go: killed at any moment, it recovers by itself and no move is lost. Two browsers at
one game stay in step, and the computer's reply depends on neither of them."""

from __future__ import annotations

import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from boardwright.records.reports import Reports
from tests.serving import PATIENCE as SECONDS
from tests.serving import Served, final, heard, send, served
from tests.test_page import PATIENCE, Watched, browser, cell, check_access, ply, press, wait_past
from tests.test_serve_library import keep, report

__all__ = ["browser"]  # a fixture


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path) as running:
        yield running


def quiet_port() -> int:
    """One below those that the system hands out: while the server is gone nobody else gets it, nor does a caller."""
    while True:
        with socket.socket() as one:
            port = random.SystemRandom().randrange(20_000, 32_000)
            try:
                one.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


class Killable:
    """`boardwright serve` as a process that can be killed and started again at the same address."""

    def __init__(self, home: Path) -> None:
        self._home, self._port = home, quiet_port()
        self.start()

    def start(self) -> None:
        where = ["--port", str(self._port)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "boardwright", "serve", "--no-open", "--no-prepare", *where],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env={**os.environ, "BOARDWRIGHT_HOME": str(self._home)},
        )  # fmt: skip
        assert self.process.stdout is not None
        assert self.address in self.process.stdout.readline()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def kill(self) -> None:
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.communicate()

    def begin(self, game: str, *seats: str, seed: int = 1, **options: Any) -> dict[str, Any]:
        body = {"game": game, "seats": seats, "seed": seed, "options": options}
        told: dict[str, Any] = httpx.post(
            f"{self.address}/api/tables", json=body, timeout=SECONDS, trust_env=False
        ).json()
        return told

    def steps(self, table: dict[str, Any]) -> list[str]:
        told = httpx.get(f"{self.address}/api/tables/{table['id']}", timeout=SECONDS, trust_env=False).json()
        return [step["text"] for step in told["steps"]]


@contextmanager
def killable(home: Path) -> Iterator[Killable]:
    server = Killable(home)
    try:
        yield server
    finally:
        server.kill()


def opened(browser: Browser, server: Any, table: dict[str, Any]) -> tuple[Any, Page]:
    seen = Watched(browser, server, reduced_motion="reduce")
    return seen, seen.open(table)


def unexpected(seen: Watched) -> list[str]:
    """What the console said, but for requests that a dead server could not answer."""
    return [one for one in seen.wrong if "ERR_" not in one and "WebSocket connection to" not in one]


def lost(page: Page) -> None:
    expect(page.locator(".banner")).to_be_visible(timeout=PATIENCE)


def recovered(page: Page) -> None:
    expect(page.locator(".banner")).to_be_hidden(timeout=PATIENCE)


# Kills


def kill_in_play(browser: Browser, home: Path, kills: int, luck: random.Random) -> None:
    """A game against a player that thinks for a while: every move that the page ever showed is there in the end."""
    with killable(home) as server:
        table = server.begin("gomoku", "human", "mcts:seconds=0.5", size=6)
        seen, page = opened(browser, server, table)
        shown: list[str] = []
        for _ in range(kills):
            if page.locator(".status.over").count():
                table = server.begin("gomoku", "human", "mcts:seconds=0.5", size=6)
                page, shown = seen.open(table), []
            play_through_a_kill(page, server, luck)
            moves = [
                re.sub(r"^\d+", "", text) for text in page.locator(".step").all_inner_texts()
            ]  # without its number
            assert moves[: len(shown)] == shown, "no move that was shown is lost"
            assert server.steps(table) == moves
            shown = moves
        seen.context.close()
        assert unexpected(seen) == []


def play_through_a_kill(page: Page, server: Killable, luck: random.Random) -> None:
    """A move while the server is killed: before it is sent, on its way, or while the computer thinks."""
    before = ply(page)
    free = page.locator(".cell.open")
    moment = luck.randrange(3)
    if moment == 0:
        server.kill()
        lost(page)
    free.nth(luck.randrange(free.count())).click()
    if moment == 2:
        wait_past(page, before)
    if moment:
        server.kill()
        lost(page)
    server.start()
    recovered(page)
    # the person's move is there, and unless it ended the game, so is the reply
    done = page.locator(f".game:not([data-ply='{before}']):not([data-ply='{before + 1}']), .status.over").first
    done.wait_for(timeout=PATIENCE)


MOVES = ["c3", "b2", "c2", "b3", "c4", "c1"]


def kill_in_analysis(browser: Browser, home: Path, looks: int, reports: int, luck: random.Random) -> None:
    """An analysis under way is asked for again, and ends; so is a report."""
    with killable(home) as server:
        table = server.begin("gomoku", "human", "human", size=6)
        seen, page = opened(browser, server, table)
        for move in MOVES:
            before = ply(page)
            cell(page, move).click()
            wait_past(page, before)
        page.get_by_role("button", name="Analyse").click()
        page.get_by_label("How long to look").select_option("3")
        for _ in range(looks):
            look_through_a_kill(page, server, luck)
        for _ in range(reports):
            judge_through_a_kill(page, server, luck)
        assert server.steps(table) == MOVES
        seen.context.close()
        assert unexpected(seen) == []


def look_through_a_kill(page: Page, server: Killable, luck: random.Random) -> None:
    """Killed when the analysis is asked for, has told something, or is done."""
    again = page.get_by_role("button", name="Look again")
    moment = luck.choice([None, ".candidates tbody tr", ".analysis button:has-text('Look again')"])
    if moment:
        page.wait_for_selector(moment)
    server.kill()
    lost(page)
    server.start()
    recovered(page)
    page.wait_for_selector(".candidates tbody tr")
    again.wait_for()
    press(page, "ArrowLeft")
    page.wait_for_selector(".game[data-at='5']")
    page.wait_for_selector(".candidates tbody tr")
    press(page, "ArrowRight")
    page.wait_for_selector(".game[data-at='6']")


def judge_through_a_kill(page: Page, server: Killable, luck: random.Random) -> None:
    """Killed when the report is asked for, is being made, or is whole and refined."""
    press(page, "j")
    page.wait_for_selector(".judged .hint")
    moment = luck.choice([None, ".judged .hint:has-text('steps'), .judged .graph", ".judged .graph"])
    if moment:
        page.wait_for_selector(moment)
    server.kill()
    lost(page)
    server.start()
    recovered(page)
    page.wait_for_selector(".judged .graph")
    page.get_by_role("button", name="Enough").click()
    page.get_by_role("button", name="Judge again").wait_for()


def kill_in_watch(browser: Browser, home: Path, kills: int) -> None:
    """Figures that a training writes while the server is gone are shown when it is back."""
    from tests.test_serve_watch import training

    with killable(home) as server, training(home / "runs" / "night", "tictactoe", "selfplay") as run:
        run.log(1, {"elo": 1.0})
        seen = Watched(browser, server, reduced_motion="reduce")  # type: ignore[arg-type]  # only its address is used
        seen.page.goto(f"{server.address}/#/watch")
        for step in range(2, 2 + kills):
            seen.page.wait_for_selector(".panel .graph .curve", state="attached")
            server.kill()
            lost(seen.page)
            run.log(step, {"elo": float(step)})
            server.start()
            expect(seen.page.locator(".panel .graph")).to_have_attribute(
                "aria-label",
                f"Rating, Elo: night now {step}.000" if step < 10 else re.compile(f"now {step}"),
                timeout=PATIENCE,
            )
            recovered(seen.page)
        seen.context.close()
        assert unexpected(seen) == []


def test_a_server_killed_in_play_comes_back_and_no_move_is_lost(browser: Browser, tmp_path: Path) -> None:
    kill_in_play(browser, tmp_path, 1, random.Random(1))


@pytest.mark.slow
def test_a_server_killed_in_analysis_is_asked_again(browser: Browser, tmp_path: Path) -> None:
    kill_in_analysis(browser, tmp_path, 1, 1, random.Random(1))


@pytest.mark.slow
def test_a_server_killed_while_watching(browser: Browser, tmp_path: Path) -> None:
    kill_in_watch(browser, tmp_path, 1)


@pytest.mark.slow
def test_fifty_kills(browser: Browser, tmp_path: Path) -> None:
    seed = random.SystemRandom().randrange(10**6)
    print(f"seed {seed}")  # told where it fails
    luck = random.Random(seed)
    kill_in_play(browser, tmp_path / "play", 25, luck)
    kill_in_analysis(browser, tmp_path / "analysis", 10, 10, luck)
    kill_in_watch(browser, tmp_path / "watch", 5)


# Without a server


def test_a_server_that_is_gone_is_told_and_the_move_waits(browser: Browser, tmp_path: Path) -> None:
    with killable(tmp_path) as server:
        seen, page = opened(browser, server, server.begin("tictactoe", "human", "human"))
    lost(page)
    expect(page.locator(".banner")).to_contain_text("does not answer")
    cell(page, "b2").click()
    expect(page.locator(".status")).to_have_text("Your move b2 goes out when the server answers")
    check_access(page, "banner")
    seen.context.close()
    assert unexpected(seen) == []


def swallow(page: Page, pattern: str, *, arrives: bool) -> None:
    """The next request of this kind is lost on its way, or its answer is."""

    def lose(route: Route) -> None:
        if arrives:
            route.fetch()
        route.abort()

    page.route(re.compile(pattern), lose, times=1)


def test_a_study_loses_nothing_to_a_lost_connection(browser: Browser, server: Served) -> None:
    seen, page = opened(browser, server, server.begin("tictactoe", "human", "human"))
    page.keyboard.press("e")
    expect(page.locator(".game[data-table=study] .sub")).to_contain_text("A study")
    swallow(page, "/api/studies$", arrives=True)
    cell(page, "b2").click()
    expect(page.locator(".sub")).to_contain_text("kept under its address")
    swallow(page, "/api/studies/[0-9a-f]+$", arrives=True)
    cell(page, "a1").click()
    swallow(page, "/api/studies/[0-9a-f]+$", arrives=False)
    page.get_by_label("Comment on this position").fill("The corner")
    page.get_by_label("Name of the study").focus()
    swallowed = server.get("/api/studies").json()["studies"]
    assert len(swallowed) == 1, "the first POST was repeated, and made one study"
    address = f"/api/studies/{swallowed[0]['id']}"
    until = time.monotonic() + 60.0
    while "The corner" not in server.get(address).text:
        assert time.monotonic() < until, server.get(address).text
        page.wait_for_timeout(50)
    page.reload()
    expect(page.locator(".moves")).to_contain_text("The corner")
    assert page.locator(".toast.bad").count() == 0
    seen.context.close()
    assert unexpected(seen) == []


def test_the_answer_to_an_exercise_is_not_lost(browser: Browser, server: Served) -> None:
    """And an image of the best move is the best move."""
    library = server.context.store.library
    id = keep(library, ("human", "human"), *"h8 h9 h6 h7 h10 h5 a1".split(), game="gomoku")
    Reports(library).save(library.get(id), report({"ply": 7, "text": "a1", "best": "g9", "line": ["g9"]}))
    seen = Watched(browser, server, reduced_motion="reduce")
    page = seen.page
    page.goto(f"{server.address}/#/library")
    page.wait_for_selector(".filters")
    kept = page.context.storage_state()["origins"][0]["localStorage"]
    me = next(one["value"] for one in kept if one["name"] == "boardwright.person").strip('"')
    server.post(f"/api/tables/{id}/people", person=me, name="", seats=[0])
    page.goto(f"{server.address}/#/exercises")
    lesson = page.locator(".side .lesson")
    expect(lesson).to_contain_text("you played a1 here")
    swallow(page, "/api/exercises$", arrives=True)
    cell(page, "i9").click()
    expect(lesson).to_contain_text("i9, the same as g9, is best. It comes again in 1 day.")
    assert server.get(f"/api/exercises?person={me}").json()["later"] == 1
    seen.context.close()
    assert unexpected(seen) == []


# Two browsers


@contextmanager
def two(browser: Browser, server: Served, table: dict[str, Any]) -> Iterator[tuple[Page, Page]]:
    pair = [Watched(browser, server, reduced_motion="reduce") for _ in range(2)]
    try:
        yield pair[0].open(table), pair[1].open(table)
    finally:
        for seen in pair:
            seen.context.close()
            assert seen.wrong == []


def test_two_people_play_from_two_browsers(browser: Browser, server: Served) -> None:
    """One makes a link for the other's seat; each moves for its own, and both see every move and the end."""
    table = server.begin("tictactoe")
    first, second = (Watched(browser, server, reduced_motion="reduce") for _ in range(2))
    one = first.open(table)
    press(one, "s")
    one.get_by_role("button", name="Invite player 2").click()
    box = one.get_by_role("textbox", name="Copy this")  # where the browser has no clipboard for the page
    said = one.locator("#live", has_text="The link for player 2 is in the clipboard")
    expect(box.or_(said)).to_have_count(1)
    link = box.input_value() if box.count() else f"{server.address}/#/game/{table['id']}/2"
    other = second.page
    other.goto(link)
    other.wait_for_selector(".game .board svg")
    press(one, "Escape")
    expect(one.locator("dialog")).to_have_count(0)
    expect(one.locator(".seat.p0")).to_contain_text("You")
    expect(other.locator(".seat.p1")).to_contain_text("You")
    expect(other.locator(".status")).to_have_text("X to move")
    expect(other.locator(".cell.open")).to_have_count(0)  # it is not this browser's turn
    for number, move in enumerate(("b2", "a1", "b1", "a2", "b3")):
        mover, watcher = (one, other) if number % 2 == 0 else (other, one)
        expect(mover.locator(".status")).to_have_text("Your move")
        cell(mover, move).click()
        expect(watcher.locator(".game")).to_have_attribute("data-ply", str(number + 1))
    expect(one.locator(".status")).to_have_text("You win")
    expect(other.locator(".status")).to_have_text("X wins")
    for seen in (first, second):
        seen.context.close()
        assert seen.wrong == []


@pytest.mark.slow
def test_two_tabs_stay_in_step(browser: Browser, server: Served) -> None:
    table = server.begin("tictactoe", "human", "Easy")
    with two(browser, server, table) as (one, other):
        cell(one, "b2").click()
        for page in (one, other):
            expect(page.locator(".game")).to_have_attribute("data-ply", "2")
        press(other, "u")
        for page in (one, other):
            expect(page.locator(".game")).to_have_attribute("data-ply", "0")
        other.goto(f"{server.address}/#/")
        other.wait_for_selector(".rows .row")
        server.get("/api/games")
        with server.client() as client:
            client.request("DELETE", f"/api/tables/{table['id']}", json={})
        expect(one.locator("h1")).to_have_text("This game is not here")
        expect(other.locator(".rows .row")).to_have_count(0)


def test_the_reply_does_not_depend_on_a_page(browser: Browser, server: Served) -> None:
    """The page is gone before the player has thought; its move is there all the same."""
    table = server.begin("tictactoe", "human", "mcts:seconds=1")
    seen = Watched(browser, server, reduced_motion="reduce")
    cell(seen.open(table), "b2").click()
    wait_past(seen.page, 0)
    seen.context.close()
    with server.socket() as line:
        send(line, "w", "watch", table=table["id"])
        while heard(line)["ply"] < 2:
            pass


def test_players_among_themselves_are_held_by_whoever_watches(browser: Browser, server: Served) -> None:
    table = server.begin("2048", "Random", seed=2, size=6)  # on so large a board nobody sees the end
    first, second = (Watched(browser, server, reduced_motion="reduce") for _ in range(2))
    with server.socket() as line:  # nothing is played before both are there
        send(line, "w", "watch", table=table["id"])
        assert heard(line)["watchers"] == 1  # whoever holds a game watches it, and watching may take its time
        send(line, "p", "pace", table=table["id"], held=True)
        assert "error" not in final(line, "p")
        for seen in (first, second):
            seen.page.goto(f"{server.address}/#/game/{table['id']}")
            expect(seen.page.locator(".status")).to_have_text("Paused")
    begun = server.get(f"/api/tables/{table['id']}").json()["ply"]
    press(second.page, "Space")
    wait_past(first.page, begun)
    press(first.page, "Space")
    for seen in (first, second):  # the second hears it from the server, which plays no further from then on
        expect(seen.page.locator(".status")).to_have_text("Paused")
    held = server.get(f"/api/tables/{table['id']}").json()["ply"]
    for seen in (first, second):
        expect(seen.page.locator(".game")).to_have_attribute("data-ply", str(held))
    second.page.get_by_label("Speed of the replay").select_option("8")
    press(second.page, "Escape", "Space")
    wait_past(first.page, held)
    for seen in (first, second):
        seen.context.close()
        assert seen.wrong == []


# The socket


def until(line: Any, true: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    while True:
        message = heard(line)
        if true(message):
            return message


def test_watching_over_the_socket(server: Served) -> None:
    table = server.begin("tictactoe", "human", "Random")
    with server.socket() as line, server.socket() as other:
        send(line, "w", "watch", table=table["id"], seat=0)
        first = heard(line)
        assert (first["ply"], first["taken"], first["watchers"], first["thinking"]) == (0, [0], 1, None)
        send(other, "v", "watch", table=table["id"])
        assert until(line, lambda news: news["watchers"] == 2)["version"] == first["version"]
        played = server.play(table, "b2")
        news = until(line, lambda news: news["ply"] == 2)
        assert news["era"] == played["era"] and news["version"] > played["version"]
        told = server.get(f"/api/tables/{table['id']}?since=1&era={news['era']}").json()
        assert told["since"] == 1 and len(told["steps"]) == 1
        back = server.post(f"/api/tables/{table['id']}/takeback", ply=2).json()
        assert back["era"] != news["era"] and until(line, lambda news: news["ply"] == 0)["era"] == back["era"]
        whole = server.get(f"/api/tables/{table['id']}?since=1&era={news['era']}").json()
        assert whole["since"] == 0
        send(line, "stop", "terminate", of="w")
        assert until(line, lambda message: message["id"] == "w" and message["final"])["stopped"] is True
        with server.client() as client:
            client.request("DELETE", f"/api/tables/{table['id']}", json={})
        assert until(other, lambda message: message["final"])["status"] == 404
        send(line, "x", "watch", table=table["id"])
        assert heard(line)["status"] == 404
        send(line, "p", "ping")
        assert heard(line) == {"id": "p", "final": True}


def test_who_resigns_while_a_player_thinks_ends_the_thought(server: Served) -> None:
    table = server.begin("azul", "human", "mcts:seconds=30")
    with server.socket() as line:
        send(line, "w", "watch", table=table["id"])
        table = server.play(table, table["view"]["moves"][0])
        until(line, lambda news: news["thinking"] is not None)
        server.post(f"/api/tables/{table['id']}/resign", ply=table["ply"])
        news = until(line, lambda news: news["status"] != table["status"])
        assert news["thinking"] is None and news["problem"] == ""
