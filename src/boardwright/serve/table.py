"""One game at the server: its moves so far, who sits where, and its record.

Draws come from the seed and the place in the game alone, by the rule that the terminal follows too: taking a move back
and making it again brings the same draws, and a game begun there goes on here.
"""

from __future__ import annotations

import threading
import time
from itertools import pairwise
from uuid import uuid4

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import MOST_DRAWS_IN_A_ROW, Position, blank
from boardwright.contract.random import Random
from boardwright.records import Record
from boardwright.records.record import DRAW, now
from boardwright.serve.requests import Refused
from boardwright.serve.seats import HUMAN


class Table:
    """A game in memory. Hold `lock` while looking at more than one of its parts, or changing any."""

    def __init__(self, game: Game, seats: tuple[str, ...], seed: int, *, most_plies: int) -> None:
        self.lock = threading.RLock()
        self.game, self.seats, self.seed = game, seats, seed
        self.id, self.started = uuid4().hex, now()
        self.note = ""
        self.resigned = False
        self.awarded: tuple[float, ...] | None = None  # results of a forfeit, as whoever refereed gave them
        self.seconds: list[float] = []
        self.timed = True  # False: a record without times
        self.plies: list[str] = []
        self.by: list[int] = []  # who made each ply: a seat, or CHANCE
        self.line: list[Position] = [blank(game)]
        self.most_plies = most_plies
        self.gone = False  # put out of memory: whoever still holds it must ask for the game again
        self._asked = time.monotonic()

    @classmethod
    def begin(cls, game: Game, seats: tuple[str, ...], seed: int, *, most_plies: int) -> Table:
        """A new game, with the draws that come before the first move."""
        table = cls(game, seats, seed, most_plies=most_plies)
        for before, after in pairwise(game.begin(seed).line()):
            table._append(before, after)
        return table

    @classmethod
    def of(cls, record: Record, game: Game, *, most_plies: int) -> Table:
        """The game that a record tells."""
        if len(record.plies) > most_plies:
            raise Refused(f"a game of {len(record.plies):,} plies is too long for the page; it shows {most_plies:,}")
        table = cls(game, record.players, record.seed, most_plies=most_plies)
        for before, after in pairwise(record.replay(game).line()):
            table._append(before, after)
        table.id, table.started, table.note = record.id, record.started, record.note
        table.resigned, table.awarded = record.status == "forfeit", record.results
        table.timed = bool(record.seconds) or table.moves_played == 0
        table.seconds = list(record.seconds) or [0.0] * table.moves_played
        if not table.is_over:
            table.settle()
        return table

    # What is the case

    @property
    def position(self) -> Position:
        return self.line[-1]

    @property
    def is_over(self) -> bool:
        return self.position.is_over or self.resigned

    @property
    def moves_played(self) -> int:
        return sum(seat >= 0 for seat in self.by)

    @property
    def has_people(self) -> bool:
        return HUMAN in self.seats

    def at(self, ply: int) -> Position:
        """The position after so many plies."""
        if not 0 <= ply < len(self.line):
            raise Refused(f"this game has {len(self.plies)} plies; there is no position after {ply}", 404)
        return self.line[ply]

    # What is done

    def expect(self, ply: int) -> None:
        """That somebody is to move, in the position that the caller knows."""
        if self.is_over:
            raise Refused("the game is over", 409)
        if ply != len(self.plies):
            raise Refused(f"the game has gone on: {len(self.plies)} plies, not {ply}", 409)
        if self.position.player < 0:
            raise InputError("nobody is to move")

    def play(self, move: str, ply: int, *, by_person: bool) -> None:
        """A player's move and the draws that follow. `ply` is how many plies the caller has seen: somebody who
        decides on an old position must not play on the new one."""
        self.expect(ply)
        seat = self.seats[self.position.player]
        if by_person and seat != HUMAN:
            raise Refused(f"it is the turn of player {self.position.player + 1}, {seat}", 409)
        if len(self.plies) >= self.most_plies:
            raise Refused(f"the page plays up to {self.most_plies:,} plies; go on with: boardwright play --resume", 409)
        before = self.position
        self._append(before, before.play(move))
        self.seconds.append(max(0.0, round(time.monotonic() - self._asked, 3)))
        self.settle()

    def take_back(self, ply: int) -> None:
        """To the last decision that a person took. The record says so."""
        if ply != len(self.plies):
            raise Refused(f"the game has gone on: {len(self.plies)} plies, not {ply}", 409)
        back = len(self.plies) - 1
        while back >= 0 and not (self.by[back] >= 0 and self.seats[self.by[back]] == HUMAN):
            back -= 1
        if back < 0:
            raise Refused("there is no move of yours to take back", 409)
        self.cut(back)
        self.resigned, self.awarded = False, None
        self.mark("undo")

    def follow(self, other: Table, ply: int) -> None:
        """Become what the other game was after so many plies; draws come by this game's own rule from there."""
        self.plies, self.by = other.plies[:ply], other.by[:ply]
        self.line = [Position(self.game, at.record, previous=at.previous, step=at.step) for at in other.line[: ply + 1]]
        self.seconds = other.seconds[: self.moves_played]
        self.timed = other.timed
        self.settle()

    def cut(self, ply: int) -> None:
        """Drop all after so many plies."""
        del self.plies[ply:], self.by[ply:], self.line[ply + 1 :]
        del self.seconds[self.moves_played :]
        self._asked = time.monotonic()

    def resign(self, ply: int) -> None:
        """The person to move gives up; alone among players, the last person."""
        self.expect(ply)
        seat = self.position.player
        if self.seats[seat] != HUMAN:
            people = [i for i, who in enumerate(self.seats) if who == HUMAN]
            if not people:
                raise Refused("nobody who could resign plays here", 409)
            seat = people[-1]
        self.note = "; ".join(filter(None, [f"player {seat + 1} resigned", self.note]))
        self.resigned = True

    def mark(self, help_taken: str) -> None:
        """Note in the record that somebody had help."""
        if self.has_people and not self.is_over and help_taken not in self.note:
            self.note = f"{self.note}, {help_taken}" if "assisted" in self.note else f"assisted: {help_taken}"

    def record(self) -> Record:
        """All of it, as the library keeps it."""
        status = "forfeit" if self.resigned else "finished" if self.position.is_over else "unfinished"
        return Record(
            game=self.game.name,
            options=self.game.options,
            digest=self.game.digest,
            seed=self.seed,
            players=self.seats,
            plies=tuple(self.plies),
            seconds=tuple(self.seconds) if self.timed else (),
            scores=self.position.scores,
            results=self.awarded if self.resigned else self.position.results,
            status=status,
            note=self.note,
            started=self.started,
            id=self.id,
        )

    # Parts

    def _append(self, before: Position, after: Position) -> None:
        assert after.step is not None
        self.plies.append((DRAW if before.is_chance else "") + before.text(after.step))
        self.by.append(before.player)
        # What a position has computed about itself would stay for ever: past ones are kept bare.
        bare = Position(self.game, before.record, previous=self.line[-1].previous, step=self.line[-1].step)
        self.line[-1] = bare
        self.line.append(Position(self.game, after.record, previous=bare, step=after.step))

    def settle(self) -> None:
        """Draw what chance does before the next move."""
        rng = Random(Random(self.seed).bits() + len(self.plies))
        for _ in range(MOST_DRAWS_IN_A_ROW):
            before = self.position
            if not before.is_chance:
                break
            self._append(before, before.sample(rng))
        self._asked = time.monotonic()
