"""Players by n-tuple tables: `tuples` for any grid game, on bitboards where it is 2048; and `heuristic` for 2048."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.compile.kernel import kernel
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.games.twenty48.bitboard import LARGEST, board_of, cells_of, row_tables, slide
from boardwright.games.twenty48.bitsearch import MOST_PLIES, expect, new_lookahead
from boardwright.games.twenty48.heuristic import LaneOrder, lane_numbers
from boardwright.learn.tuples.store import load_tables
from boardwright.players.player import Player
from boardwright.search.choice import Choice
from boardwright.search.exact.expectimax import Expectimax, ExpectimaxSettings

SLICE = 20_000  # positions between two looks at the clock


@dataclass(frozen=True)
class TuplePlayerSettings:
    """How to play by tables."""

    table: str = "auto"  # a model file, a run's folder, or the name of a table that comes with Boardwright
    plies: int = 0  # moves to look ahead; 0: one, or with `seconds` as many as there is time for
    seconds: float = 0.0  # time a move: look one ply further until it is over
    megabytes: float = 32.0  # memory of positions that were looked at
    downgrade: int = 32768  # 2048: from this tile on, judge the board with tiles above the largest missing one halved

    def __post_init__(self) -> None:
        _check(self)


@dataclass(frozen=True)
class HeuristicSettings:
    """How far to look with hand-made values."""

    plies: int = 0  # slides to look ahead; 0: two, or with `seconds` as many as there is time for
    seconds: float = 0.0  # time a move: look one ply further until it is over
    megabytes: float = 32.0  # memory of positions that were looked at

    def __post_init__(self) -> None:
        _check(self)


def _check(settings: TuplePlayerSettings | HeuristicSettings) -> None:
    if not 0 <= settings.plies <= MOST_PLIES:
        raise InputError(f"plies={settings.plies} must be 0 to {MOST_PLIES}")
    if not 0.0 <= settings.seconds <= 1e6:
        raise InputError(f"seconds={settings.seconds} must be 0 to 1000000")
    if not 1.0 <= settings.megabytes <= 1e5:
        raise InputError(f"megabytes={settings.megabytes} must be 1 to 100000")
    tile = getattr(settings, "downgrade", 2)
    if tile < 2 or tile & (tile - 1):
        raise InputError(f"downgrade={tile} must be a tile: 2, 4, ... 32768, 65536")


def tuple_player(game: Game, spec: str, settings: TuplePlayerSettings) -> Player:
    """The player of a spec `tuples:...`."""
    tables, learned = load_tables(settings.table, game)
    if tables.on_bitboards and game.name == "2048":
        return BoardPlayer(game, spec, settings, tables, learned, settings.plies or 1, settings.downgrade)
    if settings.seconds:
        raise InputError(f"{game.name}: tuples with seconds= is for 2048 on 4x4; choose plies= here")
    tables.__dict__["learned"] = learned  # in the place of the cached property that every evaluator has
    return GridPlayer(game, spec, settings, tables)


def heuristic_player(game: Game, spec: str, settings: HeuristicSettings) -> Player:
    """The player of a spec `heuristic:...`."""
    if game.name != "2048" or game.options["size"] != 4:
        raise InputError(f"{game.name}: the player heuristic is for 2048 on 4x4; here there are expectimax and mcts")
    return BoardPlayer(game, spec, settings, LaneOrder(), lane_numbers(), settings.plies or 2, 1 << LARGEST)


class GridPlayer(Player):
    """Looks `plies` moves ahead in any game and values what it finds by tables."""

    def __init__(self, game: Game, spec: str, settings: TuplePlayerSettings, tables: Any) -> None:
        self.game, self.spec = game, spec
        own = ExpectimaxSettings(depth=settings.plies or 1, megabytes=settings.megabytes)
        self.expectimax = Expectimax(game, own, tables)

    def forget(self) -> None:
        self.expectimax.forget()

    def choose(self, position: Position) -> Choice:
        self.needs_to_move(position)
        began = time.perf_counter()
        vectors = self.expectimax.values(position)
        values = {move: float(vector[position.player]) for move, vector in vectors.items()}
        move = max(values, key=values.__getitem__)  # the first of equals
        line = (move, *self.expectimax.line(position.play(move)))
        return Choice(
            move, value=tuple(vectors[move].tolist()), values=values, line=line, seconds=time.perf_counter() - began
        )


@kernel
def all_slides(board: Any, rows: Any, afters: Any, points: Any) -> None:
    """Each slide's board (the same if nothing moves) and points."""
    for direction in range(4):
        afters[direction], points[direction] = slide(board, rows, direction)


class BoardPlayer(Player):
    """Plays 2048 on bitboards: expectimax of some plies, or of as many as there is time for."""

    def __init__(
        self,
        game: Game,
        spec: str,
        settings: TuplePlayerSettings | HeuristicSettings,
        evaluator: Any,
        learned: npt.NDArray[np.float32],
        plies: int,
        downgrade: int,
    ) -> None:
        self.game, self.spec, self.settings = game, spec, settings
        self.evaluator, self.learned, self.smallest = evaluator, learned, downgrade.bit_length() - 1
        self.plies = MOST_PLIES if settings.seconds and not settings.plies else plies
        self.four = float(game.options["four"])
        self._afters, self._points = np.zeros(4, np.uint64), np.zeros(4, np.int64)
        self._lookahead = new_lookahead(settings.megabytes)

    def forget(self) -> None:
        self._lookahead.memory[:] = np.zeros(1, self._lookahead.memory.dtype)

    def choose(self, position: Position) -> Choice:
        self.needs_to_move(position)
        began = time.perf_counter()
        deadline = began + self.settings.seconds if self.settings.seconds else float("inf")
        cells = list(position.view.cells)
        seen = halved(cells, self.smallest)
        board = np.uint64(board_of(seen))
        all_slides(board, row_tables(), self._afters, self._points)
        moves = [move for move in range(4) if self._afters[move] != board]
        if seen == cells:  # a slide may make the first tile that calls for halving
            for move in moves:
                self._afters[move] = board_of(halved(cells_of(int(self._afters[move])), self.smallest))
        nodes, plies = 0, 1 if self.settings.seconds else self.plies
        worth = self._values(moves, plies, float("inf"))
        nodes += int(self._lookahead.progress["nodes"][0])
        assert worth is not None
        while plies < self.plies and time.perf_counter() < deadline:
            deeper = self._values(moves, plies + 1, deadline)
            nodes += int(self._lookahead.progress["nodes"][0])
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
        stack, progress = self._lookahead.stack, self._lookahead.progress
        progress["nodes"] = 0
        for move in moves:
            stack["after"][0] = self._afters[move]
            stack["plies"][0], stack["tile"][0], progress["level"][0] = plies - 1, -1, 0
            while not expect(self.evaluator, self.learned, row_tables(), self._lookahead, self.four, SLICE):
                if time.perf_counter() >= deadline:
                    return None
            found[move] = float(self._points[move]) + float(progress["value"][0])
        return found


def halved(cells: Any, smallest: int) -> list[int]:
    """The cells (exponents, of any size) as `bitsearch.downgraded` sees a board; also where no nibble can hold them."""
    tiles = [int(tile) for tile in cells]
    while max(tiles) >= smallest:
        missing = next((tile for tile in range(max(tiles), 0, -1) if tile not in tiles), 0)
        if not missing:
            break
        tiles = [tile - 1 if tile > missing else tile for tile in tiles]
        if max(tiles) <= LARGEST:
            break
    return tiles
