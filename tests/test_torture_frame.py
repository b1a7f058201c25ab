"""`make torture`, in a second: the table is printed, and a fault that was planted is found and repeated by its seed."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from boardwright.bench import examples
from boardwright.games.built_in import BUILT_IN
from tests.torture.trials import TRIALS

ROOT = Path(__file__).parents[1]
FINDS = "1"  # a seed that comes upon the planted fault


def torture(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.torture", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)


def test_a_planted_fault_is_found_and_repeats_by_its_seed() -> None:
    # The first seed finds it, however little the rest of the time is worth on a busy machine.
    first = torture("--only", "planted", "--minutes", "0.005", "--seed", FINDS)
    assert first.returncode == 1 and re.search(r"^planted +[\d,]+ inputs +[\d,]+ +[\d,]+ ", first.stdout, re.M)
    found = re.search(r"^planted.*: planted: (number \d of seed (\d+))\n  again: python (.*)$", first.stdout, re.M)
    assert found is not None, first.stdout
    again = subprocess.run(
        [sys.executable, *shlex.split(found[3])],
        cwd=ROOT,
        env={**os.environ},
        capture_output=True,
        text=True,
        check=False,
    )
    assert again.returncode == 1 and found[1] in again.stdout, again.stdout
    assert found[2] == FINDS


def test_a_trial_that_finds_nothing_ends_well() -> None:
    done = torture("--only", "fuzz/specs", "--once")
    assert done.returncode == 0 and "nothing failed" in done.stdout, done.stdout + done.stderr
    assert re.search(r"^fuzz/specs +3,000 inputs +1 +0 ", done.stdout, re.M), done.stdout


def test_trials_have_names_of_their_own_and_wrong_ones_are_told() -> None:
    assert len({one.name for one in TRIALS}) == len(TRIALS)
    done = torture("--only", "nothing")
    assert done.returncode != 0 and "no trial 'nothing'; there are rules/in-a-row" in done.stderr


def test_every_game_is_held_against_a_second_truth() -> None:
    """As the table of trials in CONTRIBUTING.md says. The games of one rule, lines of equal marks, have one trial."""
    rules = {one.name.removeprefix("rules/"): one for one in TRIALS if one.name.startswith("rules/")}
    games = {name.replace("_", "-") for name in (*BUILT_IN, *(file.stem for file in examples.gallery()))}
    assert games - set(rules) == {"tictactoe", "gomoku"}
    assert all(callable(one.attempt()) for one in rules.values())


def test_an_hour_has_ten_minutes_for_the_clients() -> None:
    weights = {one.name: one.weight for one in TRIALS}
    assert 60.0 * weights["clients"] / sum(weights.values()) > 10.0
