"""Many games of a match at once, inside kernels: every step plays a move in each of them and draws what follows.

For players that choose in many games at once (players/many.py), and for nobody who is timed. The games are those that
the referee would have played one by one: the same random numbers in the same places. Where anything goes wrong the
referee plays them after all, and says what it was.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.arena.lockstep_log import FIRST_STEPS, Begun, Scribe, longer, new_log
from boardwright.arena.pairing import Meeting, Terms
from boardwright.arena.referee import Played, Referee
from boardwright.compile.borrow import borrowed
from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel
from boardwright.compile.playout import new_room
from boardwright.compile.random import bits, pick
from boardwright.contract.game import CHANCE, OVER, Game
from boardwright.players import Player, PlayerSpec, player
from boardwright.players.many import Games, new_told
from boardwright.records.record import MOST_PLIES, now

AT_ONCE, MOST_AT_ONCE = 256, 1024  # games: at first, and when it is known that theirs are short
MOST_STEPS = AT_ONCE * 16_384  # in all their logs, which take memory
SEARCHES_AT_ONCE = (
    32  # games of players with a tree each: more would take memory, and what is finished be long in coming
)
WORTH_WHILE = 64  # games of a match; fewer are not worth the seconds that the compiler takes
GOOD, LOG_FULL, WRONG = 0, 1, 2  # what `advance` answers
NOT_BEGUN = -3  # who acts in a game whose state is still empty


class Draws(NamedTuple):
    """Where the numbers of each game's draws come from: draw number `made[g]` of game g has a generator of its own, by
    the meeting's luck (pairing.draw_rng)."""

    luck: npt.NDArray[np.uint64]
    made: npt.NDArray[np.int64]
    rng: npt.NDArray[np.uint64]  # (1,) scratch


@kernel
def advance(game: Any, states: Any, told: Any, log: Any, draws: Any, room: Any, actors: Any) -> Any:
    """In each game g that is not over: start it if it is NOT_BEGUN, play told.moves[g] if it is one (it is then taken
    away), and draw until a player acts, who is then actors[g]; OVER at the end. Returns GOOD, WRONG, or LOG_FULL: call
    again with more."""
    told, log, draws, room = borrowed(told), borrowed(log), borrowed(draws), borrowed(room)
    choices, weights = room.choices, room.weights
    for g in range(len(states)):
        if actors[g] == OVER:
            continue
        s = states[g]
        if actors[g] == NOT_BEGUN:
            game.start(s)
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
                draws.rng[0] = draws.luck[g]
                draws.rng[0] = np.uint64(bits(draws.rng)) + np.uint64(draws.made[g])
                draws.made[g] += 1
                log.steps[g, at] = choices[pick(draws.rng, weights, count)]
                game.draw(s, log.steps[g, at])
            else:
                if not told.legal[g]:
                    count = game.legal(s, choices)
                    for i in range(count):
                        told.legal[g] = told.legal[g] or choices[i] == told.moves[g]
                    if not told.legal[g]:
                        return WRONG
                log.steps[g, at] = told.moves[g]
                log.values[g, at] = told.values[g]
                log.simulations[g, at] = told.simulations[g]
                told.moves[g], told.legal[g] = -1, False
                game.play(s, log.steps[g, at])
            log.actors[g, at] = actor
            log.length[g] += 1
    return GOOD


class Lockstep:
    """Plays the games of one process. `players` can all choose in many games at once."""

    def __init__(self, game: Game, specs: tuple[str, ...], terms: Terms, players: Sequence[Player]) -> None:
        self.game, self.specs, self.terms, self.players = game, specs, terms, players
        self._trees = any(one.trees for one in players)
        self.at_once = SEARCHES_AT_ONCE if self._trees else AT_ONCE
        self.most = SEARCHES_AT_ONCE if self._trees else MOST_AT_ONCE
        self._referee = Referee(game, specs, terms)
        self._room = new_room(game)
        seeds = [PlayerSpec.parse(spec).settings.get("seed") for spec in specs]
        self._own_seeds = {number: int(seed) for number, seed in enumerate(seeds) if seed is not None}
        self._scribe = Scribe(game, specs)

    def play(self, meetings: Sequence[Meeting]) -> list[Played]:
        """The games, in their order."""
        return [one for _, found in self.parts(meetings) for one in found]

    def parts(self, meetings: Sequence[Meeting]) -> Iterator[tuple[Sequence[Meeting], list[Played]]]:
        """The same as they are done: so many as are played at once, and their games."""
        done = 0
        while done < len(meetings):
            some = meetings[done : done + self.at_once]
            yield some, self._play(some) or [self._referee.play(meeting) for meeting in some]
            done += len(some)

    def _play(self, meetings: Sequence[Meeting]) -> list[Played] | None:
        """The games; None where something went wrong."""
        game, started, choosers = self.game, now(), [one.chooser() for one in self.players]
        seats = np.array([meeting.seats for meeting in meetings])
        if self.terms.opening:
            openings = [self._referee.opening(meeting) for meeting in meetings]
            begun = [Begun.by(one) for one in openings]
            states = np.frombuffer(bytearray(b"".join([one.key for one in openings])), game.state_dtype)
        else:
            begun = [Begun()] * len(meetings)
            states = np.zeros(len(meetings), game.state_dtype)
        draws = Draws(
            np.array([meeting.luck for meeting in meetings], np.uint64),
            np.array([one.draws for one in begun], np.int64),
            np.zeros(1, np.uint64),
        )
        told, log = new_told(len(meetings)), new_log(len(meetings), FIRST_STEPS, game.players)
        told.moves[:] = -1
        actors, rngs = np.full(len(meetings), 0 if self.terms.opening else NOT_BEGUN), self._rngs(meetings)
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
        if not self._trees:
            self.at_once = min(MOST_AT_ONCE, max(1, MOST_STEPS // log.steps.shape[1]))
        return self._scribe.write(meetings, begun, states, log, spent, started)

    def _rngs(self, meetings: Sequence[Meeting]) -> npt.NDArray[np.uint64]:
        """Each player's generator, by game and seat: begun with its own seed, else with the one of the meeting."""
        seeds = np.array([one.seeds for one in meetings], np.uint64)
        for number, seed in self._own_seeds.items():
            seeds[np.array([one.seats for one in meetings]) == number] = seed % 2**64
        return seeds


def lockstep(
    game: Game, specs: tuple[str, ...], terms: Terms, games: int, own: Mapping[int, Player] | None = None
) -> Lockstep | None:
    """Who plays so many games at once; None if they are for the referee, one by one."""
    if own or terms.move_seconds or games < WORTH_WHILE or not game.compiles:
        return None
    players = [player(PlayerSpec.parse(spec), game) for spec in specs]
    return Lockstep(game, specs, terms, players) if all(one.chooser() for one in players) else None
