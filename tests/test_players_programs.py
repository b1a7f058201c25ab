"""Players that are other programs, real ones: what they do wrong is their loss, and they end with us."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import boardwright as bw
from boardwright.arena import referee
from boardwright.cli.session import Session
from boardwright.players import PlayerSpec, player_kinds, program
from boardwright.players.engine_program import EnginePlayer
from boardwright.players.program import Program, ProgramFault
from boardwright.records import Library

PATIENCE = 120.0  # seconds
BOARDWRIGHT = f"{sys.executable} -m boardwright engine"
HEAD = f"""#!{sys.executable}
import json, os, sys, time
"""
# Answers every query with the first empty cell, and with NAUGHTY from the second query on.
JSON_LINES = """
for number, line in enumerate(sys.stdin):
    asked = json.loads(line)
    left = asked["position"]["state"] if "position" in asked else {"order": [0], "left": 1}
    answer = {"id": asked["id"], "isDuringSearch": False, "move": left["order"][0], "value": [0.5, -0.5],
              "simulations": 3}
    if number > 0:
        NAUGHTY
    print(json.dumps(answer), flush=True)
"""
PISKVORK = """
stones = set()
def put():
    cell = next((x, y) for y in range(size) for x in range(size) if (x, y) not in stones)
    stones.add(cell)
    NAUGHTY
    print(f"MESSAGE thinking\\n{cell[0]},{cell[1]}", flush=True)
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "START":
        size = int(rest)
        print("OK", flush=True)
    elif word == "RESTART":
        stones.clear()
        print("UNKNOWN" if FORGETFUL else "OK", flush=True)
    elif word == "TURN":
        stones.add(tuple(map(int, rest.split(","))))
        put()
    elif word == "BEGIN":
        put()
    elif word == "BOARD":
        stones = {tuple(map(int, one.split(",")[:2])) for one in iter(sys.stdin.readline, "DONE\\n")}
        put()
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Commands are short when they are told from where the programs lie: records hold specs of 200 letters."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: str, text: str) -> str:
    """A program in this folder; its command."""
    Path(name).write_text(HEAD + text)
    Path(name).chmod(0o755)
    return f"./{name}"


# Specs


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("engine:./old json azul --player mcts:c=1,seed=2", {"command": "./old json azul --player mcts:c=1,seed=2"}),
        ('piskvork: "./my brain.py" -x "a, b" ', {"command": '"./my brain.py" -x "a, b"'}),
        ('engine:command="./a b,c",seconds=0.5', {"command": "./a b,c", "seconds": "0.5"}),
        ("piskvork:seconds=2,command=./brain", {"seconds": "2", "command": "./brain"}),
        ("engine:python mine.py:Deep", {"command": "python mine.py:Deep"}),
        ("engine:command=x=1", {"command": "x=1"}),
        ("engine", {}),
    ],
)  # fmt: skip
def test_a_command_stands_after_the_colon_as_it_is(text: str, settings: dict[str, str]) -> None:
    spec = PlayerSpec.parse(text)
    assert spec.settings == settings and spec.is_program and not spec.is_file
    assert PlayerSpec.parse(str(spec)) == spec


@given(st.text(min_size=1))
def test_whatever_a_command_holds_is_read_again(command: str) -> None:
    spec = PlayerSpec("engine", {"command": command})
    assert PlayerSpec.parse(str(spec)) == spec


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("engine", "engine needs a command: write engine:COMMAND"),
        ("engine:./nowhere --x", "there is no program './nowhere' here"),
        ("engine:python 'x", "a quote without an end"),
        ("engine:seconds=-1,command=python", "seconds=-1 must be 0 to"),
        ("engine:depth=3", "has no setting 'depth'; its settings are: command="),
        ("piskvork:python", "tictactoe: no game for piskvork; its programs play gomoku"),
    ],
)
def test_what_can_be_no_program_is_refused_before_anything_is_played(spec: str, message: str) -> None:
    with pytest.raises(bw.InputError, match=message):
        bw.match(bw.load("tictactoe"), [spec, "random"], games=2)


def test_no_list_offers_programs_and_who_misses_a_player_hears_of_them() -> None:
    assert not {"engine", "piskvork"} & player_kinds(bw.load("gomoku")).keys()
    with pytest.raises(bw.InputError, match="engine:COMMAND and piskvork:COMMAND for other programs"):
        bw.player("brain", bw.load("gomoku"))


# Playing


def test_a_program_plays_whole_games(here: Path) -> None:
    game, spec = bw.load("tictactoe"), f"engine:{write('good', JSON_LINES.replace('NAUGHTY', 'pass'))}"
    choice = bw.player(spec, game).choose(game.begin().play("b2"))
    assert (choice.move, choice.value, choice.simulations) == (0, (0.5, -0.5), 3)
    result = bw.match(game, [spec, "random"], games=6, seed=1)
    assert result.table.games == 6 and not any(one.forfeit >= 0 for one in result.outcomes)
    again = bw.match(game, [spec, "random"], games=6, seed=1)
    assert again.to_dict()["records"] == result.to_dict()["records"], "the same program is known again"
    write("good", JSON_LINES.replace("NAUGHTY", "print(end='')"))
    other = bw.match(game, [spec, "random"], games=6, seed=1)
    assert not set(other.to_dict()["records"]) & set(result.to_dict()["records"]), "a new program is another player"


def test_our_own_engine_plays_by_both_protocols() -> None:
    game = bw.load("tictactoe")
    engine = f"engine:{BOARDWRIGHT} json tictactoe --player mcts:simulations=50,seed=3"
    result = bw.match(game, [engine, "random"], games=2, seed=2)
    assert not any(one.forfeit >= 0 for one in result.outcomes), result.notes
    for one in result.outcomes:
        assert one.simulations[one.seats.index(0)] > 0, "it told what it did"
    gomoku = bw.load("gomoku")
    brain = f"piskvork:seconds=0.1,grace={PATIENCE:g},command={BOARDWRIGHT} piskvork"
    result = bw.match(gomoku, [brain, "random"], games=2, seed=2, opening=3)
    assert not any(one.forfeit >= 0 for one in result.outcomes), result.notes
    assert result.table.players[0].wins == 2


@pytest.mark.parametrize("forgetful", [False, True])
def test_a_gomocup_program_plays_whole_games(here: Path, forgetful: bool) -> None:
    text = PISKVORK.replace("NAUGHTY", "pass").replace("FORGETFUL", str(forgetful))
    game, spec = bw.load("gomoku:size=7"), f"piskvork:grace={PATIENCE:g},command={write('brain', text)}"
    result = bw.match(game, [spec, "random"], games=4, seed=1, opening=2)
    assert result.table.games == 4 and not any(one.forfeit >= 0 for one in result.outcomes), result.notes
    brain = bw.player(spec, game)
    position = game.begin()
    for cell, answer in (("", 0), ("d4", 1), ("c3", 2)):  # BEGIN, then TURN
        position = position.play(cell) if cell else position
        assert brain.choose(position).move == answer
        position = position.play(answer)
    assert brain.choose(game.begin().play("a1").play("a2").play("a3")).move == 0, "another line is a BOARD"


# What goes wrong

PASSES = "open('passes', 'a').write('x')"  # an hour, by the clock of those who wait: see `waiting`
HANGS = f"while True: {PASSES}; time.sleep(0.02)"  # again and again: who begins to wait late is out of patience, too


@pytest.fixture
def waiting(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for a program has a clock that moves when the program does wrong, and only then: it is given up for
    that, however slow the machine is, and for nothing else."""
    passes = Path("passes")
    passes.touch()
    monkeypatch.setattr(program, "time", SimpleNamespace(monotonic=lambda: 3600.0 * passes.stat().st_size))


FAULTS = {
    "hang": (HANGS, "did not answer within 0.4 s"),
    "crash": ("sys.exit('no more ideas')", r"ended \(exit code 1\): no more ideas"),
    "killed": ("os.kill(os.getpid(), 9)", r"ended \(SIGKILL\)"),
    "deaf": ("sys.stdout.close(); os.close(1); time.sleep(1000)", "closed its output"),
    "illegal": ("answer['move'] = 'z9'", "played 'z9', which is not legal there"),
    "moveless": ("del answer['move']", "answered without a move"),
    "error": ("answer = {'id': asked['id'], 'error': 'I give up'}", "answered with an error: I give up"),
    "babble": ("answer = ['hm']", "which is no JSON object"),
    "chatter": (
        f"while True: {PASSES}; print(json.dumps({{**answer, 'isDuringSearch': True}}))",
        "did not answer within 0.4 s",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_a_program_does_wrong_is_its_loss_with_the_reason(
    here: Path, fault: str, request: pytest.FixtureRequest
) -> None:
    naughty, reason = FAULTS[fault]
    patience = PATIENCE  # whoever does something gets the time that it takes
    if "did not answer" in reason:
        patience = 0.4
        request.getfixturevalue("waiting")
    spec = f"engine:patience={patience},command={write(fault, JSON_LINES.replace('NAUGHTY', naughty))}"
    result = bw.match(bw.load("tictactoe"), [spec, "random"], games=2, seed=1)
    assert [one.seats[one.forfeit] for one in result.outcomes] == [0, 0]
    assert result.table.players[0].losses == 2
    records = [Library().get(one.id) for one in result.outcomes]
    assert all(record.status == "forfeit" for record in records)
    for told in (*(record.note for record in records), str(result)):
        assert re.search(reason, told), told


@pytest.mark.parametrize(
    ("text", "start", "reason"),
    [(HANGS, 0.3, "did not answer within 0.3 s"), ("sys.exit(3)", PATIENCE, "exit code 3")],
)
def test_a_program_that_never_starts_loses_too(waiting: None, text: str, start: float, reason: str) -> None:
    spec = f"engine:start={start},command={write('late', text)}"
    result = bw.match(bw.load("tictactoe"), [spec, "random"], games=2, seed=1)
    assert [one.seats[one.forfeit] for one in result.outcomes] == [0, 0]
    assert all(reason in one.reason for one in result.outcomes)


def test_how_a_program_ended_is_told_however_long_that_takes_to_be_heard(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process between us stands still while the program ends, until we have waited for longer than for one that
    has closed its output only."""
    one = Program("it", [write("ends", "os.kill(os.getppid(), 19)\nsys.exit('that was all')")])
    wait = one._process.wait

    def patiently(seconds: float) -> int:
        if seconds <= program.LAST_SECONDS:
            raise subprocess.TimeoutExpired("it", seconds)
        os.kill(one._process.pid, signal.SIGCONT)
        return wait(seconds)

    with monkeypatch.context() as patch:
        patch.setattr(one._process, "wait", patiently)
        patch.setattr(one, "fault", lambda what: ProgramFault("it", what))  # to end it comes later
        with pytest.raises(ProgramFault, match=r"ended \(exit code 1\): that was all"):
            one.hear(lambda line: line, PATIENCE)
    one.end()


def test_a_slow_start_is_no_thinking(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that moves when a program starts, and only then: how fast the machine is makes no difference."""
    starts = Path("starts")
    starts.touch()
    clock = SimpleNamespace(perf_counter=lambda: float(starts.stat().st_size))
    monkeypatch.setattr(referee, "time", clock)
    text = "open('starts', 'a').write('x')\n" + JSON_LINES.replace("NAUGHTY", "pass")
    spec = f"engine:{write('slow', text)}"
    result = bw.match(bw.load("tictactoe"), [spec, "random"], games=2, seed=1, move_seconds=0.5)
    assert starts.stat().st_size > 0 and not any(one.forfeit >= 0 for one in result.outcomes), result.notes


@pytest.mark.parametrize(
    ("naughty", "grace", "reason"),
    [
        ("cell = (size, 0)", PATIENCE, "played 7,0, which is not legal there"),
        ("cell = ('pass', '')", PATIENCE, "a move such as 7,7 was expected"),
        ("sys.exit(1)", PATIENCE, "exit code 1"),
        (HANGS, 0.2, "did not answer within 0.3 s"),
    ],
)
def test_a_gomocup_program_that_goes_wrong_loses(waiting: None, naughty: str, grace: float, reason: str) -> None:
    text = PISKVORK.replace("NAUGHTY", naughty).replace("FORGETFUL", "False")
    spec = f"piskvork:seconds=0.1,grace={grace},command={write('brain', text)}"
    result = bw.match(bw.load("gomoku:size=7"), [spec, "random"], games=2, seed=1, opening=0)
    assert [one.seats[one.forfeit] for one in result.outcomes] == [0, 0]
    assert all(reason in one.reason for one in result.outcomes), result.notes


def test_a_gomocup_program_that_does_not_say_ok_is_refused(here: Path) -> None:
    game = bw.load("gomoku:size=7")
    spec = f"piskvork:{write('brain', 'print(input()); print(input())')}"
    with pytest.raises(ProgramFault, match="answered 'INFO rule 0' to START; OK was expected"):
        bw.player(spec, game).choose(game.begin())


def test_a_program_hears_when_to_stop_or_is_ended(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = bw.load("tictactoe")
    hears = "assert json.loads(sys.stdin.readline())['action'] == 'terminate'; answer['move'] = 8"
    for name, naughty, move in (("deaf", "time.sleep(1000)", None), ("hears", hears, 8)):
        if move is not None:  # whoever hears gets the time that it takes
            monkeypatch.setattr("boardwright.players.engine_program.STOP_SECONDS", PATIENCE)
        spec = f"engine:{write(name, JSON_LINES.replace('NAUGHTY', naughty))}"
        choice = bw.player(spec, game).choose(game.begin(), bw.Control(lambda: True))
        assert "stopped" in choice.note and choice.move in game.begin().moves
        assert move in (None, choice.move)


# Ends

LIVES_ON = """
out = os.open("alive", os.O_WRONLY)
if os.fork() == 0:
    time.sleep(1000)
""" + JSON_LINES.replace("NAUGHTY", "os.close(0); time.sleep(1000)")  # fmt: skip


def all_gone(ours: int) -> None:
    """Nobody holds the other end of the pipe any more, or will not for long."""
    assert select.select([ours], [], [], PATIENCE)[0], "somebody lives on"
    assert os.read(ours, 1) == b""
    os.close(ours)


def test_dropped_programs_end_with_all_that_they_started(here: Path) -> None:
    os.mkfifo("alive")
    game = bw.load("tictactoe")
    brain = bw.player(f"engine:patience=0.3,command={write('lives', LIVES_ON)}", game)
    ours = os.open("alive", os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(ours, True)
    brain.forget()  # it has started, and so has what it forks
    assert isinstance(brain, EnginePlayer) and brain._program is not None
    pid = brain._program._process.pid
    del brain
    all_gone(ours)
    with pytest.raises(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)  # and no zombie stays


def test_killed_we_take_our_programs_along(here: Path) -> None:
    os.mkfifo("alive")
    write("lives", LIVES_ON)
    ours = os.open("alive", os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(ours, True)
    text = (
        "import sys, boardwright as bw; game = bw.load('tictactoe'); one = bw.player('engine:./lives', game); "
        "one.forget(); print('ready', flush=True); one.choose(game.begin())"
    )
    owner = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE)
    assert owner.stdout is not None and owner.stdout.readline() == b"ready\n"
    owner.send_signal(signal.SIGKILL)
    owner.wait()
    owner.stdout.close()
    all_gone(ours)


def test_killed_we_take_along_what_a_program_left_behind(here: Path) -> None:
    """It has ended by itself, what it had started has not: that is so, too, where it reads that we are gone."""
    os.mkfifo("alive")
    write("leaves", 'os.open("alive", os.O_WRONLY)\nif os.fork() == 0:\n    time.sleep(1000)')
    ours = os.open("alive", os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(ours, True)
    text = (
        "import sys; from boardwright.players.program import Program; one = Program('it', ['./leaves']); "
        "one._process.wait(); print('ready', flush=True); sys.stdin.read()"
    )
    owner = subprocess.Popen([sys.executable, "-c", text], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with owner:
        assert owner.stdout is not None and owner.stdout.readline() == b"ready\n"
        owner.send_signal(signal.SIGKILL)
    all_gone(ours)


def test_no_record_starts_a_program() -> None:
    game = bw.load("tictactoe")
    session = Session.new(game, ["human", "random"], 1)
    session.play(0, 0.0)
    record = session.record()
    stranger = bw.Record(**{**vars(record), "players": ("human", "engine:./anything")})
    with pytest.raises(bw.InputError, match="a program: say with --seat who shall sit there"):
        Session.resume(stranger, game, [])
