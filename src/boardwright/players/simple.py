"""Players without search: uniformly random, and the game's own policies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.players.control import Control
from boardwright.players.player import NoSettings, Player
from boardwright.search.choice import Choice

if TYPE_CHECKING:
    from boardwright.players.many import Chooser


class RandomPlayer(Player):
    """Plays every legal move with equal chance."""

    def __init__(self, game: Game, spec: str, settings: NoSettings) -> None:
        self.game, self.spec, self._seed = game, spec, settings.seed
        self.forget()

    def forget(self) -> None:
        self._rng = Random(self._seed)

    def choose(self, position: Position, control: Control | None = None) -> Choice:
        return Choice(position.moves[self._rng.below(len(position.moves))])

    def chooser(self) -> Chooser:
        return policy_chooser(self.game, 0)


class PolicyPlayer(Player):
    """Plays the move that one of the game's policies likes best; among equals, any."""

    def __init__(self, game: Game, spec: str, settings: NoSettings, policy: str) -> None:
        self.game, self.spec, self._seed, self.policy = game, spec, settings.seed, policy
        self.forget()

    def forget(self) -> None:
        self._rng = Random(self._seed)

    def choose(self, position: Position, control: Control | None = None) -> Choice:
        weights = position.weigh(self.policy)
        best = np.flatnonzero(weights == weights.max())
        total = float(weights.sum()) or 1.0
        priors = {move: float(weight) / total for move, weight in zip(position.moves, weights, strict=True)}
        return Choice(position.moves[int(best[self._rng.below(len(best))])], priors=priors)

    def chooser(self) -> Chooser:
        return policy_chooser(self.game, self.game.policies.index(self.policy) + 1)


def policy_chooser(game: Game, policy: int) -> Chooser:
    """By the game's policy of that number, 0 being any move."""
    from boardwright.compile.diagnose import run_kernel  # not before it is asked for: Numba takes a second
    from boardwright.compile.playout import new_room
    from boardwright.players.many import Games, Told, choose_by_policy

    room = new_room(game)

    def choose(games: Games, picked: Any, told: Told) -> None:
        run_kernel(game, choose_by_policy, game, policy, games.states, picked, games.rngs, room, told)

    return choose
