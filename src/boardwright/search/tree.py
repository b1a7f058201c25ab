"""The tree: an array of records in which one slot is an edge and the node that it leads to.

A slot's children lie side by side. Slot 0 is the root. States are not kept: a simulation plays from the root
again. 40 bytes a slot for two players: wide trees are bound by memory (48 bytes took a tenth longer to expand 169
moves). (Parallel arrays in a tuple were tried first: Numba counts references at every access, which made the search
twelve times as slow.)
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.kernel import kernel
from boardwright.contract.game import CHANCE
from boardwright.contract.state import copy_record

# What `actor` can be besides a player's number, CHANCE (-1: every outcome a child) and OVER (-2).
RUN = -3  # a run of draws as one event: children are samples of it, `move` the seed of each
UNSEEN = -4  # no simulation has come here yet

MOST_CHILDREN = 32_767  # what `count` can hold
VISIT_CLASSES = 33  # of nodes: by the number of bits of their visits, and one for the root
MOST_SAMPLES = 64  # of one run of draws; a RUN keeps room for all of them


@cache
def slot_dtype(players: int) -> np.dtype[np.void]:
    """One slot of a tree for so many players; value[i] is player i's."""
    return np.dtype(
        [
            ("value", "f8", (players,)),  # sum over visits of what each player got; if proven, the exact value
            ("visits", "i4"),  # simulations that came through
            ("move", "i4"),  # the move, outcome or seed of draws that leads here from the parent
            ("first", "i4"),  # first child, 0 before expansion; below 0: see lazy_expansion.py
            ("prior", "f4"),  # liking before search; below CHANCE the probability
            ("raw", "f4"),  # the first value of this slot, to the player who acts here
            ("count", "i2"),  # children
            ("actor", "i1"),  # who acts here
            ("proven", "i1"),  # whether `value` is exact
        ],
        align=True,
    )


@cache
def stats_dtype(players: int) -> np.dtype[np.void]:
    """What a search counts beside the slots."""
    return np.dtype(
        [
            ("used", "i8"),  # slots in use
            ("simulations", "i8"),  # done since the root was set
            ("full", "i8"),  # 1 if an expansion found no room
            ("seen", "f8"),  # values backed up, and for each player their mean and squared deviations from it
            ("mean", "f8", (players,)),
            ("squares", "f8", (players,)),
        ],
        align=True,
    )


class Tree(NamedTuple):
    """The slots, and one record of statistics."""

    slots: npt.NDArray[np.void]
    stats: npt.NDArray[np.void]  # (1,)

    @property
    def used(self) -> npt.NDArray[np.void]:
        """The slots in use."""
        return self.slots[: int(self.stats["used"][0])]

    @property
    def root(self) -> Any:
        return self.slots[0]

    def children(self, slot: int = 0) -> range:
        """The children of a slot."""
        first = int(self.slots["first"][slot])
        return range(first, first + int(self.slots["count"][slot]))

    def q(self, slot: int) -> npt.NDArray[np.float64]:
        """What each player can expect in a slot that has been visited or is proven."""
        record = self.slots[slot]
        exact: npt.NDArray[np.float64] = np.array(record["value"])
        return exact if record["proven"] else exact / max(int(record["visits"]), 1)


def new_tree(players: int, slots: int) -> Tree:
    """An empty tree with a root that nobody has seen."""
    tree = Tree(np.zeros(slots, slot_dtype(players)), np.zeros(1, stats_dtype(players)))
    tree.slots["actor"][0] = UNSEEN
    tree.stats["used"] = 1
    return tree


def grown(tree: Tree, slots: int) -> Tree:
    """The same tree with room for `slots`."""
    bigger = np.zeros(slots, tree.slots.dtype)
    bigger.view(np.uint8)[: tree.used.nbytes] = tree.used.view(np.uint8)
    return Tree(bigger, copy_record(tree.stats))


@kernel
def open_slot(slot: Any, move: Any, prior: Any) -> None:
    """Make `slot` one that nobody has seen, whatever it held: a forest's slots are used again and again."""
    for i in range(len(slot.value)):
        slot.value[i] = 0.0
    slot.visits = 0
    slot.move = move
    slot.first = 0
    slot.count = 0
    slot.prior = prior
    slot.raw = 0.0
    slot.actor = UNSEEN
    slot.proven = 0


@kernel
def room_by_visits(tree: Any, used: Any, room: Any) -> None:
    """room[k]: slots that are children of nodes with 2^k to 2^(k+1) - 1 visits; those without visits count to k = 0."""
    for k in range(used):
        slot = tree[k]
        if slot.first != 0 and k > 0:
            visits = slot.visits
            of = 0
            while visits > 1:
                visits >>= 1
                of += 1
            room[of] += MOST_SAMPLES if slot.actor == RUN else slot.count
    if used > 0 and tree[0].first != 0:
        room[len(room) - 1] += MOST_SAMPLES if tree[0].actor == RUN else tree[0].count


@kernel
def prune(tree: Any, stats: Any, least: Any, places: Any) -> None:
    """Drop, in place, what lies below nodes with fewer than `least` visits, except the root; they are leaves again and
    keep what they know. A child's slot comes after its parent's, so that one walk up finds all that stay.

    places: int32 zeros, one a slot in use.
    """
    used = stats[0].used
    places[0] = 1
    for k in range(used):  # 1: stays
        slot = tree[k]
        if places[k] == 0 or slot.first == 0:
            continue
        if slot.visits < least and k > 0:
            slot.first = 0
            slot.count = 0
            if slot.actor == RUN:
                slot.actor = CHANCE  # as before it was opened
            continue
        room = MOST_SAMPLES if slot.actor == RUN else slot.count
        for j in range(room):
            places[slot.first + j] = 1
    kept = 0
    for k in range(used):  # then where it goes, plus 1
        if places[k] != 0:
            kept += 1
            places[k] = kept
    for k in range(used):
        if places[k] != 0:
            if tree[k].first != 0:
                tree[k].first = places[tree[k].first] - 1
            tree[places[k] - 1] = tree[k]
    for k in range(kept, used):  # a run of draws keeps room for samples to come, and nobody may read what was there
        tree[k].first = 0
        tree[k].count = 0
    stats[0].used = kept
    stats[0].full = 0


@kernel
def prune_to_half(tree: Any, stats: Any, room: Any, places: Any) -> Any:
    """Drop what lies below rarely visited nodes, until half of the slots are free; 0 if that would free too little.

    room: int64 zeros, VISIT_CLASSES; places: int32 zeros, one a slot in use.
    """
    room_by_visits(tree, stats[0].used, room)
    kept = 1
    for k in range(len(room)):
        kept += room[k]
    for least in range(1, len(room)):
        kept -= room[least - 1]
        if kept <= len(tree) // 2:
            prune(tree, stats, 1 << least, places)
            return 1
    return 0


@kernel
def copy_below(tree: Any, root: Any, target: Any, stats: Any, queue: Any) -> None:
    """Copy the part of `tree` below slot `root` into the empty `target`, whose root it becomes.

    queue: int32 room for every slot of the tree; slot k of the target comes from slot queue[k].
    """
    queue[0] = root
    used = 1
    k = 0
    while k < used:
        old = tree[queue[k]]
        target[k] = old
        if old.first != 0:
            target[k].first = used
            room = MOST_SAMPLES if old.actor == RUN else old.count
            for j in range(room):
                queue[used + j] = old.first + j
            used += room
        k += 1
    stats[0].used = used
    stats[0].simulations = 0
    stats[0].full = 0
