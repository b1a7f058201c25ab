"""One way of learning: games by the numbers of now, targets from them, a pass over them, and again.

While a round is fitted, the next is played by the numbers from before the fit: all threads are busy, and what comes out
does not depend on how many there are.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.arena.intervals import mean
from boardwright.arena.workers import Workers
from boardwright.contract.game import Game
from boardwright.learn.kernel.fitting import Fitter, Numbers, lessons_of
from boardwright.learn.kernel.games import Arcade
from boardwright.learn.kernel.greedy import Terms
from boardwright.learn.kernel.log import Played
from boardwright.learn.kernel.model import numbers_of
from boardwright.learn.kernel.network import ValueNetwork, fresh_numbers
from boardwright.learn.kernel.searching import SearchTerms
from boardwright.learn.kernel.settings import KernelSettings
from boardwright.learn.metrics import drawn_share, explained_share

GAMES_SEED, FRESH_SEED, ORDER_SEED = 0, 1, 2  # streams of random numbers
MOST_COMMON = 4096  # features that are few enough to start from random rows
LEAST_UNIT = 1e-3  # points; where all games end alike

Show = Callable[[float], bool]  # told what share of a round is played; answers whether to stop


@dataclass
class Learner:
    """The numbers, and how far they are. `played`: the round that waits to be fitted, None if it is yet to be played;
    `before`: the numbers that play it."""

    game: Game
    network: ValueNetwork
    settings: KernelSettings
    way: str
    seed: int
    fitter: Fitter
    before: Numbers
    rounds: int = 0  # fitted so far
    looks: int = 0  # positions valued so far
    played: Played | None = field(default=None, repr=False)
    workers: Workers | None = None  # who plays elsewhere; None: threads here

    @classmethod
    def fresh(
        cls,
        game: Game,
        network: ValueNetwork,
        settings: KernelSettings,
        way: str,
        seed: int,
        workers: Workers | None = None,
    ) -> Learner:
        learned = fresh_numbers(network, _seed(seed, 0, FRESH_SEED), 1.0, random_rows=network.count <= MOST_COMMON)
        if settings.start:
            learned = numbers_of(settings.start, game, network, learned)
        fitter = Fitter(game, network, learned, learned.copy(), np.zeros_like(learned), np.zeros_like(learned))
        return cls(game, network, settings, way, seed, fitter, learned.copy(), workers=workers)

    def step(self, threads: int, show: Show = lambda share: False) -> dict[str, float] | None:
        """Fit the round that waits, while the next is played; the round's figures. None if somebody wants to stop
        before a first round is there to be fitted."""
        began = time.perf_counter()
        if self.played is None:
            self.played = self._play(self.before, self.rounds, threads, show)
            if self.played is None:
                return None
        played, number = self.played, self.rounds
        figures: dict[str, float] = {}

        def fit() -> None:
            figures.update(self.fit(played, number))

        self.rounds += 1
        self.looks += played.looks
        if self.settings.fits_first(number):
            fit()
            self.before = self._playing()
            self.played = self._play(self.before, self.rounds, threads, show)
        else:
            self.before = self._playing()
            self.played = self._play(self.before, self.rounds, threads, show, fit)
        seconds = time.perf_counter() - began
        figures["games_a_second"] = played.games / seconds
        figures["looks_a_second"] = played.looks / max(played.seconds, 1e-9)  # of one thread's play
        return figures

    def _playing(self) -> Numbers:
        return (self.fitter.averaged if self.way == "search" else self.fitter.learned).copy()

    def _terms(self, number: int) -> Terms | SearchTerms:
        has_policy = self.network.has_policy
        if (number > 0 or self.settings.start) and self.way == "search":
            return self.settings.search_terms(self.game, has_policy)
        return self.settings.greedy_terms(self.game, number, has_policy)

    def _play(
        self, learned: Numbers, number: int, threads: int, show: Show, beside: Callable[[], object] | None = None
    ) -> Played | None:
        arcade = Arcade(self.game, self.network, self.workers)
        seed = _seed(self.seed, number, GAMES_SEED)
        return arcade.play(learned, self.settings.games, seed, self._terms(number), threads, show, beside)

    def fit(self, played: Played, number: int) -> dict[str, float]:
        """Learn from the games of round `number`; its figures."""
        settings, fitter, game = self.settings.for_way(self.way), self.fitter, self.game
        outcome = played.wanted(game, self.network, 1.0)
        wanted = outcome if number == 0 else played.wanted(game, self.network, settings.trust_of(game))
        if number == 0 and game.counts_points:  # one unit: the spread of what is still to come
            fitter.learned[-1] = fitter.averaged[-1] = max(float(outcome.std()), LEAST_UNIT)
        lessons = lessons_of(wanted, played.log, settings.policy_weight)
        rng = np.random.Generator(np.random.PCG64(_seed(self.seed, number, ORDER_SEED)))
        rate = settings.rate / math.sqrt(1.0 + number / settings.slowing)
        useful = played.useful if settings.decisions else played.useful_ends
        error = nats = 0.0
        for _ in range(settings.passes):
            order = rng.permutation(useful)[: max(int(len(useful) * settings.learn), 1)]
            error, nats = fitter.fit(played.states, lessons, order, settings.batch, rate)
        fitter.average(max(settings.average, 1.0 / (1 + number)))
        return self._figures(played, outcome[useful], error, nats)

    def _figures(self, played: Played, outcome: Any, error: float, nats: float) -> dict[str, float]:
        """score: points of who plays alone, with the ends of their 95 % interval, by the numbers from before the fit;
        first: what the first of several seats got on average; error: root of the mean squared miss of the targets,
        against `known`, that of whoever knows only the mean, in points or results; policy_loss: cross-entropy in
        nats, against `policy_even`, that of a policy that holds all moves alike; drawn, cut: shares of games;
        explained: share of the outcomes' spread that was foreseen. outcome: of the places that are learnt from."""
        log = played.log
        outcomes = np.repeat(log.results, log.lengths, axis=0)
        figures = {
            **(_score(log.results[:, 0]) if self.game.players == 1 else _shared(log.results)),
            "cut": float((log.lengths >= 2 * self.settings.longest).mean()),
            "explained": explained_share(outcomes, log.promised),
            "turns": float(log.lengths.mean() / 2),
            "error": math.sqrt(error) * float(self.fitter.learned[-1]),
            "known": float(outcome.std()),
        }
        told = log.counts[log.counts > 0]
        if len(told):
            figures |= {"policy_loss": nats, "policy_even": float(np.log(told).mean())}
        return figures


def _score(results: npt.NDArray[np.float64]) -> dict[str, float]:
    got = mean(results.tolist())
    return {"score": got.value, "score_low": got.low, "score_high": got.high}


def _shared(results: npt.NDArray[np.float64]) -> dict[str, float]:
    return {"drawn": drawn_share(results), "first": float(results[:, 0].mean())}


def _seed(seed: int, number: int, stream: int) -> int:
    """Numbers for one round and purpose; a run that is taken up needs no more than these."""
    return int(np.random.SeedSequence([seed % 2**32, number, stream]).generate_state(1, np.uint64)[0])
