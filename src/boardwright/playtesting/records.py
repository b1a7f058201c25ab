"""Games of a playtest as records: what anybody can replay."""

from __future__ import annotations

import hashlib
import shlex

from boardwright.contract.errors import RuleError
from boardwright.contract.game import Game
from boardwright.contract.position import Position, blank
from boardwright.games.named import source_of
from boardwright.playtesting.experiments import Experiment
from boardwright.playtesting.trace import Trace
from boardwright.records import Record


def command_for(command: str, record: Record, game: Game) -> str:
    """The command line that does this with a record; a game that is not built in is named by its file."""
    rules = f" --game {shlex.quote(source)}" if (source := source_of(game)) else ""
    return f"boardwright {command} {record.id[:8]}{rules}"


def replay(game: Game, one: Trace) -> Position:
    """The last position of a game, with all before it."""
    position = blank(game)
    for step in one.steps:
        position = position.advance(step)
    return position


def record_of(game: Game, one: Trace, experiment: Experiment, note: str) -> Record:
    """The record of a game; one that came to no end is unfinished, and one that ends where the rules have no answer
    leads up to the move before that, which its note names."""
    seats = [experiment.specs[who] for who in one.seats]
    text = f"{game.name} {game.options} {game.digest} {one.id} {one.steps}"
    last = replay(game, one)
    try:
        _ = last.answers
    except RuleError:
        if last.previous is None or last.step is None:
            raise
        note = f"then {last.previous.text(last.step)}: {note}"
        last = last.previous
    return Record.of(
        last,
        seed=one.luck,
        players=tuple(seats),
        note=f"playtest: {note}"[:200],
        id=hashlib.sha256(text.encode()).hexdigest()[:32],
    )
