"""Check what a game says of positions ahead of play: `estimate`, `winning`, `answers`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from boardwright.check.pair import Pair
from boardwright.compile.kernel import Kernel, interpret, kernel
from boardwright.contract.errors import RuleError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.state import copy_record

TRIES = 30  # as a search gives at its leaves


@kernel
def look_ahead(game: Any, states: Any, moves: Any, line: Any, values: Any, scratch: Any, tries: Any) -> Any:
    """(length of the winning line in `line`, how many of `moves` are answers), and the estimate in `values`."""
    game.estimate(states[0], values)
    length = game.winning(states[0], line, tries)
    return length, game.answers(states[0], moves, len(moves), scratch, tries)


def check_tactics(pair: Pair) -> None:
    """Raise RuleError where interpreter and compiled rules differ, or a promise of the contract is broken."""
    game, position, at = pair.game, pair.fast, pair.at
    if not position.moves or not (game.estimates or game.sees_threats):
        return
    if game.sees_threats and (game.players != 2 or game.counts_points):
        raise RuleError(f"{game.name}.winning: only a game of two players that is won can have it; leave it out")
    slow, fast = _seen(game, position, interpret(look_ahead), at), _seen(game, position, look_ahead, at)
    values, line, kept = fast
    for name, same in (
        ("estimate", np.allclose(values, slow[0], rtol=1e-9)),
        ("winning", line == slow[1]),
        ("answers", kept == slow[2]),
    ):
        if not same:
            raise pair.differ(name)
    if not all(map(math.isfinite, values)):
        raise RuleError(f"{game.name}.estimate: wrote {values} {at}; every player needs a finite number")
    if line and line[0] not in position.moves:
        raise RuleError(f"{game.name}.winning: {line[0]} is no legal move {at}")
    if not kept or not set(kept) <= set(position.moves):
        raise RuleError(f"{game.name}.answers: keep some of the moves given, and no others, {at}")


def _seen(
    game: Game, position: Position, run: Kernel[..., Any] | Any, at: str
) -> tuple[list[float], list[int], list[int]]:
    record, moves = copy_record(position.record), np.array(position.moves, np.int32)
    line, scratch = np.zeros(game.actions, np.int32), np.zeros(game.actions, np.int32)
    values = np.zeros(game.players)
    length, kept = run(game, record, moves, line, values, scratch, TRIES)
    if record.tobytes() != position.record.tobytes():
        raise RuleError(f"{game.name}: winning, answers and estimate must leave the state as it was; it changed {at}")
    return values.tolist(), line[:length].tolist(), moves[:kept].tolist()
