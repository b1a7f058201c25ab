"""What is handed out: the same bytes twice, complete, and enough in an empty environment. `make test-dist` runs this
file; BOARDWRIGHT_DIST_PYTHON names another Python to install into."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from fnmatch import fnmatch
from pathlib import Path
from urllib.request import urlopen

import pytest

import boardwright as bw
from tests.dist import ROOT, build, build_wheel, copy_tree, listed, unpack

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NO_SOURCE = {".pyc", ".pyo"}

# Every model that comes along plays a move, a match is played, and nothing of the extras is there.
PLAYED = """
from importlib.util import find_spec
import boardwright as bw
from boardwright.games.built_in import BUILT_IN
from boardwright.learn.models import shipped_models
from boardwright.learn.strongest import shipped_player

assert not any(find_spec(name) for name in ("jax", "flax", "matplotlib", "ray", "pyspiel", "gymnasium"))
learnt = ["tictactoe", "gomoku:size=7", "2048", "nmbr9", "azul", "azul:players=3", "azul:players=4"]
others = [("azul", "net:")]  # a model that is not its game's strongest
for name, spec in [*((name, shipped_player(bw.load(name), 0.1)) for name in learnt), *others]:
    game = bw.load(name)
    position = game.begin(seed=1)
    assert spec and bw.player(spec, game).choose(position).move in position.moves, name
assert len(learnt) + len(others) == len(shipped_models())
assert {name.partition(":")[0] for name in learnt} == set(BUILT_IN)
print(bw.match(bw.load("tictactoe"), ["net:", "random"], games=20, seed=1))
"""


def constraints() -> str:
    """The locked versions without their hashes, of which the wheel at hand has none."""
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    return "\n".join(line.rstrip("\\ ") for line in lock.splitlines() if line and not line.startswith((" ", "#")))


def test_the_version_stands_in_one_place_and_is_told_where_people_look() -> None:
    assert "version" in PROJECT["project"]["dynamic"] and "version" not in PROJECT["project"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", bw.__version__)
    newest = re.search(r"^## \[(\d[\d.]*)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert newest and newest[1] == bw.__version__
    assert f"version: {bw.__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_every_file_beside_the_modules_belongs_to_the_wheel() -> None:
    for package, patterns in PROJECT["tool"]["setuptools"]["package-data"].items():
        folder = ROOT / "src" / package
        for path in folder.rglob("*"):
            name = path.relative_to(folder).as_posix()
            if path.is_file() and path.suffix not in {".py", *NO_SOURCE}:
                assert any(fnmatch(name, pattern.replace("**/*", "*")) for pattern in patterns), f"{package}: {name}"


def test_all_is_every_purpose() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    (everything,) = extras["all"]
    assert set(everything.removeprefix("boardwright[").removesuffix("]").split(",")) == set(extras) - {
        "all", "dev", "docs", "serve",
    }  # fmt: skip


def test_a_tree_without_git_is_the_same_tree(tmp_path: Path) -> None:
    copy_tree(ROOT, tmp_path)
    assert listed(tmp_path) == listed(ROOT)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """(sdist, wheel) of this tree."""
    return build(tmp_path_factory.mktemp("dist"))


@pytest.mark.slow
def test_two_builds_are_equal_bytes(built: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Elsewhere, later, and with other permissions and zone of time; of a tree without git, as from an sdist."""
    with tarfile.open(built[0]) as archive:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(archive.getmembers()[0].mtime))
    copy_tree(ROOT, tmp_path / "tree")
    monkeypatch.setenv("TZ", "Pacific/Auckland")
    before = os.umask(0o077)
    try:
        again = build(tmp_path / "again", tmp_path / "tree")
    finally:
        os.umask(before)
    assert [path.read_bytes() == other.read_bytes() for path, other in zip(built, again, strict=True)] == [True, True]


@pytest.mark.slow
def test_nothing_is_missing(built: tuple[Path, Path]) -> None:
    sdist, wheel = built
    with tarfile.open(sdist) as archive:
        top = f"boardwright-{bw.__version__}/"
        packed = {member.name.removeprefix(top) for member in archive.getmembers() if member.isfile()}
    with zipfile.ZipFile(wheel) as archive:
        installed = set(archive.namelist())
    names = set(listed(ROOT)) - {"PKG-INFO", "setup.cfg"}
    assert names <= packed
    assert {name for name in packed - names if "/boardwright.egg-info/" not in name} == {"PKG-INFO", "setup.cfg"}
    assert {name.removeprefix("src/") for name in names if name.startswith("src/")} <= installed
    assert not [name for name in installed if not name.startswith(("boardwright/", "boardwright_lab/", "boardwright-"))]


@pytest.mark.slow
def test_the_sdist_holds_what_its_own_tests_need(built: tuple[Path, Path], tmp_path: Path) -> None:
    unpack(built[0], tmp_path)
    tree = tmp_path / f"boardwright-{bw.__version__}"
    some = ["test_layers.py", "test_names.py", "test_documented_names.py", "test_formats.py"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *(f"tests/{name}" for name in some)],
        cwd=tree, env={**os.environ, "PYTHONPATH": str(tree / "src")}, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    collected = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--collect-only"],
        cwd=tree, env={**os.environ, "PYTHONPATH": str(tree / "src")}, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert collected.returncode == 0, collected.stdout[-3000:]


def test_the_wheel_plays_where_this_tree_is_not(tmp_path: Path) -> None:
    """What every change must pass: installed into a new environment that borrows the packages it needs from ours, so
    that nothing is fetched. Slow tests show that it needs no others, and make the wheel from the sdist."""
    env, wheel = tmp_path / "env", build_wheel(tmp_path)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(env)], check=True)
    python = env / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--quiet", "--disable-pip-version-check"]
    # Modules are compiled as they are imported, and most are not.
    install = [*pip, "install", "--no-compile", "--no-index", "--no-deps", str(wheel)]
    subprocess.run(install, check=True, timeout=300)
    away = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV"))}

    def run(*command: str) -> str:
        done = subprocess.run(
            [str(python.with_name(command[0])), *command[1:]],
            cwd=tmp_path, env=away, capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    home = Path(run("python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    (home / "borrowed.pth").write_text(f"{Path(pytest.__file__).parents[1]}\n")
    assert run("boardwright", "--version") == f"boardwright {bw.__version__}\n"
    assert str(env) in run("python", "-c", "import boardwright; print(boardwright.__file__)")
    played = run("boardwright", "play", "tictactoe", "--seat", "mcts:simulations=50", "--seat", "greedy")
    assert re.search(r"Record [0-9a-f]{32}\.", played)


@pytest.mark.slow
def test_the_wheel_alone_plays_in_an_empty_environment(built: tuple[Path, Path], tmp_path: Path) -> None:
    python = os.environ.get("BOARDWRIGHT_DIST_PYTHON") or sys.executable
    subprocess.run([python, "-m", "venv", str(tmp_path / "env")], check=True)
    bin = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin")
    (tmp_path / "constraints.txt").write_text(constraints())
    away = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV"))}
    away |= {"BOARDWRIGHT_HOME": str(tmp_path / "home")}

    def run(*command: str, typed: str = "") -> str:
        done = subprocess.run(
            [str(bin / command[0]), *command[1:]],
            input=typed, cwd=tmp_path, env=away, capture_output=True, text=True, timeout=900,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run("python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
        "-c", str(tmp_path / "constraints.txt"), str(built[1]))  # fmt: skip
    run("python", "-m", "pip", "check")
    assert run("boardwright", "--version") == f"boardwright {bw.__version__}\n"
    assert "net: " in run("python", "-c", PLAYED)
    assert "tictactoe" in run("boardwright", "games")
    assert "finished" in run(
        "boardwright", "play", "tictactoe", "--seat", "greedy", "--seat", "mcts:simulations=50"
    ) + (run("boardwright", "records", "list"))
    run("boardwright", "train", "tictactoe", "--minutes", "0.1", "--no-pilot", "--out", str(tmp_path / "run"))
    serving = subprocess.Popen(
        [str(bin / "boardwright"), "serve", "--no-open", "--no-prepare"],
        cwd=tmp_path, env=away, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    try:
        assert serving.stdout is not None
        found = re.search(r"http://\S+", serving.stdout.readline())
        assert found
        with urlopen(found[0], timeout=60) as page:
            assert b"<title>Boardwright" in page.read()
        with urlopen(f"{found[0]}api/games", timeout=60) as games:
            assert b"azul" in games.read()
    finally:
        serving.send_signal(signal.SIGTERM)
        serving.communicate(timeout=60)
