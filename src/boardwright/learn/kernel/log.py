"""What is written down of the games of a round, and what should have been thought on the way."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel
from boardwright.contract.game import CHANCE, OVER, Game
from boardwright.contract.state import copy_record, join_records
from boardwright.learn.kernel.network import ValueNetwork

EXPLORED, LEFT_OUT, DRAWN = 1, 2, 4  # marks of a place, added up; without LEFT_OUT: learn from it


class Log(NamedTuple):
    """Two places a turn: the decision, and where the turn ended."""

    promised: npt.NDArray[np.float64]  # (places, players): what each could expect of the turn chosen, at both places
    points: npt.NDArray[np.float64]  # (places, players): points so far
    seats: npt.NDArray[np.int8]  # from whose side the network sees it
    marks: npt.NDArray[np.int8]  # EXPLORED: the turn was a random one; LEFT_OUT: its value is known, or told elsewhere;
    # DRAWN: a turn's end after which chance acts, or any in a game without chance
    counts: npt.NDArray[np.int32]  # moves of the policy that is told; 0: none
    lengths: npt.NDArray[np.int64]  # places a game
    results: npt.NDArray[np.float64]  # (games, players); of one that was cut, as promised
    moves: npt.NDArray[np.int32]  # those that the policy is about, place after place
    shares: npt.NDArray[np.float32]  # the policy: 1 in all a place


def new_log(game: Game, games: int, longest: int, has_policy: bool) -> Log:
    """Room for so many games of at most so many turns."""
    places, players = 2 * games * longest, game.players
    told = games * longest * game.actions if has_policy else 1
    return Log(
        np.zeros((places, players)), np.zeros((places, players)), np.zeros(places, np.int8), np.zeros(places, np.int8),
        np.zeros(places, np.int32), np.zeros(games, np.int64), np.zeros((games, players)), np.zeros(told, np.int32),
        np.zeros(told, np.float32),
    )  # fmt: skip


def used_part(log: Log, places: int) -> Log:
    """A copy of what was filled in."""
    told = int(log.counts[:places].sum())
    return Log(
        log.promised[:places].copy(), log.points[:places].copy(), log.seats[:places].copy(),
        log.marks[:places].copy(), log.counts[:places].copy(), log.lengths, log.results, log.moves[:told].copy(),
        log.shares[:told].copy(),
    )  # fmt: skip


@kernel
def note(game: Any, network: Any, s: Any, at: Any, kept: Any, log: Any, out: Any) -> None:
    """Keep `s` in place `at`."""
    kept[at] = s
    log.seats[at] = network.seat(game, s)
    log.marks[at] = 0
    game.scores(s, out)
    for i in range(len(out)):
        log.points[at, i] = out[i]


@kernel
def note_turn_end(game: Any, network: Any, s: Any, at: Any, kept: Any, log: Any, out: Any) -> None:
    """Keep `s`, where a turn has ended, in place `at`. How a game ended teaches nothing."""
    note(game, network, s, at, kept, log, out)
    player = game.player(s)
    if player == OVER:
        log.marks[at] = LEFT_OUT
    elif player == CHANCE or game.outcomes == 0:
        log.marks[at] = DRAWN


@kernel
def note_end(game: Any, s: Any, g: Any, begin: Any, at: Any, log: Any, out: Any) -> None:
    """Game g, whose places are `begin` to `at`, has come to `s`: what each player got; if it was cut, was promised."""
    log.lengths[g] = at - begin
    over = game.player(s) == OVER
    if over:
        game.results(s, out)
    for i in range(len(out)):
        log.results[g, i] = out[i] if over else log.promised[at - 1, i] if at > begin else 0.0


@kernel
def tell_policy(log: Any, at: Any, told: Any, moves: Any, count: Any, weights: Any) -> Any:
    """At place `at` the policy should be in proportion to the weights of `count` moves; returns how many shares are
    told now, `told` of them before."""
    total = 0.0
    for i in range(count):
        total += weights[i]
    log.counts[at] = count
    for i in range(count):
        log.moves[told + i] = moves[i]
        log.shares[told + i] = weights[i] / total if total > 0.0 else 1.0 / count
    return told + count


@kernel
def set_targets(log: Any, trust: Any, outs: Any, points: Any, wanted: Any, later: Any) -> None:
    """wanted[k, i] = what output i should have said at place k, in points or results: TD(lambda), `trust` for lambda
    (Sutton 1988; Tesauro 1992), a value for each seat. 1 learns from the outcome alone, 0 from the next value alone.
    Lambda counts once a draw of chance (a throw, a deal): between two turns with none what came is taken as it is.
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
            share = trust if log.marks[k + 1] & DRAWN else 1.0
            if log.marks[k] & EXPLORED:
                share = 0.0
            for i in range(players):
                later[i] = (1.0 - share) * log.promised[k, i] + share * later[i]
            for i in range(outs):
                seat = (log.seats[k] + i) % players
                wanted[k, i] = later[seat] - points * log.points[k, seat]
            k -= 2


@dataclass(frozen=True)
class Played:
    """Games of one round: a number an entry for states and the log's places."""

    states: npt.NDArray[np.void]
    log: Log
    looks: int  # positions that were valued
    seconds: float  # of CPU that the games took, all threads together

    @property
    def games(self) -> int:
        return len(self.log.lengths)

    @property
    def useful(self) -> npt.NDArray[np.int64]:
        """The entries to learn from."""
        return np.flatnonzero((self.log.marks & LEFT_OUT) == 0)

    @property
    def useful_ends(self) -> npt.NDArray[np.int64]:
        """Those of them where a turn has ended: every second place."""
        ends: npt.NDArray[np.int64] = self.useful[self.useful % 2 == 1]
        return ends

    def wanted(self, game: Game, network: ValueNetwork, trust: float) -> npt.NDArray[np.float64]:
        """(entries, outputs): see `set_targets`."""
        wanted = np.zeros((len(self.states), network.outs))
        run_kernel(
            game, set_targets, self.log, float(trust), network.outs, network.points, wanted, np.zeros(game.players)
        )
        return wanted


def chunk(kept: npt.NDArray[np.void], log: Log, places: int, looks: int, began: float) -> Played:
    """What a kernel filled in. began: by time.thread_time()."""
    return Played(copy_record(kept[:places]), used_part(log, places), looks, time.thread_time() - began)


def join(parts: list[Played], game: Game) -> Played:
    """All parts of a round as one."""
    log = Log(*(np.concatenate([part.log[k] for part in parts]) for k in range(len(Log._fields))))
    states = join_records([part.states for part in parts], game.state_dtype)
    return Played(states, log, sum(part.looks for part in parts), sum(part.seconds for part in parts))
