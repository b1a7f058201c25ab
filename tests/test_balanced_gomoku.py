"""The balanced openings of Gomoku, and the script that plays from them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import boardwright as bw

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"


@pytest.mark.parametrize(
    ("name", "size", "count"), [("balanced_gomoku.txt", 15, 100), ("balanced_gomoku_9.txt", 9, 50)]
)
def test_openings_have_three_to_five_stones_and_go_on(name: str, size: int, count: int) -> None:
    openings = [line for line in (EXAMPLES / name).read_text().splitlines() if not line.startswith("#")]
    assert len(set(openings)) == count
    for opening in openings:
        position = bw.load("gomoku", size=size).begin()
        for move in opening.split():
            position = position.play(move)
        assert 3 <= len(opening.split()) <= 5
        assert not position.is_over


def test_the_script_plays_each_opening_from_both_seats(tmp_path: Path) -> None:
    openings = tmp_path / "openings.txt"
    openings.write_text("# a comment\ne5 e6 d4\n")
    command = [sys.executable, str(EXAMPLES / "balanced_gomoku.py"), "meet", str(openings), "win-block", "random"]
    done = subprocess.run([*command, "--size", "9"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("e5 e6 d4: ")
    assert "of 2 games, pairs that got 0, 1/2, 1, 3/2, 2:" in done.stdout
