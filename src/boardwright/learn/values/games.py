"""Games that the value plays with itself, and what came of every afterstate on the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel
from boardwright.compile.playout import move_by_policy, settle
from boardwright.contract.game import OVER, Game
from boardwright.contract.state import copy_record
from boardwright.learn.kernel.network import ValueNetwork
from boardwright.learn.kernel.rounds import joined, play_in_chunks
from boardwright.learn.values.choosing import new_choosing, value_moves

CHUNK = 40  # games a call: a kernel hears neither clock nor Ctrl-C


class Played(NamedTuple):
    """Games of one round, one after another: `lengths` has a number a game, the others one an afterstate."""

    states: npt.NDArray[np.void]
    promised: npt.NDArray[np.float64]  # points in the end, as the value saw them when the move was made
    points: npt.NDArray[np.float64]  # so far
    lengths: npt.NDArray[np.int64]
    results: npt.NDArray[np.float64]  # points in the end, of each game; of one that was cut, as promised


@kernel
def play_games(
    game: Any, network: Any, learned: Any, states: Any, rngs: Any, choosing: Any, longest: Any, played: Any
) -> Any:  # fmt: skip
    """Play len(rngs) games, game g with the numbers of rngs[g], each to its end or `longest` moves: by the value, or,
    if no move is to be considered, by the policy alone. Returns how many afterstates were kept. states: two records,
    zeroed."""
    moves, values, out = choosing.moves, choosing.values, choosing.out
    at = 0
    for g in range(len(rngs)):
        rng = rngs[g : g + 1]
        states[0] = states[1]
        s = states[0]
        game.start(s)
        begin = at
        while at - begin < longest:
            if settle(game, s, rng, moves, values) == OVER:
                break
            promise = 0.0
            if choosing.consider > 0:
                _, best = value_moves(game, network, learned, s, choosing)
                promise = values[best]
                game.play(s, moves[best])
            else:
                move_by_policy(game, s, choosing.policy, rng, moves, values)
            game.scores(s, out)
            played.states[at] = s
            played.promised[at] = promise
            played.points[at] = out[0]
            at += 1
        played.lengths[g] = at - begin
        played.results[g] = played.promised[at - 1] if at > begin else 0.0
        if settle(game, s, rng, moves, values) == OVER:
            game.results(s, out)
            played.results[g] = out[0]
    return at


@kernel
def targets(promised: Any, points: Any, lengths: Any, results: Any, trust: Any, to_come: Any) -> None:
    """to_come[k] = what the value of afterstate k should have been: TD(lambda) with `trust` for lambda (Sutton and
    Barto 2018, section 12.1). 1: the outcome alone; 0: the next value alone."""
    end = 0
    for g in range(len(lengths)):
        begin = end
        end += lengths[g]
        if end == begin:
            continue
        later = results[g] - points[end - 1]
        to_come[end - 1] = later
        for k in range(end - 2, begin - 1, -1):
            next_value = promised[k + 1] - points[k + 1]
            later = points[k + 1] - points[k] + (1.0 - trust) * next_value + trust * later
            to_come[k] = later


class Rounds:
    """Plays rounds of games on several threads. The number of threads changes nothing but the time."""

    def __init__(self, game: Game, network: ValueNetwork, policy: int, longest: int, threads: int) -> None:
        self.game, self.network, self.policy = game, network, policy
        self.longest, self.threads = longest, threads

    def play(
        self,
        learned: npt.NDArray[np.float32],
        games: int,
        seed: int,
        consider: int,
        show: Callable[[float], bool] = lambda share: False,
    ) -> Played | None:
        """So many games, `consider` moves being valued a turn; 0: none, the policy plays. `show` is told what share is
        done, and answers whether to stop: then nothing comes of it."""
        done = play_in_chunks(
            lambda rngs: self._chunk(learned, rngs, consider), games, seed, CHUNK, self.threads, show
        )  # fmt: skip
        if done is None:
            return None
        states = joined([part.states for part in done], self.game.state_dtype)
        names = ("promised", "points", "lengths", "results")
        return Played(states, *(np.concatenate([getattr(part, name) for part in done]) for name in names))

    def _chunk(self, learned: npt.NDArray[np.float32], rngs: npt.NDArray[np.uint64], consider: int) -> Played:
        game, room = self.game, len(rngs) * self.longest
        played = Played(
            np.zeros(room, game.state_dtype), np.zeros(room), np.zeros(room), np.zeros(len(rngs), np.int64),
            np.zeros(len(rngs)),
        )  # fmt: skip
        used = run_kernel(
            game, play_games, game, self.network, learned, np.zeros(2, game.state_dtype), rngs,
            new_choosing(game, self.policy, consider), self.longest, played,
        )  # fmt: skip
        return Played(
            copy_record(played.states[:used]), played.promised[:used].copy(), played.points[:used].copy(),
            played.lengths, played.results,
        )  # fmt: skip
