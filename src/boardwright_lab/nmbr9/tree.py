"""The report's tree search: the value of a move is kept with the move, each turn chooses in its own way (section 5).

A node is a position with the tile to place; its edges are the legal moves. Chance lies between an edge and the nodes
below it, one for each digit that was drawn. One simulation plays a whole game: it goes down the tree, adds one node,
plays on by the same ways to choose, and tells every edge on its path the points from there to the end.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel
from boardwright.compile.playout import settle
from boardwright.compile.random import below, unit
from boardwright.contract.game import OVER, Game
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.contract.state import copy_record
from boardwright.games.nmbr9.tiles import CARDS, LEVELS
from boardwright_lab.nmbr9.store import Lessons, Shelves
from boardwright_lab.nmbr9.windows import KINDS, PLANES, SPAN, cut_window, lay_heights, recall

UCB, EMPQ, LALS = 0, 1, 2
EXPLORE = 20.0  # the C of UCB, in points; the report does not tell its own
EDGES_A_NODE = 250  # room; a position has about 155 moves

NODE = np.dtype([("first", "i4"), ("count", "i4"), ("visits", "i4"), ("sibling", "i4"), ("digit", "i4")], align=True)
EDGE = np.dtype([("total", "f8"), ("move", "i4"), ("visits", "i4"), ("child", "i4"), ("reward", "i4")], align=True)


class Ways(NamedTuple):
    """How each turn chooses; entry k belongs to the turn with k tiles on the table."""

    policy: npt.NDArray[np.int64]  # UCB, EMPQ or LALS
    greed: npt.NDArray[np.float64]  # share of choices that are greedy, the rest being random; the report's epsilon
    explore: float  # the C of UCB, in points


class Grown(NamedTuple):
    """The tree: node k stands for the position kept[k]."""

    nodes: npt.NDArray[np.void]
    edges: npt.NDArray[np.void]
    used: npt.NDArray[np.int64]  # nodes and edges taken
    kept: npt.NDArray[np.void]


class Simulated(NamedTuple):
    """Games that a search simulated."""

    points: npt.NDArray[np.int64]
    late: npt.NDArray[np.void]  # the position of each at the turn that was asked for


class Work(NamedTuple):
    """Scratch: a row for each move of a position, or each turn of a game."""

    heights: npt.NDArray[np.int64]
    window: npt.NDArray[np.int64]
    moves: npt.NDArray[np.int32]
    weights: npt.NDArray[np.float64]  # of draws
    rewards: npt.NDArray[np.int64]
    values: npt.NDArray[np.float64]
    path: npt.NDArray[np.int64]  # edges gone through; -1: outside the tree
    gains: npt.NDArray[np.int64]  # points of each turn


@kernel
def kind_of(s: Any, shelves: Any, k: Any) -> Any:
    """The kind of placement that tile k of a layout is, as the store counts them."""
    kind = (4 * s.number[k] + s.turned[k]) * LEVELS + s.level[k]
    return kind + k * KINDS if shelves.turns_apart == 1 else kind


@kernel
def greedy_or_random(values: Any, count: Any, greed: Any, rng: Any) -> Any:
    """The place of the largest value, any of several; with a chance of 1 - greed, any place."""
    if unit(rng) >= greed:
        return below(rng, count)
    best = 0
    equals = 1
    for i in range(1, count):
        if values[i] > values[best]:
            best = i
            equals = 1
        elif values[i] == values[best]:
            equals += 1
            if below(rng, equals) == 0:
                best = i
    return best


@kernel
def expect(game: Any, states: Any, policy: Any, shelves: Any, work: Any, count: Any) -> None:
    """values[i] = what moves[i] promises in states[1] before it was tried: its immediate reward (empQ), or what the
    most similar stored window was worth (LALS). rewards[i]: its immediate reward. states[2] is scratch."""
    s = states[1]
    if policy == LALS:
        lay_heights(game, s, work.heights)
    for i in range(count):
        states[2] = s
        after = states[2]
        game.play(after, work.moves[i])
        k = s.count
        work.rewards[i] = after.score - s.score
        work.values[i] = work.rewards[i]
        if policy == LALS:
            cut_window(s, work.heights, after.turned[k], after.row[k], after.column[k], work.window)
            kind = kind_of(after, shelves, k)
            work.values[i] = recall(shelves.windows, shelves.used, shelves.values, kind, work.window, work.values[i])


@kernel
def choose_outside(game: Any, states: Any, ways: Any, shelves: Any, rng: Any, work: Any) -> Any:
    """A move for states[1], of which the tree knows nothing."""
    count = game.legal(states[1], work.moves)
    turn = states[1].count
    if ways.policy[turn] == UCB:  # every move is as untried as the others
        return work.moves[below(rng, count)]
    expect(game, states, ways.policy[turn], shelves, work, count)
    return work.moves[greedy_or_random(work.values, count, ways.greed[turn], rng)]


@kernel
def choose_inside(game: Any, node: Any, edges: Any, states: Any, ways: Any, shelves: Any, rng: Any, work: Any) -> Any:
    """The number of the edge to follow from a node of the tree."""
    turn = states[1].count
    policy = ways.policy[turn]
    if policy == LALS:
        for i in range(node.count):
            work.moves[i] = edges[node.first + i].move
        expect(game, states, policy, shelves, work, node.count)
    else:
        for i in range(node.count):
            edge = edges[node.first + i]
            value = edge.total / edge.visits if edge.visits > 0 else np.float64(edge.reward)
            if policy == UCB:
                value += ways.explore * math.sqrt(math.log(node.visits) / edge.visits) if edge.visits > 0 else 1e9
            work.values[i] = value
    return node.first + greedy_or_random(work.values, node.count, 1.0 if policy == UCB else ways.greed[turn], rng)


@kernel
def add_node(game: Any, tree: Any, states: Any, shelves: Any, work: Any) -> Any:
    """A node for states[1] with an edge for each of its moves; -1 if there is no room."""
    nodes, edges, used, kept = tree
    count = game.legal(states[1], work.moves)
    if used[0] == len(nodes) or used[1] + count > len(edges):
        return -1
    expect(game, states, EMPQ, shelves, work, count)
    number = used[0]
    kept[number] = states[1]
    nodes[number].first = used[1]
    nodes[number].count = count
    nodes[number].visits = 0
    nodes[number].sibling = -1
    nodes[number].digit = states[1].digit
    for i in range(count):
        edge = edges[used[1] + i]
        edge.move = work.moves[i]
        edge.reward = work.rewards[i]
        edge.visits = 0
        edge.total = 0.0
        edge.child = -1
    used[0] += 1
    used[1] += count
    return number


@kernel
def simulate(
    game: Any, tree: Any, states: Any, ways: Any, shelves: Any, rng: Any, work: Any, told: Any
) -> None:  # fmt: skip
    """Simulations from states[0]. told: (Simulated, tiles), of the n-th of which the points at its end are written, and
    its position with so many tiles placed and the next turned up."""
    (results, late), late_count = told
    nodes, edges, used, _kept = tree
    for n in range(len(results)):
        states[1] = states[0]
        s = states[1]
        number = 0 if used[0] > 0 else add_node(game, tree, states, shelves, work)
        grown = False
        steps = 0
        while True:
            if s.count == late_count:
                late[n] = s
            before = s.score
            if number >= 0:
                nodes[number].visits += 1
                taken = choose_inside(game, nodes[number], edges, states, ways, shelves, rng, work)
                move = edges[taken].move
            else:
                taken = -1
                move = choose_outside(game, states, ways, shelves, rng, work)
            game.play(s, move)
            work.path[steps] = taken
            work.gains[steps] = s.score - before
            steps += 1
            if settle(game, s, rng, work.moves, work.weights) == OVER:
                break
            number = -1
            if taken >= 0 and not grown:
                number = edges[taken].child
                while number >= 0 and nodes[number].digit != s.digit:
                    number = nodes[number].sibling
                if number < 0:
                    grown = True
                    number = add_node(game, tree, states, shelves, work)
                    if number >= 0:
                        nodes[number].sibling = edges[taken].child
                        edges[taken].child = number
        results[n] = s.score
        to_come = 0.0
        for k in range(steps - 1, -1, -1):
            to_come += work.gains[k]
            if work.path[k] >= 0:
                edges[work.path[k]].visits += 1
                edges[work.path[k]].total += to_come


@kernel
def collect(
    game: Any, tree: Any, states: Any, shelves: Any, heights: Any, lessons: Any
) -> Any:  # fmt: skip
    """Write every placement that the tree has tried, with its window, into the rows of `lessons`; how many."""
    nodes, edges, used, kept = tree
    kinds, windows, values, visits = lessons
    rows = 0
    for number in range(used[0]):
        states[1] = kept[number]
        s = states[1]
        lay_heights(game, s, heights)
        for e in range(nodes[number].first, nodes[number].first + nodes[number].count):
            if edges[e].visits == 0:
                continue
            states[2] = s
            after = states[2]
            game.play(after, edges[e].move)
            k = s.count
            cut_window(s, heights, after.turned[k], after.row[k], after.column[k], windows[rows])
            kinds[rows] = kind_of(after, shelves, k)
            values[rows] = edges[e].total / edges[e].visits
            visits[rows] = edges[e].visits
            rows += 1
    return rows


@kernel
def choose_alone(game: Any, states: Any, ways: Any, shelves: Any, rng: Any, work: Any) -> Any:
    """A move for states[0] by its turn's way to choose, without any search."""
    states[1] = states[0]
    return choose_outside(game, states, ways, shelves, rng, work)


class ReportSearch:
    """One tree, grown from one position at a time. `interpreted` runs the kernels as plain Python."""

    def __init__(
        self, game: Game, ways: Ways, shelves: Shelves, rng: Random, room: int, *, interpreted: bool = False
    ) -> None:
        self.game, self.ways, self.shelves, self.rng, self._plain = game, ways, shelves, rng, interpreted
        self.nodes, self.edges = np.zeros(room, NODE), np.zeros(room * EDGES_A_NODE, EDGE)
        self.used = np.zeros(2, np.int64)
        self._states = np.zeros(3, game.state_dtype)
        self._tree = Grown(self.nodes, self.edges, self.used, np.zeros(room, game.state_dtype))
        self._work = Work(
            np.zeros((SPAN, SPAN), np.int64), np.zeros(PLANES, np.int64), np.zeros(game.actions, np.int32),
            np.zeros(game.outcomes), np.zeros(game.actions, np.int64), np.zeros(game.actions),
            np.zeros(CARDS, np.int64), np.zeros(CARDS, np.int64),
        )  # fmt: skip

    def grow(self, position: Position, simulations: int, late_turn: int = CARDS) -> Simulated:
        """A new tree of `position`, where a tile is to be placed."""
        simulated = Simulated(np.zeros(simulations, np.int64), np.zeros(simulations, self.game.state_dtype))
        self.used[:] = 0
        self._states[:1] = copy_record(position.record)
        self._call(
            simulate, self._tree, self._states, self.ways, self.shelves, self.rng.state, self._work,
            (simulated, late_turn - 1),
        )  # fmt: skip
        return simulated

    def best(self) -> int:
        """The root's move with the most visits; of equals, the one with the most points."""
        tried = self.edges[: self.nodes["count"][0]]
        return int(max(tried, key=lambda edge: (edge["visits"], edge["total"]))["move"])

    def alone(self, position: Position) -> int:
        """The move that the way to choose takes without a search."""
        self._states[:1] = copy_record(position.record)
        return int(self._call(choose_alone, self._states, self.ways, self.shelves, self.rng.state, self._work))

    def lessons(self) -> Lessons:
        """What the tree has tried."""
        most = int(np.count_nonzero(self.edges["visits"][: self.used[1]]))
        kinds, windows = np.zeros(most, np.int64), np.zeros((most, PLANES), np.int64)
        rows = (kinds, windows, np.zeros(most), np.zeros(most, np.int64))
        self._call(collect, self._tree, self._states, self.shelves, self._work.heights, rows)
        return Lessons(*rows)

    def _call(self, kernel: Any, *args: Any) -> Any:
        return run_kernel(self.game, kernel, self.game, *args, interpreted=self._plain)
