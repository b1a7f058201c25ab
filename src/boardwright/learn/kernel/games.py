"""Games that the value plays with itself, greedily over whole turns, and what should have been thought on the way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel
from boardwright.compile.random import below, pick, unit
from boardwright.contract.game import CHANCE, OVER, Game
from boardwright.contract.state import copy_record
from boardwright.learn.kernel.network import ValueNetwork
from boardwright.learn.kernel.rounds import joined, play_in_chunks
from boardwright.learn.kernel.turns import best_turn, turn_room

CHUNK = 20  # games a call: a kernel hears neither clock nor Ctrl-C


class Terms(NamedTuple):
    """How games are made, as numbers for the kernel."""

    longest: int  # turns after which a game is cut
    opening: int  # up to so many random moves at the start
    explore: float  # share of turns whose first move is random
    blind: int  # 1: all moves are random, or the game's policy number `policy` plays
    policy: int


class Log(NamedTuple):
    """What a kernel writes down: two places a turn, the decision and where the turn ended."""

    promised: npt.NDArray[np.float64]  # (places, players): what each could expect of where the turn ended, at both
    points: npt.NDArray[np.float64]  # (places, players): points so far
    seats: npt.NDArray[np.int8]  # from whose side the network sees it
    marks: npt.NDArray[np.int8]  # 0 learn from it; EXPLORED; ENDED: its value is known
    lengths: npt.NDArray[np.int64]  # places a game
    results: npt.NDArray[np.float64]  # (games, players); of one that was cut, as promised


EXPLORED, ENDED = 1, 2


@kernel
def note(game: Any, network: Any, s: Any, at: Any, kept: Any, log: Any, out: Any) -> None:
    """Keep `s` in place `at`."""
    kept[at] = s
    log.seats[at] = network.seat(game, s)
    game.scores(s, out)
    for i in range(len(out)):
        log.points[at, i] = out[i]


@kernel
def play_games(game: Any, network: Any, learned: Any, states: Any, room: Any, rngs: Any, kept: Any, told: Any) -> Any:
    """Play len(rngs) games, game g with the numbers of rngs[g]; returns how many places were filled. states, room: of
    turn_room. told: (Terms, Log)."""
    terms, log = told
    out = room.out
    at = 0
    for g in range(len(rngs)):
        rng = rngs[g : g + 1]
        states[0] = states[len(states) - 1]
        s = states[0]
        game.start(s)
        begin = at
        free = below(rng, terms.opening + 1) if terms.opening > 0 else 0
        while at - begin < 2 * terms.longest:
            while game.player(s) == CHANCE:
                count = game.chances(s, room.moves[0], room.weights)
                game.draw(s, room.moves[0, pick(rng, room.weights, count)])
            if game.player(s) == OVER:
                break
            if free > 0:
                free -= 1
                count = game.legal(s, room.moves[0])
                game.play(s, room.moves[0, below(rng, count)])
                continue
            note(game, network, s, at, kept, log, out)
            log.marks[at] = 0
            random = terms.explore > 0.0 and unit(rng) < terms.explore
            if terms.blind != 0 or random:
                count = game.legal(s, room.moves[0])
                if terms.blind != 0 and terms.policy != 0:
                    game.weigh(terms.policy, s, room.moves[0], count, room.weights)
                    move = room.moves[0, pick(rng, room.weights, count)]
                else:
                    move = room.moves[0, below(rng, count)]
                game.play(s, move)
                if terms.blind == 0:
                    log.marks[at] = EXPLORED
            else:
                _, length = best_turn(game, network, learned, states, room)
                for i in range(length):
                    game.play(s, room.best[i])
            note(game, network, s, at + 1, kept, log, out)
            log.marks[at + 1] = ENDED if game.player(s) == OVER else 0
            network.value(game, s, learned, out)
            for i in range(len(out)):
                log.promised[at, i] = out[i]
                log.promised[at + 1, i] = out[i]
            at += 2
        while game.player(s) == CHANCE:
            count = game.chances(s, room.moves[0], room.weights)
            game.draw(s, room.moves[0, pick(rng, room.weights, count)])
        lengths = at - begin
        log.lengths[g] = lengths
        for i in range(len(out)):
            log.results[g, i] = log.promised[at - 1, i] if lengths > 0 else 0.0
        if game.player(s) == OVER:
            game.results(s, out)
            for i in range(len(out)):
                log.results[g, i] = out[i]
    return at


@kernel
def set_targets(log: Any, trust: Any, outs: Any, points: Any, wanted: Any, later: Any) -> None:
    """wanted[k, i] = what output i should have said at place k, in points or results: TD(lambda), `trust` for lambda
    (Sutton 1988; Tesauro 1992), a value for each seat. 1 learns from the outcome alone, 0 from the next value alone.
    After an exploring move the chain is cut: what came of it says nothing about the turn not taken."""
    players = log.results.shape[1]
    end = 0
    for g in range(len(log.lengths)):
        begin = end
        end += log.lengths[g]
        for i in range(players):
            later[i] = log.results[g, i]
        k = end - 2
        while k >= begin:
            for i in range(outs):
                seat = (log.seats[k + 1] + i) % players
                wanted[k + 1, i] = later[seat] - points * log.points[k + 1, seat]
            share = 0.0 if log.marks[k] == EXPLORED else trust
            for i in range(players):
                later[i] = (1.0 - share) * log.promised[k, i] + share * later[i]
            for i in range(outs):
                seat = (log.seats[k] + i) % players
                wanted[k, i] = later[seat] - points * log.points[k, seat]
            k -= 2


@dataclass(frozen=True)
class Played:
    """Games of one round: a number an entry for states, wanted and marks."""

    states: npt.NDArray[np.void]
    log: Log
    looks: int  # positions that were valued

    @property
    def games(self) -> int:
        return len(self.log.lengths)

    def wanted(self, game: Game, network: ValueNetwork, trust: float) -> npt.NDArray[np.float64]:
        """(entries, outputs): see `set_targets`."""
        wanted = np.zeros((len(self.states), network.outs))
        run_kernel(
            game, set_targets, self.log, float(trust), network.outs, network.points, wanted, np.zeros(game.players)
        )
        return wanted

    @property
    def useful(self) -> npt.NDArray[np.int64]:
        """The entries to learn from."""
        return np.flatnonzero((self.log.marks & ENDED) == 0)


class Arcade:
    """Plays rounds of games on several threads. The number of threads changes nothing but the time."""

    def __init__(self, game: Game, network: ValueNetwork, threads: int) -> None:
        self.game, self.network, self.threads = game, network, threads

    def play(
        self,
        learned: npt.NDArray[np.float32],
        games: int,
        seed: int,
        terms: Terms,
        show: Callable[[float], bool] = lambda share: False,
    ) -> Played | None:
        """So many games. `show` is told what share is done, and answers whether to stop: then nothing comes of it."""
        done = play_in_chunks(
            lambda rngs: self._chunk(learned, rngs, terms), games, seed, CHUNK, self.threads, show
        )  # fmt: skip
        if done is None:
            return None
        states = joined([part.states for part in done], self.game.state_dtype)
        log = Log(*(np.concatenate([part.log[k] for part in done]) for k in range(len(Log._fields))))
        return Played(states, log, sum(part.looks for part in done))

    def _chunk(self, learned: npt.NDArray[np.float32], rngs: npt.NDArray[np.uint64], terms: Terms) -> Played:
        game, players, room = self.game, self.game.players, 2 * len(rngs) * terms.longest
        kept = np.zeros(room, game.state_dtype)
        log = Log(
            np.zeros((room, players)), np.zeros((room, players)), np.zeros(room, np.int8), np.zeros(room, np.int8),
            np.zeros(len(rngs), np.int64), np.zeros((len(rngs), players)),
        )  # fmt: skip
        states, turn = turn_room(game)
        arrays = (states, turn, rngs, kept, (terms, log))
        used = int(run_kernel(game, play_games, game, self.network, learned, *arrays))
        short = Log(
            log.promised[:used].copy(), log.points[:used].copy(), log.seats[:used].copy(), log.marks[:used].copy(),
            log.lengths, log.results,
        )  # fmt: skip
        return Played(copy_record(kept[:used]), short, int(turn.looks[0]))
