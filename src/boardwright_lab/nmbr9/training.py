"""Train the store of windows batch by batch, from the last turns upward (section 5, "iterative training process").

A batch simulates games from the start. Of the best, positions late in the game are searched thoroughly, and what was
tried there goes into the store; from then on these turns choose by LALS. The next batch does so two turns earlier.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.contract.state import copy_record
from boardwright.games.nmbr9.tiles import CARDS
from boardwright_lab.nmbr9.store import Store
from boardwright_lab.nmbr9.tree import EMPQ, EXPLORE, LALS, UCB, ReportSearch, Ways

LAST_TURNS = 18  # the first batch learns this turn and those after it
TURNS_A_BATCH = 2
REPORTED_BATCHES = 3  # as far as the report came: LALS from turn 16 on
GREED = (0.4, 0.8)  # of the first and the last turn but one; the report gives this range, and 1 for the last


@dataclass(frozen=True)
class Sizes:
    """How much is simulated in a batch."""

    batches: int
    targets: int  # starts, each with a tree of its own
    games: int  # simulations from each
    late: int  # late positions that are searched
    simulations: int  # of each


@dataclass(frozen=True)
class Batch:
    """What one batch did."""

    number: int  # from 1
    turn: int  # the first turn that chooses by LALS after it
    points: npt.NDArray[np.int64]  # of its simulated games
    windows: int  # different ones in the store after it


def ways_to_play(ucb_until: int, lals_from: int, greedy: bool = False) -> Ways:
    """UCB up to one turn, LALS from another on, empQ between; turns count from 1. The last turn takes the most points,
    which is exact. `greedy`: nothing is tried at random."""
    turns = np.arange(1, CARDS + 1)
    policy = np.where(turns <= ucb_until, UCB, np.where(turns >= lals_from, LALS, EMPQ)).astype(np.int64)
    greed = np.interp(turns, (1, CARDS - 1), (1.0, 1.0) if greedy else GREED)
    policy[-1], greed[-1] = EMPQ, 1.0
    return Ways(policy, greed, EXPLORE)


def train(
    game: Game, store: Store, sizes: Sizes, seed: int, after: Callable[[Batch], None] = lambda batch: None
) -> list[Batch]:
    """Fill the store. `after` is told of each batch when it is through."""
    rng, done = Random(seed), []
    turn = CARDS + 1  # nothing chooses by LALS yet
    for number in range(1, sizes.batches + 1):
        late_turn = LAST_TURNS - TURNS_A_BATCH * (number - 1)
        simulate = ReportSearch(game, ways_to_play(number, turn), store.shelves, rng, sizes.games + 1)
        points, late = [], []
        for _ in range(sizes.targets):
            found = simulate.grow(game.begin(seed=rng.bits()), sizes.games, late_turn)
            points.append(found.points)
            late.append(found.late)
        every, positions = np.concatenate(points), b"".join(part.tobytes() for part in late)
        chosen = np.frombuffer(positions, game.state_dtype)[np.argsort(-every, kind="stable")[: sizes.late]]
        # Thoroughly: the turns that are new by UCB, those below by what is known of them.
        thorough = ReportSearch(
            game, ways_to_play(late_turn + TURNS_A_BATCH - 1, turn), store.shelves, rng, sizes.simulations + 1
        )
        lessons = []
        for k in range(len(chosen)):
            thorough.grow(Position(game, copy_record(chosen[k : k + 1])), sizes.simulations)
            lessons.append(thorough.lessons())
        store.add(lessons)
        turn = late_turn
        done.append(Batch(number, turn, every, len(store)))
        after(done[-1])
    return done
