"""What to play next: the experiment where another second narrows the report most.

Every experiment has a figure that it is for and a width that is good enough for it. The variance of its interval, in
squares of that width, falls by one part in n with a deal more, which costs what deals of this experiment have cost.
What that is worth is how much of the report stands on these games: most of it on those between equals."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from boardwright.arena.intervals import Estimate
from boardwright.playtesting.crew import DealOrder
from boardwright.playtesting.experiments import (
    DOUBLING,
    EQUAL,
    HANDICAP,
    PLACE,
    SEARCHED,
    START,
    STEP,
    WEAK,
    WITHOUT,
    Experiment,
)
from boardwright.playtesting.trace import Trace

WANTED = {
    EQUAL: 0.03,
    WEAK: 0.05,
    STEP: 0.04,
    DOUBLING: 0.04,
    WITHOUT: 0.05,
    HANDICAP: 0.05,
    SEARCHED: 0.05,
    START: 0.03,
    PLACE: 0.1,
}  # half widths that are good enough
WORTH = {
    EQUAL: 4.0,
    WEAK: 0.5,
    STEP: 1.0,
    DOUBLING: 1.0,
    WITHOUT: 0.25,
    HANDICAP: 0.25,
    SEARCHED: 1.0,
    START: 1.0,
    PLACE: 0.0,
}  # questions that all games of a kind answer
SETTLED = 0.4  # of the wanted width: more would tell nobody anything
FIRST = {EQUAL: 8, START: 8, WEAK: 20, STEP: 4, DOUBLING: 4}  # deals before anything is weighed
SLOWER = 3.0  # what a deal of other games costs before it is known, in those of equals: restricted players look longer
ORDER_SECONDS = 2.0  # what a worker is handed at once takes about so long
MOST_DEALS = 20_000  # of an experiment: all games are in memory
UNKNOWN = Estimate(math.nan, 0.0, 1.0)


@dataclass
class State:
    """How far an experiment is."""

    experiment: Experiment
    handed: int = 0  # deals
    done: int = 0
    seconds: float = 0.0  # that its games took, all together
    games: list[Trace] = field(default_factory=list, repr=False)
    estimate: Estimate = UNKNOWN  # of what it is for
    limit: int = 0  # deals that are asked for, no more and before all else; 0: as many as help
    missing: list[int] = field(default_factory=list)  # deals below `handed` that were never finished

    @property
    def cost(self) -> float:
        """Seconds a deal."""
        return self.seconds / self.done if self.done else math.nan

    @property
    def need(self) -> float:
        """Half the width of the interval, by what would be good enough."""
        return self.estimate.margin / WANTED[self.experiment.kind]


class Scheduler:
    """Hands out deals. With `sets`, so many of each experiment; else by need, until all is settled."""

    def __init__(self, experiments: Sequence[Experiment], measure: Callable[[State], Estimate], sets: int = 0) -> None:
        self.states: dict[str, State] = {one.key: State(one) for one in experiments}
        self._measure, self._sets = measure, sets

    def add(self, experiment: Experiment, limit: int = 0) -> None:
        """One more, unless it is there; `limit`: so many deals, or more if somebody asked for more."""
        state = self.states.setdefault(experiment.key, State(experiment))
        state.limit = max(state.limit, limit)

    def recall(self, games: Sequence[Trace], a_deal: Mapping[str, int]) -> None:
        """Take in games of an earlier run; deals that were not finished are played again."""
        by_key: dict[str, dict[int, list[Trace]]] = {}
        for one in games:
            by_key.setdefault(one.experiment, {}).setdefault(one.deal, []).append(one)
        for key, deals in by_key.items():
            state = self.states.get(key)
            if state is None:
                continue
            whole = {number: some for number, some in deals.items() if len(some) == a_deal[key]}
            state.handed = max(whole, default=-1) + 1
            state.missing = [number for number in range(state.handed) if number not in whole]
            for number in sorted(whole):
                self._add(state, 1, whole[number])
            state.estimate = self._measure(state)

    def take_up(self) -> None:
        """Before anything is handed out: deals that were, and never came back, are to be played."""
        for state in self.states.values():
            state.missing = sorted(set(range(state.handed)) - {one.deal for one in state.games})

    def next(self) -> DealOrder | None:
        """What to play next; None: nothing."""
        state = self._neediest()
        if state is None:
            return None
        if state.missing:
            return DealOrder(state.experiment, (state.missing.pop(0),))
        room = self._room(state)
        count = 1 if not state.done else int(min(max(ORDER_SECONDS / max(state.cost, 1e-4), 1), 200))
        first = state.limit or FIRST.get(state.experiment.kind, 0)
        if state.handed < first:
            count = min(count, first - state.handed)
        count = max(1, min(count, room, max(4, state.done // 2)))
        numbers = tuple(range(state.handed, state.handed + count))
        state.handed += count
        return DealOrder(state.experiment, numbers)

    def done(self, order: DealOrder, games: list[Trace]) -> State:
        state = self.states[order.experiment.key]
        self._add(state, len(order.deals), games)
        state.estimate = self._measure(state)
        return state

    def settled(self) -> bool:
        """Whether nothing is left to play, and nothing is being played."""
        return self._neediest() is None and all(one.done >= one.handed for one in self.states.values())

    def _add(self, state: State, deals: int, games: list[Trace]) -> None:
        state.games += games
        state.done += deals
        state.seconds += sum(one.seconds for one in games)

    def _room(self, state: State) -> int:
        return (state.limit or self._sets or MOST_DEALS) - state.handed

    def _neediest(self) -> State | None:
        open_ones = [one for one in self.states.values() if one.missing or self._room(one) > 0]
        if limited := [one for one in open_ones if one.limit]:
            return min(limited, key=lambda one: one.handed / one.limit)
        if self._sets:
            return min(open_ones, key=lambda one: one.handed, default=None)
        fresh = [one for one in open_ones if one.missing or one.handed < FIRST.get(one.experiment.kind, 0)]
        if fresh:
            return min(fresh, key=lambda one: one.handed / FIRST.get(one.experiment.kind, 1))
        wanting = [one for one in open_ones if one.need > SETTLED and (one.done or one.experiment.kind not in FIRST)]
        return max(wanting, key=self._gain, default=None)

    def _gain(self, state: State) -> float:
        """How much narrower a second makes the report."""
        kind = state.experiment.kind
        alike = sum(one.experiment.kind == kind for one in self.states.values())
        cost = state.cost if state.done else SLOWER * self.states[EQUAL].cost
        return WORTH[kind] / alike * state.need**2 / (max(state.handed, 1) * max(cost, 1e-6))
