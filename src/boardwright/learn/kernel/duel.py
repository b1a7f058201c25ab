"""Two sets of numbers of one network against each other, by equal searches on equal luck, inside the kernel."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel
from boardwright.compile.playout import settle
from boardwright.contract.game import OVER, Game
from boardwright.learn.kernel.network import ValueNetwork
from boardwright.learn.kernel.openings import open_game
from boardwright.learn.kernel.rounds import play_in_chunks
from boardwright.learn.kernel.searching import new_searching, think

SETS = 4  # of games with the same luck, a call


class DuelTerms(NamedTuple):
    """How games are made, as numbers for the kernel."""

    longest: int
    opening: int
    simulations: int
    considered: int


@kernel
def play_duels(game: Any, network: Any, one: Any, other: Any, searching: Any, rngs: Any, terms: Any, got: Any) -> None:
    """For each of rngs a game from each seat for `one`, all others being taken by `other`: got[k, i] = what `one` got
    in seat i."""
    work = searching.work
    states, rng, luck = work.states, work.rng, np.zeros(1, np.uint64)
    players = got.shape[1]
    for k in range(len(rngs)):
        for seat in range(players):
            rng[0] = rngs[k]
            open_game(game, states, 3, rng, work.choices, work.weights, terms.opening)
            luck[0] = rngs[k] ^ np.uint64(0x5DEECE66D)
            for _ in range(terms.longest):
                if game.player(states[0]) == OVER:
                    break
                learned = one if game.player(states[0]) == seat else other
                child = think(game, network, learned, searching, terms.simulations, 1, terms.considered, False)
                game.play(states[0], searching.tree[child].move)
                settle(game, states[0], luck, work.choices, work.weights)
            if game.player(states[0]) == OVER:
                game.results(states[0], work.total)
            else:
                game.scores(states[0], work.total)
            got[k, seat] = work.total[seat]


def duel(
    game: Game,
    network: ValueNetwork,
    one: npt.NDArray[np.float32],
    other: npt.NDArray[np.float32],
    sets: int,
    seed: int,
    terms: DuelTerms,
    threads: int = 1,
) -> npt.NDArray[np.float64]:
    """(sets, players): what `one` got in each seat of each set of games on the same luck, against `other` in all other
    seats; two of a kind get 0 on average where results add up to 0. Alone it is what `one` got."""

    def play(rngs: npt.NDArray[np.uint64]) -> npt.NDArray[np.float64]:
        searching = new_searching(game, 1, terms.simulations, terms.considered, 0.25, network.likes)
        got = np.zeros((len(rngs), game.players))
        run_kernel(game, play_duels, game, network, one, other, searching, rngs, terms, got)
        return got

    parts = play_in_chunks(play, sets, seed, SETS, threads, lambda share: False)
    assert parts is not None
    return np.concatenate(parts)
