"""What a cluster gives: self-play and a match by 1, 2, 4 and 8 workers on this machine, local processes beside Ray, and
from the costs measured there a simulation of as many nodes as nobody has at home.
"""

from __future__ import annotations

import heapq
import os
import pickle
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from boardwright.arena.match import Match
from boardwright.arena.report import markdown_table
from boardwright.arena.workers import Hire, Job, LocalProcesses, Workers
from boardwright.bench.cases import first_case
from boardwright.cluster.workers import on_cluster
from boardwright.games.load import load
from boardwright.learn.kernel.job import KernelJob
from boardwright.learn.kernel.learner import Learner
from boardwright.learn.kernel.log import join
from boardwright.learn.kernel.network import network_for
from boardwright.learn.kernel.orders import cut
from boardwright.learn.kernel.rounds import chunks_of
from boardwright.learn.kernel.settings import KernelSettings
from boardwright.records import Library

PLAYERS, PACE = ("mcts:seconds=0.1", "mcts:seconds=0.1"), 0.1
SEED = 5
CASE = "cluster"  # of the games' cards: the game that is played here


@dataclass(frozen=True)
class ClusterRate:
    """What so many workers did. driver: share of one CPU that our side of it took, Ray's own processes left out."""

    what: str
    place: str  # "processes" or "Ray"
    workers: int
    cores: int  # of this machine, which the workers share
    games_a_second: float
    driver: float
    megabytes_a_second: float

    @property
    def a_core(self) -> float:
        """Games a second of each core in use."""
        return self.games_a_second / min(self.workers, self.cores)

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "a_core": self.a_core}


@dataclass(frozen=True)
class Costs:
    """What a portion costs, in seconds and bytes, as measured here; and a network's speed, which is assumed."""

    play: float  # seconds of a worker, a portion
    handle: float  # seconds of the driver, a portion
    learn: float  # seconds of the learner, a portion's games
    games: float  # a portion
    portion: float  # bytes that come back
    weights: float  # bytes that go out to each node, once an iteration
    bytes_a_second: float = 125e6  # of the driver's network: a gigabit

    def to_dict(self) -> dict[str, float]:
        return asdict(self)


@dataclass(frozen=True)
class Simulated:
    """One iteration of so many nodes, in the long run."""

    nodes: int
    workers: int
    portions: int  # an iteration
    games_a_second: float
    busy: float  # share of the workers' time that is play
    limit: str  # what it waits for: "workers", "learner", "driver", "network"


def measure_cluster(
    counts: tuple[int, ...], seconds: float, tell: Callable[[str], None]
) -> tuple[list[ClusterRate], Costs]:
    """Rates of each number of workers, and the costs of a portion."""
    rates: list[ClusterRate] = []
    costs: Costs | None = None
    for count in counts:
        for place in ("processes", "Ray"):
            tell(f"self-play, {count} workers, {place}")
            rate, found = _selfplay(place, count, seconds)
            rates.append(rate)
            costs = found if place == "Ray" and costs is None else costs
        for place in ("processes", "Ray"):
            tell(f"match, {count} workers, {place}")
            rates.append(_match(place, count, seconds))
    assert costs is not None
    return rates, costs


def _hired(place: str, count: int) -> Hire:
    if place == "Ray":
        return on_cluster(f"local:{count}")

    def here(job: Job) -> Workers:
        return LocalProcesses(job, count)

    return here


def _selfplay(place: str, count: int, seconds: float) -> tuple[ClusterRate, Costs]:
    """Rounds inside the kernel by search, the learner left out; then a fit, for its cost."""
    game = load(first_case(CASE))
    settings = KernelSettings(way="search")
    network = network_for(game, settings.first, settings.second, True, has_policy=True)
    learner = Learner.fresh(game, network, settings, "search", SEED)
    numbers, terms = learner.fitter.averaged, settings.search_terms(game, network.has_policy)
    chunks = chunks_of(settings.games, SEED, 4)
    orders = cut(chunks, count)
    job = KernelJob.of(game, network)
    workers = _hired(place, count)(job)
    workers.start()
    try:
        for _ in range(2):  # compile, and let every worker begin
            workers.hand_out((numbers, terms), orders)
            portions = workers.collect(lambda: None)
        began, spent, rounds = time.monotonic(), time.process_time(), 0
        while time.monotonic() - began < seconds:
            workers.hand_out((numbers, terms), orders)
            portions = workers.collect(lambda: None)
            rounds += 1
        passed, own = time.monotonic() - began, time.process_time() - spent
    finally:
        workers.stop()
    size_back = sum(len(pickle.dumps(portion, protocol=5)) for portion in portions)
    rate = ClusterRate(
        "self-play", place, count, os.cpu_count() or 1, rounds * settings.games / passed, own / passed,
        rounds * size_back / passed / 1e6,
    )  # fmt: skip
    played = join([one for portion in portions for one in portion], game)
    learner.fit(played, 1)  # compiles
    began_fit = time.process_time()
    learner.fit(played, 1)
    fit = time.process_time() - began_fit
    each = len(orders)
    costs = Costs(
        play=passed * min(count, rate.cores) / (rounds * each),
        handle=own / (rounds * each),
        learn=fit / each,
        games=settings.games / each,
        portion=size_back / each,
        weights=float(numbers.nbytes),
    )
    return rate, costs


def _match(place: str, count: int, seconds: float) -> ClusterRate:
    """A match of players who think for 0.1 s: games that fill the time, about, and four sets a worker at least."""
    game = load(first_case(CASE))
    games = 2 * max(4 * count, round(seconds * min(count, os.cpu_count() or 1) / (2 * 30 * PACE)))
    with tempfile.TemporaryDirectory() as folder:
        planned = Match(game, PLAYERS, games, SEED, library=Library(Path(folder) / "games.sqlite"))
        marks: list[tuple[float, float]] = []

        def told(progress: Any) -> None:
            if progress.done > len(marks) - 1:
                marks.append((time.monotonic(), time.process_time()))

        planned.run(count, told, on_cluster(f"local:{count}") if place == "Ray" else None)
        moves = sum(sum(one.moves) for one in planned.outcomes.values())
        # From the end of everybody's first set, of two games, to the last's: what it takes to start is not play.
        first = 2 * count
        passed, own = marks[-1][0] - marks[first][0], marks[-1][1] - marks[first][1]
    done = (len(marks) - 1 - first) / passed
    return ClusterRate(
        "match, 0.1 s a move", place, count, os.cpu_count() or 1, done, own / passed, moves * 4 / passed / 1e6
    )


def simulate_nodes(costs: Costs, nodes: int, cpus: int, portions: int, rounds: int = 20) -> Simulated:
    """Iterations as the loop makes them: weights go out to every node, workers take portions as they come free,
    portions pass the driver's network and then the driver one after the other, and the learner works on the iteration
    before."""
    rng = np.random.Generator(np.random.PCG64(SEED))
    workers = nodes * cpus
    total = played = 0.0
    waits = dict.fromkeys(("workers", "learner", "driver", "network"), 0.0)
    for _ in range(rounds):
        sent = nodes * costs.weights / costs.bytes_a_second
        free = [sent] * min(workers, portions)
        heapq.heapify(free)
        ends = []
        for _ in range(portions):
            took = costs.play * float(rng.lognormal(0.0, 0.2))
            end = heapq.heappop(free) + took
            played += took
            ends.append(end)
            heapq.heappush(free, end)
        wire = handled = 0.0
        for end in sorted(ends):
            wire = max(wire, end) + costs.portion / costs.bytes_a_second
            handled = max(handled, wire) + costs.handle
        learnt = costs.learn * portions
        total += max(handled, learnt)
        waits["workers"] += max(ends) - sent
        waits["network"] += sent + portions * costs.portion / costs.bytes_a_second
        waits["driver"] += portions * costs.handle
        waits["learner"] += learnt
    limit = max(waits, key=lambda name: waits[name])  # who alone would need longest
    games = rounds * portions * costs.games
    return Simulated(nodes, workers, portions, games / total, played / (workers * total), limit)


def cluster_page(rates: list[ClusterRate], costs: Costs, simulated: list[Simulated], command: str) -> str:
    """The part of docs/cluster.md that is measured."""
    about = (
        f"Written by `{command}`. Games a second of rounds by search ({first_case(CASE)}) and of a match at {PACE:g} s "
        "a move; "
        f"workers beyond the {rates[0].cores} cores of the machine share them. Driver: share of a CPU that our own "
        "process takes."
    )
    heading = ["what", "place", "workers", "games a second", "a core", "driver", "MB a second"]
    rows = [
        [one.what, one.place, f"{one.workers}", f"{one.games_a_second:.3g}", f"{one.a_core:.3g}",
         f"{100 * one.driver:.1f} %", f"{one.megabytes_a_second:.3g}"]
        for one in rates
    ]  # fmt: skip
    then = (
        f"A portion: {1000 * costs.play:.0f} ms of a worker, {1000 * costs.handle:.2f} ms of the driver, "
        f"{1000 * costs.learn:.1f} ms of the learner, {costs.games:.0f} games, {costs.portion / 1e3:.0f} kB back; "
        f"weights: {costs.weights / 1e3:.0f} kB to each node. Simulated with these, "
        f"{costs.bytes_a_second / 125e6:.0f} Gbit/s at the driver and 8 CPUs a node:"
    )
    heading_then = ["nodes", "workers", "portions an iteration", "games a second", "workers busy", "it waits for"]
    rows_then = [
        [f"{one.nodes:,}", f"{one.workers:,}", f"{one.portions:,}", f"{one.games_a_second:,.0f}",
         f"{100 * one.busy:.0f} %", "its workers" if one.limit == "workers" else f"the {one.limit}"]
        for one in simulated
    ]  # fmt: skip
    parts = [about, markdown_table(heading, rows), then, markdown_table(heading_then, rows_then)]
    return "\n\n".join(part.strip() for part in parts) + "\n"
