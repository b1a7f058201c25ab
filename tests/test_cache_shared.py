"""Kernels that several processes left in one cache must not meddle with each other in a process that loads them all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.marks import slowly

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


# Two layouts with a field of one name at different places. `weighed` is too long to be inlined.
SUMS = """
import os
import sys
import numpy as np
from boardwright.compile import compiler
from boardwright.compile.kernel import kernel

@kernel
def weighed(records, k):
    found = 0
    for i in range(len(records)):
        for j in range(i):
            found += records[i].value * (records[j].value + k)
            while found > 1000:
                found -= records[j].value // 2 + 1
    for i in range(len(records)):
        if found % 3 == 1:
            found -= records[i].value // (k + 1)
        elif found % 7 == 2:
            records[i].value += found
        else:
            found += 2
    return found

@kernel
def summed(records):
    return weighed(records, 1) + 10 * weighed(records, 2) + 100 * weighed(records, 3)

LAYOUTS = {"one": [("value", "i8")], "two": [("other", "i8"), ("value", "i8")]}

def tell(names):
    for name in names:
        records = np.zeros(3, LAYOUTS[name])
        records["value"] = 1, 2, 3
        print(summed(records), sum(summed.compiled.stats.cache_hits.values()), flush=True)

if sys.argv[1] == "fork":
    for name in sys.argv[2:]:
        child = os.fork()
        if child == 0:
            tell([name])
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
else:
    tell(sys.argv[1:])
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


@pytest.mark.parametrize("filling", [[["one"], ["two"]], *slowly([["fork", "one", "two"]])], ids=["processes", "forks"])
def test_code_that_numba_would_name_alike_is_kept_apart(tmp_path: Path, filling: list[list[str]]) -> None:
    """Numba names functions and record types by counts that start anew in each process, and go on alike in forks. Of
    two functions of one name the one loaded first served both: wrong sums, or a crash."""
    for arguments in filling:
        told, errors = python(SUMS, *arguments, cache=tmp_path).communicate()
        assert set(told.splitlines()) == {"4020 0"}, errors
    for arguments in (["one", "two"], ["two", "one"]):
        told, errors = python(SUMS, *arguments, cache=tmp_path).communicate()
        assert told.splitlines() == ["4020 1", "4020 2"], errors


LOADED = """
import sys
from boardwright.compile import numba_internals
from boardwright.compile.kernel import kernel
from numba.core.registry import cpu_target

@kernel
def hashed(n):
    return hash(("one", "two")[n])

def everything():
    return "numba.np.linalg" in sys.modules

print(hashed(1) == hash("two"), sum(hashed.compiled.stats.cache_hits.values()), everything())
numba_internals._make_known(["named_by_no_library"], cpu_target.target_context)
print(everything())
"""


@pytest.mark.slow
def test_a_kernel_out_of_the_cache_loads_only_what_it_names_of_numba(tmp_path: Path) -> None:
    told, errors = python(LOADED, cache=tmp_path).communicate()
    assert told.splitlines() == ["True 0 True", "True"], errors
    told, errors = python(LOADED, cache=tmp_path).communicate()
    assert told.splitlines() == ["True 1 False", "True"], errors
