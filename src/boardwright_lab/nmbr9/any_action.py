"""NMBR 9 as the report's actor-critic meets it (section 3): a table of 25 x 25 squares, five levels, and any action.

An action names column, row, level and quarter turns (x, y, z, theta): 25 x 25 x 5 x 4 = 12,500 of them, of which the
rules allow a few hundred. An illegal one costs the tile: it goes out of the game, the next card is drawn, so that an
episode always has 20 actions. (The report does not tell what became of such a tile.)
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel
from boardwright.games.load import load
from boardwright.games.nmbr9.tiles import CARDS, RING, SHAPES, squares

SIDE, LEVELS = 25, 5
HEADS = (SIDE, SIDE, LEVELS, 4)  # choices of x, y, z and theta
MOST_LEGAL = 2304  # room for legal actions; the first tile has 2,024 places
EMPTY = -1  # in the matrix B, as the report has it


@kernel
def attempt(game: Any, states: Any, x: Any, y: Any, z: Any, theta: Any, moves: Any) -> Any:
    """Place the tile in states[0] as told, if that is legal; else it goes out of the game. 1 if it was legal."""
    s = states[0]
    shape = 4 * s.digit + theta % game.looks[s.digit]
    if s.stuck == 0 and x + game.shape_wide[shape] <= SIDE and y + game.shape_tall[shape] <= SIDE:
        wanted = game.move_at(shape, y, x)
        for i in range(game.legal(s, moves)):
            if moves[i] == wanted:
                states[1] = s
                game.play(states[1], wanted)
                if states[1].level[s.count] == z:
                    states[0] = states[1]
                    return 1
    s.digit = -1
    s.stuck = 0
    return 0


@kernel
def list_legal(game: Any, states: Any, moves: Any, actions: Any) -> Any:
    """Write the legal actions (x, y, z, theta) of states[0] into the rows of `actions`; return how many. states[1] is
    scratch."""
    s = states[0]
    if s.stuck == 1:
        return 0
    count = game.legal(s, moves)
    for i in range(count):
        states[1] = s
        after = states[1]
        game.play(after, moves[i])
        k = s.count
        actions[i, 0] = after.column[k]
        actions[i, 1] = after.row[k]
        actions[i, 2] = after.level[k]
        actions[i, 3] = after.turned[k]
    return count


@kernel
def paint(game: Any, states: Any, digits: Any, tiles: Any) -> None:
    """The report's matrices of states[0]: B into digits[y, x, z], EMPTY without a tile; T, which tile of the game it
    is, counted from 1, into tiles[y, x, z], 0 without."""
    s = states[0]
    for y in range(SIDE):
        for x in range(SIDE):
            for z in range(LEVELS):
                digits[y, x, z] = EMPTY
                tiles[y, x, z] = 0
    for k in range(s.count):
        shape = 4 * s.number[k] + s.turned[k]
        for y in range(game.shape_tall[shape]):
            for x in range(game.shape_wide[shape]):
                if (game.shape_bits[shape, y] >> x) & 1:
                    digits[s.row[k] + y, s.column[k] + x, s.level[k]] = s.number[k]
                    tiles[s.row[k] + y, s.column[k] + x, s.level[k]] = k + 1


class AnyActionTable:
    """One episode at a time."""

    def __init__(self) -> None:
        self.game = load("nmbr9", table=SIDE, levels=LEVELS)
        self._states = np.zeros(2, self.game.state_dtype)
        self._moves = np.zeros(self.game.actions, np.int32)
        self.digits = np.zeros((SIDE, SIDE, LEVELS), np.float32)  # B of now
        self._tiles = np.zeros((SIDE, SIDE, LEVELS), np.float32)
        self.legal = np.zeros((MOST_LEGAL, len(HEADS)), np.int32)  # as `count_legal` left it

    def begin(self, deck: tuple[int, ...]) -> None:
        """A new episode; its cards come in this order, of which nothing is shown."""
        from boardwright.compile import rule_kernels

        self._deck, self.turn = deck, 0
        self._states = np.zeros(2, self.game.state_dtype)
        run_kernel(self.game, rule_kernels.start_state, self.game, self._states)
        self._draw()

    @property
    def over(self) -> bool:
        return self.turn == CARDS

    @property
    def points(self) -> int:
        return int(self._states["score"][0])

    @property
    def digit(self) -> int:
        """The tile to place."""
        return int(self._states["digit"][0])

    def step(self, action: tuple[int, int, int, int]) -> bool:
        """Try an action (x, y, z, theta); was it legal? Then the next card is drawn."""
        legal = bool(run_kernel(self.game, attempt, self.game, self._states, *map(int, action), self._moves))
        self.turn += 1
        self._draw()
        return legal

    def count_legal(self) -> int:
        """How many actions are legal now; they are in the first rows of `legal`."""
        return int(run_kernel(self.game, list_legal, self.game, self._states, self._moves, self.legal))

    def observe(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """What the networks see, scaled to at most 1: B and T as (SIDE, SIDE, 2 x LEVELS), and n and d as (20,)."""
        board = np.concatenate([self.digits / 9.0, self._tiles / CARDS], axis=2)
        hand = np.zeros(20, np.float32)
        if self.digit >= 0:
            hand[self.digit] = 1.0
        hand[10:] = self._states["left"][0] / 2.0
        return board, hand

    def _draw(self) -> None:
        from boardwright.compile import rule_kernels

        if not self.over:
            run_kernel(self.game, rule_kernels.draw_outcome, self.game, self._states, self._deck[self.turn])
        run_kernel(self.game, paint, self.game, self._states, self.digits, self._tiles)


def demonstration(s: Any) -> npt.NDArray[np.float32] | None:
    """A finished game on the endless table as B after each turn, (CARDS, SIDE, SIDE, LEVELS), its layout in the middle
    of the report's table; None if it does not fit there. `s` is the state as Python reads it."""
    if s.tall > SIDE or s.wide > SIDE or s.highest >= LEVELS or s.count < CARDS:
        return None
    boards = np.full((CARDS, SIDE, SIDE, LEVELS), EMPTY, np.float32)
    top, left = (SIDE - s.tall) // 2, (SIDE - s.wide) // 2
    for k in range(CARDS):
        for y, x in squares(SHAPES[4 * s.number[k] + s.turned[k]]):
            row, column = top + (s.row[k] - s.top) % RING + y, left + (s.column[k] - s.start_column) % RING + x
            boards[k:, row, column, s.level[k]] = s.number[k]
    return boards
