"""Workers on a real Ray cluster, several raylets on this machine: what comes out is what local processes would give,
whatever was killed on the way; and what cannot work is told in one sentence."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import boardwright as bw
from boardwright.arena.parcels import SentGame, SentSpec
from boardwright.cluster.actor import FAILED, told
from boardwright.cluster.address import Address
from boardwright.cluster.driver import CLAIM, room_of
from boardwright.cluster.identity import Identity
from boardwright.cluster.status import NodeStatus, Status
from boardwright.learn.display import View
from boardwright.learn.files import read_arrays
from boardwright.learn.kernel.settings import KernelSettings
from boardwright.learn.kernel.train import train
from boardwright.learn.runs import Run, read_workers
from boardwright.records import Library
from tests.marks import thorough
from tests.processes import run_here
from tests.ray_nodes import Nodes

# Ray forks to start a node; a test before may have loaded JAX into this process, whose warning is meant for others.
pytestmark = pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning")
RULES = "tests/games/two_steps.py:TwoSteps"
LEARNT = "docs/examples/royal_ur.py:RoyalUr:pieces=2"  # with a network as in test_kernel_learning: compiled once
SETTINGS = KernelSettings(
    minutes=0.0, rounds=4, games=80, way="greedy", first=32, second=8, longest=200, threads=1, checkpoint_minutes=0.0
)


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    made = Nodes()
    made.add()
    if thorough():
        made.add()
    yield made
    made.end()


def trained(folder: Path, hire: Any = None) -> dict[str, bytes]:
    with Run(folder, bw.load(LEARNT), "kernel", SETTINGS, 3, 0.0, View(quiet=True), pilot=False, hire=hire) as run:
        model = train(run).model
    return {name: array.tobytes() for name, array in read_arrays(model)[0].items()}


def played(folder: Path, hire: Any = None) -> list[str]:
    """What was played, game by game; the clock's figures left out."""
    library = Library(folder / "games.sqlite")
    result = bw.match(bw.load(RULES), ["mcts:simulations=30", "random"], games=24, hire=hire, library=library)
    return [(record := library.get(one.id)).id + repr((record.plies, record.players, record.results, record.note))
            for one in result.outcomes]  # fmt: skip


def test_a_training_among_dying_and_joining_nodes_ends_as_it_does_here(nodes: Nodes, tmp_path: Path) -> None:
    again = {14: nodes.add, 20: nodes.kill} if thorough() else {}
    disturbed = nodes.hire({2: nodes.add, 5: nodes.kill, **again})
    assert trained(tmp_path / "cluster", disturbed) == trained(tmp_path / "here")
    told = read_workers(tmp_path / "cluster")
    assert told["cpu_kinds"] == [Identity.here().cpu] and sum(node["portions"] for node in told["nodes"]) > 0


@pytest.mark.slow
def test_a_match_among_dying_and_joining_nodes_ends_as_it_does_here(nodes: Nodes, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    assert played(tmp_path / "a", nodes.hire({3: nodes.add, 4: nodes.kill})) == played(tmp_path / "b")


def test_the_status_is_there_for_whoever_asks(nodes: Nodes) -> None:
    asked = run_here("cluster", "status", "--cluster", nodes.cluster.address)
    assert asked.returncode == 0 and "node" in asked.stdout and "nobody works" in asked.stdout, asked


@pytest.mark.slow
def test_a_playtest_is_the_one_that_is_made_here(nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for name, hire in (("here", None), ("there", nodes.hire({}))):
        monkeypatch.setenv("BOARDWRIGHT_HOME", str(tmp_path / name))
        found.append(bw.playtest(bw.load(RULES), sets=2, top=16, hire=hire).to_dict())
        del found[-1]["seconds"]
    assert found[0] == found[1]


@pytest.mark.slow
def test_a_game_that_workers_cannot_import_is_one_sentence(
    nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("library", "game"):
        (tmp_path / folder).mkdir()
    (tmp_path / "library" / "only_on_the_driver.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path / "library"))
    text = (Path(__file__).parent / "games" / "two_steps.py").read_text()
    path = tmp_path / "game" / "steps.py"
    path.write_text(text.replace("import boardwright", "import only_on_the_driver\nimport boardwright"))
    library = Library(tmp_path / "games.sqlite")
    with pytest.raises(bw.BoardwrightError, match=r"steps\.py: importing it raised ModuleNotFoundError"):
        bw.match(bw.load(str(path)), ["random", "random"], games=4, hire=nodes.hire({}), library=library)


# What needs no cluster


def test_addresses_are_read_once() -> None:
    assert Address.parse("local:4") == Address("", 4) and Address.parse("10.0.0.1:6379") == Address("10.0.0.1:6379")
    assert str(Address.parse("[::1]:6379")) == "[::1]:6379"
    for text in (
        "",
        "local",
        "local:0",
        "local:x",
        "local:99999999",
        "host",
        "host:0",
        "host:99999",
        "a b:1",
        "ray://h:1",
    ):
        with pytest.raises(bw.InputError, match="cluster"):
            Address.parse(text)


def test_a_game_and_its_neighbours_travel_by_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDWRIGHT_CACHE", str(tmp_path / "cache"))
    here = tmp_path / "here"
    here.mkdir()
    text = (Path(__file__).parent / "games" / "two_steps.py").read_text()
    (here / "steps_of_mine.py").write_text("STEPS = 3\n")
    (here / "mine.py").write_text(text.replace("import boardwright", "import steps_of_mine\nimport boardwright"))
    game = bw.load(f"{here / 'mine.py'}:TwoSteps")
    sent = SentGame.of(game, f"{here / 'mine.py'}:TwoSteps")
    assert [name for name, _ in sent.parcel.files] == ["mine.py", "steps_of_mine.py"]
    for file in here.iterdir():
        if file.is_file():
            file.unlink()
    there = sent.unpacked()
    assert there.digest == game.digest and str(tmp_path / "cache") in type(there)._source  # type: ignore[attr-defined]  # where it was loaded from
    assert sent.parcel.unpack() == sent.parcel.unpack()
    with pytest.raises(bw.BoardwrightError, match="other rules"):
        dataclasses.replace(sent, digest="0").unpacked()


def test_players_travel_with_their_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDWRIGHT_CACHE", str(tmp_path / "cache"))
    run = tmp_path / "run"
    run.mkdir()
    (run / "model.safetensors").write_bytes(b"weights")
    (tmp_path / "mine.py").write_text("class Mine: pass\n")
    spec = SentSpec.of(f"mcts:net={run},simulations=20")
    path = bw.PlayerSpec.parse(spec.unpacked()).settings["net"]
    assert Path(path).read_bytes() == b"weights" and str(run) not in path
    own = bw.PlayerSpec.parse(SentSpec.of(f"{tmp_path / 'mine.py'}:Mine:depth=3").unpacked())
    assert Path(own.file).read_text() == "class Mine: pass\n" and own.kind.endswith(":Mine")
    assert own.settings == {"depth": "3"} and SentSpec.of("random").unpacked() == "random"
    with pytest.raises(bw.InputError, match="this machine only"):
        SentSpec.of("engine:./other")


def test_who_would_play_other_games_is_refused_by_name() -> None:
    ours = Identity.here()
    assert ours.refusal(dataclasses.replace(ours, cpu="another")) == "", "another CPU is marked, not refused"
    assert ours.refusal(dataclasses.replace(ours, numba="0.1")) == "it has Numba 0.1"
    assert ours.refusal(dataclasses.replace(ours, jax="")) == "it has no JAX"
    assert ours.refusal(dataclasses.replace(ours, boardwright="9 (x)")) == "it has Boardwright 9 (x)"


def test_a_node_has_no_more_workers_than_memory_for_them() -> None:
    assert room_of({"CPU": 4.0, "memory": 2.5 * CLAIM}) == 2 and room_of({"CPU": 4.0, "memory": 40.0 * CLAIM}) == 4
    assert room_of({"memory": 40.0 * CLAIM}) == 0


def test_the_status_in_few_words() -> None:
    status = Status(
        "auto", [NodeStatus("a", 2), NodeStatus("b", 1, starting=1), NodeStatus("c", refused="it has no JAX")]
    )
    status.in_flight, status.lost = 3, 2
    assert status.note() == "2 nodes, 3 workers, 3 in flight, 1 starting, 2 replayed, c refused: it has no JAX"


@pytest.mark.parametrize(
    ("where", "said"),
    [("127.0.0.1:9", "nobody answers there"), ("auto", "ray start --head"), ("nowhere", "names no cluster")],
)
def test_a_cluster_that_is_not_there_is_one_sentence(
    where: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:9")
    out = tmp_path / "run"
    told = run_here("train", RULES, "--cluster", where, "--set", "rounds=2,games=10", "--out", str(out))
    assert told.returncode != 0 and said in told.stderr and "Traceback" not in told.stderr, told
    assert not out.exists(), "nothing is left of a training that could not begin"


def test_without_ray_the_cure_is_named(tmp_path: Path) -> None:
    (tmp_path / "ray.py").write_text("raise ImportError('no ray')\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, "-m", "boardwright", "match", "tictactoe", "random", "random", "--cluster", "local:2"]
    told = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert told.returncode != 0 and "pip install 'boardwright[cluster]'" in told.stderr, told


def test_what_goes_wrong_at_a_worker_comes_back_as_a_sentence() -> None:
    def too_much() -> None:
        raise MemoryError

    assert told(too_much) == (FAILED, "there is not enough memory; give the node more, or make portions smaller")
    empty: dict[str, int] = {}
    kind, said = told(lambda: empty["x"])
    assert kind == FAILED and said.startswith("KeyError: 'x' (")


def test_tables_stay_on_one_machine() -> None:
    told = run_here("train", "2048", "--cluster", "local:2")
    assert told.returncode != 0 and "leave --cluster out" in told.stderr
