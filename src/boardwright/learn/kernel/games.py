"""Rounds of games by one way of making them, on several threads or by workers elsewhere. Who plays, and how many they
are, changes nothing but the time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from boardwright.arena.workers import Workers
from boardwright.compile.diagnose import run_kernel
from boardwright.contract.game import Game
from boardwright.learn.kernel.greedy import Terms, play_greedily
from boardwright.learn.kernel.log import Played, chunk, join, new_log
from boardwright.learn.kernel.network import ValueNetwork
from boardwright.learn.kernel.orders import play_by_orders
from boardwright.learn.kernel.rounds import chunks_of, play_in_chunks
from boardwright.learn.kernel.searching import Rivals, SearchTerms, new_searching, play_by_search
from boardwright.learn.kernel.turns import turn_room

Numbers = npt.NDArray[np.float32]
CHUNK, SEARCHED_CHUNK = 20, 4  # games a call: a kernel hears neither clock nor Ctrl-C


@dataclass(frozen=True)
class Arcade:
    """Plays rounds of games of a network with itself."""

    game: Game
    network: ValueNetwork

    workers: Workers | None = None  # who plays elsewhere; None: threads here

    def play(
        self,
        learned: Numbers,
        games: int,
        seed: int,
        terms: Terms | SearchTerms,
        threads: int = 1,
        show: Callable[[float], bool] = lambda share: False,
        beside: Callable[[], object] | None = None,
    ) -> Played | None:
        """So many games. `show` is told what share is done, and answers whether to stop: then nothing comes of it.
        `beside`: other work for one of the threads."""
        chunks = chunks_of(games, seed, SEARCHED_CHUNK if isinstance(terms, SearchTerms) else CHUNK)
        if self.workers is None:
            parts = play_in_chunks(lambda rngs: self.play_chunk(learned, rngs, terms), chunks, threads, show, beside)
        else:
            parts = play_by_orders(self.workers, (learned, terms), chunks, show, beside)
        return None if parts is None else join(parts, self.game)

    def play_chunk(self, learned: Numbers, rngs: npt.NDArray[np.uint64], terms: Terms | SearchTerms) -> Played:
        """A game for each of rngs, in one call of a kernel."""
        if isinstance(terms, SearchTerms):
            return searched(self.game, self.network, learned, rngs, terms, Rivals(learned, -1))
        return self._greedy(learned, rngs, terms)

    def _greedy(self, learned: Numbers, rngs: npt.NDArray[np.uint64], terms: Terms) -> Played:
        began, game = time.thread_time(), self.game
        kept = np.zeros(2 * len(rngs) * terms.longest, game.state_dtype)
        log = new_log(game, len(rngs), terms.longest, bool(terms.has_policy))
        states, turn = turn_room(game, policy=terms.policy, consider=terms.consider)
        arrays = (states, turn, rngs, kept, (terms, log))
        places = int(run_kernel(game, play_greedily, game, self.network, learned, *arrays))
        return chunk(kept, log, places, int(turn.looks[0]), began)


def searched(
    game: Game,
    network: ValueNetwork,
    learned: Numbers,
    rngs: npt.NDArray[np.uint64],
    terms: SearchTerms,
    rivals: Rivals,
) -> Played:
    """A game by search for each of rngs."""
    began = time.thread_time()
    kept = np.zeros(2 * len(rngs) * terms.longest, game.state_dtype)
    log = new_log(game, len(rngs), terms.longest, bool(terms.has_policy))
    searching = new_searching(game, terms.shallow, terms.deep, terms.considered, terms.trust, network.has_policy)
    places, looks = run_kernel(
        game, play_by_search, game, network, learned, searching, rngs, kept, (terms, log, rivals)
    )
    return chunk(kept, log, int(places), int(looks), began)
