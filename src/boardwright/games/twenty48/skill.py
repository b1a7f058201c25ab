"""A policy for 2048: keep order. On 4x4 it reads whole rows of a bitboard."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

import boardwright as bw
from boardwright.compile.random import pick, unit
from boardwright.games.twenty48.bitboard import (
    SIDE,
    add_tile,
    all_lanes,
    count_nibbles,
    empty_marks,
    fits,
    pack,
    row_tables,
    slide_rows,
    sum_rows,
    transpose,
    two_largest,
)
from boardwright.games.twenty48.rules import DOWN, LEFT, UP, SlidingRules

EMPTY, PAIR = 14, 25  # what an empty cell and a pair that could merge are worth to `greedy`; found by trial


class SlidingSkill(SlidingRules):
    """The `greedy` policy, and whole playouts of it."""

    policies = ("greedy",)

    def greedy(self, s, moves, count, weights):
        """Look one slide ahead for order: empty cells, pairs that could merge, lanes that rise or fall all along."""
        if self.size == SIDE:
            self.orders_by_rows(s, moves, count, weights)
        else:
            after = np.zeros(self.area, np.int64)
            for i in range(count):
                self.slide_into(s, moves[i], after)
                weights[i] = self.order(after)
        self.prefer_best(count, weights)

    def prefer_best(self, count, weights):
        """Weights from orders: the best one weighs 1, one that is d points worse 1 / (1 + d)^2."""
        best = -1.0e9
        for i in range(count):
            best = max(best, weights[i])
        for i in range(count):
            gap = best - weights[i]
            weights[i] = 1.0 / ((1.0 + gap) * (1.0 + gap))

    def orders_by_rows(self, s, moves, count, weights):
        """weights[i] = the order after moves[i], on 4x4: look-ups of whole rows are several times as fast."""
        board = pack(s.cells)
        turned = transpose(board)
        for i in range(count):
            weights[i] = self.order_of_rows(self.slid(board, turned, moves[i]))

    def slid(self, board, turned, direction):
        """The board after a slide; the transposed one if the slide is up or down. `turned` is the transposed board."""
        return slide_rows(
            turned if direction in (UP, DOWN) else board,
            self.to_first if direction in (UP, LEFT) else self.to_last,
        )

    def order_of_rows(self, board):
        return sum_rows(board, self.lane_orders) + sum_rows(transpose(board), self.lane_orders)

    def play_on(self, policy, s, most, rng, luck, moves, weights):
        """`greedy` against chance on 4x4, with the board as one number all the way."""
        if self.size != SIDE or policy != 1 or s.actor == bw.OVER or s.tiles < 2 or not fits(s.cells):
            return 0
        board = pack(s.cells)
        made = 0
        while True:
            if s.actor == bw.CHANCE:
                board = add_tile(board, unit(luck), self.four)
            turned = transpose(board)
            count = 0
            for direction in range(4):
                after = self.slid(board, turned, direction)
                if after != (turned if direction in (UP, DOWN) else board):
                    moves[count] = direction
                    weights[count] = self.order_of_rows(after)
                    count += 1
            s.actor = 0 if count > 0 else bw.OVER
            if count == 0 or made == most or two_largest(board):
                break
            self.prefer_best(count, weights)
            direction = moves[pick(rng, weights, count)]
            after = self.slid(board, turned, direction)
            if direction in (UP, DOWN):
                s.score += sum_rows(turned, self.row_points)
                board = transpose(after)
            else:
                s.score += sum_rows(board, self.row_points)
                board = after
            s.actor = bw.CHANCE
            made += 1
        for cell in range(self.area):
            s.cells[cell] = np.int64((board >> np.uint64(4 * cell)) & np.uint64(15))
        s.tiles = self.area - count_nibbles(empty_marks(board))
        return made

    @property
    def to_first(self) -> npt.NDArray[np.uint16]:
        return row_tables().left

    @property
    def to_last(self) -> npt.NDArray[np.uint16]:
        return row_tables().right

    @property
    def row_points(self) -> npt.NDArray[np.int32]:
        return row_tables().reward

    @cached_property
    def lane_orders(self) -> npt.NDArray[np.int32]:
        """[row of 16 bits]: its order."""
        lanes = all_lanes()
        change = np.diff(lanes * lanes, axis=1)
        pairs = ((change == 0) & (lanes[:, 1:] != 0)).sum(1)
        strays = np.minimum(np.maximum(change, 0).sum(1), np.maximum(-change, 0).sum(1))
        orders: npt.NDArray[np.int32] = (EMPTY * (lanes == 0).sum(1) + PAIR * pairs - strays).astype(np.int32)
        return orders

    def slide_into(self, s, direction, after):
        """What `play` would make of the cells, into `after`."""
        step = self.away(direction)
        for cell in range(self.area):
            after[cell] = 0
        for lane in range(self.size):
            cell = target = self.wall(direction, lane)
            waiting = 0
            for _ in range(self.size):
                tile = s.cells[cell]
                if tile != 0 and tile == waiting:
                    after[target - step] = tile + 1
                    waiting = 0
                elif tile != 0:
                    after[target] = tile
                    target += step
                    waiting = tile
                cell += step

    def order(self, after):
        total = 0
        for lane in range(self.size):
            total += self.lane_order(after, lane * self.size, 1)
            total += self.lane_order(after, lane, self.size)
        return total

    def lane_order(self, after, cell, step):
        """Squares of exponents weigh how far a lane strays from rising (or falling)."""
        before = after[cell]
        total = EMPTY if before == 0 else 0
        rising = falling = 0
        for _ in range(1, self.size):
            cell += step
            tile = after[cell]
            change = tile * tile - before * before
            if tile == 0:
                total += EMPTY
            elif change == 0:
                total += PAIR
            if change > 0:
                rising += change
            else:
                falling -= change
            before = tile
        return total - min(rising, falling)
