"""Which level to try next: after three games in a row won against one, the level above it. A race counts as a game."""

from __future__ import annotations

from boardwright.contract.errors import InputError
from boardwright.records import Library, Record
from boardwright.records.live_game import HUMAN
from boardwright.records.people import People
from boardwright.serve.race import rival_in
from boardwright.serve.seats import Seats
from boardwright.serve.table import Table

WINS = 3  # in a row
LOOKED_AT = 400  # games of the same name, newest first; of all people of a server


def next_level(table: Table, seats: Seats, library: Library) -> dict[str, str] | None:
    """The level to suggest to the only person at a table that is over: name, player and a few words. None unless the
    last games of these rules against this opponent, by whoever sits at this table, this one among them, were all won
    without help."""
    if not table.is_over or sum(who == HUMAN for who in table.seats) != 1:
        return None
    own = table.record()
    beaten = _opponent(own)
    above = seats.above(beaten, table.game) if beaten and _won(own, library) else None
    if above is None:
        return None
    wins, this_one = 0, False
    alike = [
        one
        for one in library.find(game=table.game.name, limit=LOOKED_AT)
        if sorted(one.players) == sorted(table.seats) and one.status != "unfinished"
    ]
    sitters = People(library).at([table.id, *(one.id for one in alike)])
    persons = {id: {it.person for it in sitters.get(id, [])} for id in (table.id, *(one.id for one in alike))}
    for one in alike:
        if persons[one.id] != persons[table.id]:
            continue
        record = _as_here(one.id, own, library)
        if record is None:
            continue
        if not _won(record, library):
            break
        wins += 1
        this_one |= one.id == table.id
        if wins == WINS:
            break
    if wins < WINS or not this_one:
        return None
    name, spec, words = above
    return {"name": name, "player": spec, "about": words}


def _opponent(record: Record) -> str:
    """The player against whom the person played, at this table or in a race at another; empty if it is not one."""
    others = {who for who in record.players if who != HUMAN}
    rival = rival_in(record.note)
    return others.pop() if len(others) == 1 else rival[1] if rival and not others else ""


def _won(record: Record, library: Library) -> bool:
    """Whether the person did better than everybody else; in a race, than the other, when both are over."""
    results, me = record.results, record.players.index(HUMAN)
    if results is None:
        return False
    rival = rival_in(record.note)
    if rival is not None:
        other = _record(rival[0], library)
        return other is not None and other.results is not None and results[me] > other.results[0]
    return all(results[me] > got for seat, got in enumerate(results) if seat != me)


def _as_here(id: str, own: Record, library: Library) -> Record | None:
    """A record, if it is of the same rules, against the same opponent, and was played without help."""
    record = _record(id, library)
    same = record is not None and record.options == own.options and _opponent(record) == _opponent(own)
    return record if record is not None and same and "assisted" not in record.note else None


def _record(id: str, library: Library) -> Record | None:
    try:
        return library.get(id)
    except InputError:
        return None  # deleted meanwhile
