"""Tree searches of many games, a move of each at a time, for `SearchPlayer.chooser`: the trees that `choose` would have
grown, without a position of every state and without all that a choice tells. With 100 simulations a move these took
nine tenths of the time."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel
from boardwright.contract.game import CHANCE, Game
from boardwright.players.many import NO_MOVE, Games, Told
from boardwright.search.exact.transposition import words_of
from boardwright.search.search import MOST_STEPS_BACK, Search, choose_child

MOST_SLOTS = 100_000  # of a tree; who grows larger ones is asked one by one: he takes long, and many would take memory


@kernel
def back_to_roots(
    game: Any, games: Any, picked: Any, roots: Any, since: Any, states: Any, words: Any, back: Any
) -> None:  # fmt: skip
    """back[k]: how many steps ago game picked[k] was last in the state that its mover saw last, -1 if it has seen none.
    What it sees now takes that place: roots[row] at step since[row], a row for each seat of each game.

    states: scratch of two records; words: the same memory, see words_of.
    """
    seats = games.rngs.shape[1]
    for k in range(len(picked)):
        g = picked[k]
        row = g * seats + games.actors[g]
        end = games.length[g]
        back[k] = -1
        if since[row] >= 0:
            states[0] = roots[row]
            states[1] = roots[row]
            last = since[row]
            for i in range(since[row], end):
                if games.doers[g, i] == CHANCE:
                    game.draw(states[1], games.steps[g, i])
                else:
                    game.play(states[1], games.steps[g, i])
                same = True
                for word in range(words.shape[1]):
                    same = same and words[0, word] == words[1, word]
                if same:
                    last = i + 1
            back[k] = end - last
        roots[row] = games.states[g]
        since[row] = end


class ManyTrees:
    """A search for each seat of each game, all like `search`, whose own tree is not touched. A chooser: see many.py."""

    def __init__(self, game: Game, search: Search) -> None:
        self.game, self._like = game, search
        self._searches: dict[tuple[int, int], Search] = {}
        self._roots = np.zeros(0, game.state_dtype)
        self._since = np.zeros(0, np.int64)
        self._scratch = np.zeros(2, game.state_dtype)

    def __call__(self, games: Games, picked: npt.NDArray[np.int64], told: Told) -> None:
        for g, back in zip(picked.tolist(), self._back(games, picked), strict=True):
            seat, end = int(games.actors[g]), int(games.length[g])
            if (g, seat) not in self._searches:  # its numbers begin as those of a SearchPlayer's first tree
                self._searches[g, seat] = self._like.sibling(int(games.rngs[g, seat]) * 1000)
            search = self._searches[g, seat]
            steps = games.steps[g, end - back : end].tolist() if 0 <= back < MOST_STEPS_BACK else None
            limit = search.begin_at(games.states[g : g + 1], steps, end > 0 and games.doers[g, end - 1] == seat)
            done, tree = search.step(limit), search.tree
            assert tree is not None
            if done < limit and tree.stats["full"][0]:
                told.moves[g] = NO_MOVE  # such a tree is pruned, by whoever looks after one game
                continue
            child = run_kernel(self.game, choose_child, *tree, search.plan, search.work.gumbel)
            told.moves[g], told.simulations[g] = tree.slots["move"][child], done
            told.values[g] = tree.q(0)[seat]

    def _back(self, games: Games, picked: npt.NDArray[np.int64]) -> list[int]:
        if not len(self._roots):
            rows = games.rngs.size
            self._roots, self._since = np.zeros(rows, self.game.state_dtype), np.full(rows, -1, np.int64)
        back = np.zeros(len(picked), np.int64)
        run_kernel(
            self.game, back_to_roots, self.game, games, picked, self._roots, self._since, self._scratch,
            words_of(self._scratch), back,
        )  # fmt: skip
        return [int(steps) for steps in back]
