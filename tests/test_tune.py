"""Settings found by games: the better one is found and confirmed, no difference is not taken for one, and a tuning that
was stopped goes on."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import boardwright as bw
from boardwright.arena.tune import Plan, Range, Tuning, read_ranges, spread
from boardwright.players.tuned import read_tuned
from boardwright.records import Library
from tests.processes import run_here

RULES = "tests/games/two_steps.py:TwoSteps"
# Who takes the longest step more often wins more often.
PLAYER = """
import random
import boardwright as bw

class Walker:
    '''Takes the longest step with probability `will`, else any.'''

    def __init__(self, game, will=0.3, shade=1.0, seed=0):
        self.will, self.rng = will, random.Random(seed)

    def choose(self, position):
        return bw.Choice(2 if self.rng.random() < self.will else self.rng.choice(position.moves))
"""


@pytest.fixture
def walker(tmp_path: Path) -> str:
    (tmp_path / "walker.py").write_text(PLAYER)
    return f"{tmp_path / 'walker.py'}:Walker"


def tuning(walker: str, settings: str, folder: Path, minutes: float = 0.01) -> Tuning:
    library = Library(folder / "games.sqlite")
    return Tuning(bw.load(RULES), walker, settings, minutes, 1, folder / "found.json", workers=0, library=library)


def test_what_is_better_is_found_confirmed_and_named_by_specs(walker: str, tmp_path: Path) -> None:
    made = tuning(walker, "will=0.05..1", tmp_path)
    made.plan = Plan(16, 16)  # whatever the machine's speed
    found = made.run()
    assert found.accepted and float(found.settings["will"]) > 0.6
    assert found.confirmation is not None and found.confirmation.low > 0.5 and found.confirmed_games >= 40
    told = read_tuned(tmp_path / "found.json")
    assert told["settings"] == found.settings and told["tried"][0]["settings"] == found.settings
    named = bw.player(f"{walker}:tuned={tmp_path / 'found.json'}", bw.load(RULES))
    assert f"will={found.settings['will']}" in str(named.spec)
    own = bw.player(f"{walker}:tuned={tmp_path / 'found.json'},will=0.5", bw.load(RULES))
    assert "will=0.5" in str(own.spec), "what the spec says itself counts more"
    with pytest.raises(bw.InputError, match="tuned for TwoSteps"):
        bw.player(f"{walker}:tuned={tmp_path / 'found.json'}", bw.load("tictactoe"))


def test_what_makes_no_difference_is_left_as_it_is(walker: str, tmp_path: Path) -> None:
    """One who always takes the longest step: a game and its return are won once each, whatever the shade."""
    found = tuning(f"{walker}:will=1", "shade", tmp_path).run()
    assert found.confirmation is not None and found.confirmation.value == 0.5
    assert not found.accepted and found.settings == {} and read_tuned(tmp_path / "found.json")["settings"] == {}


def test_a_tuning_that_was_stopped_goes_on_with_its_plan(walker: str, tmp_path: Path) -> None:
    first = tuning(walker, "will=0.05..1", tmp_path)
    first.plan = Plan(8, 16)

    def stop(what: str, share: float) -> None:
        if what.startswith("round 2"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        first.run(stop)
    kept = json.loads((tmp_path / "found.json").read_text())
    again = tuning(walker, "will=0.05..1", tmp_path)
    assert again.plan == first.plan and kept["plan"] and again.spent == kept["seconds"]
    assert again.run().accepted
    with pytest.raises(bw.InputError, match="another tuning"):
        tuning(walker, "will=0.1..1", tmp_path)


@given(st.integers(1, 32), st.integers(1, 4))
def test_candidates_differ_and_stay_within_their_ranges(count: int, dimensions: int) -> None:
    kinds = (Range("a", 0.1, 10.0), Range("b", 0.0, 1.0), Range("c", 2, 9, whole=True), Range("d", choices=("x", "y")))
    found = spread(kinds[:dimensions], count)
    assert len(found) == count and len({tuple(one.values()) for one in found}) == count
    for one in found:
        assert 0.1 <= float(one["a"]) <= 10.0
        assert dimensions < 3 or 2 <= int(one["c"]) <= 9
        assert dimensions < 4 or one["d"] in "xy"


def test_candidates_fill_a_range_evenly() -> None:
    found = sorted(float(one["a"]) for one in spread((Range("a", 0.0, 1.0),), 16))
    assert found[0] < 0.1 and found[-1] > 0.9
    assert max(b - a for a, b in pairwise(found)) < 2.5 / 16


@given(st.floats(0, 1e5), st.floats(1, 100))
def test_a_plan_costs_what_there_is_or_the_least_there_can_be(games: float, ways: float) -> None:
    plan = Plan.within(games, False, ways)
    cost = plan.candidates * plan.games * plan.rounds
    assert cost <= max(2 * games, 4 * 4 * 2) and 1 <= plan.candidates <= 32


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("nothing", "has no setting"), ("", "name 1 to 4"), ("will=1..0", "is no range"), ("will=a", "is no range"),
        ("will,will", "twice"), ("seed", "is 0 now"),
    ],
)  # fmt: skip
def test_ranges_that_are_none_are_told(settings: str, said: str, walker: str) -> None:
    with pytest.raises(bw.InputError, match=said):
        read_ranges(settings, bw.PlayerSpec.parse(walker), bw.load(RULES))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"boardwright_tuned": 9}', '{"boardwright_tuned": 1, "game": 1}'])
def test_files_that_are_none_are_told(text: str, tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text(text)
    told = run_here("match", RULES, f"mcts:tuned={path}", "random")
    assert told.returncode != 0 and str(path) in told.stderr and "Traceback" not in told.stderr


def test_the_command(walker: str, tmp_path: Path) -> None:
    out = tmp_path / "found.json"
    command = ("tune", RULES, walker, "--settings", "will=0.05..1", "--minutes", "0.03", "--workers", "0")
    told = run_here(*command, "--out", str(out))
    assert told.returncode == 0 and "fresh games" in told.stdout, told
    assert (f"tuned={out}" in told.stdout) == bool(read_tuned(out)["settings"]), "it says what it wrote"
