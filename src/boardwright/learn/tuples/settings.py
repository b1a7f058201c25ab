"""The settings of a training of n-tuple tables, and their presets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.learn.tuples.board_kit import board_kit, own_kit
from boardwright.learn.tuples.patterns import grid_of

RULES = ("tc", "td")


@dataclass(frozen=True)
class TupleSettings:
    """How to learn n-tuple tables."""

    patterns: str = "auto"  # 4x6, 4x5, 5x4, 8x6 (2048 on 4x4); linesK, all-RxC, cells (joined by +) for any grid
    games: int = 100_000  # to learn from, restarts included
    rule: str = "tc"  # tc: steps by temporal coherence; td: all alike
    alpha: float = 1.0  # size of a step: 1 for tc, 0.1 for td
    trace: float = 0.5  # lambda, 0 to 1: how much of a target is what followed, rather than the next value
    restart: int = 0  # a game at least so long is taken up again from its middle; 0: never
    explore: float = 0.0  # share of moves at random: for games without chance
    tail: float = 0.25  # share of the games (or of --minutes), at the end, over which steps shrink
    tail_alpha: float = 0.02  # the share of alpha that is left at the very end
    threads: int = 1  # side by side over one table, without locks; only one gives the same result every time
    test_games: int = 200  # games without learning at each of the curve's points
    test_points: int = 20  # points of the curve
    checkpoint_minutes: float = 5.0  # between checkpoints

    MAY_CHANGE: ClassVar[tuple[str, ...]] = ("games", "threads", "checkpoint_minutes")

    def __post_init__(self) -> None:
        _need(self.games >= 1, f"games={self.games} must be 1 or more")
        _need(self.rule in RULES, f"rule={self.rule} does not exist; there are {', '.join(RULES)}")
        _need(0.0 < self.alpha <= 10.0, f"alpha={self.alpha} must lie above 0, up to 10")
        for name in ("trace", "explore", "tail", "tail_alpha"):
            _need(0.0 <= getattr(self, name) <= 1.0, f"{name}={getattr(self, name)} must be 0 to 1")
        _need(self.restart == 0 or self.restart >= 2, f"restart={self.restart} must be 0, or 2 or more")
        _need(1 <= self.threads <= 64, f"threads={self.threads} must be 1 to 64")
        _need(0 <= self.test_games <= 10**6, f"test_games={self.test_games} must be 0 to 1000000")
        _need(1 <= self.test_points <= 1000, f"test_points={self.test_points} must be 1 to 1000")
        _need(self.checkpoint_minutes >= 0.0, f"checkpoint_minutes={self.checkpoint_minutes} must be 0 or more")

    @classmethod
    def presets(cls, game: Game) -> dict[str, dict[str, object]]:
        """quick: a few minutes; lunch: about an hour on two cores; night."""
        kit = board_kit(game)
        if kit is not None:
            return dict(kit.PRESETS)
        own: dict[str, object] = {"alpha": 0.5, "test_games": 500}
        if not game.outcomes:
            own["explore"] = 0.1
        return {
            "quick": {**own, "games": 50_000},
            "lunch": {**own, "games": 2_000_000},
            "night": {**own, "games": 20_000_000},
        }

    def step_share(self, progress: float) -> float:
        """The share of alpha at a progress of 0 to 1: 1, in the tail falling in a straight line to tail_alpha."""
        left = (1.0 - progress) / self.tail if self.tail > 0.0 else 1.0
        return min(1.0, self.tail_alpha + (1.0 - self.tail_alpha) * max(left, 0.0))


def patterns_for(game: Game, named: str) -> str:
    """`auto` decided: what the game's own module says, else rectangles and lines that fit the board."""
    if named != "auto":
        return named
    kit = own_kit(game)
    if kit is not None:
        return str(kit.auto_patterns(game))
    grid = grid_of(game)
    shorter, longer = sorted((grid.rows, grid.columns))
    return f"all-{min(3, shorter)}x3" if longer <= 3 else f"all-{min(3, shorter)}x3+lines{min(longer, 5)}"


def _need(right: bool, message: str) -> None:
    if not right:
        raise InputError(f"method tuples: {message}")
