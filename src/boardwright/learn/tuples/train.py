"""Train n-tuple tables: games in slices, threads over one table, tests for the curve, checkpoints, the model."""

from __future__ import annotations

import math
import shlex
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.arena.intervals import Estimate, mean
from boardwright.compile.diagnose import run_kernel
from boardwright.compile.td_steps import BEST, FRESH, MOVES, STATS, SUM, Step
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.random import Random
from boardwright.games.named import game_argument
from boardwright.learn.display import CurvePanel, draw_curves
from boardwright.learn.metrics import read_metrics
from boardwright.learn.models import save_model
from boardwright.learn.pilot.hook import Pilot
from boardwright.learn.runs import MODEL, Checkpoint, Finished, Run, random_from, random_state
from boardwright.learn.tuples.board_kit import board_kit
from boardwright.learn.tuples.learning import Lesson, learn_games, meet_random, new_lesson
from boardwright.learn.tuples.settings import TupleSettings, patterns_for
from boardwright.learn.tuples.tables import tables_for
from boardwright.players import PlayerSpec

__all__ = ["TupleSettings", "train"]

KIND = "tuples"
KEPT_BYTES = 64_000_000  # tables up to this size are written as models on the way, too
MOST_SLICE = 100  # games between two looks at the clock
TEST_SEED = 20480
LONGEST = 1 << 16  # afterstates of a game


class TupleLearner:
    """The tables of one game with everything that their training changes."""

    def __init__(self, game: Game, settings: TupleSettings, seed: int) -> None:
        self.game, self.settings, self.seed = (
            game,
            replace(settings, patterns=patterns_for(game, settings.patterns)),
            seed,
        )
        self.tables = tables_for(game, self.settings.patterns)
        self.kit = board_kit(game)  # the game's own learner, if it has one
        size = self.tables.size
        self.learned = np.zeros(size, np.float32)
        self.coherence = np.zeros((size if settings.rule == "tc" else 1, 2), np.float32)
        self.done = 0  # games
        self.stats = np.zeros(STATS)  # since the last line of metrics
        self.workers = [_Worker(self, number) for number in range(settings.threads)]

    def run_slice(self, share: float, pool: ThreadPoolExecutor | None) -> None:
        """The next games on every thread, with `share` of the settings' alpha."""
        games = slice_games(self.settings)
        if pool is None:
            self.workers[0].learn(share, games)
        else:
            futures: list[Future[None]] = [pool.submit(worker.learn, share, games) for worker in self.workers]
            for future in futures:
                future.result()
        for worker in self.workers:
            self.stats += worker.stats
            self.stats[BEST] = max(self.stats[BEST] - worker.stats[BEST], worker.stats[BEST])
            worker.stats[:] = 0.0
        self.done += games * len(self.workers)

    def test(self, games: int, pool: ThreadPoolExecutor | None) -> Estimate:
        """The mean of games without learning, always on the same draws."""
        results = np.zeros(games)
        parts = np.array_split(np.arange(games), len(self.workers))
        jobs = [(worker, part) for worker, part in zip(self.workers, parts, strict=True) if len(part)]
        if pool is None:
            self.workers[0].test(results, 0)
        else:
            for future in [pool.submit(worker.test, results[p[0] : p[-1] + 1], int(p[0])) for worker, p in jobs]:
                future.result()
        return mean(results.tolist())

    # What a checkpoint holds

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        held: dict[str, npt.NDArray[Any]] = {"learned": self.learned, "coherence": self.coherence}
        for number, worker in enumerate(self.workers):
            held[f"worker_{number}"] = worker.frozen()
        return held

    def state(self) -> dict[str, Any]:
        return {
            "games": self.done,
            "random": [random_state(worker.rng) for worker in self.workers],
            "stats": self.stats.tolist(),
        }

    def thaw(self, checkpoint: Checkpoint) -> None:
        """Take up where a checkpoint left off; with other threads than before, new ones start afresh."""
        for name in ("learned", "coherence"):
            if checkpoint.arrays[name].shape != getattr(self, name).shape:
                raise InputError(f"the checkpoint's {name} has another size than these patterns; choose another --out")
        self.learned[:] = checkpoint.arrays["learned"]
        self.coherence[:] = checkpoint.arrays["coherence"]
        self.done = int(checkpoint.state["games"])
        self.stats[:] = checkpoint.state["stats"]
        for number, (worker, rng) in enumerate(zip(self.workers, checkpoint.state["random"], strict=False)):
            worker.thaw(random_from(rng), checkpoint.arrays[f"worker_{number}"])


class _Worker:
    """One thread's own: its random numbers, the place to go on from, and room for a game."""

    def __init__(self, learner: TupleLearner, number: int) -> None:
        self.learner = learner
        game, tables = learner.game, learner.tables
        seeds = Random(learner.seed)
        for _ in range(number):
            seeds.split()
        rng = seeds.split().state
        self.boards: Any = None  # of the game's own kernels, where they play
        self.states: Lesson | None = None
        if learner.kit:
            self.boards = learner.kit.new_board_lesson(tables.active, rng)
        else:
            self.states = new_lesson(game, tables.active, rng, LONGEST if game.state_dtype.itemsize <= 64 else 4096)

    @property
    def lesson(self) -> Any:
        """What it works with: boards, or states."""
        found = self.boards or self.states
        assert found is not None
        return found

    @property
    def rng(self) -> npt.NDArray[np.uint64]:
        numbers: npt.NDArray[np.uint64] = self.lesson.rng
        return numbers

    @property
    def stats(self) -> npt.NDArray[np.float64]:
        counted: npt.NDArray[np.float64] = self.lesson.stats
        return counted

    def learn(self, share: float, games: int) -> None:
        learner, settings = self.learner, self.learner.settings
        game, tables = learner.game, learner.tables
        step = Step(settings.alpha * share, float(settings.trace), int(settings.rule == "tc"), settings.restart)
        numbers = learner.learned, learner.coherence
        if learner.kit:
            kit = learner.kit
            run_kernel(
                game, kit.learn_boards, tables, *numbers, kit.row_tables(), kit.odds(game), step, self.boards, games
            )
        else:
            run_kernel(game, learn_games, game, tables, *numbers, step, float(settings.explore), self.states, games)

    def test(self, results: npt.NDArray[np.float64], first: int) -> None:
        learner = self.learner
        rng = np.array([TEST_SEED + 1_000_003 * first], np.uint64)
        if learner.kit:
            kit, game = learner.kit, learner.game
            rows, four = kit.row_tables(), kit.odds(game)
            run_kernel(game, kit.play_boards, learner.tables, learner.learned, rows, rng, four, results)
        else:
            assert self.states is not None
            lesson = self.states._replace(rng=rng, states=np.zeros(4, learner.game.state_dtype))
            run_kernel(learner.game, meet_random, learner.game, learner.tables, learner.learned, lesson, results)

    def frozen(self) -> npt.NDArray[np.uint8]:
        """Where the next game goes on from, as bytes."""
        if self.boards is not None:
            return np.array(self.boards.start.view(np.uint8))
        assert self.states is not None
        return np.concatenate([self.states.resumed.view(np.uint8), self.states.states[2:3].view(np.uint8)])

    def thaw(self, rng: npt.NDArray[np.uint64], data: npt.NDArray[np.uint8]) -> None:
        self.lesson.rng[:] = rng
        if self.boards is not None:
            self.boards.start[:] = np.frombuffer(data.tobytes(), np.uint64)
        else:
            assert self.states is not None
            self.states.resumed[:] = np.frombuffer(data.tobytes()[:8], np.int64)
            self.states.states.view(np.uint8).reshape(4, -1)[2] = data[8:]


def slice_games(settings: TupleSettings) -> int:
    """Games of a slice: by the settings alone, since the step's size changes between slices only."""
    return max(1, min(MOST_SLICE, settings.games // 200))


def train(run: Run) -> Finished:
    """Learn until the games are played, the minutes are over or somebody stops it."""
    learner = TupleLearner(run.game, run.settings, run.seed)
    checkpoint = run.resume()
    if checkpoint is not None:
        with run.taking_up(checkpoint):
            learner.thaw(checkpoint)
        run.view.say(f"Going on after {learner.done:,} games.")
    settings, goal = learner.settings, learner.settings.games
    point = int(run.progress(learner.done / goal) * settings.test_points)  # of the curve
    pool = ThreadPoolExecutor(settings.threads) if settings.threads > 1 else None
    pilot = Pilot(run, KIND, lambda path: _save(path, learner, {}), keeps=learner.learned.nbytes <= KEPT_BYTES)
    try:
        saved, clock, moves = time.monotonic(), run.seconds, learner.stats[MOVES]
        while learner.done < goal and not run.stopping:
            share = settings.step_share(run.progress(learner.done / goal))
            learner.run_slice(share, pool)
            reached = int(run.progress(learner.done / goal) * settings.test_points)
            if reached > point:
                point = reached
                speed = (learner.stats[MOVES] - moves) / max(run.seconds - clock, 1e-9)
                _log(run, learner, pool, {"moves_per_second": speed, "step_size": settings.alpha * share})
                clock, moves = run.seconds, 0.0
            run.show(learner.done / goal, f"{learner.done:,} of {goal:,} games")
            pilot.perhaps()
            if time.monotonic() - saved >= 60 * settings.checkpoint_minutes:
                run.save(learner.done, learner.arrays(), learner.state())
                if learner.learned.nbytes <= KEPT_BYTES:  # so that a run can be played with while it goes on
                    _save(run.path / MODEL, learner, {})
                saved = time.monotonic()
        if checkpoint is None or learner.done > checkpoint.step:
            run.save(learner.done, learner.arrays(), learner.state())
        pilot.last()
    finally:
        if pool is not None:
            pool.shutdown()
    return _finish(run, learner)


def _log(run: Run, learner: TupleLearner, pool: ThreadPoolExecutor | None, figures: dict[str, float]) -> None:
    """One line of figures, and a new count."""
    stats, settings = learner.stats, learner.settings
    if stats[FRESH]:
        figures["training_score"] = stats[SUM] / stats[FRESH]
    if learner.kit and stats[FRESH]:
        figures |= learner.kit.figures(stats)
    if settings.test_games:
        tested = learner.test(settings.test_games, pool)
        figures |= {"score": tested.value}
        if math.isfinite(tested.low):
            figures |= {"score_low": tested.low, "score_high": tested.high}
    run.log(learner.done, figures)
    stats[:] = 0.0


def _save(path: Path, learner: TupleLearner, about: dict[str, Any]) -> Path:
    return save_model(path, KIND, learner.game, asdict(learner.settings), {"learned": learner.learned}, about)


def _finish(run: Run, learner: TupleLearner) -> Finished:
    settings = learner.settings
    lines = read_metrics(run.path)
    scores = [line["score"] for line in lines if line.get("score") is not None]
    about = {"games": learner.done, "seconds": round(run.seconds), "seed": run.seed}
    if scores:
        about["score"] = scores[-1]
    model = _save(run.path / MODEL, learner, about)
    label = "score" if run.game.counts_points else "result against random"
    panels = [
        CurvePanel(f"mean {label}", {"score": "tests, without learning", "training_score": "games of the training"}),
        CurvePanel("moves a second", {"moves_per_second": ""}),
    ]
    title = f"{run.game.name}: {settings.patterns}, {settings.rule}, lambda {settings.trace:g}"
    made = draw_curves(lines, panels, run.path / "curve", title=title, steps="games learnt from")
    spec = shlex.quote(str(PlayerSpec("tuples", {"table": str(run.path)})))
    game = game_argument(run.game)
    after = (f"boardwright bench tiles {spec} --games 100",) if learner.kit else ()
    against = "" if run.game.players == 1 else " random"
    return Finished(model, (*after, f"boardwright match {game} {spec}{against} --games 20"), made[0] if made else None)
