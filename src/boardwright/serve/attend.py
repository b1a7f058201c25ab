"""Games that somebody has opened. Whoever watches one hears of every change, and the seats of players are played here,
by the server: a reply does not depend on a page that asks for it, nor on one that is still there.

A game among players only goes on as long as somebody watches, at a pace that can be followed, unless it is held.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.records.live_game import HUMAN
from boardwright.search.stopping import Stopped
from boardwright.serve.at_a_glance import GLANCE_SECONDS, by_rule, glance, glanced
from boardwright.serve.clients import CLIENT
from boardwright.serve.glances import glances_in, with_glances
from boardwright.serve.jobs import choose
from boardwright.serve.pool import Job, Pool, Tell
from boardwright.serve.preparation import Preparation
from boardwright.serve.requests import Refused
from boardwright.serve.seats import Seats, kind_of
from boardwright.serve.store import Store
from boardwright.serve.table import Table

PACE = 350  # milliseconds between moves of a game that only players play, where its card says nothing

MET_SECONDS = 1.5  # that a player's first thought may take before it counts as compiling
MET_TICK = 0.25  # seconds between two words on it

RANDOM = "random"  # the player that needs no kernel


@dataclass
class Attended:
    """One game that was opened. Guarded by the attendant's lock."""

    watchers: dict[Hashable, tuple[Tell, int]] = field(default_factory=dict)  # how to tell it, its seat or -1
    state: dict[str, Any] = field(default_factory=dict)  # of the table, as it was told last
    game: Game | None = None
    people: bool = True  # whether any seat is a person's
    client: str = ""  # for whom players think: who opened the game last
    job: Job | None = None  # the player that thinks
    at: tuple[str, int] = ("", -1)  # about which era and ply
    thinking: dict[str, Any] | None = None  # its last report
    preparing: dict[str, float] | None = None  # how far its kernels are, if somebody waits for them
    problem: str = ""  # why a player could not move
    held: bool = False
    speed: float = 1.0
    began: float = 0.0  # when the last thought began, by the monotonic clock
    waiting: bool = False  # for the pace
    met: float = 0.0  # since when a player of a kind that is new here has been at its first thought, by the same clock
    kind: str = ""  # of that player


class Attendant:
    """All games that were opened. Threads may call it at will; a table's lock is taken before the attendant's own."""

    def __init__(self, store: Store, seats: Seats, pool: Pool, preparation: Preparation, most: int) -> None:
        self._store, self._seats, self._pool, self._most = store, seats, pool, most
        self._preparation = preparation
        preparation.on_tick = self._tick
        self._games: OrderedDict[str, Attended] = OrderedDict()
        self._lists: dict[Hashable, Tell] = {}  # who wants to hear that any game changed
        self.changes = 0  # of all games, since the start: lists of them carry it
        self._met: set[tuple[str, str]] = set()  # kind of player, game's digest: has thought here before
        self._lock = threading.RLock()
        self._loop: asyncio.AbstractEventLoop | None = None
        store.on_change, store.on_drop = self.changed, self.dropped

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """The loop that keeps the pace."""
        self._loop = loop

    # Watching

    def watch(self, id: str, who: Hashable, tell: Tell, seat: int = -1) -> None:
        """From now on `tell` hears of every change of the game, of the present state first. Its players play."""
        with self._store.using(id) as table, self._lock:
            game = self._games.setdefault(id, Attended())
            self._games.move_to_end(id)
            game.watchers[who] = (tell, seat)
            game.client, game.problem = CLIENT.get(), ""
            self._preparation.look_at(table.game)
            self._go_on(id, game, table)
            self._tell(game)
            self._tidy()

    def watch_lists(self, who: Hashable, tell: Tell) -> None:
        """From now on `tell` hears whenever any game is begun, changed or deleted."""
        with self._lock:
            self._lists[who] = tell
            tell({"changes": self.changes}, False)

    def leave(self, id: str, who: Hashable) -> None:
        """Hear no more of it."""
        with self._lock:
            self._lists.pop(who, None)
            game = self._games.get(id)
            if game is None or game.watchers.pop(who, None) is None:
                return
            if not game.watchers and not game.people:
                self._stop(game)
            self._tell(game)

    def pace(self, id: str, held: bool, speed: float) -> None:
        """Hold a game among players, or let it go on, and how fast."""
        with self._store.using(id) as table, self._lock:
            game = self._games.get(id)
            if game is None:
                raise Refused("watch the game first", 409)
            game.held, game.speed = held, speed
            if held and not game.people:
                self._stop(game)
            self._go_on(id, game, table)
            self._tell(game)

    # What the store tells

    def changed(self, table: Table) -> None:
        """A game has changed and is saved. Its lock is held."""
        with self._lock:
            self._tell_lists()
            game = self._games.get(table.id)
            if game is not None:
                game.problem = ""
                self._go_on(table.id, game, table)
                self._tell(game)

    def dropped(self, id: str) -> None:
        """A game is no more."""
        with self._lock:
            self._tell_lists()
            game = self._games.pop(id, None)
            if game is not None:
                self._stop(game)
                for tell, _ in game.watchers.values():
                    tell({"error": "this game was deleted", "status": 404}, True)

    # Playing

    def play(self, id: str, ply: int, job: Job) -> tuple[str, dict[str, Any]]:
        """Let the player whose turn it is think and move: its move, and what it thought. In the job's thread."""
        with self._store.using(id) as table:
            if job.stopping:
                raise Stopped
            table.expect(ply)
            position, seat = table.position, table.seats[table.position.player]
            if seat == HUMAN:
                raise Refused(f"player {position.player + 1} is a person; send its move to /api/tables", 409)
            checked = self._seats.check(seat, table.game)
        quick = self._quick(checked, position, (table.seed + ply) % 2**31, job) if checked != RANDOM else None
        if quick:
            move, thought = quick
        else:
            with self._meeting(id, checked, position.game):
                player = self._seats.player(checked, position.game, table.seed + ply)
                move, thought = choose(player, position, job)
        with self._store.using(id) as table:
            if job.stopping:
                raise Stopped
            with self._store.changing(table):
                table.play_at(ply, move, by_person=False)
                if quick:
                    table.note = with_glances(table.note, glances_in(table.note) | {ply})
        return move, thought

    @contextmanager
    def _meeting(self, id: str, spec: str, game: Game) -> Iterator[None]:
        """The first thought of a kind of player in a game may have to compile its kernels: until it has reported,
        whoever watches is told how far that should be."""
        kind = (kind_of(spec), game.digest)
        with self._lock:
            attended = self._games.get(id) if kind not in self._met and spec != RANDOM else None
            if attended is not None:
                attended.met, attended.kind = time.monotonic(), kind[0]
        if attended is not None and self._loop is not None:
            loop = self._loop
            _on(loop, lambda: self._tell_meeting(loop, attended))
        try:
            yield
            self._met.add(kind)
            if attended is not None:
                self._has_met(attended)
        finally:
            if attended is not None:
                attended.met = 0.0

    def _has_met(self, game: Attended) -> None:
        """The kernels of the player that has been at its first thought are there: the next bar knows how long."""
        with self._lock:
            since, game.met = time.monotonic() - game.met if game.met else 0.0, 0.0
            if since > MET_SECONDS and game.game is not None:
                self._preparation.remember_met(game.game, game.kind, since)

    def _tell_meeting(self, loop: asyncio.AbstractEventLoop, game: Attended) -> None:
        """Now and then, in the loop's thread, as long as it takes."""
        with self._lock:
            if not game.met:
                return
            if time.monotonic() - game.met > MET_SECONDS:
                self._tell(game)
        loop.call_later(MET_TICK, self._tell_meeting, loop, game)

    def _quick(self, spec: str, position: Position, seed: int, job: Job) -> tuple[str, dict[str, Any]] | None:
        """The move of a player whose game is still being compiled, if it is one that would soon have answered: a search
        in the interpreter, for a moment. Others wait, and whoever watches is told for how long."""
        left = self._preparation.left(position.game)
        if left is None or by_rule(spec, position.game):  # its game's rules answer in the interpreter
            return None
        if not glanced(spec):
            self._preparation.wait(position.game, lambda: job.stopping)
            return None
        if 0.0 < left["of"] - left["seconds"] < GLANCE_SECONDS:  # as told; an estimate may be overrun
            until = time.monotonic() + GLANCE_SECONDS
            self._preparation.wait(position.game, lambda: job.stopping or time.monotonic() > until)
            if self._preparation.ready(position.game):
                return None
        self._preparation.look_at(position.game)
        return glance(position, spec, seed)

    def _tick(self) -> None:
        """Those who wait for a game to be compiled hear how far it is."""
        with self._lock:
            for game in self._games.values():
                if game.watchers and game.game is not None:
                    now = self._preparation.awaited(game.game)
                    if now is not None or game.preparing is not None:
                        self._tell(game)

    def _go_on(self, id: str, game: Attended, table: Table) -> None:
        """Begin, or end, what a player thinks. Both locks are held."""
        at, turn = (table.era, len(table.plies)), table.position.player
        game.game, game.people = table.game, table.has_people
        game.state = {"ply": at[1], "era": at[0], "version": table.version, "status": table.status}
        if game.at != at or table.is_over:  # it may have been resigned while a player thought
            self._stop(game)
        waits = game.job is not None or game.waiting or bool(game.problem)
        if waits or table.is_over or turn < 0 or table.seats[turn] == HUMAN:
            return
        if not game.people:
            if game.held or not game.watchers:
                return
            rest = game.began + (table.game.card.pace or PACE) / 1000 / game.speed - time.monotonic()
            if rest > 0 and self._loop is not None:
                game.waiting = True
                _on(self._loop, lambda: self._after(rest, id))
                return
        if not self._store.playable(table):
            return
        job = Job(lambda job: {"move": self.play(id, at[1], job)[0]}, self._hears(game, at), game.client)
        game.job, game.at, game.began, game.thinking = job, at, time.monotonic(), {}
        try:
            self._pool.ask(job)
        except Refused as refused:
            game.job, game.thinking, game.problem = None, None, str(refused)

    def _after(self, rest: float, id: str) -> None:
        """Go on after so many seconds. In the loop's thread."""
        assert self._loop is not None
        loop = self._loop
        loop.call_later(rest, lambda: loop.run_in_executor(None, self._again, id))

    def _again(self, id: str) -> None:
        with self._lock:
            game = self._games.get(id)
            if game is None:
                return
            game.waiting = False
        try:
            with self._store.using(id) as table, self._lock:
                self._go_on(id, game, table)
                self._tell(game)
        except Refused:
            pass  # deleted meanwhile

    def _hears(self, game: Attended, at: tuple[str, int]) -> Tell:
        """How a thinking player's reports and its end are taken."""

        def hear(message: dict[str, Any], final: bool) -> None:
            with self._lock:
                if game.job is None or game.at != at:
                    return  # of a thought that nobody waits for
                game.thinking = None if final else message
                if not final:
                    self._has_met(game)  # who reports has its kernels
                game.met = 0.0
                if final:
                    game.job, game.problem = None, message.get("error", "")
                self._tell(game)

        return hear

    def _stop(self, game: Attended) -> None:
        job, game.job, game.thinking = game.job, None, None
        if job is not None:
            self._pool.stop(job)

    def _tell(self, game: Attended) -> None:
        game.preparing = self._preparation.awaited(game.game) if game.game is not None else None
        if game.preparing is None and game.met and game.game is not None:
            since = time.monotonic() - game.met
            if since > MET_SECONDS:
                game.preparing = {
                    "seconds": round(since, 2),
                    "of": round(self._preparation.met_in(game.game, game.kind), 1),
                }
        taken = sorted({seat for _, seat in game.watchers.values() if seat >= 0})
        news = {
            **game.state, "thinking": game.thinking, "problem": game.problem, "held": game.held, "speed": game.speed,
            "watchers": len(game.watchers), "taken": taken, "preparing": game.preparing,
        }  # fmt: skip
        for tell, _ in game.watchers.values():
            tell(news, False)

    def _tell_lists(self) -> None:
        self.changes += 1
        for tell in self._lists.values():
            tell({"changes": self.changes}, False)

    def _tidy(self) -> None:
        """Forget the games that were opened longest ago, where nobody watches and nobody thinks."""
        for id in list(self._games):
            if len(self._games) <= self._most:
                break
            if not self._games[id].watchers and self._games[id].job is None:
                del self._games[id]


def _on(loop: asyncio.AbstractEventLoop, work: Callable[[], None]) -> None:
    try:
        loop.call_soon_threadsafe(work)
    except RuntimeError:
        pass  # the loop has ended, and with it the server
