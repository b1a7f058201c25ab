"""Learning inside the kernel: how fast it plays and looks, and how far a learnt value is from exact ones."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.bench.cases import cases
from boardwright.bench.examples import race
from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position, blank
from boardwright.contract.state import copy_record
from boardwright.games.load import load
from boardwright.learn.display import View
from boardwright.learn.kernel.model import load_value
from boardwright.learn.kernel.train import KernelSettings, train
from boardwright.learn.metrics import read_metrics
from boardwright.learn.models import find_model
from boardwright.learn.runs import Run
from boardwright.learn.selfplay.player import open_network
from boardwright.learn.shipped import NETWORK, model_heading
from boardwright.search.exact.value_iteration import ValueIteration

METHOD = "kernel"
BATCH = 1024  # positions that a network of self-play values at once
PIECES, MOST_LEFT = 7, 3  # of the race: its pieces, and with how many left a side it is small enough to be solved
Tell = Callable[[str], None]


def quiet(text: str) -> None:
    """Nobody is told."""


class Stopwatch(View):
    """Shows nothing, and notes when each round ended: (CPU seconds of this process, seconds by the clock)."""

    def __init__(self) -> None:
        super().__init__(quiet=True)
        self.laps: list[tuple[float, float]] = []

    def figures(self, figures: Mapping[str, float]) -> None:
        self.laps.append((time.process_time(), time.perf_counter()))


def trained(
    game: Game, folder: Path, minutes: float, seed: int = 0, view: View | None = None, **settings: Any
) -> Path:  # fmt: skip
    """The folder of a run of so many minutes, or until its settings say so."""
    with Run(folder, game, METHOD, KernelSettings(**settings), seed, minutes, view or View(quiet=True)) as run:
        train(run)
        if run.interrupted:
            raise KeyboardInterrupt
    return folder


# Speed


@dataclass(frozen=True)
class Pace:
    """Medians over trainings. With one thread by CPU time, which a busy machine disturbs less than the clock; `ratio`:
    games a second of two threads by those of one, both by the clock, of trainings taken in turn."""

    what: str
    games: float  # a CPU second of one thread, fitting included
    looks: float  # positions valued in a CPU second of play
    ratio: float
    rounds: int

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def paced_games() -> dict[str, str]:
    """The games whose pace is measured, by their specs, and what they are called."""
    return {race(PIECES): f"{load(race(PIECES)).title}, {PIECES} pieces", **cases(METHOD)}


def measure_pace(wanted: dict[str, str], rounds: int, turns: int, tell: Tell = quiet, **settings: Any) -> list[Pace]:
    """Trainings of `rounds` rounds, one thread and two in turn, `turns` times. settings: if not the usual ones."""
    found = []
    for spec, what in wanted.items():
        game = load(spec)
        _training_pace(game, 1, 1, settings)  # compile
        pairs = []
        for number in range(turns):
            tell(f"{what}: turn {number + 1} of {turns}")
            pairs.append([_training_pace(game, threads, rounds, settings) for threads in (1, 2)])
        found.append(
            Pace(
                what,
                median(one[0] for one, _ in pairs),
                median(one[1] for one, _ in pairs),
                median(two[2] / one[2] for one, two in pairs),
                rounds,
            )
        )
    return found


def _training_pace(game: Game, threads: int, rounds: int, settings: dict[str, Any]) -> tuple[float, float, float]:
    """Games and looks a CPU second, and games a second by the clock, of a training's rounds after the first, which is
    played without the network."""
    watch = Stopwatch()
    with tempfile.TemporaryDirectory() as place:
        settings = {"way": "greedy", "rounds": rounds + 1, "threads": threads, **settings}
        folder = trained(game, Path(place) / "run", 0.0, view=watch, **settings)
        lines = read_metrics(folder)[1:]
    cpu, clock = np.subtract(watch.laps[-1], watch.laps[0])
    games = rounds * settings.get("games", KernelSettings().games)
    looks = median(line["looks_a_second"] for line in lines)
    return games / cpu, looks, games / clock


# Error


@dataclass(frozen=True)
class Miss:
    """How far a learnt value is from the exact one, the mean over positions with so many pieces left."""

    left: str  # pieces of both sides, the fewer first
    positions: int  # that were looked at
    result: float  # mean absolute error of the result, -1 to 1
    known: float  # the same of one who takes every position for even

    @property
    def chance(self) -> float:
        """Mean absolute error of the chance to win, 0 to 1."""
        return self.result / 2

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "chance": self.chance}


MEANS = ("result", "known")


@kernel
def actors_of(game: Any, states: Any, out: Any) -> None:
    """out[k] = who acts in states[k]."""
    for k in range(len(states)):
        out[k] = game.player(states[k])


@kernel
def value_states(game: Any, network: Any, learned: Any, states: Any, out: Any) -> None:
    """out[k, i] = what player i can expect in states[k] by the network."""
    for k in range(len(states)):
        network.value(game, states[k], learned, out[k])


class SolvedRace:
    """Exact values of the race from where `left` pieces of each side are still to come home and the others are."""

    def __init__(self, left: int = MOST_LEFT, pieces: int = PIECES, tell: Tell = quiet) -> None:
        if not 1 <= left <= min(MOST_LEFT, pieces):
            raise InputError(f"bench learn: left={left} of {pieces} pieces; choose 1 to {min(MOST_LEFT, pieces)}")
        self.game, self.left, self.pieces = load(race(pieces)), left, pieces

        def show(what: str, done: float) -> None:
            tell(f"solving: {done:,.0f} positions" if what == "positions" else f"solving: values move by {done:.1g}")

        solution = ValueIteration(self.game, self._root(), tolerance=1e-6, progress=show)
        self.states, self.exact = solution.states, solution.state_values

    def _root(self) -> Position:
        document = json.loads(blank(self.game).to_json())
        document["state"]["at"] = [[self.left, *[0] * 14, self.pieces - self.left]] * 2
        return self.game.from_json(json.dumps(document))

    def misses(self, model: str, sample: int = 0, seed: int = 0, *, decisions: bool = False) -> list[Miss]:
        """The error of the value of a run or model file, for each number of pieces left, and over all with two
        or more on both sides. sample: look at so many of each, chosen by `seed`; 0: at all. decisions: only at
        positions where somebody moves."""
        asked = self._asked(model)
        rng, least = np.random.default_rng(seed), min(2, self.left)
        left = self.pieces - self.states["at"][:, :, -1].astype(np.int64)
        if decisions:
            left[self._actors(self.states) < 0] = 0
        found, sizes = [], []
        for few in range(1, self.left + 1):  # with none left the game is over
            for many in range(few, self.left + 1):
                chosen = np.flatnonzero((left.min(axis=1) == few) & (left.max(axis=1) == many))
                sizes.append(len(chosen) if few >= least else 0)
                if sample and len(chosen) > sample:
                    chosen = np.sort(rng.choice(chosen, sample, replace=False))
                values, exact = asked(copy_record(self.states[chosen])), self.exact[chosen, 0]
                result, known = float(np.abs(values[:, 0] - exact).mean()), float(np.abs(exact).mean())
                found.append(Miss(f"{few} : {many}", len(chosen), result, known))
        seen = sum(one.positions for one, size in zip(found, sizes, strict=True) if size)
        result, known = (float(np.average([getattr(one, name) for one in found], weights=sizes)) for name in MEANS)
        return [*found, Miss(f"{least} to {self.left}", seen, result, known)]

    def _asked(self, model: str) -> Callable[[npt.NDArray[np.void]], npt.NDArray[np.float64]]:
        """What a model says that each player can expect in each of some states."""
        if is_network(model):
            judge = open_network(model, self.game)

            def by_network(states: npt.NDArray[np.void]) -> npt.NDArray[np.float64]:
                actors = self._actors(states)
                parts = (slice(k, k + BATCH) for k in range(0, len(states), BATCH))
                return np.concatenate([judge(states[part], actors[part])[1] for part in parts])

            return by_network
        network, learned = load_value(model, self.game)

        def by_value(states: npt.NDArray[np.void]) -> npt.NDArray[np.float64]:
            values = np.zeros((len(states), self.game.players))
            run_kernel(self.game, value_states, self.game, network, learned, states, values)
            return values

        return by_value

    def _actors(self, states: npt.NDArray[np.void]) -> npt.NDArray[np.int8]:
        actors = np.zeros(len(states), np.int8)
        run_kernel(self.game, actors_of, self.game, states, actors)
        return actors


def is_network(model: str) -> bool:
    """Whether a run or model file has a network of self-play, which values positions where somebody moves and no
    others."""
    return bool(model_heading(find_model(model)).get("kind") == NETWORK)
