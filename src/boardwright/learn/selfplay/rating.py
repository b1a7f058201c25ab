"""How strong is it by now: matches of the arena against fixed players and against itself as it was, and the best kept.

A rating never changes what is learnt, so that its clock does not spoil that one seed gives one result. It takes a tenth
of the time at most, and runs in the trainer's process while the workers play on.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from boardwright.arena.elo import Points, rate
from boardwright.arena.intervals import Estimate
from boardwright.arena.match import Match, MatchProgress
from boardwright.arena.outcome import comparisons
from boardwright.arena.standings import complete_sets
from boardwright.contract.errors import InputError
from boardwright.learn.files import read_arrays
from boardwright.learn.models import save_model
from boardwright.learn.runs import Run
from boardwright.players import PlayerSpec
from boardwright.records import Library

if TYPE_CHECKING:
    from boardwright.learn.selfplay.loop import Loop

SHARE = 0.1  # of the time, at most
FIXED = "mcts:simulations=200,select=ucb1,rollout=uniform"  # 0 Elo: search alone, knowing nothing but the rules
FIRST_GUESS = 0.05  # share of a run that its last rating takes, before any was made
FOLDER, GAMES = "rated", "ratings.sqlite3"


class Rating:
    """The ratings of one run: `names[k]` is the fixed player, or an iteration's network; sets of comparisons between
    them as (one, other, what one got, what the other got)."""

    def __init__(self, run: Run, loop: Loop) -> None:
        self.run, self.loop = run, loop
        self.names: list[str] = [FIXED]
        self.sets: list[list[float]] = []
        self.best = ""  # name of the strongest network so far
        self.spent = 0.0  # seconds of rating
        self._due = 0.0  # run.seconds at which the next rating is due
        self._parts = (0, 1)  # of the last rating of a run: which of its matches is played
        self._last = False  # whether that goes on
        self._off = False  # nothing is rated: not wanted, or a game that the fixed player cannot play
        self._figures: dict[str, float] = {}
        self._best_figures: dict[str, float] = {}
        self._told = True

    def leave_out(self) -> None:
        """Rate nothing: for a training whose strength others measure."""
        self._off = True

    # When

    def perhaps(self, iteration: int, weights: dict[str, npt.NDArray[np.float32]]) -> None:
        """Rate the weights that an iteration begins with, if it is time."""
        settings = self.loop.settings
        seconds = self.run.seconds
        last = self.spent / max(len(self.names) - 1, 1)
        if iteration == 0 or seconds < self._due or self.spent + last > SHARE * max(seconds, 60.0):
            return
        self._due = seconds + 60.0 * settings.rate_every
        self.rate(iteration, weights)

    def last(self, iteration: int, weights: dict[str, npt.NDArray[np.float32]]) -> None:
        """Rate the end of a run."""
        if iteration > 0 and self._name(iteration) not in self.names:
            self._last = True
            self.rate(iteration, weights)

    def ending(self) -> float:
        """Share of the run's time that its last rating will take, about, for the progress that is shown."""
        if self._off:
            return 0.0
        rated = len(self.names) - 1
        seconds = self.spent / rated if rated else 0.0
        return seconds / (seconds + self._whole()) if rated else FIRST_GUESS

    def _whole(self) -> float:
        """Seconds of the whole training, as far as can be told."""
        run, limit = self.run, self.loop.settings.iterations
        found = [60 * run.minutes] if run.minutes else []
        if limit:
            found.append(run.seconds * limit / max(self.loop.iteration, 1))
        return max(min(found, default=run.seconds), 1.0)

    # What

    def rate(self, iteration: int, weights: dict[str, npt.NDArray[np.float32]]) -> None:
        """Let a network meet the fixed player and the best before it; the stronger one is the best from now on."""
        if self._off:
            return
        began = time.monotonic()
        name = self._name(iteration)
        folder = self.run.path / FOLDER
        folder.mkdir(exist_ok=True)
        save_model(self._file(name), "net", self.run.game, self.loop.heading(), weights)
        opponents = [FIXED, *([self.best] if self.best else [])]
        try:
            played = []
            for number, opponent in enumerate(opponents):
                self._parts = number, len(opponents)
                played.append((opponent, self._meet(name, opponent)))
        except InputError as error:  # a game in which the fixed player cannot play
            self.run.view.say(f"Not rated: {error}")
            self._off = True
            return
        self.names.append(name)
        for opponent, sets in played:
            one, other = self.names.index(name), self.names.index(opponent)
            self.sets += [[one, other, float(points[0, 1]), float(points[1, 0])] for points in sets]
        ratings = rate(self.names, self._all_sets())
        new = len(self.names) - 1
        estimate = ratings.difference(new, 0)
        self._told = False
        self._figures = _elo(estimate)
        before = self.names.index(self.best) if self.best else 0
        if not self.best or ratings.values[new] >= ratings.values[before]:
            self._forget(self.best)
            self.best = name
        else:
            self._forget(name)
        self._best_figures = _elo(ratings.difference(self.names.index(self.best), 0))
        self.spent += time.monotonic() - began

    def _meet(self, name: str, opponent: str) -> list[Points]:
        """Sets of comparisons, [0] being `name`."""
        settings, run = self.loop.settings, self.run
        match = Match(
            run.game,
            [self._spec(name), self._spec(opponent)],
            settings.rate_games,
            run.seed,
            library=Library(run.path / GAMES),
        )

        def tell(progress: MatchProgress) -> None:
            note = f"rating, game {progress.done} of {progress.total}"
            if self._last:
                number, parts = self._parts
                run.show_ending((number + progress.done / progress.total) / parts, note)
            else:
                self.loop.show(note)

        match.run(0, tell)
        sets = complete_sets(match.outcomes.values(), match.schedule.games_a_set)
        return [comparisons(games, 2, run.game.players == 1) for games in sets]

    def _all_sets(self) -> list[Points]:
        found = []
        for one, other, won, lost in self.sets:
            points = np.zeros((len(self.names), len(self.names)))
            points[int(one), int(other)], points[int(other), int(one)] = won, lost
            found.append(points)
        return found

    def _spec(self, name: str) -> PlayerSpec:
        if name == FIXED:
            return PlayerSpec.parse(FIXED)
        simulations = str(self.loop.settings.rate_simulations)
        return PlayerSpec("mcts", {"net": str(self._file(name)), "simulations": simulations})

    def _name(self, iteration: int) -> str:
        return f"iteration-{iteration:06d}"

    def _file(self, name: str) -> Path:
        return self.run.path / FOLDER / f"{name}.safetensors"

    def _forget(self, name: str) -> None:
        """Only the best is kept as a file, beside the one that a checkpoint before it may name."""
        keep = {name, self.best, self._saved}
        for path in (self.run.path / FOLDER).glob("*.safetensors"):
            if path.stem not in keep and path.stem != self.names[-1]:
                path.unlink(missing_ok=True)

    # What is kept

    _saved = ""

    def figures(self) -> dict[str, float]:
        """The last rating: Elo points above the fixed player, with the ends of its interval."""
        return dict(self._figures)

    def best_figures(self) -> dict[str, float]:
        """The same of the network that is kept, by all games so far."""
        return dict(self._best_figures)

    def news(self) -> dict[str, float]:
        """The last rating if it has not been told yet."""
        told, self._told = self._told, True
        return {} if told else self.figures()

    def best_weights(self) -> dict[str, npt.NDArray[np.float32]] | None:
        """The strongest network's weights; None if none was rated."""
        if not self.best or not self._file(self.best).is_file():
            return None
        return read_arrays(self._file(self.best))[0]

    def state(self) -> dict[str, Any]:
        self._saved = self.best
        return {
            "names": self.names,
            "sets": self.sets,
            "best": self.best,
            "spent": self.spent,
            "due": self._due,
            "figures": self._figures,
            "best_figures": self._best_figures,
        }

    def restore(self, state: dict[str, Any]) -> None:
        self.names, self.sets = list(state["names"]), [list(one) for one in state["sets"]]
        self.best, self.spent, self._due = str(state["best"]), float(state["spent"]), float(state["due"])
        self._saved, self._figures = self.best, dict(state["figures"])
        self._best_figures = dict(state.get("best_figures", {}))
        if self.best and not self._file(self.best).is_file():
            self.run.refused.append(
                f"{self.best}: the best network's file is missing; the next one rated takes its place"
            )
            self.best = ""


def _elo(estimate: Estimate) -> dict[str, float]:
    return {"elo": estimate.value, "elo_low": estimate.low, "elo_high": estimate.high}
