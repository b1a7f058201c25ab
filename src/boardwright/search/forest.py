"""The network's door: many trees in lock-step that hand the leaves of all of them to Python as one batch.

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

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel, kernel_with
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.search.backup import backup
from boardwright.search.expand import TRIES, attach, keep_forced
from boardwright.search.gumbel import draw_gumbels, halving_order
from boardwright.search.improved_policy import best_proven, improve
from boardwright.search.select import select_gumbel_root
from boardwright.search.settings import SearchSettings, decided, make_plan
from boardwright.search.simulate import DEEPEST, descend
from boardwright.search.tree import MOST_SAMPLES, UNSEEN, Tree, note_dtype, slot_dtype

WIDEST = 320  # moves a simulation that there is room for; a leaf that finds none is valued but not expanded


def _part_in_python(records: Any, begin: int, end: int) -> Any:
    return records.part(begin, end)


@kernel_with(_part_in_python)
def part(records: Any, begin: Any, end: Any) -> Any:
    """records[begin:end], as a view."""
    return records[begin:end]


@kernel
def descend_all(
    game: Any,
    slots: Any,
    notes: Any,
    states: Any,
    plan: Any,
    rngs: Any,
    luck: Any,
    choices: Any,
    weights: Any,
    values: Any,
    paths: Any,
    depths: Any,
    known: Any,
    gumbels: Any,
    orders: Any,
    observations: Any,
) -> None:
    """One descent in each tree. depths[t], known[t] as `descend` returns them; where a leaf is not known its
    observation is written. slots: len(notes) trees one after the other; states: three a tree."""
    room = len(slots) // len(notes)
    for t in range(len(notes)):
        tree = part(slots, t * room, (t + 1) * room)
        own = part(states, 3 * t, 3 * t + 3)
        note = notes[t]
        depth, exact = descend(
            game, tree, note, own, plan, rngs[t], luck, choices, weights, values[t], paths[t], gumbels[t], orders[t]
        )
        depths[t] = depth
        known[t] = exact
        if not exact:
            game.observe(own[1], observations[t])


@kernel
def absorb_all(
    game: Any,
    slots: Any,
    notes: Any,
    states: Any,
    plan: Any,
    rngs: Any,
    choices: Any,
    weights: Any,
    values: Any,
    paths: Any,
    depths: Any,
    known: Any,
    logits: Any,
) -> None:
    """Take the network's word for each leaf that waits: expand it with its priors, and back all values up."""
    room = len(slots) // len(notes)
    for t in range(len(notes)):
        tree = part(slots, t * room, (t + 1) * room)
        note = notes[t]
        leaf = paths[t, depths[t]]
        if not known[t]:
            slot = tree[leaf]
            s = part(states, 3 * t, 3 * t + 3)[1]
            if slot.first == 0 and slot.actor >= 0:
                count = game.legal(s, choices)
                if plan.forcing != 0:
                    count = keep_forced(game, s, plan, choices, weights, count)
                if plan.threats != 0 and count > 1:
                    count = game.answers(s, choices, count, choices[game.actions :], TRIES)
                if count <= room - note.used:
                    masked_softmax(choices, count, logits[t], weights)
                    attach(tree, note, leaf, choices, weights, count)
            if slot.visits == 0 and slot.actor >= 0:
                slot.raw = values[t, slot.actor]
        backup(tree, note, paths[t], depths[t], plan, values[t])


@kernel
def masked_softmax(moves: Any, count: Any, logits: Any, weights: Any) -> None:
    """weights[i] = exp(logit of moves[i]), scaled: the policy over legal moves only."""
    top = -math.inf
    for i in range(count):
        top = max(top, float(logits[moves[i]]))
    for i in range(count):
        weights[i] = math.exp(float(logits[moves[i]]) - top)


@kernel
def open_roots(slots: Any, notes: Any, rngs: Any, gumbels: Any, considered: Any) -> None:
    """Gumbel's noise for every tree whose root has children."""
    room = len(slots) // len(notes)
    for t in range(len(notes)):
        tree = part(slots, t * room, (t + 1) * room)
        draw_gumbels(tree, rngs[t], min(considered, tree[0].count), True, gumbels[t])


@kernel
def choose_all(slots: Any, notes: Any, plan: Any, gumbels: Any, chosen: Any) -> None:
    """chosen[t] = the move of tree t: what is proven best; else gumbel's choice among the most visited that are not
    lost, or the most visited; -1 if there is none."""
    room = len(slots) // len(notes)
    for t in range(len(notes)):
        tree = part(slots, t * room, (t + 1) * room)
        root = tree[0]
        best = best_proven(tree, plan)
        if best < 0:
            most = -1
            for child in range(root.first, root.first + root.count):
                slot = tree[child]
                lost = slot.proven != 0 and slot.value[root.actor] <= plan.low
                if slot.visits > most and not lost:
                    most = slot.visits
                    best = child
            if plan.select == 2 and best >= 0:
                gumbel = select_gumbel_root(tree, notes[t], plan, gumbels[t], most)
                lost = gumbel >= 0 and tree[gumbel].proven != 0 and tree[gumbel].value[root.actor] <= plan.low
                best = gumbel if gumbel >= 0 and not lost else best
            if best < 0 and root.count > 0:
                best = root.first
        chosen[t] = tree[best].move if best >= 0 else -1


@kernel
def improve_all(
    slots: Any, notes: Any, plan: Any, weights: Any, policies: Any, values: Any, surprises: Any, proven: Any
) -> None:
    """policies[t, move]: tree t's improved policy over all moves, values[t, i] what its root is worth to player i,
    surprises[t] how far the policy went from the network's, proven[t] whether the value is exact."""
    room = len(slots) // len(notes)
    for t in range(len(notes)):
        tree = part(slots, t * room, (t + 1) * room)
        root = tree[0]
        surprises[t] = improve(tree, notes[t], plan, weights)
        for i in range(root.count):
            policies[t, tree[root.first + i].move] = weights[i]
        proven[t] = root.proven != 0
        for i in range(values.shape[1]):
            values[t, i] = root.value[i] if root.proven != 0 else root.value[i] / max(root.visits, 1)


@kernel
def clear_all(slots: Any, notes: Any, blank: Any, empty: Any) -> None:
    """Make every tree a root that nobody has seen; what its other slots hold does not matter."""
    room = len(slots) // len(notes)
    for t in range(len(notes)):
        slots[t * room] = blank[0]
        notes[t] = empty[0]


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
        self.trees = self.most = trees
        self._blank = np.zeros(1, slot_dtype(game.players))
        self._blank["actor"] = UNSEEN
        self._empty = np.zeros(1, note_dtype(game.players))
        self._empty["used"] = 1
        size = max(game.actions, game.outcomes, 1)
        self._slots = np.zeros(trees * self.room, slot_dtype(game.players))
        self._notes = np.zeros(trees, note_dtype(game.players))
        self._states = np.zeros(3 * trees, game.state_dtype)
        self._rngs = np.zeros((trees, 1), np.uint64)
        self._luck = np.zeros(1, np.uint64)
        self._choices, self._weights = np.zeros(max(size, 2 * game.actions), np.int32), np.zeros(size)
        self._all_values = np.zeros((trees, game.players))
        self._all_paths = np.zeros((trees, DEEPEST), np.int32)
        self._all_depths, self._all_known = np.zeros(trees, np.int32), np.zeros(trees, np.bool_)
        self._all_observations = np.zeros((trees, *game.observe_shape), np.float32)
        self._all_gumbels = np.zeros((trees, game.actions))
        self._all_orders = np.zeros((trees, max(settings.simulations, 1)), np.int32)
        self._use(trees)

    def _use(self, trees: int) -> None:
        """Work with the first so many trees from now on."""
        assert 1 <= trees <= self.most
        self.trees = trees
        self.slots, self.notes = self._slots[: trees * self.room], self._notes[:trees]
        self.states, self.rngs = self._states[: 3 * trees], self._rngs[:trees]
        self.observations, self._values = self._all_observations[:trees], self._all_values[:trees]
        self._paths, self._gumbels = self._all_paths[:trees], self._all_gumbels[:trees]
        self._depths, self._known = self._all_depths[:trees], self._all_known[:trees]

    def plant(self, positions: list[Position], seeds: list[int]) -> None:
        """Begin anew: tree t at positions[t], where a player is to move, with random numbers from seeds[t]."""
        assert len(positions) == len(seeds)
        records = np.zeros(len(positions), self.game.state_dtype)
        for t, position in enumerate(positions):
            records[t : t + 1].view(np.uint8)[:] = np.frombuffer(position.key, np.uint8)
        self.plant_states(records, np.array([Random(seed).state[0] for seed in seeds], np.uint64))

    def plant_states(
        self, records: npt.NDArray[np.void], rngs: npt.NDArray[np.uint64], simulations: int | None = None
    ) -> None:
        """The same from raw states and states of random numbers, and for fewer simulations than there is room for."""
        self._use(len(records))
        size = self.game.state_dtype.itemsize
        self.states.view(np.uint8).reshape(-1, 3, size)[:, 0] = records.view(np.uint8).reshape(-1, size)
        self.rngs[:, 0] = rngs
        self._call(clear_all, self.slots, self.notes, self._blank, self._empty)
        self._orders = self._all_orders[: self.trees, : simulations or self.settings.simulations or 1]
        self._orders = np.ascontiguousarray(self._orders)
        self._roots_open = False

    def descend(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
        """One descent in each tree: what the network is to see, and which trees wait for it (the others have met
        a finished game and need no answer)."""
        self.observations[:] = 0.0
        self._call(
            descend_all,
            self.game,
            self.slots,
            self.notes,
            self.states,
            self.plan,
            self.rngs,
            self._luck,
            self._choices,
            self._weights,
            self._values,
            self._paths,
            self._depths,
            self._known,
            self._gumbels,
            self._orders,
            self.observations,
        )
        return self.observations, ~self._known

    @property
    def leaves(self) -> npt.NDArray[np.void]:
        """The states of the leaves that the last descent reached."""
        return self.states[1::3]

    @property
    def actors(self) -> npt.NDArray[np.int8]:
        """Who acts in those leaves; below 0 where the game is over, or where a draw found no room in the tree."""
        at = np.arange(self.trees)
        actors: npt.NDArray[np.int8] = self.slots["actor"][at * self.room + self._paths[at, self._depths]]
        return actors

    def absorb(self, logits: npt.NDArray[np.float32], values: npt.NDArray[np.floating[Any]]) -> None:
        """The network's answer: logits[t] over all moves, values[t, i] what player i can expect in tree t's leaf."""
        np.copyto(self._values, values, where=~self._known[:, None])
        self._call(
            absorb_all,
            self.game,
            self.slots,
            self.notes,
            self.states,
            self.plan,
            self.rngs,
            self._choices,
            self._weights,
            self._values,
            self._paths,
            self._depths,
            self._known,
            np.ascontiguousarray(logits, np.float32),
        )
        if not self._roots_open:
            self._open_roots()

    def _open_roots(self) -> None:
        """After the first answer the roots have children: draw gumbel's noise and set the order of visits."""
        self._roots_open = True
        self.notes["simulations"] = 0
        if self.settings.select != "gumbel":
            return
        self._call(open_roots, self.slots, self.notes, self.rngs, self._gumbels, self.settings.considered)
        counts = self.slots["count"][:: self.room]
        for count in np.unique(counts):
            considered = min(self.settings.considered, int(count))
            self._orders[counts == count] = halving_order(considered, self._orders.shape[1])

    def tree(self, t: int) -> Tree:
        """Tree number t, for reading."""
        return Tree(self.slots[t * self.room : (t + 1) * self.room], self.notes[t : t + 1])

    def chosen(self) -> npt.NDArray[np.int32]:
        """The move that each tree would play."""
        moves = np.zeros(self.trees, np.int32)
        self._call(choose_all, self.slots, self.notes, self.plan, self._gumbels, moves)
        return moves

    def improved(self) -> Improved:
        """What the search found out, for a network to learn."""
        found = Improved(
            np.zeros((self.trees, self.game.actions), np.float32),
            np.zeros((self.trees, self.game.players)),
            np.zeros(self.trees),
            np.zeros(self.trees, np.bool_),
        )
        self._call(improve_all, self.slots, self.notes, self.plan, self._weights, *found)
        return found

    def _call(self, door: Any, *args: Any) -> None:
        run_kernel(self.game, door, *args, interpreted=self.interpreted)
