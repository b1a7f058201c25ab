"""`playtest`: plays a game against itself for some minutes and tells what a designer must know."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from boardwright.arena.crew import portable
from boardwright.arena.intervals import Estimate
from boardwright.arena.play_sets import check_workers
from boardwright.arena.workers import Hire
from boardwright.contract.errors import BoardwrightError, InputError
from boardwright.contract.game import Game
from boardwright.contract.random import RandomSource, as_seed
from boardwright.players import player
from boardwright.playtesting.broken import check
from boardwright.playtesting.crew import DealOrder, PlaytestCrew, PlaytestJob, play_elsewhere, play_order
from boardwright.playtesting.estimates import mean, ratio
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
    experiments,
    handicap,
    opening_of_equals,
    placed,
    searched,
    usable_opening,
    without,
)
from boardwright.playtesting.figure import deals_of
from boardwright.playtesting.journal import Journal, journal_path
from boardwright.playtesting.kinds import Kinds
from boardwright.playtesting.ladder import (
    LEAST,
    MOST,
    RANDOM,
    SOLVER,
    Level,
    affordable_top,
    learnt_players,
    make_ladder,
)
from boardwright.playtesting.luck import make_step, too_alike
from boardwright.playtesting.one_game import Tracer
from boardwright.playtesting.placing import Pair, place
from boardwright.playtesting.report import Report, make_report
from boardwright.playtesting.schedule import FIRST, Scheduler, State
from boardwright.playtesting.trace import Trace
from boardwright.playtesting.worth import seen_kinds

GAMES_WANTED = 1000  # strong games that should fit into the minutes: what the strongest search is chosen by
MOST_KINDS = 12  # that are forbidden in turn: the most often open
TAKEN = 0.01  # a kind that strong players take less often is not worth forbidding
PLAYED = 1  # the limit of what was played and is not asked for: no more
LATE = 0.1  # of the minutes that games begun in time may take beyond them
SOLO_SCALE = 0.3  # of a standard deviation of results: as good as a share's whole width, for who plays alone
_NOBODY = Level("", "")  # whose names nobody reads
FIXED_TOP = 256  # simulations of the strongest search where deals, not minutes, are given


@dataclass(frozen=True)
class Progress:
    """How far a playtest is."""

    games: int
    seconds: float  # that were played, in all runs
    wanted: float  # seconds
    doing: str


class Playtest:
    """A playtest that can be run, interrupted, and asked for its report at any time.

    game: any of 1 to 4 players. minutes: of play, in all runs together. seed: one seed, one row of deals. top:
    simulations a move of the strongest search; 0 chooses it by the minutes. sets: so many deals of every experiment
    instead of minutes: then the report is the same on any machine. ladder: its players, instead of those that it makes;
    the last of them is called strong, whoever else may come out better."""

    def __init__(
        self,
        game: Game,
        minutes: float = 10.0,
        seed: int = 0,
        *,
        top: int = 0,
        sets: int = 0,
        path: Path | None = None,
        ladder: Sequence[Level] = (),
    ) -> None:
        if not 1 <= game.players <= 4:
            raise InputError(f"{game.name}: a playtest is for games of 1 to 4 players, not {game.players}")
        if not 0.0 < minutes <= 1e5:
            raise InputError(f"minutes={minutes:g} must be above 0, and at most 100000")
        if top and not LEAST <= top <= MOST:
            raise InputError(f"top={top} must be {LEAST} to {MOST} simulations a move, or 0 to choose by the minutes")
        if not 0 <= sets <= 100_000:
            raise InputError(f"sets={sets} must be 1 to 100000 deals, or 0 to play by the minutes")
        self.game, self.minutes, self.seed, self.top, self.sets = game, minutes, seed, top, sets
        self.journal = Journal(path or journal_path(game, seed, top, sets))
        self.spent = float(cast("float | None", self.journal.noted("spent")) or 0.0)
        played = self.journal.noted("game")  # whose steps these are: another game cannot replay them
        if played not in (None, str(game)):
            self.journal.close()
            raise InputError(f"{self.journal.path}: a playtest of {played}, not of {game}; name that game")
        self.checked = ""
        self.levels: list[Level] = []  # the weakest first, as far as that is known
        self.opening = 0  # random moves that games without chance begin with
        self.scheduler: Scheduler | None = None
        self._ladder = ladder
        self._candidates: list[Level] = []  # in the order in which they were made: what numbers them in their games
        self._placed = False  # whether the order is final

    def prepare(
        self, say: Callable[[str], None] = lambda text: None, workers: int = 0, *, trained: bool = True
    ) -> None:
        """Check the rules, make the ladder, take in the games of earlier runs. The strongest search is one that so many
        workers have the time for. trained: whether players whose models are files of this machine may take part."""
        if self.scheduler is not None:
            return
        checked = self.journal.noted("checked")
        if checked is None:
            say("checking the rules")
            checked = check(self.game)
            self.journal.note("checked", checked)
        self.checked = str(checked)
        # Whoever goes on has the same players, whatever has been learnt since.
        self._candidates, self.levels = self._noted_levels("candidates"), self._noted_levels("levels")
        self._placed = bool(self.levels)
        if not self._candidates and not self._placed:
            say("timing a game")
            self._candidates = list(self._ladder) or self._make_ladder(workers, trained)
            self._compile_quick()
            self.journal.note("game", str(self.game))
            self.journal.note("opening", usable_opening(self.game))
            self.journal.note("candidates", [asdict(one) for one in self._candidates])
        self.levels = self.levels or self._candidates
        self.opening = int(cast("int | None", self.journal.noted("opening")) or 0)  # none in journals of before
        equals = opening_of_equals(self.levels, self.opening)
        scheduler = Scheduler(experiments(self.levels, self.opening) if self._placed else (), self._measure, self.sets)
        kinds = Kinds(self.game)
        games = [one for one in self.journal.games() if self._still_asked(one, kinds)]
        for one in games:
            one.kinds = {name: rows for name, rows in one.kinds.items() if kinds.tells(name)}
            kind, _, name = one.experiment.partition(" ")
            if kind == WITHOUT:
                scheduler.add(without(name, self.levels[-1], equals))
            elif kind == PLACE:
                one_player, other = map(int, name.split())
                scheduler.add(placed(one_player, other, self._candidates, self.opening), PLAYED)
            elif kind == HANDICAP:
                scheduler.add(handicap(int(name) - 1, self.levels[-1]))
            elif kind == SEARCHED:
                scheduler.add(searched(self.levels))
        a_deal = {key: len(state.experiment.seatings(self.game.players)) for key, state in scheduler.states.items()}
        scheduler.recall(games, a_deal)
        self.scheduler = scheduler
        self._add_experiments()

    @property
    def begun(self) -> bool:
        """Whether its players are known, and a report is quickly made."""
        return self.scheduler is not None or any(self.journal.noted(name) for name in ("levels", "candidates"))

    def run(
        self,
        workers: int | None = None,
        progress: Callable[[Progress], None] | None = None,
        stop: Callable[[], bool] = lambda: False,
        hire: Hire | None = None,
    ) -> None:
        """Play until the minutes are used up, or everything is settled. Ctrl-C leaves every whole deal in place."""
        self.journal.play_alone()
        try:
            self._run(workers, progress, stop, hire)
        finally:
            self.journal.let_others()

    def _run(
        self,
        workers: int | None,
        progress: Callable[[Progress], None] | None,
        stop: Callable[[], bool],
        hire: Hire | None,
    ) -> None:
        count = (os.cpu_count() or 1) if workers is None else workers
        check_workers(count)
        tell = progress or (lambda one: None)
        self.prepare(lambda text: tell(Progress(0, self.spent, self._wanted, text)), count, trained=hire is None)
        assert self.scheduler is not None
        scheduler, before, began = self.scheduler, self.spent, time.monotonic()
        scheduler.take_up()

        def in_time() -> bool:
            self.spent = before + time.monotonic() - began
            return not stop() and (bool(self.sets) or self.spent < self._wanted)

        def next_order() -> DealOrder | None:
            return scheduler.next() if in_time() else None

        def done(order: DealOrder, games: list[Trace]) -> None:
            in_time()
            self.journal.save(games, self.spent)
            scheduler.done(order, games)
            self._add_experiments()
            doing = order.experiment.key if self._placed else "putting players in order"
            tell(Progress(self.games, self.spent, self._wanted, doing))

        def going(playing: bool) -> bool:
            if stop():
                return False
            if in_time():
                return playing or not scheduler.settled()
            return playing and self.spent < self._wanted * (1 + LATE) + 5.0

        if hire is not None:
            play_elsewhere(hire(PlaytestJob(portable(self.game), self.seed)), next_order, done, going)
            return
        if count:
            PlaytestCrew(self.game, self.seed, count).run(next_order, done, going)
            return
        tracer = Tracer(self.game)
        while (order := next_order()) is not None:
            done(order, play_order(tracer, order, self.seed))

    @property
    def games(self) -> int:
        """How many have been played."""
        return sum(len(state.games) for state in self.scheduler.states.values()) if self.scheduler else 0

    def report(self) -> Report:
        """What is known by now."""
        self.prepare()
        assert self.scheduler is not None
        # In the order of deals, not in that of their ends: sums and choices are then the same to the last digit.
        games = {
            key: sorted(state.games, key=lambda one: (one.deal, one.game))
            for key, state in list(self.scheduler.states.items())
        }
        known = {key: state.experiment for key, state in self.scheduler.states.items()}
        opening = opening_of_equals(self.levels, self.opening)
        return make_report(
            self.game, self.levels, games, known, self.checked, self.seed, self.spent, self._too_many(), opening
        )

    def close(self) -> None:
        self.journal.close()

    @property
    def _wanted(self) -> float:
        return self.minutes * 60

    @staticmethod
    def _still_asked(one: Trace, kinds: Kinds) -> bool:
        """Whether a game that was kept answers anything: once, places on a board were taken for kinds of moves."""
        kind, _, name = one.experiment.partition(" ")
        return kind != WITHOUT or kinds.tells(name)

    def _measure(self, state: State) -> Estimate:
        return figure_for(state, self.game.players)

    def _noted_levels(self, name: str) -> list[Level]:
        noted = cast("list[dict[str, Any]] | None", self.journal.noted(name))
        return [Level(**one) for one in noted or ()]

    def _make_ladder(self, workers: int, trained: bool) -> list[Level]:
        """The players of this playtest, not yet in order."""
        learnt = learnt_players(self.game, trained=trained)
        if self.top or self.sets:
            return make_ladder(self.game, self.top or FIXED_TOP, learnt)
        seconds = self._wanted * max(workers, 1) / GAMES_WANTED
        learnt_top = affordable_top(self.game, seconds, learnt.search) if learnt.search else 0
        return make_ladder(self.game, affordable_top(self.game, seconds), learnt, learnt_top)

    def _compile_quick(self) -> None:
        """Compile those who answer at once, before the minutes begin."""
        for one in self._candidates:
            if not one.simulations and one.spec not in (RANDOM, self._strong):
                with suppress(BoardwrightError):  # rules that stumble: the games will tell
                    player(one.spec, self.game).choose(self.game.begin())

    @property
    def _strong(self) -> str:
        """Who stands on top, whatever games say: the last of a given ladder, or perfect play."""
        return self._ladder[-1].spec if self._ladder else SOLVER

    def _met(self, pair: Pair, deals: int) -> float | None:
        """What the first of two players won on so many deals; None if they are not all there."""
        assert self.scheduler is not None
        state = self.scheduler.states.get(placed(*pair, self._candidates, self.opening).key)
        found = [one for one in state.games if one.deal < deals] if state else []
        if len({one.deal for one in found}) < deals:
            return None
        share = make_step(self._candidates[pair[0]], self._candidates[pair[1]], found).free.value
        return 0.5 if math.isnan(share) else share  # games without an end say nothing

    def _place(self) -> None:
        """Ask for the games that put the players in order, until they are; then for all others."""
        assert self.scheduler is not None
        strong = self._strong
        ranked = [one for one in self._candidates if one.spec != strong]
        wanted, order = place(len(ranked), self._met)
        for pair, deals in wanted.items():
            self.scheduler.add(placed(*pair, self._candidates, self.opening), deals)
        if wanted:
            return
        self.levels = [ranked[number] for number in order] + [one for one in self._candidates if one.spec == strong]
        self.journal.note("levels", [asdict(one) for one in self.levels])
        self._placed = True
        for experiment in experiments(self.levels, self.opening):
            self.scheduler.add(experiment)

    def _first(self, key: str) -> list[Trace] | None:
        """The games of an experiment's first deals; None as long as they are not all there."""
        assert self.scheduler is not None
        wanted = FIRST[key] if not self.sets else min(FIRST[key], self.sets)
        state = self.scheduler.states.get(key)
        found = [one for one in state.games if one.deal < wanted] if state else []
        return found if len({one.deal for one in found}) == wanted else None

    def _too_many(self) -> bool:
        """Whether the game has more kinds of moves than a table."""
        weak = self._first(WEAK)
        return bool(weak and any(one.kinds for one in weak) and not seen_kinds(weak))

    def _add_experiments(self) -> None:
        """What the first games ask for, always the same: the order of players; searches in all seats where the
        strongest player has nothing random in it; the handicap of a move for the seat that did best; and each kind of
        moves forbidden in turn, as soon as it is known which there are."""
        assert self.scheduler is not None
        if not self._placed:
            self._place()
            return
        equal, weak = self._first(EQUAL), self._first(WEAK)
        start = self._first(START) if START in self.scheduler.states else equal
        if equal is None or weak is None or start is None:
            return
        if self.game.outcomes and too_alike(equal):
            self.scheduler.add(searched(self.levels))
        ended = [one.wins() for one in start if one.finished]
        if self.game.players > 1 and ended:
            self.scheduler.add(handicap(int(np.argmax(np.sum(ended, axis=0))), self.levels[-1]))
        if self._too_many():
            return
        kinds = seen_kinds([*equal, *weak])[:MOST_KINDS]
        for kind in kinds if len(kinds) > 1 else ():
            rows = [row for one in equal for row in one.kinds.get(kind, ())]
            if sum(row[1] for row in rows) > TAKEN * sum(row[0] for row in rows):
                self.scheduler.add(without(kind, self.levels[-1], opening_of_equals(self.levels, self.opening)))


def figure_for(state: State, players: int) -> Estimate:
    """The figure that an experiment is for."""
    games = [one for one in state.games if one.finished]
    kind = state.experiment.kind
    if kind in (PLACE, STEP, DOUBLING, WITHOUT):
        return make_step(_NOBODY, _NOBODY, games).free
    deals = list(deals_of(games).values())
    if players == 1:
        results = [float(np.mean([one.results[0] for one in some])) for some in deals]
        found, spread = mean(results), float(np.std(results)) if results else 0.0
        return found.times(SOLO_SCALE / spread) if spread else Estimate(0.0, 0.0, 1.0 / max(len(deals), 1))
    shares = [
        ratio([sum(one.wins()[seat] for one in some) for some in deals], list(map(float, map(len, deals))), share=True)
        for seat in range(players)
    ]
    return max(shares, key=lambda one: one.margin)


def playtest(
    game: Game,
    minutes: float = 10.0,
    seed: RandomSource = 0,
    *,
    top: int = 0,
    sets: int = 0,
    workers: int = 0,
    hire: Hire | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Report:
    """What a designer must know about a game: fairness, length, luck and skill, tension, what is worth what, what is
    broken. Every figure with its 95 % interval; `str` of the report has the verdicts, `write(path)` makes the page.

    minutes: of play; the same question goes on where it stopped. seed: a number, or a generator that draws one.
    top: simulations a move of the strongest search, by the minutes if 0. sets: so many deals of every experiment
    instead of minutes. workers: processes; 0: this one. hire: who plays instead, such as `bw.on_cluster("auto")`.
    """
    test = Playtest(game, minutes, as_seed(seed), top=top, sets=sets)
    try:
        test.run(workers, progress, hire=hire)
        return test.report()
    finally:
        test.close()
