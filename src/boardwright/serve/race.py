"""A race: a game that one plays alone, played by a person and by a player on the same draws, each at its own table.

The person's record names the other's: both have one seed, and draws come by seed and ply.
"""

from __future__ import annotations

import re

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.records.live_game import HUMAN
from boardwright.serve.requests import Refused
from boardwright.serve.store import Store
from boardwright.serve.table import Table

_NOTE = re.compile(r"race against ([0-9a-f]{32}) by ([^;]+)")


def begin_race(store: Store, game: Game, rival: str, seed: int | None) -> Table:
    """The person's table; the rival, a player's spec or a strength, begins beside it."""
    if game.players != 1:
        raise Refused("a race is for games that one plays alone; here sit down together")
    other = store.begin(game, [rival], seed)
    try:
        return store.begin(game, [HUMAN], other.seed, f"race against {other.id} by {other.seats[0]}")
    except InputError:
        store.drop(other.id)  # there is nobody to race against it
        raise


def rival_in(note: str) -> tuple[str, str] | None:
    """The rival's table and its player, if a record's note tells of a race."""
    found = _NOTE.search(note)
    return (found[1], found[2]) if found else None
