"""The pilot and the doctor: what they see in figures and games, that they change nothing, and what they refuse."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import boardwright as bw
from boardwright.arena.intervals import Estimate
from boardwright.arena.workers import Here
from boardwright.learn.display import View
from boardwright.learn.kernel.train import KernelSettings, train
from boardwright.learn.metrics import drawn_share, explained_share, read_metrics
from boardwright.learn.model_players import quick_spec
from boardwright.learn.pilot import hook
from boardwright.learn.pilot.losses import ELO, Slope, losses, recent, regression, slope_of, troubles
from boardwright.learn.pilot.report import (
    NAME,
    Measurement,
    measure,
    read_measurement,
    report_of,
    write_report,
)
from boardwright.learn.pilot.sight_use import features_used, observations_used
from boardwright.learn.pilot.strength import Met, meet
from boardwright.learn.runs import Run
from boardwright.learn.selfplay import loop
from boardwright.learn.selfplay.settings import SelfplaySettings
from tests.games.fiveslots import FiveSlots
from tests.games.two_steps import TwoSteps
from tests.processes import run_here
from tests.test_selfplay_loop import SEED, TINY, job_for, weights_of

TRAIN = "boardwright train GAME --method kernel"
HEADING = {"game": "GAME", "options": {}, "method": "kernel", "seed": 0, "settings": {"rate": 0.002, "longest": 500}}


def lines_of(count: int = 12, **figures: Any) -> list[dict[str, Any]]:
    """Metrics ten seconds apart; a figure may be a number or a function of the line's number."""
    return [
        {
            "step": i, "seconds": 10.0 * i,
            **{name: figure(i) if callable(figure) else figure for name, figure in figures.items()},
        }
        for i in range(1, count + 1)
    ]  # fmt: skip


def named(**figures: Any) -> list[str]:
    return [one.name for one in troubles(lines_of(**figures), HEADING["settings"], "kernel", TRAIN)]  # type: ignore[arg-type]  # a mapping


def test_a_healthy_run_has_no_troubles() -> None:
    assert named(error=lambda i: 1.0 / i, known=1.0, explained=0.4, drawn=0.1, cut=0.0, turns=60.0) == []
    assert named(policy_loss=1.5, policy_even=2.0, policy_entropy=1.0, value_loss=0.3, value_even=0.8) == []
    assert troubles([], {}, "kernel", TRAIN) == []


def test_each_trouble_is_named_with_what_to_try() -> None:
    assert named(error=1.0, known=1.0) == ["no signal"]
    assert named(error=0.3, known=1.0, explained=0.01) == ["no signal"]  # its own words are easily met
    assert named(policy_loss=1.99, policy_even=2.0) == ["no signal"]
    assert named(policy_loss=2.0, policy_even=2.0, policy_entropy=1.0) == ["no signal"]
    assert named(policy_loss=0.5, policy_even=2.0, policy_entropy=0.01) == ["collapsed policy"]
    assert named(error=0.5, known=1.0, drawn=0.99) == ["all games drawn"]
    assert named(error=0.0, known=0.0, drawn=1.0) == ["all games end alike"]
    assert named(error=0.5, known=1.0, cut=0.2) == ["games cut at the limit"]
    assert named(error=0.5, known=1.0, turns=500.0) == ["games cut at the limit"]
    assert named(error=lambda i: 0.5 if i < 12 else None, known=1.0) == ["diverged"]
    (cut,) = troubles(lines_of(cut=0.2), {"longest": 500}, "kernel", TRAIN)
    assert "20 % of the games are cut after longest=500" in cut.seen and f"{TRAIN} --set longest=2000" in cut.cure


def test_what_counts_as_now_is_the_last_fifth() -> None:
    lines = lines_of(30, error=float)
    assert recent(lines, "error") == pytest.approx((25 + 26 + 27 + 28 + 29 + 30) / 6)
    assert math.isnan(recent(lines, "known")) and losses(lines) == []
    (loss,) = losses(lines_of(policy_loss=1.5, policy_even=2.0, policy_entropy=1.0))
    assert loss.learnt == pytest.approx(0.5)


def test_a_slope_is_a_minutes_with_its_interval_and_says_when_100_elo_are_reached() -> None:
    exact = regression([(x, 3.0 * x + 1.0) for x in range(20)])
    assert exact is not None and exact.value == pytest.approx(3.0) and exact.margin == pytest.approx(0.0, abs=1e-9)
    bent = regression([(x, 3.0 * x + (-1.0) ** x) for x in range(7)])
    assert bent is not None and bent.low < bent.value < bent.high and 3.0 in bent
    assert regression([(1.0, 1.0), (2.0, 2.0)]) is None and regression([(1.0, 1.0)] * 5) is None
    rising = slope_of(lines_of(elo=lambda i: 5.0 * i))
    assert rising is not None and rising.unit == ELO and rising.rate.value == pytest.approx(30.0)
    found = Slope(Estimate(50.0, 25.0, 100.0), ELO, "").next_hundred()
    assert found == Estimate(2.0, 1.0, 4.0)
    unsure = Slope(Estimate(50.0, -25.0, 100.0), ELO, "").next_hundred()
    assert unsure is not None and unsure.high == math.inf
    assert Slope(Estimate(-5.0, -9.0, -1.0), ELO, "").next_hundred() is None
    falling = slope_of(lines_of(error=lambda i: 1.0 - 0.01 * i, known=2.0))
    assert falling is not None and falling.rate.value == pytest.approx(-3.0) and falling.next_hundred() is None


def test_draws_and_what_a_value_foresaw_are_counted() -> None:
    import numpy as np

    assert drawn_share(np.array([[0.0, 0.0], [1.0, -1.0], [0.5, 0.5], [-1.0, 1.0]])) == 0.5
    assert math.isnan(drawn_share(np.array([[3.0], [3.0]])))
    outcomes = np.array([1.0, -1.0, 1.0, -1.0])
    assert explained_share(outcomes, outcomes) == 1.0
    assert explained_share(outcomes, np.zeros(4)) == 0.0
    assert explained_share(outcomes, -outcomes) == -3.0


# What a learner sees


class Blindfolded(TwoSteps):
    """A game for two that says of every position the same."""

    features_count = 2
    features_most = 1

    def features(self, s, indices, values):  # type: ignore[no-untyped-def]  # a rule
        indices[0] = 1
        values[0] = 1.0
        return 1


class SeesNothing(FiveSlots):
    """Five slots whose observation forgot to look."""

    def observe(self, s, out):  # type: ignore[no-untyped-def]  # a rule
        out[0] = 1.0


def test_features_that_never_change_are_seen() -> None:
    fine, blind = features_used(FiveSlots()), features_used(SeesNothing())
    assert fine.changing > fine.inputs / 2 and fine.own
    assert (blind.changing, blind.fixed, blind.absent) == (0, 1, blind.inputs - 1)
    two = features_used(Blindfolded())
    assert (two.inputs, two.absent, two.fixed, two.changing) == (2, 1, 1, 0)
    derived = features_used(TwoSteps())
    assert derived.changing > 0 and not derived.own
    seen = observations_used(SeesNothing())
    assert (seen.changing, seen.inputs, seen.fixed) == (0, 11, 1)


# A run and its pilot


class Saying(View):
    """Keeps what is said."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def say(self, text: str) -> None:
        self.said.append(text)

    def progress(self, done: float, seconds: float, note: str = "") -> None:
        return


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine is, the first games of a match come to their end."""
    monkeypatch.setattr("boardwright.learn.pilot.strength.PATIENCE", 1e6)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pilot after the first round, with matches of a second."""
    for name, value in (("AFTER", 0.0), ("LEAST", 0.0), ("SHARE", 1e6), ("SECONDS", 1.0), ("FIRST_EARLIER", 1e-6)):
        monkeypatch.setattr(hook, name, value)


SHORT = KernelSettings(way="greedy", games=60, rounds=3, policy_weight=0.0, first=8, second=8, threads=1)


def value_run(folder: Path, view: View, *, pilot: bool = True, game: bw.Game | None = None) -> Path:
    with Run(folder, game or FiveSlots(), "kernel", SHORT, 3, 0.0, view, pilot=pilot) as run:
        return train(run).model


def arrays_of(model: Path) -> dict[str, bytes]:
    from boardwright.learn.files import read_arrays

    return {name: array.tobytes() for name, array in read_arrays(model)[0].items()}


@pytest.mark.usefixtures("at_once")
def test_the_pilot_tells_once_changes_nothing_and_the_doctor_says_it_again(tmp_path: Path) -> None:
    view = Saying()
    told = value_run(tmp_path / "told", view)
    assert sum(line.startswith("Pilot: the training pauses for about") for line in view.said) == 1
    text = "\n".join(view.said)
    assert "value:model=RUN against random" in text and "mcts:seconds=" in text and "loss" in text
    assert f"boardwright doctor {tmp_path / 'told'}" in text
    plain = Saying()
    assert arrays_of(value_run(tmp_path / "plain", plain, pilot=False)) == arrays_of(told)
    assert plain.said == [] and not (tmp_path / "plain" / NAME).exists()
    assert not list((tmp_path / "plain").glob("earlier-*"))
    value_run(tmp_path / "quiet", View(quiet=True))
    assert not (tmp_path / "quiet" / NAME).exists()
    again = run_here("doctor", str(tmp_path / "told"))
    assert again.returncode == 0 and again.stderr == ""
    strength = next(line for line in view.said if "against random" in line)
    assert strength in again.stdout and "strength was measured after" in again.stdout
    as_json = json.loads(run_here("doctor", str(tmp_path / "told"), "--json").stdout)
    assert as_json["method"] == "kernel" and as_json["measured"]["strengths"][0]["opponent"] == "random"
    assert {loss["name"] for loss in as_json["losses"]} >= {"error", "explained"}


@pytest.mark.slow  # compiles a network; the pilot of the other methods is asked in the same way
@pytest.mark.usefixtures("at_once")
def test_the_pilot_of_self_play_leaves_its_weights_alone_and_a_resumed_run_tells_no_second_time(tmp_path: Path) -> None:
    game = bw.load("tictactoe")

    def played(folder: Path, iterations: int, view: View) -> None:
        settings = SelfplaySettings(**{**TINY, "iterations": iterations})
        with Run(folder, game, "selfplay", settings, SEED, 0.0, view) as run:
            made = loop.Loop(run, settings, Here(job_for(game, settings)))
            made.rating._off = True
            made.go()
            made.finish()

    view, second = Saying(), Saying()
    played(tmp_path / "told", 2, view)
    assert any("net:model=RUN against random" in line for line in view.said)
    assert (tmp_path / "told" / NAME).is_file() and list((tmp_path / "told").glob("earlier-*.safetensors"))
    played(tmp_path / "told", 3, second)
    assert not any("Pilot" in line for line in second.said)
    played(tmp_path / "quiet", 3, View(quiet=True))
    assert weights_of(tmp_path / "told") == weights_of(tmp_path / "quiet")
    measured = run_here("doctor", str(tmp_path / "told"), "--measure", "--seconds", "1", "--json")
    assert measured.returncode == 0, measured.stderr
    assert json.loads(measured.stdout)["measured"]["seconds"] == read_metrics(tmp_path / "told")[-1]["seconds"]


def test_a_short_run_tells_its_figures_and_is_measured_when_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hook, "LEAST", math.inf)  # short, also where the compiler took its time
    first = Saying()
    value_run(tmp_path / "run", first)
    assert any("loss" in line for line in first.said) and not any("strength" in line for line in first.said)
    assert json.loads((tmp_path / "run" / NAME).read_text())["measured"] is None
    for name, value in (("LEAST", 0.0), ("SHARE", 1e6), ("SECONDS", 0.5)):
        monkeypatch.setattr(hook, name, value)
    second = Saying()
    value_run(tmp_path / "run", second)
    assert any("strength" in line for line in second.said)


def test_matches_name_models_shortly_and_those_that_cannot_play_are_left_out(tmp_path: Path) -> None:
    model = value_run(tmp_path / "run", View(quiet=True))
    (met,) = meet(FiveSlots(), quick_spec("value", model), "random", 0.5, model)
    assert met.player == "value:model=RUN" and met.games >= 2 and met.share.low <= met.share.value <= met.share.high
    assert met.points is not None
    assert meet(FiveSlots(), quick_spec("value", tmp_path / "none"), "random", 0.5) == []


def test_a_match_ends_in_the_middle_of_a_game_when_its_time_is_up_or_somebody_stops(tmp_path: Path) -> None:
    model = value_run(tmp_path / "run", View(quiet=True))
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) > 3  # moves: five make a game

    assert meet(FiveSlots(), quick_spec("value", model), "random", 600.0, stop=stop) == []
    assert len(asked) == 4
    assert meet(FiveSlots(), quick_spec("value", model), "random", 0.0) == []


@pytest.mark.slow  # compiles one more game; that the features are blind is seen above
def test_blind_features_and_lost_games_are_measured_troubles(tmp_path: Path) -> None:
    game = SeesNothing()
    model = value_run(tmp_path / "run", View(quiet=True), game=game)
    heading = {**HEADING, "game": game.name, "method": "kernel"}
    found = measure(game, heading, read_metrics(tmp_path / "run"), ("value", model), None, 1.0)
    assert "features that never change" in [one.name for one in found.troubles]


def test_a_measurement_survives_its_file(tmp_path: Path) -> None:
    met = Met("value:model=RUN", "random", 40, Estimate(1.0, 0.9, 1.0), None, 12.0, 0.0)
    slope = Slope(Estimate(math.inf, 30.0, math.inf), ELO, "against itself")
    measured = Measurement(120.0, 1e9, (met,), ("mcts:seconds=0.01",), slope, ())
    report = report_of(HEADING, lines_of(error=0.5, known=1.0), measured)
    assert any("nothing to say about mcts:seconds=0.01" in line for line in report.lines())
    write_report(tmp_path, report)
    assert read_measurement(tmp_path) == measured
    assert read_measurement(tmp_path / "nowhere") is None


# The doctor's door


def test_the_doctor_refuses_what_is_no_run_in_one_sentence(tmp_path: Path) -> None:
    def refused(*arguments: str) -> str:
        done = run_here("doctor", *arguments)
        assert done.returncode == 2 and len(done.stderr.splitlines()) == 1, done.stderr
        return done.stderr

    assert "there is no folder" in refused(str(tmp_path / "none"))
    (tmp_path / "thesis").mkdir()
    assert "is no run: it holds no run.json" in refused(str(tmp_path / "thesis"))
    for text in ("{", "[]", '{"boardwright_run": 1}', '{"boardwright_run": 1, "game": 1, "options": 2}'):
        (tmp_path / "thesis" / "run.json").write_text(text)
        assert "run.json cannot be read" in refused(str(tmp_path / "thesis"))
    (tmp_path / "thesis" / "run.json").write_text(json.dumps({**HEADING, "boardwright_run": 99}))
    assert "is of format 99" in refused(str(tmp_path / "thesis"))
    (tmp_path / "thesis" / "run.json").write_text(json.dumps({**HEADING, "boardwright_run": 1}))
    bare = run_here("doctor", str(tmp_path / "thesis"))
    assert bare.returncode == 0 and "the run's figures tell none" in bare.stdout and "--measure" in bare.stdout
    assert "is not built in; say --game" in refused(str(tmp_path / "thesis"), "--measure")
    (tmp_path / "thesis" / NAME).write_text('{"boardwright_pilot": 1, "measured": {"seconds": 3}}')
    assert "is damaged" in run_here("doctor", str(tmp_path / "thesis")).stdout


def test_the_doctor_measures_no_run_of_other_rules(tmp_path: Path) -> None:
    heading = {**HEADING, "game": "tictactoe", "options": bw.load("tictactoe").options, "boardwright_run": 1}
    (tmp_path / "run.json").write_text(json.dumps({**heading, "rules": "other"}))
    done = run_here("doctor", str(tmp_path), "--measure")
    assert done.returncode == 2 and "has other rules now" in done.stderr
    (tmp_path / "run.json").write_text(json.dumps(heading))
    done = run_here("doctor", str(tmp_path), "--measure")
    assert done.returncode == 2 and "holds no model.safetensors" in done.stderr
