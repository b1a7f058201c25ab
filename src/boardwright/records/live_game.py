"""A game that is being played: its moves so far, who sits where, what was taken back, and its record.

Draws come from the seed and the place in the game alone: taking a move back and making it again brings the same draws,
and a game begun in the terminal goes on in the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self
from uuid import uuid4

from boardwright.contract.game import Game
from boardwright.contract.position import Position, blank
from boardwright.contract.random import Random
from boardwright.records.record import DRAW, Record, now

HUMAN = "human"


class LiveGame:
    """One game in progress. `seats[i]` is player i: "human", or the spec of a player that chooses by itself."""

    def __init__(self, game: Game, seats: Sequence[str], seed: int) -> None:
        self.game, self.seats, self.seed = game, tuple(seats), seed
        self.id, self.started = uuid4().hex, now()
        self.note = ""  # of the record: who resigned, what help was taken
        self.sealed = True  # as its record has it
        self.resigned = False
        self.awarded: tuple[float, ...] | None = None  # results of a forfeit, as whoever refereed gave them
        self.seconds: list[float] = []  # thinking time of each player's move
        self.timed = True  # False: a record without times
        self.plies: list[str] = []  # moves and draws by their texts, as a record has them
        self.by: list[int] = []  # who made each ply: a seat, or CHANCE
        self.positions: list[Position] = [blank(game)]  # positions[k]: after k plies

    def begin(self) -> Self:
        """Draw what comes before the first move."""
        self._extend(self.game.begin(self.seed))
        return self

    def take_up(self, record: Record) -> Self:
        """Become the game that a record tells, with this game's own seats, and go on with it if it is not over."""
        self._extend(record.replay(self.game))
        self.id, self.started, self.note, self.sealed = record.id, record.started, record.note, record.sealed
        self.resigned, self.awarded = record.status == "forfeit", record.results
        self.timed = bool(record.seconds) or self.moves_played == 0
        self.seconds = list(record.seconds) or [0.0] * self.moves_played
        if not self.is_over:
            self.settle()
        return self

    def follow(self, other: LiveGame, ply: int) -> Self:
        """Become what the other game was after so many plies; draws come by this game's own rule from there."""
        self.plies, self.by = other.plies[:ply], other.by[:ply]
        self.positions = [
            Position(self.game, at.record, previous=at.previous, step=at.step) for at in other.positions[: ply + 1]
        ]
        self.seconds = other.seconds[: self.moves_played]
        self.timed = other.timed
        self.settle()
        return self

    # What is the case

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @property
    def status(self) -> str:
        """As a record has it."""
        return "forfeit" if self.resigned else "finished" if self.position.is_over else "unfinished"

    @property
    def is_over(self) -> bool:
        return self.status != "unfinished"

    @property
    def results(self) -> tuple[float, ...] | None:
        """What each player got; None before the end."""
        return self.awarded if self.resigned else self.position.results

    @property
    def moves_played(self) -> int:
        return sum(seat >= 0 for seat in self.by)

    @property
    def has_people(self) -> bool:
        return HUMAN in self.seats

    @property
    def human_to_move(self) -> bool:
        return not self.is_over and self.position.player >= 0 and self.seats[self.position.player] == HUMAN

    @property
    def draws_just_made(self) -> list[str]:
        """What chance did since the last player's move, in order."""
        last_move = max((place for place, seat in enumerate(self.by) if seat >= 0), default=-1)
        return [ply.removeprefix(DRAW) for ply in self.plies[last_move + 1 :]]

    # What is done

    def play(self, move: int | str, seconds: float) -> None:
        """A player's move, thought about for so long, and the draws that follow."""
        self._extend(self.position.play(move))
        self.seconds.append(max(0.0, seconds))
        self.settle()

    def settle(self) -> None:
        """Draw what chance does before the next move."""
        self._extend(self.position.settle(Random(Random(self.seed).bits() + len(self.plies))))

    def take_back(self) -> bool:
        """To the last decision that a person took, and the record says so; False if there was none."""
        back = len(self.plies) - 1
        while back >= 0 and not (self.by[back] >= 0 and self.seats[self.by[back]] == HUMAN):
            back -= 1
        if back < 0:
            return False
        del self.plies[back:], self.by[back:], self.positions[back + 1 :]
        del self.seconds[self.moves_played :]
        self.resigned, self.awarded = False, None
        self.mark("undo")
        return True

    def resign(self, seat: int) -> None:
        """End the game here, as a forfeit of that seat."""
        self.note = "; ".join(filter(None, [f"player {seat + 1} resigned", self.note]))
        self.resigned = True

    def snapshot(self) -> dict[str, Any]:
        """All that playing changes, for `restore`."""
        return {name: value[:] if isinstance(value, list) else value for name, value in vars(self).items()}

    def restore(self, before: dict[str, Any]) -> None:
        """Be again what `snapshot` saw."""
        vars(self).update(before)

    def mark(self, help_taken: str) -> None:
        """Note in the record that somebody had help."""
        if self.has_people and not self.is_over and help_taken not in self.note:
            helped = f"assisted: {help_taken}"
            joined = f"{self.note}, {help_taken}" if "assisted" in self.note else f"{self.note}; {helped}"
            self.note = joined if self.note else helped

    def record(self) -> Record:
        """All of it, as the library keeps it."""
        return Record(
            game=self.game.name,
            options=self.game.options,
            digest=self.game.digest,
            seed=self.seed,
            players=self.seats,
            plies=tuple(self.plies),
            seconds=tuple(self.seconds) if self.timed else (),
            scores=self.position.scores,
            results=self.results,
            status=self.status,
            note=self.note,
            started=self.started,
            id=self.id,
            sealed=self.sealed,
        )

    def _extend(self, to: Position) -> None:
        """Go on to a position that the present one leads to, step by step."""
        steps, here = [], to
        while here is not self.position and here.previous is not None:
            steps.append(here)
            here = here.previous
        for after in reversed(steps):
            before = after.previous
            assert before is not None and after.step is not None
            self.plies.append((DRAW if before.is_chance else "") + before.text(after.step))
            self.by.append(before.player)
            # What a position has computed about itself would stay for ever: past ones are kept bare.
            last = self.positions[-1]
            bare = Position(self.game, before.record, previous=last.previous, step=last.step)
            self.positions[-1] = bare
            self.positions.append(Position(self.game, after.record, previous=bare, step=after.step))
