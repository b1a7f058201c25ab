"""Matches in worker processes that are killed, hang or die: finished games stay, and no game counts twice."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import boardwright as bw
from boardwright.arena.crew import (
    MOST_IN_A_ROW,
    READY,
    RESULT,
    SPAWN,
    STARTS,
    Crew,
    Losses,
    Worker,
    work_for_parent,
)  # fmt: skip
from boardwright.records import Library
from tests.marks import slowly, thorough
from tests.processes import PATIENCE, hearing_ctrl_c

SABOTEURS = str(Path(__file__).parent / "games" / "saboteurs.py")


def count(library: Library) -> int:
    return len(library.find(limit=None)) if library.path.exists() else 0


def wait_for(running: subprocess.Popen[str], library: Library, games: int, between: float) -> None:
    """Until so many games are in the library, looking every `between` seconds; or the command has ended."""
    while count(library) < games:
        try:
            running.wait(between)
        except subprocess.TimeoutExpired:
            continue
        return


def test_killed_at_random_moments_a_match_loses_no_game_and_counts_none_twice(tmp_path: Path) -> None:
    """kill -9 of the real command with its workers running, in `make test-all` several times; then it is let through to
    the end."""
    command = [sys.executable, "-m", "boardwright", "match", "tictactoe", "mcts:simulations=300", "random"]
    command += ["--games", "120", "--seed", "7", "--workers", "2", "--json"]
    rng, library = random.Random(11), Library()
    seen: dict[str, str] = {}
    for _ in range(3 if thorough() else 1):
        wanted = min(len(seen) + rng.randrange(1, 30), 119)
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True)
        wait_for(running, library, wanted, rng.random() * 0.02)  # so that the moment is any moment
        os.kill(running.pid, signal.SIGKILL)
        running.wait()
        now = {one.id: library.get(one.id).to_json() for one in library.find(limit=None)}
        assert seen.items() <= now.items()  # every game that was finished is there as it was
        seen = now
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    result = json.loads(done.stdout)
    assert result["games"] == 120 and len(set(result["records"])) == 120
    assert set(seen) <= set(result["records"])
    assert count(library) == 120
    whole = bw.match(
        bw.load("tictactoe"), ["mcts:simulations=300", "random"], 120, 7, library=Library(tmp_path / "whole.sqlite3")
    )
    assert [one.id for one in whole.outcomes] == result["records"]
    assert whole.table.players[0].wins == result["players"][0]["wins"]


def test_ctrl_c_shows_what_is_known_and_how_to_go_on() -> None:
    command = [sys.executable, "-m", "boardwright", "match", "tictactoe", "mcts:simulations=300", "greedy"]
    command += ["--games", "50000", "--workers", "2"]
    with hearing_ctrl_c():
        running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    library = Library()
    wait_for(running, library, 4, 0.02)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130, err
    assert "Go on with: boardwright match tictactoe" in err and "Traceback" not in err
    assert "In brackets: 95 % intervals." in out


def echo(pipe: Any) -> None:
    """A worker's side: sends back what it is handed, however often Ctrl-C is pressed."""
    os.kill(os.getpid(), signal.SIGINT)

    def prepare() -> Callable[[Any], list[Any]]:
        os.kill(os.getpid(), signal.SIGINT)
        return lambda task: [task]

    work_for_parent(pipe, prepare, "an echo")


def test_ctrl_c_while_a_worker_starts_is_the_parents_to_hear_and_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    start, begun = SPAWN.Process.start, list[Any]()

    def interrupted(process: Any) -> None:
        begun.append(process)
        signal.raise_signal(signal.SIGINT)
        start(process)
        signal.raise_signal(signal.SIGINT)

    crew = Crew(lambda: Worker(echo, name="echo"))
    with monkeypatch.context() as patch, hearing_ctrl_c():
        patch.setattr(SPAWN.Process, "start", interrupted)
        with pytest.raises(KeyboardInterrupt):
            crew.employ()
    assert begun[0].exitcode == -signal.SIGKILL and not crew.workers, "nobody would have ended it"
    with hearing_ctrl_c():
        crew.employ().hand("hello")
    told: list[Any] = []
    while len(told) < 2:
        told += [(kind, content) for _, kind, content in crew.listen(PATIENCE)]
    crew.end()
    assert told == [(READY, None), (RESULT, "hello")]


@pytest.mark.parametrize(
    ("spec", "seconds", "reason"),
    [("dies", 0.0, "ended its process (SIGKILL)"), *slowly(("hangs", 1.0, "did not answer; 1 s are allowed"))],
)
def test_a_worker_that_hangs_or_dies_costs_its_player_the_game_only(spec: str, seconds: float, reason: str) -> None:
    nim, library = bw.load(f"{SABOTEURS}:Nim"), Library()
    result = bw.match(nim, [spec, "taker"], games=2, seed=1, move_seconds=seconds, opening=0, workers=2)
    assert result.table.players[0].forfeits == 2 and result.table.players[1].wins == 2
    for one in result.outcomes:
        record = library.get(one.id)
        assert record.note.startswith(f"player {one.seats.index(0) + 1} ({spec}) {reason}")
        assert len(record.plies) >= 3  # what had been played is there
        record.replay(nim)


def test_losses_are_counted_in_one_place() -> None:
    """While workers start, over one task, in a row: each until it is more than bad luck."""
    losses = Losses()
    assert [losses.over("a game"), losses.over("another"), losses.over("a game")] == [False, False, True]
    assert [losses.one_more() for _ in range(MOST_IN_A_ROW + 1)] == [False] * MOST_IN_A_ROW + [True]
    losses.result()
    assert not losses.one_more()
    for _ in range(2 * STARTS):
        losses.while_starting(-signal.SIGKILL, 2, "bw.match")
    with pytest.raises(bw.BoardwrightError, match=r"killed while they start \(SIGKILL\)"):
        losses.while_starting(-signal.SIGKILL, 2, "bw.match")
    with pytest.raises(bw.BoardwrightError, match=r"exit code 1\); a script of your own that calls bw.playtest must"):
        Losses().while_starting(1, 2, "bw.playtest")
