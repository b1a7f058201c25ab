"""A game in the terminal: a live game with players in its seats, saved after every move."""

from __future__ import annotations

import time
from dataclasses import replace

from boardwright.cli.player_named import player_named
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.players import Choice, Player, PlayerSpec, player, seeded
from boardwright.players.kinds import settled
from boardwright.records import Library, Record
from boardwright.records.live_game import HUMAN, LiveGame

PACE = 0.5  # seconds that the computer may think: as long as a person likes to wait


class Session(LiveGame):
    """A game at the terminal. `seats` may be fewer than the game has: see `fill_seats`."""

    def __init__(self, game: Game, seats: list[str], seed: int) -> None:
        super().__init__(game, fill_seats(game, seats), seed)
        self._players = [None if seat == HUMAN else self._player(seat, i) for i, seat in enumerate(self.seats)]
        self.library = Library()
        self._saved = False

    @classmethod
    def new(cls, game: Game, seats: list[str], seed: int) -> Session:
        """A game from its start."""
        return cls(game, seats, seed).begin()

    @classmethod
    def resume(cls, record: Record, game: Game, seats: list[str]) -> Session:
        """Go on with an unfinished record, with its own players unless `seats` names others."""
        short = record.id[:8]
        if record.status != "unfinished":
            raise InputError(f"record {short} is {record.status}; look at it with: boardwright records replay {short}")
        for spec in () if seats else record.players:
            parsed = PlayerSpec.parse(spec)
            if parsed.is_file or parsed.is_program:  # a record may be a stranger's, and must not choose what is run
                what = "a file" if parsed.is_file else "a program"
                raise InputError(f"record {short} has the player {spec}, {what}: say with --seat who shall sit there")
        session = cls(game, seats or list(record.players), record.seed).take_up(record)
        session._saved = True
        return session

    def _player(self, spec: str, seat: int) -> Player:
        # A spec without a seed plays by this game's own, so that no two games need be alike.
        return player(seeded(spec, self.game, (self.seed + seat) % 2**31), self.game)

    def let_choose(self) -> Choice:
        """What the player whose turn it is would do; takes the time it takes."""
        chooser = self._players[self.position.player]
        assert chooser is not None
        return timed_choice(chooser, self.position)

    def advise(self, spec: str) -> Choice:
        """What the player that `spec` names would do here. The record says that help was taken."""
        choice = timed_choice(player(spec, self.game), self.position)
        self.mark("hint")
        return choice

    def save(self) -> bool:
        """Into the library. A game in which nobody has moved yet is not worth a record: False."""
        if self.seconds or self._saved:
            self.library.save(self.record())
            self._saved = True
        return self._saved


def timed_choice(chooser: Player, position: Position) -> Choice:
    """The player's choice with the seconds that it took."""
    before = time.perf_counter()
    choice = chooser.choose(position)
    return replace(choice, seconds=time.perf_counter() - before)


def fill_seats(game: Game, seats: list[str]) -> tuple[str, ...]:
    """One name a seat: those given, then a human if none was given, then the best known player."""
    if len(seats) > game.players:
        raise InputError(f"{game.name}: {len(seats)} seats are named, but the game has {game.players}")
    named = [
        seat if seat == HUMAN else str(settled(player_named(seat, game), game)) for seat in map(str.strip, seats)
    ] or [HUMAN]
    if len(named) == game.players:
        return tuple(named)
    from boardwright.cli.terminal import say
    from boardwright.learn.strongest import best_known

    return (*named, *[best_known(game, PACE, say)] * (game.players - len(named)))
