"""Rounds of games by workers elsewhere: an order is the random numbers of some chunks, its portion what was played.

A chunk's games follow from the numbers that play, the terms and the chunk's random numbers alone, and chunks are joined
in their order: so it does not matter who played which, or how many a portion has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.arena.workers import Workers
from boardwright.learn.kernel.log import Played

Chunks = Sequence[npt.NDArray[np.uint64]]
PORTIONS = 4  # of a round, a worker: few enough to cost little, many enough that nobody waits long for the last


def cut(chunks: Chunks, workers: int) -> list[Chunks]:
    """A round's chunks as orders for so many workers."""
    size = -(-len(chunks) // (PORTIONS * max(1, workers)))
    return [chunks[begin : begin + size] for begin in range(0, len(chunks), size)]


def play_by_orders(
    workers: Workers,
    common: Any,
    chunks: Chunks,
    show: Callable[[float], bool],
    beside: Callable[[], object] | None = None,
) -> list[Played] | None:
    """What workers make of each chunk, in order, with `common`: the numbers and terms that play. `beside` is done here
    meanwhile. `show` is told what share is done, and answers whether to stop: then nothing comes of it, and the workers
    have stopped."""
    orders = cut(chunks, workers.count)
    workers.hand_out(common, orders)
    if beside:
        beside()
    found: dict[int, list[Played]] = {}

    def idle() -> None:
        if show(len(found) / len(orders)):
            raise _Stopped

    try:
        for number, portion in workers.answers(idle):
            found[number] = portion
    except _Stopped:
        workers.stop()
        return None
    return [chunk for number in range(len(orders)) for chunk in found[number]]


class _Stopped(Exception):
    """Somebody wants to stop."""
