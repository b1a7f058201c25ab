"""A handicap that every game knows: the first move is given away."""

from __future__ import annotations

from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.players import Choice, Control, Player


class RandomFirstMove(Player):
    """Makes the first move of a game at random, and all others as `inner` does."""

    def __init__(self, inner: Player, seed: int) -> None:
        self.inner, self.game, self.spec = inner, inner.game, inner.spec
        self._seed, self._moved = seed, False

    def forget(self) -> None:
        self.inner.forget()
        self._moved = False

    def choose(self, position: Position, control: Control | None = None) -> Choice:
        if self._moved:
            return self.inner.choose(position, control)
        self._moved = True
        return Choice(position.moves[Random(self._seed).below(len(position.moves))])
