"""The loop: games by the value of now, targets from their outcomes, a few passes over them, and again."""

from __future__ import annotations

import math
import shlex
import time
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from boardwright.compile.diagnose import run_kernel
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.learn.display import CurvePanel, draw_curves
from boardwright.learn.kernel.fitting import Fitter, values_only
from boardwright.learn.kernel.network import fresh_numbers, network_for
from boardwright.learn.metrics import read_metrics
from boardwright.learn.pilot.hook import Pilot
from boardwright.learn.runs import MODEL, Finished, Run
from boardwright.learn.values.games import Played, Rounds, targets
from boardwright.learn.values.model import KIND, check_suits, save_values

MOST_MOVES = 2**30
LEAST_UNIT = 1e-3  # points; where all games end alike
SCALE_SEED, ORDER_SEED = 1, 2  # streams of random numbers beside that of the games


@dataclass(frozen=True)
class ValueSettings:
    """How a value is learnt."""

    games: int = 4000  # a round
    rounds: int = 40  # of play and fitting; the first is played by the game's first policy, or at random
    passes: int = 2  # over the afterstates of a round
    batch: int = 256  # afterstates a step of Adam
    rate: float = 0.001  # of Adam in the first round
    last_rate: float = 0.0001  # in the last round; in between it falls evenly
    trust: float = 0.5  # lambda of TD(lambda): 1 learns from outcomes alone, 0 from the next value alone
    consider: int = 16  # moves that are valued: those that the game's first policy likes best; 0: all
    first: int = 64  # units of the first hidden layer
    second: int = 32  # units of the second hidden layer
    longest: int = 1000  # moves after which a game is cut
    threads: int = 2  # that play games; changes nothing but the time

    MAY_CHANGE: ClassVar[tuple[str, ...]] = ("threads",)

    def __post_init__(self) -> None:
        for name in ("games", "rounds", "passes", "batch", "first", "second", "longest", "threads"):
            most = {"first": 1024, "second": 1024, "threads": 64}.get(name, 10**8)
            _need(1 <= getattr(self, name) <= most, f"{name}={getattr(self, name)} must be 1 to {most}")
        _need(0 <= self.consider <= 10**8, f"consider={self.consider} must be 0 or more")
        _need(0.0 <= self.trust <= 1.0, f"trust={self.trust} must be 0 to 1")
        for name in ("rate", "last_rate"):
            _need(0.0 < getattr(self, name) <= 1.0, f"{name}={getattr(self, name)} must be above 0, at most 1")

    @classmethod
    def presets(cls, game: Game) -> dict[str, dict[str, object]]:
        return {
            "quick": {"games": 4000, "rounds": 40},
            "lunch": {"games": 8000, "rounds": 120, "consider": 24},
            "night": {"games": 16000, "rounds": 400, "consider": 32},
        }


def _need(right: bool, message: str) -> None:
    if not right:
        raise InputError(f"method values: {message}")


def train(run: Run) -> Finished:
    """Learn, round by round; a checkpoint and a model after each."""
    game, settings = run.game, run.settings
    check_suits(game)
    network = network_for(game, settings.first, settings.second)
    rounds = Rounds(game, network, int(bool(game.policies)), settings.longest, settings.threads)
    checkpoint = run.resume()
    if checkpoint is None:
        learned = fresh_numbers(network, _seed(run.seed, 0, SCALE_SEED), 1.0)
        fitter = Fitter(game, network, learned, learned.copy(), np.zeros_like(learned), np.zeros_like(learned))
        done = 0
    else:
        arrays = checkpoint.arrays
        with run.taking_up(checkpoint):
            fitter = Fitter(
                game, network, arrays["learned"].copy(), arrays["learned"].copy(), arrays["mean"].copy(),
                arrays["square"].copy(), int(checkpoint.state["steps"]),
            )  # fmt: skip
            done = int(checkpoint.state["rounds"])
    pilot = Pilot(run, KIND, lambda path: save_values(path, game, network, fitter.learned, asdict(settings), {}))
    while done < settings.rounds and not run.stopping:
        figures = _round(run, rounds, fitter, done)
        if figures is None:
            break
        done += 1
        step = done * settings.games
        run.log(step, figures)
        arrays = {"learned": fitter.learned, "mean": fitter.mean, "square": fitter.square}
        run.save(step, arrays, {"rounds": done, "steps": fitter.steps})
        about = {"games": step, "minutes": round(run.seconds / 60, 1), "seed": run.seed, **_plain(figures)}
        save_values(run.path / MODEL, game, network, fitter.learned, asdict(settings), about)
        run.show(done / settings.rounds)
        pilot.perhaps()
    if not (run.path / MODEL).exists():
        about = {"games": 0, "minutes": 0.0, "seed": run.seed}
        save_values(run.path / MODEL, game, network, fitter.learned, asdict(settings), about)
    pilot.last()
    return _finish(run)


def _round(run: Run, rounds: Rounds, fitter: Fitter, number: int) -> dict[str, float] | None:
    """Play, then learn from it; None if somebody wants to stop before the games are over."""
    settings = run.settings
    blind = number == 0
    began = time.perf_counter()
    part = 1.0 / settings.rounds

    def show(share: float) -> bool:
        run.show((number + 0.9 * share) * part, f"round {number + 1} of {settings.rounds}: playing")
        return run.stopping

    consider = considered(settings, number)
    played = rounds.play(fitter.learned, settings.games, _seed(run.seed, number, 0), consider, show)
    if played is None or not len(played.states):
        return None
    seconds = time.perf_counter() - began
    outcome = _targets(run.game, played, 1.0)
    wanted = outcome if blind else _targets(run.game, played, settings.trust)
    if blind:  # one unit: the spread of what is still to come
        fitter.learned[-1] = max(float(outcome.std()), LEAST_UNIT)
    rate = settings.rate + (settings.last_rate - settings.rate) * number / max(settings.rounds - 1, 1)
    rng = np.random.Generator(np.random.PCG64(_seed(run.seed, number, ORDER_SEED)))
    batch = min(settings.batch, len(wanted))
    error = math.nan
    for k in range(settings.passes):
        run.show((number + 0.9 + 0.1 * k / settings.passes) * part, f"round {number + 1} of {settings.rounds}: fitting")
        squares, _ = fitter.fit(played.states, values_only(wanted[:, None]), rng.permutation(len(wanted)), batch, rate)
        error = math.sqrt(squares) * float(fitter.learned[-1])
    return _figures(played, outcome, blind, error, seconds)


def considered(settings: ValueSettings, number: int) -> int:
    """How many moves are valued in a round: 0, 2, 4, 8... A value that has seen only the policy's games is wrong about
    all others, and would lead straight into them."""
    return 0 if number == 0 else min(settings.consider or MOST_MOVES, 2 ** min(number, 30))


def _targets(game: Game, played: Played, trust: float) -> npt.NDArray[np.float64]:
    to_come = np.zeros(len(played.points))
    run_kernel(
        game, targets, played.promised, played.points, played.lengths, played.results, float(trust), to_come
    )  # fmt: skip
    return to_come


def _figures(
    played: Played, outcome: npt.NDArray[np.float64], blind: bool, error: float, seconds: float
) -> dict[str, float]:
    """score: points of this round's games, that is of the value before it was fitted to them. explained: the share of
    the variance of the points to come, within games of one length so far, that the value foresaw."""
    mean = float(played.results.mean())
    margin = 1.96 * float(played.results.std()) / math.sqrt(len(played.results))
    figures = {
        "score": mean, "score_low": mean - margin, "score_high": mean + margin, "error": error,
        "known": float(outcome.std()),
        "games_a_second": len(played.results) / seconds,
    }  # fmt: skip
    if not blind:
        missed = outcome - (played.promised - played.points)
        turn = np.concatenate([np.arange(length) for length in played.lengths])
        count = np.maximum(np.bincount(turn), 1)
        spread = outcome - (np.bincount(turn, outcome) / count)[turn]
        figures["explained"] = 1.0 - float(np.mean(missed**2)) / max(float(np.mean(spread**2)), 1e-12)
    return figures


def _finish(run: Run) -> Finished:
    panels = [
        CurvePanel("points", {"score": "mean of the round's games"}),
        CurvePanel("share of the variance explained", {"explained": "points to come"}),
    ]
    plots = draw_curves(
        read_metrics(run.path), panels, run.path / "curve", title=f"{run.game.name} by values", steps="games"
    )
    model = run.path / MODEL
    name = shlex.quote(f"values:model={model}")
    again = (f"boardwright match {run.game.name} {name} random --games 100",)
    return Finished(model, again, next((path for path in plots if path.suffix == ".png"), None))


def _seed(seed: int, number: int, stream: int) -> int:
    """Numbers for one round and purpose; a run that is taken up needs no more than these."""
    return int(np.random.SeedSequence([seed % 2**32, number, stream]).generate_state(1, np.uint64)[0])


def _plain(figures: dict[str, Any]) -> dict[str, float]:
    return {name: round(float(value), 4) for name, value in figures.items() if not name.startswith("games_a")}
