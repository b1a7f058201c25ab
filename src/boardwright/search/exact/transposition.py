"""A table of positions that were searched before: one flat array, a few neighbouring slots for every key.

A position met again by another order of moves need not be searched again. The table never grows: where all
slots for a key are taken, the entry that cost the least work goes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.compile.kernel import kernel, kernel_with
from boardwright.contract.errors import InputError

WAYS = 4  # slots in which an entry may lie
_ALL = 0xFFFFFFFFFFFFFFFF
_MIX_1 = np.uint64(0xFF51AFD7ED558CCD)
_MIX_2 = np.uint64(0xC4CEB9FE1A85EC53)
_HALF = np.uint64(32)
_ONE = np.uint64(1)


def new_table(payload: list[tuple[Any, ...]], megabytes: float) -> npt.NDArray[np.void]:
    """An empty table of at most so much memory, whose entries hold `payload` (NumPy fields) beside the head."""
    head: list[tuple[Any, ...]] = [
        ("key", "i8"),
        ("worth", "i4"),  # work that the entry saves; 0: the slot is empty
        ("move", "i4"),  # the best move found, -1 without
    ]
    dtype = np.dtype(head + payload, align=True)
    fitting = max(WAYS, int(megabytes * 1e6 // dtype.itemsize))
    try:
        return np.zeros(1 << fitting.bit_length() - 1, dtype)
    except (MemoryError, ValueError):
        raise InputError(f"megabytes={megabytes:g} is more memory than this machine gives; ask for less") from None


def _mixed_in_python(number: Any) -> int:
    mixed = int(number) & _ALL
    mixed = ((mixed ^ (mixed >> 32)) * int(_MIX_1)) & _ALL
    mixed = ((mixed ^ (mixed >> 32)) * int(_MIX_2)) & _ALL
    return (mixed ^ (mixed >> 32)) >> 1


@kernel_with(_mixed_in_python)
def mixed(number: Any) -> Any:
    """63 bits, all of which depend on all bits of `number`: low bits then serve as a slot's number."""
    bits = np.uint64(number)
    bits = (bits ^ (bits >> _HALF)) * _MIX_1
    bits = (bits ^ (bits >> _HALF)) * _MIX_2
    return np.int64((bits ^ (bits >> _HALF)) >> _ONE)


def _hashed_in_python(words: Any, at: int) -> int:
    total = 0
    for word in words[at].tolist():
        total = ((total ^ word) * int(_MIX_1)) & _ALL
        total ^= total >> 32
    return _mixed_in_python(total)


@kernel_with(_hashed_in_python)
def hashed(words: Any, at: Any) -> Any:
    """63 bits from all words of record number `at`."""
    total = np.uint64(0)
    for i in range(words.shape[1]):
        total = (total ^ words[at, i]) * _MIX_1
        total ^= total >> _HALF
    return mixed(total)


@kernel
def state_key(game: Any, states: Any, words: Any, at: Any) -> Any:
    """The key of states[at], from 0 up: the game's own if it writes one, else of all bytes.

    words: the same states as uint64, one row a state.
    """
    if game.has_key:
        return mixed(game.key(states[at]))
    return hashed(words, at)


@kernel
def find(table: Any, key: Any) -> Any:
    """The slot that holds `key`, or -1."""
    begin = key & (len(table) - WAYS)
    for slot in range(begin, begin + WAYS):
        if table[slot].key == key and table[slot].worth != 0:
            return slot
    return -1


@kernel
def claim(table: Any, key: Any) -> Any:
    """The slot to write `key` into: its own, an empty one, or that of the entry that is worth least."""
    begin = key & (len(table) - WAYS)
    least = begin
    for slot in range(begin, begin + WAYS):
        entry = table[slot]
        if entry.worth == 0 or entry.key == key:
            return slot
        if entry.worth < table[least].worth:
            least = slot
    return least


def words_of(states: npt.NDArray[np.void]) -> npt.NDArray[np.uint64]:
    """The states as whole words, one row each; both are views of the same memory."""
    return states.view(np.uint64).reshape(len(states), -1)
