"""Runs: whole or refused checkpoints, one trainer a folder, metrics that count nothing twice, model files."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boardwright as bw
from boardwright.contract.errors import InputError
from boardwright.learn.display import CurvePanel, View, draw_curves, duration, figure_text, short_number
from boardwright.learn.files import FolderLock, place, read_arrays, save_arrays
from boardwright.learn.metrics import Metrics, read_metrics
from boardwright.learn.models import SHIPPED, find_model, load_model, save_model, shipped_models
from boardwright.learn.runs import Run, default_folder, random_from, random_state
from tests.marks import examples
from tests.processes import hearing_ctrl_c


@dataclass(frozen=True)
class Some:
    """Settings of a method that exists only here."""

    games: int = 10  # how many
    alpha: float = 0.5  # how much
    threads: int = 1  # how wide

    MAY_CHANGE: ClassVar[tuple[str, ...]] = ("threads",)


GAME = bw.load("tictactoe")


def a_run(path: Path, own: Any = None, **other: Any) -> Run:
    return Run(
        **{"path": path, "game": GAME, "method": "some", "settings": own or Some(), "view": View(quiet=True), **other}
    )


def numbers(start: float) -> dict[str, Any]:
    return {"a": np.arange(start, start + 6, dtype=np.float32).reshape(2, 3), "b": np.array([2**63 + 5], np.uint64)}


def filled(path: Path) -> None:
    """A run with checkpoints at 1, 2 and 3, of which two are kept, and a line of metrics before each."""
    with a_run(path) as run:
        assert run.resume() is None
        for step in (1, 2, 3):
            run.log(step, {"score": 10.0 * step})
            run.save(step, numbers(step), {"games": step, "random": random_state(np.array([2**64 - step], np.uint64))})


def test_a_run_goes_on_from_its_last_checkpoint(tmp_path: Path) -> None:
    filled(tmp_path / "run")
    with a_run(tmp_path / "run") as run:
        checkpoint = run.resume()
        assert checkpoint is not None and checkpoint.step == 3 and not run.refused
        for name, array in numbers(3).items():
            np.testing.assert_array_equal(checkpoint.arrays[name], array)
            assert checkpoint.arrays[name].dtype == array.dtype
        assert random_from(checkpoint.state["random"])[0] == 2**64 - 3  # exactly, though no float holds it
    kept = sorted(path.name for path in (tmp_path / "run" / "checkpoints").iterdir())
    assert kept == [f"step-{step:012d}.{kind}" for step in (2, 3) for kind in ("json", "safetensors")]


@examples(40)
@given(which=st.sampled_from(["json", "safetensors"]), cut=st.floats(0.0, 0.999), flip=st.booleans())
def test_a_cut_or_altered_checkpoint_is_refused_and_the_one_before_is_used(
    tmp_path_factory: pytest.TempPathFactory, which: str, cut: float, flip: bool
) -> None:
    folder = tmp_path_factory.mktemp("runs") / "run"
    filled(folder)
    victim = folder / "checkpoints" / f"step-000000000003.{which}"
    data = bytearray(victim.read_bytes())
    place_ = int(cut * len(data))
    if flip:
        data[place_] ^= 1
        victim.write_bytes(data)
    else:
        victim.write_bytes(data[:place_])
    with a_run(folder) as run:
        checkpoint = run.resume()
        assert checkpoint is not None and checkpoint.step == 2
        assert len(run.refused) == 1 and run.refused[0].startswith("step-000000000003.json: ")
        assert [line["step"] for line in read_metrics(folder)] == [1, 2]  # what came after is forgotten


def test_a_checkpoint_of_another_run_is_foreign(tmp_path: Path) -> None:
    filled(tmp_path / "ours")
    with a_run(tmp_path / "theirs", Some(alpha=0.25)) as run:
        run.save(9, numbers(9), {})
    for path in (tmp_path / "theirs" / "checkpoints").iterdir():
        (tmp_path / "ours" / "checkpoints" / path.name).write_bytes(path.read_bytes())
    with a_run(tmp_path / "ours") as run:
        checkpoint = run.resume()
        assert checkpoint is not None and checkpoint.step == 3
        assert run.refused == ["step-000000000009.json: it belongs to another run"]


def test_without_a_good_checkpoint_everything_starts_again(tmp_path: Path) -> None:
    filled(tmp_path / "run")
    for path in (tmp_path / "run" / "checkpoints").glob("*.json"):
        path.write_text("{}")
    with a_run(tmp_path / "run") as run:
        assert run.resume() is None and len(run.refused) == 2
        assert read_metrics(tmp_path / "run") == []


def test_settings_must_agree_but_for_those_that_may_change(tmp_path: Path) -> None:
    filled(tmp_path / "run")
    with a_run(tmp_path / "run", Some(threads=2)) as run:
        assert run.resume() is not None
    with pytest.raises(InputError, match=r"was begun with games=10 \(now 11\), alpha=0.5 \(now 1.0\); use the same"):
        a_run(tmp_path / "run", Some(games=11, alpha=1.0)).__enter__()
    with pytest.raises(InputError, match="trains seed 0, not 3; say --out with another folder"):
        a_run(tmp_path / "run", seed=3).__enter__()
    with pytest.raises(InputError, match='trains game "tictactoe", not "gomoku"'):
        a_run(tmp_path / "run", game=bw.load("gomoku")).__enter__()
    (tmp_path / "run" / "run.json").write_text("{")
    with pytest.raises(InputError, match=r"run.json cannot be read .*; choose another --out"):
        a_run(tmp_path / "run").__enter__()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.tex").write_text("precious")
    with pytest.raises(InputError, match=r"is no run of ours: it holds thesis.tex"):
        a_run(tmp_path / "other").__enter__()
    with a_run(tmp_path / "third") as run:
        assert run.path.exists()


def test_two_trainers_cannot_share_a_folder(tmp_path: Path) -> None:
    text = "import sys; from boardwright.learn.files import FolderLock; from pathlib import Path\n"
    text += "try: FolderLock(Path(sys.argv[1]))\nexcept ValueError as error: print(error)\nelse: print('free')"

    def elsewhere() -> str:
        return subprocess.run(
            [sys.executable, "-c", text, str(tmp_path)], capture_output=True, text=True, check=True
        ).stdout

    lock = FolderLock(tmp_path)
    with pytest.raises(InputError, match="this process already trains in"):
        FolderLock(tmp_path)
    assert elsewhere().startswith(f"another process trains in {tmp_path}; wait for it")
    lock.release()
    assert elsewhere() == "free\n"
    FolderLock(tmp_path).release()


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    text = "import sys, os, signal; from boardwright.learn.files import FolderLock; from pathlib import Path\n"
    text += "FolderLock(Path(sys.argv[1])); os.kill(os.getpid(), signal.SIGKILL)"
    done = subprocess.run([sys.executable, "-c", text, str(tmp_path)], check=False)
    assert done.returncode == -9
    FolderLock(tmp_path).release()


def test_a_plain_install_trains_without_plots_and_events(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("tensorboardX", "matplotlib"):
        monkeypatch.setitem(sys.modules, name, None)  # as where they are not installed
    with a_run(tmp_path / "run") as run:
        run.log(1, {"score": 10.0})
        run.save(1, numbers(1.0), {})
    lines = read_metrics(tmp_path / "run")
    assert [line["score"] for line in lines] == [10.0] and not (tmp_path / "run" / "tensorboard").exists()
    assert draw_curves(lines, [CurvePanel("score", {"score": ""})], tmp_path / "curve") == []


def test_metrics_are_cut_back_and_the_events_follow(tmp_path: Path) -> None:
    from tensorboardX.proto.event_pb2 import Event

    def events() -> list[tuple[int, str, float]]:
        found = []
        (path,) = (tmp_path / "tensorboard").glob("events.out.tfevents.*")
        data = path.read_bytes()
        while data:  # length, its checksum, the event, its checksum
            size = int.from_bytes(data[:8], "little")
            event = Event.FromString(data[12 : 12 + size])
            found += [(event.step, value.tag, round(value.simple_value, 3)) for value in event.summary.value]
            data = data[16 + size :]
        return found

    metrics = Metrics(tmp_path)
    metrics.add(1, 0.5, {"score": 1.5})
    size = metrics.flush()
    metrics.add(2, 0.7, {"score": 2.5, "odd": float("nan")})
    metrics.close()
    assert events() == [(1, "score", 1.5), (2, "score", 2.5)]
    metrics = Metrics(tmp_path)
    metrics.cut(size + 7)  # in the middle of a line
    metrics.add(2, 0.9, {"score": 3.5})
    metrics.close()
    assert [(line["step"], line["score"]) for line in read_metrics(tmp_path)] == [(1, 1.5), (2, 3.5)]
    assert events() == [(1, "score", 1.5), (2, "score", 3.5)]


def test_files_are_whole_or_absent(tmp_path: Path) -> None:
    place(tmp_path / "a", b"one")
    place(tmp_path / "a", b"two")
    assert (tmp_path / "a").read_bytes() == b"two" and os.listdir(tmp_path) == ["a"]
    with pytest.raises(InputError, match="cannot write"):
        place(tmp_path / "none" / "a", b"")
    digest = save_arrays(tmp_path / "b.safetensors", numbers(1), {"x": "y"})
    assert len(digest) == 64
    assert read_arrays(tmp_path / "b.safetensors")[1] == {"x": "y"}
    with pytest.raises(InputError, match="cannot write"):
        save_arrays(tmp_path / "none" / "b.safetensors", numbers(1), {})


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return save_model(tmp_path / "m.safetensors", "tuples", GAME, {"patterns": "x"}, numbers(1), {"score": 1})


def test_models_are_found_by_path_folder_and_name(model: Path, tmp_path: Path) -> None:
    read = load_model(str(model), "tuples", GAME)
    assert (read.kind, read.game, read.settings, read.about) == ("tuples", "tictactoe", {"patterns": "x"}, {"score": 1})
    np.testing.assert_array_equal(read.arrays["a"], numbers(1)["a"])
    with pytest.raises(InputError, match=r"holds no model.safetensors \(yet\)"):
        find_model(tmp_path)
    model.rename(tmp_path / "model.safetensors")
    assert find_model(tmp_path) == tmp_path / "model.safetensors"
    with pytest.raises(InputError, match="no model 'nonesuch': no such file or run folder"):
        find_model("nonesuch")
    with pytest.raises(InputError, match=r"no model '../models/x'"):
        find_model("../models/x")


def test_models_that_do_not_fit_are_refused_with_the_reason(model: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a model for players of kind 'tuples', not 'net'"):
        load_model(model, "net", GAME)
    with pytest.raises(InputError, match="was made for tictactoe, not for gomoku"):
        load_model(model, "tuples", bw.load("gomoku"))
    bigger = bw.load("tictactoe", size=4)
    with pytest.raises(InputError, match="was made for size=3, not size=4"):
        load_model(model, "tuples", bigger)
    assert load_model(model, "tuples", bigger, ("line",)).kind == "tuples"
    data = model.read_bytes()
    cut = tmp_path / "cut.safetensors"
    for size in (0, 5, 100, len(data) - 1):
        cut.write_bytes(data[:size])
        with pytest.raises(InputError, match=r"cut.safetensors is no whole safetensors file"):
            load_model(cut, "tuples", GAME)
    cut.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    with pytest.raises(InputError, match="was altered: its digest does not fit"):
        load_model(cut, "tuples", GAME)
    save_arrays(cut, numbers(1), {})
    with pytest.raises(InputError, match="is a safetensors file, but no model of Boardwright"):
        load_model(cut, "tuples", GAME)
    heading = {"format": 99, "kind": "tuples", "game": "tictactoe", "options": {}, "settings": {}, "about": {}}
    save_arrays(cut, numbers(1), {"boardwright_model": json.dumps(heading), "sha256": ""})
    with pytest.raises(InputError, match="is a model of format 99; this Boardwright reads 2"):
        load_model(cut, "tuples", GAME)


def test_models_that_come_with_boardwright_are_small_and_have_a_card() -> None:
    for name in shipped_models():
        assert (SHIPPED / f"{name}.safetensors").stat().st_size <= 10_000_000, name
        assert (SHIPPED / f"{name}.md").read_text("utf-8").startswith("# "), name


def test_the_default_folder_is_that_of_the_command(tmp_path: Path) -> None:
    same = default_folder(GAME, "some", Some(), 0, "quick")
    assert same == default_folder(GAME, "some", Some(threads=4), 0, "quick")
    others = {
        default_folder(GAME, "some", Some(), 1, "quick"),
        default_folder(GAME, "some", Some(alpha=1.0), 0, "quick"),
    }
    assert same not in others and len(others) == 2
    assert same.parent == Path(os.environ["BOARDWRIGHT_HOME"]) / "runs"


def test_time_adds_up_over_starts_and_minutes_end_a_run(tmp_path: Path) -> None:
    with a_run(tmp_path / "run", minutes=1e-9) as run:
        assert run.stopping and not run.interrupted and run.progress(0.1) == 1.0
        run._before = 100.0
        run.save(1, numbers(1), {})
    with a_run(tmp_path / "run", minutes=10.0) as run:
        assert run.resume() is not None
        assert 100.0 <= run.seconds < 200.0 and run.progress(0.0) > 1 / 6
        run.stop()
        assert run.stopping and run.interrupted


def test_curves_are_drawn_for_what_there_is(tmp_path: Path) -> None:
    lines = [{"step": n, "seconds": n, "score": n * n, "score_low": n, "score_high": 2 * n * n} for n in range(9)]
    panels = [CurvePanel("points", {"score": "tests", "absent": "none"}), CurvePanel("nothing", {"absent": ""})]
    made = draw_curves(lines, panels, tmp_path / "curve", title="a $ title")
    assert [path.suffix for path in made] == [".svg", ".png"]
    assert made[0].read_text("utf-8").count("<svg") == 1 and made[1].stat().st_size > 5000
    assert draw_curves([], panels, tmp_path / "none") == []


@pytest.mark.parametrize(
    ("value", "text"), [(123456.7, "123,457"), (0.04321, "0.0432"), (123.456, "123.5"), (2.0, "2"), (float("nan"), "-")]
)
def test_figures_read_well(value: float, text: str) -> None:
    assert figure_text(value) == text


def test_numbers_and_times_read_well() -> None:
    assert [duration(s) for s in (3, 75, 3725, float("inf"))] == ["3 s", "1 min 15 s", "1 h 2 min", "?"]
    assert [short_number(x) for x in (250_000, 1_500_000, 0.25)] == ["250k", "1.5M", "0.25"]


@pytest.mark.parametrize("heard", [True, False])
def test_ctrl_c_stops_a_run_unless_it_was_started_deaf_to_it(heard: bool, tmp_path: Path) -> None:
    with hearing_ctrl_c(heard), a_run(tmp_path / "run") as run:
        signal.raise_signal(signal.SIGINT)
        assert run.stopping == run.interrupted == heard
        if not heard:
            signal.raise_signal(signal.SIGTERM)
        assert run.interrupted
