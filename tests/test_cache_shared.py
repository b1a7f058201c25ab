"""Kernels that several processes left in one cache must not meddle with each other in a process that loads them all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CONNECT_FOUR = Path(__file__).parents[1] / "docs" / "examples" / "connect_four.py"
GAMES = ["tictactoe", "gomoku:size=5,line=4", f"{CONNECT_FOUR}:ConnectFour"]

FILL = """
import sys
import boardwright as bw
game = bw.load(sys.argv[1])
bw.player("mcts:simulations=50", game).choose(game.begin())
"""

COMPARE = """
import sys
import numpy as np
import boardwright as bw
from boardwright.search.search import Search
from boardwright.search.settings import SearchSettings

games = [bw.load(spec) for spec in sys.argv[1:]]
for _ in range(2):  # every kernel is loaded by the second time
    for game in games:
        trees = []
        for interpreted in (False, True):
            search = Search(game, SearchSettings(simulations=50), interpreted=interpreted)
            search.grow(game.begin())
            trees.append(search.tree.used.tobytes())
        assert trees[0] == trees[1], game.name
print("equal")
"""


def python(program: str, *arguments: str, cache: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        env={**os.environ, "BOARDWRIGHT_CACHE": str(cache)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow  # compiles three searches anew
def test_a_process_can_use_what_others_compiled(tmp_path: Path) -> None:
    filling = [python(FILL, spec, cache=tmp_path) for spec in GAMES]
    for child in filling:
        _, errors = child.communicate()
        assert child.returncode == 0, errors
    files = sorted(path.name for path in tmp_path.rglob("*") if path.is_file())
    assert files
    loading = python(COMPARE, *GAMES, cache=tmp_path)
    told, errors = loading.communicate()
    assert (loading.returncode, told) == (0, "equal\n"), errors
