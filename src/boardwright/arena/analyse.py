"""Luck and skill: what each draw and each move of a game was worth, adding up to its result.

V is what a player who searches thinks each player will get: at a decision, with the best move; at a draw, the mean over
what may be drawn, each as likely as it is; at the end, the result itself. At every draw

    luck = V after - V before,

and at every move, for whoever made it,

    V after - V before = - loss + change of mind,       loss = V with the best move - V with the move made, 0 or more.

The change of mind is the search's own: it looked again, one step later, and saw more. Sums telescope, so that for each
player

    result = V at the start + luck - own losses + what the others' moves gave + changes of mind

holds exactly, whatever the search is worth; a better search makes the last term small. Between two players with
opposite interests, what the other's moves gave is the sum of the other's losses.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from boardwright.arena.pairing import derive
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.players import Choice, Player

# Up to which loss a move has which label: in win probability; points, as a part of what the game was expected to bring
# at its start, are graded by the same table (PART_OF_POINTS).
LABELS = (("excellent", 0.02), ("good", 0.05), ("inaccuracy", 0.10), ("mistake", 0.20), ("blunder", math.inf))
PART_OF_POINTS = 0.25  # a loss of 2 % of a win is graded like one of 0.5 % of the points expected
FEW_VISITS = 16  # a value from fewer visits is no value
STILL_NEEDED = 200  # plies ahead: beyond the next decision, whose search may have been made already
LONGEST_RUN_SHOWN = 12  # draws of a run that are named

Values = tuple[float, ...]  # values[i] is player i's
Progress = Callable[[int, int], None]  # steps done, steps in all


@dataclass(frozen=True)
class Event:
    """One move, or one draw, or one run of draws without a move between."""

    ply: int  # number of the first ply, from 1
    kind: str  # "move" or "draw"
    text: str
    player: int  # who moved; -1 for chance
    before: Values
    after: Values
    luck: Values  # at a draw; zeros at a move
    loss: float  # at a move, the mover's; 0 at a draw
    best: str = ""  # the best move found
    label: str = ""
    line: tuple[str, ...] = ()  # what was expected to follow, the best move first


@dataclass(frozen=True)
class Account:
    """How one player's result came about: result = start + luck - losses + others + mind, up to rounding."""

    start: float
    luck: float
    losses: float
    others: float
    mind: float
    result: float

    @property
    def gap(self) -> float:
        """What does not add up: rounding."""
        return self.result - (self.start + self.luck - self.losses + self.others + self.mind)


@dataclass(frozen=True)
class Analysis:
    """A whole game, explained."""

    game: str
    players: tuple[str, ...]
    analyst: str
    is_over: bool
    unit: str  # "points", or "result" from -1 to 1
    events: tuple[Event, ...]
    accounts: tuple[Account, ...]  # one a player

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), indent=2, allow_nan=False)


@dataclass(frozen=True)
class Candidate:
    """One move, or one outcome of chance, at a position."""

    text: str
    value: float | None  # to the player to move; at a draw, to the first player
    loss: float | None  # at a draw: minus the luck
    label: str
    visits: int
    prior: float | None  # of an outcome: how likely it is


class Valuer:
    """Values positions with a player that searches. Each is asked afresh, so that the order of questions is nothing."""

    def __init__(self, player: Player, samples: int = 12, seed: int = 0) -> None:
        if samples < 1:
            raise InputError(f"samples={samples}; a run of draws needs 1 or more")
        self.player, self.samples, self.seed = player, samples, seed
        self._known: dict[bytes, Values] = {}
        self._choices: dict[bytes, Choice] = {}

    def choice(self, position: Position) -> Choice:
        """What the player would do, and why."""
        if position.key not in self._choices:
            self.player.forget()
            choice = self.player.choose(position)
            if choice.value is None:
                raise InputError(
                    f"{self.player.spec} does not value positions; analyse with a search, such as mcts:simulations=400"
                )
            self._choices[position.key] = choice
        return self._choices[position.key]

    def value(self, position: Position) -> Values:
        """V of the position, for each player."""
        if position.key not in self._known:
            self._known[position.key] = self._value(position)
        return self._known[position.key]

    def keep(self, positions: list[Position]) -> None:
        """Forget what was thought elsewhere: siblings by the thousand that the game did not go to. Values stay."""
        keys = {position.key for position in positions}
        self._choices = {key: choice for key, choice in self._choices.items() if key in keys}

    def _value(self, position: Position) -> Values:
        if position.results is not None:
            return position.results
        if position.is_chance:
            return self._expected(position)
        choice, mover = self.choice(position), position.player
        assert choice.value is not None
        # The best of many moves, each tried a few times, is mostly the luckiest: the mean over all tries is nearer.
        tried = choice.visits.get(choice.move, FEW_VISITS) >= FEW_VISITS or "proven" in choice.note
        best = choice.values.get(choice.move, choice.value[mover]) if tried else choice.value[mover]
        if opposed(position.game):
            return (best, -best) if mover == 0 else (-best, best)
        return tuple(best if i == mover else value for i, value in enumerate(choice.value))

    def _expected(self, position: Position) -> Values:
        after = [(position.draw(outcome), chance) for outcome, chance in position.chances]
        if not any(one.is_chance for one, _ in after):
            weighed = [(self.value(one), chance) for one, chance in after]
            return tuple(sum(values[i] * chance for values, chance in weighed) for i in range(position.game.players))
        # A run of draws has too many ends to value each: some are drawn, as likely as they are.
        rng = Random(derive(self.seed, position.key.hex()))
        ends = [self.value(position.settle(rng)) for _ in range(self.samples)]
        return tuple(fmean(values[i] for values in ends) for i in range(position.game.players))


def analyse(
    final: Position,
    player: Player,
    *,
    players: tuple[str, ...] = (),
    samples: int = 12,
    progress: Progress | None = None,
) -> Analysis:
    """Explain the game that led to `final`: every step of `final.line()`. `samples`: ends of a run of draws that are
    valued to know what it was expected to bring."""
    line = list(final.line())
    if len(line) < 2:
        raise InputError(f"{final.game.name}: nothing has been played yet; analyse the position itself")
    valuer = Valuer(player, samples)
    events: list[Event] = []
    start = valuer.value(line[0])
    at, before = 0, start
    while at + 1 < len(line):
        until = at + 1
        if line[at].is_chance:
            while line[until].is_chance and until + 1 < len(line):
                until += 1
        after = valuer.value(line[until])
        if line[at].is_chance:
            events.append(_draw(line, at, until, before, after))
        else:
            events.append(_move(line, at, before, after, valuer, start))
            valuer.keep(line[until : until + STILL_NEEDED])
        if progress:
            progress(until, len(line) - 1)
        at, before = until, after
    game = final.game
    names = players or tuple(f"player {i + 1}" for i in range(game.players))
    accounts = tuple(_account(game, i, start, before, events) for i in range(game.players))
    unit = "points" if game.counts_points else "result"
    return Analysis(str(game), names, player.spec, final.is_over, unit, tuple(events), accounts)


def analyse_position(position: Position, player: Player, *, samples: int = 12) -> tuple[Values, list[Candidate]]:
    """V of one position, and its moves or outcomes, best first."""
    valuer = Valuer(player, samples)
    if position.is_over:
        raise InputError(f"{position.game.name}: the game is over; there is nothing to choose")
    value = valuer.value(position)
    if position.is_chance:
        found = []
        for outcome, chance in position.chances:
            after = valuer.value(position.draw(outcome))[0]
            found.append(Candidate(position.text(outcome), after, value[0] - after, "", 0, chance))
        return value, sorted(found, key=lambda one: -(one.value or 0.0))
    choice, mover = valuer.choice(position), position.player
    ranked = sorted(position.moves, key=lambda move: (move != choice.move, -choice.visits.get(move, 0)))
    candidates = []
    for move in ranked:
        visits, own = choice.visits.get(move, 0), choice.values.get(move)
        loss = None if own is None else max(0.0, value[mover] - own)
        sure = loss is not None and visits >= FEW_VISITS
        name = "best" if move == choice.move else label(position.game, loss or 0.0, value[mover]) if sure else "unsure"
        candidates.append(Candidate(position.text(move), own, loss, name, visits, choice.priors.get(move)))
    return value, candidates


def label(game: Game, loss: float, expected_points: float) -> str:
    """What to call a loss. Of a result (-1 to 1), half is win probability; points go by `expected_points`."""
    part = loss / (PART_OF_POINTS * max(abs(expected_points), 1.0)) if game.counts_points else loss / 2
    return next(name for name, most in LABELS if part <= most)


def opposed(game: Game) -> bool:
    """Whether one player's gain is the other's loss."""
    return bool(game.players == 2 and not game.counts_points)


def _draw(line: list[Position], at: int, until: int, before: Values, after: Values) -> Event:
    names = [line[i].text(step) for i in range(at, until) if (step := line[i + 1].step) is not None]
    more = f" and {len(names) - LONGEST_RUN_SHOWN} more" if len(names) > LONGEST_RUN_SHOWN else ""
    return Event(
        ply=at + 1,
        kind="draw",
        text=" ".join(names[:LONGEST_RUN_SHOWN]) + more,
        player=-1,
        before=before,
        after=after,
        luck=tuple(b - a for a, b in zip(before, after, strict=True)),
        loss=0.0,
    )


def _move(line: list[Position], at: int, before: Values, after: Values, valuer: Valuer, start: Values) -> Event:
    position, step = line[at], line[at + 1].step
    assert step is not None
    choice, mover = valuer.choice(position), position.player
    seen = choice.visits.get(step, 0)
    if step == choice.move:
        loss, name = 0.0, "best"
    else:
        # Seldom tried moves were hardly valued; then the search after the move tells what it was worth.
        tried = seen >= FEW_VISITS and step in choice.values
        loss = max(0.0, before[mover] - (choice.values[step] if tried else after[mover]))
        enough = max(choice.simulations, sum(choice.visits.values())) >= FEW_VISITS or "proven" in choice.note
        known = tried or line[at + 1].is_over or enough
        name = label(position.game, loss, start[mover]) if known else "unsure"
    return Event(
        ply=at + 1,
        kind="move",
        text=position.text(step),
        player=mover,
        before=before,
        after=after,
        luck=tuple(0.0 for _ in before),
        loss=loss,
        best=position.text(choice.move),
        label=name,
        line=_line_text(position, choice.line),
    )


def _line_text(position: Position, steps: tuple[int, ...]) -> tuple[str, ...]:
    texts: list[str] = []
    for step in steps:
        if position.is_over:
            break
        texts.append(("~" if position.is_chance else "") + position.text(step))
        position = position.advance(step)
    return tuple(texts)


def _account(game: Game, player: int, start: Values, end: Values, events: list[Event]) -> Account:
    luck = losses = others = mind = 0.0
    for event in events:
        change = event.after[player] - event.before[player]
        if event.kind == "draw":
            luck += event.luck[player]
        elif event.player == player:
            losses += event.loss
            mind += change + event.loss
        elif opposed(game):
            others += event.loss
            mind += change - event.loss
        else:
            others += change
    return Account(start[player], luck, losses, others, mind, end[player])
