"""Where games are kept: those in use in memory, all of them in the library, saved before anybody is told of a move."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.games.built_in import BUILT_IN
from boardwright.records import Library, Record
from boardwright.records.live_game import HUMAN
from boardwright.serve.catalogue import Catalogue
from boardwright.serve.clients import Quota
from boardwright.serve.limits import Limits
from boardwright.serve.requests import Refused
from boardwright.serve.table import Table


class Store:
    """All games. Threads may call it at will."""

    def __init__(self, catalogue: Catalogue, limits: Limits, library: Library | None = None) -> None:
        self.catalogue, self.limits = catalogue, limits
        self.library = library or Library()
        self.quota = Quota(limits, self.library.path.parent)
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._lock = threading.Lock()
        self._loading: dict[str, threading.Lock] = {}
        self._kept_open = ExitStack()
        self.on_change: Callable[[Table], None] = lambda table: None  # after a change was saved; under the table's lock
        self.on_drop: Callable[[str], None] = lambda id: None

    def open(self) -> None:
        """Say now what is wrong with the library, and keep it open: SQLite tidies up, and waits for the disk, whenever
        the last connection goes."""
        self._kept_open.enter_context(self.library.opened())

    def close(self) -> None:
        self._kept_open.close()

    # Games

    def begin(self, game: Game, seats: list[str], seed: int | None, note: str = "") -> Table:
        """A new game. It is in the library at once: nothing that somebody sees is lost with the server."""
        if len(seats) != game.players:
            raise Refused(f"{game.name} has {game.players} seats; {len(seats)} are named")
        checked = tuple(self.catalogue.seats.check(seat, game) for seat in seats)
        chosen = secrets.randbelow(2**31) if seed is None else seed
        table = Table(game, checked, chosen, most_plies=self.limits.plies)
        table.note = note
        return self._take_in(table.begin())

    def branch(self, source: Table, ply: int, seats: list[str]) -> Table:
        """Another game that goes on from a ply of this one, with its draws as they would have come."""
        if len(seats) != source.game.players:
            raise Refused(f"{source.game.name} has {source.game.players} seats; {len(seats)} are named")
        checked = tuple(self.catalogue.seats.check(seat, source.game) for seat in seats)
        source.at(ply)
        table = Table(source.game, checked, source.seed, most_plies=self.limits.plies)
        table.follow(source, ply)
        if table.has_people:
            table.note = f"assisted: went on from ply {ply} of {source.id[:8]}"
        return self._take_in(table)

    def take_in(self, record: Record) -> Table:
        """A record from outside, checked by replaying it. One that is here already is simply opened."""
        game = self.catalogue.make(record.game, record.options)
        record.check_options(game)
        table = Table.of(record, game, most_plies=self.limits.plies)
        with self.quota.keeping(table.size):
            self.library.add([record])
        return self._remember(table)

    @contextmanager
    def using(self, id: str) -> Iterator[Table]:
        """The game of that id, locked. Whoever changes a game does it in here: there is one table of it only."""
        while True:
            table = self._get(id)
            with table.lock:
                if not table.gone:
                    yield table
                    break
        self._tidy()

    def _get(self, id: str) -> Table:
        if len(id) != 32 or any(sign not in "0123456789abcdef" for sign in id):
            raise Refused("no such game: ids have 32 digits 0-9 a-f", 404)
        with self._lock:
            if id in self._tables:
                self._tables.move_to_end(id)
                return self._tables[id]
            turn = self._loading.setdefault(id, threading.Lock())
        try:
            with turn:  # two requests for one game must not make two tables of it
                with self._lock:
                    if id in self._tables:
                        return self._tables[id]
                return self._remember(self._read(id))
        finally:
            with self._lock:
                self._loading.pop(id, None)

    @contextmanager
    def changing(self, table: Table) -> Iterator[None]:
        """Change a game that is in use, and save it before anybody hears of it. Where saving fails or is refused, or
        the change itself, the game is what it was: what is shown is what the library has."""
        before, size = table.snapshot(), table.size
        try:
            yield
            with self.quota.keeping(table.size, size):
                self.save(table)
        except BaseException:
            table.restore(before)
            raise
        table.version += 1
        self.on_change(table)

    def save(self, table: Table) -> None:
        """Into the library."""
        self.library.save(table.record())

    def drop(self, id: str) -> None:
        """Out of memory and library."""
        with self.using(id) as table:
            self.library.delete(table.id)
            with self._lock:
                self._tables.pop(id, None)
            table.gone = True
        self.on_drop(id)

    def renew(self, name: str) -> None:
        """A game's file was saved. Games in memory whose rules are the same are read anew, as they may look otherwise;
        the others go on by the rules that they began with."""
        with self._lock:
            tables = [table for table in self._tables.values() if table.game.name == name]
        for old in tables:
            with old.lock:
                if old.gone:
                    continue
                if self.catalogue.is_old(old.game):
                    old.version += 1
                    self.on_change(old)
                    continue
                with self._lock:
                    self._tables.pop(old.id, None)
                old.gone = True
            with self.using(old.id) as table:
                self.on_change(table)

    def playable(self, table: Table) -> bool:
        """Whether it can go on here: every seat is a person's or a player's that this server has."""
        if table.is_over:
            return False
        try:
            return all(seat == HUMAN or self.catalogue.seats.check(seat, table.game) for seat in table.seats)
        except InputError:
            return False

    def _read(self, id: str) -> Table:
        try:
            record = self.library.get(id)
        except InputError as error:
            if str(error).startswith("no record"):
                raise Refused("no such game; it may have been deleted", 404) from None
            raise
        if record.game not in self.catalogue.names:
            known = (
                ""
                if record.game in BUILT_IN
                else f"; start the server with it: boardwright serve FILE.py:{record.game}"
            )
            raise Refused(f"a game of {record.game!r}, which this server does not have{known}", 404)
        return Table.of(record, self.catalogue.make(record.game, record.options), most_plies=self.limits.plies)

    def _take_in(self, table: Table) -> Table:
        with self.quota.keeping(table.size):
            self.save(table)
        kept = self._remember(table)
        with kept.lock:
            self.on_change(kept)
        return kept

    def _remember(self, table: Table) -> Table:
        with self._lock:
            kept = self._tables.setdefault(table.id, table)
            self._tables.move_to_end(table.id)
        self._tidy(kept)
        return kept

    def _tidy(self, kept: Table | None = None) -> None:
        """Put the games out of memory that were not used for longest. One that is in use stays: there must not be two
        tables of one game; whoever uses it tidies up afterwards."""
        with self._lock:
            positions = sum(len(table.positions) for table in self._tables.values())
            for id in list(self._tables):
                if len(self._tables) <= self.limits.tables and positions <= self.limits.positions:
                    break
                old = self._tables[id]
                if old is not kept and old.lock.acquire(blocking=False):
                    positions -= len(old.positions)
                    del self._tables[id]
                    old.gone = True
                    old.lock.release()
