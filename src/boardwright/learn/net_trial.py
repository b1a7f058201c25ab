"""Would self-play with a net of convolutions be stronger? Asked once in a long training inside the kernel, by a trial.

Where a game is seen as planes such a net can pay, and no look at the rules tells whether it does. So self-play learns
for as long as the kernel has learnt by then, and the two pupils meet, with equal time a move. The kernel goes on
whatever comes of it: what was stronger is told, with the command that learns by the other method.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from boardwright.contract.errors import BoardwrightError
from boardwright.contract.game import Game
from boardwright.games.named import game_argument
from boardwright.learn.display import View
from boardwright.learn.files import place
from boardwright.learn.model_players import timed_spec
from boardwright.learn.pilot.strength import PACE, Met, meet, percent
from boardwright.learn.runs import Run
from boardwright.learn.selfplay.settings import MOST_ACTIONS, SelfplaySettings
from boardwright.learn.shipped import NETWORK

if TYPE_CHECKING:
    from boardwright.arena.workers import Workers

NAME = "selfplay-trial.json"
NEEDED = ("jax", "flax", "optax")
LEAST_MINUTES = 30.0  # of a training that has the time for it


@dataclass(frozen=True)
class OfferTerms:
    """How long the trial takes."""

    share: float = 0.125  # of the training: after so much the other method learns for as long
    most: float = 600.0  # seconds of that
    match: float = 60.0  # seconds in which the pupils meet, beside what the compiler takes


USUAL = OfferTerms()


def fits(game: Game) -> bool:
    """Whether a net of convolutions can learn the game, and what it takes is installed."""
    planes = len(tuple(game.observe_shape)) == 3
    return planes and game.actions <= MOST_ACTIONS and all(importlib.util.find_spec(name) for name in NEEDED)


class Offer:
    """The trial of one run. kind, save(path): of the models that the run makes, as for the pilot; --no-pilot leaves the
    trial out too. Call `perhaps` between rounds, when nothing else runs."""

    def __init__(self, run: Run, kind: str, save: Callable[[Path], object], terms: OfferTerms = USUAL) -> None:
        self.run, self.kind, self.save = run, kind, save
        self.after = min(terms.share * 60.0 * run.minutes, terms.most)
        self.match = terms.match
        asked = run.pilot and not run.view.quiet and run.minutes >= LEAST_MINUTES
        self.wanted = asked and not (run.path / NAME).exists() and fits(run.game)

    def perhaps(self) -> None:
        """Try the other method if it is time. Its seconds count: a training takes the minutes that were asked for."""
        if self.wanted and self.run.seconds >= self.after and not self.run.stopping:
            self.wanted = False
            self.tell()

    def tell(self, settings: SelfplaySettings | None = None, workers: Workers | None = None) -> None:
        """Learn by self-play for as long, let the pupils meet, say and write down what came of it. settings: by default
        those of self-play's quick preset."""
        run, minutes = self.run, self.after / 60.0
        run.view.say(f"Trial: {minutes:.2g} minutes of self-play with a net of convolutions, to compare.")
        try:
            with TemporaryDirectory(prefix="boardwright-trial-") as folder:
                ours, theirs = Path(folder) / "ours.safetensors", Path(folder) / "net.safetensors"
                self.save(ours)
                settings = settings or trial_settings(run.game, minutes, int(run.settings.threads_here))
                learn_beside(run, settings, minutes, Path(folder) / "run", theirs, workers)
                if run.interrupted:
                    return
                run.show(0.0, "the pupils meet")
                net, other = (
                    timed_spec(kind, model, run.game, PACE) for kind, model in ((NETWORK, theirs), (self.kind, ours))
                )
                met = meet(run.game, net, str(other), self.match, stop=lambda: run.interrupted)
        except BoardwrightError as error:  # what cannot be tried does not end a training
            self._say(f"Trial: self-play was not tried: {error}", None)
            return
        if not run.interrupted:
            found = met[0] if met else None
            self._say(verdict(run, found, minutes), found)

    def _say(self, text: str, met: Met | None) -> None:
        self.run.view.say(text)
        told: dict[str, object] = {"said": text}
        if met is not None:
            told |= {"share": met.share.value, "low": met.share.low, "high": met.share.high, "games": met.games}
        try:
            place(self.run.path / NAME, json.dumps(told, indent=1).encode())
        except BoardwrightError as error:
            self.run.view.say(f"Trial: {error}")


class _Beside(View):
    """Shows how far a trial is as a part of the run that it belongs to."""

    def __init__(self, run: Run) -> None:
        super().__init__(quiet=True)
        self._run = run

    def progress(self, done: float, seconds: float, note: str = "") -> None:
        self._run.show(0.0, f"trial of self-play, {note or 'playing'}")


def trial_settings(game: Game, minutes: float, threads: int) -> SelfplaySettings:
    """Those of the quick preset, with as many processes as there are threads."""
    quick: dict[str, Any] = SelfplaySettings.presets(game)["quick"]
    return SelfplaySettings(**{**quick, "minutes": minutes, "workers": threads})


def learn_beside(
    run: Run, settings: SelfplaySettings, minutes: float, folder: Path, model: Path, workers: Workers | None = None
) -> None:
    """So many minutes of self-play at the game of `run`, by its seed; then the net as `model`. Whoever stops it stops
    `run` too."""
    from boardwright.learn.selfplay.forward import set_up_jax
    from boardwright.learn.selfplay.loop import Loop

    set_up_jax()
    with Run(folder, run.game, "selfplay", settings, run.seed, minutes, _Beside(run), pilot=False) as beside:
        loop = Loop(beside, settings, workers)
        loop.rating.leave_out()
        try:
            loop.go()
            loop.write_present(model)
        finally:
            loop.workers.stop()
        if beside.interrupted:
            run.stop()


def verdict(run: Run, met: Met | None, minutes: float) -> str:
    """One sentence, and the command that learns by the other method where it may be the better one."""
    command = f"boardwright train {game_argument(run.game)} --method selfplay --minutes {run.minutes:g}"
    if met is None:
        return f"Trial: no game of the pupils ended within the time; self-play learns by: {command}"
    games = f"{percent(met.share)} of {met.games} games at {PACE:g} s a move"
    got = f"after {minutes:.2g} minutes each, self-play got {games}"
    if met.share.high < 0.5:
        return f"Trial: the kernel is stronger: {got}."
    if met.share.low > 0.5:
        return f"Trial: self-play is stronger: {got}. To learn by it: {command}"
    return f"Trial: neither is ahead for sure: {got}. To learn by self-play: {command}"
