"""One tree that hands out several leaves at once: search by a network for a single game.

A batch of leaves costs a network little more than one. While a leaf waits for its answer, the slots on its path count
one visit more at an unchanged mean: a virtual visit instead of a virtual loss (the "unobserved" visits of Liu et al.
2020, WU-UCT). The next descent is led elsewhere, and nobody is told a loss that was not seen. Answers are backed up in
the order of the descents.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.borrow import borrowed
from boardwright.compile.kernel import inner_kernel, kernel
from boardwright.contract.game import Game
from boardwright.search.backup import backup
from boardwright.search.expand import expand_by_logits
from boardwright.search.network_answer import Network, checked_answer
from boardwright.search.search import Search
from boardwright.search.settings import SearchSettings
from boardwright.search.simulate import descend
from boardwright.search.tree import grown
from boardwright.search.work import DEEPEST, Work

VISITS_A_LEAF = 4  # a batch grows with the tree: one leaf more for so many visits of the root


class Leaves(NamedTuple):
    """Leaves that wait for the network's answer: a row each."""

    states: npt.NDArray[np.void]
    actors: npt.NDArray[np.int8]
    depths: npt.NDArray[np.int32]  # where on its path a leaf lies
    paths: npt.NDArray[np.int32]  # (leaves, DEEPEST)
    values: npt.NDArray[np.float64]  # (leaves, players): values[j, i] is what player i can expect in leaf j
    virtual: npt.NDArray[np.float64]  # (leaves, DEEPEST, players): what its virtual visits added to the slots' sums


def new_leaves(game: Game, leaves: int) -> Leaves:
    """Room for so many leaves."""
    return Leaves(
        states=np.zeros(leaves, game.state_dtype),
        actors=np.zeros(leaves, np.int8),
        depths=np.zeros(leaves, np.int32),
        paths=np.zeros((leaves, DEEPEST), np.int32),
        values=np.zeros((leaves, game.players)),
        virtual=np.zeros((leaves, DEEPEST, game.players)),
    )


@kernel
def gather(
    game: Any, tree: Any, tree_stats: Any, plan: Any, work: Any, leaves: Any, wanted: Any, budget: Any
) -> Any:  # fmt: skip
    """Descend until `wanted` leaves wait for an answer or `budget` descents are made. Finished games are backed up on
    the way. Stops early when a descent meets a leaf that waits already, when the root is proven, or when the tree is
    full. Returns (waiting leaves, descents that needed no answer)."""
    work, leaves = borrowed(work), borrowed(leaves)
    stats = tree_stats[0]
    stats.full = 0
    count = 0
    exact = 0
    while count < wanted and count + exact < budget:
        if tree[0].proven != 0 and tree[0].first != 0:
            break
        path, value = leaves.paths[count], leaves.values[count]
        own = Work(
            work.states, work.rng, work.luck, work.choices, work.weights, value, work.total, path, work.gumbel,
            work.order, work.words, work.met, work.salt,
        )  # fmt: skip
        depth, known = descend(game, tree, stats, plan, own, 0)
        if stats.full != 0:
            break
        leaves.depths[count] = depth
        if known:
            backup(tree, stats, path, depth, plan, value)
            exact += 1
            continue
        leaf = tree[path[depth]]
        if leaf.visits > 0 and waits(leaves, count):  # with visits also where the tree was pruned
            break
        add_virtual_visits(tree, path, depth, leaves.virtual[count])
        stats.simulations += 1
        leaves.actors[count] = leaf.actor
        leaves.states[count] = work.states[1]
        count += 1
    return count, exact


@inner_kernel
def waits(leaves: Any, count: Any) -> Any:
    """Whether the leaf at the end of path number `count` is one of those before it."""
    leaf = leaves.paths[count][leaves.depths[count]]
    found = False
    for k in range(count):
        found = found or leaves.paths[k][leaves.depths[k]] == leaf
    return found


@kernel
def add_virtual_visits(tree: Any, path: Any, depth: Any, virtual: Any) -> None:
    """One visit more for each slot down to path[depth], at its mean; an unvisited one takes its parent's."""
    for level in range(depth + 1):
        slot = tree[path[level]]
        mean = tree[path[max(level - 1, 0)]] if slot.visits == 0 else slot
        for i in range(len(slot.value)):
            virtual[level, i] = mean.value[i] / max(mean.visits, 1)
    for level in range(depth + 1):
        slot = tree[path[level]]
        slot.visits += 1
        for i in range(len(slot.value)):
            slot.value[i] += virtual[level, i]


@kernel
def take_virtual_visits_back(tree: Any, path: Any, depth: Any, virtual: Any) -> None:
    """Undo `add_virtual_visits`; a slot that was proven since keeps its exact value."""
    for level in range(depth + 1):
        slot = tree[path[level]]
        slot.visits -= 1
        if slot.proven == 0:
            for i in range(len(slot.value)):
                slot.value[i] -= virtual[level, i]


@kernel
def absorb(
    game: Any, tree: Any, tree_stats: Any, plan: Any, work: Any, leaves: Any, count: Any, logits: Any
) -> Any:  # fmt: skip
    """Take the virtual visits back, then expand each of the first `count` leaves with the network's priors and back its
    value up. Returns how many were; fewer than `count` if the tree is full."""
    work, leaves = borrowed(work), borrowed(leaves)
    stats = tree_stats[0]
    for j in range(count):
        take_virtual_visits_back(tree, leaves.paths[j], leaves.depths[j], leaves.virtual[j])
        stats.simulations -= 1
    for j in range(count):
        path, depth = leaves.paths[j], leaves.depths[j]
        if not expand_by_logits(game, tree, stats, path[depth], leaves.states[j], plan, work, logits[j]):
            return j
        backup(tree, stats, path, depth, plan, leaves.values[j])
    return count


class VirtualLossSearch(Search):
    """A growing tree whose leaves a network values, up to `leaves` at a time."""

    def __init__(
        self, game: Game, settings: SearchSettings, network: Network, leaves: int = 8, *, interpreted: bool = False
    ) -> None:
        super().__init__(game, settings, interpreted=interpreted)
        self.plan = self.plan._replace(batched=1, prior=0)
        self.network = network
        self.leaves = new_leaves(game, leaves)
        self._left = self._ahead = 0  # simulations that may still be done; done already beyond what was asked for

    def _schedule(self, limit: int) -> int:
        self._left, self._ahead = limit, 0
        self._left = super()._schedule(limit)
        self._ahead = 0
        return self._left

    def _open_root(self) -> None:
        """The root's children need the network's priors: ask for them."""
        assert self.tree is not None
        while not self.tree.slots["first"][0] and not self._simulate(1):
            self.tree = grown(self.tree, 2 * len(self.tree.slots))
        self.tree.stats["simulations"] = 0

    def _simulations_in(self, seconds: float, considered: int) -> int:
        return max(considered, int(self._rate * seconds * 0.9))

    def _visit(self, simulations: int) -> None:
        left, ahead = self._left, self._ahead
        self._left, self._ahead = simulations, 0
        try:
            self._simulate(simulations)
        finally:
            self._left, self._ahead = left, ahead

    def _simulate(self, simulations: int) -> int:
        """Whole batches only, whatever the slice of time that is asked for: a tree must not depend on the clock. What a
        batch does beyond the slice is put to the account of the next."""
        assert self.tree is not None
        slots, stats = self.tree
        leaves, shared = self.leaves, (self.game, slots, stats, self.plan, self.work, self.leaves)
        done = self._ahead
        while done < simulations:
            wanted = min(len(leaves.states), 1 + int(slots["visits"][0]) // VISITS_A_LEAF)
            count, exact = self._call(gather, *shared, wanted, min(self._left, 2 * wanted))
            count, new = int(count), int(exact)
            full = bool(stats["full"][0])
            if count:
                answer = self.network(leaves.states[:count], leaves.actors[:count])
                logits, leaves.values[:count] = checked_answer(self.game, count, *answer)
                new += int(self._call(absorb, *shared, count, logits))
            done += new
            self._left -= new
            if full:
                stats["full"] = 1
            if stats["full"][0] or new == 0:
                break
        self._ahead = max(done - simulations, 0)
        return min(done, simulations)
