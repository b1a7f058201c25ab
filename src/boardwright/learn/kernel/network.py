"""The network: what each player can expect, from a state's sparse features, computed inside the kernel.

Two hidden layers with ReLU. The first adds up the rows of the features that are present, so that thousands of rare ones
cost no more than the few a state has (as in NNUE, Nasu 2018). Outputs are counted from the viewer: the first is the
viewer's own, the next the following seat's. Where two players' results add up to 0, or one plays alone, one is enough.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.contract.game import OVER, Game
from boardwright.learn.kernel.sight import Sight, plan_for


class ValueNetwork(Sight):
    """Values any state of one game. `learned` is one float32 array: the first layer's rows by feature and its biases,
    the second layer's rows by unit and its biases, a row an output and the outputs' biases, and last the size of one
    unit of output, in points or results."""

    outs: int = 1  # outputs
    first: int = 128  # units of the first hidden layer; multiples of 32 run best
    second: int = 32  # units of the second
    points: int = 0  # 1: outputs are points still to come; 0: results, between -1 and 1

    def rules(self) -> tuple[str, ...]:
        return "value", "forward", "seat", "see"

    @property
    def first_biases(self) -> int:
        """Where in `learned` they begin; so with the rest."""
        return self.count * self.first

    @property
    def second_rows(self) -> int:
        return self.first_biases + self.first

    @property
    def second_biases(self) -> int:
        return self.second_rows + self.first * self.second

    @property
    def output_rows(self) -> int:
        return self.second_biases + self.second

    @property
    def output_biases(self) -> int:
        return self.output_rows + self.outs * self.second

    @property
    def size(self) -> int:
        """How many numbers `learned` has."""
        return self.output_biases + self.outs + 1

    @property
    def room(self) -> int:
        """How many float32 `forward` works with: features' values, both layers, the outputs."""
        return self.most + self.first + self.second + self.outs

    def value(self, game: Any, s: Any, learned: Any, out: Any) -> Any:
        """out[i] = what player i can expect in the end; exact once the game is over."""
        if game.player(s) == OVER:
            game.results(s, out)
            return
        indices = np.empty(self.most, np.int32)
        work = np.empty(self.room, np.float32)
        self.forward(indices, work, self.see(game, s, indices, work), learned)
        # np.float64, since the compiler's float() leaves a float32 what it is.
        unit = np.float64(learned[self.size - 1])
        seat = self.seat(game, s)
        outputs = self.room - self.outs
        if self.points != 0:
            game.scores(s, out)
            for i in range(self.outs):
                out[(seat + i) % len(out)] += unit * np.float64(work[outputs + i])
        elif self.outs == 1 and len(out) == 2:
            own = min(max(unit * np.float64(work[outputs]), -1.0), 1.0)
            out[seat] = own
            out[1 - seat] = -own
        else:
            for i in range(self.outs):
                out[(seat + i) % len(out)] = min(max(unit * np.float64(work[outputs + i]), -1.0), 1.0)

    def forward(self, indices: Any, work: Any, count: Any, learned: Any) -> None:
        """The outputs, in units, into the end of `work`, whose layers are left as they are before ReLU."""
        one = self.most
        two = one + self.first
        three = two + self.second
        for j in range(self.first):
            work[one + j] = learned[self.first_biases + j]
        for k in range(count):
            # Unsigned: no index can be below 0, which the compiler must know to use vectors.
            row = np.uint64(indices[k]) * np.uint64(self.first)
            much = work[k]
            for j in range(self.first):
                work[one + j] += much * learned[row + np.uint64(j)]
        for j in range(self.second):
            work[two + j] = learned[self.second_biases + j]
        for i in range(self.first):
            active = work[one + i]
            if active > 0.0:
                for j in range(self.second):
                    work[two + j] += active * learned[self.second_rows + i * self.second + j]
        for o in range(self.outs):
            total = learned[self.output_biases + o]
            for j in range(self.second):
                if work[two + j] > 0.0:
                    total += work[two + j] * learned[self.output_rows + o * self.second + j]
            work[three + o] = total


def network_for(game: Game, first: int, second: int, zero_sum: bool = False, plan: str = "") -> ValueNetwork:
    """The network that fits a game; `zero_sum`: two players' results always add up to 0."""
    return ValueNetwork(
        plan=plan or plan_for(game),
        outs=1 if game.players == 1 or (zero_sum and game.players == 2 and not game.counts_points) else game.players,
        first=first,
        second=second,
        points=int(game.counts_points),
    )


def fresh_numbers(network: ValueNetwork, seed: int, unit: float) -> npt.NDArray[np.float32]:
    """A random start. Rows of features start at 0: a feature that was never met says nothing, where random rows would
    lure the player to what it does not know."""
    rng = np.random.Generator(np.random.PCG64(seed))
    one, two, outs = network.first, network.second, network.outs
    parts = (
        np.zeros(network.count * one),
        rng.normal(0.0, 1.0, one),
        rng.normal(0.0, (2.0 / one) ** 0.5, one * two),  # He et al. 2015
        np.zeros(two),
        rng.normal(0.0, two**-0.5, outs * two),
        np.zeros(outs),
        np.array([unit]),
    )
    return np.concatenate(parts).astype(np.float32)
