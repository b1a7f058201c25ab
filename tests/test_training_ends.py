"""How trainings end: the last rating is what is told, progress counts it, and what is refused leaves nothing behind."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

import boardwright as bw
from boardwright.arena.workers import Here
from boardwright.learn.display import View
from boardwright.learn.metrics import read_metrics
from boardwright.learn.models import load_model
from boardwright.learn.runs import Run
from boardwright.learn.selfplay import loop
from boardwright.learn.selfplay.settings import SelfplaySettings
from boardwright.learn.selfplay.training import WARM_UP, learning_rate
from tests.processes import run_here
from tests.test_selfplay_loop import SEED, TINY, job_for


class Heard(View):
    """Keeps what it is told."""

    def __init__(self) -> None:
        super().__init__(quiet=True)
        self.progressed: list[tuple[float, str]] = []

    def progress(self, done: float, seconds: float, note: str = "") -> None:
        self.progressed.append((done, note))


def rated_run(folder: Path, view: View, **changes: Any) -> loop.Loop:
    """Two iterations in this process, the first of them rated as the end is."""
    game = bw.load("tictactoe")
    settings = SelfplaySettings(**{**TINY, "iterations": 2, "rate_games": 4, "rate_simulations": 4, **changes})
    with Run(folder, game, "selfplay", settings, SEED, 0.0, view) as run:
        made = loop.Loop(run, settings, Here(job_for(game, settings)))
        made.iterate()
        made.rating.rate(1, made.trainer.playing())
        made.rating._due = math.inf  # the clock shall not ask for more
        made.go()
        made.finish()
    return made


def test_the_last_rating_is_printed_kept_and_drawn_and_progress_counts_it(tmp_path: Path) -> None:
    view = Heard()
    made = rated_run(tmp_path / "run", view)
    assert made.rating.names[1:] == ["iteration-000001", "iteration-000002"]
    lines = [line for line in read_metrics(tmp_path / "run") if "elo" in line]
    assert [line["step"] for line in lines] == [2, 2]  # the first, told with the iteration after it, and the last
    assert lines[-1]["elo"] == pytest.approx(made.rating.figures()["elo"])
    assert f"elo {lines[-1]['elo']:.3g}"[:6] in view.summary()
    about = load_model(tmp_path / "run", "net", made.run.game).about
    assert about["elo"] == pytest.approx(made.rating.best_figures()["elo"], abs=0.06)
    rating = [done for done, note in view.progressed if note.startswith("rating")][-9:]  # those of the end
    assert rating == sorted(rating) and all(done < 1.0 for done in rating[:-1]) and rating[-1] == pytest.approx(1.0)
    assert all(done <= 1.0 - made.run.ending + 1e-9 for done, note in view.progressed if not note.startswith("rating"))
    assert made.run.ending > 0.0


def test_a_run_that_is_stopped_keeps_no_rating_of_another_network(tmp_path: Path) -> None:
    class Stops(Heard):
        def figures(self, figures: Any) -> None:
            super().figures(figures)
            run.stop()

    game, settings = bw.load("tictactoe"), SelfplaySettings(**{**TINY, "rate_games": 4, "rate_simulations": 4})
    with Run(tmp_path / "run", game, "selfplay", settings, SEED, 0.0, Stops()) as run:
        made = loop.Loop(run, settings, Here(job_for(game, settings)))
        made.rating.rate(0, made.trainer.playing())
        made.rating._due = math.inf
        made.go()
        made.finish()
    assert "elo" not in load_model(tmp_path / "run", "net", game).about


def test_a_run_can_be_played_with_while_it_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "SAVE_EVERY", 0.0)
    game, settings = bw.load("tictactoe"), SelfplaySettings(**{**TINY, "iterations": 2})
    with Run(tmp_path / "run", game, "selfplay", settings, SEED, 0.0, View(quiet=True)) as run:
        made = loop.Loop(run, settings, Here(job_for(game, settings)))
        made.rating._off = True
        made.go()
        assert load_model(tmp_path / "run", "net", game).about["iterations"] == 2


@pytest.mark.parametrize(
    ("game", "more", "reason"),
    [
        ("nmbr9", ["--method", "selfplay"], "43350 distinct moves"),
        ("tictactoe", ["--method", "kernel", "--set", "minutes=0"], "or it would never end"),
        ("tictactoe", ["--method", "tuples", "--set", "patterns=4x9"], "patterns"),
        ("tictactoe", ["--preset", "dinner"], "no preset 'dinner'"),
        ("docs/examples/pig.py:Pig", ["--method", "selfplay", "--set", "warm=5"], "has no policy of its own"),
        ("docs/examples/pig.py:Pig", ["--method", "tuples"], ""),
    ],
)
def test_a_refused_training_leaves_no_folder(tmp_path: Path, game: str, more: list[str], reason: str) -> None:
    for folder in (tmp_path / "new", tmp_path / "empty"):
        there = folder.name == "empty"
        if there:
            folder.mkdir()
        done = run_here("train", game, "--out", str(folder), *more)
        assert done.returncode == 2 and reason in done.stderr and "Traceback" not in done.stderr
        assert folder.exists() == there and not list(tmp_path.glob("*/*"))


def test_a_refused_training_leaves_an_earlier_run_alone(tmp_path: Path) -> None:
    small = ["--method", "tuples", "--set", "patterns=all-3x3", "--set", "games=40", "--set", "test_games=4"]
    assert run_here("train", "tictactoe", "--out", str(tmp_path / "run"), *small, "--no-pilot").returncode == 0
    before = sorted(path.name for path in (tmp_path / "run").iterdir())
    assert run_here("train", "tictactoe", "--out", str(tmp_path / "run"), "--method", "kernel").returncode == 2
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == before


def test_the_learning_rate_rises_and_falls_with_the_root_of_the_steps() -> None:
    rates = [float(learning_rate(0.002, 300.0, step)) for step in (0, WARM_UP // 2, WARM_UP, WARM_UP + 900)]
    assert rates == pytest.approx([0.0, 0.001, 0.002, 0.001], rel=1e-4)


def test_searches_are_deeper_where_chance_makes_values_noisy() -> None:
    dice, plain = (SelfplaySettings.presets(bw.load(name)) for name in ("docs/examples/pig.py:Pig", "tictactoe"))
    for preset in dice:
        assert dice[preset]["simulations"] > plain[preset]["simulations"]  # type: ignore[operator]  # both whole
        assert dice[preset]["fast_simulations"] > plain[preset].get("fast_simulations", 8)  # type: ignore[operator]  # read from JSON
