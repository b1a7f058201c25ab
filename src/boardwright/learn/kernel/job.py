"""What workers elsewhere are told of a training inside the kernel: once the game and the network's shape."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from boardwright.arena.crew import PortableGame, arrived, portable
from boardwright.contract.game import Game
from boardwright.learn.kernel.games import Arcade, Numbers
from boardwright.learn.kernel.greedy import Terms
from boardwright.learn.kernel.log import Played
from boardwright.learn.kernel.network import ValueNetwork
from boardwright.learn.kernel.orders import Chunks
from boardwright.learn.kernel.searching import SearchTerms

SHAPE = ("plan", "outs", "policy_rows", "first", "second", "points")


@dataclass(frozen=True)
class KernelJob:
    """The game, and the network's shape."""

    game: PortableGame
    network: dict[str, Any]
    what: str = "a worker of the training"

    @classmethod
    def of(cls, game: Game, network: ValueNetwork) -> KernelJob:
        return cls(portable(game), {name: getattr(network, name) for name in SHAPE})

    def prepare(self) -> Callable[[tuple[Numbers, Terms | SearchTerms], Chunks], list[Played]]:
        arcade = Arcade(arrived(self.game), ValueNetwork(**self.network))

        def play(common: tuple[Numbers, Terms | SearchTerms], chunks: Chunks) -> list[Played]:
            learned, terms = common
            return [arcade.play_chunk(learned, rngs, terms) for rngs in chunks]

        return play

    def games(self, order: Chunks) -> int:
        return sum(map(len, order))
