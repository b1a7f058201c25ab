"""PUCT in plain Python: what the homework asks a student to write. The engine grows the same trees, compiled.

A simulation goes down from the root by the largest

    Q(s, a) + c * P(s, a) * sqrt(N(s)) / (1 + N(s, a)),        Q brought from -1..1 to 0..1,

asks the model about the first position that is new, and adds its answer to every move on the way. Values are vectors:
value[i] is player i's, so that nothing has to be turned round on the way up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from boardwright.contract.position import Position

# position -> (priors of its moves, in their order; what each player can expect)
Model = Callable[[Position], tuple[list[float], list[float]]]


@dataclass
class Node:
    """The statistics {N, W, P} of one position's moves; Q = W / N. W is to the player who moves here."""

    position: Position
    moves: list[int]
    priors: list[float]
    tried: list[int]
    worth: list[float]
    seen: int = 0  # simulations that came here
    sum: float = 0.0  # of their values to the player who moves here


class PlainSearch:
    """A tree grown by PUCT.

    as_reported: grow it as the report's listing does. Positions that are reached in two ways are one node; an untried
    move counts as even (ours: as its parent's mean); N(s) is not raised by one.
    slipped: the report's slip: the model's value, which is meant for the player to move, is credited to the one who has
    just moved.
    """

    def __init__(
        self, root: Position, model: Model, c: float = 3.0, *, as_reported: bool = False, slipped: bool = False
    ) -> None:
        self.root, self.model, self.c, self.as_reported, self.slipped = root, model, c, as_reported, slipped
        self.nodes: dict[Hashable, Node] = {}
        self._expand(root, ())

    def simulate(self, simulations: int) -> Node:
        """Grow the tree by so many simulations; returns its root."""
        for _ in range(simulations):
            self._simulate()
        return self.nodes[self._key(self.root, ())]

    def _simulate(self) -> None:
        position = self.root
        line: tuple[int, ...] = ()
        path: list[tuple[Node, int, int]] = []  # node, which of its moves, whose turn
        while not position.is_over and (node := self.nodes.get(self._key(position, line))):
            scores = [self._score(node, i) for i in range(len(node.moves))]
            chosen = scores.index(max(scores))
            path.append((node, chosen, position.player))
            line = (*line, node.moves[chosen])
            position = position.play(node.moves[chosen])
        if position.is_over:
            value = list(position.results or ())
        else:
            value = self._expand(position, line)
        for node, chosen, player in path:
            node.tried[chosen] += 1
            node.worth[chosen] += value[player]
            node.seen += 1
            node.sum += value[player]

    def _score(self, node: Node, i: int) -> float:
        if node.tried[i]:
            q = node.worth[i] / node.tried[i]
        else:
            q = 0.0 if self.as_reported else node.sum / node.seen
        visits = node.seen if self.as_reported else node.seen + 1
        return (q + 1) * 0.5 + self.c * math.sqrt(visits) * node.priors[i] / (1 + node.tried[i])

    def _expand(self, position: Position, line: tuple[int, ...]) -> list[float]:
        """Make a node of a new position; returns what the model expects each player to get."""
        priors, value = self.model(position)
        by_move = dict(zip(position.moves, priors, strict=True))
        moves = sorted(by_move) if self.as_reported else list(by_move)
        if self.slipped:
            value = value[::-1]
        priors = [by_move[move] for move in moves]
        self.nodes[self._key(position, line)] = Node(
            position, moves, priors, [0] * len(moves), [0.0] * len(moves), 1, value[position.player]
        )
        return value

    def _key(self, position: Position, line: tuple[int, ...]) -> Hashable:
        return bytes(position.view.cells) if self.as_reported else line


def plain_toy_model(position: Position) -> tuple[list[float], list[float]]:
    """The toy model for one position."""
    from boardwright_lab.azul.boards import TOY_VALUE

    value = [-TOY_VALUE, -TOY_VALUE]
    value[position.player] = TOY_VALUE
    return [1 / len(position.moves)] * len(position.moves), value
