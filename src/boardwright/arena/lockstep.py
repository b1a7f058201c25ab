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
from boardwright.players import Player, PlayerSpec, player
from boardwright.players.many import Games, new_told
from boardwright.records.record import DRAW, MOST_PLIES, Record, now

AT_ONCE = 256  # games; more gain nothing, and their logs take memory
SEARCHES_AT_ONCE = (
    32  # games of players with a tree each: more would take memory, and what is finished be long in coming
)
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
    scores: npt.NDArray[np.float64]  # scores[g, i]: player i's points at the end
    results: npt.NDArray[np.float64]  # the same of what players maximise


def new_log(games: int, steps: int, players: int) -> Log:
    """Room for so many games of so many steps."""
    shape = (games, steps)
    return Log(
        np.zeros(shape, np.int32),
        np.zeros(shape, np.int8),
        np.full(shape, np.nan),
        np.zeros(shape, np.int32),
        np.zeros(games, np.int64),
        np.zeros((games, players)),
        np.zeros((games, players)),
    )


def longer(log: Log) -> Log:
    """The same log with room for twice the steps."""
    games, steps = log.steps.shape
    more = new_log(games, 2 * steps, log.scores.shape[1])
    more.steps[:, :steps], more.actors[:, :steps] = log.steps, log.actors
    more.values[:, :steps], more.simulations[:, :steps] = log.values, log.simulations
    return more._replace(length=log.length, scores=log.scores, results=log.results)


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
            if actor == OVER:
                game.scores(s, log.scores[g])
                game.results(s, log.results[g])
                break
            if actor >= 0 and told.moves[g] < 0:
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
    """Plays the games of one process. `players` can all choose in many games at once."""

    def __init__(self, game: Game, specs: tuple[str, ...], terms: Terms, players: Sequence[Player]) -> None:
        self.game, self.specs, self.terms, self.players = game, specs, terms, players
        self.at_once = SEARCHES_AT_ONCE if any(one.trees for one in players) else AT_ONCE
        self._referee = Referee(game, specs, terms)
        self._room = new_room(game)
        seeds = [PlayerSpec.parse(spec).settings.get("seed") for spec in specs]
        self._own_seeds = {number: int(seed) for number, seed in enumerate(seeds) if seed is not None}
        self._texts_known: dict[int, str] = {}  # by move, or ~outcome, where they need no state
        self._by_state = _reads_state(game.move_text) or _reads_state(game.outcome_text)
        self._has_marks = type(game).marks is not Game.marks

    def play(self, meetings: Sequence[Meeting]) -> list[Played]:
        """The games, in their order."""
        found: list[Played] = []
        for start in range(0, len(meetings), self.at_once):
            some = meetings[start : start + self.at_once]
            found += self._play(some) or [self._referee.play(meeting) for meeting in some]
        return found

    def _play(self, meetings: Sequence[Meeting]) -> list[Played] | None:
        """The games; None where something went wrong."""
        game, started, choosers = self.game, now(), [one.chooser() for one in self.players]
        seats = np.array([meeting.seats for meeting in meetings])
        start = blank(game)  # without an opening: the first draws, too, are made here
        openings = [self._referee.opening(meeting) if self.terms.opening else start for meeting in meetings]
        states = np.frombuffer(bytearray(b"".join(position.key for position in openings)), game.state_dtype)
        made = [sum(before.is_chance for before in position.line()) - position.is_chance for position in openings]
        draws = Draws(
            np.array([Random(meeting.luck).bits() for meeting in meetings], np.uint64),
            np.array(made, np.int64),
            np.zeros(1, np.uint64),
        )
        told, log = new_told(len(meetings)), new_log(len(meetings), FIRST_STEPS, game.players)
        told.moves[:] = -1
        actors, rngs = np.zeros(len(meetings), np.int64), self._rngs(meetings)
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
            games = Games(states, actors, rngs, log.steps, log.actors, log.length)
            whose = seats[live, actors[live]]
            for number, choose in enumerate(choosers):
                picked = live[whose == number]
                if not len(picked) or choose is None:
                    continue
                told.values[picked], told.simulations[picked] = np.nan, 0
                began = time.perf_counter()
                choose(games, picked, told)
                spent[picked, actors[picked]] += (time.perf_counter() - began) / len(picked)
            if told.moves[live].min() < 0:
                return None
        return [
            self._finish(meeting, openings[g], states[g : g + 1], Part.of(log, g), spent[g].tolist(), started)
            for g, meeting in enumerate(meetings)
        ]

    def _rngs(self, meetings: Sequence[Meeting]) -> npt.NDArray[np.uint64]:
        """Each player's generator, by game and seat: begun with its own seed, else with the one of the meeting."""
        seeds = [
            [self._own_seeds.get(who, seed) % 2**64 for who, seed in zip(one.seats, one.seeds, strict=True)]
            for one in meetings
        ]
        return np.array(seeds, np.uint64)

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
        game, before = self.game, list(opening.line())
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
            seconds=(*[0.0] * len(begun), *map(each.__getitem__, moved)),
            scores=done.scores,
            results=done.results,
            status="finished",
            note=clean_note(f"match, set {meeting.number + 1}"),
            started=started,
            id=meeting.id,
        )
        return Played(
            record,
            movers=(*begun, *moved),
            simulations=(*[0] * len(begun), *done.simulations),
            values=(*[None] * len(begun), *done.values),
            marks=game.marks(Position(game, copy_record(state)).view) if self._has_marks else {},
        )

    def _texts(self, opening: Position, done: Part) -> list[str]:
        """The plies as the game writes them."""
        game, steps, actors = self.game, done.steps, done.actors
        name, outcome = game.move_text, game.outcome_text
        if not self._by_state:
            codes, known = np.where(actors == CHANCE, ~steps, steps).tolist(), self._texts_known
            for code in set(codes) - known.keys():
                known[code] = DRAW + outcome(None, ~code) if code < 0 else name(None, code)
            return [known[code] for code in codes]
        states = np.zeros(len(steps) + 1, game.state_dtype)
        states[:1] = opening.record
        run_kernel(game, retrace, game, states, steps, actors, len(steps))
        views = States(states)
        return [
            DRAW + outcome(views[k], step) if actor == CHANCE else name(views[k], step)
            for k, (step, actor) in enumerate(zip(steps.tolist(), actors.tolist(), strict=True))
        ]


class Part(NamedTuple):
    """One game's part of a log."""

    steps: npt.NDArray[np.int32]
    actors: npt.NDArray[np.int8]
    movers: list[int]  # of players' moves only, as are the next two
    values: list[float | None]
    simulations: list[int]
    scores: tuple[float, ...]
    results: tuple[float, ...]

    @classmethod
    def of(cls, log: Log, g: int) -> Part:
        end = int(log.length[g])
        steps, actors, values = log.steps[g, :end], log.actors[g, :end], log.values[g, :end]
        moves = actors >= 0
        said = values[moves].tolist()
        return cls(
            steps,
            actors,
            actors[moves].tolist(),
            [None if value != value else value for value in said],
            log.simulations[g, :end][moves].tolist(),
            tuple(log.scores[g].tolist()),
            tuple(log.results[g].tolist()),
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
    players = [player(PlayerSpec.parse(spec), game) for spec in specs]
    return Lockstep(game, specs, terms, players) if all(one.chooser() for one in players) else None
