"""Lazy expansion: what a network said of a leaf's moves is kept small until a second visit needs slots for them.

Few leaves are visited again: of the 65 nodes of a Gumbel tree with 64 simulations about nine get children. A slot for
each move of all the others was most of what a forest wrote, and it is bound by memory: 40 bytes a move, here 8. The
tree is the same, visit for visit; its slots are made in the order in which they are needed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boardwright.compile.kernel import inner_kernel, kernel
from boardwright.search.expand import TRIES, attach, list_moves
from boardwright.search.softmax import softmax_weights

# One move of a leaf. The first of a leaf's edges has their number in place of a move.
EDGE = np.dtype([("move", "i4"), ("logit", "f4")])


@inner_kernel
def keep_edges(game: Any, leaf: Any, s: Any, plan: Any, work: Any, logits: Any, edges: Any, used: Any) -> Any:
    """Note the moves of the slot `leaf`, whose state is `s`, with the network's logits[move], in edges[used:]; `first`
    of the leaf says where, as a number below 0. Returns how many edges are in use then. A leaf where nobody moves, one
    that has its edges, or one that finds no room is left alone."""
    if leaf.first != 0 or leaf.actor < 0:
        return used
    choices = work.choices
    count = list_moves(game, s, plan, choices, work.weights, TRIES)
    if used + 1 + count > len(edges):
        return used
    edges[used].move = count
    for i in range(count):
        edge = edges[used + 1 + i]
        edge.move = choices[i]
        edge.logit = logits[choices[i]]
    leaf.first = -1 - used
    return used + 1 + count


@kernel
def open_edges(tree: Any, stats: Any, slot: Any, work: Any, edges: Any) -> Any:
    """Make the children of `slot` from the edges that it keeps. Returns False if it keeps none, or if there is no room,
    which also sets stats.full."""
    if tree[slot].first >= 0:
        return False
    begin = -1 - tree[slot].first
    count = edges[begin].move
    if count > len(tree) - stats.used:
        stats.full = 1
        return False
    choices, weights = work.choices, work.weights
    for i in range(count):
        edge = edges[begin + 1 + i]
        choices[i] = edge.move
        weights[i] = edge.logit
    softmax_weights(weights, count)
    attach(tree, stats, slot, choices, weights, count)
    return True
