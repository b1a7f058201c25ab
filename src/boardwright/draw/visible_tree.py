"""What a picture of a tree shows: its best part, with the position and the numbers of every node."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from boardwright.contract.errors import InputError
from boardwright.contract.game import OVER
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.search.tree import RUN, UNSEEN, Tree

DEEPEST_SHOWN = 60  # levels: browsers refuse to nest elements much deeper
MOST_SHOWN = 1500  # boards in one picture
ALIKE = 1e-6  # priors that differ by less are uniform


@dataclass
class Node:
    """One slot of a tree with all that is said about it."""

    slot: int
    position: Position
    actor: int  # who acts here: a player, CHANCE, RUN or OVER
    chooser: int  # who acts in the parent, or UNSEEN at the root
    viewer: int  # the player whose value `q` is: the chooser; below a draw, whoever moved before it
    text: str  # the move or outcome that leads here; the draws of a sample, one after the other
    visits: int
    share: float  # of the visits that the parent's children have, 0..1
    q: float | None  # None before the first visit
    prior: float | None  # None where all children are liked alike; below CHANCE the probability
    proven: str  # "" or won, lost, drawn, exact: the value to `viewer`
    more: int = 0  # children that are not shown
    more_visits: int = 0  # their visits
    children: list[Node] = field(default_factory=list)  # best first

    @property
    def of_chance(self) -> bool:
        """Whether chance moves here."""
        return self.actor < 0 and self.actor != OVER

    def all(self) -> Iterator[Node]:
        """This node and every one below it."""
        yield self
        for child in self.children:
            yield from child.all()


def top_of(tree: Tree, position: Position, top: int, depth: int) -> Node:
    """The `top` best children of each node that was visited, `depth` levels (moves and draws) below the root."""
    if not 1 <= top <= 1000:
        raise InputError(f"top={top} must be 1 to 1000")
    if not 1 <= depth <= DEEPEST_SHOWN:
        raise InputError(f"depth={depth} must be 1 to {DEEPEST_SHOWN}")
    shown: dict[int, list[int]] = {}
    count, level = 1, [0]
    for _ in range(depth):
        for slot in level:
            shown[slot] = ranked(tree, position, slot)[:top]
        level = [child for slot in level for child in shown[slot]]
        count += len(level)
        if count > MOST_SHOWN:
            raise InputError(
                f"the picture would have more than {MOST_SHOWN:,} boards; lower top={top} or depth={depth}, "
                "or make a page that opens (.html)"
            )
    return nodes_of(tree, position, shown)


def top_and_path(tree: Tree, position: Position, top: int, depth: int, path: Sequence[int]) -> Node:
    """The same, and all slots of a path from the root (its first) down. Children come in the order of their moves, not
    by rank: while a tree grows, a node that is shown keeps its place among the others."""
    shown: dict[int, list[int]] = {}
    level = [0]
    for _ in range(min(depth, DEEPEST_SHOWN)):
        for slot in level:
            shown[slot] = ranked(tree, position, slot)[:top]
        level = [child for slot in level for child in shown[slot]]
    for parent, child in pairwise(path[:DEEPEST_SHOWN]):
        if child not in shown.setdefault(parent, []):
            shown[parent] = [*shown[parent][: top - 1], child]
    for parent, children in shown.items():
        by_move = tree.slots["actor"][parent] != RUN  # a sample's move is the seed of its draws
        children.sort(key=lambda child: int(tree.slots["move"][child]) if by_move else child)
    return nodes_of(tree, position, shown)


def most_visited(tree: Tree, position: Position, least: int, most: int) -> Node:
    """The `most` nodes with the most visits, none with fewer than `least`. A node comes after its parent. The move
    that proves its parent counts as visited as often: one look can settle what hundreds before it could not."""
    if least < 1 or most < 1:
        raise InputError(f"least={least} and most={most} must be 1 or more")
    shown: dict[int, list[int]] = {0: []}
    waiting: list[tuple[int, int, int, int]] = []  # -visits, slot, parent, level

    def open_up(slot: int, level: int) -> None:
        if level >= DEEPEST_SHOWN:
            return
        for place, child in enumerate(ranked(tree, position, slot)):
            decisive = place == 0 and tree.slots["proven"][slot]
            visits = int(tree.slots["visits"][slot if decisive else child])
            if decisive or visits >= least:
                heapq.heappush(waiting, (-visits, child, slot, level + 1))

    open_up(0, 0)
    for _ in range(most - 1):
        if not waiting:
            break
        _, slot, parent, level = heapq.heappop(waiting)
        shown.setdefault(parent, []).append(slot)
        open_up(slot, level)
    for parent, children in shown.items():
        kept = set(children)
        shown[parent] = [child for child in ranked(tree, position, parent) if child in kept]
    return nodes_of(tree, position, shown)


def ranked(tree: Tree, position: Position, slot: int) -> list[int]:
    """The visited children of a slot, best first as the search chooses: proven wins, then by visits, proven losses
    last; by value where the slot itself is proven. Draws come by visits. `position` only tells the game."""
    actor, proven = int(tree.slots["actor"][slot]), bool(tree.slots["proven"][slot])

    def rank(child: int) -> tuple[float, float, float]:
        record = tree.slots[child]
        visits = int(record["visits"])
        if actor < 0:
            return 1.0, visits, float(record["prior"])
        q = float(tree.q(child)[actor])
        sure = q if record["proven"] and not position.game.counts_points else 0.0
        return 2.0 if sure >= 1.0 else 0.0 if sure <= -1.0 else 1.0, *((q, visits) if proven else (visits, q))

    visited = [child for child in tree.children(slot) if tree.slots["visits"][child] > 0]
    return sorted(visited, key=rank, reverse=True)


def nodes_of(tree: Tree, position: Position, shown: Mapping[int, list[int]]) -> Node:
    """The root at `position`, and below each slot those of its children that `shown` has for it."""
    actor = _actor(tree, 0, position)
    viewer = max(actor, 0)
    root = Node(
        slot=0, position=position, actor=actor, chooser=UNSEEN, viewer=viewer, text="",
        visits=int(tree.root["visits"]), share=1.0, q=_q(tree, 0, viewer), prior=None,
        proven=_proven(tree, 0, viewer, position.game.counts_points),
    )  # fmt: skip
    _look_below(tree, root, shown)
    return root


def _look_below(tree: Tree, node: Node, shown: Mapping[int, list[int]]) -> None:
    every = tree.children(node.slot)
    children = shown.get(node.slot, [])
    visits = tree.slots["visits"][every.start : every.stop]
    priors = tree.slots["prior"][every.start : every.stop]
    total = int(visits.sum())
    known = node.actor != RUN and (node.actor < 0 or (len(priors) > 0 and float(np.ptp(priors)) > ALIKE))
    for child in children:
        move = int(tree.slots["move"][child])
        position, text = step_from(node.position, node.actor, move)
        viewer = node.actor if node.actor >= 0 else node.viewer
        below = Node(
            slot=child, position=position, actor=_actor(tree, child, position), chooser=node.actor, viewer=viewer,
            text=text, visits=int(tree.slots["visits"][child]), share=int(tree.slots["visits"][child]) / max(total, 1),
            q=_q(tree, child, viewer), prior=float(tree.slots["prior"][child]) if known else None,
            proven=_proven(tree, child, viewer, position.game.counts_points),
        )  # fmt: skip
        _look_below(tree, below, shown)
        node.children.append(below)
    node.more = len(every) - len(children)
    node.more_visits = total - sum(child.visits for child in node.children)


def step_from(here: Position, actor: int, move: int) -> tuple[Position, str]:
    """Where `move` leads from a node, and its name. Below a RUN it is the seed of all draws."""
    if actor != RUN:
        return here.advance(move), here.text(move)
    after = here.settle(Random(move))
    draws: list[str] = []
    back = after
    while back is not here and back.previous is not None and back.step is not None:
        draws.append(back.previous.text(back.step))
        back = back.previous
    return after, " ".join(reversed(draws))


def _actor(tree: Tree, slot: int, position: Position) -> int:
    actor = int(tree.slots["actor"][slot])
    return position.player if actor == UNSEEN else actor


def _q(tree: Tree, slot: int, viewer: int) -> float | None:
    record = tree.slots[slot]
    return float(tree.q(slot)[viewer]) if record["visits"] or record["proven"] else None


def _proven(tree: Tree, slot: int, viewer: int, points: bool) -> str:
    if not tree.slots["proven"][slot]:
        return ""
    words = {} if points else {1.0: "won", 0.0: "drawn", -1.0: "lost"}
    return words.get(float(tree.q(slot)[viewer]), "exact")
