"""Expectimax: look a few moves ahead over every draw of chance, for one to four players.

Each player takes the move best for himself (max^n, Luckhardt and Irani 1986), chance pays its mean (Michie 1966).
Nothing is pruned: a value is exact for its depth. The stack is explicit, a frame a level; positions met again come
from a transposition table.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import inner_kernel, kernel
from boardwright.compile.playout import open_moves
from boardwright.contract.errors import InputError
from boardwright.contract.game import CHANCE, OVER, Game
from boardwright.contract.position import Position
from boardwright.contract.state import copy_record
from boardwright.search.evaluator import Evaluator, PointsSoFar
from boardwright.search.exact.transposition import claim, find, new_table, state_key, words_of
from boardwright.search.stopping import Pace, Stopped, Stopping

MOST_LEVELS = 256  # moves and draws from the root to a leaf
MOST_WORK = 2**31 - 1
FIRST_SLICE, SLICE_NODES = 200, 20_000  # positions in a slice at first, and at most
TOO_DEEP = 1
EXACT = 10**6  # the depth of a value that no horizon touched


class PointsAhead(Evaluator):
    """For games that are won and count points on the way: the lead over the best other, between -1 and 1."""

    def value(self, game: Any, s: Any, learned: Any, out: Any) -> Any:
        game.scores(s, out)
        best, second = out[0], 0.0
        for i in range(1, len(out)):
            second = min(best, out[i]) if i == 1 else max(second, min(best, out[i]))
            best = max(best, out[i])
        for i in range(len(out)):
            lead = out[i] - (second if out[i] == best else best)
            out[i] = lead / (10.0 + abs(lead))


def frame_dtype(players: int) -> np.dtype[np.void]:
    """One level of the stack; value[i] is player i's."""
    return np.dtype(
        [
            ("value", "f8", (players,)),  # of the mover's best move so far; at CHANCE the weighted sum so far
            ("total", "f8"),  # weight of what chance has tried
            ("key", "i8"),
            ("nodes", "i8"),  # counted when the search came here
            ("move", "i4"),  # the best so far
            ("tried", "i4"),
            ("count", "i4"),
            ("left", "i4"),  # moves to look ahead from here
            ("depth", "i4"),  # the least depth, seen from here, to which all of it was searched
            ("draws", "i4"),  # chance positions in a row, this one included
            ("mover", "i1"),
        ],
        align=True,
    )


PROGRESS = np.dtype([("level", "i8"), ("nodes", "i8"), ("draws", "i8"), ("trouble", "i8")], align=True)


class Horizon(NamedTuple):
    """How a position is valued at the end of the look-ahead, as numbers for the kernel."""

    settle: int  # 1: draws that come after the last move are looked at too
    low: float  # what a result can be at least and at most
    high: float


class DrawStack(NamedTuple):
    """What the search works with: a row for each level, and what all levels share."""

    frames: npt.NDArray[np.void]  # [0].left: how many moves to look ahead from the root
    states: npt.NDArray[np.void]  # [0]: the root
    words: npt.NDArray[np.uint64]  # the same states as words: see transposition.py
    choices: npt.NDArray[np.int32]  # (levels, most moves or outcomes)
    weights: npt.NDArray[np.float64]  # the same
    value: npt.NDArray[np.float64]  # (players,): of the position that was valued last
    root_values: npt.NDArray[np.float64]  # (choices, players): the value of the root's i-th choice


def new_stack(game: Game) -> DrawStack:
    """An empty one."""
    width, states = max(game.actions, game.outcomes, 1), np.zeros(MOST_LEVELS, game.state_dtype)
    return DrawStack(
        frames=np.zeros(MOST_LEVELS, frame_dtype(game.players)),
        states=states,
        words=words_of(states),
        choices=np.zeros((MOST_LEVELS, width), np.int32),
        weights=np.zeros((MOST_LEVELS, width)),
        value=np.zeros(game.players),
        root_values=np.zeros((width, game.players)),
    )


@kernel
def look_ahead(
    game: Any, evaluator: Any, learned: Any, table: Any, stack: Any, all_progress: Any, horizon: Any, nodes: Any
) -> Any:
    """Go on for so many nodes; True once the root's moves are valued, or in trouble."""
    frames, states, choices, weights, out = stack.frames, stack.states, stack.choices, stack.weights, stack.value
    progress = all_progress[0]
    limit = progress.nodes + nodes
    level = progress.level
    while progress.nodes < limit:
        progress.nodes += 1
        frame = frames[level]
        depth = valued(game, evaluator, learned, table, stack, level, horizon)
        if depth >= 0:
            while True:
                if level == 0:
                    return True
                level -= 1
                frame = frames[level]
                weight = weights[level, frame.tried - 1]
                take(frame, out, choices[level, frame.tried - 1], weight, depth)
                if level == 0:
                    for i in range(len(out)):
                        stack.root_values[frame.tried - 1, i] = out[i]
                if frame.tried < frame.count:
                    break
                depth = finish(table, frame, out, progress.nodes - frame.nodes + 1)
        elif level + 1 >= len(states):
            progress.trouble = TOO_DEEP
            return True
        else:
            if frame.mover == CHANCE:
                frame.count = game.chances(states[level], choices[level], weights[level])
                frame.draws = frames[level - 1].draws + 1 if level > 0 else 1
                progress.draws = max(progress.draws, frame.draws)
            else:
                frame.count = open_moves(game, states[level], choices[level])
                frame.draws = 0
            frame.nodes = progress.nodes
            frame.tried = 0
            frame.total = 0.0
            frame.depth = EXACT
            for i in range(len(out)):
                frame.value[i] = 0.0
        states[level + 1] = states[level]
        frames[level + 1].left = frame.left - (0 if frame.mover == CHANCE else 1)
        if frame.mover == CHANCE:
            game.draw(states[level + 1], choices[level, frame.tried])
        else:
            game.play(states[level + 1], choices[level, frame.tried])
        frame.tried += 1
        level += 1
    progress.level = level
    return False


@inner_kernel
def valued(game: Any, evaluator: Any, learned: Any, table: Any, stack: Any, level: Any, horizon: Any) -> Any:
    """The depth to which states[level] is known without search, and into stack.value its value; -1 if it is not
    known."""
    states, words, out = stack.states, stack.words, stack.value
    frame = stack.frames[level]
    s = states[level]
    frame.mover = game.player(s)
    if frame.mover == OVER:
        game.results(s, out)
        return EXACT
    if frame.left == 0 and (frame.mover != CHANCE or horizon.settle == 0):
        evaluator.value(game, s, learned, out)
        for i in range(len(out)):
            out[i] = min(max(out[i], horizon.low), horizon.high)
        return 0
    frame.key = state_key(game, states, words, level)
    if level > 0:  # the root's own moves are asked for
        slot = find(table, frame.key)
        if slot >= 0 and table[slot].depth >= frame.left:
            for i in range(len(out)):
                out[i] = table[slot].value[i]
            return table[slot].depth
    return -1


@kernel
def take(frame: Any, out: Any, choice: Any, weight: Any, depth: Any) -> None:
    """A child was worth `out`: chance adds it up, a player keeps it if it is better for him."""
    if frame.mover == CHANCE:
        for i in range(len(out)):
            frame.value[i] += weight * out[i]
        frame.total += weight
        frame.depth = min(frame.depth, depth)
        return
    if frame.tried == 1 or out[frame.mover] > frame.value[frame.mover]:
        for i in range(len(out)):
            frame.value[i] = out[i]
        frame.move = choice
    frame.depth = min(frame.depth, depth + 1 if depth < EXACT else EXACT)


@kernel
def finish(table: Any, frame: Any, out: Any, work: Any) -> Any:
    """All children are known: write the value into `out` and into the table; returns its depth."""
    for i in range(len(out)):
        out[i] = frame.value[i] / frame.total if frame.mover == CHANCE else frame.value[i]
    entry = table[claim(table, frame.key)]
    entry.key = frame.key
    entry.worth = min(work, MOST_WORK)
    entry.move = -1 if frame.mover == CHANCE else frame.move
    entry.depth = frame.depth
    for i in range(len(out)):
        entry.value[i] = out[i]
    return frame.depth


@kernel
def known_move(game: Any, table: Any, states: Any, words: Any) -> Any:
    """The move that the table holds for states[0], or -1."""
    slot = find(table, state_key(game, states, words, 0))
    return table[slot].move if slot >= 0 else -1


@dataclass(frozen=True)
class ExpectimaxSettings:
    """How far to look."""

    depth: int = 2  # moves of players to look ahead; draws between them do not count
    settle: bool = False  # look at the draws after the last move too, instead of valuing the position before them
    nodes: int = 5_000_000  # refuse a move that needs more positions
    megabytes: float = 64.0  # size of the table
    seed: int = 0  # one seed, one way to choose among equals

    def __post_init__(self) -> None:
        if not 1 <= self.depth <= 100:
            raise InputError(f"expectimax: depth={self.depth} must be 1 to 100")
        if self.nodes < 1:
            raise InputError(f"expectimax: nodes={self.nodes} must be 1 or more")
        if not 1.0 <= self.megabytes <= 1e6:
            raise InputError(f"expectimax: megabytes={self.megabytes} must be 1 to 1000000")


class Expectimax:
    """Looks ahead in one game; the table stays between moves. `interpreted` runs the kernels as plain Python, for
    tests and debuggers."""

    def __init__(
        self,
        game: Game,
        settings: ExpectimaxSettings | None = None,
        evaluator: Evaluator | None = None,
        *,
        interpreted: bool = False,
    ) -> None:
        if game.players > 4:
            raise InputError(f"{game.name}: expectimax is for one to four players, not {game.players}; use mcts")
        self.game, self.settings, self.interpreted = game, settings or ExpectimaxSettings(), interpreted
        self.evaluator = evaluator or (PointsSoFar() if game.counts_points else PointsAhead())
        most = math.inf if game.counts_points else 1.0
        self.horizon = Horizon(int(self.settings.settle), -most, most)
        self._stack, self._progress = new_stack(game), np.zeros(1, PROGRESS)
        self._pace = Pace(FIRST_SLICE, SLICE_NODES)
        self.forget()

    def forget(self) -> None:
        """Empty the table."""
        self.table = new_table([("depth", "i8"), ("value", "f8", (self.game.players,))], self.settings.megabytes)
        self.nodes = 0

    def values(self, position: Position, stopping: Stopping | None = None) -> dict[int, npt.NDArray[np.float64]]:
        """What each move (at CHANCE: each outcome) leads to: values[move][i] is what player i can expect. Raises
        Stopped if `stopping` says so before that is known."""
        self._stack.states[:1] = copy_record(position.record)
        self._progress[:] = 0
        self._stack.frames["left"][0] = self.settings.depth
        done = False
        while not done:
            nodes = int(self._progress["nodes"][0])
            if nodes >= self.settings.nodes:
                raise InputError(self._too_many())
            began, slice_nodes = time.perf_counter(), min(self._pace.size, self.settings.nodes - nodes)
            done = self._call(
                look_ahead, self.game, self.evaluator, self.evaluator.learned, self.table, self._stack, self._progress,
                self.horizon, slice_nodes,
            )  # fmt: skip
            if not done:
                self._pace.took(time.perf_counter() - began, slice_nodes)
                if stopping and stopping():
                    raise Stopped
        self.nodes = int(self._progress["nodes"][0])
        if self._progress["trouble"][0]:
            raise InputError(self._too_many())
        steps = self._stack.choices[0, : int(self._stack.frames["count"][0])].tolist()
        return {step: self._stack.root_values[i].copy() for i, step in enumerate(steps)}

    def line(self, position: Position) -> tuple[int, ...]:
        """What the table expects from here, the likeliest draw each time; the first move not included."""
        line: list[int] = []
        while not position.is_over and len(line) < 2 * self.settings.depth:
            if position.is_chance:
                step = max(position.chances, key=lambda pair: pair[1])[0]
            else:
                self._stack.states[:1] = copy_record(position.record)
                step = int(self._call(known_move, self.game, self.table, self._stack.states, self._stack.words))
            if step not in (position.moves or [outcome for outcome, _ in position.chances]):
                break
            line.append(step)
            position = position.advance(step)
        return tuple(line)

    def _too_many(self) -> str:
        depth, nodes, draws = self.settings.depth, self.settings.nodes, int(self._progress["draws"][0])
        why = f", as chance draws {draws} times in a row" if draws > 1 else ""
        cures = [f"more than nodes={nodes}", "or mcts, which samples chance instead of listing it"]
        if self.settings.settle:
            cures.insert(0, "settle=false")
        if depth > 1:
            cures.insert(0, f"a depth below {depth}")
        needs = f"expectimax to depth {depth} needs more than {nodes:,} positions here"
        return f"{self.game.name}: {needs}{why}; choose {', '.join(cures)}"

    def _call(self, kernel: Any, *args: Any) -> Any:
        return run_kernel(self.game, kernel, *args, interpreted=self.interpreted)
