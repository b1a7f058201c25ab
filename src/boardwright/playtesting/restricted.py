"""Restricted play: a player who may not choose moves of one kind, as long as there are others."""

from __future__ import annotations

from dataclasses import replace

from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.players import Choice, Control, Player
from boardwright.playtesting.kinds import Kinds

LONGER = 8  # times its budget that a search has where its favourite is forbidden: the others were hardly tried


class RestrictedPlayer(Player):
    """Chooses as `inner` does; where that is a move of the forbidden kind, the best of the others by a longer search,
    or any of them. What the search thinks of later moves is not restricted: the price that is measured is that of the
    choices."""

    def __init__(self, inner: Player, kinds: Kinds, forbidden: str, seed: int) -> None:
        self.inner, self.game, self.spec = inner, inner.game, inner.spec
        self._kinds, self._forbidden, self._seed = kinds, forbidden, seed
        self._rng = Random(seed)

    def forget(self) -> None:
        self.inner.forget()
        self._rng = Random(self._seed)

    def choose(self, position: Position, control: Control | None = None) -> Choice:
        choice = self.inner.choose(position, control)
        allowed = {
            move
            for move, kind in zip(position.moves, self._kinds.of_moves(position), strict=True)
            if kind != self._forbidden
        }
        if choice.move in allowed or not allowed:
            return choice
        choice = self._look_longer(position, choice)
        tried = {move: visits for move, visits in choice.visits.items() if move in allowed}
        if tried and max(tried.values()) > 0:
            serious = [move for move, visits in tried.items() if 4 * visits >= max(tried.values())]
            best = max(serious, key=lambda move: (choice.values.get(move, 0.0), tried[move]))
        elif valued := {move: value for move, value in choice.values.items() if move in allowed}:
            best = max(valued, key=lambda move: valued[move])
        elif liked := {move: prior for move, prior in choice.priors.items() if move in allowed}:
            most = max(liked.values())
            equal = sorted(move for move, prior in liked.items() if prior == most)
            best = equal[self._rng.below(len(equal))]
        else:
            best = sorted(allowed)[self._rng.below(len(allowed))]
        return replace(choice, move=best)

    def _look_longer(self, position: Position, choice: Choice) -> Choice:
        budget = self.inner.simulations
        if not budget or not choice.visits:
            return choice
        self.inner.anew(self._rng.below(2**31), LONGER * budget)
        longer = self.inner.choose(position)
        self.inner.anew(self._rng.below(2**31), budget)
        return longer
