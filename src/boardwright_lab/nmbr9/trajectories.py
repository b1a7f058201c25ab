"""Trajectories: whole games as records, saved, loaded and replayed; and the decks on which all players are compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from boardwright.arena import MatchResult
from boardwright.arena.report import write_text
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position, blank
from boardwright.records import Library, Record
from boardwright.records.library import read_lines
from boardwright.records.record import DRAW

Deck = tuple[int, ...]  # digits in the order in which they are drawn


def records_of(result: MatchResult, player: str, library: Library) -> list[Record]:
    """The games of one player in a match, in the order of their decks."""
    number = result.players.index(player)
    return [library.get(outcome.id) for outcome in result.outcomes if outcome.seats[0] == number]


def deck_of(record: Record) -> Deck:
    """The order of the cards in a recorded game of NMBR 9."""
    return tuple(int(ply.removeprefix(DRAW)) for ply in record.plies if ply.startswith(DRAW))


def play_deck(game: Game, deck: Deck, choose: Callable[[Position], int]) -> Position:
    """The last position of a game whose cards come in this order; the player sees the position alone."""
    position = blank(game)
    for digit in deck:
        position = position.draw(digit)
        position = position.play(choose(position))
    return position


def save_trajectories(path: Path, records: Sequence[Record]) -> None:
    """One game a line, as JSON."""
    write_text(path, "".join(record.to_json() + "\n" for record in records))


def load_trajectories(path: Path, game: Game) -> list[Record]:
    """What `save_trajectories` wrote, each game replayed under the rules before any is believed."""
    records = []
    for number, line in enumerate(read_lines(path), start=1):
        try:
            record = Record.from_json(line)
            record.replay(game)
        except InputError as error:
            raise InputError(f"{path.name}, line {number}: {error}") from None
        records.append(record)
    if not records:
        raise InputError(f"{path.name}: there are no games in it")
    return records
