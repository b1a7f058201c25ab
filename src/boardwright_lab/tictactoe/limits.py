"""What can be got out of an opponent that plays by a fixed rule: exact, by dynamic programming over all positions.

An opponent of that kind is chance with known odds, so every position has a probability of winning and one of losing,
found from the positions after it. Fractions, not floats: a tie is a tie.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from boardwright.contract.game import Game
from boardwright.contract.position import Position

Replies = Callable[[Position], list[Fraction]]  # how likely each of position.moves is


@dataclass(frozen=True)
class Odds:
    """How a game ends for one player, both sides playing by their rules: probabilities."""

    win: Fraction
    loss: Fraction

    @property
    def draw(self) -> Fraction:
        return 1 - self.win - self.loss


Wish = Callable[[Odds], tuple[Fraction, ...]]  # the larger, the better


def by_policy(name: str) -> Replies:
    """`random`, or one of the game's policies: the moves that it likes best, each as likely as the other."""

    def replies(position: Position) -> list[Fraction]:
        if name == "random":
            return [Fraction(1, len(position.moves))] * len(position.moves)
        weights = position.weigh(name.replace("-", "_"))
        best = weights == weights.max()
        return [Fraction(int(liked), int(best.sum())) for liked in best]

    return replies


def careful(one: Odds) -> tuple[Fraction, ...]:
    """Lose as seldom as can be; among moves that agree in this, win as often as can be."""
    return -one.loss, one.win


def daring(one: Odds) -> tuple[Fraction, ...]:
    """Win as often as can be, at any risk."""
    return (one.win,)


def odds(game: Game, seat: int, opponent: Replies, own: Replies | None = None, wish: Wish = careful) -> Odds:
    """How games end for the player in `seat` against `opponent`. It plays by `own`; without one it knows its opponent
    and plays what is best by its `wish`."""
    known: dict[bytes, Odds] = {}

    def at(position: Position) -> Odds:
        stones = position.record["cells"].tobytes()
        if stones not in known:
            known[stones] = _ended(position) or _of_moves(position)
        return known[stones]

    def _ended(position: Position) -> Odds | None:
        if position.results is None:
            return None
        return Odds(Fraction(position.results[seat] > 0), Fraction(position.results[seat] < 0))

    def _of_moves(position: Position) -> Odds:
        after = [at(position.play(move)) for move in position.moves]
        mine = position.player == seat
        if mine and own is None:
            return max(after, key=wish)
        rule = own if mine and own is not None else opponent
        return _mean(after, rule(position))

    return at(game.begin())


def _mean(after: list[Odds], likely: list[Fraction]) -> Odds:
    pairs = list(zip(after, likely, strict=True))
    return Odds(
        sum((one.win * chance for one, chance in pairs), Fraction(0)),
        sum((one.loss * chance for one, chance in pairs), Fraction(0)),
    )
