"""What routes and socket share: the games, the searches, and how positions are named in requests."""

from __future__ import annotations

import json
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Any

from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.records.reports import Reports
from boardwright.serve.attend import Attendant
from boardwright.serve.catalogue import Catalogue
from boardwright.serve.clients import Turns
from boardwright.serve.jobs import PositionSearch
from boardwright.serve.judges import Judges
from boardwright.serve.limits import Limits
from boardwright.serve.next_level import next_level
from boardwright.serve.own_files import OwnFiles
from boardwright.serve.playtests import Playtests
from boardwright.serve.pool import Pool
from boardwright.serve.preparation import Preparation
from boardwright.serve.requests import Fields, Refused
from boardwright.serve.safety import Door
from boardwright.serve.store import Store
from boardwright.serve.table import Table
from boardwright.serve.theatre import Theatres
from boardwright.serve.view import tell

MOST_STEPS = 2000  # of a study: a position and what somebody tried from there


class Context:
    """One server's parts."""

    def __init__(
        self, catalogue: Catalogue, store: Store, limits: Limits, door: Door, *, prepare: bool = False
    ) -> None:
        self.catalogue, self.seats, self.store, self.limits = catalogue, catalogue.seats, store, limits
        self.door = door
        self.pool = Pool(limits.threads, limits.waiting, limits.share_seconds)
        self.preparation = Preparation(catalogue.specs if prepare else None, self.seats.usual, self.seats.lookers)
        self.attendant = Attendant(store, self.seats, self.pool, self.preparation, limits.tables)
        self.files = OwnFiles(catalogue, self._renewed)
        self.sockets: Counter[str] = Counter()  # open, by client
        self.turns, self.long_turns = Turns(limits.requests_each), Turns(1)
        self.quota = store.quota
        self.reports = Reports(store.library)
        self.judges = Judges()
        self.playtests = Playtests(catalogue, self.quota)
        self.theatres = Theatres(limits)
        self._searches: OrderedDict[tuple[int, str], OrderedDict[str, PositionSearch]] = OrderedDict()
        self._lock = threading.Lock()

    def _renewed(self, game: Game) -> None:
        self.preparation.look_at(game)
        self.store.renew(game.name)

    def close(self) -> None:
        self.files.close()
        self.playtests.close()
        self.preparation.close()
        self.pool.close()
        self.store.close()

    def tell(self, table: Table, *, since: int = 0, narrow: bool = False) -> dict[str, Any]:
        """A game for a client."""
        told = tell(table, self.seats, playable=self.store.playable(table), since=since, narrow=narrow)
        old, following = self.catalogue.is_old(table.game), next_level(table, self.seats, self.store.library)
        return {**told, "old_rules": old, "next": following}

    def finder(self, fields: Fields, *, hint: bool = False) -> Callable[[], Position]:
        """Which position a request means: {"table", "ply"}, or {"position"} as `Position.to_json` writes it; from there
        {"steps"}, moves and draws by their texts. Found later, in a thread: rules may have to be compiled first.
        With `hint`, a game that is being played here is marked as assisted."""
        steps = fields.texts("steps", MOST_STEPS, [])
        if fields.has("table"):
            table_id, ply = fields.text("table"), fields.whole("ply", 0, 10**9)

            def start() -> Position:
                with self.store.using(table_id) as table:
                    if hint and not table.is_over and ply == len(table.plies) and "hint" not in table.note:
                        with self.store.changing(table):
                            table.mark("hint")
                    return table.at(ply)
        else:
            data = fields.object("position")

            def start() -> Position:
                return self.game_of(data).from_json(json.dumps(data))

        def find() -> Position:
            position = start()
            for step in steps:
                position = position.advance(step)
            return position

        return find

    def game_of(self, data: dict[str, Any]) -> Game:
        """The game that a position's JSON names."""
        name, options = data.get("game"), data.get("options")
        if not isinstance(name, str) or not isinstance(options, dict):
            raise Refused("a position names its game and its options, as Position.to_json writes them")
        return self.catalogue.make(name, options)

    # Trees of finished searches: a few of all sockets together, as each may be large.

    def remember_search(self, searches: OrderedDict[str, PositionSearch], id: str) -> None:
        with self._lock:
            self._searches[id_of(searches), id] = searches
            while len(self._searches) > self.limits.trees:
                (_, old), owner = self._searches.popitem(last=False)
                owner.pop(old, None)

    def forget_searches(self, searches: OrderedDict[str, PositionSearch]) -> None:
        with self._lock:
            for key in [key for key in self._searches if key[0] == id_of(searches)]:
                del self._searches[key]
        searches.clear()


def id_of(searches: OrderedDict[str, PositionSearch]) -> int:
    return id(searches)
