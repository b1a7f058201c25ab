"""The network's door: many trees in lock-step that hand the leaves of all of them to Python as one batch.

    forest = Forest(game, settings, trees=64)
    forest.plant(positions)
    for _ in range(settings.simulations):
        observations, waiting = forest.descend()      # (trees, *observe_shape), (trees,) bool
        logits, values = network(observations)        # (trees, actions), (trees, players)
        forest.absorb(logits, values)
    forest.root_visits()

Each tree has random numbers of its own, so a tree does not depend on which others it grows beside.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.contract.diagnose import run_kernel
from boardwright.contract.game import Game
from boardwright.contract.kernel import kernel, kernel_with
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.search.backup import backup
from boardwright.search.engine import DEEPEST, descend
from boardwright.search.expand import attach
from boardwright.search.gumbel import draw_gumbels, halving_order
from boardwright.search.select import select_gumbel_root
from boardwright.search.settings import SearchSettings, decided, make_plan
from boardwright.search.tree import MOST_SAMPLES, UNSEEN, Tree, note_dtype, slot_dtype

CHILDREN_A_SLOT = 40  # room a simulation, at most; a leaf that finds none is valued but not expanded


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
    """chosen[t] = the move of tree t: gumbel's choice among the most visited, else the most visited; -1 if none."""
    room = len(slots) // len(notes)
    for t in range(len(notes)):
        tree = part(slots, t * room, (t + 1) * room)
        root = tree[0]
        best = -1
        most = -1
        for child in range(root.first, root.first + root.count):
            if tree[child].visits > most:
                most = tree[child].visits
                best = child
        if plan.select == 2 and best >= 0:
            best = select_gumbel_root(tree, notes[t], plan, gumbels[t], most)
        chosen[t] = tree[best].move if best >= 0 else -1


class Forest:
    """So many trees of one game, grown in lock-step."""

    def __init__(
        self, game: Game, settings: SearchSettings, trees: int, *, slots: int = 0, interpreted: bool = False
    ) -> None:
        self.game, self.settings, self.interpreted = game, decided(game, settings), interpreted
        self.plan = make_plan(game, settings)._replace(batched=1)
        widest = min(game.actions, CHILDREN_A_SLOT * 8) if slots == 0 else 0
        self.room = slots or (settings.simulations + 2) * min(widest, CHILDREN_A_SLOT * 8) + game.actions + MOST_SAMPLES
        size = max(game.actions, game.outcomes, 1)
        self.slots = np.zeros(trees * self.room, slot_dtype(game.players))
        self.notes = np.zeros(trees, note_dtype(game.players))
        self.states = np.zeros(3 * trees, game.state_dtype)
        self.rngs = np.zeros((trees, 1), np.uint64)
        self._luck = np.zeros(1, np.uint64)
        self._choices, self._weights = np.zeros(size, np.int32), np.zeros(size)
        self._values = np.zeros((trees, game.players))
        self._paths = np.zeros((trees, DEEPEST), np.int32)
        self._depths, self._known = np.zeros(trees, np.int32), np.zeros(trees, np.bool_)
        self.observations = np.zeros((trees, *game.observe_shape), np.float32)
        self._gumbels = np.zeros((trees, game.actions))
        self._orders = np.zeros((trees, max(settings.simulations, 1)), np.int32)
        self._roots_open = False

    def plant(self, positions: list[Position], seeds: list[int]) -> None:
        """Begin anew: tree t at positions[t], where a player is to move, with random numbers from seeds[t]."""
        assert len(positions) == len(self.notes) == len(seeds)
        size = self.game.state_dtype.itemsize
        raw = self.states.view(np.uint8).reshape(-1, 3, size)
        for t, (position, seed) in enumerate(zip(positions, seeds, strict=True)):
            raw[t, 0] = np.frombuffer(position.key, np.uint8)
            self.rngs[t] = Random(seed).state
        self.notes.view(np.uint8)[:] = 0
        self.notes["used"] = 1
        self.slots.view(np.uint8)[:] = 0
        self.slots["actor"][:: self.room] = UNSEEN
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
        moves = np.zeros(len(self.notes), np.int32)
        self._call(choose_all, self.slots, self.notes, self.plan, self._gumbels, moves)
        return moves

    def _call(self, door: Any, *args: Any) -> None:
        run_kernel(self.game, door, *args, interpreted=self.interpreted)
