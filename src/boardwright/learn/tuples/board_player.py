"""A player on boards that are one number, by the kernels that the game brings."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.learn.tuples.board_kit import board_kit
from boardwright.players.player import Player
from boardwright.search.choice import Choice

MOST_PLIES = 16
SLICE = 20_000  # positions between two looks at the clock


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
        self._stack, self._notes = np.zeros(MOST_PLIES + 1, kit.FRAME), np.zeros(1, kit.NOTE)
        self._afters, self._points = np.zeros(4, np.uint64), np.zeros(4, np.int64)
        self.memory = kit.new_memory(settings.megabytes)

    def forget(self) -> None:
        self.memory[:] = np.zeros(1, self.memory.dtype)

    def choose(self, position: Position) -> Choice:
        self.needs_to_move(position)
        began = time.perf_counter()
        deadline = began + self.settings.seconds if self.settings.seconds else float("inf")
        kit = self.kit
        cells = list(position.view.cells)
        seen = kit.halved(cells, self.smallest)
        board = np.uint64(kit.board_of(seen))
        kit.all_slides(board, kit.row_tables(), self._afters, self._points)
        moves = [move for move in range(4) if self._afters[move] != board]
        if seen == cells:  # a slide may make the first tile that calls for halving
            for move in moves:
                self._afters[move] = kit.board_of(kit.halved(kit.cells_of(int(self._afters[move])), self.smallest))
        nodes, plies = 0, 1 if self.settings.seconds else self.plies
        worth = self._values(moves, plies, float("inf"))
        nodes += int(self._notes["nodes"][0])
        assert worth is not None
        while plies < self.plies and time.perf_counter() < deadline:
            deeper = self._values(moves, plies + 1, deadline)
            nodes += int(self._notes["nodes"][0])
            if deeper is None:
                break
            worth, plies = deeper, plies + 1
        move = max(moves, key=worth.__getitem__)  # the first of equals
        return Choice(
            move,
            value=(position.scores[0] + worth[move],),
            values={one: position.scores[0] + worth[one] for one in moves},
            line=(move,),
            simulations=nodes,
            seconds=time.perf_counter() - began,
            note=f"{plies} plies" if self.settings.seconds else "",
        )

    def _values(self, moves: list[int], plies: int, deadline: float) -> dict[int, float] | None:
        """What each slide brings from here on, looked at for `plies`; None if time ran out before."""
        found: dict[int, float] = {}
        self._notes["nodes"] = 0
        for move in moves:
            self._stack["after"][0] = self._afters[move]
            self._stack["plies"][0], self._stack["tile"][0], self._notes["level"][0] = plies - 1, -1, 0
            while not self.kit.expect(
                self.evaluator, self.learned, self.kit.row_tables(), self.memory, self._stack, self._notes, self.four,
                SLICE,
            ):  # fmt: skip
                if time.perf_counter() >= deadline:
                    return None
            found[move] = float(self._points[move]) + float(self._notes["value"][0])
        return found
