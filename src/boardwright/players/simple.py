"""Players without search: uniformly random, and the game's own policies."""

from __future__ import annotations

import numpy as np

from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.players.control import Control
from boardwright.players.player import NoSettings, Player
from boardwright.search.choice import Choice


class RandomPlayer(Player):
    """Plays every legal move with equal chance."""

    def __init__(self, game: Game, spec: str, settings: NoSettings) -> None:
        self.game, self.spec, self._seed = game, spec, settings.seed
        self.forget()

    def forget(self) -> None:
        self._rng = Random(self._seed)

    def choose(self, position: Position, control: Control | None = None) -> Choice:
        return Choice(position.moves[self._rng.below(len(position.moves))])


class PolicyPlayer(Player):
    """Plays the move that one of the game's policies likes best; among equals, any."""

    def __init__(self, game: Game, spec: str, settings: NoSettings, policy: str) -> None:
        self.game, self.spec, self._seed, self._policy = game, spec, settings.seed, policy
        self.forget()

    def forget(self) -> None:
        self._rng = Random(self._seed)

    def choose(self, position: Position, control: Control | None = None) -> Choice:
        weights = position.weigh(self._policy)
        best = np.flatnonzero(weights == weights.max())
        total = float(weights.sum()) or 1.0
        priors = {move: float(weight) / total for move, weight in zip(position.moves, weights, strict=True)}
        return Choice(position.moves[int(best[self._rng.below(len(best))])], priors=priors)
