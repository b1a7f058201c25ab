"""A cluster whose nodes die again and again: weights and games are those of one machine. And what a driver holds does
not grow."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

import boardwright as bw
from boardwright.learn.display import View
from boardwright.learn.files import read_arrays
from boardwright.learn.kernel.settings import KernelSettings
from boardwright.learn.kernel.train import train
from boardwright.learn.runs import Run, read_workers
from tests.ray_nodes import Nodes
from tests.test_cluster import RULES, played

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning")]
KILLS, ROUNDS, PORTIONS = 20, 60, 4  # portions of a round of 80 games, 20 a chunk


@pytest.fixture
def nodes() -> Iterator[Nodes]:
    made = Nodes()
    for _ in range(3):
        made.add()
    yield made
    made.end()


def trained(folder: Path, rounds: int, hire: Any = None) -> dict[str, bytes]:
    settings = KernelSettings(
        minutes=0.0, rounds=rounds, games=80, way="greedy", first=32, second=32, threads=1, checkpoint_minutes=0.1
    )
    with Run(folder, bw.load(RULES), "kernel", settings, 3, 0.0, View(quiet=True), pilot=False, hire=hire) as run:
        model = train(run).model
    return {name: array.tobytes() for name, array in read_arrays(model)[0].items()}


def test_twenty_kills_a_frozen_node_and_late_ones_change_nothing(nodes: Nodes, tmp_path: Path) -> None:
    rng = np.random.default_rng()

    def replace() -> None:
        nodes.add()
        nodes.kill()

    def freeze() -> None:
        nodes.add()
        nodes.freeze()

    moments = sorted(rng.choice(np.arange(2, ROUNDS * PORTIONS - 8), KILLS + 1, replace=False).tolist())
    plan = dict.fromkeys(moments, replace)
    plan[moments[KILLS // 2]] = freeze
    assert trained(tmp_path / "cluster", ROUNDS, nodes.hire(plan)) == trained(tmp_path / "here", ROUNDS)
    assert any(not node["alive"] for node in read_workers(tmp_path / "cluster")["nodes"]), "it was disturbed"
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    assert played(tmp_path / "a", nodes.hire({2: replace, 5: replace, 9: replace})) == played(tmp_path / "b")


def test_a_lost_head_is_told_and_the_run_goes_on_when_there_is_another(nodes: Nodes, tmp_path: Path) -> None:
    with pytest.raises(bw.BoardwrightError, match=r"cluster .* (is gone|failed)"):
        trained(tmp_path / "run", 40, nodes.hire({30: nodes.kill_head}))
    nodes.end()
    assert trained(tmp_path / "run", 40) == trained(tmp_path / "here", 40), "from its last checkpoint on, as if nothing"


def test_memory_of_the_driver_and_of_the_object_stores_is_flat_over_500_iterations(
    nodes: Nodes, tmp_path: Path
) -> None:
    seen: list[tuple[float, ...]] = []

    def after(driver: int) -> None:
        own = [psutil.Process(pid).memory_info().rss / 1e6 for pid in (os.getpid(), driver)]
        stores = [psutil.Process(pid).memory_info().shared / 1e6 for pid in nodes.raylets()]  # the rest is Ray's code
        seen.append((*own, sum(stores)))

    trained(tmp_path / "run", 500, nodes.hire({}, after))
    assert len(seen) >= 500
    for which, name in enumerate(("owner", "driver", "object stores")):
        early = np.median([one[which] for one in seen[50:100]])
        late = np.median([one[which] for one in seen[-50:]])
        assert late < 1.05 * early, f"{name}: {early:.0f} MB, then {late:.0f} MB"
