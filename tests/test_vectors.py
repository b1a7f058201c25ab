"""Sums over rows, 32 numbers at a time: the same bits compiled and interpreted, and the sums that they should be."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from boardwright.compile.kernel import interpret, kernel
from boardwright.compile.vectors import LANES, add_all_rows, add_chosen_rows, add_row, dot, relu

PLACE = 3  # where sums begin: nothing needs to be aligned


@kernel
def all_sums(sums: Any, rows: Any, wide: Any, indices: Any, weights: Any, count: Any) -> Any:
    """A row of `sums` for each kind of sum; returns a product."""
    add_chosen_rows(sums[0], PLACE, rows, 1, wide, indices, weights, count)
    add_all_rows(sums[1], PLACE, rows, 1, wide, weights, 2, count)
    add_row(sums[2], PLACE, weights[0], rows, 1, wide)
    add_row(sums[3], PLACE, weights[0], rows, 1, wide)
    relu(sums[3], PLACE, wide)
    return dot(sums[0], PLACE, rows, 1, wide)


@given(
    st.sampled_from([1, 8, LANES, LANES + 8, 3 * LANES, 4 * LANES + 1]), st.integers(0, 40), st.integers(0, 2**32 - 1)
)
def test_sums_over_rows(wide: int, count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=50 * wide + 1).astype(np.float32)
    weights = rng.normal(size=count + 2).astype(np.float32)
    indices = rng.integers(0, 50, count + 1).astype(np.int32)
    before = rng.normal(size=(4, wide + 2 * PLACE)).astype(np.float32)
    sums, plain = before.copy(), before.copy()
    product = all_sums(sums, rows, wide, indices, weights, count)
    assert np.float32(product) == interpret(all_sums)(plain, rows, wide, indices, weights, count)
    assert np.array_equal(sums, plain)
    table, inside = rows[1:].reshape(50, wide), slice(PLACE, PLACE + wide)
    wanted = before.astype(np.float64)
    wanted[0, inside] += weights[:count] @ table[indices[:count]].astype(np.float64)
    wanted[1, inside] += weights[2:] @ table[:count].astype(np.float64)
    wanted[2, inside] += weights[0] * table[0]
    wanted[3, inside] = np.maximum(wanted[3, inside] + weights[0] * table[0], 0.0)
    np.testing.assert_allclose(sums, wanted, atol=1e-4)
    np.testing.assert_allclose(product, sums[0, inside].astype(np.float64) @ table[0], atol=1e-3)
