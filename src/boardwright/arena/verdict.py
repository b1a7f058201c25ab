"""What a judge says of one decision, and how far it may be wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import variance

from boardwright.arena.intervals import normal_quantile, student_quantile
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.players import Choice

FEW_VISITS = 16  # a value from fewer visits is no value

Values = tuple[float, ...]  # values[i] is player i's


@dataclass(frozen=True)
class Verdict:
    """What is known of one decision. All figures are the mover's: points, or results from -1 to 1."""

    best: int  # the best move found; the move made, if nothing better was
    loss: float  # best rival's value minus that of the move made: below 0 if the move made looks better
    error: float  # standard error of `loss`; 0 where the rules decide
    factor: float  # how many errors each way hold 95 % of what the loss may be
    liked: bool = False  # the move made is the judge's own choice
    line: tuple[int, ...] = ()  # what was expected to follow, `best` first

    @property
    def low(self) -> float:
        return self.loss - self.factor * self.error

    @property
    def high(self) -> float:
        return self.loss + self.factor * self.error

    @property
    def sure(self) -> bool:
        """Whether something was lost: more than the error."""
        return self.low > 0.0


@dataclass
class Decision:
    """One move of the game, and what the judge has found out about it."""

    index: int  # in the line of positions
    position: Position
    move: int
    rounds: int = 0
    rival: int = -1  # the best other move
    pairs: dict[int, dict[int, list[float]]] = field(default_factory=dict)  # rival -> level -> differences
    early: list[float] = field(default_factory=list)  # differences at half the thought, from choosing the rival
    exact: bool = False  # the rules decide: nothing is left to find out
    liked: bool = False
    lines: dict[int, tuple[int, ...]] = field(default_factory=dict)  # best move -> how it may go on


@dataclass(frozen=True)
class Compared:
    """One move of a position beside the best of them."""

    value: float  # to the player who moves
    loss: float  # the best move's value minus this one's, by looks in pairs
    error: float  # standard error of `loss`; 0 where the rules decide
    factor: float  # how many errors each way hold 95 %
    value_error: float = 0.0  # standard error of `value`


@dataclass(frozen=True)
class Look:
    """One answer of the player. `exact`: the rules decide, draws apart."""

    values: Values
    exact: bool


def opposed(game: Game) -> bool:
    """Whether one player's gain is the other's loss."""
    return bool(game.players == 2 and not game.counts_points)


def value_of(position: Position, choice: Choice) -> Values:
    """What each player can expect by a player's choice."""
    assert choice.value is not None
    mover = position.player
    # The best of many moves, each tried a few times, is mostly the luckiest: the mean over all tries is nearer.
    tried = choice.visits.get(choice.move, FEW_VISITS) >= FEW_VISITS or decided(choice)
    best = choice.values.get(choice.move, choice.value[mover]) if tried else choice.value[mover]
    if opposed(position.game):
        return (best, -best) if mover == 0 else (-best, best)
    return tuple(best if i == mover else value for i, value in enumerate(choice.value))


def decided(choice: Choice) -> bool:
    return "proven" in choice.note or choice.note.startswith("solved")


def interval_factor(freedom: int) -> float:
    return student_quantile(freedom) if freedom > 0 else 4.0 * normal_quantile()


def squared_error(differences: Sequence[float]) -> float:
    """The squared standard error of a mean."""
    return variance(differences) / len(differences) if len(differences) > 1 else 0.0
