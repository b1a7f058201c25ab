"""A round of games in chunks on several threads. The number of threads changes nothing but the time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from boardwright.contract.random import Random

Chunk = TypeVar("Chunk")


def chunks_of(games: int, seed: int, size: int) -> list[npt.NDArray[np.uint64]]:
    """A state of random numbers a game, `size` games a chunk."""
    rng = Random(seed)
    rngs = np.array([rng.bits() for _ in range(games)], np.uint64)
    return [rngs[begin : begin + size].copy() for begin in range(0, games, size)]


def play_in_chunks(
    play: Callable[[npt.NDArray[np.uint64]], Chunk],
    parts: Sequence[npt.NDArray[np.uint64]],
    threads: int,
    show: Callable[[float], bool],
    beside: Callable[[], object] | None = None,
) -> list[Chunk] | None:
    """What `play` makes of each of the `parts`, in order. `show` is told what share is done, and answers whether to
    stop: then nothing comes of it. `beside` is other work, done to its end by one of the threads while others play."""
    done: list[Chunk] = []
    stopped = Event()

    def one(part: npt.NDArray[np.uint64]) -> Chunk | None:
        return None if stopped.is_set() else play(part)

    with ThreadPoolExecutor(threads) as pool:
        other = pool.submit(beside) if beside else None
        for played in pool.map(one, parts):
            if played is not None:
                done.append(played)
            if not stopped.is_set() and show(len(done) / len(parts)):
                stopped.set()
        if other:
            other.result()
    return None if stopped.is_set() else done
