"""Our rules beside OpenSpiel's, move for move: by tests for a few games, by `make torture` as long as there is time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import boardwright as bw
from boardwright.contract.random import Random
from tests.second_readings import Agree


def play_beside(
    position: bw.Position,
    other: Any,
    rng: Random,
    agree: Agree,
    text: Callable[[str], str] | None = None,
    numbers: bool = True,
) -> Iterator[bw.Position]:
    """One game, moves at random: its positions from this one to the end, each after all of it has been compared.

    other: OpenSpiel's state at `position`. text: how its text of a move reads with us; None: texts are not compared.
    numbers: whether moves have the same numbers there; if not, they are told by their texts.
    """
    while not position.is_over:
        agree(not other.is_terminal(), "over there, not here", position)
        agree(other.current_player() == position.player, "another player moves there", position)
        theirs = {text(other.action_to_string(move)) if text else move: move for move in other.legal_actions()}
        own = {position.text(move) if text else move: move for move in position.moves}
        agree(own == theirs if numbers else own.keys() == theirs.keys(), "other moves are legal there", position)
        yield position
        move = position.moves[rng.below(len(position.moves))]
        other.apply_action(theirs[position.text(move) if text else move])
        position = position.play(move)
    agree(other.is_terminal(), "over here, not there", position)
    agree(list(position.results or ()) == other.returns(), "another result there", position)
    yield position
