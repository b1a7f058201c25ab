"""What a player is: something that is shown a position and answers with a choice."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.players.control import Control
from boardwright.search.choice import Choice

if TYPE_CHECKING:
    from boardwright.players.many import Chooser


class Player(ABC):
    """Chooses moves in one game. `spec` makes the same player again."""

    game: Game  # which it plays
    spec: str  # makes the same player again
    trees: int = 0  # that it grows for a choice, and hands over to a control that wants them
    simulations: int = 0  # of its budget; 0 if it has none in simulations

    @abstractmethod
    def choose(self, position: Position, control: Control | None = None) -> Choice:
        """The player's move at a position where somebody is to move. A `control` can stop it, hear how far it is, and
        have the tree. Who takes time polls it every few hundredths of a second; once told to stop, it answers with the
        best found so far."""

    def needs_to_move(self, position: Position) -> None:
        """Refuse a position in which no player is to move."""
        if position.is_over or position.is_chance:
            raise InputError(f"{self.game.name}: nobody is to move here")

    def glance(self, position: Position) -> int:
        """A move without any thought: what the game's first policy likes best, or the first there is."""
        if not self.game.policies:
            return position.moves[0]
        return position.moves[int(position.weigh(self.game.policies[0]).argmax())]

    def chooser(self) -> Chooser | None:
        """How it chooses in many games at once, from their begin on, the same as one by one; None if it cannot. See
        many.py."""
        return None

    def give_visits(self, most: int, least: int, same: Mapping[int, tuple[int, ...]] | None = None) -> None:
        """For whoever hears of progress and shows the tree: see that its `most` best moves have `least` visits each.
        `same`: for each move those that are the same move, of which one is enough. One that grows no tree has none to
        give."""

    def forget(self) -> None:
        """A new game begins: drop what belonged to the last one, random state included."""

    def anew(self, seed: int, simulations: int) -> None:
        """Forget, and think from now on with this seed and so many simulations, where the player has such things."""
        self.forget()


@dataclass(frozen=True)
class NoSettings:
    """The settings of a player that has none but its seed."""

    seed: int = 0  # one seed, one way to play


Settings = Any  # a frozen dataclass with a doc comment a field; each kind of player has its own
