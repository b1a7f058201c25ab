"""The disk cache: right code or none, whatever other processes do and whatever changed."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace

import pytest

import boardwright as bw
import boardwright.players  # as a digest of rules must not notice
from boardwright.compile.cache import KernelStore, prune
from boardwright.compile.fingerprint import Fingerprint
from tests.processes import Forked

GAME = '''
import boardwright as bw
from helper import {names}


class Counter(bw.Game):
    """Plays one move; the result tells which code ran."""

    step: int = 1
    players = 1
    actions = 1

    def layout(self):
        return [("total", "i8"), ("done", "i1")]

    def player(self, s):
        return bw.OVER if s.done else 0

    def legal(self, s, moves):
        moves[0] = 0
        return 1

    def play(self, s, move):
        s.total = {total}
        s.done = 1

    def scores(self, s, out):
        out[0] = s.total
'''

KERNEL = """
import sys
import numpy as np
import boardwright as bw
from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel

@kernel
def total(game, states):
    game.play(states[0], 0)
    return states[0].total

def play(game):
    return int(run_kernel(game, total, game, np.zeros(1, game.state_dtype)))
"""

RUN = f"""{KERNEL}
game = bw.load(sys.argv[1], step=int(sys.argv[2]))
print(play(game), sum(total.compiled.stats.cache_hits.values()))
"""


class Bench:
    """A folder with a game, its helper and a cache; runs the game in processes of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.cache, self.changes = folder, folder / "cache", 1_000_000_000
        self.write("helper.py", "BASE = 100\ndef scaled(x):\n    return x * 10\n")
        self.write("counter.py", GAME.format(names="BASE, scaled", total="BASE + scaled(self.step)"))
        self.write("run.py", RUN)

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.write_text(textwrap.dedent(text))
        # Python knows a changed module by its second and its size: two changes here may share both.
        self.changes += 1
        os.utime(path, (self.changes, self.changes))

    def start(self, step: int = 1, cache: Path | None = None) -> Forked:
        program, game = self.folder / "run.py", self.folder / "counter.py"
        return Forked(program, str(game), str(step), BOARDWRIGHT_CACHE=str(cache or self.cache))

    def run(self, step: int = 1, cache: Path | None = None) -> tuple[int, bool]:
        """The total that the code computed, and whether it came from the cache."""
        return self.answer(self.start(step, cache))

    @staticmethod
    def answer(process: Forked) -> tuple[int, bool]:
        out, err = process.communicate()
        assert process.returncode == 0, err
        total, hits = map(int, out.split())
        return total, hits > 0

    def entries(self) -> list[Path]:
        return sorted(self.cache.glob("*.kernel"))


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_what_a_rule_raises_is_told_whether_compiled_now_or_before(bench: Bench) -> None:
    bench.write(
        "helper.py", "BASE = 1\ndef scaled(x):\n    if x == 1:\n        raise ValueError('no', x)\n    return x\n"
    )
    for _ in range(2):
        process = bench.start()
        _, err = process.communicate()
        assert process.returncode != 0 and "a rule raised ValueError: ('no', 1)" in err
    assert bench.entries()


@pytest.mark.slow
def test_code_that_was_optimised_otherwise_is_another_entry(bench: Bench) -> None:
    assert bench.run() == (110, False)
    # Numba reads it when it is imported: a process that is no fork of one that has imported it.
    command = [sys.executable, str(bench.folder / "run.py"), str(bench.folder / "counter.py"), "1"]
    environment = {**os.environ, "NUMBA_OPT": "2", "BOARDWRIGHT_CACHE": str(bench.cache)}
    for hits in (False, True):
        told = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split()
        assert (int(told[0]), int(told[1]) > 0) == (110, hits)


def test_every_change_in_what_the_rules_use_is_noticed(bench: Bench) -> None:
    assert bench.run() == (110, False)
    assert bench.run(step=2) == (120, False), "an option"
    bench.write("helper.py", "BASE = 200\ndef scaled(x):\n    return x * 10\n")
    assert bench.run() == (210, False), "an imported constant"
    bench.write("helper.py", "BASE = 200\ndef scaled(x):\n    return x * 20\n")
    assert bench.run() == (220, False), "a helper in another module"
    bench.write("helper.py", "BASE = 200\nUNUSED = 5\ndef scaled(x):\n    '''Now with words.'''\n    return x * 20\n")
    bench.write(
        "counter.py",
        GAME.format(names="BASE, scaled", total="BASE + scaled(self.step)")
        + "\n    title_line = 'nothing to the rules'\n",
    )
    assert bench.run()[0] == 220
    bench.write("helper.py", "BASE = 100\ndef scaled(x):\n    return x * 10\n")
    assert bench.run() == (110, True), "back again: the first entry is still right"


def digest(function: FunctionType) -> str:
    walk = Fingerprint()
    walk.function(function)
    return walk.hexdigest()


def test_what_was_imported_before_changes_no_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    """`self.players` is no word on boardwright.players, which is there in one process and not in another."""

    def player(self: bw.Game, s: SimpleNamespace) -> int:
        return bw.OVER if s.done else s.turn % self.players

    known = digest(player)  # type: ignore[arg-type]  # a function is one
    monkeypatch.delattr(bw, "players")
    assert digest(player) == known  # type: ignore[arg-type]  # a function is one


def test_a_constant_of_a_module_in_a_package_is_noticed() -> None:
    package, tables = ModuleType("package"), ModuleType("package.tables")
    package.tables = tables  # type: ignore[attr-defined]  # what importing it does
    rule = FunctionType(compile("package.tables.ROWS", "rules.py", "eval"), {"package": package})
    tables.ROWS = 3  # type: ignore[attr-defined]  # a module's constant
    known = digest(rule)
    tables.ROWS = 4  # type: ignore[attr-defined]  # a module's constant
    assert digest(rule) != known


def test_many_cold_processes_at_once_never_run_each_others_code_and_lose_nothing(bench: Bench) -> None:
    steps = [1, 2, 1]
    started = [bench.start(step) for step in steps]
    assert [bench.answer(process)[0] for process in started] == [100 + 10 * step for step in steps]
    assert not list(bench.cache.glob("*.compiling"))
    assert len(bench.entries()) == 2, "two games"
    assert [bench.run(step) for step in (1, 2)] == [(110, True), (120, True)]


def test_of_many_cold_processes_one_compiles_and_the_others_wait_for_it(bench: Bench) -> None:
    answers = [bench.answer(process) for process in [bench.start() for _ in range(3)]]
    assert sorted(answers) == [(110, False), (110, True), (110, True)]


THREADS = f"""{KERNEL}
from concurrent.futures import ThreadPoolExecutor
games = [bw.load(sys.argv[1], step=step) for step in (1, 1, 1, 2, 2, 2, 1, 2)]
with ThreadPoolExecutor(8) as pool:
    print(*pool.map(play, games), sum(total.compiled.stats.cache_misses.values()))
"""


def test_of_many_threads_of_two_processes_one_compiles_each_game(bench: Bench) -> None:
    bench.write("run.py", THREADS)
    compiled = 0
    for process in [bench.start() for _ in range(2)]:
        out, err = process.communicate()
        *totals, misses = map(int, out.split())
        assert totals == [100 + 10 * step for step in (1, 1, 1, 2, 2, 2, 1, 2)], err
        compiled += misses
    assert compiled == 2, "by one thread of one process for each of the two games"
    assert len(bench.entries()) == 2 and not list(bench.cache.glob("*.compiling"))


ASK = """
import fcntl, sys
with open(sys.argv[1], "r+b") as file:
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        print("free")
    except (BlockingIOError, PermissionError):
        print("held")
"""


def test_threads_at_the_compiler_end_each_its_own_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two threads compile one kernel for two games. Who is done first frees its own game for other processes, and not
    that of the other, which would be compiled twice while its own stayed locked."""
    monkeypatch.setenv("BOARDWRIGHT_CACHE", str(tmp_path))
    store = KernelStore("kernel", lambda: "its fingerprint")

    def turns() -> dict[str, str]:
        """What another process finds, by game."""
        found = {}
        for game in ("first", "second"):
            path = store._path(game).with_suffix(".compiling")
            if path.exists():
                asked = subprocess.run([sys.executable, "-S", "-c", ASK, path], capture_output=True, text=True)
                found[game] = asked.stdout.strip()
        return found

    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(1) as other:
        assert one.submit(store.read, "first").result() is None
        assert other.submit(store.read, "second").result() is None
        assert turns() == {"first": "held", "second": "held"}
        one.submit(store.compiled).result()
        assert turns() == {"second": "held"}
        one.submit(store.compiled).result()  # it has no turn any more
        assert turns() == {"second": "held"}
        other.submit(store.compiled).result()
        assert turns() == {}


def test_whoever_dies_at_the_compiler_holds_up_nobody(bench: Bench) -> None:
    for path in (bench.run(), bench.entries())[1]:
        path.with_suffix(".compiling").touch()  # left behind: the system freed the lock
        path.unlink()
    assert bench.run() == (110, False)


def test_cut_and_altered_entries_are_compiled_anew(bench: Bench) -> None:
    bench.run()
    for number, path in enumerate(bench.entries()):
        data = path.read_bytes()
        path.write_bytes(data[: len(data) // 2] if number % 2 else data[:-9] + b"\0" * 9)
    assert bench.run() == (110, False)
    assert bench.run() == (110, True)


def test_a_cache_that_cannot_be_written_only_costs_time(bench: Bench) -> None:
    bench.write("in_the_way", "a file where the folder should be")
    assert bench.run(cache=bench.folder / "in_the_way" / "cache") == (110, False)


def test_nothing_is_written_into_the_install(bench: Bench) -> None:
    import boardwright

    package = Path(boardwright.__file__).parent

    def listing() -> set[Path]:
        return {path for path in package.rglob("*") if "__pycache__" not in path.parts}

    before = listing()
    bench.run()
    assert listing() == before and bench.entries()


def test_prune_forgets_the_unused_first(tmp_path: Path) -> None:
    now = time.time()
    for age_in_days, name in [(0, "new"), (30, "used"), (90, "stale")]:
        path = tmp_path / f"{name}.kernel"
        path.write_bytes(b"x" * 100)
        os.utime(path, (now, now - age_in_days * 86400))
    (tmp_path / ".writing-1").write_bytes(b"left by a killed process")
    os.utime(tmp_path / ".writing-1", (now, now - 7200))
    prune(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"new.kernel", "used.kernel"}
    prune(tmp_path, most=150)
    assert {path.name for path in tmp_path.iterdir()} == {"new.kernel"}


# The check's memory: which rules compiled each alone

CHECK = """
import sys
import boardwright as bw
from boardwright.compile.compiler import rule_dispatcher
from boardwright.compile.diagnose import check_compiles
game = bw.load(sys.argv[1])
try:
    check_compiles(game)
except bw.RuleError as error:
    sys.exit(str(error))
methods = game.rulebook.methods
print(*(name for name in ("player", "legal", "play", "scores") if rule_dispatcher(methods[name]).overloads))
"""


def test_rules_that_compiled_are_not_compiled_again_and_a_failure_is_never_kept(bench: Bench) -> None:
    def compiled() -> str:
        """Which of the game's rules a check compiled, or what it said."""
        out, err = bench.start().communicate()
        return (out or err).strip()

    bench.write("run.py", CHECK)
    good, every = GAME.format(names="BASE", total="BASE + self.step"), "player legal play scores"
    bench.write("counter.py", good)
    assert compiled() == every
    assert compiled() == "", "each passed before"
    bench.write("helper.py", "BASE = 200\n")
    assert compiled() == every, "what they use has changed"
    bench.write("counter.py", good.replace("self.step", "self.nothing"))
    for _ in range(2):
        assert "Counter.play: it does not compile: Counter has no option, constant or method 'nothing'" in compiled()
    assert not list(bench.cache.glob("*.compiling"))


@pytest.mark.slow
def test_a_kernel_whose_named_tuple_has_moved_is_compiled_anew(tmp_path: Path) -> None:
    """Its type lies in the cache by the name of its place."""
    pair = "from typing import Any, NamedTuple\n\nclass Pair(NamedTuple):\n    one: Any\n    other: Any\n"
    script = """
        import sys
        import numpy as np
        import boardwright as bw
        from boardwright.compile.diagnose import run_kernel
        from boardwright.compile.kernel import kernel
        from {module} import Pair

        @kernel
        def added(game, pair):
            return pair.one[0] + pair.other[0]

        game = bw.load("tictactoe")
        print(run_kernel(game, added, game, Pair(np.ones(1), np.ones(1))))
        """
    for module in ("before", "after"):
        for old in tmp_path.glob("*.py"):
            old.unlink()
        (tmp_path / f"{module}.py").write_text(pair)
        (tmp_path / "main.py").write_text(textwrap.dedent(script.format(module=module)))
        done = subprocess.run(
            [sys.executable, "-B", "main.py"],
            cwd=tmp_path,
            env={**os.environ, "BOARDWRIGHT_CACHE": str(tmp_path / "cache"), "NUMBA_DISABLE_JIT": "0"},
            capture_output=True,
            text=True,
        )
        assert done.stdout.strip() == "2.0", done.stderr
