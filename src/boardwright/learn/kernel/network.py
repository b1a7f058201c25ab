"""The network: what each player can expect and which moves to like, from a state's sparse features, inside the kernel.

Two hidden layers with ReLU. The first adds up the rows of the features that are present, so that thousands of rare ones
cost no more than the few a state has (as in NNUE, Nasu 2018). Outputs are counted from the viewer: the first is the
viewer's own, the next the following seat's. Where two players' results add up to 0, or one plays alone, one is enough.
The liking of a move comes from the first layer; it is worked out for legal moves only.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.contract.game import OVER, Game
from boardwright.learn.kernel.sight import Sight, plan_for
from boardwright.search.softmax import exponentials

LANES = 16  # sums side by side: the compiler keeps the order of a sum, and would add one number at a time
ROW_SCALE = 1.5  # of random rows, for about half of `most` features a state


class ValueNetwork(Sight):
    """Values any state of one game, and likes its moves. `learned` is one float32 array: the first layer's rows by
    feature, a row a move that is liked, the first layer's biases, the second layer's rows by unit and its biases, a row
    an output and the outputs' biases, a bias a move, and last the size of one unit of output, in points or results."""

    outs: int = 1  # outputs
    liked: int = 0  # moves that have a liking: all, or none
    first: int = 128  # units of the first hidden layer; multiples of 32 run best
    second: int = 32  # units of the second
    points: int = 0  # 1: outputs are points still to come; 0: results, between -1 and 1

    def rules(self) -> tuple[str, ...]:
        return "value", "prior", "likings", "lift", "forward", "seat", "see"

    @property
    def likes(self) -> bool:
        return self.liked > 0

    @property
    def rows(self) -> int:
        """Rows as wide as the first layer, from the beginning of `learned`: a feature each, then a move each."""
        return self.count + self.liked

    @property
    def first_biases(self) -> int:
        """Where in `learned` they begin; so with the rest."""
        return self.rows * self.first

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
    def move_biases(self) -> int:
        return self.output_biases + self.outs

    @property
    def size(self) -> int:
        """How many numbers `learned` has."""
        return self.move_biases + self.liked + 1

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

    def prior(self, game: Any, s: Any, learned: Any, moves: Any, count: Any, weights: Any) -> Any:
        """weights[i] = how much the player to act likes moves[i]: all alike without a liking of moves."""
        if self.liked == 0:
            for i in range(count):
                weights[i] = 1.0
            return
        indices = np.empty(self.most, np.int32)
        work = np.empty(self.room, np.float32)
        self.lift(indices, work, self.see(game, s, indices, work), learned)
        self.likings(work, learned, moves, count, weights)

    def likings(self, work: Any, learned: Any, moves: Any, count: Any, shares: Any) -> None:
        """shares[i] = the policy's share of moves[i], from the first layer in `work`: a softmax over these alone."""
        one = self.most
        top = np.float32(-math.inf)
        sums = np.zeros(LANES, np.float32)
        for k in range(count):
            row = np.uint64(self.count + moves[k]) * np.uint64(self.first)
            logit = learned[self.move_biases + moves[k]]
            whole = self.first // LANES * LANES
            for lane in range(LANES):
                sums[lane] = np.float32(0.0)
            for j in range(0, whole, LANES):
                for lane in range(LANES):
                    unit = max(work[one + j + lane], np.float32(0.0))
                    sums[lane] += unit * learned[row + np.uint64(j + lane)]
            for lane in range(LANES):
                logit += sums[lane]
            for j in range(whole, self.first):
                logit += max(work[one + j], np.float32(0.0)) * learned[row + np.uint64(j)]
            shares[k] = logit
            top = max(top, logit)
        total = 0.0
        for k in range(count):
            shares[k] -= top
        exponentials(shares, count)
        for k in range(count):
            total += shares[k]
        for k in range(count):
            shares[k] /= total

    def lift(self, indices: Any, work: Any, count: Any, learned: Any) -> None:
        """The first layer, before ReLU, into `work`."""
        one = self.most
        for j in range(self.first):
            work[one + j] = learned[self.first_biases + j]
        for k in range(count):
            # Unsigned: no index can be below 0, which the compiler must know to use vectors.
            row = np.uint64(indices[k]) * np.uint64(self.first)
            much = work[k]
            for j in range(self.first):
                work[one + j] += much * learned[row + np.uint64(j)]

    def forward(self, indices: Any, work: Any, count: Any, learned: Any) -> None:
        """The outputs, in units, into the end of `work`, whose layers are left as they are before ReLU."""
        one = self.most
        two = one + self.first
        three = two + self.second
        self.lift(indices, work, count, learned)
        for j in range(self.second):
            work[two + j] = learned[self.second_biases + j]
        # A length that the compiler does not know: it would write 32 steps out one by one, instead of as vectors.
        wide = min(self.second, len(work))
        for i in range(self.first):
            active = max(work[one + i], np.float32(0.0))  # no branch: half of the units are off, in no order
            row = np.uint64(self.second_rows + i * self.second)
            for j in range(wide):
                work[np.uint64(two + j)] += active * learned[row + np.uint64(j)]
        for o in range(self.outs):
            total = learned[self.output_biases + o]
            for j in range(self.second):
                if work[two + j] > 0.0:
                    total += work[two + j] * learned[self.output_rows + o * self.second + j]
            work[three + o] = total


def network_for(
    game: Game, first: int, second: int, zero_sum: bool = False, plan: str = "", *, likes: bool = False
) -> ValueNetwork:
    """The network that fits a game; `zero_sum`: two players' results always add up to 0; `likes`: moves too."""
    return ValueNetwork(
        plan=plan or plan_for(game),
        outs=1 if game.players == 1 or (zero_sum and game.players == 2 and not game.counts_points) else game.players,
        liked=game.actions if likes else 0,
        first=first,
        second=second,
        points=int(game.counts_points),
    )


def fresh_numbers(
    network: ValueNetwork, seed: int, unit: float, *, random_rows: bool = False
) -> npt.NDArray[np.float32]:
    """A random start. Moves are all liked alike. Rows of features start at 0: of very many features most are rare, and
    one that was never met shall say nothing, where random rows would lure the player to what it does not know. Few
    features learn much sooner from `random_rows` (He et al. 2015)."""
    rng = np.random.Generator(np.random.PCG64(seed))
    one, two, outs = network.first, network.second, network.outs
    rows = network.count * one
    parts = (
        rng.normal(0.0, ROW_SCALE / network.most**0.5, rows) if random_rows else np.zeros(rows),
        np.zeros(network.liked * one),
        rng.normal(0.0, 0.1 if random_rows else 1.0, one),
        rng.normal(0.0, (2.0 / one) ** 0.5, one * two),  # He et al. 2015
        np.zeros(two),
        rng.normal(0.0, two**-0.5, outs * two),
        np.zeros(outs),
        np.zeros(network.liked),
        np.array([unit]),
    )
    return np.concatenate(parts).astype(np.float32)
