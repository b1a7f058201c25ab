"""`boardwright play`: whole games typed at the prompt, in real processes where a process can die."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import boardwright as bw
from boardwright.cli.main import app
from boardwright.cli.play import verdict
from boardwright.cli.session import Session, fill_seats
from boardwright.records import Summary
from boardwright.records.live_game import HUMAN

DICE = str(Path(__file__).parent / "games" / "dicerace.py")
PIG = str(Path(__file__).parents[1] / "docs" / "examples" / "pig.py")
PROMPT = "(? for help)> "


def play(*arguments: str, typed: str) -> str:
    """What the screen shows while somebody types these lines."""
    result = CliRunner().invoke(app, ["play", *arguments], input=typed)
    assert result.exit_code == 0, (result.output, result.exception)
    return result.output


def library() -> list[Summary]:
    return bw.Library().find()


def test_a_whole_game_against_a_player_is_saved_and_replays() -> None:
    screen = play("tictactoe", "--seat", "human", "--seat", "human", typed="b2\na1\nb1\na2\nb3\n")
    assert "player 1 (human) wins." in screen
    (summary,) = library()
    record = bw.Library().get(summary.id)
    assert record.status == "finished"
    assert record.plies == ("b2", "a1", "b1", "a2", "b3")
    assert record.results == (1.0, -1.0)
    assert len(record.seconds) == 5
    assert record.note == ""
    assert record.replay().is_over
    assert f"Record {record.id}. Look at it again: boardwright records replay {record.id[:8]}" in screen


def test_players_who_need_no_person_play_on_alone() -> None:
    screen = play("tictactoe", "--seat", "random:seed=4", "--seat", "greedy", "--seed", "1", typed="")
    assert PROMPT not in screen
    (summary,) = library()
    assert bw.Library().get(summary.id).players == ("random:seed=4", "greedy")


def test_the_same_seed_is_the_same_game_and_starts_as_begin_does() -> None:
    first = play(DICE, "--seed", "7", typed="two\none\n")
    again = play(DICE, "--seed", "7", typed="two\none\n")
    other = play(DICE, "--seed", "8", typed="two\none\n")
    drawn = [[line for line in screen.splitlines() if line.startswith("drawn: ")] for screen in (first, again, other)]
    assert len(drawn[0]) == 4
    assert drawn[0] == drawn[1] != drawn[2]
    azul = bw.load("azul")
    assert str(azul.begin(seed=7)) in play("azul", "--seed", "7", typed="")


def test_an_illegal_move_is_explained_and_asked_again() -> None:
    screen = play("tictactoe", typed="z9\n\n\x1b[31mb2\n" + "x" * 5000 + "\nb2\nb2\n")
    assert screen.count(PROMPT) == 7
    assert "tictactoe: 'z9' - " in screen
    assert max(map(len, screen.splitlines())) < 5100  # the long line is echoed once, not explained in full
    (summary,) = library()
    assert bw.Library().get(summary.id).plies[0] == "b2"


def test_help_names_moves_and_commands() -> None:
    screen = play("tictactoe", typed="?\n")
    assert bw.load("tictactoe").move_help in screen
    for word in ("a1", "c3", "undo", "hint [PLAYER]", "resign", "quit"):
        assert word in screen
    assert "o15" not in play("gomoku", typed="help\n").replace("15  ", "")
    assert "o15" in play("gomoku", typed="moves\n")


def test_undo_takes_back_to_the_last_decision_and_the_same_draws_come_again() -> None:
    screen = play(
        DICE, "--seed", "3", "--seat", "human", "--seat", "human", typed="two\none\nundo\nundo\ntwo\none\nquit\n"
    )
    drawn = [line for line in screen.splitlines() if line.startswith("drawn: ")]
    assert drawn[:2] == drawn[2:]
    assert screen.count("The game is now marked as assisted.") == 2
    (summary,) = library()
    record = bw.Library().get(summary.id)
    assert record.note == "assisted: undo"
    assert [ply for ply in record.plies if not ply.startswith("~")] == ["two", "one"]
    assert len(record.seconds) == 2


def test_undo_passes_over_what_other_players_did() -> None:
    session = Session.new(bw.load(DICE), [HUMAN, "greedy"], seed=5)
    assert not session.take_back()
    start = session.position
    session.play("one", 0.5)
    session.play(session.let_choose().move, 0.1)
    assert session.human_to_move
    assert session.take_back()
    assert session.position.key == start.key
    assert session.seconds == []


def test_a_record_does_not_choose_which_file_is_run(tmp_path: Path) -> None:
    game, own = bw.load("tictactoe"), tmp_path / "mine.py"
    own.write_text("raise SystemExit('this file was run')\n")
    record = bw.Record.of(game.begin().play("b2"), seed=1, players=[HUMAN, f"{own}:Mine"], seconds=[1.0])
    with pytest.raises(bw.InputError, match="say with --seat who shall sit there"):
        Session.resume(record, game, [])
    assert Session.resume(record, game, [HUMAN, "greedy"]).position.key == record.replay(game).key


def test_a_record_without_times_goes_on_without_them() -> None:
    game = bw.load("tictactoe")
    session = Session.resume(
        bw.Record.of(game.begin().play("b2"), seed=1, players=[HUMAN, HUMAN]), game, [HUMAN, HUMAN]
    )
    session.play("a1", 2.0)
    assert session.record().plies == ("b2", "a1") and session.record().seconds == ()


def test_a_hint_names_a_legal_move_and_is_noted() -> None:
    screen = play("tictactoe", typed="hint\nhint random:seed=2\nhint nobody\nb2\n")
    assert "mcts:net=auto,seconds=0.5 would play " in screen
    assert "random:seed=2 would play " in screen
    assert "no player 'nobody'" in screen
    (summary,) = library()
    assert bw.Library().get(summary.id).note == "assisted: hint"


def test_a_game_without_a_policy_has_a_hint_too() -> None:
    assert not bw.load(PIG).policies
    screen = play(PIG, typed="hint\n")
    assert "mcts:seconds=0.5 would play " in screen
    assert "player 2 (mcts:seconds=0.5)" in screen


def test_resigning_ends_the_game_as_a_forfeit() -> None:
    screen = play("tictactoe", typed="b2\nresign\n")
    assert "player 1 (human) resigns." in screen
    (summary,) = library()
    record = bw.Library().get(summary.id)
    assert (record.status, record.note) == ("forfeit", "player 1 resigned")
    assert record.replay() is not None


def test_leaving_before_the_first_move_saves_nothing() -> None:
    assert "Nothing has been played yet" in play("tictactoe", typed="quit\n")
    assert library() == []


def test_resume_goes_on_with_the_latest_or_the_named_record() -> None:
    play("tictactoe", "--seat", "human", "--seat", "human", typed="b2\n")
    play("tictactoe:size=4", "--seat", "human", "--seat", "human", typed="a1\nd4\n")
    newest, oldest = library()
    assert "your move, player 1 " in play("--resume", typed="")  # the latest: 4x4, two moves played
    assert "your move, player 2 " in play("--resume", oldest.id[:6], typed="a1\nc3\nquit\n")
    assert bw.Library().get(oldest.id).plies == ("b2", "a1", "c3")
    assert bw.Library().get(newest.id).plies == ("a1", "d4")
    assert len(library()) == 2


def test_a_finished_game_cannot_be_resumed() -> None:
    play("tictactoe", "--seat", "random", "--seat", "random", typed="")
    (summary,) = library()
    result = CliRunner().invoke(app, ["play", "--resume", summary.id])
    assert isinstance(result.exception, bw.InputError)
    assert "is finished; look at it with: boardwright records replay" in str(result.exception)


def test_a_game_from_a_file_is_resumed_by_naming_the_file() -> None:
    play(DICE, "--option", "goal=50", "--seat", "human", "--seat", "greedy", typed="two\n")
    (summary,) = library()
    result = CliRunner().invoke(app, ["play", "--resume"])
    assert "'DiceRace', which is not built in; say where it is" in str(result.exception)
    assert "goal 50" in play(DICE, "--resume", typed="")
    assert "goal 50" in play(DICE, "--resume", summary.id, typed="")


def test_a_killed_game_loses_nothing() -> None:
    running = subprocess.Popen(
        [sys.executable, "-m", "boardwright", "play", DICE, "--seed", "11"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert running.stdin is not None
    assert running.stdout is not None
    screen = b""
    for prompts, move in ((1, b"two\n"), (2, b"one\n"), (3, b"")):
        while screen.count(PROMPT.encode()) < prompts:
            read = running.stdout.read1(1000)  # type: ignore[attr-defined]  # a pipe is buffered
            assert read, screen
            screen += read
        running.stdin.write(move)
        running.stdin.flush()
    running.kill()
    running.communicate()
    boards = [line for line in screen.decode().splitlines() if ", goal " in line]
    (summary,) = library()
    record = bw.Library().get(summary.id)
    assert record.status == "unfinished"
    assert [ply for ply in record.plies if not ply.startswith("~")] == ["two", "two", "one", "two"]
    assert boards[-1] in play(DICE, "--resume", typed="")
    # The rest of the game is the one that an undisturbed process would have played.
    undisturbed = play(DICE, "--seed", "11", typed="two\none\ntwo\n")
    resumed = play(DICE, "--resume", summary.id, typed="two\n")
    assert [line for line in undisturbed.splitlines() if ", goal " in line][-1] in resumed


def on_a_terminal(*arguments: str) -> str:
    """What a real terminal is sent while two players who need no person play."""
    screen, terminal = pty.openpty()
    command = [sys.executable, "-m", "boardwright", "play", "tictactoe", "--seat", "random", "--seat", "random"]
    running = subprocess.Popen([*command, *arguments], stdin=terminal, stdout=terminal, stderr=subprocess.DEVNULL)
    os.close(terminal)
    seen = b""
    while b"records replay" not in seen:
        seen += os.read(screen, 1000)
    running.wait(timeout=240)
    os.close(screen)
    return seen.decode()


@pytest.mark.slow
def test_colours_on_a_terminal_only_and_only_where_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    assert "\x1b" not in play("tictactoe", typed="b2\n")
    assert "\x1b[" in on_a_terminal()
    assert "\x1b" not in on_a_terminal("--plain")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]m", on_a_terminal())


def test_seats_are_filled_with_a_person_first_and_then_the_best_player() -> None:
    best = "mcts:value=auto,seconds=0.5"  # a value for three comes along
    assert fill_seats(bw.load("azul", players=3), []) == ("human", best, best)
    assert fill_seats(bw.load("azul", players=3), ["random"]) == ("random", best, best)
    assert fill_seats(bw.load("azul", rounds=5), []) == ("human", "mcts:seconds=0.5")
    assert fill_seats(bw.load("2048"), []) == ("human",)


def test_the_verdict_tells_points_and_winners() -> None:
    names = ["Ann", "Bob"]
    game = bw.load(DICE, goal=5)
    position = game.begin()
    for step in ("two", "2", "3"):
        position = position.advance(step)
    assert verdict(position, names) == ["Points: Ann 5, Bob 0", "Ann wins."]
    drawn = bw.load("tictactoe").begin()
    for step in "b2 a1 b1 b3 a3 c1 c2 a2 c3".split():
        drawn = drawn.play(step)
    assert verdict(drawn, names) == ["A draw."]
