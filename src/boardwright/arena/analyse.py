"""Luck and skill: what each draw and each move of a game was worth, adding up to its result.

V is what the judge (judge.py) thinks each player will get: at a decision, with the best move; at a draw, the mean over
what may be drawn, as likely as it is; at the end, the result itself. At every draw

    luck = V after - V before,

and at every move, for whoever made it,

    V after - V before = - loss + change of mind,       loss = V with the best move - V with the move made, 0 or more.

A loss counts only where it is larger than its error (95 %): else it is 0, and what the judge believes stands in
`estimate`. The change of mind is the judge's own: it looked again, one step later, and saw more, or believed in a loss
that does not count. Sums telescope, so that for each player

    result = V at the start + luck - own losses + what the others' moves gave + changes of mind

holds exactly, whatever the judge is worth; a better judge makes the last term small. Between two players with
opposite interests, what the other's moves gave is the sum of the other's losses.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from dataclasses import asdict, dataclass
from typing import Any

from boardwright.arena.judge import Judge, TellSteps
from boardwright.arena.labels import called
from boardwright.arena.verdict import Decision, Values, Verdict, decided, opposed
from boardwright.contract.errors import InputError
from boardwright.contract.position import Position
from boardwright.players import Player

FORMAT = 2  # of a report as it is kept; 1 had no errors
LONGEST_RUN_SHOWN = 12  # draws of a run that are named


@dataclass(frozen=True)
class Event:
    """One move, or one draw, or one run of draws without a move between."""

    ply: int  # number of the first ply, from 1
    kind: str  # "move" or "draw"
    text: str
    player: int  # who moved; -1 for chance
    count: int  # plies in it: a run of draws has many
    before: Values
    after: Values
    luck: Values  # at a draw; zeros at a move
    loss: float  # at a move, the mover's, 0 unless it is larger than its error; 0 at a draw
    error: float = 0.0  # standard error of `estimate` at a move, of `luck` at a draw; 0: exact
    estimate: float = 0.0  # at a move: what the judge believes was lost, whether it counts or not; may be below 0
    low: float = 0.0  # at a move: 95 % of what the loss may be lies from `low` to `high`
    high: float = 0.0
    best: str = ""  # the best move found
    label: str = ""  # what the loss is at least, by its interval; "unsure" if that may be nothing or much
    line: tuple[str, ...] = ()  # what was expected to follow, the best move first
    after_error: float = 0.0  # standard error of `after`, the largest over the players


@dataclass(frozen=True)
class Account:
    """How one player's result came about: result = start + luck - losses + others + mind, up to rounding."""

    start: float
    luck: float
    losses: float
    others: float
    mind: float
    result: float
    start_error: float = 0.0  # standard errors
    luck_error: float = 0.0
    losses_error: float = 0.0
    others_error: float = 0.0
    mind_error: float = 0.0
    result_error: float = 0.0

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
    rounds: int = 1  # of the judge, at the decision that has had most

    def to_dict(self) -> dict[str, Any]:
        return {"format": FORMAT, **asdict(self)}

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
    error: float | None = None  # standard error of `loss`
    value_error: float | None = None  # standard error of `value`


def analyse(
    final: Position,
    player: Player,
    *,
    players: tuple[str, ...] = (),
    samples: int = 6,
    rounds: int = 1,
    progress: TellSteps | None = None,
) -> Analysis:
    """Explain the game that led to `final`: every step of `final.line()`. `samples`: looks at a position whose value
    is told, each at another end of a run of draws. `rounds`: as many, on the mean, for each decision, the worst errors
    first."""
    judge = Judge(game_line(final), [player], samples=samples)
    judge.first(progress)
    for _ in range((rounds - 1) * len(judge.decisions)):
        if not judge.refine():
            break
    return explain(judge, players, player.spec)


def game_line(final: Position) -> list[Position]:
    """The positions of a game that has begun."""
    line = list(final.line())
    if len(line) < 2:
        raise InputError(f"{final.game.name}: nothing has been played yet; analyse the position itself")
    return line


def explain(judge: Judge, players: tuple[str, ...], analyst: str) -> Analysis:
    """What the judge has found out by now."""
    line, game = judge.line, judge.game
    decisions = {decision.index: decision for decision in judge.decisions}
    start = judge.value(0)
    events: list[Event] = []
    at = 0
    while at + 1 < len(line):
        until = at + 1
        if line[at].is_chance:
            while line[until].is_chance and until + 1 < len(line):
                until += 1
            events.append(_draw(judge, at, until))
        else:
            events.append(_move(judge, decisions[at], start))
        at = until
    names = players or tuple(f"player {i + 1}" for i in range(game.players))
    accounts = tuple(_account(judge, i, events) for i in range(game.players))
    unit = "points" if game.counts_points else "result"
    rounds = max((decision.rounds for decision in judge.decisions), default=0)
    return Analysis(str(game), names, analyst, line[-1].is_over, unit, tuple(events), accounts, rounds)


def kept_report(analysis: Analysis, line: list[Position]) -> dict[str, Any]:
    """A report as it is kept beside its record: the analysis, and the points of all players at every ply."""
    return {"format": FORMAT, "analysis": analysis.to_dict(), "scores": [position.scores for position in line]}


def analyse_position(position: Position, player: Player, *, samples: int = 6) -> tuple[Values, float, list[Candidate]]:
    """V of one position with its standard error, and its moves or outcomes, best first. The best that were looked at
    have a loss with its error, by looks in pairs with the best."""
    if position.is_over:
        raise InputError(f"{position.game.name}: the game is over; there is nothing to choose")
    alone = Position(position.game, position.record)
    if alone.is_chance:
        return _analyse_draw(alone, player, samples)
    judge = Judge([alone], [player], samples=samples)
    judge.first()
    choice, compared = judge.compare(alone)
    mover = alone.player
    best = next(iter(compared))
    top = compared[best].value
    value, value_error = judge.value(0), judge.value_error(0)
    if best == choice.move and choice.value:
        value, value_error = choice.value, 0.0 if decided(choice) else value_error
    candidates = []
    for move in sorted(alone.moves, key=lambda move: (move not in compared, move != best)):
        visits, one, prior = choice.visits.get(move, 0), compared.get(move), choice.priors.get(move)
        if one is None:
            own = choice.values.get(move)
            loss = None if own is None else max(0.0, top - own)
            candidates.append(Candidate(alone.text(move), own, loss, "unsure", visits, prior))
            continue
        verdict = Verdict(best, one.loss, one.error, one.factor, one is compared[best])
        name = "best" if one is compared[best] else called(alone.game, verdict, value[mover])
        loss = max(0.0, one.loss)
        candidates.append(Candidate(alone.text(move), one.value, loss, name, visits, prior, one.error, one.value_error))
    candidates.sort(key=lambda one: (one.error is None, -(one.value if one.value is not None else -math.inf)))
    candidates.sort(key=lambda one: one.label != "best")
    return value, value_error, candidates


def _analyse_draw(position: Position, player: Player, samples: int) -> tuple[Values, float, list[Candidate]]:
    ends = []
    for outcome, chance in position.chances:
        judge = Judge([position.draw(outcome)], [player], samples=samples)
        judge.first()
        ends.append((outcome, chance, judge.value(0), judge.value_error(0)))
    value = tuple(sum(chance * after[i] for _, chance, after, _ in ends) for i in range(position.game.players))
    off = math.hypot(*(chance * error for _, chance, _, error in ends))
    found = [
        Candidate(position.text(outcome), after[0], value[0] - after[0], "", 0, chance, math.hypot(off, error), error)
        for outcome, chance, after, error in ends
    ]
    return value, off, sorted(found, key=lambda one: -(one.value or 0.0))


def _draw(judge: Judge, at: int, until: int) -> Event:
    line = judge.line
    names = [line[i].text(step) for i in range(at, until) if (step := line[i + 1].step) is not None]
    more = f" and {len(names) - LONGEST_RUN_SHOWN} more" if len(names) > LONGEST_RUN_SHOWN else ""
    before, after = judge.value(at), judge.value(until)
    return Event(
        ply=at + 1,
        kind="draw",
        text=" ".join(names[:LONGEST_RUN_SHOWN]) + more,
        player=-1,
        count=until - at,
        before=before,
        after=after,
        luck=tuple(b - a for a, b in zip(before, after, strict=True)),
        loss=0.0,
        error=math.hypot(judge.value_error(at), judge.value_error(until)),
        after_error=judge.value_error(until),
    )


def _move(judge: Judge, decision: Decision, start: Values) -> Event:
    position, verdict, mover = decision.position, judge.verdict(decision), decision.position.player
    before = judge.value(decision.index)
    return Event(
        ply=decision.index + 1,
        kind="move",
        text=position.text(decision.move),
        player=mover,
        count=1,
        before=before,
        after=judge.value(decision.index + 1),
        luck=tuple(0.0 for _ in before),
        loss=verdict.loss if verdict.sure else 0.0,
        error=verdict.error,
        estimate=verdict.loss,
        low=verdict.low,
        high=verdict.high,
        best=position.text(verdict.best),
        label=called(position.game, verdict, start[mover]),
        line=_line_text(position, verdict.line),
        after_error=judge.value_error(decision.index + 1),
    )


def _line_text(position: Position, steps: tuple[int, ...]) -> tuple[str, ...]:
    texts: list[str] = []
    for step in steps:
        if position.is_over:
            break
        texts.append(("~" if position.is_chance else "") + position.text(step))
        position = position.advance(step)
    return tuple(texts)


def _account(judge: Judge, player: int, events: list[Event]) -> Account:
    luck = losses = others = mind = luck_error = losses_error = others_error = 0.0
    last = len(judge.line) - 1
    weights = {"others": defaultdict[int, float](float), "mind": defaultdict[int, float](float)}  # of V along the line
    for event in events:
        change, part = event.after[player] - event.before[player], "mind"
        if event.kind == "draw":
            luck += event.luck[player]
            luck_error = math.hypot(luck_error, event.error)
            continue
        if event.player == player:
            losses += event.loss
            losses_error = math.hypot(losses_error, event.error)
            mind += change + event.loss
        elif opposed(judge.game):
            others += event.loss
            others_error = math.hypot(others_error, event.error)
            mind += change - event.loss
        else:
            others += change
            part = "others"
        weights[part][event.ply] += 1.0
        weights[part][event.ply - 1] -= 1.0

    def of_values(part: str) -> float:
        return math.hypot(*(weight * judge.value_error(at) for at, weight in weights[part].items() if weight))

    return Account(
        start=judge.value(0)[player],
        luck=luck,
        losses=losses,
        others=others,
        mind=mind,
        result=judge.value(last)[player],
        start_error=judge.value_error(0),
        luck_error=luck_error,
        losses_error=losses_error,
        others_error=math.hypot(others_error, of_values("others")),
        mind_error=math.hypot(losses_error, others_error, of_values("mind")),
        result_error=judge.value_error(last),
    )
