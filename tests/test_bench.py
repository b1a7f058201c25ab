"""The benchmarks that take minutes, on the smallest case of each: what they measure is there, and of the right kind."""

from __future__ import annotations

import pytest

from boardwright.bench.first_answer import FirstAnswer, Waiting, first_answers, heard
from boardwright.bench.page import measure_page
from boardwright.bench.selfplay import measure_selfplay
from boardwright.bench.switches import OFF, measure_switches
from boardwright.contract.errors import InputError
from boardwright.learn.selfplay.settings import SelfplaySettings
from tests.test_selfplay_loop import TINY


@pytest.mark.slow
def test_the_page_is_measured_in_a_browser() -> None:
    told: list[str] = []
    found = measure_page(told.append, ["gomoku"], times=2)
    assert told == ["first paint", "gomoku: hovering and moving", "gomoku: cancelling searches"]
    assert found.script_bytes > 10_000 and found.first_paint > 0 and found.move["gomoku"] > 0
    for middle, slow in (found.hover["gomoku"], found.cancel["gomoku"]):
        assert middle >= 0 and slow >= 0
    figures = {"script_bytes", "first_paint", "hover", "move", "cancel", "first_reply", "first_hint", "failed"}
    assert set(found.to_dict()) == figures


def test_the_longest_time_without_a_true_bar() -> None:
    wait = Waiting(10.0)
    wait.hear(11.5, None)
    wait.hear(12.0, {"seconds": 1.0, "of": 8.0})  # after two seconds
    wait.hear(19.0, {"seconds": 8.0, "of": 8.0})  # seven more; from here on nobody knows how long
    wait.hear(20.0, {"seconds": 9.0, "of": 8.0})
    assert wait.end(25.0) == FirstAnswer(answered=15.0, silent=13.0)
    assert Waiting(10.0).end(14.0) == FirstAnswer(4.0, 4.0)


def test_a_benchmark_that_waits_in_vain_says_for_what() -> None:
    class Silent:
        def recv(self, timeout: float) -> str:
            raise TimeoutError

    with pytest.raises(InputError, match="azul: a hint: nothing after 300 s"):
        heard(Silent(), 0.0, "azul: a hint")


@pytest.mark.slow  # a server on an empty cache compiles a game
def test_a_first_reply_and_a_hint_are_measured() -> None:
    told: list[str] = []
    reply, hint = first_answers("tictactoe", 0.0, told.append)
    assert told == ["tictactoe: first reply on an empty cache", "tictactoe: a hint then"]
    for one in (reply, hint):
        assert 0.0 < one.silent <= one.answered


@pytest.mark.slow
def test_self_play_is_measured_beside_its_bare_network() -> None:
    told: list[str] = []
    small = {name: TINY[name] for name in ("games", "parallel", "simulations", "channels", "blocks", "hidden")}
    (found,) = measure_selfplay(2, told.append, {"tictactoe": ("a small network", small)}, seconds=0.02)
    assert told == ["a small network", "a small network, round 1 of 2", "a small network, round 2 of 2"]
    assert found.what == "a small network" and found.rounds == 2
    assert found.end_to_end > 0 and found.bare > 0 and found.share > 0


def test_a_switch_turns_off_settings_that_there_are() -> None:
    for settings in OFF.values():
        SelfplaySettings(**settings)


@pytest.mark.slow  # two trainings, each in processes of its own
def test_a_switch_is_measured_by_a_training_without_it() -> None:
    told: list[str] = []
    switch = "mirror images"
    base = SelfplaySettings(**{**TINY, "workers": 1})
    (found,) = measure_switches("tictactoe", 1, 1, 4, told.append, [switch], base)
    assert [line.partition(":")[0] for line in told] == ["training", "training", "meeting"]
    assert found.switch == switch and found.games == 4 and found.low <= found.share <= found.high
