"""What thinks behind the Gomocup protocol: stones in, a cell out, in time, also while the kernels still compile."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Any

import numpy as np

from boardwright.contract.errors import InputError
from boardwright.contract.position import Position
from boardwright.contract.state import States, copy_record
from boardwright.engine.instant_move import reflex
from boardwright.games.built_in import speaking
from boardwright.games.load import load
from boardwright.players import Control, PlayerSpec, Progress, player
from boardwright.players.mcts import SearchPlayer
from boardwright.registry import find
from boardwright.search.search import seconds_for
from boardwright.search.settings import SearchSettings
from boardwright.search.tree import Tree

Stone = tuple[int, int, bool]  # column, row from the top, whether it is our own
SLOW_TRIES = 40  # of continuous fours while rules run in the plain interpreter, about a millisecond each
LEAST_SECONDS = 0.002  # of a search whose time is up
SLOW_SECONDS = 0.3  # that a move takes there, with room to spare


@dataclass
class Board:
    """Size, rule and stones in the order in which they came."""

    width: int
    height: int
    exactly: bool = False
    stones: list[Stone] = field(default_factory=list)

    @property
    def game(self) -> Any:
        """The rules; refused with the reason if there is no such board."""
        return game_of(self.width, self.height, self.exactly)

    def occupied(self, x: int, y: int) -> bool:
        return any((x, y) == stone[:2] for stone in self.stones)

    @property
    def is_full(self) -> bool:
        return len(self.stones) >= self.width * self.height


@lru_cache(maxsize=64)
def game_of(width: int, height: int, exactly: bool) -> Any:
    """Named as everybody names it, so that kernels compiled elsewhere serve here too."""
    return load(_spoken(), size=width, rows=0 if width == height else height, exactly=exactly)


@cache
def _spoken() -> str:
    """The built-in game that managers of this protocol play."""
    return next(iter(speaking("piskvork")))


class Kernels:
    """Compiles, or loads from the cache, the kernels of one game in the background. A board that was never played on
    this machine takes some ten seconds; until then moves come from the rules in the plain interpreter."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self._ready = threading.Event()
        threading.Thread(target=self._prepare, name="kernels", daemon=True).start()

    def _prepare(self) -> None:
        warm_up(self.game)
        self._ready.set()

    @property
    def ready(self) -> bool:
        return self._ready.is_set()

    def wait(self, seconds: float) -> None:
        self._ready.wait(seconds)


def warm_up(game: Any) -> None:
    """Run everything once that a move will need."""
    settings = SearchSettings(simulations=8)
    player = searcher(game, settings)
    position = game.begin()
    for _ in range(2):
        position = position.play(player.choose(position).move)
    player.choose(position.play(position.moves[0]))


def searcher(game: Any, settings: SearchSettings) -> SearchPlayer:
    """A search with the value that comes with Boardwright for this board and rule at its leaves, if there is one."""
    if find("models", "shipped value")(game, "value") is None:
        return SearchPlayer(game, "mcts", settings)
    names = ("simulations", "seconds", "threads", "megabytes", "seed")
    asked = {name: str(getattr(settings, name)) for name in names if getattr(settings, name)}
    found = player(PlayerSpec("mcts", {"value": "auto", **asked}), game)
    assert isinstance(found, SearchPlayer)
    return found


class Thinker:
    """One game's thoughts. `stop` ends the present one early; `best_so_far` may be asked from another thread."""

    def __init__(self, threads: int = 1, megabytes: float = 350.0, seed: int = 0) -> None:
        self.settings = SearchSettings(seconds=1.0, threads=threads, megabytes=megabytes, seed=seed)
        self.stop = threading.Event()
        self._kernels: dict[str, Kernels] = {}
        self._player: SearchPlayer | None = None
        self._position: Position | None = None
        self._growing: Tree | None = None  # by the search of `_position`, as far as it has told
        self._moves: list[tuple[int, int]] = []  # (cell, who) that led to _position

    def prepare(self, board: Board, wait: float) -> None:
        """Get ready for such boards; come back when that is done, or after `wait` seconds."""
        self._kernels_of(board.game).wait(wait)

    def configure(self, **changes: Any) -> None:
        """New settings, such as threads and megabytes; the tree is forgotten."""
        self.settings = replace(self.settings, **changes)
        self._player = None

    def forget(self) -> None:
        """A new game begins."""
        self._player, self._position, self._growing = None, None, None

    def begin(self) -> None:
        """A new thought is about to begin: nobody stops it yet, and what the last one found is of another position."""
        self.stop.clear()
        self._growing = None

    def think(self, board: Board, deadline: float) -> tuple[int, int]:
        """Our move, (x, y), thought about until time.monotonic() reaches `deadline` or `stop` is set."""
        game = board.game
        if not board.stones:
            return (board.width - 1) // 2, (board.height - 1) // 2
        kernels = self._kernels_of(game)
        self._await(kernels, deadline - SLOW_SECONDS)
        if not kernels.ready:
            return self._slowly(board, game, deadline)
        position = self._reach(board, game)
        if position.is_over:
            return quickly(board)
        if self._player is None or self._player.game is not game:
            self._player = searcher(game, self.settings)

        def report(progress: Progress) -> None:
            self._growing = progress.trees[0]
            if len(self._growing.children()) == 1:
                control.stop()  # there is no choice

        control = Control(self.stop.is_set, report)
        self._player.allow(seconds_for(max(deadline - time.monotonic(), LEAST_SECONDS)))
        move = self._player.choose(position, control).move
        return move % board.width, move // board.width

    def _await(self, kernels: Kernels, until: float) -> None:
        """Time that we may think is best spent waiting for the compiler: a short game would end before it."""
        while not kernels.ready and not self.stop.is_set() and time.monotonic() < until:
            kernels.wait(0.02)

    def best_so_far(self, board: Board) -> tuple[int, int]:
        """What a search that is still running would play now; a reflex if it does not know yet."""
        tree = self._growing
        if tree is not None and len(tree.children()) > 0:
            best = max(tree.children(), key=lambda child: int(tree.slots["visits"][child]))
            move = int(tree.slots["move"][best])
            if not board.occupied(move % board.width, move // board.width):
                return move % board.width, move // board.width
        return quickly(board)

    # Positions

    def _kernels_of(self, game: Any) -> Kernels:
        if str(game) not in self._kernels:
            self._kernels[str(game)] = Kernels(game)
        return self._kernels[str(game)]

    def _reach(self, board: Board, game: Any) -> Position:
        """The position, by moves from the last one if they lead there, so that the search finds its tree again."""
        moves = colours(board)
        known = len(self._moves)
        fits = self._position is not None and self._position.game is game and moves[:known] == self._moves
        in_turn = all(who == (known + i) % 2 for i, (_, who) in enumerate(moves[known:]))
        if fits and in_turn and self._position is not None and len(moves) - known <= 4:
            position = self._position
            for cell, _ in moves[known:]:
                if position.is_over:
                    break
                position = position.play(cell)
        else:
            position = set_up(game, moves)
        self._position, self._moves = position, moves
        return position

    def _slowly(self, board: Board, game: Any, deadline: float) -> tuple[int, int]:
        """A move without kernels: a win by fours, else what the greedy policy likes among the answers to one."""
        fallback = quickly(board)
        moves = colours(board)
        record = copy_record(set_up(game, moves).record)
        rules, s = game.interpreted, States(record)[0]
        if self.stop.is_set() or time.monotonic() >= deadline - SLOW_SECONDS / 3 or rules.player(s) < 0:
            return fallback
        line, legal = np.zeros(game.actions, np.int32), np.zeros(game.actions, np.int32)
        if rules.winning(s, line, SLOW_TRIES):
            return int(line[0]) % board.width, int(line[0]) // board.width
        count = rules.legal(s, legal)
        if time.monotonic() < deadline:
            count = rules.answers(s, legal, count, line, SLOW_TRIES)
        if time.monotonic() >= deadline:
            return fallback
        weights = np.zeros(game.actions)
        rules.greedy(s, legal.tolist(), count, weights)
        move = int(legal[int(np.argmax(weights[:count]))])
        return move % board.width, move // board.width


def colours(board: Board) -> list[tuple[int, int]]:
    """(cell, who): the number of stones says whose turn it is, which is ours; so our colour follows from it."""
    us = len(board.stones) & 1
    return [(y * board.width + x, us if own else 1 - us) for x, y, own in board.stones]


def set_up(game: Any, moves: Sequence[tuple[int, int]]) -> Position:
    """A position from stones of any number and order."""
    record = np.zeros(1, game.state_dtype)
    s = States(record)[0]
    game.interpreted.start(s)
    for cell, who in moves:
        game.interpreted.put(s, cell, who + 1)
    return Position(game, record)


def quickly(board: Board) -> tuple[int, int]:
    """A move within a few milliseconds; only asked for where there is an empty cell."""
    stones = {(x, y): 1 if own else 2 for x, y, own in board.stones}
    found = reflex(stones, board.width, board.height, board.exactly)
    if found is None:
        raise InputError("the board is full")
    return found
