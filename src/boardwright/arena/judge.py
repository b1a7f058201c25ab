"""The judge of a game: what each move lost against the best, and how far that figure may be wrong.

At every decision the move made is compared with its rivals by looks in pairs: the k-th look at either meets the same
luck and thinks with the same random numbers, so that what both share cancels (common random numbers). Rivals drop out
by halves, fewer with every round and each looked at more often (sequential halving, Karnin et al. 2013), until one is
left; how much that one is better is then measured by looks that had no part in choosing it, so that it is not better
only since it was lucky. Moves that the game's symmetries make equal are one move.

A look is a player's value of where the move leads, after draws that the look's seed decides. A player that searches
thinks twice as long from round to round; one that knows by heart (a table, a learnt value) plays on a few moves
before it is asked. The standard error of a loss has two parts. One is luck: how much the pairs differ among themselves.
The other is what looks that agree get wrong together, since a search of any length values a position otherwise than
perfect play does: as much as the last doubling of thought has changed the mean, and a tenth of the loss. Where the
rules decide (a solved position, a proven one) there is no error.

After a first round for every decision, what would be called a mistake or a blunder is confirmed by two more, each with
twice the thought: of two hundred moves some look bad in one round by luck or since the search was short. The rest is
refinement, the worst error first, for as long as anybody likes.
"""

from __future__ import annotations

import math
import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from statistics import fmean

from boardwright.arena.equal_moves import EqualMoves
from boardwright.arena.exact_judge import compare_exactly, may_be_solved, solve
from boardwright.arena.judge_budget import LEAST_SIMULATIONS
from boardwright.arena.labels import called
from boardwright.arena.pairing import derive
from boardwright.arena.verdict import (
    FEW_VISITS,
    Compared,
    Decision,
    Look,
    Values,
    Verdict,
    decided,
    interval_factor,
    squared_error,
    value_of,
)
from boardwright.contract.errors import InputError
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.players import Choice, Control, Player
from boardwright.records.exercises import SERIOUS
from boardwright.search.common_choice import best_line
from boardwright.search.stopping import Stopped

PAIRS = 6  # looks at the move made and at its rival, a round
FIRST_LOOKS = 2  # at each rival before the first half of them drops out; then twice as many
RIVALS, LATER_RIVALS = 6, 2  # that the first round looks at; that a later one adds to the best so far
COMPARED = 8  # moves of a single position that are compared with the best
MOST_ROUNDS = 7  # of one decision
CONFIRMED = 3  # rounds that have to agree before a move is called a mistake or a blunder
SURE_OF_RESULT = 0.02  # standard error that unproven looks have at least, of a result from -1 to 1
SURE_OF_POINTS = 0.005  # the same as a part of the points that the game was expected to bring
LEANING = 0.1  # of a loss: what finite looks make of it too little or too much, whatever their number
PLAYS_ON = 2  # moves a level that a player without a search plays before it is asked

TellSteps = Callable[[int, int], None]  # steps done, steps in all


class Judge:
    """Judges the decisions of one line of positions. Results depend on the seed, not on how many players help."""

    def __init__(
        self,
        line: Sequence[Position],
        players: Sequence[Player],
        *,
        simulations: int = 0,
        samples: int = PAIRS,
        seed: int = 0,
        stopping: Callable[[], bool] | None = None,
        solves: bool = True,
    ) -> None:
        """players: equals that think side by side, one a thread. simulations: of the search that finds rivals in the
        first round, looks are shorter; 0: as the players have it. samples: looks at a position whose value is told.
        solves: small games are solved."""
        if samples < 1:
            raise InputError(f"samples={samples}; a value needs 1 or more looks")
        self.line, self.players, self.samples, self.seed = list(line), list(players), samples, seed
        self.game = self.line[0].game
        self.simulations = simulations or players[0].simulations or 160
        self.stopping = stopping or (lambda: False)
        self.solves = solves and may_be_solved(self.game)
        self.decisions = [
            Decision(i, position, _step(self.line[i + 1]))
            for i, position in enumerate(self.line[:-1])
            if position.player >= 0
        ]
        self._values: dict[int, list[Look]] = {}  # index in the line -> looks at it
        self._extra: dict[int, int] = {}  # index -> how many rounds of looks it has had besides
        self._free: queue.SimpleQueue[Player] = queue.SimpleQueue()
        for player in self.players:
            self._free.put(player)
        self._telling = threading.Lock()

    def go_on(self, players: Sequence[Player], stopping: Callable[[], bool]) -> None:
        """Be refined by others, equals of those before, under another control."""
        self.players, self.stopping, self._free = list(players), stopping, queue.SimpleQueue()
        for player in self.players:
            self._free.put(player)

    # What was found

    def value(self, index: int) -> Values:
        """V of a position of the line, for each player: with the best move, at a draw the mean over what may come."""
        looks = self._values[index]
        return tuple(fmean(look.values[i] for look in looks) for i in range(self.game.players))

    def value_error(self, index: int) -> float:
        """The largest standard error of `value`, over the players."""
        looks = self._values[index]
        if self.line[index].is_over or (not self.line[index].is_chance and all(look.exact for look in looks)):
            return 0.0
        return self._mean_error(looks)

    def _mean_error(self, looks: Sequence[Look]) -> float:
        """The largest standard error of the mean of looks, over the players."""
        floor = self._floor**2 if not all(look.exact for look in looks) else 0.0
        return math.sqrt(max(squared_error([look.values[i] for look in looks]) for i in self._seats) + floor)

    def verdict(self, decision: Decision) -> Verdict:
        """What is known of a decision by now."""
        if decision.rival < 0:
            return Verdict(decision.move, 0.0, 0.0, 0.0, True, decision.lines.get(decision.move, (decision.move,)))
        by_level = decision.pairs[decision.rival]
        last = max(by_level)
        newest, before = by_level[last], by_level.get(last - 1)
        if decision.exact:
            loss, error, factor = newest[0], 0.0, 0.0
        elif before is None:
            drift = fmean(newest) - fmean(decision.early) if decision.early else 0.0
            loss, factor = fmean(newest), interval_factor(len(newest) - 1)
            error = self._error(squared_error(newest), drift, loss)
        else:  # deeper looks count twice
            drift = fmean(newest) - fmean(before)
            loss, factor = (2 * fmean(newest) + fmean(before)) / 3, interval_factor(len(newest) + len(before) - 2)
            noise = (4 * squared_error(newest) + squared_error(before)) / 9
            error = self._error(noise, drift, loss)
        best = decision.rival if loss > 0.0 else decision.move
        return Verdict(best, loss, error, factor, decision.liked, decision.lines.get(best, (best,)))

    # Work

    def first(self, progress: TellSteps | None = None) -> None:
        """The first round of every decision, the values of all positions, and more rounds for what looks serious."""
        for index, position in enumerate(self.line):
            if position.results is not None:
                self._values[index] = [Look(position.results, True)]
        if self.solves:
            self._values |= {index: [look] for index, look in solve(self.decisions, self.stopping).items()}
        open_ = [decision for decision in self.decisions if not decision.exact]
        led_to = {decision.index + 1 for decision in self.decisions}
        starts = [
            i
            for i in range(len(self.line))
            if i not in self._values and i not in led_to and (i == 0 or self.line[i].player >= 0)
        ]
        if self.line[-1].is_chance and len(self.line) - 1 not in (*starts, *led_to):
            starts.append(len(self.line) - 1)  # a game that stands still inside a run of draws
        jobs: list[Callable[[Player], None]] = [*map(self._rounder, open_), *map(self._valuer, starts)]
        done = 0

        def work(job: Callable[[Player], None]) -> None:
            nonlocal done
            self._with_player(job)
            with self._telling:
                done += 1
                if progress:
                    progress(done, max(done, len(jobs)) + self._unconfirmed())

        self._side_by_side(work, jobs)
        for _ in range(CONFIRMED - 1):
            open_ = [decision for decision in open_ if self._looks_serious(decision)]
            self._side_by_side(work, [*map(self._rounder, open_)])

    def _looks_serious(self, decision: Decision) -> bool:
        """Whether a move would be called a mistake or a blunder, and more thought may change that."""
        expected = self.value(0)[decision.position.player]
        return not decision.exact and called(self.game, self.verdict(decision), expected) in SERIOUS

    def _unconfirmed(self) -> int:
        """Rounds that are to come for what looks serious so far."""
        if 0 not in self._values:
            return 0
        begun = [one for one in self.decisions if 0 < one.rounds < CONFIRMED]
        return sum(CONFIRMED - one.rounds for one in begun if self._looks_serious(one))

    def refine(self) -> bool:
        """One round more for the decisions of the largest errors, as many as there are players. False: none is left
        that more thought could change."""
        left = [one for one in self.decisions if not one.exact and one.rival >= 0 and one.rounds < MOST_ROUNDS]
        left.sort(key=lambda one: -self.uncertainty(one))
        chosen = left[: len(self.players)]
        self._side_by_side(lambda one: self._with_player(self._rounder(one)), chosen)
        return bool(chosen)

    def compare(self, position: Position) -> tuple[Choice, dict[int, Compared]]:
        """What the first player would choose, and its likeliest moves beside the best: all that equal one of them, too.
        The best comes first."""
        player, mover = self.players[0], position.player
        solved = compare_exactly(position, self.stopping) if self.solves else None
        if solved is not None:
            return solved
        decision = Decision(0, position, position.moves[0])
        choice = self._screen(decision, player, 0)
        equal, classes = EqualMoves(position), dict[int, list[int]]()
        for move in _ranked(position, choice):
            first = equal.first(move)
            if first in classes or len(classes) < COMPARED:
                classes.setdefault(first, []).append(move)
            elif len(classes) == COMPARED:
                break

        def look(first: int, count: int, level: int, since: int) -> list[Look]:
            return [self._look(decision, first, player, 0, level, since + k) for k in range(count)]

        worth = {first: fmean(one.values[mover] for one in look(first, 2 * FIRST_LOOKS, 0, 100)) for first in classes}
        seen = {first: look(first, PAIRS, 1, 0) for first in sorted(classes, key=lambda first: -worth[first])}
        best = next(iter(seen.values()))
        found: dict[int, Compared] = {}
        for first, looks in seen.items():
            pairs = [a.values[mover] - b.values[mover] for a, b in zip(best, looks, strict=True)]
            exact = looks is best or (not self.game.outcomes and all(one.exact for one in (*best, *looks)))
            drift = fmean(pairs) - (max(worth.values()) - worth[first])
            error = self._error(squared_error(pairs), drift, fmean(pairs))
            value = fmean(one.values[mover] for one in looks)
            sure = (0.0, 0.0) if exact else (error, interval_factor(PAIRS - 1))
            one = Compared(value, fmean(pairs), *sure, self._mean_error(looks))
            found |= dict.fromkeys(classes[first], one)
        return choice, found

    def uncertainty(self, decision: Decision) -> float:
        """Half the width of the loss's interval."""
        verdict = self.verdict(decision)
        return verdict.factor * verdict.error

    def _side_by_side(self, work: Callable[[object], None] | Callable[..., None], jobs: Sequence[object]) -> None:
        if len(self.players) == 1 or len(jobs) < 2:
            for job in jobs:
                work(job)
            return
        with ThreadPoolExecutor(len(self.players)) as pool:
            futures = [pool.submit(work, job) for job in jobs]
            try:
                for future in futures:
                    future.result()
            finally:
                for future in futures:
                    future.cancel()

    def _with_player(self, job: Callable[[Player], None]) -> None:
        if self.stopping():
            raise Stopped
        player = self._free.get()
        try:
            job(player)
        finally:
            self._free.put(player)

    def _rounder(self, decision: Decision) -> Callable[[Player], None]:
        return lambda player: self._round(decision, player)

    def _valuer(self, index: int) -> Callable[[Player], None]:
        return lambda player: self._look_at(index, player)

    @property
    def _seats(self) -> range:
        return range(self.game.players)

    # A round

    def _round(self, decision: Decision, player: Player) -> None:
        """Find rivals, halve them, and measure the one that is left against the move made."""
        number, position, mover = decision.rounds, decision.position, decision.position.player
        choice = self._screen(decision, player, number)
        equal = EqualMoves(position)
        equal.first(decision.move)
        decision.liked = equal.first(choice.move) == decision.move
        rivals: list[int] = []
        for move in _ranked(position, choice):
            first = equal.first(move)
            if first != decision.move and first not in rivals:
                rivals.append(first)
            if len(rivals) == (LATER_RIVALS if number else RIVALS):
                break
        if decision.rival >= 0 and decision.rival not in rivals:
            rivals = [decision.rival, *(move for move in rivals if not self._same(equal, move, decision.rival))]
        if not rivals:  # one move only, or all the same
            decision.exact, decision.rounds = True, 1
            self._values[decision.index + 1] = self._values.get(decision.index + 1) or [
                self._look(decision, decision.move, player, number, 1, k) for k in range(PAIRS)
            ]
            return
        rival = self._halve(decision, rivals, player, number)
        level = number + 1
        pairs: list[float] = []
        made: list[Look] = []
        exact = not self.game.outcomes
        for k in range(PAIRS):
            best = self._look(decision, rival, player, number, level, k)
            own = self._look(decision, decision.move, player, number, level, k)
            exact = exact and best.exact and own.exact
            pairs.append(best.values[mover] - own.values[mover])
            made.append(own)
            if exact:
                break
        if exact:
            decision.pairs[rival] = {level: pairs}
        else:
            decision.pairs.setdefault(rival, {})[level] = pairs
        decision.rival, decision.exact = rival, exact  # last: others may ask for a verdict meanwhile
        decision.rounds += 1
        self._keep_values(decision, made, player, number)

    @staticmethod
    def _same(equal: EqualMoves, move: int, other: int) -> bool:
        return equal.first(move) == equal.first(other)

    def _screen(self, decision: Decision, player: Player, number: int) -> Choice:
        """One look at the position itself: what else is worth a comparison."""
        player.anew(self._seed(decision.index, number, "screen", 0), self.simulations << number)
        control = Control(self.stopping, wants_tree=True)
        choice = player.choose(decision.position, control)
        if self.stopping():
            raise Stopped
        if choice.value is None:
            raise InputError(
                f"{player.spec} does not value positions; analyse with a search, such as mcts:simulations=400"
            )
        decision.lines[choice.move] = choice.line or (choice.move,)
        if control.trees:
            tree = control.trees[0]
            for child in tree.children():
                move = int(tree.slots["move"][child])
                if tree.slots["visits"][child] >= FEW_VISITS and move != choice.move:
                    decision.lines[move] = best_line(tree, move)
        return choice

    def _halve(self, decision: Decision, rivals: list[int], player: Player, number: int) -> int:
        """The rival that is left when half of them has dropped out again and again."""
        mover, looks, stage = decision.position.player, FIRST_LOOKS, 0
        while len(rivals) > 1:
            found = {
                move: [self._look(decision, move, player, number, number, 100 * (stage + 1) + k) for k in range(looks)]
                for move in rivals
            }
            worth = {move: fmean(look.values[mover] for look in seen) for move, seen in found.items()}
            order = sorted(rivals, key=lambda move: (-worth[move], rivals.index(move)))
            if len(order) == 2 and decision.rival == order[1]:
                # Whoever has been measured before stays, unless the other is better by more than it may be by luck.
                ahead = [a.values[mover] - b.values[mover] for a, b in zip(*map(found.__getitem__, order), strict=True)]
                if fmean(ahead) <= math.sqrt(squared_error(ahead)) + self._floor:
                    order.reverse()
            rivals = order[: max(1, len(order) // 2)]
            looks, stage = 2 * looks, stage + 1
        if not number:
            decision.early = []
            for k in range(FIRST_LOOKS):
                best, own = (
                    self._look(decision, move, player, number, number, 1000 + k) for move in (rivals[0], decision.move)
                )
                decision.early.append(best.values[mover] - own.values[mover])
        return rivals[0]

    def _keep_values(self, decision: Decision, made: list[Look], player: Player, number: int) -> None:
        """Looks at the move made are looks at the position after it. Luck is a difference of values before and after a
        draw: there all looks must be equally deep, and more of them are added; without chance the deepest count."""
        after = decision.index + 1
        if self.line[after].results is not None:
            return
        if not self.game.outcomes or not number:
            self._values[after] = made
        else:
            more = [
                self._look(decision, decision.move, player, number, 1, 2000 + k)
                for k in range(min(PAIRS, self.samples))
            ]
            self._values[after] = [*self._values[after], *more]
            if decision.index in self._values and decision.index and self.line[decision.index - 1].is_chance:
                self._look_at(decision.index, player)

    # Looks

    def _look_at(self, index: int, player: Player) -> None:
        """Value a position of the line by looks of its own, or by some more."""
        turn = self._extra.get(index, 0)
        self._extra[index] = turn + 1
        found = []
        for k in range(self.samples):
            seed = self._seed(index, turn, "value", k)
            found.append(self._value(self.line[index], player, seed, 1))
            if found[-1].exact and not self.line[index].is_chance:
                break
        self._values[index] = [*self._values.get(index, []), *found]

    def _look(self, decision: Decision, move: int, player: Player, number: int, level: int, k: int) -> Look:
        """Look number k of a round at a move: the same seed, whichever move it is."""
        return self._value(decision.position.play(move), player, self._seed(decision.index, number, "look", k), level)

    def _value(self, position: Position, player: Player, seed: int, level: int) -> Look:
        """What a position is worth, after draws by the seed, to a player that thinks 2 ** level times as long as at
        level 0."""
        luck = Random(derive(seed, "luck"))
        simulations = max(LEAST_SIMULATIONS, (self.simulations // 4) << level)
        for ahead in range((0 if player.trees else PLAYS_ON * level) + 1):
            position = position.settle(luck)
            if position.results is not None:
                return Look(position.results, not ahead)
            player.anew(seed, simulations)
            choice = player.choose(position, Control(self.stopping))
            if self.stopping():
                raise Stopped
            if decided(choice):
                break
            if not player.trees and ahead < PLAYS_ON * level:
                position = position.play(choice.move)
        return Look(value_of(position, choice), decided(choice) and not ahead)

    def _seed(self, *parts: object) -> int:
        return derive(self.seed, *parts) % 2**31

    def _error(self, noise: float, drift: float, loss: float) -> float:
        """The standard error of a loss: squared noise of its pairs, and what they may have in common. Doubled thought
        that changes a value by so much leaves about as much to change; the share was found by solved positions."""
        return math.sqrt(noise + self._floor**2 + drift**2 + (LEANING * loss) ** 2)

    @property
    def _floor(self) -> float:
        """The standard error that looks have at least, however many there are and however much they agree: a search
        that has not proven anything leans to one side."""
        if not self.game.counts_points:
            return SURE_OF_RESULT
        expected = max((abs(look.values[0]) for look in self._values.get(0, ())[:1]), default=1.0)
        return SURE_OF_POINTS * max(expected, 1.0)


def _step(position: Position) -> int:
    assert position.step is not None
    return position.step


def _ranked(position: Position, choice: Choice) -> list[int]:
    """The moves, those first that a choice liked."""
    return sorted(
        position.moves,
        key=lambda move: (move != choice.move, -choice.visits.get(move, 0), -choice.values.get(move, -math.inf)),
    )
