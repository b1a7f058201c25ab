"""The loop: play, learn, rate, keep the best; and go on after any interruption as if there had been none.

While workers play iteration i with the weights that it began with, the trainer learns from the games before. Orders,
batches and seeds follow from (seed, iteration) alone, and portions are collected in a fixed order: so two runs from one
seed end in the same weights, whether or not one of them was killed on the way.
"""

from __future__ import annotations

import shlex
import time
from pathlib import Path
from typing import Any

import numpy as np

from boardwright.arena.workers import LocalProcesses, Workers
from boardwright.games.named import game_argument
from boardwright.learn.display import CurvePanel, draw_curves
from boardwright.learn.metrics import drawn_share, read_metrics
from boardwright.learn.models import save_model
from boardwright.learn.pilot.hook import Pilot
from boardwright.learn.runs import MODEL, Finished, Run
from boardwright.learn.selfplay.buffer import Buffer, joined
from boardwright.learn.selfplay.forward import set_up_jax
from boardwright.learn.selfplay.games import PlayedPortion, Portion, portion_seed
from boardwright.learn.selfplay.observation import Observer
from boardwright.learn.selfplay.settings import SelfplaySettings, check_game_fits
from boardwright.learn.selfplay.targets import Targets
from boardwright.learn.selfplay.workers import PortionOrder, SelfplayJob
from boardwright.learn.shipped import NETWORK
from boardwright.players import PlayerSpec

SAVE_EVERY = 15.0  # seconds between checkpoints, about


def train(run: Run, workers: Workers | None = None) -> Finished:
    """Learn run.game by self-play until the time, or the iterations, are used up."""
    settings: SelfplaySettings = run.settings
    check_game_fits(run.game, settings)
    set_up_jax()
    loop = Loop(run, settings, workers)
    try:
        loop.go()
    finally:
        loop.workers.stop()
    return loop.finish()


class Loop:
    """One run's state between iterations."""

    def __init__(self, run: Run, settings: SelfplaySettings, workers: Workers | None) -> None:
        from boardwright.learn.selfplay.rating import Rating
        from boardwright.learn.selfplay.shape import shape_for
        from boardwright.learn.selfplay.training import Trainer

        self.run, self.settings = run, settings
        run.minutes = run.minutes or settings.minutes
        game = run.game
        self.observer, self.targets = Observer.of(game), Targets.of(game)
        self.shape = shape_for(game, self.observer.shape, settings.channels, settings.blocks, settings.hidden)
        job = SelfplayJob.of(game, settings, self.shape, self.observer, self.targets)
        self.workers = workers or run.hired(job) or LocalProcesses(job, settings.workers)
        self.workers.start()
        self.trainer = Trainer(self.shape, settings, run.seed)
        self.buffer = Buffer(run.path / "buffer", game, settings.window, settings.megabytes)
        self.rating = Rating(run, self)
        self.pilot = Pilot(run, NETWORK, self.write_present)
        self.iteration = 0
        self.fresh = 0  # positions of the iteration before, which set how long to train
        self.games = 0
        self._saved = time.monotonic()
        checkpoint = run.resume()
        if checkpoint is not None:
            with run.taking_up(checkpoint):
                self.trainer.restore(checkpoint.arrays)
                run.refused += self.buffer.restore(checkpoint.state["buffer"])
                self.iteration, self.fresh = checkpoint.step, int(checkpoint.state["fresh"])
                self.games = int(checkpoint.state["games"])
                self.rating.restore(checkpoint.state["rating"])
        else:
            self.warm_up()
            self.save()

    def warm_up(self) -> None:
        """Before the first game: learn from games by the game's own policy, if that is asked for."""
        from boardwright.learn.selfplay.warm_start import warm_games

        games, game = self.settings.warm, self.run.game
        if not games:
            return
        positions = warm_games(game, games, portion_seed(self.run.seed, 0, 10**6))
        self.buffer.add(-1, positions)
        self.fresh = len(positions.states)
        self.learn()
        self.fresh = 0

    def go(self) -> None:
        """Iterate until something says stop."""
        while not self.done():
            self.run.ending = self.rating.ending()
            self.iterate()
            if self.done() or time.monotonic() - self._saved > SAVE_EVERY:
                self.save()
            self.pilot.perhaps()

    def done(self) -> bool:
        return self.run.stopping or (0 < self.settings.iterations <= self.iteration)

    def iterate(self) -> None:
        """Play with the present weights; learn from the games before; rate now and then."""
        settings, began = self.settings, time.monotonic()
        weights = self.trainer.playing()
        share = -(-settings.games // settings.workers)
        orders = [
            PortionOrder(
                min(share, settings.games - number * share), portion_seed(self.run.seed, self.iteration, number)
            )
            for number in range(settings.workers)
            if settings.games > number * share
        ]
        self.workers.hand_out(weights, orders)
        figures = self.learn()
        learnt = time.monotonic()
        self.rating.perhaps(self.iteration, weights)
        rated = time.monotonic()
        played = self.workers.collect(lambda: self.show("playing"))
        positions = joined([part.positions for part in played], self.run.game)
        self.buffer.add(self.iteration, positions)
        self.iteration += 1
        self.fresh = len(positions.states)
        self.games += sum(part.games for part in played)
        seconds = time.monotonic() - began
        self.log(figures, played, positions, seconds, learnt - began, rated - learnt)

    def learn(self) -> dict[str, float]:
        """The steps of this iteration: as many as show each new position `reuse` times, over the whole window."""
        from boardwright.learn.selfplay.training import FIGURES, make_batch

        settings = self.settings
        steps = round(settings.reuse * self.fresh / settings.batch)
        if steps == 0 or len(self.buffer) < settings.batch:
            return {}
        rng = np.random.default_rng([self.run.seed & 0xFFFFFFFF, self.iteration])
        positions = self.buffer.positions()
        count = len(positions.states)
        total = np.zeros(len(FIGURES))
        for step in range(steps):
            picked = rng.integers(0, count, settings.batch)
            part = positions.picked(picked)
            total += self.trainer.step(make_batch(part, settings, self.observer, self.targets, rng))
            self.show(f"training, step {step + 1} of {steps}")
        return dict(zip(FIGURES, (total / steps).tolist(), strict=True))

    def show(self, note: str) -> None:
        limit = self.settings.iterations
        self.run.show(self.iteration / limit if limit else 0.0, note)

    def log(
        self, figures: dict[str, float], played: list[PlayedPortion], positions: Portion, seconds: float,
        learning: float, rating: float,
    ) -> None:  # fmt: skip
        games, moves = sum(part.games for part in played), sum(part.moves for part in played)
        results = np.concatenate([part.results for part in played])
        self.run.log(
            self.iteration,
            {
                "games": self.games,
                "games_a_second": games / seconds,
                "evaluations_a_second": sum(part.evaluations for part in played) / seconds,
                "moves_a_game": moves / games,
                "first_player": float(results[:, 0].mean()),
                **({"drawn": drawn_share(results)} if self.run.game.players > 1 else {}),
                "cut": sum(part.cut for part in played) / games,
                **figures,
                "surprise": float(positions.surprises.mean()) if len(positions.states) else 0.0,
                "positions": len(self.buffer),
                "learning_seconds": learning,
                "rating_seconds": rating,
                **self.rating.news(),
            },
        )
        self.show("")

    def save(self) -> None:
        """A checkpoint of everything."""
        self.run.save(
            self.iteration,
            self.trainer.arrays(),
            {
                "buffer": self.buffer.state(),
                "fresh": self.fresh,
                "games": self.games,
                "rating": self.rating.state(),
            },
        )
        self.buffer.checkpointed()
        if self.iteration:  # so that a run can be played with while it goes on
            self.write_model(self.trainer.playing(), {})
        self._saved = time.monotonic()

    def heading(self) -> dict[str, Any]:
        """What a player needs to know beside the weights."""
        return {
            "shape": self.shape.to_dict(),
            "eyes": self.observer.to_dict(),
            "unit": self.targets.unit,
            "trust": self.settings.trust,
            "considered": self.settings.considered,
            "iteration": self.iteration,
        }

    def write_model(self, weights: dict[str, Any], rated: dict[str, float]) -> Path:
        """The model for players; `rated`: the figures of just these weights, if they were rated."""
        about = {
            "minutes": round(self.run.seconds / 60, 2),
            "games": self.games,
            "iterations": self.iteration,
            **{name: round(value, 1) for name, value in rated.items()},
        }
        return save_model(self.run.path / MODEL, NETWORK, self.run.game, self.heading(), weights, about)

    def write_present(self, path: Path) -> None:
        """A model of the weights of now."""
        save_model(path, NETWORK, self.run.game, self.heading(), self.trainer.playing())

    def finish(self) -> Finished:
        """Write the model and the curve. A run that ended by itself rates its last network and keeps the best; one that
        somebody stopped does not let him wait, and keeps the last."""
        run = self.run
        weights, rated = self.trainer.playing(), {}
        if not run.interrupted:
            self.rating.last(self.iteration, weights)
            news = self.rating.news()
            if news:
                run.log(self.iteration, news)
            self.save()
            best = self.rating.best_weights()
            if best is not None:
                weights, rated = best, self.rating.best_figures()
        path = self.write_model(weights, rated)
        self.pilot.last()
        lines = read_metrics(run.path)
        panels = [
            CurvePanel("Elo", {"elo": "rated"}),
            CurvePanel("policy loss, nats", {"policy_even": "even", "policy_loss": "loss", "policy_entropy": "target"}),
            CurvePanel("value loss", {"value_even": "knowing nothing", "value_loss": "loss"}),
            CurvePanel("evaluations a second", {"evaluations_a_second": ""}),
        ]
        made = draw_curves(lines, panels, run.path / "curve", title=f"{run.game}, by self-play", steps="iteration")
        spec = shlex.quote(str(PlayerSpec("mcts", {"net": str(run.path), "simulations": "200"})))
        game = game_argument(run.game)
        seats = f"--seat {spec}" if run.game.players == 1 else f"--seat human --seat {spec}"
        return Finished(
            path,
            (f"boardwright play {game} {seats}", f"boardwright match {game} {spec} mcts:simulations=1000"),
            made[-1] if made else None,
        )
