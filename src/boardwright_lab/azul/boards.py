"""The report's example boards, its toy model, and a search to look into (section 1, "Monte Carlo Tree Search")."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.state import States
from boardwright.games.load import load
from boardwright.search.network_answer import Network
from boardwright.search.settings import SearchSettings
from boardwright.search.virtual_loss import VirtualLossSearch

# Row by row: 1 is a stone of the player to move, -1 one of the other's. The first has two stones against none: the
# report's own board, which no game leads to, and to which the rules have an answer all the same.
CAN_WIN = (1, 0, 0, 0, 1, 0, 0, 0, 0)
ONLY_THE_CENTRE = (1, 1, -1, -1, 0, 0, -1, 0, 0)
EARLY = (1, -1, 0, 0, 0, 0, 0, 0, 0)  # the report's picture of a wide tree
MUST_BLOCK = (1, -1, 0, -1, 1, 0, -1, 0, -1)  # "can the model prevent an instant loss?"
MUST_WIN = (1, 1, 0, -1, -1, 0, -1, 0, -1)  # "can the model select an instant win?"
TOY_VALUE = 0.0123  # what the toy model says of every position


def tictactoe() -> Game:
    """Three in a row on 3x3."""
    return load("tictactoe")


def board(cells: Sequence[int]) -> Position:
    """A position of tic-tac-toe from nine numbers, as the report writes them.

    Who moves follows from the number of stones: X after an even one, O after an odd one. X is the first player.
    """
    game: Any = tictactoe()
    record = np.zeros(1, game.state_dtype)
    rules, state = game.interpreted, States(record)[0]
    rules.start(state)
    mover = sum(cell != 0 for cell in cells) % 2
    for cell, stone in enumerate(cells):
        if stone:
            rules.put(state, cell, 1 + (mover if stone == 1 else 1 - mover))
    return Position(game, record)


def toy_model(
    states: npt.NDArray[np.void], actors: npt.NDArray[np.int8]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float64]]:
    """The report's toy model for (n,) states of tic-tac-toe: all moves alike, 0.0123 to whoever is to move."""
    values = np.full((len(actors), 2), -TOY_VALUE)
    values[np.arange(len(actors)), actors] = TOY_VALUE
    return np.zeros((len(actors), 9), np.float32), values


def search(
    position: Position, simulations: int, c: float = 3.0, network: Network = toy_model, leaves: int = 1
) -> VirtualLossSearch:
    """The engine's PUCT without its other help (no proofs, no threats): `.tree` is the tree grown from `position`."""
    settings = SearchSettings(
        simulations=simulations + 1, select="puct", prior="uniform", rollout="none", c=c, proofs=False, forcing=False,
        threats=False, reuse=False,
    )  # fmt: skip
    grown = VirtualLossSearch(position.game, settings, network, leaves)
    grown.grow(position)
    return grown


def root_visits(grown: VirtualLossSearch) -> npt.NDArray[np.int64]:
    """(actions,): how often each move of the root was tried."""
    assert grown.tree is not None
    counts = np.zeros(grown.game.actions, np.int64)
    for child in grown.tree.children():
        counts[grown.tree.slots["move"][child]] = grown.tree.slots["visits"][child]
    return counts


def root_values(grown: VirtualLossSearch) -> npt.NDArray[np.float64]:
    """(actions,): the mean value of each move of the root to whoever plays it, -1 to 1; 0 where it was not tried."""
    assert grown.tree is not None and grown.root is not None
    values = np.zeros(grown.game.actions)
    for child in grown.tree.children():
        if grown.tree.slots["visits"][child]:
            values[grown.tree.slots["move"][child]] = grown.tree.q(child)[grown.root.player]
    return values
