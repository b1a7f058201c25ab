"""Forget the least visited parts of a full tree, so that a search can go on for as long as it likes in bounded memory.

A slot whose children are forgotten is a leaf again: its visits, the sum of its values and what was proven of it stay,
and it gets new children when a simulation comes by.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boardwright.compile.kernel import kernel
from boardwright.search.tree import MOST_SAMPLES, RUN, UNSEEN, Tree

KEEP = 0.5  # of the slots, when there is no more room


@kernel
def copy_visited(tree: Any, target: Any, stats: Any, queue: Any, least: Any) -> None:
    """Copy the tree into the empty `target`, without the children of slots below the root that have fewer visits than
    `least`. queue: int32 room for every slot of the target; its slot k comes from slot queue[k]."""
    queue[0] = 0
    used = 1
    k = 0
    while k < used:
        old = tree[queue[k]]
        target[k] = old
        if old.first != 0:
            if k > 0 and old.visits < least:
                target[k].first = 0
                target[k].count = 0
                if old.actor == RUN:  # to be told from a single draw again
                    target[k].actor = UNSEEN
            else:
                target[k].first = used
                room = MOST_SAMPLES if old.actor == RUN else old.count
                for j in range(room):
                    queue[used + j] = old.first + j
                used += room
        k += 1
    stats[0].used = used
    stats[0].full = 0


def least_visits(tree: Tree, slots: int) -> int:
    """How many visits a slot must have to keep its children, if they shall fill so many slots at most."""
    used = tree.used
    parents = np.flatnonzero(used["first"])
    room = np.where(used["actor"][parents] == RUN, MOST_SAMPLES, used["count"][parents])
    visits = used["visits"][parents]
    order = np.argsort(-visits, kind="stable")
    within = int(np.searchsorted(np.cumsum(room[order]), slots))
    return int(visits[order[within]]) + 1 if within < len(order) else 0
