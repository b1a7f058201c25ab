"""Many games of a match at once, inside kernels: every step plays a move in each of them and draws what follows.

For players that choose in many games at once (players/many.py), and for nobody who is timed. The games are those that
the referee would have played one by one: the same random numbers in the same places. Where anything goes wrong the
referee plays them after all, and says what it was.
"""

from __future__ import annotations

import dis
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.arena.pairing import Meeting, Terms
from boardwright.arena.referee import Played, Referee, clean_note
from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel
from boardwright.compile.playout import new_room
from boardwright.compile.random import pick
from boardwright.contract.game import CHANCE, OVER, Game
from boardwright.contract.position import Position, blank
from boardwright.contract.random import Random
from boardwright.contract.state import States, copy_record
from boardwright.players import Player, PlayerSpec, player, seeded
from boardwright.players.many import Chooser, new_told
from boardwright.records.record import DRAW, MOST_PLIES, Record, now

AT_ONCE = 256  # games; more gain nothing, and their logs take memory
WORTH_WHILE = 64  # games of a match; fewer are not worth the seconds that the compiler takes
FIRST_STEPS = 256  # of a game's log
GOOD, LOG_FULL, WRONG = 0, 1, 2  # what `advance` answers


class Log(NamedTuple):
    """What was done in each game g: steps[g, :length[g]] are moves and draws, in order."""

    steps: npt.NDArray[np.int32]
    actors: npt.NDArray[np.int8]  # who did each: a seat, or CHANCE
    values: npt.NDArray[np.float64]  # what the mover expected for itself; NaN: it did not say
    simulations: npt.NDArray[np.int32]
    length: npt.NDArray[np.int64]


def new_log(games: int, steps: int) -> Log:
    """Room for so many games of so many steps."""
    shape = (games, steps)
    return Log(
        np.zeros(shape, np.int32),
        np.zeros(shape, np.int8),
        np.full(shape, np.nan),
        np.zeros(shape, np.int32),
        np.zeros(games, np.int64),
    )


def longer(log: Log) -> Log:
    """The same log with room for twice the steps."""
    games, steps = log.steps.shape
    more = new_log(games, 2 * steps)
    more.steps[:, :steps], more.actors[:, :steps] = log.steps, log.actors
    more.values[:, :steps], more.simulations[:, :steps] = log.values, log.simulations
    more.length[:] = log.length
    return more


class Draws(NamedTuple):
    """Where the numbers of each game's draws come from: draw number `made[g]` of game g has a generator of its own,
    seeded luck[g] + made[g] (pairing.draw_rng)."""

    luck: npt.NDArray[np.uint64]
    made: npt.NDArray[np.int64]
    rng: npt.NDArray[np.uint64]  # (1,) scratch


@kernel
def advance(game: Any, states: Any, told: Any, log: Any, draws: Any, room: Any, actors: Any) -> Any:
    """In each game g that is not over: play told.moves[g], if it is one (it is then taken away), and draw until a
    player acts, who is then actors[g]; OVER at the end. Returns GOOD, WRONG, or LOG_FULL: call again with more."""
    choices, weights = room.choices, room.weights
    for g in range(len(states)):
        if actors[g] == OVER:
            continue
        s = states[g]
        while True:
            actor = game.player(s)
            actors[g] = actor
            if actor == OVER or (actor >= 0 and told.moves[g] < 0):
                break
            at = log.length[g]
            if at >= log.steps.shape[1]:
                return LOG_FULL
            if actor == CHANCE:
                count = game.chances(s, choices, weights)
                total = 0.0
                for i in range(count):
                    total += weights[i]
                if count < 1 or not total > 0.0:
                    return WRONG
                for i in range(count):
                    weights[i] /= total
                draws.rng[0] = draws.luck[g] + np.uint64(draws.made[g])
                draws.made[g] += 1
                log.steps[g, at] = choices[pick(draws.rng, weights, count)]
                game.draw(s, log.steps[g, at])
            else:
                count = game.legal(s, choices)
                legal = False
                for i in range(count):
                    legal = legal or choices[i] == told.moves[g]
                if not legal:
                    return WRONG
                log.steps[g, at] = told.moves[g]
                log.values[g, at] = told.values[g]
                log.simulations[g, at] = told.simulations[g]
                told.moves[g] = -1
                game.play(s, log.steps[g, at])
            log.actors[g, at] = actor
            log.length[g] += 1
    return GOOD


@kernel
def retrace(game: Any, states: Any, steps: Any, actors: Any, count: Any) -> None:
    """states[k + 1] from states[k] by steps[k], for each k below count."""
    for k in range(count):
        states[k + 1] = states[k]
        if actors[k] == CHANCE:
            game.draw(states[k + 1], steps[k])
        else:
            game.play(states[k + 1], steps[k])


class Lockstep:
    """Plays the games of one process. `choosers` has each player's, by its number in the match."""

    def __init__(self, game: Game, specs: tuple[str, ...], terms: Terms, choosers: Sequence[Chooser]) -> None:
        self.game, self.specs, self.terms, self.choosers = game, specs, terms, choosers
        self._referee = Referee(game, specs, terms)
        self._room = new_room(game)
        self._known: dict[tuple[int, int], str] = {}  # texts by actor and step, where they need no state
        self._by_state = _reads_state(game.move_text) or _reads_state(game.outcome_text)

    def play(self, meetings: Sequence[Meeting]) -> list[Played]:
        """The games, in their order."""
        found: list[Played] = []
        for start in range(0, len(meetings), AT_ONCE):
            some = meetings[start : start + AT_ONCE]
            found += self._play(some) or [self._referee.play(meeting) for meeting in some]
        return found

    def _play(self, meetings: Sequence[Meeting]) -> list[Played] | None:
        """The games; None where something went wrong."""
        game, started = self.game, now()
        seats = np.array([meeting.seats for meeting in meetings])
        start = blank(game)  # without an opening: the first draws, too, are made here
        openings = [self._referee.opening(meeting) if self.terms.opening else start for meeting in meetings]
        states = np.frombuffer(bytearray(b"".join(position.key for position in openings)), game.state_dtype)
        rngs = np.array(
            [
                [self._seed(player, seed) for player, seed in zip(meeting.seats, meeting.seeds, strict=True)]
                for meeting in meetings
            ],
            np.uint64,
        )
        made = [sum(before.is_chance for before in position.line()) - position.is_chance for position in openings]
        draws = Draws(
            np.array([Random(meeting.luck).bits() for meeting in meetings], np.uint64),
            np.array(made, np.int64),
            np.zeros(1, np.uint64),
        )
        told, log = new_told(len(meetings)), new_log(len(meetings), FIRST_STEPS)
        told.moves[:] = -1
        actors = np.zeros(len(meetings), np.int64)
        spent = np.zeros(seats.shape)  # seconds of each seat
        every = np.arange(len(meetings))
        while True:
            how = run_kernel(game, advance, game, states, told, log, draws, self._room, actors)
            if how == WRONG or log.steps.shape[1] > MOST_PLIES:
                return None
            if how == LOG_FULL:
                log = longer(log)
                continue
            live = every[actors >= 0]
            if not len(live):
                break
            if actors.max() >= game.players:
                return None
            whose = seats[live, actors[live]]
            for number in np.unique(whose).tolist():
                picked = live[whose == number]
                told.values[picked], told.simulations[picked] = np.nan, 0
                began = time.perf_counter()
                self.choosers[number](states, picked, rngs, told)
                spent[picked, actors[picked]] += (time.perf_counter() - began) / len(picked)
            if told.moves[live].min() < 0:
                return None
        return [
            self._finish(meeting, openings[g], states[g : g + 1], Part.of(log, g), spent[g].tolist(), started)
            for g, meeting in enumerate(meetings)
        ]

    def _seed(self, number: int, seed: int) -> int:
        settings = seeded(self.specs[number], self.game, seed).settings
        return int(settings.get("seed", 0)) & (2**64 - 1)

    def _finish(
        self,
        meeting: Meeting,
        opening: Position,
        state: npt.NDArray[np.void],
        done: Part,
        spent: list[float],
        started: str,
    ) -> Played:
        """The record of one game and what the players told."""
        game, end = self.game, Position(self.game, copy_record(state))
        before = list(opening.line())
        first = [(DRAW if one.is_chance else "") + one.text(after.step or 0) for one, after in pairwise(before)]
        begun = [one.player for one in before[:-1] if one.player >= 0]
        moved = done.movers
        each = [round(seconds / max(moved.count(seat), 1), 9) for seat, seconds in enumerate(spent)]
        record = Record(
            game=game.name,
            options=game.options,
            digest=game.digest,
            seed=meeting.luck,
            players=tuple(self.specs[one] for one in meeting.seats),
            plies=(*first, *self._texts(opening, done)),
            seconds=(*[0.0] * len(begun), *(each[seat] for seat in moved)),
            scores=end.scores,
            results=end.results,
            status="finished",
            note=clean_note(f"match, set {meeting.number + 1}"),
            started=started,
            id=meeting.id,
        )
        return Played(
            record,
            movers=(*begun, *moved),
            simulations=(*[0] * len(begun), *done.simulations),
            values=(*[None] * len(begun), *(None if value != value else value for value in done.values)),
            marks=game.marks(end.view),
        )

    def _texts(self, opening: Position, done: Part) -> list[str]:
        """The plies as the game writes them."""
        game = self.game
        name, outcome = game.move_text, game.outcome_text
        if not self._by_state:
            for actor, step in set(zip(done.actors, done.steps, strict=True)) - self._known.keys():
                self._known[actor, step] = DRAW + outcome(None, step) if actor == CHANCE else name(None, step)
            return [self._known[one] for one in zip(done.actors, done.steps, strict=True)]
        count = len(done.steps)
        states = np.zeros(count + 1, game.state_dtype)
        states[:1] = opening.record
        run_kernel(game, retrace, game, states, np.array(done.steps, np.int32), np.array(done.actors, np.int8), count)
        views = States(states)
        return [
            DRAW + outcome(views[k], step) if done.actors[k] == CHANCE else name(views[k], step)
            for k, step in enumerate(done.steps)
        ]


class Part(NamedTuple):
    """One game's part of a log."""

    steps: list[int]
    actors: list[int]
    movers: list[int]  # of players' moves only, as are the others
    values: list[float]
    simulations: list[int]

    @classmethod
    def of(cls, log: Log, g: int) -> Part:
        end = int(log.length[g])
        actors = log.actors[g, :end]
        moves = np.flatnonzero(actors >= 0)
        return cls(
            log.steps[g, :end].tolist(),
            actors.tolist(),
            actors[moves].tolist(),
            log.values[g, moves].tolist(),
            log.simulations[g, moves].tolist(),
        )


def _reads_state(text: Callable[[Any, int], str]) -> bool:
    """Whether a text rule looks at the state; many names are the same everywhere."""
    function = getattr(text, "__func__", None)
    if not isinstance(function, FunctionType):
        return True
    state = function.__code__.co_varnames[1]
    for one in dis.get_instructions(function):
        named = one.argval if isinstance(one.argval, tuple) else (one.argval,)
        if one.opname.startswith("LOAD") and state in named:
            return True
    return False


def lockstep(
    game: Game, specs: tuple[str, ...], terms: Terms, games: int, own: Mapping[int, Player] | None = None
) -> Lockstep | None:
    """Who plays so many games at once; None if they are for the referee, one by one."""
    if own or terms.move_seconds or games < WORTH_WHILE or not game.compiles:
        return None
    choosers = [player(PlayerSpec.parse(spec), game).chooser() for spec in specs]
    return Lockstep(game, specs, terms, [one for one in choosers if one]) if all(choosers) else None
