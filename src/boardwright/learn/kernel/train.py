"""`train GAME --method kernel`: the loop, its checkpoints, and what it leaves behind."""

from __future__ import annotations

import shlex
import time
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from boardwright.compile.diagnose import run_kernel
from boardwright.compile.playout import new_room, play_games
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.random import Random
from boardwright.games.named import game_argument
from boardwright.learn.display import CurvePanel, draw_curves
from boardwright.learn.kernel.fitting import Fitter
from boardwright.learn.kernel.job import KernelJob
from boardwright.learn.kernel.learner import Learner
from boardwright.learn.kernel.model import KIND, save_value
from boardwright.learn.kernel.network import ValueNetwork, network_for
from boardwright.learn.kernel.settings import MOST_MOVES, KernelSettings
from boardwright.learn.kernel.trial import try_ways
from boardwright.learn.metrics import read_metrics
from boardwright.learn.model_players import quick_spec, timed_spec
from boardwright.learn.net_trial import Offer
from boardwright.learn.pilot.hook import Pilot
from boardwright.learn.runs import MODEL, Checkpoint, Finished, Run

__all__ = ["KernelSettings", "train"]

TRIAL_A_MINUTE = 1_500_000  # positions that each way may value, a minute of training: about a sixth of it
SAMPLED_GAMES, MOST_PLIES = 200, 2000  # that tell whether results add up to 0, and moves and draws of one


def train(run: Run) -> Finished:
    """Learn, round by round."""
    run.minutes = run.minutes or run.settings.minutes
    if run.minutes == 0 and run.settings.rounds == 0:
        raise InputError("method kernel: say minutes or rounds above 0, or it would never end")
    run.show(0.0, "compiling, once")
    checkpoint = run.resume()
    if checkpoint is None:
        learner = _begin(run)
    else:
        with run.taking_up(checkpoint):
            learner = _taken_up(run, checkpoint)
    if learner is None:  # stopped in the trial: nothing is learnt yet, and nobody shall play by it
        return Finished(run.path / MODEL)
    _learn(run, learner)
    return _finish(run, learner)


def _learn(run: Run, learner: Learner) -> None:
    settings = run.settings
    pilot = Pilot(run, KIND, lambda path: _save_model(path, run, learner, {}))
    offer = Offer(run, KIND, lambda path: _save_model(path, run, learner, {})) if settings.way == "auto" else None
    saved = time.monotonic()
    figures: dict[str, float] = {}

    def show(share: float) -> bool:
        done = (learner.rounds - 1 + share) / settings.rounds if settings.rounds else 0.0
        run.show(done, f"round {learner.rounds}, games by {learner.way}")
        return run.interrupted

    while not (run.stopping or 0 < settings.rounds <= learner.rounds):
        figures = learner.step(settings.threads_here, show) or {}
        if not figures:
            break
        run.log(learner.rounds * settings.games, figures)
        due = time.monotonic() - saved >= 60 * settings.checkpoint_minutes
        if due or learner.rounds == settings.rounds or run.stopping:
            _save(run, learner, figures)
            saved = time.monotonic()
        pilot.perhaps()
        if offer is not None:
            offer.perhaps()
    if not (run.path / MODEL).exists():
        _save(run, learner, figures)
    pilot.last()


def _taken_up(run: Run, checkpoint: Checkpoint) -> Learner:
    arrays, state, game, settings = checkpoint.arrays, checkpoint.state, run.game, run.settings
    network = network_for(
        game, settings.first, settings.second, state["outs"] == 1, state["plan"], has_policy=state["policy_rows"] > 0
    )
    fitter = Fitter(
        game, network, arrays["learned"].copy(), arrays["averaged"].copy(), arrays["mean"].copy(),
        arrays["square"].copy(), int(state["steps"]),
    )  # fmt: skip
    return Learner(
        game, network, settings, state["way"], run.seed, fitter, arrays["before"].copy(), int(state["rounds"]),
        int(state["looks"]), workers=run.hired(KernelJob.of(game, network)),
    )  # fmt: skip


def _begin(run: Run) -> Learner | None:
    """The way that was asked for, or the one that a trial finds better; None if somebody stopped the trial."""
    network, settings = _network(run), run.settings
    workers = run.hired(KernelJob.of(run.game, network))
    if settings.way != "auto":
        return Learner.fresh(run.game, network, settings, settings.way, run.seed, workers)
    part = 0.1  # of the bar; what a trial takes of the whole is not known yet

    def show(share: float, note: str) -> bool:
        run.show(part * share, note)
        return run.interrupted

    if run.minutes > 0:  # a short training has a shorter trial
        settings = replace(settings, trial=min(settings.trial, max(int(run.minutes * TRIAL_A_MINUTE), 1)))
    verdict = try_ways(run.game, network, settings, run.seed, show, workers)
    if verdict is None:
        return None
    run.view.say(f"The trial decides for {verdict}.")
    return verdict.learner


def _network(run: Run) -> ValueNetwork:
    game, settings = run.game, run.settings
    has_policy = settings.policy_weight != 0.0 and 1 < game.actions <= MOST_MOVES
    return network_for(game, settings.first, settings.second, _is_zero_sum(game), has_policy=has_policy)


def _is_zero_sum(game: Game) -> bool:
    """Whether the results of two players add up to 0 in all of a few games by the first policy, or at random."""
    if game.players != 2 or game.counts_points:
        return False
    states, results = np.zeros(2, game.state_dtype), np.zeros((SAMPLED_GAMES, 2))
    run_kernel(
        game, play_games, game, states, int(bool(game.policies)), Random(0).state, new_room(game), results,
        np.zeros(2, np.int64), MOST_PLIES,
    )  # fmt: skip
    return bool(np.allclose(results.sum(axis=1), 0.0))


def _save(run: Run, learner: Learner, figures: dict[str, float]) -> None:
    network, fitter = learner.network, learner.fitter
    arrays = {
        "learned": fitter.learned, "averaged": fitter.averaged, "mean": fitter.mean, "square": fitter.square,
        "before": learner.before,
    }  # fmt: skip
    state = {
        "way": learner.way, "rounds": learner.rounds, "looks": learner.looks, "steps": fitter.steps,
        "outs": network.outs, "policy_rows": network.policy_rows, "plan": network.plan,
    }  # fmt: skip
    run.save(learner.rounds * run.settings.games, arrays, state)
    _save_model(run.path / MODEL, run, learner, figures)


def _save_model(path: Path, run: Run, learner: Learner, figures: dict[str, float]) -> None:
    about = {"games": learner.rounds * run.settings.games, "minutes": round(run.seconds / 60, 1), "seed": run.seed}
    about |= {"way": learner.way}
    about |= {name: round(float(value), 4) for name, value in figures.items() if not name.endswith("_a_second")}
    save_value(path, run.game, learner.network, learner.fitter.averaged, asdict(run.settings), about)


def _finish(run: Run, learner: Learner) -> Finished:
    alone = run.game.players == 1
    panels = [CurvePanel("error of the value", {"error": "of its targets", "known": "of who knows nothing"})]
    if alone:
        panels = [CurvePanel("points", {"score": "mean of a round's games"}), *panels]
    if learner.network.has_policy:
        panels.append(CurvePanel("policy loss, nats", {"policy_loss": "loss", "policy_even": "even"}))
    panels.append(CurvePanel("share of the results' spread that was foreseen", {"explained": "share"}))
    panels.append(CurvePanel("turns a game", {"turns": "turns"}))
    title = f"{run.game.name}, games by {learner.way}"
    plots = draw_curves(read_metrics(run.path), panels, run.path / "curve", title=title, steps="games")
    game = game_argument(run.game)
    model = run.path / MODEL
    plain = str(quick_spec(KIND, model).with_setting("plies", 2))
    deep = str(timed_spec(KIND, model, run.game, 0.1))
    again = (
        f"boardwright match {game} {shlex.quote(plain)} random --games 200",
        f"boardwright match {game} {shlex.quote(deep)} mcts:seconds=0.1 --games 200",
    )
    return Finished(model, again, next((path for path in plots if path.suffix == ".png"), None))
