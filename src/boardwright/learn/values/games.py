"""Games that the value plays with itself, and what came of every afterstate on the way."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel
from boardwright.compile.random import below, pick
from boardwright.contract.game import CHANCE, OVER, Game
from boardwright.contract.random import Random
from boardwright.contract.state import copy_record
from boardwright.learn.values.choosing import value_moves
from boardwright.learn.values.network import ValueNetwork

CHUNK = 40  # games a call: a kernel hears neither clock nor Ctrl-C


@dataclass(frozen=True)
class Played:
    """Games of one round, one after another: `lengths` has a number a game, the others one an afterstate."""

    states: npt.NDArray[np.void]
    promised: npt.NDArray[np.float64]  # points in the end, as the value saw them when the move was made
    points: npt.NDArray[np.float64]  # so far
    lengths: npt.NDArray[np.int64]
    results: npt.NDArray[np.float64]  # points in the end, of each game; of one that was cut, as promised


@kernel
def settle(game: Any, s: Any, rng: Any, outcomes: Any, weights: Any) -> None:
    """Draw until a player moves or the game is over."""
    while game.player(s) == CHANCE:
        count = game.chances(s, outcomes, weights)
        game.draw(s, outcomes[pick(rng, weights, count)])


@kernel
def play_games(
    game: Any, network: Any, learned: Any, states: Any, scratch: Any, rngs: Any, policy: Any, consider: Any, blind: Any,
    longest: Any, kept: Any, promised: Any, points: Any, lengths: Any, results: Any, moves: Any, values: Any, out: Any,
) -> Any:  # fmt: skip
    """Play len(rngs) games, game g with the numbers of rngs[g], each to its end or `longest` moves: by the value, or,
    if `blind`, by the policy alone. Returns how many afterstates were kept. states: two records, zeroed."""
    at = 0
    for g in range(len(rngs)):
        rng = rngs[g : g + 1]
        states[0] = states[1]
        s = states[0]
        game.start(s)
        begin = at
        while at - begin < longest:
            settle(game, s, rng, moves, values)
            if game.player(s) == OVER:
                break
            promise = 0.0
            if blind == 0:
                count, best = value_moves(game, network, learned, s, scratch, policy, consider, moves, values, out)
                promise = values[best]
                move = moves[best]
            else:
                count = game.legal(s, moves)
                if policy == 0:
                    move = moves[below(rng, count)]
                else:
                    game.weigh(policy, s, moves, count, values)
                    move = moves[pick(rng, values, count)]
            game.play(s, move)
            game.scores(s, out)
            kept[at] = s
            promised[at] = promise
            points[at] = out[0]
            at += 1
        settle(game, s, rng, moves, values)
        lengths[g] = at - begin
        results[g] = promised[at - 1] if at > begin else 0.0
        if game.player(s) == OVER:
            game.results(s, out)
            results[g] = out[0]
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


class Table:
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
        rng = Random(seed)
        rngs = np.array([rng.bits() for _ in range(games)], np.uint64)
        parts = [rngs[begin : begin + CHUNK] for begin in range(0, games, CHUNK)]
        done: list[Played] = []
        stopped = False

        def one(part: npt.NDArray[np.uint64]) -> Played | None:
            return None if stopped else self._chunk(learned, part, consider)

        with ThreadPoolExecutor(self.threads) as pool:
            for played in pool.map(one, parts):
                if played is not None:
                    done.append(played)
                stopped = stopped or show(len(done) / len(parts))
        if stopped:
            return None
        # NumPy joins records field by field and forgets the gaps between: join their bytes instead.
        states = np.frombuffer(bytearray().join(part.states.tobytes() for part in done), self.game.state_dtype)
        names = ("promised", "points", "lengths", "results")
        return Played(states, *(np.concatenate([getattr(part, name) for part in done]) for name in names))

    def _chunk(self, learned: npt.NDArray[np.float32], rngs: npt.NDArray[np.uint64], consider: int) -> Played:
        game, room = self.game, len(rngs) * self.longest
        size = max(game.actions, game.outcomes, 1)
        kept, promised, points = np.zeros(room, game.state_dtype), np.zeros(room), np.zeros(room)
        lengths, results = np.zeros(len(rngs), np.int64), np.zeros(len(rngs))
        used = run_kernel(
            game, play_games, game, self.network, learned, np.zeros(2, game.state_dtype), np.zeros(1, game.state_dtype),
            rngs.copy(), self.policy,
            consider, int(consider == 0), self.longest, kept, promised, points, lengths, results,
            np.zeros(size, np.int32), np.zeros(size), np.zeros(1),
        )  # fmt: skip
        return Played(copy_record(kept[:used]), promised[:used].copy(), points[:used].copy(), lengths, results)
