"""A player that slips now and then: any move with a given chance, else what another player would do.

The mixture of Watkins's epsilon-greedy policies, for people: between playing at random and a game's simplest rule there
is often a wide gap, in which nobody else plays.
"""

from __future__ import annotations

from dataclasses import dataclass

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.players.control import Control
from boardwright.players.player import Player
from boardwright.players.spec import PlayerSpec
from boardwright.search.choice import Choice

KIND = "slips"


@dataclass(frozen=True)
class SlipSettings:
    """Who slips, and how often."""

    epsilon: float = 0.2  # the chance of a move at random, 0 to 1
    of: str = "mcts:simulations=64"  # who chooses the others
    seed: int = 0  # one seed, one way to play

    def __post_init__(self) -> None:
        if not 0.0 <= self.epsilon <= 1.0:
            raise InputError(f"player {KIND}: epsilon={self.epsilon:g} must be 0 to 1")
        if PlayerSpec.parse(self.of).kind == KIND:
            raise InputError(f"player {KIND}: of={self.of} slips already; name another player")


class SlippingPlayer(Player):
    """Another player's choice, or with chance epsilon any legal move, each alike."""

    def __init__(self, game: Game, spec: str, settings: SlipSettings) -> None:
        from boardwright.players.kinds import player, seeded  # which knows this kind

        self.game, self.spec, self.settings = game, spec, settings
        self.of = player(seeded(settings.of, game, settings.seed), game)
        self.trees, self.simulations = self.of.trees, self.of.simulations
        self._rng = Random(settings.seed)

    def forget(self) -> None:
        self._rng = Random(self.settings.seed)
        self.of.forget()

    def choose(self, position: Position, control: Control | None = None) -> Choice:
        self.needs_to_move(position)
        if self._rng.below(1_000_000) < self.settings.epsilon * 1_000_000:
            return Choice(position.moves[self._rng.below(len(position.moves))])
        return self.of.choose(position, control)
