"""Exact values of every position of a small game, by value iteration over all that can be reached (Bellman 1957).

For games with dice whose play can go round in circles, where alpha-beta and expectimax have no bottom to stand on: each
player takes the move best for himself, chance pays its mean, and the values are set again from those of the next
positions until none of them moves any more. Positions are told apart by their 63-bit keys (see transposition.py). They,
the moves and draws between them, and the values lie in flat arrays; both halves run inside kernels, in slices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel
from boardwright.compile.playout import open_moves
from boardwright.contract.errors import InputError
from boardwright.contract.game import CHANCE, OVER, Game
from boardwright.contract.position import Position, blank
from boardwright.contract.state import copy_record
from boardwright.search.exact.transposition import state_key, words_of

FIRST_POSITIONS = 1 << 14
SLICE_POSITIONS = 20_000  # a kernel hears neither clock nor Ctrl-C: come up for air this often
NO_ROOM = 1

EDGE = np.dtype([("to", "i8"), ("odds", "f8")], align=True)  # where a move or a draw leads; how likely a draw is
COUNTS = np.dtype(
    [
        ("positions", "i8"),  # found so far
        ("expanded", "i8"),  # whose moves and draws are known
        ("edges", "i8"),
        ("trouble", "i8"),  # NO_ROOM: make the arrays larger and call again
    ],
    align=True,
)


def node_dtype(players: int) -> np.dtype[np.void]:
    """One position; value[i] is player i's."""
    return np.dtype(
        [("value", "f8", (players,)), ("key", "i8"), ("first", "i8"), ("count", "i4"), ("actor", "i4")],
        align=True,
    )


@kernel
def number_of(slots: Any, nodes: Any, key: Any) -> Any:
    """The number of the position with this key; -1 - slot, a free one, if there is none.

    slots: int64, a power of two of them, numbers of positions or -1.
    """
    slot = key & (len(slots) - 1)
    while slots[slot] >= 0:
        if nodes[slots[slot]].key == key:
            return slots[slot]
        slot = (slot + 1) & (len(slots) - 1)
    return -1 - slot


@kernel
def explore(
    game: Any, states: Any, words: Any, slots: Any, nodes: Any, edges: Any, counts: Any, room: Any
) -> Any:  # fmt: skip
    """List the moves and draws of so many positions more (room[2][0]); True once all are known, or without room.

    room: (choices int32, weights float64, int64 [how many positions to expand]).
    """
    count = counts[0]
    choices, weights = room[0], room[1]
    for _ in range(room[2][0]):
        if count.expanded == count.positions:
            return True
        node = nodes[count.expanded]
        actor = game.player(states[count.expanded])
        options = 0
        if actor == CHANCE:
            options = game.chances(states[count.expanded], choices, weights)
        elif actor == OVER:
            game.results(states[count.expanded], node.value)
        else:
            options = open_moves(game, states[count.expanded], choices)
        if count.edges + options > len(edges) or count.positions + options >= len(states):
            count.trouble = NO_ROOM
            return True
        total = 0.0
        for i in range(options):
            if actor == CHANCE:
                total += weights[i]
        node.first = count.edges
        node.count = options
        node.actor = actor
        for i in range(options):
            states[count.positions] = states[count.expanded]
            if actor == CHANCE:
                game.draw(states[count.positions], choices[i])
            else:
                game.play(states[count.positions], choices[i])
            key = state_key(game, states, words, count.positions)
            number = number_of(slots, nodes, key)
            if number < 0:
                slots[-1 - number] = count.positions
                nodes[count.positions].key = key
                number = count.positions
                count.positions += 1
            edge = edges[count.edges]
            edge.to = number
            edge.odds = weights[i] / total if actor == CHANCE else 0.0
            count.edges += 1
        count.expanded += 1
    return count.expanded == count.positions


@kernel
def enter(slots: Any, nodes: Any, positions: Any) -> None:
    """Put the first so many positions into empty slots."""
    for at in range(positions):
        slots[-1 - number_of(slots, nodes, nodes[at].key)] = at


@kernel
def key_of(game: Any, states: Any, words: Any) -> Any:
    """The key of states[0]: see `state_key`."""
    return state_key(game, states, words, 0)


@kernel
def sweep(nodes: Any, edges: Any, begin: Any, end: Any) -> Any:
    """Set the values of positions end-1 down to `begin` from those of the next ones; returns the largest change.

    In place, and from the latest found: values of the game's end come up in few sweeps (Gauss-Seidel).
    """
    largest = 0.0
    for at in range(end - 1, begin - 1, -1):
        node = nodes[at]
        if node.count == 0:
            continue
        best = edges[node.first].to
        if node.actor >= 0:
            for k in range(node.first + 1, node.first + node.count):
                if nodes[edges[k].to].value[node.actor] > nodes[best].value[node.actor]:
                    best = edges[k].to
        for i in range(len(node.value)):
            value = nodes[best].value[i]
            if node.actor == CHANCE:
                value = 0.0
                for k in range(node.first, node.first + node.count):
                    value += edges[k].odds * nodes[edges[k].to].value[i]
            largest = max(largest, abs(value - node.value[i]))
            node.value[i] = value
    return largest


class ValueIteration:
    """Every position that can be reached from `root` (the start, before any draw, if none is given), each with its
    exact value, to within `tolerance`. Refuses a game of more than `most` positions.

    progress(what, done): "positions", how many are known; then "change", the largest of the last sweep.
    """

    def __init__(
        self,
        game: Game,
        root: Position | None = None,
        *,
        most: int = 20_000_000,
        tolerance: float = 1e-9,
        progress: Callable[[str, float], None] = lambda what, done: None,
    ) -> None:
        self.game = game
        self._counts = np.zeros(1, COUNTS)
        self._states, self._nodes = np.zeros(0, game.state_dtype), np.zeros(0, node_dtype(game.players))
        self._edges = np.zeros(0, EDGE)
        self._make_room(FIRST_POSITIONS, 4 * FIRST_POSITIONS)
        first = root or blank(game)
        self._states[:1] = copy_record(first.record)
        self._nodes["key"][0] = self._key(first)
        self._counts["positions"] = 1
        self._call(enter, self._slots, self._nodes, 1)
        self._explore(most, progress)
        self._iterate(tolerance, progress)

    def __len__(self) -> int:
        """How many positions there are, chance's and finished ones included."""
        return int(self._counts["positions"][0])

    def value(self, position: Position) -> npt.NDArray[np.float64]:
        """What each player gets from here if all play best."""
        number = self._number(position)
        if number < 0:
            raise InputError(f"{self.game.name}: this position cannot be reached from where the solution began")
        return np.array(self._nodes["value"][number])

    def values(self, position: Position) -> dict[int, float]:
        """What each move is worth to the player who moves."""
        return {move: float(self.value(position.play(move))[position.player]) for move in position.moves}

    @property
    def states(self) -> npt.NDArray[np.void]:
        """Every position as a record, in the order in which they were found; to be read only."""
        return self._states[: len(self)]

    @property
    def state_values(self) -> npt.NDArray[np.float64]:
        """(positions, players): what each player gets from each of `states`."""
        return np.array(self._nodes["value"][: len(self)])

    # Parts

    def _explore(self, most: int, progress: Callable[[str, float], None]) -> None:
        size = max(self.game.actions, self.game.outcomes, 1)
        room = (np.zeros(size, np.int32), np.zeros(size), np.array([SLICE_POSITIONS], np.int64))
        done = False
        while not done:
            arrays = (self._states, self._words, self._slots, self._nodes, self._edges, self._counts)
            done = bool(self._call(explore, self.game, *arrays, room))
            progress("positions", len(self))
            if len(self) > most:
                raise InputError(f"{self.game.name}: more than {most:,} positions; too large to be solved whole")
            if self._counts["trouble"][0]:
                self._counts["trouble"] = 0
                self._make_room(2 * len(self._states), 2 * len(self._edges))
                done = False

    def _iterate(self, tolerance: float, progress: Callable[[str, float], None]) -> None:
        change = np.inf
        while change > tolerance:
            change = 0.0
            for end in range(len(self), 0, -SLICE_POSITIONS * 10):
                begin = max(0, end - SLICE_POSITIONS * 10)
                change = max(change, float(self._call(sweep, self._nodes, self._edges, begin, end)))
            progress("change", change)

    def _make_room(self, positions: int, edges: int) -> None:
        """Larger arrays with what the old ones hold."""
        self._states = _longer(self._states, positions)
        self._nodes = _longer(self._nodes, positions)
        self._edges = _longer(self._edges, edges)
        self._words = words_of(self._states)
        self._slots = np.full(1 << (2 * positions - 1).bit_length(), -1, np.int64)
        self._call(enter, self._slots, self._nodes, len(self))

    def _number(self, position: Position) -> int:
        if position.game != self.game:
            raise InputError(f"the solution is of {self.game}, the position of {position.game}")
        return int(self._call(number_of, self._slots, self._nodes, self._key(position)))

    def _key(self, position: Position) -> int:
        record = copy_record(position.record)
        return int(self._call(key_of, self.game, record, words_of(record)))

    def _call(self, kernel: Any, *args: Any) -> Any:
        return run_kernel(self.game, kernel, *args)


def _longer(records: npt.NDArray[np.void], length: int) -> npt.NDArray[np.void]:
    """So many records, the given ones first, byte for byte."""
    longer = np.zeros(length, records.dtype)
    longer.view(np.uint8)[: records.nbytes] = records.view(np.uint8)
    return longer
