"""A player on boards that are one number, by the kernels that the game brings."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.learn.tuples.board_kit import board_kit
from boardwright.players.control import Control, Progress
from boardwright.players.many import Chooser, Games, Told, chooser_by_state
from boardwright.players.player import Player
from boardwright.search.choice import Choice
from boardwright.search.stopping import STOPPED, Pace, Stopping

MOST_PLIES = 16
FIRST_SLICE, SLICE = 1_000, 20_000  # positions between two looks at the clock, at first and at most


class BoardPlayer(Player):
    """Expectimax of some plies, or of as many as there is time for. `settings`: plies, seconds and megabytes as a
    spec has them; `plies` decided; `downgrade`: from this tile on boards are judged with large tiles halved."""

    def __init__(
        self,
        game: Game,
        spec: str,
        settings: Any,
        evaluator: Any,
        learned: npt.NDArray[np.float32],
        plies: int,
        downgrade: int,
    ) -> None:
        self.game, self.spec, self.settings = game, spec, settings
        self.evaluator, self.learned, self.smallest = evaluator, learned, downgrade.bit_length() - 1
        self.plies = MOST_PLIES if settings.seconds and not settings.plies else plies
        self.kit = kit = board_kit(game)
        self.four = kit.odds(game)
        self._tiles = np.zeros(16, np.int64)
        self._afters, self._points = np.zeros(4, np.uint64), np.zeros(4, np.int64)
        self._pace = Pace(FIRST_SLICE, SLICE)
        self._lookahead = kit.new_lookahead(settings.megabytes, MOST_PLIES)

    def forget(self) -> None:
        self._lookahead.memory[:] = np.zeros(1, self._lookahead.memory.dtype)

    def choose(self, position: Position, control: Control | None = None) -> Choice:
        self.needs_to_move(position)
        began = time.perf_counter()
        deadline = began + self.settings.seconds if self.settings.seconds else float("inf")
        kit = self.kit
        self._tiles[:] = position.view.cells
        moving = kit.seen_slides(self._tiles, kit.row_tables(), self.smallest, self._afters, self._points)
        moves = [move for move in range(4) if moving >> move & 1]
        nodes, plies = 0, 1 if self.settings.seconds else self.plies

        def stopping() -> bool:
            looked = nodes + int(self._lookahead.progress["nodes"][0])
            return control is not None and control.poll(lambda: Progress(looked, time.perf_counter() - began))

        worth = self._values(moves, plies, stopping)
        nodes += int(self._lookahead.progress["nodes"][0])
        if worth is None:  # stopped: one ply is a matter of microseconds
            plies = 1
            worth = self._values(moves, plies, lambda: False)
            assert worth is not None
        while plies < self.plies and self.settings.seconds and time.perf_counter() < deadline and not stopping():
            deeper = self._values(moves, plies + 1, lambda: stopping() or time.perf_counter() >= deadline)
            nodes += int(self._lookahead.progress["nodes"][0])
            if deeper is None:
                break
            worth, plies = deeper, plies + 1
        notes = [f"{plies} plies"] if self.settings.seconds else []
        if control is not None and control.stopping:
            notes.append(STOPPED)
        move = max(moves, key=worth.__getitem__)  # the first of equals
        return Choice(
            move,
            value=(position.scores[0] + worth[move],),
            values={one: position.scores[0] + worth[one] for one in moves},
            line=(move,),
            simulations=nodes,
            seconds=time.perf_counter() - began,
            note=", ".join(notes),
        )

    def chooser(self) -> Chooser | None:
        """Of one ply: further ones remember positions, and what they count depends on what came before."""
        kit, score = self.kit, self.game.state_dtype.names is not None and "score" in self.game.state_dtype.names
        if self.plies != 1 or self.settings.seconds or not score:
            return None
        reach = kit.Reach(1, self.four, self.smallest)
        shifts, one_by_one = np.arange(0, 64, 4, dtype=np.uint64), chooser_by_state(self)

        def choose(games: Games, picked: Any, told: Told) -> None:
            states = games.states
            cells = states["cells"][picked]
            small, large = picked, picked[:0]
            if cells.max() > kit.LARGEST:  # tiles that no such board can hold
                fits = (cells <= kit.LARGEST).all(axis=1)
                small, large, cells = picked[fits], picked[~fits], cells[fits]
            one_by_one(games, large, told)
            boards = (cells.astype(np.uint64) << shifts).sum(axis=1, dtype=np.uint64)
            kit.search_slides(
                self.evaluator, self.learned, kit.row_tables(), self._lookahead, boards, reach, small, told
            )
            told.values[small] += states["score"][small]

        return choose

    def _values(self, moves: list[int], plies: int, stopping: Stopping) -> dict[int, float] | None:
        """What each slide brings from here on, looked at for `plies`; None if `stopping` said so before."""
        kit, found = self.kit, dict[int, float]()
        stack, progress = self._lookahead.stack, self._lookahead.progress
        progress["nodes"] = 0
        for move in moves:
            stack["after"][0] = self._afters[move]
            stack["plies"][0], stack["tile"][0], progress["level"][0] = plies - 1, -1, 0
            while True:
                began, size = time.perf_counter(), self._pace.size
                if kit.expect(self.evaluator, self.learned, kit.row_tables(), self._lookahead, self.four, size):
                    break
                self._pace.took(time.perf_counter() - began, size)
                if stopping():
                    return None
            found[move] = float(self._points[move]) + float(progress["value"][0])
        return found
