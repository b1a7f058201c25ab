"""One game at the table: who sits where, draws that the seed fixes, undo, and a record saved after every move."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from uuid import uuid4

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.players import Choice, Player, player
from boardwright.records import Library, Record

HUMAN = "human"
PACE = 0.5  # seconds that the computer may think: as long as a person likes to wait


class Session:
    """A game in progress. `seats[i]` is player i: "human", or the spec of a player that chooses by itself."""

    def __init__(self, game: Game, seats: list[str], seed: int) -> None:
        self.game = game
        self.seats = fill_seats(game, seats)
        self.seed = seed
        self._players = [None if seat == HUMAN else self._seat(seat, i) for i, seat in enumerate(self.seats)]
        self.position = game.begin(seed)
        self.seconds: list[float] = []  # thinking time of each player's move
        self.note = ""
        self.started = datetime.now(UTC).isoformat(timespec="seconds")
        self.id = uuid4().hex
        self.library = Library()
        self.resigned = False
        self._saved = False

    @classmethod
    def resume(cls, record: Record, game: Game, seats: list[str]) -> Session:
        """Go on with an unfinished record, with its own players unless `seats` names others."""
        if record.status != "unfinished":
            short = record.id[:8]
            raise InputError(f"record {short} is {record.status}; look at it with: boardwright records replay {short}")
        session = cls(game, seats or list(record.players), record.seed)
        session.position = record.replay(game)
        session.seconds = list(record.seconds) or [0.0] * session.moves_played
        session.note, session.started, session.id = record.note, record.started, record.id
        session._saved = True
        session._settle()
        return session

    def _seat(self, spec: str, seat: int) -> Player:
        # A spec without a seed plays by this game's own, so that no two games need be alike.
        seeded = f"{spec}{',' if ':' in spec else ':'}seed={(self.seed + seat) % 2**31}"
        if "seed=" in spec:
            return player(spec, self.game)
        try:
            return player(seeded, self.game)
        except InputError:
            return player(spec, self.game)  # a kind without a seed, or one that is wrong anyhow: this says why

    @property
    def human_to_move(self) -> bool:
        return self.position.player >= 0 and self.seats[self.position.player] == HUMAN

    @property
    def moves_played(self) -> int:
        return sum(1 for before, _ in self._steps() if before.player >= 0)

    def play(self, move: int | str, seconds: float) -> None:
        """A player's move, and the draws that follow."""
        self.position = self.position.play(move)
        self.seconds.append(seconds)
        self._settle()

    def let_choose(self) -> Choice:
        """What the player whose turn it is would do; takes the time it takes."""
        chooser = self._players[self.position.player]
        assert chooser is not None
        return timed_choice(chooser, self.position)

    def advise(self, spec: str) -> Choice:
        """What the player that `spec` names would do here. The record says that help was taken."""
        choice = timed_choice(player(spec, self.game), self.position)
        self._mark("hint")
        return choice

    def undo(self) -> bool:
        """Back to the last decision that a human took; False if there was none."""
        position = self.position.previous
        while position is not None and not (position.player >= 0 and self.seats[position.player] == HUMAN):
            position = position.previous
        if position is None:
            return False
        self.position = position
        del self.seconds[self.moves_played :]
        self._mark("undo")
        return True

    def resign(self, seat: int) -> None:
        """End the game here, as a forfeit of that seat."""
        self.note = "; ".join(filter(None, [f"player {seat + 1} resigned", self.note]))
        self.resigned = True

    def save(self) -> bool:
        """Into the library. A game in which nobody has moved yet is not worth a record: False."""
        if self.seconds or self._saved:
            self.library.save(self.record())
            self._saved = True
        return self._saved

    def record(self) -> Record:
        return Record.of(
            self.position,
            seed=self.seed,
            players=self.seats,
            seconds=tuple(self.seconds),
            started=self.started,
            status="forfeit" if self.resigned else None,
            note=self.note,
            id=self.id,
        )

    def draws_just_made(self) -> list[str]:
        """What chance did since the last player's move, in order."""
        drawn: list[str] = []
        for before, step in self._steps():
            drawn = [*drawn, before.text(step)] if before.is_chance else []
        return drawn

    def _settle(self) -> None:
        # The draws of one place in the game come from the seed and that place alone: undoing a move and
        # playing it again brings the same draws, and so does resuming.
        ply = sum(1 for _ in self._steps())
        self.position = self.position.settle(Random(Random(self.seed).bits() + ply))

    def _steps(self) -> list[tuple[Position, int]]:
        line = list(self.position.line())
        return [(before, after.step) for before, after in pairwise(line) if after.step is not None]

    def _mark(self, help_taken: str) -> None:
        if help_taken not in self.note:
            self.note = f"{self.note}, {help_taken}" if "assisted" in self.note else f"assisted: {help_taken}"


def timed_choice(chooser: Player, position: Position) -> Choice:
    """The player's choice with the seconds that it took."""
    before = time.perf_counter()
    choice = chooser.choose(position)
    return replace(choice, seconds=time.perf_counter() - before)


def fill_seats(game: Game, seats: list[str]) -> tuple[str, ...]:
    """One name a seat: those given, then a human if none was given, then the best known player."""
    if len(seats) > game.players:
        raise InputError(f"{game.name}: {len(seats)} seats are named, but the game has {game.players}")
    from boardwright.learn.strongest import best_known

    named = [seat.strip() for seat in seats] or [HUMAN]
    return (*named, *[best_known(game, PACE)] * (game.players - len(named)))
