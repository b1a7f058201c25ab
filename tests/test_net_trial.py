"""A long training inside the kernel asks once whether self-play would be stronger, and says what it found."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import boardwright as bw
from boardwright.arena.intervals import Estimate
from boardwright.arena.workers import Here
from boardwright.contract.errors import InputError
from boardwright.learn.display import View
from boardwright.learn.kernel.settings import KernelSettings
from boardwright.learn.net_trial import NAME, Offer, OfferTerms, fits, learn_beside, trial_settings, verdict
from boardwright.learn.pilot.strength import Met
from boardwright.learn.runs import Run
from boardwright.learn.selfplay.settings import SelfplaySettings
from tests.processes import hearing_ctrl_c
from tests.test_selfplay_loop import SEED, TINY, job_for

AT_ONCE = OfferTerms(share=0.0, match=4.0)


class Told(View):
    """Keeps what it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.notes: list[str] = []

    def say(self, text: str) -> None:
        self.said.append(text)

    def progress(self, done: float, seconds: float, note: str = "") -> None:
        self.notes.append(note)


def run_in(folder: Path, minutes: float = 30.0, **more: Any) -> Run:
    return Run(folder, bw.load("tictactoe"), "kernel", KernelSettings(), SEED, minutes, Told(), **more)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with hearing_ctrl_c(), run_in(tmp_path / "run") as made:
        yield made


def told(run: Run) -> list[str]:
    assert isinstance(run.view, Told)
    return run.view.said


def refuse(path: Path) -> None:
    raise InputError("the disk is full")


def test_it_is_asked_where_the_game_is_seen_as_planes_and_there_is_time(tmp_path: Path) -> None:
    assert fits(bw.load("tictactoe"))
    assert not fits(bw.load("azul")), "a row of numbers"
    assert not fits(bw.load("nmbr9")), "moves by the thousand"
    for name, changes, wanted in (
        ("long", {}, True), ("short", {"minutes": 29.0}, False), ("unasked", {"pilot": False}, False)
    ):  # fmt: skip
        with run_in(tmp_path / name, **changes) as run:
            offer = Offer(run, "value", refuse)
            assert offer.wanted is wanted
            assert offer.after == pytest.approx(0.125 * 60 * run.minutes)
            offer.perhaps()
            assert not told(run), "it is not time yet"


def test_the_settings_are_those_of_the_quick_preset() -> None:
    game = bw.load("tictactoe")
    quick = SelfplaySettings.presets(game)["quick"]
    made = trial_settings(game, 4.0, 3)
    assert (made.minutes, made.workers, made.simulations) == (4.0, 3, quick["simulations"])


@pytest.mark.parametrize(
    ("low", "share", "high", "words", "command"),
    [
        (0.6, 0.7, 0.8, "self-play is stronger: after 4 minutes each, self-play got 70 % (60 to 80) of 40 games", True),
        (0.1, 0.2, 0.3, "the kernel is stronger: after 4 minutes each, self-play got 20 % (10 to 30) of 40", False),
        (0.4, 0.5, 0.6, "neither is ahead for sure: after 4 minutes each, self-play got 50 % (40 to 60)", True),
    ],
)
def test_the_verdict_is_a_sentence_with_its_interval(
    run: Run, low: float, share: float, high: float, words: str, command: bool
) -> None:
    met = Met("", "", 40, Estimate(share, low, high), None, 9.0, 0.0)
    text = verdict(run, met, 4.0)
    assert words in text
    assert ("boardwright train tictactoe --method selfplay --minutes 30" in text) is command
    assert "no game of the pupils ended" in verdict(run, None, 4.0)


def test_what_cannot_be_tried_is_told_once_and_ends_nothing(run: Run) -> None:
    Offer(run, "value", refuse, AT_ONCE).perhaps()
    assert told(run)[-1] == "Trial: self-play was not tried: the disk is full"
    assert json.loads((run.path / NAME).read_text())["said"] == told(run)[-1]
    assert not Offer(run, "value", refuse, AT_ONCE).wanted, "a run that is taken up does not try again"


def test_ctrl_c_in_the_trial_stops_the_run_and_leaves_the_question_open(run: Run) -> None:
    settings = SelfplaySettings(**TINY)

    class Interrupted(Here):
        def collect(self, idle: Any) -> Any:
            os.kill(os.getpid(), signal.SIGINT)
            return super().collect(idle)

    offer = Offer(run, "value", lambda path: path.write_bytes(b""), AT_ONCE)
    offer.tell(settings, Interrupted(job_for(run.game, settings)))
    assert run.interrupted
    assert len(told(run)) == 1 and not (run.path / NAME).exists()


@pytest.mark.slow
def test_the_pupils_meet(run: Run, tmp_path: Path) -> None:
    """Two nets of the same lessons, one of them in the place of the kernel's model."""
    settings = SelfplaySettings(**{**TINY, "iterations": 2})
    model = tmp_path / "first.safetensors"
    learn_beside(run, settings, 0.0, tmp_path / "beside", model, Here(job_for(run.game, settings)))
    offer = Offer(run, "net", lambda path: shutil.copy(model, path), AT_ONCE)
    offer.tell(settings, Here(job_for(run.game, settings)))
    found = json.loads((run.path / NAME).read_text())
    assert found["said"] == told(run)[-1] and 0.0 <= found["low"] <= found["share"] <= found["high"] <= 1.0
    assert found["games"] >= 2 and not run.interrupted
