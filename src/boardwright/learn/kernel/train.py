"""The loop: games by the value of now, targets from their outcomes, a pass over them, and again."""

from __future__ import annotations

import math
import shlex
import time
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.learn.display import CurvePanel, draw_curves
from boardwright.learn.kernel.fitting import Fitter
from boardwright.learn.kernel.games import Arcade, Played, Terms
from boardwright.learn.kernel.model import save_value
from boardwright.learn.kernel.network import fresh_numbers, network_for
from boardwright.learn.metrics import read_metrics
from boardwright.learn.runs import MODEL, Finished, Run

ORDER_SEED = 2  # a stream of random numbers beside that of the games
LEAST_UNIT = 1e-3  # points; where all games end alike
SAVE_SECONDS = 20.0  # between checkpoints, about; a round is shorter


@dataclass(frozen=True)
class KernelSettings:
    """How a value is learnt inside the kernel."""

    games: int = 400  # a round
    rounds: int = 500  # of play and fitting; the first is played by the game's first policy, or at random
    batch: int = 128  # states a step of Adam
    rate: float = 0.002  # of Adam at first; it falls with the root of the rounds
    slowing: float = 20.0  # rounds after which it has fallen to 0.7
    trust: float = 0.7  # lambda of TD(lambda): 1 learns from outcomes alone, 0 from the next value alone
    average: float = 0.05  # share of a round in the averaged weights, which are played with
    learn: float = 0.5  # share of the states of a round that is learnt from
    opening: int = -1  # up to so many random moves at the start of a game; -1: 8 without chance, none with it
    explore: float = -1.0  # share of turns that begin at random; -1: 0.05 without chance, none with it
    first: int = 128  # units of the first hidden layer
    second: int = 32  # units of the second hidden layer
    longest: int = 500  # turns after which a game is cut
    threads: int = 2  # that play games; changes nothing but the time

    MAY_CHANGE: ClassVar[tuple[str, ...]] = ("threads", "rounds")

    def __post_init__(self) -> None:
        for name in ("games", "rounds", "batch", "first", "second", "longest", "threads"):
            most = {"first": 4096, "second": 4096, "threads": 64}.get(name, 10**8)
            _need(1 <= getattr(self, name) <= most, f"{name}={getattr(self, name)} must be 1 to {most}")
        _need(-1 <= self.opening <= 10**4, f"opening={self.opening} must be -1 to 10000")
        _need(0.0 <= self.trust <= 1.0, f"trust={self.trust} must be 0 to 1")
        _need(self.explore == -1.0 or 0.0 <= self.explore <= 1.0, f"explore={self.explore} must be 0 to 1, or -1")
        for name in ("rate", "average", "learn"):
            _need(0.0 < getattr(self, name) <= 1.0, f"{name}={getattr(self, name)} must be above 0, at most 1")
        _need(self.slowing > 0.0, f"slowing={self.slowing} must be above 0")

    @classmethod
    def presets(cls, game: Game) -> dict[str, dict[str, object]]:
        return {"quick": {"rounds": 500}, "lunch": {"rounds": 6000}, "night": {"rounds": 60_000, "first": 256}}


def _need(right: bool, message: str) -> None:
    if not right:
        raise InputError(f"method kernel: {message}")


def train(run: Run) -> Finished:
    """Learn, round by round."""
    game, settings = run.game, run.settings
    run.show(0.0, "compiling, once")
    checkpoint = run.resume()
    if checkpoint is None:
        network = network_for(game, settings.first, settings.second, _is_zero_sum(run))
        learned = fresh_numbers(network, _seed(run.seed, 0, 1), 1.0)
        fitter = Fitter(game, network, learned, learned.copy(), np.zeros_like(learned), np.zeros_like(learned))
        done = 0
    else:
        arrays, state = checkpoint.arrays, checkpoint.state
        network = network_for(game, settings.first, settings.second, state["outs"] == 1, state["plan"])
        fitter = Fitter(
            game, network, arrays["learned"].copy(), arrays["averaged"].copy(), arrays["mean"].copy(),
            arrays["square"].copy(), int(state["steps"]),
        )  # fmt: skip
        done = int(state["rounds"])
    arcade = Arcade(game, network, settings.threads)
    saved = time.monotonic()
    while done < settings.rounds and not run.stopping:
        figures = _round(run, arcade, fitter, done)
        if figures is None:
            break
        done += 1
        run.log(done * settings.games, figures)
        if time.monotonic() - saved > SAVE_SECONDS or done == settings.rounds or run.stopping:
            _save(run, fitter, done, figures)
            saved = time.monotonic()
        run.show(done / settings.rounds)
    if not (run.path / MODEL).exists():
        _save(run, fitter, done, {})
    return _finish(run)


def _save(run: Run, fitter: Fitter, done: int, figures: dict[str, float]) -> None:
    network = fitter.network
    arrays = {"learned": fitter.learned, "averaged": fitter.averaged, "mean": fitter.mean, "square": fitter.square}
    state = {"rounds": done, "steps": fitter.steps, "outs": network.outs, "plan": network.plan}
    run.save(done * run.settings.games, arrays, state)
    about = {"games": done * run.settings.games, "minutes": round(run.seconds / 60, 1), "seed": run.seed}
    about |= {name: round(float(value), 4) for name, value in figures.items() if not name.endswith("_a_second")}
    save_value(run.path / MODEL, run.game, network, fitter.averaged, asdict(run.settings), about)


def _terms(game: Game, settings: KernelSettings, blind: bool) -> Terms:
    chance = bool(game.outcomes)
    opening = settings.opening if settings.opening >= 0 else 0 if chance else 8
    explore = settings.explore if settings.explore >= 0.0 else 0.0 if chance else 0.05
    return Terms(settings.longest, opening, explore, int(blind), int(bool(game.policies)))


def _is_zero_sum(run: Run) -> bool:
    """Whether the results of two players add up to 0 in all of a few games by the first policy, or at random."""
    game = run.game
    if game.players != 2 or game.counts_points:
        return False
    network = network_for(game, 1, 1, False)
    blank = np.zeros(network.size, np.float32)
    played = Arcade(game, network, 1).play(blank, 200, 0, _terms(game, run.settings, blind=True))
    assert played is not None
    return bool(np.allclose(played.log.results.sum(axis=1), 0.0))


def _round(run: Run, arcade: Arcade, fitter: Fitter, number: int) -> dict[str, float] | None:
    """Play, then learn from it; None if somebody wants to stop before the games are over."""
    settings, game = run.settings, run.game
    blind = number == 0
    began = time.perf_counter()
    part = 1.0 / settings.rounds

    def show(share: float) -> bool:
        run.show((number + 0.8 * share) * part, f"round {number + 1}: playing")
        return run.interrupted

    terms = _terms(game, settings, blind)
    played = arcade.play(fitter.learned, settings.games, _seed(run.seed, number, 0), terms, show)
    if played is None or not len(played.states):
        return None
    seconds = time.perf_counter() - began
    outcome = played.wanted(game, fitter.network, 1.0)
    wanted = outcome if blind else played.wanted(game, fitter.network, settings.trust)
    if blind and game.counts_points:  # one unit: the spread of what is still to come
        fitter.learned[-1] = fitter.averaged[-1] = max(float(outcome.std()), LEAST_UNIT)
    rng = np.random.Generator(np.random.PCG64(_seed(run.seed, number, ORDER_SEED)))
    order = rng.permutation(played.useful)
    order = order[: max(int(len(order) * settings.learn), 1)]
    rate = settings.rate / math.sqrt(1.0 + number / settings.slowing)
    error = fitter.fit(played.states, wanted, order, settings.batch, rate)
    fitter.average(max(settings.average, 1.0 / (1 + number)))
    return _figures(played, outcome, fitter, error, seconds, time.perf_counter() - began)


def _figures(
    played: Played, outcome: Any, fitter: Fitter, error: float, seconds: float, whole: float
) -> dict[str, float]:
    """first: what the first seat got on average; error: root of the mean squared miss of the targets, against `known`,
    that of whoever knows only the mean; both in points or results."""
    unit = float(fitter.learned[-1])
    return {
        "first": float(played.log.results[:, 0].mean()),
        "turns": float(played.log.lengths.mean() / 2),
        "error": math.sqrt(error) * unit,
        "known": float(outcome[played.useful].std()),
        "games_a_second": played.games / whole,
        "looks_a_second": played.looks / max(seconds, 1e-9),
    }


def _finish(run: Run) -> Finished:
    panels = [
        CurvePanel("error of the value", {"error": "of its targets", "known": "of who knows nothing"}),
        CurvePanel("turns a game", {"turns": "turns"}),
    ]
    plots = draw_curves(
        read_metrics(run.path), panels, run.path / "curve", title=f"{run.game.name} by kernel", steps="games"
    )
    name = getattr(type(run.game), "_source", run.game.name)
    model = run.path / MODEL
    plain, deep = shlex.quote(f"value:model={model},plies=2"), shlex.quote(f"mcts:value={model},seconds=0.1")
    again = (
        f"boardwright match {shlex.quote(name)} {plain} random --games 200",
        f"boardwright match {shlex.quote(name)} {deep} mcts:seconds=0.1 --games 200",
    )
    return Finished(model, again, next((path for path in plots if path.suffix == ".png"), None))


def _seed(seed: int, number: int, stream: int) -> int:
    """Numbers for one round and purpose; a run that is taken up needs no more than these."""
    return int(np.random.SeedSequence([seed % 2**32, number, stream]).generate_state(1, np.uint64)[0])
