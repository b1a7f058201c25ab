"""Whether reports are right: labels and errors of the judge against the truth, and how soon a whole report is there.

The truth of a move's loss is exact where the game is solved (`solver`) or all its positions are (`iteration`); else a
long comparison by the same player, with six times the thought and other random numbers (`long`). The
judge itself does not solve anything here: what is measured is its looks in pairs.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from boardwright.arena.equal_moves import EqualMoves
from boardwright.arena.intervals import wilson
from boardwright.arena.judge import Judge
from boardwright.arena.judge_budget import affordable
from boardwright.arena.labels import called, label
from boardwright.arena.verdict import Verdict
from boardwright.bench.cases import cases
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position, blank
from boardwright.contract.random import Random
from boardwright.learn.strongest import best_judge
from boardwright.players import Player, player, seeded
from boardwright.players.solver import SolverPlayer
from boardwright.records.exercises import SERIOUS
from boardwright.search.exact.solver import SolverSettings
from boardwright.search.exact.value_iteration import ValueIteration

REPORTS = "reports"  # the benchmark: on a card, game's spec -> where the truth comes from
SOLVER, ITERATION, LONG = "solver", "iteration", "long"
SIMULATIONS = 160
LONGER = 6  # times the thought of the judge under test
LONGER_ROUNDS = 1
TWINS = 20  # moves that equal another by symmetry, at least, where a game has such
OPENINGS = 400  # in which they are looked for
OPENING_MOVES = 3  # of an opening, at most
WEAK = "mcts:simulations=15"  # who plays the moves that are judged, in turn with moves at random
REPORT_MOVES = 60  # of the game whose whole report is timed
REPORT_SECONDS = 10.0

Truth = Callable[[Position, int], tuple[float, float]]  # position, move -> what it lost, and the error of that


@dataclass(frozen=True)
class ReportFigures:
    """One game's figures. A serious label is "mistake" or "blunder"; it is wrong where the true loss is called less."""

    game: str
    judge: str
    truth: str
    positions: int
    serious: int  # labels
    wrong: int  # of them
    counted: int  # losses that counted
    nothing: int  # of them, where nothing was lost by the truth (less than its error)
    symmetric: int  # moves judged that equal another by symmetry
    symmetric_wrong: int  # of them, called worse than such a one
    missed: int  # moves that are a mistake or a blunder by the truth, and were called nothing worse than good
    unsure: int
    within: float  # share of true losses inside the 95 % interval
    deviation: float  # root mean square of (estimate - truth) / error; 1 if errors are what they say
    seconds: float  # a decision, first round
    whole: float  # seconds to the first whole report of a game
    moves: int  # of that game; 0 if that was not timed

    @property
    def wrong_at_most(self) -> float:
        """The upper end of the 95 % interval of the share of wrong serious labels."""
        return wilson(self.wrong, self.serious).high

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def measure_reports(
    spec: str, positions: int, rounds: int, seed: int, tell: Callable[[str], None], whole: bool = True
) -> ReportFigures:
    """Judge so many moves of a game, each by so many rounds, and compare with the truth. whole: time a report, too."""
    known = cases(REPORTS)
    if spec not in known:
        raise InputError(f"{spec}: no truth is known to compare reports with; there are {', '.join(known)}")
    from boardwright.games.load import load

    game = load(spec)
    plain = f"mcts:simulations={SIMULATIONS},depth=0,grow=0"
    name = best_judge(game, SIMULATIONS, plain)
    judging = player(seeded(name, game, seed), game)
    truth = _truth(game, known[spec], judging)
    expected = _expected(game, judging)
    found: list[tuple[Verdict, str, float, float]] = []
    spent = 0.0
    bad = 1 if known[spec] == ITERATION else 3  # in games so small nobody else makes mistakes
    symmetric = symmetric_wrong = 0
    for number, (position, move) in enumerate(_moves(game, positions, seed, bad)):
        tell(f"{spec}: move {number + 1} of {positions}")
        began = time.perf_counter()
        verdict = _judged(position, move, judging, rounds, seed)
        spent += time.perf_counter() - began
        lost, error = truth(position, move)
        found.append((verdict, called(game, verdict, expected), lost, error))
        if twins := _twins(position, move):
            symmetric += 1
            symmetric_wrong += verdict.sure and verdict.best in twins
    for position, move, twins in _twins_in_openings(game, TWINS - symmetric, seed):
        tell(f"{spec}: equal moves")
        verdict = _judged(position, move, judging, 1, seed)
        symmetric += 1
        symmetric_wrong += verdict.sure and verdict.best in twins
    serious = [one for one in found if one[1] in SERIOUS]
    counted = [one for one in found if one[0].sure]
    inexact = [one for one in found if one[0].error > 0.0]
    inside = [v.low - 2 * error <= lost <= v.high + 2 * error or v.loss <= 0.0 >= lost for v, _, lost, error in found]
    off = [
        (max(v.loss, 0.0) - lost) ** 2 / (v.error**2 + error**2)
        for v, _, lost, error in inexact
        if v.loss > 0.0 or lost > 0.0
    ]
    if whole:
        tell(f"{spec}: a whole report")
    took, moves = _whole_report(game, name, seed) if whole else (0.0, 0)
    return ReportFigures(
        game=spec,
        judge=name,
        truth=known[spec],
        positions=len(found),
        serious=len(serious),
        wrong=sum(label(game, max(lost, 0.0), expected) not in SERIOUS for _, _, lost, _ in serious),
        counted=len(counted),
        nothing=sum(lost <= 2 * error for _, _, lost, error in counted),
        symmetric=symmetric,
        symmetric_wrong=symmetric_wrong,
        missed=sum(
            name in ("best", "excellent", "good") and label(game, max(lost - 2 * error, 0.0), expected) in SERIOUS
            for _, name, lost, error in found
        ),
        unsure=sum(one[1] == "unsure" for one in found),
        within=fmean(inside),
        deviation=math.sqrt(fmean(off)) if off else 0.0,
        seconds=spent / len(found),
        whole=took,
        moves=moves,
    )


def _judged(position: Position, move: int, judging: Player, rounds: int, seed: int, longer: int = 1) -> Verdict:
    start = Position(position.game, position.record)
    simulations = longer * (judging.simulations and SIMULATIONS)
    judge = Judge([start, start.play(move)], [judging], simulations=simulations, seed=seed, solves=False)
    judge.first()
    for _ in range(rounds - 1):
        judge.refine()
    return judge.verdict(judge.decisions[0])


def _truth(game: Game, kind: str, judging: Player) -> Truth:
    if kind == SOLVER:
        solver = SolverPlayer(game, "solver", SolverSettings(nodes=0))

        def solved(position: Position, move: int) -> tuple[float, float]:
            values = solver.solver.values(position)
            return max(values.values()) - values[move], 0.0

        return solved
    if kind == ITERATION:
        all_positions = ValueIteration(game)

        def known(position: Position, move: int) -> tuple[float, float]:
            values = all_positions.values(position)
            return max(values.values()) - values[move], 0.0

        return known

    def long(position: Position, move: int) -> tuple[float, float]:
        verdict = _judged(position, move, judging, LONGER_ROUNDS, 987_654_321, LONGER)
        return max(verdict.loss, 0.0), verdict.error

    return long


def _twins(position: Position, move: int) -> set[int]:
    """The other moves that are the same by symmetry."""
    equal = EqualMoves(position)
    own = equal.first(move)
    return {other for other in position.moves if other != move and equal.first(other) == own}


def _twins_in_openings(game: Game, count: int, seed: int) -> list[tuple[Position, int, set[int]]]:
    """So many moves, or as many as there are, with their equals: most games lose their symmetry soon."""
    rng = Random(seed + 1)
    found: list[tuple[Position, int, set[int]]] = []
    seen: set[tuple[bytes, int]] = set()
    for _ in range(OPENINGS if count > 0 else 0):
        position = blank(game).settle(rng)
        for _ in range(rng.below(OPENING_MOVES)):
            if not position.is_over:
                position = position.play(position.moves[rng.below(len(position.moves))]).settle(rng)
        if position.is_over or len(found) >= count:
            continue
        move = position.moves[rng.below(len(position.moves))]
        key = position.key, move
        if key not in seen and (twins := _twins(position, move)):
            seen.add(key)
            found.append((position, move, twins))
    return found


def _moves(game: Game, count: int, seed: int, bad: int) -> list[tuple[Position, int]]:
    """Decisions of games by a weak player, one in `bad` of whose moves is at random."""
    rng, weak = Random(seed), player(WEAK, game)
    found: list[tuple[Position, int]] = []
    while len(found) < count:
        position = blank(game).settle(rng)
        while not position.is_over:
            if rng.below(bad) == 0:
                move = position.moves[rng.below(len(position.moves))]
            else:
                weak.anew(rng.below(2**31), weak.simulations)
                move = weak.choose(position).move
            if len(position.moves) > 1 and rng.below(3) == 0:
                found.append((position, move))
            position = position.play(move).settle(rng)
    return found[:count]


def _expected(game: Game, judging: Player) -> float:
    judge = Judge([blank(game)], [judging], simulations=judging.simulations and SIMULATIONS)
    judge.first()
    return judge.value(0)[0]


def _whole_report(game: Game, name: str, seed: int) -> tuple[float, int]:
    """As the page does it: what fits into REPORT_SECONDS, by two players side by side."""
    rng, weak = Random(seed), player(WEAK, game)
    position = blank(game).settle(rng)
    for _ in range(REPORT_MOVES):
        if position.is_over:
            break
        position = position.play(weak.choose(position).move).settle(rng)
    helpers = [player(name, game) for _ in range(2)]
    line = list(position.line())
    began = time.perf_counter()
    judge = Judge(line, helpers, simulations=affordable(line, helpers[0], REPORT_SECONDS, len(helpers)))
    judge.first()
    return time.perf_counter() - began, len(judge.decisions)
