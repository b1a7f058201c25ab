"""What a network sees of a state: the game's own `observe`, or, where a game has none, the fields of its record.

Derived from the record: fields with a row a player are turned so that the player to act comes first; whole numbers of a
small range become one input a value, others one input scaled to 0..1; who acts is told as well. The ranges are measured
on random games, and kept with the weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.learn.sampling import random_positions

ONE_HOT = 6  # a number of at most so many values gets one input a value
MOST_INPUTS = 20_000


@kernel
def observe_all(game: Any, states: Any, out: Any) -> None:
    """out[t] = what the player to act sees of states[t]; `out` zeroed before."""
    for t in range(len(states)):
        game.observe(states[t], out[t])


@kernel
def actors_of(game: Any, states: Any, actors: Any) -> None:
    """actors[t] = who acts in states[t]."""
    for t in range(len(states)):
        actors[t] = game.player(states[t])


@dataclass(frozen=True)
class Observer:
    """Turns states of one game into a network's input. `ranges`: of each field of the record, lowest and highest number
    seen; None where the game observes itself."""

    game: Game
    ranges: Mapping[str, tuple[float, float]] | None

    @classmethod
    def of(cls, game: Game) -> Observer:
        """The game's own observer if it has any."""
        if tuple(game.observe_shape):
            return cls(game, None)
        states = random_positions(game).states
        ranges = {name: (float(states[name].min()), float(states[name].max())) for name in game.state_dtype.names or ()}
        made = cls(game, {name: each for name, each in ranges.items() if each[0] < each[1]})
        if made.shape[0] > MOST_INPUTS:
            raise InputError(
                f"{game.name} has no observe(), and its record would make {made.shape[0]} inputs of a network "
                f"(at most {MOST_INPUTS}); write observe(self, s, out) and observe_shape"
            )
        return made

    @property
    def shape(self) -> tuple[int, ...]:
        """Of one position."""
        if self.ranges is None:
            return tuple(self.game.observe_shape)
        count = self.game.players
        for name in self.ranges:
            count += int(np.prod(self.game.state_dtype[name].shape, dtype=int)) * self._inputs(name)
        return (count,)

    def _inputs(self, name: str) -> int:
        """How many inputs one number of a field makes."""
        assert self.ranges is not None
        low, high = self.ranges[name]
        whole = self.game.state_dtype[name].base.kind in "iub"
        return int(high - low) + 1 if whole and high - low < ONE_HOT else 1

    def see(self, states: npt.NDArray[np.void], actors: npt.NDArray[Any] | None = None) -> npt.NDArray[np.float32]:
        """(n, *shape) for n states, contiguous or not; `actors`, who acts in each, if it is known already."""
        if self.ranges is None:
            out = np.zeros((len(states), *self.shape), np.float32)
            run_kernel(self.game, observe_all, self.game, np.ascontiguousarray(states), out)
            return out
        if actors is None:
            actors = np.zeros(len(states), np.int8)
            run_kernel(self.game, actors_of, self.game, np.ascontiguousarray(states), actors)
        players = self.game.players
        seats = np.maximum(actors, 0).astype(np.int64)
        columns = [(np.arange(players) == seats[:, None]).astype(np.float32)]
        for name, (low, high) in self.ranges.items():
            field = states[name].reshape(len(states), *self.game.state_dtype[name].shape)
            if field.ndim > 1 and field.shape[1] == players and players > 1:
                order = (seats[:, None] + np.arange(players)) % players
                field = field[np.arange(len(states))[:, None], order]
            numbers = field.reshape(len(states), -1)
            inputs = self._inputs(name)
            if inputs > 1:
                hot = numbers[:, :, None] == (np.arange(inputs) + int(low)).astype(numbers.dtype)
                columns.append(hot.reshape(len(states), -1).astype(np.float32))
            else:
                columns.append(((numbers.astype(np.float32) - low) / (high - low)).astype(np.float32))
        return np.concatenate(columns, axis=1)

    def to_dict(self) -> dict[str, Any] | None:
        return None if self.ranges is None else {name: list(each) for name, each in self.ranges.items()}

    @classmethod
    def from_dict(cls, game: Game, data: Mapping[str, Any] | None) -> Observer:
        if data is None:
            return cls(game, None)
        try:
            ranges = {str(name): (float(low), float(high)) for name, (low, high) in data.items()}
        except (AttributeError, TypeError, ValueError, OverflowError):
            raise InputError("the model's note of what it observes is damaged") from None
        unknown = set(ranges) - set(game.state_dtype.names or ())
        if unknown or any(not -np.inf < low < high < np.inf for low, high in ranges.values()):
            raise InputError(f"the model observes fields that {game.name} does not have")
        return cls(game, ranges)
