"""`boardwright train`: killed, stopped, resumed and refused; the same command, the same table."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import boardwright as bw
from boardwright.cli.train import METHODS, field_docs, find_method
from boardwright.contract.errors import InputError
from boardwright.learn.metrics import Metrics, read_metrics
from boardwright.learn.models import load_model
from boardwright.learn.tuples.settings import TupleSettings
from boardwright.learn.tuples.train import TupleLearner, slice_games
from tests.marks import slowly
from tests.processes import PATIENCE, hearing_ctrl_c, killed_at, run_here

UR = "docs/examples/royal_ur.py:RoyalUr:pieces=2"
QUICK = ["--set", "patterns=045+569", "--set", "games=1200", "--set", "test_games=20", "--set", "test_points=6"]


def command(out: Path, *more: str, game: str = "2048", method: str = "tuples") -> list[str]:
    start = [sys.executable, "-m", "boardwright", "train", game, "--method", method, "--no-pilot"]
    return [*start, "--out", str(out), *more]


def run(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(list(args), capture_output=True, text=True, timeout=300, check=False)


def table(folder: Path) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    learned: np.ndarray[tuple[int], np.dtype[np.float32]] = load_model(folder, "tuples", bw.load("2048")).arrays[
        "learned"
    ]
    return learned


def figures(folder: Path) -> list[tuple[int, float, float]]:
    """What does not depend on the clock."""
    return [(line["step"], line["training_score"], line["score"]) for line in read_metrics(folder)]


@pytest.mark.slow
def test_a_killed_training_goes_on_to_the_same_table(tmp_path: Path) -> None:
    """kill -9 at moments between and inside checkpoints; the table, the curve and the counts are those of a run that
    nobody touched."""
    whole = run_here(*command(tmp_path / "whole", *QUICK)[3:])
    assert whole.returncode == 0, whole.stderr
    often = [*QUICK, "--set", "checkpoint_minutes=0"]
    for where in ("metrics:Metrics.add", "runs:save_arrays", "metrics:Metrics.add"):
        killed_at(f"boardwright.learn.{where}", 1, *command(tmp_path / "killed", *often)[3:])
    last = run(*command(tmp_path / "killed", *often))
    assert last.returncode == 0, last.stderr
    np.testing.assert_array_equal(table(tmp_path / "killed"), table(tmp_path / "whole"))
    assert figures(tmp_path / "killed") == figures(tmp_path / "whole")
    steps = [step for step, *_ in figures(tmp_path / "killed")]
    assert len(steps) == 6 and steps == sorted(set(steps)) and steps[-1] == 1200
    for made in ("curve.svg", "curve.png", "model.safetensors", "run.json"):
        assert (tmp_path / "killed" / made).stat().st_size > 100
    assert f"Model: {tmp_path / 'killed' / 'model.safetensors'}" in last.stdout
    assert "Next: boardwright bench tiles tuples:table=" in last.stdout
    again = run_here(*command(tmp_path / "killed", *often)[3:])  # nothing is left to do
    assert again.returncode == 0 and "Going on after 1,200 games." in again.stderr


def test_ctrl_c_saves_and_says_how_to_go_on(tmp_path: Path) -> None:
    endless = command(tmp_path / "run", "--set", "patterns=045", "--set", "games=100000000")
    with hearing_ctrl_c():
        running = subprocess.Popen(endless, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while running.poll() is None and not (tmp_path / "run" / "metrics.jsonl").exists():
        try:
            running.wait(0.02)
        except subprocess.TimeoutExpired:
            continue
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130, err
    assert "Saved and stopped. Go on with: boardwright train 2048 --method tuples" in err and "Traceback" not in err
    assert list((tmp_path / "run" / "checkpoints").glob("step-*.json"))
    changed = run_here(*endless[3:], "--set", "alpha=0.5")
    assert changed.returncode == 2
    assert "was begun with alpha=1.0 (now 0.5); use the same settings to go on" in changed.stderr


@pytest.mark.parametrize(("method", "game"), [("tuples", "2048"), ("kernel", UR), *slowly(("selfplay", "tictactoe"))])
def test_ctrl_c_is_heard_from_the_first_sign_of_a_run_on(
    method: str, game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes with the first file that somebody can see, and the training says what it says later."""

    class Seen(Metrics):
        def __init__(self, folder: Path) -> None:
            super().__init__(folder)
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("boardwright.learn.runs.Metrics", Seen)
    small = ("--set", "first=32", "--set", "second=8") if method == "kernel" else ()  # as in test_kernel_learning
    with hearing_ctrl_c():
        stopped = run_here(*command(tmp_path / "run", *small, game=game, method=method)[3:])
    assert stopped.returncode == 130, stopped.stderr
    assert f"Saved and stopped. Go on with: boardwright train {game} --method {method}" in stopped.stderr


def test_minutes_end_a_training_and_count_over_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that moves half a second with each slice of games, and stands still while the machine gets ready."""
    clock, run_slice = [0.0], TupleLearner.run_slice

    def timed_slice(learner: TupleLearner, share: float, pool: Any) -> None:
        run_slice(learner, share, pool)
        clock[0] += 0.5

    monkeypatch.setattr(TupleLearner, "run_slice", timed_slice)
    monkeypatch.setattr("boardwright.learn.runs.time", SimpleNamespace(monotonic=lambda: clock[0]))
    timed = command(tmp_path / "run", "--set", "patterns=045", "--set", "games=100000000", "--minutes", "0.02")
    first = run_here(*timed[3:])
    assert first.returncode == 0, first.stderr
    done = int(json.loads(next((tmp_path / "run" / "checkpoints").glob("*.json")).read_text())["checkpoint"]["step"])
    assert done == 3 * slice_games(TupleSettings(games=10**8)), "1.2 seconds are over after the third slice"
    assert run_here(*timed[3:]).returncode == 0  # its minutes are used up: nothing more is learnt
    assert {int(path.stem[5:]) for path in (tmp_path / "run" / "checkpoints").glob("*.json")} == {done}


def test_two_commands_cannot_train_in_one_folder(tmp_path: Path) -> None:
    from boardwright.learn.files import FolderLock

    (tmp_path / "run").mkdir()
    lock = FolderLock(tmp_path / "run")
    refused = run(*command(tmp_path / "run", *QUICK))
    lock.release()
    assert refused.returncode == 2 and "another process trains in" in refused.stderr


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        (["--set", "patterns=4x9"], "is no set of different cells"),
        (["--set", "games=many"], "method tuples: games='many' does not fit; it must be a whole number"),
        (["--set", "speed=9"], "method tuples has no setting 'speed'; its settings are: patterns=auto"),
        (["--set", "games"], "'games' is no setting; write name=value"),
        (["--preset", "dinner"], "no preset 'dinner' of method tuples; there are quick, lunch, night"),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing(tmp_path: Path, more: list[str], reason: str) -> None:
    done = run_here(*command(tmp_path / "run", *more)[3:])
    assert done.returncode == 2 and reason in done.stderr and len(done.stderr.splitlines()) <= 2
    assert not (tmp_path / "run" / "checkpoints").exists()


def test_methods_and_settings_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_here(*command(tmp_path, method="magic")[3:]).stderr == (
        f"boardwright: no method 'magic'; there are {', '.join(METHODS)}\n"
    )
    with pytest.raises(InputError, match="no method 'magic'"):
        find_method("magic")
    assert find_method("tuples")[0] is TupleSettings
    docs = field_docs(TupleSettings)
    assert set(docs) == {field.name for field in dataclasses.fields(TupleSettings)} and "lambda" in docs["trace"]
    monkeypatch.setenv("COLUMNS", "200")
    told = run_here(*command(tmp_path, "--settings")[3:]).stdout
    assert all(name in told for name in docs) and "quick" in told and "night" in told


def test_a_run_without_out_has_a_folder_of_its_own() -> None:
    small = ["--set", "patterns=all-3x3", "--set", "games=200", "--set", "test_games=10"]
    base = ["train", "tictactoe", "--method", "tuples", "--no-pilot", *small]
    first = run_here(*base)
    assert first.returncode == 0, first.stderr
    (folder,) = (Path(os.environ["BOARDWRIGHT_HOME"]) / "runs").iterdir()
    assert folder.name.startswith("tictactoe-tuples-quick-")
    assert f"boardwright match tictactoe tuples:table={folder} random --games 20" in first.stdout
    assert "Going on after 200 games." in run_here(*base).stderr
    played = run_here("match", "tictactoe", f"tuples:table={folder}", "random", "--games", "4", "--workers", "0")
    assert played.returncode == 0 and "forfeit" not in played.stdout


def test_another_table_in_the_same_place_is_another_player(tmp_path: Path) -> None:
    """A match asked for again must not answer with games of the table that lay there before."""
    from boardwright.arena.pairing import Schedule, Terms

    game = bw.load("tictactoe")
    ids = set()
    for seed in (1, 2):
        (tmp_path / "model.safetensors").write_bytes(bytes([seed]))
        for spec in (f"tuples:table={tmp_path}", f"tuples:table={tmp_path / 'model.safetensors'}"):
            ids.add(next(iter(Schedule(game, (spec, "random"), Terms()).sets(1)))[0].id)
    assert len(ids) == 4
