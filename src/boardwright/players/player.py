"""What a player is: something that is shown a position and answers with a choice."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.search.choice import Choice


class Player(ABC):
    """Chooses moves in one game. `spec` makes the same player again."""

    game: Game
    spec: str

    @abstractmethod
    def choose(self, position: Position) -> Choice:
        """The player's move at a position where somebody is to move."""

    def needs_to_move(self, position: Position) -> None:
        """Refuse a position in which no player is to move."""
        if position.is_over or position.is_chance:
            raise InputError(f"{self.game.name}: nobody is to move here")

    def forget(self) -> None:
        """A new game begins: drop what belonged to the last one, random state included."""


@dataclass(frozen=True)
class NoSettings:
    """The settings of a player that has none but its seed."""

    seed: int = 0  # one seed, one way to play


Settings = Any  # a frozen dataclass with a doc comment a field; each kind of player has its own
