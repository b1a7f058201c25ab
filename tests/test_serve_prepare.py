"""Kernels that are compiled before somebody waits for them: by whom, in which order, and what is shown meanwhile."""

from __future__ import annotations

import os
import re
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

import boardwright as bw
from boardwright.contract.position import compile_at_once
from boardwright.serve.at_a_glance import by_rule, glance, glanced
from boardwright.serve.limits import Limits
from boardwright.serve.preparation import Preparation, Work
from boardwright.serve.seats import Seats, kind_of
from tests.serving import PATIENCE, Served, heard, send, served
from tests.test_page import Watched, browser, cell, check_access, press

__all__ = ["browser"]  # a fixture

# The process that compiles is held up here until the test lets it go; the game itself is the one of the package.
HELD = """
import sys
from pathlib import Path
from boardwright.games.in_a_row import TicTacToe as Game
if "compile_games" in sys.argv[0]:
    Path({pipe!r}).read_text()
"""


SLIPS = "slips:epsilon=0,of=mcts:simulations=30"


class Pipe:
    """Where a process waits until `let_go`."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "pipe"
        os.mkfifo(self.path)
        self.file = folder / "held.py"
        self.file.write_text(HELD.format(pipe=str(self.path)))

    def let_go(self) -> None:
        self.path.write_text("go on")


@pytest.fixture
def marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What is known of compiled games is this test's own; the kernels are everybody's."""
    monkeypatch.setattr("boardwright.serve.preparation._mark", lambda key: tmp_path / f"{key}.json")
    monkeypatch.setattr("boardwright.serve.preparation._times", lambda: tmp_path / "seconds.json")
    return tmp_path


@pytest.fixture
def held(tmp_path: Path, marks: Path) -> Iterator[tuple[Served, Pipe]]:
    pipe = Pipe(tmp_path)
    (marks / "seconds.json").write_text('{"scale": 1000}')  # hours: who believes that it is nearly done waits for it
    with served(tmp_path, prepare={"tictactoe": f"{pipe.file}:Game"}, Slips=SLIPS) as server:
        yield server, pipe


def test_a_game_is_compiled_elsewhere_and_known_to_be_ready(marks: Path) -> None:
    game = bw.load("tictactoe")
    seats = Seats({}, Limits())
    preparation = Preparation({"tictactoe": "tictactoe"}, lambda game: ["mcts:simulations=120"], seats.lookers)
    try:
        assert not preparation.ready(game)
        preparation.begin(lambda: [game])
        preparation.wait(game, lambda: False)
        assert preparation.ready(game) and preparation.left(game) is None
        preparation.wait(game, lambda: False, looks=True)
        assert preparation.ready(game, looks=True) and preparation.left(game, looks=True) is None
    finally:
        preparation.close()
    again = Preparation({"tictactoe": "tictactoe"})
    assert again.ready(game), "by its mark, without a process"
    (marks / f"{game.digest}.json").write_text('{"kernels": ["gone.kernel"]}')
    assert not Preparation({"tictactoe": "tictactoe"}).ready(game), "a kernel was pruned"
    assert Preparation().ready(game), "nothing is compiled ahead"


def test_how_long_it_will_take_is_scaled_by_the_first_compile(marks: Path) -> None:
    small, large = bw.load("tictactoe"), bw.load("gomoku")
    preparation = Preparation(dict.fromkeys(("tictactoe", "gomoku"), ""))
    first = preparation._expected(Work(large))
    assert first == large.card.compile_seconds
    preparation._remember(Work(small), 3 * small.card.compile_seconds)
    assert preparation._expected(Work(small)) == pytest.approx(3 * small.card.compile_seconds)
    assert preparation._expected(Work(large)) == pytest.approx(3 * first)
    preparation._remember(Work(small, looks=True), 1.0)
    assert preparation._expected(Work(small, looks=True)) == 1.0
    assert preparation._expected(Work(large)) == pytest.approx(3 * first), "who looks may have learnt more, or less"


def test_all_games_can_be_played_before_any_can_be_looked_at(marks: Path) -> None:
    games = [bw.load(name) for name in ("tictactoe", "gomoku")]
    preparation = Preparation({game.name: game.name for game in games}, lookers=lambda game: ("mcts", "mcts"))
    for game in games:
        preparation.look_at(game, last=True)
        compile_at_once(game)
    order = []
    while work := preparation._next(urgent=False):
        order.append((work.game.name, work.looks))
        preparation._done.add(work.key)
    assert order == [("tictactoe", False), ("gomoku", False), ("tictactoe", True), ("gomoku", True)]


@pytest.mark.parametrize("allowed", [True, False])
def test_who_waits_for_the_background_does_not_wait_at_its_priority(
    tmp_path: Path, marks: Path, monkeypatch: pytest.MonkeyPatch, allowed: bool
) -> None:
    """On a busy machine it would take for ever. Where a process may not be hurried, another takes its place as soon as
    it is late."""
    pipe, game = Pipe(tmp_path), bw.load("tictactoe")
    (marks / "seconds.json").write_text('{"scale": 1e-6}')
    given: Queue[tuple[int, int]] = Queue()

    def set_priority(which: int, process: int, nice: int) -> None:
        given.put((process, nice))
        if nice == 0 and not allowed:
            raise PermissionError

    monkeypatch.setattr(os, "setpriority", set_priority)
    preparation = Preparation({"tictactoe": f"{pipe.file}:Game"}, lambda game: ["mcts:simulations=20"])
    started: Queue[tuple[bool, subprocess.Popen[str]]] = Queue()
    start = preparation._start

    def start_too(urgent: bool) -> subprocess.Popen[str]:
        process = start(urgent)
        started.put((urgent, process))
        return process

    monkeypatch.setattr(preparation, "_start", start_too)
    waiting = threading.Thread(target=preparation.wait, args=(game, lambda: False))
    try:
        preparation.begin(lambda: [game])
        urgent, slow = started.get(timeout=PATIENCE)
        number, nice = given.get(timeout=PATIENCE)
        assert not urgent and number == slow.pid and nice > 0
        waiting.start()
        assert given.get(timeout=PATIENCE) == (slow.pid, 0)
        if not allowed:
            urgent, _ = started.get(timeout=PATIENCE)
            assert urgent
            slow.wait(PATIENCE)  # else it might take what lets the other go
        pipe.let_go()
        waiting.join(PATIENCE)
        assert not waiting.is_alive() and preparation.ready(game)
    finally:
        preparation.close()


@pytest.mark.parametrize(
    ("name", "spec"),
    [
        ("tictactoe", "mcts:simulations=20"),
        ("2048", "mcts:simulations=20,value=mine.safetensors"),
        ("tictactoe", "slips:epsilon=0.5,of=mcts:simulations=20"),
    ],
)
def test_a_glance_needs_no_kernel(name: str, spec: str) -> None:
    position = bw.load(name).begin(seed=1)
    move, thought = glance(position, spec)
    assert move in [position.text(one) for one in position.moves] and thought["seconds"] > 0


def test_who_answers_at_a_glance() -> None:
    """A search that counts, also one that slips or has learnt the game; not one by the clock, nor a training."""
    game = bw.load("tictactoe")
    assert [glanced(f"mcts:{settings}") for settings in ("simulations=9", "simulations=9,value=auto")] == [9, 9]
    assert glanced('slips:epsilon=0.1,of="mcts:simulations=9,value=auto"') == 9
    for spec in ("mcts:seconds=1", "mcts:simulations=9,seconds=1", "mcts", "random", "solver", "run:mine"):
        assert not glanced(spec)
    assert by_rule("slips:of=win-block", game) and by_rule("random", game) and not by_rule("run:mine", game)
    position, moves = game.begin(), set()
    for seed in range(8):
        moves.add(glance(position, "slips:epsilon=1,of=mcts:simulations=9", seed)[0])
    assert len(moves) > 1, "who slips makes any move"


@pytest.mark.parametrize("opponent", ["mcts:simulations=30", SLIPS])
def test_medium_does_not_wait_for_a_compiler_that_takes_longer_than_was_told(
    held: tuple[Served, Pipe], marks: Path, opponent: str
) -> None:
    """What was expected is over, and the end is not in sight: nobody waits without limit."""
    server, pipe = held
    (marks / "seconds.json").write_text('{"scale": 1e-6}')
    table = server.play(server.begin("tictactoe", "human", opponent), "b2")
    with server.socket() as line:
        send(line, "w", "watch", table=table["id"])
        while heard(line).get("ply") != 2:
            pass
    assert server.get(f"/api/tables/{table['id']}/record.json").json()["note"] == "at a glance: 1"
    pipe.let_go()


def test_medium_answers_while_its_game_is_compiled(browser: Browser, held: tuple[Served, Pipe]) -> None:
    server, pipe = held
    seen = Watched(browser, server, reduced_motion="reduce")
    page = seen.open(server.begin("tictactoe", "human", "mcts:simulations=120"))
    cell(page, "b2").click()
    expect(page.locator(".game")).to_have_attribute("data-ply", "2")
    expect(page.locator(".moves .glance")).to_have_text("at a glance")
    id = page.url.rpartition("/")[2]
    assert server.get(f"/api/tables/{id}/record.json").json()["note"] == "at a glance: 1"
    press(page, "u")
    expect(page.locator(".moves .glance")).to_have_count(0)
    assert server.get(f"/api/tables/{id}/record.json").json()["note"] == "assisted: undo"
    pipe.let_go()
    seen.context.close()
    assert seen.wrong == []


@pytest.mark.parametrize("opponent", ["greedy", "slips:epsilon=0.1,of=win-block"])
def test_rules_of_thumb_answer_while_their_game_is_compiled(held: tuple[Served, Pipe], opponent: str) -> None:
    """As it is played later, too: nothing says that it was at a glance."""
    server, pipe = held
    table = server.play(server.begin("tictactoe", "human", opponent), "b2")
    with server.socket() as line:
        send(line, "w", "watch", table=table["id"])
        while (news := heard(line)).get("ply") != 2:
            assert not news["preparing"]
    assert server.get(f"/api/tables/{table['id']}/record.json").json()["note"] == ""
    pipe.let_go()


@pytest.mark.slow
def test_who_must_wait_sees_a_bar(browser: Browser, held: tuple[Served, Pipe]) -> None:
    """A player that thinks for a time is not asked in the interpreter; nor is a hint."""
    server, pipe = held
    seen = Watched(browser, server, reduced_motion="reduce")
    page = seen.open(server.begin("tictactoe", "human", "mcts:seconds=0.2"))
    cell(page, "b2").click()
    bar = page.get_by_role("progressbar", name="Preparing the game")
    expect(bar).to_contain_text("Preparing Tic-tac-toe, once")
    expect(page.locator(".status")).to_contain_text("waits")
    check_access(page, "preparing")
    press(page, "u")
    expect(page.locator(".game")).to_have_attribute("data-ply", "0")
    expect(bar).to_be_hidden()
    press(page, "h")
    expect(bar).to_be_visible()
    pipe.let_go()
    page.wait_for_selector(".marks .mark", state="attached")
    expect(bar).to_be_hidden()
    seen.context.close()
    assert seen.wrong == []


@pytest.mark.slow
def test_who_looks_at_a_study_sees_a_bar(
    browser: Browser, held: tuple[Served, Pipe], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody watches a game there: the search itself tells how far the preparation is. So does the theatre, once the
    interpreter has had its moment."""
    monkeypatch.setattr("boardwright.serve.theatre.BY_HAND", 0.0)
    server, pipe = held
    seen = Watched(browser, server, reduced_motion="reduce")
    page = seen.open(server.begin("tictactoe", "human", "human"))
    press(page, "e")
    expect(page.locator(".sub")).to_contain_text("A study")
    bar = page.get_by_role("progressbar", name="Preparing the game")
    press(page, "a")
    expect(bar).to_contain_text("Preparing Tic-tac-toe, once")
    expect(page.locator(".ahead .hint")).to_have_text("Preparing…")
    press(page, "a")
    press(page, "h")
    expect(bar).to_be_visible()
    page.goto(f"{server.address}/#/theatre/tictactoe?simulations=2000&at=2000")
    expect(page.locator(".pane").get_by_role("progressbar", name="Preparing the game")).to_be_visible()
    pipe.let_go()
    expect(page.locator(".pane")).to_have_attribute("data-at", re.compile(r"\d"))
    expect(bar).to_be_hidden()
    seen.context.close()
    assert seen.wrong == []


def test_a_player_that_compiles_at_its_first_thought_shows_a_bar(tmp_path: Path, marks: Path) -> None:
    """Of kinds that are not prepared, such as one that has learnt the game. The next bar knows how long that took."""
    with served(tmp_path) as server:
        table = server.begin("tictactoe")
        attendant, game = server.context.attendant, bw.load("tictactoe")
        told: list[dict[str, Any]] = []

        def bar() -> Any:
            return told[-1]["preparing"]

        attendant.watch(table["id"], "test", lambda news, final: told.append(news))
        assert bar() is None
        with attendant._meeting(table["id"], "solver", game):
            attended = attendant._games[table["id"]]
            attended.met -= 5.0  # it has taken five seconds
            attendant._tell(attended)
            assert bar()["seconds"] >= 5.0
            assert bar()["of"] == game.card.compile_seconds
        assert attendant._preparation.met_in(game, "solver") >= 5.0
        large = bw.load("gomoku")
        scale = attendant._preparation.met_in(large, "solver") / large.card.compile_seconds
        assert scale == pytest.approx(attendant._preparation.met_in(game, "solver") / game.card.compile_seconds, 0.01)
        assert attendant._preparation.met_in(game, "tuples") == game.card.compile_seconds, "of others nothing is known"
        with attendant._lock:  # after what its own clock may be telling at this moment
            attendant._tell(attended)
        assert bar() is None
        with attendant._meeting(table["id"], "solver", game):
            assert attended.met == 0.0, "it is known by now"
        attendant.leave(table["id"], "test")


def test_classes_of_one_file_are_players_of_different_kinds() -> None:
    """Whoever watches is told of the first thought of each: its kernels may have to be compiled."""
    assert kind_of("mine.py:A:depth=2") != kind_of("mine.py:B:depth=2")
    assert kind_of("mine.py:A:depth=2") == kind_of("mine.py:A") and kind_of("mcts:simulations=8") == "mcts"
    assert kind_of("run:one, two") == kind_of("run:other")
