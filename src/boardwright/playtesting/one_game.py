"""Plays one game of a playtest and writes down what figures need."""

from __future__ import annotations

import math
import time

from boardwright.arena.openings import random_opening
from boardwright.arena.pairing import draw_rng
from boardwright.contract.errors import BoardwrightError, RuleError
from boardwright.contract.game import Game
from boardwright.contract.position import Position, blank
from boardwright.players import Choice, Player, player, seeded
from boardwright.playtesting.experiments import EQUAL, WEAK, Plan
from boardwright.playtesting.handicapped import RandomFirstMove
from boardwright.playtesting.kinds import Kinds
from boardwright.playtesting.restricted import RestrictedPlayer
from boardwright.playtesting.trace import ENDLESS, FAULT, Trace

MOST_PLIES = 20_000  # moves and draws; a game that is longer counts as endless
MOST_REPEATS = 100  # turns at positions that the game has seen before; so does one that has more
COUNTED = (EQUAL, WEAK)  # games whose kinds of moves are counted: naming them takes time
SERIOUS = 0.1  # of the visits of the best move: what a search takes seriously


class Tracer:
    """Plays the games of a playtest in one process, and writes a trace of each."""

    def __init__(self, game: Game) -> None:
        self.game, self.kinds = game, Kinds(game)

    def play(self, plan: Plan) -> Trace:
        """The game from its start to its end, to a fault of the rules, or to where it counts as endless."""
        trace = Trace(plan.id, plan.experiment.key, plan.deal, plan.game, plan.seats, plan.luck)
        began = time.perf_counter()
        position = None
        try:
            position = blank(self.game)
            players = [self._player(plan, seat) for seat in range(len(plan.seats))]
            if plan.experiment.opening:
                position = self._open(plan, trace)
            position = self._play(plan, players, position, trace)
            trace.results, trace.scores = position.results or (), position.scores
        except RuleError as error:
            trace.end, trace.fault = FAULT, str(error)
        trace.seconds = time.perf_counter() - began
        return trace

    def _open(self, plan: Plan, trace: Trace) -> Position:
        """The position after moves at random, the same for all games of a deal."""
        position = random_opening(self.game, plan.experiment.opening, plan.luck)
        trace.steps += [one.step for one in position.line() if one.step is not None]
        trace.opened = len(trace.steps)
        return Position(self.game, position.record)

    def _play(self, plan: Plan, players: list[Player], position: Position, trace: Trace) -> Position:
        seen: set[bytes] = set()
        last = -1  # who moved last: a draw falls to that seat, and before the first move to whoever is next
        waiting: list[str] = []
        while not position.is_over:
            if len(trace.steps) >= MOST_PLIES or trace.repeats > MOST_REPEATS:
                trace.end = ENDLESS
                return position
            if position.is_chance:
                after = position.sample(draw_rng(plan.luck, trace.draws))
                assert after.step is not None
                kind = self.kinds.of_draw(position, after.step)
                trace.draws += 1
                if kind:
                    waiting.append(kind)
            else:
                seat = position.player
                fallen = self._fall(trace, waiting, seat if last < 0 else last)
                if position.key in seen:
                    trace.repeats += 1
                    if last >= 0:
                        trace.again = trace.again or [0] * self.game.players
                        trace.again[last] += 1
                seen.add(position.key)
                choice = self._ask(players[seat], position)
                self._tell(trace, plan, position, choice)
                if len(plan.seats) == 1 and len(trace.values) > 1 and trace.values[-1] and trace.values[-2]:
                    self._change(trace, fallen, trace.values[-1][0] - trace.values[-2][0])
                after = position.play(choice.move)
                last = seat
            assert after.step is not None
            trace.steps.append(after.step)
            position = Position(self.game, after.record)  # without its past, which the steps are
        fallen = self._fall(trace, waiting, max(last, 0))
        if len(plan.seats) == 1 and trace.values and trace.values[-1] and position.results:
            self._change(trace, fallen, position.results[0] - trace.values[-1][0])
        return position

    def _fall(self, trace: Trace, waiting: list[str], seat: int) -> list[str]:
        """Counts the draws since the last move for a seat; what they were."""
        for kind in waiting:
            trace.drawn.setdefault(kind, [0] * self.game.players)[seat] += 1
        fallen = list(waiting)
        waiting.clear()
        return fallen

    @staticmethod
    def _change(trace: Trace, fallen: list[str], change: float) -> None:
        """By how much draws between two moves changed what was expected, each in equal parts."""
        for kind in fallen:
            row = trace.changed.setdefault(kind, [0.0, 0.0])
            row[0] += 1.0
            row[1] += round(change / len(fallen), 6)

    def _ask(self, who: Player, position: Position) -> Choice:
        try:
            choice = who.choose(position)
        except BoardwrightError:
            raise
        except (ArithmeticError, LookupError, ValueError, SystemError) as error:  # compiled rules that stumble
            raise RuleError(f"{self.game.name}: {who.spec} raised {type(error).__name__}: {error}") from error
        return choice

    def _tell(self, trace: Trace, plan: Plan, position: Position, choice: Choice) -> None:
        moves = position.moves
        trace.movers.append(position.player)
        trace.legal.append(len(moves))
        sensible, gap, noise = weigh(choice, len(moves))
        trace.sensible.append(sensible)
        trace.gap.append(round(gap, 6))
        trace.noise.append(round(noise, 6))
        if choice.value is not None:
            trace.values.append([round(float(value), 5) for value in choice.value])
        else:
            trace.values.append([])
        if plan.experiment.kind not in COUNTED:
            return
        kinds = self.kinds.of_moves(position)
        different = set(kinds) - {""}
        if len(different) < 2 or indifferent(choice):
            return  # nothing to choose between kinds, or nothing that matters: a lost player may do anything
        taken = kinds[moves.index(choice.move)]
        for kind in different:
            row = trace.kinds.setdefault(kind, [[0, 0] for _ in plan.experiment.specs])[plan.seats[position.player]]
            row[0] += 1
            row[1] += kind == taken

    def _player(self, plan: Plan, seat: int) -> Player:
        who = plan.seats[seat]
        made = player(seeded(plan.experiment.specs[who], self.game, plan.seeds[seat]), self.game)
        if plan.experiment.forbidden and who == 1:
            return RestrictedPlayer(made, self.kinds, plan.experiment.forbidden, plan.seeds[seat])
        if plan.experiment.random_first == seat:
            return RandomFirstMove(made, plan.seeds[seat])
        return made


def indifferent(choice: Choice) -> bool:
    """Whether a search found all moves that it tried worth exactly the same."""
    values = [value for move, value in choice.values.items() if choice.visits.get(move, 1) > 0]
    return len(values) > 1 and max(values) - min(values) < 1e-9


def weigh(choice: Choice, legal: int) -> tuple[int, float, float]:
    """Of a choice by search: how many moves it took seriously, by how much the best is worth more than the mean of the
    others that were tried, and the standard error of that in standard deviations of a result. (0, 0, 0) without a
    search."""
    if legal == 1:
        return 1, 0.0, 0.0
    tried = {move: visits for move, visits in choice.visits.items() if visits > 0 and move in choice.values}
    if len(tried) < 2 or choice.move not in tried:
        if len(choice.values) < 2:
            return 0, 0.0, 0.0
        values = sorted(choice.values.values(), reverse=True)  # exact ones
        best, others = values[0], values[1:]
        return sum(value >= best - 1e-9 for value in values), best - sum(others) / len(others), 0.0
    most, best = max(tried.values()), choice.values[choice.move]
    rest = [move for move in tried if move != choice.move]
    gap = best - sum(choice.values[move] for move in rest) / len(rest)
    spread = sum(1.0 / tried[move] for move in rest) / len(rest) ** 2
    return sum(v >= SERIOUS * most for v in tried.values()), gap, math.sqrt(1.0 / tried[choice.move] + spread)
