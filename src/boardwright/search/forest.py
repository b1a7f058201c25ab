"""Many trees in lock-step that hand the leaves of all of them to Python as one batch.

    forest = Forest(game, settings, trees=64)
    forest.plant(positions, seeds)
    for _ in range(settings.simulations + 1):         # the first values the roots
        observations, waiting = forest.descend()      # (trees, *observe_shape), (trees,) bool
        logits, values = network(observations)        # (trees, actions), (trees, players)
        forest.absorb(logits, values)
    forest.chosen(), forest.improved()                # the moves, and what a network can learn from them

Each tree has random numbers of its own, so a tree does not depend on which others it grows beside.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.borrow import borrowed
from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel, kernel_with
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.search.backup import backup
from boardwright.search.expand import expand_by_logits
from boardwright.search.gumbel import draw_gumbels, halving_order
from boardwright.search.improved_policy import improve
from boardwright.search.lazy_expansion import EDGE, keep_edges, open_edges
from boardwright.search.network_answer import checked_answer
from boardwright.search.rank import best_child
from boardwright.search.settings import SearchSettings, decided, make_plan
from boardwright.search.simulate import descend
from boardwright.search.tree import MOST_SAMPLES, UNSEEN, Tree, slot_dtype, stats_dtype
from boardwright.search.work import DEEPEST, Work, new_work

WIDEST = 320  # moves a simulation that there is room for; a leaf that finds none is valued but not expanded


def _part_in_python(records: Any, begin: int, end: int) -> Any:
    return records.part(begin, end)


@kernel_with(_part_in_python)
def part(records: Any, begin: Any, end: Any) -> Any:
    """records[begin:end], as a view."""
    return records[begin:end]


class Works(NamedTuple):
    """What the trees work with, a row each; see `Work`. Room for choices and weights, and chance's numbers, they share:
    they take turns."""

    states: npt.NDArray[np.void]  # three a tree
    rngs: npt.NDArray[np.uint64]  # (trees, 1)
    luck: npt.NDArray[np.uint64]  # (1,)
    choices: npt.NDArray[np.int32]
    weights: npt.NDArray[np.float64]
    values: npt.NDArray[np.float64]  # (trees, players): values[t, i] is what player i gets in the leaf of tree t
    paths: npt.NDArray[np.int32]  # (trees, DEEPEST)
    depths: npt.NDArray[np.int32]  # (trees,): where on its path the leaf lies
    known: npt.NDArray[np.bool_]  # (trees,): whether the leaf's value is exact, so that nobody need be asked
    gumbels: npt.NDArray[np.float64]  # (trees, actions)
    orders: npt.NDArray[np.int32]  # (trees, simulations)
    edges: npt.NDArray[np.void]  # edge_room a tree: moves of leaves that have no children yet, see lazy_expansion.py
    edges_used: npt.NDArray[np.int32]  # (trees,)
    words: npt.NDArray[np.uint64]  # this and the next two: not used here
    met: npt.NDArray[np.int64]
    salt: npt.NDArray[np.int64]


@kernel
def work_of(works: Any, t: Any) -> Any:
    """What tree t works with."""
    return Work(
        part(works.states, 3 * t, 3 * t + 3), works.rngs[t], works.luck, works.choices, works.weights, works.values[t],
        works.values[t], works.paths[t], works.gumbels[t], works.orders[t], works.words, works.met, works.salt,
    )  # fmt: skip


@kernel
def edges_of(works: Any, t: Any) -> Any:
    """The edges of tree t."""
    room = len(works.edges) // len(works.edges_used)
    return part(works.edges, t * room, (t + 1) * room)


@kernel
def descend_all(game: Any, slots: Any, tree_stats: Any, plan: Any, works: Any, observations: Any) -> None:
    """One descent in each tree. works.depths[t], works.known[t] as `descend` returns them; where a leaf is not known
    its observation is written. slots: len(tree_stats) trees one after the other."""
    slots, works, observations = borrowed(slots), borrowed(works), borrowed(observations)
    room = len(slots) // len(tree_stats)
    for t in range(len(tree_stats)):
        tree = part(slots, t * room, (t + 1) * room)
        work = work_of(works, t)
        depth, known = 0, False
        while True:
            depth, known = descend(game, tree, tree_stats[t], plan, work, depth)
            if known or not open_edges(tree, tree_stats[t], work.path[depth], work, edges_of(works, t)):
                break
        works.depths[t] = depth
        works.known[t] = known
        if not known:
            game.observe(work.states[1], observations[t])


@kernel
def absorb_all(game: Any, slots: Any, tree_stats: Any, plan: Any, works: Any, logits: Any, values: Any) -> None:
    """Take the network's word for each leaf that waits: a root gets its children, a leaf below keeps its edges for when
    it is visited again; and back all values up. A leaf that finds no room is valued but not expanded."""
    slots, works, logits = borrowed(slots), borrowed(works), borrowed(logits)
    room = len(slots) // len(tree_stats)
    for t in range(len(tree_stats)):
        tree = part(slots, t * room, (t + 1) * room)
        stats = tree_stats[t]
        work = work_of(works, t)
        depth = works.depths[t]
        if not works.known[t]:
            for i in range(len(work.value)):
                work.value[i] = values[t, i]
        if not works.known[t] and depth == 0:
            expand_by_logits(game, tree, stats, 0, work.states[1], plan, work, logits[t])
        elif not works.known[t]:
            leaf, edges, used = tree[work.path[depth]], edges_of(works, t), works.edges_used[t]
            works.edges_used[t] = keep_edges(game, leaf, work.states[1], plan, work, logits[t], edges, used)
        backup(tree, stats, work.path, depth, plan, work.value)


@kernel
def open_roots(slots: Any, tree_stats: Any, works: Any, considered: Any) -> None:
    """Gumbel's noise for every tree whose root has children."""
    room = len(slots) // len(tree_stats)
    for t in range(len(tree_stats)):
        tree = part(slots, t * room, (t + 1) * room)
        draw_gumbels(tree, works.rngs[t], min(considered, tree[0].count), True, works.gumbels[t])


@kernel
def choose_all(slots: Any, tree_stats: Any, plan: Any, gumbels: Any, chosen: Any) -> None:
    """chosen[t] = the move of tree t; -1 if there is none."""
    room = len(slots) // len(tree_stats)
    for t in range(len(tree_stats)):
        tree = part(slots, t * room, (t + 1) * room)
        best = best_child(tree, tree_stats[t], plan, gumbels[t], False)
        chosen[t] = tree[best].move if best >= 0 else -1


@kernel
def improve_all(slots: Any, tree_stats: Any, plan: Any, weights: Any, improved: Any) -> None:
    """What each tree knows about its root, into `improved`: arrays as Improved has them, zeroed."""
    room = len(slots) // len(tree_stats)
    for t in range(len(tree_stats)):
        tree = part(slots, t * room, (t + 1) * room)
        root = tree[0]
        improved.surprises[t] = improve(tree, tree_stats[t], plan, weights)
        for i in range(root.count):
            improved.policies[t, tree[root.first + i].move] = weights[i]
        improved.proven[t] = root.proven != 0
        for i in range(improved.values.shape[1]):
            improved.values[t, i] = root.value[i] if root.proven != 0 else root.value[i] / max(root.visits, 1)


@kernel
def clear_all(slots: Any, tree_stats: Any, blank: Any, empty: Any) -> None:
    """Make every tree a root that nobody has seen; what its other slots hold does not matter."""
    room = len(slots) // len(tree_stats)
    for t in range(len(tree_stats)):
        slots[t * room] = blank[0]
        tree_stats[t] = empty[0]


class Improved(NamedTuple):
    """What trees know about their roots."""

    policies: npt.NDArray[np.float32]  # (trees, actions): the improved policy, 0 where a move is not legal
    values: npt.NDArray[np.float64]  # (trees, players): what the root is worth to each player
    surprises: npt.NDArray[np.float64]  # (trees,): the policy's divergence from the network's, in nats
    proven: npt.NDArray[np.bool_]  # (trees,): whether the value is exact


class Forest:
    """So many trees of one game, grown in lock-step. `trees` is the most that there is room for."""

    def __init__(
        self, game: Game, settings: SearchSettings, trees: int, *, slots: int = 0, interpreted: bool = False
    ) -> None:
        self.game, self.settings, self.interpreted = game, decided(game, settings), interpreted
        self.plan = make_plan(game, settings)._replace(batched=1)
        widest = min(game.actions, WIDEST)
        drawn = max(game.outcomes, MOST_SAMPLES) if game.outcomes else 0  # below a move that chance answers
        self.room = slots or (settings.simulations + 2) * (widest + drawn) + game.actions
        self.edge_room = (settings.simulations + 2) * (widest + 1)
        self.trees = self.most = trees
        self._blank = np.zeros(1, slot_dtype(game.players))
        self._blank["actor"] = UNSEEN
        self._empty = np.zeros(1, stats_dtype(game.players))
        self._empty["used"] = 1
        self._all_slots = np.zeros(trees * self.room, slot_dtype(game.players))
        self._all_stats = np.zeros(trees, stats_dtype(game.players))
        self._all_observations = np.zeros((trees, *game.observe_shape), np.float32)
        one = new_work(game, np.zeros(1, np.uint64))
        self._all_works = Works(
            states=np.zeros(3 * trees, game.state_dtype),
            rngs=np.zeros((trees, 1), np.uint64),
            luck=one.luck,
            choices=one.choices,
            weights=one.weights,
            values=np.zeros((trees, game.players)),
            paths=np.zeros((trees, DEEPEST), np.int32),
            depths=np.zeros(trees, np.int32),
            known=np.zeros(trees, np.bool_),
            gumbels=np.zeros((trees, game.actions)),
            orders=np.zeros((trees, max(settings.simulations, 1)), np.int32),
            edges=np.zeros(trees * self.edge_room, EDGE),
            edges_used=np.zeros(trees, np.int32),
            words=one.words,
            met=one.met,
            salt=one.salt,
        )
        self._use(trees, settings.simulations)

    def _use(self, trees: int, simulations: int) -> None:
        """Work with the first so many trees from now on, for so many simulations."""
        if not 1 <= trees <= self.most:
            raise InputError(f"a forest with room for {self.most} trees cannot grow {trees}")
        self.trees = trees
        self.slots, self.stats = self._all_slots[: trees * self.room], self._all_stats[:trees]
        self.observations = self._all_observations[:trees]
        works = self._all_works
        self.works = works._replace(
            states=works.states[: 3 * trees],
            rngs=works.rngs[:trees],
            values=works.values[:trees],
            paths=works.paths[:trees],
            depths=works.depths[:trees],
            known=works.known[:trees],
            gumbels=works.gumbels[:trees],
            orders=np.ascontiguousarray(works.orders[:trees, : simulations or 1]),
            edges=works.edges[: trees * self.edge_room],
            edges_used=works.edges_used[:trees],
        )

    def plant(self, positions: list[Position], seeds: list[int]) -> None:
        """Begin anew: tree t at positions[t], where a player is to move, with random numbers from seeds[t]."""
        for position in positions:
            if position.record.dtype != self.game.state_dtype:
                raise InputError(f"a forest of {self.game.name} was given a position of {position.game.name}")
        records = np.frombuffer(b"".join(position.key for position in positions), self.game.state_dtype)
        self.plant_states(records, np.array([Random(seed).state[0] for seed in seeds], np.uint64))

    def plant_states(
        self, records: npt.NDArray[np.void], rngs: npt.NDArray[np.uint64], simulations: int | None = None
    ) -> None:
        """The same from raw states and states of random numbers, and for fewer simulations than there is room for."""
        if records.dtype != self.game.state_dtype or records.ndim != 1:
            raise InputError(f"{self.game.name}: trees are planted from a row of its states, not from {records.dtype}")
        if rngs.shape != records.shape:
            raise InputError(f"{len(records)} trees need random numbers of shape {records.shape}, not {rngs.shape}")
        self._use(len(records), simulations or self.settings.simulations)
        size = self.game.state_dtype.itemsize
        states = self.works.states.view(np.uint8).reshape(-1, 3, size)
        states[:, 0] = np.ascontiguousarray(records).view(np.uint8).reshape(-1, size)
        self.works.rngs[:, 0] = rngs
        self.works.edges_used[:] = 0
        self._call(clear_all, self.slots, self.stats, self._blank, self._empty)
        self._roots_open = False

    def descend(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
        """One descent in each tree: what the network is to see, and which trees wait for it (the others have met
        a finished game and need no answer)."""
        self.observations[:] = 0.0
        self._call(descend_all, self.game, self.slots, self.stats, self.plan, self.works, self.observations)
        return self.observations, ~self.works.known

    @property
    def leaves(self) -> npt.NDArray[np.void]:
        """The states of the leaves that the last descent reached."""
        return self.works.states[1::3]

    @property
    def actors(self) -> npt.NDArray[np.int8]:
        """Who acts in those leaves; below 0 where the game is over, or where a draw found no room in the tree."""
        at = np.arange(self.trees)
        leaves = at * self.room + self.works.paths[at, self.works.depths]
        actors: npt.NDArray[np.int8] = self.slots["actor"][leaves]
        return actors

    def absorb(self, logits: npt.NDArray[np.floating[Any]], values: npt.NDArray[np.floating[Any]]) -> None:
        """The network's answer: logits[t] over all moves, values[t, i] what player i can expect in tree t's leaf."""
        logits, values = checked_answer(self.game, self.trees, logits, values)
        self._call(absorb_all, self.game, self.slots, self.stats, self.plan, self.works, logits, values)
        if not self._roots_open:
            self._open_roots()

    def _open_roots(self) -> None:
        """After the first answer the roots have children: draw gumbel's noise and set the order of visits."""
        self._roots_open = True
        self.stats["simulations"] = 0
        if self.settings.select != "gumbel":
            return
        self._call(open_roots, self.slots, self.stats, self.works, self.settings.considered)
        counts, orders = self.slots["count"][:: self.room], self.works.orders
        for count in np.unique(counts):
            considered = min(self.settings.considered, int(count))
            orders[counts == count] = halving_order(considered, orders.shape[1])

    def tree(self, t: int) -> Tree:
        """Tree number t, for reading. A leaf that was visited once has no children yet."""
        return Tree(self.slots[t * self.room : (t + 1) * self.room], self.stats[t : t + 1])

    def chosen(self) -> npt.NDArray[np.int32]:
        """The move that each tree would play."""
        moves = np.zeros(self.trees, np.int32)
        self._call(choose_all, self.slots, self.stats, self.plan, self.works.gumbels, moves)
        return moves

    def improved(self) -> Improved:
        """What the search found out, for a network to learn."""
        found = Improved(
            np.zeros((self.trees, self.game.actions), np.float32),
            np.zeros((self.trees, self.game.players)),
            np.zeros(self.trees),
            np.zeros(self.trees, np.bool_),
        )
        self._call(improve_all, self.slots, self.stats, self.plan, self.works.weights, found)
        return found

    def _call(self, kernel: Any, *args: Any) -> None:
        run_kernel(self.game, kernel, *args, interpreted=self.interpreted)
