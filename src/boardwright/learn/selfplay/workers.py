"""What workers of self-play are told: the job once, then weights, and an order a portion of games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.arena.crew import PortableGame, arrived, portable
from boardwright.contract.game import Game
from boardwright.learn.selfplay.games import PlayedPortion
from boardwright.learn.selfplay.settings import SelfplaySettings

Weights = Mapping[str, npt.NDArray[np.float32]]


@dataclass(frozen=True)
class PortionOrder:
    """A portion of games to play."""

    games: int
    seed: int


@dataclass(frozen=True)
class SelfplayJob:
    """What a worker needs to know once. All of it is plain data, but for the game."""

    game: PortableGame
    settings: SelfplaySettings
    shape: dict[str, Any]
    observer: dict[str, Any] | None
    unit: float
    what: str = "a self-play worker"

    @classmethod
    def of(cls, game: Game, settings: SelfplaySettings, shape: Any, observer: Any, targets: Any) -> SelfplayJob:
        return cls(portable(game), settings, shape.to_dict(), observer.to_dict(), targets.unit)

    def prepare(self) -> Callable[[Weights, PortionOrder], PlayedPortion]:
        """The function that plays an order."""
        from boardwright.learn.selfplay.forward import Forward
        from boardwright.learn.selfplay.games import SelfPlay
        from boardwright.learn.selfplay.observation import Observer
        from boardwright.learn.selfplay.shape import Shape
        from boardwright.learn.selfplay.targets import Targets

        game = arrived(self.game)
        shape = Shape.from_dict(self.shape)
        plays = SelfPlay(game, self.settings, Observer.from_dict(game, self.observer), Targets(game, self.unit))
        return lambda weights, order: plays.play(Forward(shape, weights), order.games, order.seed)

    def games(self, order: PortionOrder) -> int:
        return order.games
