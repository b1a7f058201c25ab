"""One game at the server: a live game under a lock, whose callers must know the position that they decide on."""

from __future__ import annotations

import secrets
import threading
import time

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.records import Record
from boardwright.records.live_game import HUMAN, LiveGame
from boardwright.serve.glances import glances_in, with_glances
from boardwright.serve.requests import Refused

PLY_BYTES = 16  # of a record, beside the text of a ply: what sets it apart, and the seconds that it took


class Table(LiveGame):
    """A game in memory. Hold `lock` while looking at more than one of its parts, or changing any."""

    def __init__(self, game: Game, seats: tuple[str, ...], seed: int, *, most_plies: int) -> None:
        super().__init__(game, seats, seed)
        self.lock = threading.RLock()
        self.most_plies = most_plies
        # What a client knows of the game is still true as long as the era is the same: its plies only grow.
        self.era, self.version = secrets.token_hex(4), 0  # version: changes since then, saved
        self.gone = False  # put out of memory: whoever still holds it must ask for the game again
        self._asked = time.monotonic()

    @classmethod
    def of(cls, record: Record, game: Game, *, most_plies: int) -> Table:
        """The game that a record tells."""
        if len(record.plies) > most_plies:
            raise Refused(f"a game of {len(record.plies):,} plies is too long for the page; it shows {most_plies:,}")
        return cls(game, record.players, record.seed, most_plies=most_plies).take_up(record)

    @property
    def size(self) -> int:
        """About how many bytes of its record grow as it is played. Remarks are none of them: one can always resign."""
        return sum(map(len, self.plies)) + PLY_BYTES * len(self.plies)

    def at(self, ply: int) -> Position:
        """The position after so many plies."""
        if not 0 <= ply < len(self.positions):
            raise Refused(f"this game has {len(self.plies)} plies; there is no position after {ply}", 404)
        return self.positions[ply]

    def expect(self, ply: int) -> None:
        """That somebody is to move, in the position that the caller knows: `ply` is how many plies it has seen.
        Somebody who decides on an old position must not play on the new one."""
        if self.is_over:
            raise Refused("the game is over", 409)
        self._expect_ply(ply)
        if self.position.player < 0:
            raise InputError("nobody is to move")

    def play_at(self, ply: int, move: str, *, by_person: bool) -> None:
        """A player's move and the draws that follow."""
        self.expect(ply)
        seat = self.seats[self.position.player]
        if by_person and seat != HUMAN:
            raise Refused(f"it is the turn of player {self.position.player + 1}, {seat}", 409)
        if len(self.plies) >= self.most_plies:
            raise Refused(f"the page plays up to {self.most_plies:,} plies; go on with: boardwright play --resume", 409)
        self.play(move, round(time.monotonic() - self._asked, 3))

    def take_back_at(self, ply: int) -> None:
        """To the last decision that a person took. The record says so."""
        self._expect_ply(ply)
        if not self.take_back():
            raise Refused("there is no move of yours to take back", 409)
        left = {one for one in glances_in(self.note) if one < len(self.plies)}
        self.note = with_glances(self.note, left)
        self.era, self._asked = secrets.token_hex(4), time.monotonic()

    def resign_at(self, ply: int) -> None:
        """The person to move gives up; alone among players, the last person."""
        self.expect(ply)
        seat = self.position.player
        if self.seats[seat] != HUMAN:
            people = [i for i, who in enumerate(self.seats) if who == HUMAN]
            if not people:
                raise Refused("nobody who could resign plays here", 409)
            seat = people[-1]
        self.resign(seat)

    def settle(self) -> None:
        """Draw what chance does before the next move, whose clock begins now."""
        super().settle()
        self._asked = time.monotonic()

    def _expect_ply(self, ply: int) -> None:
        if ply != len(self.plies):
            raise Refused(f"the game has gone on: {len(self.plies)} plies, not {ply}", 409)
