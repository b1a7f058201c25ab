"""Which level to try next: after three games in a row won against one, the level above it."""

from __future__ import annotations

from boardwright.contract.errors import InputError
from boardwright.records import Library
from boardwright.records.live_game import HUMAN
from boardwright.serve.seats import Seats
from boardwright.serve.table import Table

WINS = 3  # in a row
LOOKED_AT = 40  # games of the same name, newest first


def next_level(table: Table, seats: Seats, library: Library) -> dict[str, str] | None:
    """The level to suggest to the only person at a table that is over: name, player and a few words. None unless the
    last games of these rules against this opponent, this one among them, were all won without help."""
    people = [seat for seat, who in enumerate(table.seats) if who == HUMAN]
    others = {who for who in table.seats if who != HUMAN}
    if not table.is_over or len(people) != 1 or len(others) != 1 or not _won(table.seats, table.results):
        return None
    above = seats.above(next(iter(others)), table.game)
    if above is None:
        return None
    wins, this_one = 0, False
    for one in library.find(game=table.game.name, limit=LOOKED_AT):
        same = sorted(one.players) == sorted(table.seats) and one.status != "unfinished"
        if not same or not _as_here(one.id, table, library):
            continue
        if not _won(one.players, one.results):
            break
        wins += 1
        this_one |= one.id == table.id
        if wins == WINS:
            break
    if wins < WINS or not this_one:
        return None
    name, spec, words = above
    return {"name": name, "player": spec, "about": words}


def _won(players: tuple[str, ...], results: tuple[float, ...] | None) -> bool:
    """Whether the person did better than everybody else."""
    if results is None:
        return False
    me = players.index(HUMAN)
    return all(results[me] > got for seat, got in enumerate(results) if seat != me)


def _as_here(id: str, table: Table, library: Library) -> bool:
    """Whether a record is of the same rules and was played without help."""
    try:
        record = library.get(id)
    except InputError:
        return False  # deleted meanwhile
    return record.options == table.game.options and "assisted" not in record.note
