"""Players by n-tuple tables: `tuples` for any grid game, on bitboards where the game has them; and `heuristic`, which
is for such games only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.learn.tuples.board_kit import board_kit, served
from boardwright.learn.tuples.board_player import MOST_PLIES, BoardPlayer
from boardwright.learn.tuples.store import load_tables
from boardwright.players.control import Control
from boardwright.players.expectimax import choose_by_expectimax
from boardwright.players.player import Player
from boardwright.search.choice import Choice
from boardwright.search.exact.expectimax import Expectimax, ExpectimaxSettings


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
    if tables.on_bitboards:
        return BoardPlayer(game, spec, settings, tables, learned, settings.plies or 1, settings.downgrade)
    if settings.seconds:
        raise InputError(f"{game.name}: tuples with seconds= is for {served()}; choose plies= here")
    tables.__dict__["learned"] = learned  # in the place of the cached property that every evaluator has
    return GridPlayer(game, spec, settings, tables)


def heuristic_player(game: Game, spec: str, settings: HeuristicSettings) -> Player:
    """The player of a spec `heuristic:...`."""
    kit = board_kit(game)
    if kit is None:
        raise InputError(f"{game.name}: the player heuristic is for {served()}; here there are expectimax and mcts")
    evaluator, numbers = kit.heuristic()
    return BoardPlayer(game, spec, settings, evaluator, numbers, settings.plies or 2, 1 << kit.LARGEST)


class GridPlayer(Player):
    """Looks `plies` moves ahead in any game and values what it finds by tables."""

    def __init__(self, game: Game, spec: str, settings: TuplePlayerSettings, tables: Any) -> None:
        self.game, self.spec = game, spec
        own = ExpectimaxSettings(depth=settings.plies or 1, megabytes=settings.megabytes)
        self.expectimax = Expectimax(game, own, tables)

    def forget(self) -> None:
        self.expectimax.forget()

    def choose(self, position: Position, control: Control | None = None) -> Choice:
        return choose_by_expectimax(self, self.expectimax, position, control, lambda equals: 0)
