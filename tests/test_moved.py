"""Old paths of modules still work, and say where each lives now."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from boardwright import arena
from boardwright.moved import MOVED

# Each old path with a name that it had, in one process: importing is what costs.
PROGRAM = """
import importlib, json, sys, warnings
found = {}
for old, homes in json.loads(sys.argv[1]).items():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        module = importlib.import_module(old)
        same = []
        for home in homes.split():
            new = importlib.import_module(home)
            own = lambda value: getattr(value, "__module__", home) == home and not hasattr(value, "__path__")
            names = [name for name, value in vars(new).items() if name[0] != "_" and own(value)]
            same.append(all(getattr(module, name) is getattr(new, name) for name in names))
    said = [str(one.message) for one in caught if one.category is DeprecationWarning]
    found[old] = [all(same), [text for text in said if "has moved" in text]]
print(json.dumps(found))
"""


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "always", "-c", program, *arguments], capture_output=True, text=True, timeout=240
    )


def test_every_old_path_gives_the_new_module_s_names_and_says_so() -> None:
    pytest.importorskip("jax")
    done = run(PROGRAM, json.dumps({**MOVED, "boardwright.lab.gomoku.nets": "boardwright_lab.gomoku.nets"}))
    assert done.returncode == 0, done.stderr
    for old, (same, said) in json.loads(done.stdout).items():
        assert same, old
        assert said and said[-1].startswith((f"{old} has moved: import ", f"{old}.")), (old, said)


def test_the_warning_stands_at_the_line_that_imports(tmp_path: Path) -> None:
    program = tmp_path / "own.py"
    program.write_text("import boardwright\nfrom boardwright.contract.record import copy_record\n")
    done = subprocess.run(
        [sys.executable, "-W", "always", str(program)], capture_output=True, text=True, timeout=120, check=True
    )
    assert f"{program}:2: DeprecationWarning: boardwright.contract.record has moved: import" in done.stderr


def test_what_never_was_is_not_found() -> None:
    assert find_spec("boardwright.contract.nothing") is None
    with pytest.raises(AttributeError, match="has no attribute 'Nobody'"):
        _ = import_module("boardwright.games.azul").Nobody


def test_installing_costs_no_import() -> None:
    heavy = "{'numpy', 'numba', 'boardwright.contract', 'boardwright_lab'}"
    done = run(f"import sys, boardwright; print(sorted({heavy} & set(sys.modules)))")
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr


def test_a_renamed_class_is_still_there_by_its_old_name() -> None:
    with pytest.warns(DeprecationWarning, match="is MatchProgress now"):
        assert arena.Progress is arena.MatchProgress
    assert not hasattr(arena, "Nothing")
