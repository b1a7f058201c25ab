"""The command line as people meet it: messages, exit codes, JSON that parses, and a start without delay."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from urllib.request import urlopen

import pytest
from typer.testing import CliRunner

import boardwright as bw
from boardwright.cli.interrupts import heard_everywhere
from boardwright.cli.main import ORDER, app
from boardwright.games.built_in import BUILT_IN
from tests.marks import slowly, thorough
from tests.processes import PATIENCE, hearing_ctrl_c, run_here

DICE = str(Path(__file__).parent / "games" / "dicerace.py")


def boardwright(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """The real command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "boardwright", *arguments], input=typed, capture_output=True, text=True, timeout=PATIENCE
    )


def shown(*arguments: str) -> str:
    """What a command prints that is expected to go well."""
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    return result.output


def imported_by(code: str) -> set[str]:
    bare = {name: value for name, value in os.environ.items() if not name.startswith("COV")}  # imports much of its own
    command = [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=bare)
    return set(done.stdout.splitlines()[-1].split())


def test_importing_boardwright_and_showing_help_wait_for_no_compiler() -> None:
    help_shown = (
        "from typer.testing import CliRunner\nfrom boardwright.cli.main import app\nCliRunner().invoke(app, ['--help'])"
    )
    for code in ("import boardwright as bw; bw.BoardwrightError", help_shown):
        assert not imported_by(code) & {"numba", "numpy", "sqlite3"}, code


def test_every_public_name_can_be_had_and_a_wrong_one_cannot() -> None:
    for name in bw.__all__:
        assert getattr(bw, name) is not None
    assert set(bw.__all__) <= set(dir(bw))
    with pytest.raises(AttributeError, match="no attribute 'Gane'"):
        bw.Gane  # type: ignore[attr-defined]  # noqa: B018 - the attribute access is the test


def test_help_lists_the_commands_in_a_newcomers_order() -> None:
    text = shown("--help")
    places = [text.index(f" {name} ") for name in ORDER]
    assert places == sorted(places)
    for name in ORDER:
        assert "Usage" in shown(name, "--help")


def test_version() -> None:
    assert shown("--version") == f"boardwright {bw.__version__}\n"


def test_without_a_command_a_program_gets_the_help_and_a_person_the_page() -> None:
    assert "Usage" in shown() and " serve " in shown()
    screen, terminal = pty.openpty()
    bare = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    with hearing_ctrl_c():
        running = subprocess.Popen(
            [sys.executable, "-m", "boardwright"],
            stdin=terminal, stdout=terminal, stderr=terminal, env=bare, start_new_session=True,
        )  # fmt: skip
    os.close(terminal)
    seen = b""
    while not (found := re.search(rb"Boardwright is at (http://\S+)", seen)):
        seen += os.read(screen, 1000)
    with urlopen(found[1].decode(), timeout=60) as page:
        assert b"<title>Boardwright" in page.read()
    os.killpg(running.pid, signal.SIGTERM)  # it compiles in the background, where a Ctrl-C may be lost
    assert running.wait(PATIENCE) is not None
    os.close(screen)
    assert b"boardwright --help" in seen and b"Traceback" not in seen


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["games", "chess"], "boardwright: no game 'chess'; there are tictactoe, gomoku, 2048, nmbr9, azul, path"),
        (["check", "nowhere.py:Game"], "boardwright: cannot read nowhere.py: No such file or directory"),
        (["play", "tictactoe", "--seat", "kasparov"], "boardwright: tictactoe: no player 'kasparov'; there are random"),
        (["play", "tictactoe", "--option", "size=big"], "boardwright: tictactoe: size='big' does not fit; it must be"),
        (["play", "tictactoe", "0a1b"], "boardwright: what is '0a1b'? A record is continued with --resume"),
        (["play"], "boardwright: name a game to play: tictactoe, gomoku"),
        (["play", "--resume", "--seed", "1"], "boardwright: a game is resumed with its own options and seed; leave"),
        (["play", "--resume"], "boardwright: no unfinished game to resume; start one: boardwright play GAME"),
        (["bench", "rules", "tictactoe", "ches"], "boardwright: no game 'ches'"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_and_exit_code_2(arguments: list[str], message: str) -> None:
    done = run_here(*arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(message)
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_bad_input_in_a_process_of_its_own() -> None:
    done = boardwright("games", "chess")
    assert done.returncode == 2
    assert done.stderr.startswith("boardwright: no game 'chess'") and done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_an_unknown_option_is_exit_code_2() -> None:
    done = boardwright("play", "tictactoe", "--loud")
    assert done.returncode == 2
    assert "--loud" in done.stderr


def test_a_reader_who_leaves_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "boardwright", "games"],
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            timeout=PATIENCE,
        )
    finally:
        os.close(writing)
    assert done.stderr == ""


def test_games_lists_every_game_with_how_it_is_played() -> None:
    listed = json.loads(shown("games", "--json"))
    assert [told["name"] for told in listed] == list(BUILT_IN)
    table = shown("games")
    for told in listed:
        assert told["name"] in table
        assert told["title"]
        assert told["move_help"]
        assert told["actions"] > 0
        assert told["player_kinds"][0] == "random"


def test_games_shows_one_game_with_its_start() -> None:
    told = json.loads(shown("games", "tictactoe:size=4,line=4", "--json"))
    game = bw.load("tictactoe", size=4, line=4)
    assert told["options"]["size"] == 4
    assert told["actions"] == 16
    assert told["start"] == str(game.begin())
    assert str(game.begin()) in shown("games", "tictactoe:size=4,line=4")


def test_games_shows_a_game_from_a_file() -> None:
    told = json.loads(shown("games", f"{DICE}:DiceRace:goal=9", "--json"))
    assert (told["name"], told["options"], told["start"]) == ("DiceRace", {"goal": 9}, "0 : 0, goal 9")


def test_check_tells_what_a_good_game_passed() -> None:
    told = json.loads(shown("check", DICE, "--games", "50", "--json"))
    assert told["passed"] is True
    assert told["game"] == "DiceRace(goal=20)"
    assert told["checks"]
    assert shown("check", DICE, "--games", "50").count("✓") == len(told["checks"])


def broken_game(folder: Path) -> str:
    """The dice game with a turn that never passes to the second player's number."""
    source = Path(DICE).read_text().replace("        return s.turn\n", "        return s.turn + 5\n")
    path = folder / "broken.py"
    path.write_text(source)
    return str(path)


def test_check_names_the_broken_promise_and_exits_with_1(tmp_path: Path) -> None:
    done = boardwright("check", broken_game(tmp_path), "--games", "20")
    assert done.returncode == 1
    assert done.stdout.startswith("✗ ")
    assert "player" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
    told = boardwright("check", broken_game(tmp_path), "--games", "20", "--json")
    assert told.returncode == 1
    assert json.loads(told.stdout)["passed"] is False


def test_check_of_a_file_with_a_slip_of_the_pen_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "slip.py"
    path.write_text("import boardwright as bw\nclass Slip(bw.Game)\n    pass\n")
    done = boardwright("check", str(path))
    assert done.returncode == 1
    assert done.stdout == "✗ slip.py:2: expected ':'\n"


@pytest.mark.slow
def test_bench_rules_measures_side_by_side() -> None:
    (told,) = json.loads(shown("bench", "rules", "tictactoe", "--seconds", "0.2", "--rounds", "2", "--json"))
    assert told["game"].startswith("tictactoe(")
    speeds = told["games_per_second"]
    assert speeds["compiled"] > speeds["interpreter"] > 0
    # The same rules, whoever plays them: a random game of tic-tac-toe has 7.63 moves on average.
    for plies in told["plies_per_game"].values():
        assert 7 < plies < 8.3
    assert told["cold_seconds"] > told["warm_seconds"] > 0


def test_ctrl_c_that_falls_into_a_destructor_is_heard_after_it(capfd: pytest.CaptureFixture[str]) -> None:
    class Deaf:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGINT)

    def wait(last: list[Deaf]) -> None:
        last.clear()  # Python drops what this raises, and we wait for nothing else
        threading.Event().wait(PATIENCE)

    with hearing_ctrl_c(), heard_everywhere(), pytest.raises(KeyboardInterrupt):
        wait([Deaf()])
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("stage", ["compiling", pytest.param("round 1", marks=pytest.mark.slow)])
def test_ctrl_c_stops_a_long_command_with_one_line(stage: str) -> None:
    screen, terminal = pty.openpty()
    with hearing_ctrl_c():
        running = subprocess.Popen(
            [sys.executable, "-m", "boardwright", "bench", "rules", "tictactoe", "--seconds", "600", "--json"],
            stdout=subprocess.PIPE,
            stderr=terminal,
            text=True,
            start_new_session=True,  # a group of its own: Ctrl-C reaches a whole group
        )
    os.close(terminal)
    seen = b""
    while stage.encode() not in seen:
        seen += os.read(screen, 1000)
    os.killpg(running.pid, signal.SIGINT)
    out, _ = running.communicate(timeout=PATIENCE)
    while b"stopped" not in seen:
        seen += os.read(screen, 1000)
    os.close(screen)
    assert running.returncode == 130
    assert seen.endswith(b"\x1b[2Kboardwright: stopped\r\n")
    assert b"Traceback" not in seen
    assert json.loads(out) == []


@pytest.mark.parametrize(
    ("game", "best"),
    [
        ("tictactoe", "mcts:net=auto,seconds=0.5"),
        ("gomoku", "mcts:value=auto,seconds=0.5"),
        ("gomoku:size=13", "mcts:seconds=0.5"),  # nothing for 13x13
        ("2048", "tuples:plies=2"),
        ("2048:size=5", "mcts:seconds=0.5"),
        ("nmbr9", "values:seconds=0.5"),
        ("nmbr9:table=24,levels=4", "mcts:seconds=0.5"),
        (DICE, "mcts:seconds=0.5"),
        *slowly(("gomoku:size=7", "mcts:net=auto,seconds=0.5"), ("azul", "mcts:value=auto,seconds=0.5")),
    ],
)
def test_the_best_known_player_has_the_model_that_comes_along(game: str, best: str) -> None:
    from boardwright.learn.strongest import best_known

    loaded = bw.load(game)
    assert best_known(loaded, 0.5) == best
    if not best.startswith("mcts:seconds") and (thorough() or game != "nmbr9"):  # a model that fits: it plays
        assert bw.player(best, loaded).choose(loaded.begin(1)).move in loaded.begin(1).moves


def test_auto_is_the_model_that_comes_along_or_what_there_is_is_told() -> None:
    from boardwright.learn.kernel.model import load_value
    from boardwright.learn.strongest import best_known

    assert best_known(bw.load("azul"), 0.5) == "mcts:value=auto,seconds=0.5", "there is a network besides"
    assert load_value("auto", bw.load("azul"))[0].has_policy
    with pytest.raises(bw.InputError, match=r"no value comes with Boardwright for azul.*azul-2-players-value"):
        bw.player("mcts:value=auto", bw.load("azul", rounds=5))
    with pytest.raises(bw.InputError, match="tictactoe: no value comes with Boardwright; train one: boardwright train"):
        bw.player("value:", bw.load("tictactoe"))


def test_a_match_without_players_takes_the_strongest_and_says_so() -> None:
    done = run_here("match", "tictactoe", "--games", "2", "--workers", "0", "--json")
    assert done.returncode == 0, done.stderr
    assert "No players named: mcts:net=auto,seconds=0.1, the strongest there is, meets mcts:seconds=0.1." in done.stderr
    assert {line["name"] for line in json.loads(done.stdout)["players"]} == {
        "mcts:net=auto,seconds=0.1",
        "mcts:seconds=0.1",
    }
