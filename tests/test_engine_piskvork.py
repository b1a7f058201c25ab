"""The Gomocup engine, always as a manager meets it: a process, lines in, lines out."""

from __future__ import annotations

import gc
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pygomo import BoardPosition, EngineClient, Move

from boardwright.engine.clock import FASTEST, QUICK, Clock, reserve
from boardwright.engine.instant_move import reflex
from boardwright.engine.piskvork import memory_share
from boardwright.engine.thinker import Board, Thinker
from tests import processes
from tests.marks import slowly, thorough

COMMAND = [sys.executable, "-m", "boardwright", "engine", "piskvork"]
MOVE = re.compile(r"\d+,\d+")
PATIENCE = 120  # seconds until a test gives up on an engine that hangs; a cold kernel compiles meanwhile


class Manager:
    """Talks to an engine as managers do; standard error is joined to standard output, as some of them do it."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0
        )

    def send(self, text: str, end: str = "\n") -> None:
        assert self.process.stdin is not None
        self.process.stdin.write((text + end).encode())

    def line(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline().decode()
        assert line.endswith("\n"), f"the engine has gone: {line!r}"
        return line.rstrip("\r\n")

    def ask(self, text: str, end: str = "\n") -> str:
        self.send(text, end)
        return self.line()

    def silent(self) -> bool:
        """Whether all that was sent so far has no answer: a question with a known answer comes next."""
        return self.ask("ABOUT").startswith('name="Boardwright"')

    def close(self) -> None:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.kill()
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


@contextmanager
def manager(start: str = "START 15", turn: int = 150) -> Iterator[Manager]:
    one = Manager()
    try:
        one.send(f"INFO timeout_turn {turn}")
        if start:
            assert one.ask(start) == "OK"
        yield one
    finally:
        one.close()


def converse(text: bytes) -> list[str]:
    """All answers to a whole session that ends when the manager goes away. Standard error must stay empty."""
    return processes.converse(text, "engine", "piskvork").decode().splitlines()


def test_the_whole_conversation() -> None:
    with manager("") as one:
        assert one.ask("ABOUT").startswith('name="Boardwright", version="')
        assert one.ask("BEGIN").startswith("ERROR there is no board yet")
        assert one.ask("START 20", "\r\n") == "OK"
        assert one.ask("BEGIN", "\r\n") == "9,9"
        assert MOVE.fullmatch(one.ask("TURN 10,10\r"))
        assert one.ask("TURN 10,10") == "ERROR 10,10 is taken"
        assert one.ask("TAKEBACK 10,10") == "OK"
        assert one.ask("TAKEBACK 10,10") == "ERROR TAKEBACK 10,10: there is no stone"
        assert one.ask("RESTART") == "OK"
        assert MOVE.fullmatch(one.ask("TURN 9,9"))
        assert one.ask("turn 0,20").startswith("ERROR 0,20 is outside the board")
        assert one.ask("SWAP2BOARD") == "UNKNOWN SWAP2BOARD"
        assert one.ask("RECTSTART 20,15") == "OK"
        assert one.ask("BEGIN") == "9,7"
        assert one.ask("START 4").startswith("ERROR gomoku: size=4; choose 5 to 25")
        assert one.ask("START 99999999999999999999").startswith("ERROR START needs a size")
        assert one.ask("TURN 0,0") != "", "the old board is still there"


def test_a_board_is_set_up_and_answered_once() -> None:
    with manager() as one:
        one.send("BOARD")
        assert one.ask("DONE") == "7,7", "an empty board too"
        one.send("BOARD\n7,7,1\n8,8,2\n7,8,1\n8,9,2\n7,9,1\n8,10,2\n7,10,1\n8,11,2")
        assert one.ask("DONE") in ("7,6", "7,11"), "four in a row become five"
        one.send("BOARD\n7,7,2\n8,8,1\n7,8,2\n9,9,1\n7,9,2\n7,6,1\n7,10,2")
        assert one.ask("DONE") == "7,11", "four of the opponent's are stopped"
        one.send("YXBOARD\n7,7,2\n8,8,1\n7,8,2\n9,9,1\n7,9,2\n7,6,1\nDONE")
        assert one.silent()
        assert one.ask("TURN 7,10") == "7,11"
        one.send("BOARD\n1,1,1\n2,2,1\n3,3,1\n4,4,1")
        assert one.ask("DONE") in ("0,0", "5,5"), "stones of any number"
        one.send("BOARD\n1,1,1\n1,1,2")
        assert one.ask("DONE") == "ERROR 1,1 is taken"
        one.send("BOARD\n1,1\n")
        assert one.ask("DONE").startswith("ERROR BOARD: '1,1' is not x,y,who")
        one.send("BOARD\n1,1,1")
        assert one.ask("START 15").startswith("ERROR BOARD was cut off by START after 1 lines")
        assert one.line() == "OK"


def test_exactly_five_is_the_rule_that_the_manager_tells() -> None:
    four_and_one = "BOARD\n3,7,1\n0,0,2\n4,7,1\n0,1,2\n5,7,1\n0,2,2\n6,7,1\n0,3,2\n8,7,1\n2,7,2"
    with manager() as one:
        one.send(four_and_one)
        assert one.ask("DONE") == "7,7", "six win"
        one.send("INFO rule 1")
        one.send(four_and_one)
        assert one.ask("DONE") == "0,4", "six do not win: stop the opponent's four"


def test_unknown_rules_are_played_with_a_word() -> None:
    with manager() as one:
        one.send("INFO rule 4")
        assert one.ask("BEGIN").startswith("MESSAGE the rule renju is not known here")
        assert one.line() == "7,7"
        assert MOVE.fullmatch(one.ask("TURN 7,8"))


def test_info_is_never_answered() -> None:
    with manager() as one:
        for info in (
            "INFO", "INFO timeout_turn", "INFO timeout_turn x", "INFO max_memory 83886080", "INFO time_left 9999999999",
            "INFO timeout_match -1", "INFO game_type 1", "INFO evaluate 3,3", "INFO folder /tmp", "INFO rule -5",
            "INFO TIME_LEFT 2147483647", "INFO thread_num 0", "INFO max_memory 0", "info rule 0", "INFO timeout_turn 0",
        ):  # fmt: skip
            one.send(info)
        assert one.silent()
        assert one.ask("BEGIN") == "7,7"
        assert MOVE.fullmatch(one.ask("TURN 7,8"))


def test_stop_and_end() -> None:
    with manager(turn=3_600_000) as one:
        one.send("TURN 7,7")
        one.send("YXSTOP")
        assert MOVE.fullmatch(one.line())
        one.send("YXSTOP")
        assert one.silent()
        one.send("TURN 0,0")
        one.send("END")
        assert one.process.wait(PATIENCE) == 0


def test_suspended_while_the_opponent_thinks() -> None:
    with manager() as one:
        assert one.ask("BEGIN") == "7,7"
        for turn in ("TURN 6,6", "TURN 5,5"):
            os.kill(one.process.pid, signal.SIGSTOP)
            one.send(turn)
            os.kill(one.process.pid, signal.SIGCONT)
            assert MOVE.fullmatch(one.line())


def test_a_manager_that_dies_takes_the_engine_along() -> None:
    with manager(turn=3_600_000) as one:
        one.send("TURN 7,7")
        assert one.process.stdin is not None
        one.process.stdin.close()
        assert one.process.wait(PATIENCE) == 0


@pytest.mark.parametrize("size", [5, *slowly(6)])
def test_a_full_board_is_an_error_not_a_crash(size: int) -> None:
    with manager(f"START {size}", turn=0) as one:
        free = {(x, y) for x in range(size) for y in range(size)}
        answer = one.ask("BEGIN")
        while MOVE.fullmatch(answer):
            x, y = map(int, answer.split(","))
            free.remove((x, y))
            if not free:
                answer = one.ask("BEGIN")
                break
            reply = min(free)
            free.remove(reply)
            answer = one.ask(f"TURN {reply[0]},{reply[1]}")
        assert not free and answer == "ERROR the board is full"


def engine_script(folder: Path) -> str:
    """pygomo starts one executable file."""
    script = folder / "pbrain-boardwright"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m boardwright engine piskvork\n')
    script.chmod(0o755)
    return str(script)


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(("size", "rule"), [(15, 0), *slowly((20, 1))])
def test_pygomo_plays_whole_games(tmp_path: Path, size: int, rule: int) -> None:
    """A client that others wrote; its side plays at random."""
    import boardwright as bw

    game = bw.load("gomoku", size=size, exactly=bool(rule))
    other = bw.player("random:seed=1", game)
    with EngineClient(engine_script(tmp_path)) as engine:
        assert engine.start(size, timeout=PATIENCE)
        assert "Boardwright" in (engine.about() or "")
        engine.set_rule(rule)
        engine.configure(timeout_turn=100, timeout_match=60_000, max_memory=400_000_000)
        for first in (True, False):
            assert engine.restart()
            position = game.begin()
            answer = engine.begin(timeout=PATIENCE) if first else None
            while not position.is_over:
                if answer is None:
                    move = other.choose(position).move
                    position = position.play(move)
                    if position.is_over:
                        break
                    answer = engine.turn(Move((move % size, move // size)), timeout=PATIENCE)
                assert answer is not None, "an error or nothing"
                position = position.play(answer.move.row * size + answer.move.col)
                answer = None
            assert position.results is not None and position.results[0 if first else 1] == 1.0, "random is beaten"
        setup = BoardPosition()
        assert engine.board(setup, timeout=PATIENCE) is not None
    del engine
    gc.collect()  # pygomo leaves a pipe open: let it be closed here, not in somebody else's test


WORDS = st.sampled_from(
    ["START 15", "START 15", "START 5", "START -1", "START x", "START 99999999999", "RESTART", "BEGIN", "BEGIN",
     "TURN 7,7", "TURN 3,4", "TURN 0,0", "TURN 7", "TURN a,b", "TURN 7,7,7", "TURN -1,-1", "TURN 1.5,2",
     "TURN 999999999999999999999,1", "BOARD", "DONE", "7,7,1", "8,8,2", "7,7,3", "YXBOARD", "YXSTOP", "TAKEBACK 7,7",
     "TAKEBACK", "INFO rule 1", "INFO rule", "INFO timeout_turn 0", "INFO timeout_turn -5", "INFO timeout_match 1",
     "INFO time_left 0", "INFO max_memory 1", "INFO x y z", "ABOUT", "RECTSTART 7,6", "RECTSTART 7", "", "   ",
     "START", "TURN", "unknown", "_on_start", "__class__"]
)  # fmt: skip
LINES = st.one_of(WORDS.map(str.encode), st.binary(max_size=40), WORDS.map(lambda word: word.encode()[:3]))


def answers_due(lines: list[bytes]) -> int:
    """How many answers a session must have, by the protocol's own words: every line has one, but for INFO, YXSTOP and
    the lines of a board, which has one in all (YXBOARD none unless it is refused). -1: cannot be told from here."""
    due, open_board = 0, False
    for raw in lines:
        text = raw.decode("utf-8", "replace").strip("\r\n\t \0\ufeff")
        word = text.partition(" ")[0].upper()
        if not text:
            continue
        if word in ("BOARD", "YXBOARD") or open_board:
            return -1
        due += word not in ("INFO", "YXSTOP")
    return due


@settings(max_examples=20 if thorough() else 4)  # a process each
@given(st.lists(LINES, max_size=25), st.sampled_from([b"\n", b"\r\n"]), st.booleans())
def test_no_session_crashes_hangs_or_is_answered_twice(lines: list[bytes], end: bytes, cut: bool) -> None:
    split = [part for line in lines for part in line.split(b"\n")]
    split = [line for line in split if line.decode("utf-8", "replace").strip().upper() != "END"]
    text = b"INFO timeout_turn 0" + end + end.join(split) + (b"" if cut else end)
    said = converse(text)
    shape = re.compile(r'OK|\d+,\d+|(ERROR|UNKNOWN|MESSAGE) [\x20-\U0010ffff]{1,300}|name="Boardwright".*')
    assert all(shape.fullmatch(line) for line in said)
    due = answers_due(split)
    assert due < 0 or len([line for line in said if not line.startswith("MESSAGE")]) == due


def test_huge_lines_are_cut_not_kept() -> None:
    said = converse(b"START 15" + b" " * 100 + b"x" * 3_000_000 + b"\nABOUT\n")
    assert len(said) == 2
    assert said[0].startswith("ERROR START needs a size") and said[1].startswith('name="Boardwright"')


# Time control and the reflex, by themselves


@given(
    turn=st.integers(0, 10**7),
    match=st.integers(0, 10**8),
    left=st.none() | st.integers(0, 10**8),
    made=st.integers(0, 200),
)
def test_thought_ends_before_every_limit(turn: int, match: int, left: int | None, made: int) -> None:
    clock = Clock(turn / 1000, match / 1000)
    clock.new_game()
    if left is not None:
        clock.left = left / 1000
    soft, hard = clock.limits(made, 200)
    limits = [clock.turn or 10 * QUICK] + ([clock.left] if clock.left is not None else [])
    for limit in limits:
        assert soft in (FASTEST, QUICK) or soft <= limit - reserve(limit) * 0.99
        assert hard == FASTEST or hard < limit
    assert soft >= FASTEST


def test_a_match_clock_lasts() -> None:
    clock = Clock(30.0, 60.0)
    clock.new_game()
    for move in range(200):  # half of a board of 20 lines
        soft, _ = clock.limits(move, 200 - move)
        clock.spend(soft + 0.005)
    assert clock.left is not None and clock.left > 0.0


def test_memory() -> None:
    assert memory_share(0) == 350.0 and memory_share(1) == 8.0 and 8.0 < memory_share(350 * 2**20) < 100.0


def test_reflex() -> None:
    own, other = {(x, 3): 1 for x in range(1, 5)}, {(x, 5): 2 for x in range(1, 5)}
    assert reflex({**own, **other}, 15, 15, False) in ((0, 3), (5, 3))
    assert reflex({**other, (0, 5): 1}, 15, 15, False) == (5, 5)
    assert reflex({**own, (0, 3): 2, (6, 3): 1}, 15, 15, True) != (5, 3)
    assert reflex({}, 15, 15, False) == (7, 7)
    assert reflex({(x, y): 1 for x in range(5) for y in range(5)}, 5, 5, False) is None


def test_a_thought_that_could_not_begin_knows_nothing_of_the_one_before() -> None:
    thinker, own = Thinker(), [(x, 7, True) for x in (3, 4, 5, 6)]
    first = Board(15, 15, False, [*own, *((0, y, False) for y in range(4))])
    thinker.prepare(first, PATIENCE)
    assert thinker.think(first, time.monotonic() + PATIENCE) in ((2, 7), (7, 7)) and thinker.best_so_far(first)[1] == 7
    thinker.begin()
    then = Board(15, 15, False, [*((9, y, True) for y in (2, 3, 4, 5)), *((0, y, False) for y in range(4))])
    assert thinker.best_so_far(then) in ((9, 1), (9, 6))
