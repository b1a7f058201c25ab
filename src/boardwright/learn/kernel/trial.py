"""Which way of making games pays for this game: both are tried for as many looks, and their pupils meet.

Greedy games are quick, and dice explore for them; where play is tactical only search finds what there is to learn. No
look at the rules tells which it is. Cost is counted in positions valued, not in seconds: one seed, one result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from boardwright.arena.workers import Workers
from boardwright.contract.game import Game
from boardwright.learn.kernel.duel import duel, duel_terms
from boardwright.learn.kernel.learner import Learner
from boardwright.learn.kernel.network import ValueNetwork
from boardwright.learn.kernel.settings import WAYS, KernelSettings

SETS, SIMULATIONS = 60, 64  # of games with the same luck; of each search in them
DUEL_SEED = 77


@dataclass(frozen=True)
class Verdict:
    """Who goes on, and what the trial showed."""

    learner: Learner
    gain: float  # what the pupil of search got more than that of greedy play, a game; in results or points
    error: float  # half the 95 % interval of it

    def __str__(self) -> str:
        other = WAYS[1 - WAYS.index(self.learner.way)]
        gain = self.gain if self.learner.way == "search" else -self.gain
        return (
            f"games by {self.learner.way}: after equal cost it was {gain:+.2f} (+-{self.error:.2f}) a game ahead of "
            f"{other}"
        )


def try_ways(
    game: Game,
    network: ValueNetwork,
    settings: KernelSettings,
    seed: int,
    show: Callable[[float, str], bool] = lambda share, note: False,
    workers: Workers | None = None,
) -> Verdict | None:
    """Learn both ways for settings.trial looks each, and go on with the better. `show` is told how far it is, and
    answers whether to stop: then there is no verdict. `workers`: who plays elsewhere."""
    learners = []
    for place, way in enumerate(WAYS):
        learner = Learner.fresh(game, network, settings, way, seed, workers)
        stopped = False

        def told(share: float, learner: Learner = learner, place: int = place, way: str = way) -> bool:
            nonlocal stopped
            stopped = show((place + min(learner.looks / settings.trial, 1.0)) / 2, f"trying games by {way}")
            return stopped

        while learner.looks < settings.trial and not stopped:
            if learner.step(settings.threads_here, told) is None:
                return None
        if stopped:
            return None
        learners.append(learner)
    terms = duel_terms(settings.longest, settings.opening_of(game), SIMULATIONS, settings.considered)
    greedy, search = (learner.fitter.averaged for learner in learners)
    got = duel(game, network, search, greedy, SETS, DUEL_SEED, terms, settings.threads_here).mean(axis=1)
    if game.players == 1:
        got = got - duel(game, network, greedy, greedy, SETS, DUEL_SEED, terms, settings.threads_here).mean(axis=1)
    elif game.counts_points:  # results need not add up to 0: what the other got in the same seats
        got = got - duel(game, network, greedy, search, SETS, DUEL_SEED, terms, settings.threads_here).mean(axis=1)
    gain, error = float(got.mean()), float(1.96 * got.std() / np.sqrt(len(got)))
    return Verdict(learners[int(gain > 0.0)], gain, error)
