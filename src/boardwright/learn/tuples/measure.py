"""Figures of players on bitboards: how strong (whole games inside kernels), and how fast training is."""

from __future__ import annotations

import os
import platform
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from boardwright.arena.intervals import Estimate, mean, wilson
from boardwright.arena.pairing import derive
from boardwright.compile.td_steps import FRESH, MOVES, SUM
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.random import Random
from boardwright.learn.tuples.board_kit import board_kit
from boardwright.learn.tuples.board_player import BoardPlayer
from boardwright.learn.tuples.settings import TupleSettings
from boardwright.learn.tuples.train import TupleLearner
from boardwright.players.kinds import player

SLICE = 200  # moves between two looks at a wish to stop


@dataclass(frozen=True)
class TileGame:
    """One finished game. cut: it ended before what a bitboard cannot hold."""

    number: int
    score: int
    largest: int  # tile
    moves: int
    cut: bool


@dataclass(frozen=True)
class TileFigures:
    """What a player reached."""

    spec: str
    games: tuple[TileGame, ...]
    seconds: float
    wanted: int  # games that were asked for
    tiles: tuple[int, ...]  # that are worth telling

    @property
    def score(self) -> Estimate:
        return mean([float(one.score) for one in self.games])

    def reached(self, tile: int) -> Estimate:
        """The share of games that reached a tile at least so large."""
        return wilson(sum(one.largest >= tile for one in self.games), len(self.games))

    def to_dict(self) -> dict[str, Any]:
        return {
            "player": self.spec,
            "games": len(self.games),
            "mean": self.score.to_dict(),
            "best": max(one.score for one in self.games),
            "reached": {str(tile): self.reached(tile).to_dict() for tile in self.tiles},
            "moves": sum(one.moves for one in self.games),
            "cut": sum(one.cut for one in self.games),
            "seconds": self.seconds,
            "scores": [one.score for one in self.games],
        }


def measure_tiles(
    game: Game, spec: str, games: int, seed: int, threads: int, tell: Callable[[str], None] = lambda text: None
) -> TileFigures:
    """Whole games of a `tuples` or `heuristic` player: the very games that `match` with this seed would play. Ctrl-C
    ends it with the games that are finished."""
    check_measurable(game, spec)
    began, stop = time.monotonic(), threading.Event()
    done: list[TileGame] = []
    with ThreadPoolExecutor(threads) as pool:
        waiting = [pool.submit(play_one, game, spec, number, seed, stop) for number in range(games)]
        try:
            for future in as_completed(waiting):
                played = future.result()
                assert played is not None
                done.append(played)
                scores = sum(one.score for one in done) / len(done)
                left = (time.monotonic() - began) / len(done) * (games - len(done))
                tell(f"{len(done)} of {games} games, mean {scores:,.0f}, {left:.0f} s left")
        except KeyboardInterrupt:
            pass
        finally:
            stop.set()  # games in work end at their next slice
            pool.shutdown(cancel_futures=True)
    finished = tuple(sorted(done, key=lambda one: one.number))
    return TileFigures(spec, finished, time.monotonic() - began, games, board_kit(game).MILESTONES)


def check_measurable(game: Game, spec: str) -> None:
    """Say now, not after the games of those before it, that a player cannot be measured so."""
    first = player(spec, game)
    if not isinstance(first, BoardPlayer):
        raise InputError(f"{spec}: only players on bitboards can be measured so: tuples, heuristic; use match")
    if first.settings.seconds:
        raise InputError(f"{spec}: games here have no clock; say plies= instead of seconds=, or use match")


def play_one(game: Game, spec: str, number: int, seed: int, stop: threading.Event) -> TileGame | None:
    """Game number `number` of the match of this seed; None if somebody stopped it."""
    if stop.is_set():
        return None
    who = player(spec, game)
    assert isinstance(who, BoardPlayer)
    kit = who.kit
    states = np.zeros(1, kit.GAME)
    states["luck"] = np.uint64(Random(derive(seed, "luck", number)).bits())
    lookahead, rng = kit.new_lookahead(who.settings.megabytes, who.plies), np.zeros(1, np.uint64)
    reach = kit.Reach(who.plies, who.four, who.smallest)
    while not kit.play_on(who.evaluator, who.learned, kit.row_tables(), lookahead, reach, states, rng, SLICE):
        if stop.is_set():
            return None
    end = states[0]
    largest = 1 << max(kit.cells_of(int(end["board"])))
    return TileGame(number, int(end["score"]), largest, int(end["moves"]), int(end["over"]) == 2)


@dataclass(frozen=True)
class SpeedFigures:
    """Training speed here."""

    machine: str
    patterns: str
    rule: str
    moves_per_second: float  # of one thread, a second of its CPU time; the median of the rounds
    rounds: tuple[float, ...]
    mean_score: float  # of the games behind the last round: speed falls as a table fills


def measure_training(
    game: Game, patterns: str, rule: str, warm_up: int, rounds: int, tell: Callable[[str], None] = lambda text: None
) -> SpeedFigures:
    """Moves that one thread learns from in a second, after `warm_up` games: an empty table tells another speed."""
    settings = TupleSettings(patterns=patterns, rule=rule, alpha=1.0 if rule == "tc" else 0.1, games=warm_up * 10)
    learner = TupleLearner(game, settings, seed=1)
    worker = learner.workers[0]
    worker.learn(1.0, 1)
    for done in range(0, warm_up, 100):
        tell(f"{patterns} {rule}: warming up, {done} of {warm_up} games")
        worker.learn(1.0, 100)
    found = []
    score = 0.0
    for number in range(rounds):
        tell(f"{patterns} {rule}: round {number + 1} of {rounds}")
        worker.stats[:] = 0.0
        began = time.thread_time()
        worker.learn(1.0, 200)
        found.append(float(worker.stats[MOVES]) / (time.thread_time() - began))
        score = float(worker.stats[SUM] / worker.stats[FRESH])
    return SpeedFigures(machine_name(), patterns, rule, median(found), tuple(found), score)


def machine_name() -> str:
    """The processor, as far as the system tells, and how many of it there are."""
    name = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            if line.startswith("model name"):
                name = line.partition(":")[2].strip()
                break
    except OSError:
        pass
    return f"{name}, {os.cpu_count()} cores"
