"""Two sets of numbers of one network against each other, by equal searches on equal luck, inside the kernel."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from boardwright.contract.game import Game
from boardwright.learn.kernel.games import searched
from boardwright.learn.kernel.network import ValueNetwork
from boardwright.learn.kernel.rounds import chunks_of, play_in_chunks
from boardwright.learn.kernel.searching import Rivals, SearchTerms

SETS = 4  # of games with the same luck, a call


def duel_terms(longest: int, opening: int, simulations: int, considered: int) -> SearchTerms:
    """Games that are not learnt from: all searches alike, and the best move is played."""
    return SearchTerms(longest, opening, 1, simulations, 1.0, considered, 0.25, 0, 0.0)


def duel(
    game: Game,
    network: ValueNetwork,
    one: npt.NDArray[np.float32],
    other: npt.NDArray[np.float32],
    sets: int,
    seed: int,
    terms: SearchTerms,
    threads: int = 1,
) -> npt.NDArray[np.float64]:
    """(sets, players): what `one` got in each seat of each set of games on the same luck, against `other` in all other
    seats; two of a kind get 0 on average where results add up to 0. Alone it is what `one` got. Of a game that was cut,
    the points so far."""

    def play(rngs: npt.NDArray[np.uint64]) -> npt.NDArray[np.float64]:
        got = np.zeros((len(rngs), game.players))
        for seat in range(game.players):
            log = searched(game, network, one, rngs, terms, Rivals(other, seat)).log
            ends = np.cumsum(log.lengths) - 1
            cut = log.lengths >= 2 * terms.longest
            got[:, seat] = np.where(cut, log.points[ends, seat], log.results[:, seat])
        return got

    parts = play_in_chunks(play, chunks_of(sets, seed, SETS), threads, lambda share: False)
    assert parts is not None
    return np.concatenate(parts)
