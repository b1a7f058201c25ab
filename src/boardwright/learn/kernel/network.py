"""The network: what each player can expect and which moves to like, from a state's sparse features, inside the kernel.

Two hidden layers with ReLU. The first adds up the rows of the features that are present, so that thousands of rare ones
cost no more than the few a state has (as in NNUE, Nasu 2018). Outputs are counted from the viewer: the first is the
viewer's own, the next the following seat's. Where two players' results add up to 0, or one plays alone, one is enough.
The policy comes from the first layer; it is worked out for legal moves only.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.compile.vectors import add_all_rows, add_chosen_rows, dot, relu
from boardwright.contract.game import OVER, Game
from boardwright.learn.kernel.sight import Sight, plan_for
from boardwright.search.softmax import exponentials

ROW_SCALE = 1.5  # of random rows, for about half of `most` features a state


class ValueNetwork(Sight):
    """Values any state of one game, and has a policy over its moves. `learned` is one float32 array: the first layer's
    rows by feature, the policy's rows by feature of a move, the first layer's biases, the second layer's rows by unit
    and its biases, a row an output and the outputs' biases, a bias a row of the policy, and last the size of one unit
    of output, in points or results."""

    outs: int = 1  # outputs
    policy_rows: int = 0  # features of moves: all, or none where there is no policy
    first: int = 128  # units of the first hidden layer; multiples of 32 run best
    second: int = 32  # units of the second
    points: int = 0  # 1: outputs are points still to come; 0: results, between -1 and 1

    def rules(self) -> tuple[str, ...]:
        return "value", "prior", "policy", "move_logit", "lift", "forward", "seat", "see", "see_move"

    @property
    def has_policy(self) -> bool:
        return self.policy_rows > 0

    @property
    def rows(self) -> int:
        """Rows as wide as the first layer, from the beginning of `learned`: of features, then of moves' features."""
        return self.count + self.policy_rows

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
        return self.move_biases + self.policy_rows + 1

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
        """weights[i] = the policy's share of moves[i]: all alike without a policy."""
        if self.policy_rows == 0:
            for i in range(count):
                weights[i] = 1.0
            return
        indices = np.empty(max(self.most, self.move_most), np.int32)
        work = np.empty(self.room, np.float32)
        self.lift(indices, work, self.see(game, s, indices, work), learned)
        self.policy(game, s, learned, moves, count, weights, (work, indices))

    def policy(self, game: Any, s: Any, learned: Any, moves: Any, count: Any, shares: Any, room: Any) -> None:
        """shares[i] = the policy's share of moves[i]: a softmax over these alone. room: where the first layer is, and
        where the features of a move have room."""
        work, told = room
        top = np.float32(-math.inf)
        # What a feature adds is worked out when a first move has it, and looked up for all others.
        added = np.full(self.policy_rows if self.move_count > 0 else 1, np.float32(math.nan), np.float32)
        for k in range(count):
            logit = np.float32(0.0)
            for f in range(self.see_move(game, s, moves[k], told)):
                row = np.int64(told[f])
                if self.move_count == 0:
                    logit += self.move_logit(work, learned, row)
                    continue
                if math.isnan(added[row]):
                    added[row] = self.move_logit(work, learned, row)
                logit += added[row]
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

    def move_logit(self, work: Any, learned: Any, row: Any) -> Any:
        """What a feature of a move adds to its logit, by the first layer in `work`."""
        product = dot(work, self.most, learned, (self.count + row) * self.first, self.first)
        return learned[self.move_biases + row] + product

    def lift(self, indices: Any, work: Any, count: Any, learned: Any) -> None:
        """The first layer into `work`."""
        one = self.most
        for j in range(self.first):
            work[one + j] = learned[self.first_biases + j]
        add_chosen_rows(work, one, learned, 0, self.first, indices, work, count)
        relu(work, one, self.first)

    def forward(self, indices: Any, work: Any, count: Any, learned: Any) -> None:
        """Both layers and the outputs, in units, into `work`."""
        one = self.most
        two = one + self.first
        three = two + self.second
        self.lift(indices, work, count, learned)
        for j in range(self.second):
            work[two + j] = learned[self.second_biases + j]
        add_all_rows(work, two, learned, self.second_rows, self.second, work, one, self.first)
        relu(work, two, self.second)
        for o in range(self.outs):
            weights = self.output_rows + o * self.second
            work[three + o] = learned[self.output_biases + o] + dot(work, two, learned, weights, self.second)


def move_rows(game: Game, plan: str) -> int:
    """How many features of moves a policy of this plan has rows for."""
    return Sight(plan=plan).move_count or int(game.actions)


def network_for(
    game: Game, first: int, second: int, zero_sum: bool = False, plan: str = "", *, has_policy: bool = False
) -> ValueNetwork:
    """The network that fits a game; `zero_sum`: two players' results always add up to 0; `has_policy`: moves too."""
    plan = plan or plan_for(game)
    return ValueNetwork(
        plan=plan,
        outs=1 if game.players == 1 or (zero_sum and game.players == 2 and not game.counts_points) else game.players,
        policy_rows=move_rows(game, plan) if has_policy else 0,
        first=first,
        second=second,
        points=int(game.counts_points),
    )


def fresh_numbers(
    network: ValueNetwork, seed: int, unit: float, *, random_rows: bool = False
) -> npt.NDArray[np.float32]:
    """A random start. The policy is even. Rows of features start at 0: of very many features most are rare, and
    one that was never met shall say nothing, where random rows would lure the player to what it does not know. Few
    features learn much sooner from `random_rows` (He et al. 2015)."""
    rng = np.random.Generator(np.random.PCG64(seed))
    one, two, outs = network.first, network.second, network.outs
    rows = network.count * one
    parts = (
        rng.normal(0.0, ROW_SCALE / network.most**0.5, rows) if random_rows else np.zeros(rows),
        np.zeros(network.policy_rows * one),
        rng.normal(0.0, 0.1 if random_rows else 1.0, one),
        rng.normal(0.0, (2.0 / one) ** 0.5, one * two),  # He et al. 2015
        np.zeros(two),
        rng.normal(0.0, two**-0.5, outs * two),
        np.zeros(outs),
        np.zeros(network.policy_rows),
        np.array([unit]),
    )
    return np.concatenate(parts).astype(np.float32)
