"""Sums over rows of float32 numbers, 32 at a time: what a small network is made of.

Left to itself the compiler keeps the sums of a layer in memory, since they might overlap the rows, and adds a sum of
products up one number at a time, since it may not change the order. Here the sums of 32 columns stay in vectors for as
long as rows are added, and the order is fixed by us: products are rounded before they are added, so that a sum has the
same bits on every kind of machine and in the interpreter.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from boardwright.compile.kernel import kernel, kernel_with

LANES = 32
_FLOAT = ir.FloatType()
_VECTOR = ir.VectorType(_FLOAT, LANES)
_INT = ir.IntType(64)


class _Code:
    """Writes the compiler's instructions for the arguments of one call: arrays of float32 or int32, and numbers."""

    def __init__(self, context: Any, builder: Any, signature: Any, args: Any) -> None:
        self.builder = builder
        self.parts = [
            context.make_array(kind)(context, builder, value).data if isinstance(kind, types.Array) else value
            for kind, value in zip(signature.args, args, strict=True)
        ]

    def load(self, array: Any, at: Any) -> Any:
        return self.builder.load(self.builder.gep(array, [at]))

    def load_lanes(self, array: Any, at: Any) -> Any:
        return self.builder.load(self._lanes(array, at), align=4)

    def store_lanes(self, lanes: Any, array: Any, at: Any) -> None:
        self.builder.store(lanes, self._lanes(array, at), align=4)

    def _lanes(self, array: Any, at: Any) -> Any:
        return self.builder.bitcast(self.builder.gep(array, [at]), _VECTOR.as_pointer())

    def spread(self, number: Any) -> Any:
        """The number in every lane."""
        one = self.builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
        return self.shuffled(one, [0] * LANES)

    def shuffled(self, lanes: Any, order: list[int]) -> Any:
        mask = ir.Constant(ir.VectorType(ir.IntType(32), len(order)), order)
        return self.builder.shuffle_vector(lanes, ir.Constant(lanes.type, ir.Undefined), mask)

    def times_plus(self, number: Any, lanes: Any, sums: Any) -> Any:
        return self.builder.fadd(sums, self.builder.fmul(self.spread(number), lanes))

    def total(self, lanes: Any) -> Any:
        """The sum of all lanes: halves are added until one number is left."""
        wide = LANES
        while wide > 1:
            wide //= 2
            low, high = list(range(wide)), list(range(wide, 2 * wide))
            lanes = self.builder.fadd(self.shuffled(lanes, low), self.shuffled(lanes, high))
        return self.builder.extract_element(lanes, ir.Constant(ir.IntType(32), 0))


def _whole(*numbers: Any) -> tuple[Any, ...]:
    """Every whole number goes as int64."""
    return tuple(types.int64 if isinstance(number, types.Integer) else number for number in numbers)


@intrinsic  # type: ignore[untyped-decorator]  # Numba's decorators have no types
def _add_chosen(
    typing: Any, sums: Any, at: Any, rows: Any, begin: Any, wide: Any, indices: Any, weights: Any, count: Any
) -> Any:
    """LANES columns of add_chosen_rows."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        write = _Code(context, builder, signature, args)
        sums, at, rows, begin, wide, indices, weights, count = write.parts
        lanes = cgutils.alloca_once_value(builder, write.load_lanes(sums, at))
        with cgutils.for_range(builder, count) as loop:
            index = builder.sext(write.load(indices, loop.index), _INT)
            row = write.load_lanes(rows, builder.add(begin, builder.mul(index, wide)))
            builder.store(write.times_plus(write.load(weights, loop.index), row, builder.load(lanes)), lanes)
        write.store_lanes(builder.load(lanes), sums, at)
        return context.get_dummy_value()

    return types.void(*_whole(sums, at, rows, begin, wide, indices, weights, count)), code


@intrinsic  # type: ignore[untyped-decorator]  # Numba's decorators have no types
def _add_all(
    typing: Any, sums: Any, at: Any, rows: Any, begin: Any, wide: Any, weights: Any, first: Any, count: Any
) -> Any:
    """LANES columns of add_all_rows."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        write = _Code(context, builder, signature, args)
        sums, at, rows, begin, wide, weights, first, count = write.parts
        lanes = cgutils.alloca_once_value(builder, write.load_lanes(sums, at))
        with cgutils.for_range(builder, count) as loop:
            row = write.load_lanes(rows, builder.add(begin, builder.mul(loop.index, wide)))
            weight = write.load(weights, builder.add(first, loop.index))
            builder.store(write.times_plus(weight, row, builder.load(lanes)), lanes)
        write.store_lanes(builder.load(lanes), sums, at)
        return context.get_dummy_value()

    return types.void(*_whole(sums, at, rows, begin, wide, weights, first, count)), code


@intrinsic  # type: ignore[untyped-decorator]  # Numba's decorators have no types
def _add_one(typing: Any, sums: Any, at: Any, much: Any, row: Any, begin: Any) -> Any:
    """LANES columns of add_row."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        write = _Code(context, builder, signature, args)
        sums, at, much, row, begin = write.parts
        lanes = write.times_plus(much, write.load_lanes(row, begin), write.load_lanes(sums, at))
        write.store_lanes(lanes, sums, at)
        return context.get_dummy_value()

    return types.void(*_whole(sums, at, types.float32, row, begin)), code


@intrinsic  # type: ignore[untyped-decorator]  # Numba's decorators have no types
def _dot(typing: Any, one: Any, at: Any, other: Any, begin: Any, blocks: Any) -> Any:
    """The product of `blocks` times LANES numbers."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        write = _Code(context, builder, signature, args)
        one, at, other, begin, blocks = write.parts
        lanes = cgutils.alloca_once_value(builder, ir.Constant(_VECTOR, [0.0] * LANES))
        with cgutils.for_range(builder, blocks) as loop:
            shift = builder.mul(loop.index, ir.Constant(_INT, LANES))
            here = write.load_lanes(one, builder.add(at, shift))
            there = write.load_lanes(other, builder.add(begin, shift))
            builder.store(builder.fadd(builder.load(lanes), builder.fmul(here, there)), lanes)
        return write.total(builder.load(lanes))

    return types.float32(*_whole(one, at, other, begin, blocks)), code


def _add_chosen_in_python(
    sums: Any, at: int, rows: Any, begin: int, wide: int, indices: Any, weights: Any, count: int
) -> None:
    for k in range(count):
        _add_one_in_python(sums, at, weights[k], rows, begin + int(indices[k]) * wide, wide)


@kernel_with(_add_chosen_in_python)
def add_chosen_rows(
    sums: Any, at: Any, rows: Any, begin: Any, wide: Any, indices: Any, weights: Any, count: Any
) -> None:
    """sums[at + j] += weights[k] * rows[begin + indices[k] * wide + j], for all j below `wide`, k below `count`."""
    whole = wide - wide % LANES
    for j in range(0, whole, LANES):
        _add_chosen(sums, at + j, rows, begin + j, wide, indices, weights, count)
    for k in range(count):
        for j in range(whole, wide):
            sums[at + j] += weights[k] * rows[begin + indices[k] * wide + j]


def _add_all_in_python(
    sums: Any, at: int, rows: Any, begin: int, wide: int, weights: Any, first: int, count: int
) -> None:
    for k in range(count):
        _add_one_in_python(sums, at, weights[first + k], rows, begin + k * wide, wide)


@kernel_with(_add_all_in_python)
def add_all_rows(sums: Any, at: Any, rows: Any, begin: Any, wide: Any, weights: Any, first: Any, count: Any) -> None:
    """sums[at + j] += weights[first + k] * rows[begin + k * wide + j], for all j below `wide`, k below `count`."""
    whole = wide - wide % LANES
    for j in range(0, whole, LANES):
        _add_all(sums, at + j, rows, begin + j, wide, weights, first, count)
    for k in range(count):
        for j in range(whole, wide):
            sums[at + j] += weights[first + k] * rows[begin + k * wide + j]


def _add_one_in_python(sums: Any, at: int, much: Any, row: Any, begin: int, wide: int) -> None:
    sums[at : at + wide] += np.float32(much) * row[begin : begin + wide]


@kernel_with(_add_one_in_python)
def add_row(sums: Any, at: Any, much: Any, row: Any, begin: Any, wide: Any) -> None:
    """sums[at + j] += much * row[begin + j], for all j below `wide`."""
    whole = wide - wide % LANES
    for j in range(0, whole, LANES):
        _add_one(sums, at + j, much, row, begin + j)
    for j in range(whole, wide):
        sums[at + j] += much * row[begin + j]


def _dot_in_python(one: Any, at: int, other: Any, begin: int, wide: int) -> np.float32:
    products = one[at : at + wide] * other[begin : begin + wide]
    whole = wide - wide % LANES
    lanes = np.zeros(LANES, np.float32)
    for j in range(0, whole, LANES):
        lanes += products[j : j + LANES]
    while len(lanes) > 1:
        half = len(lanes) // 2
        lanes = lanes[:half] + lanes[half:]
    total = np.float32(lanes[0])
    for product in products[whole:]:
        total += product
    return total


@kernel_with(_dot_in_python)
def dot(one: Any, at: Any, other: Any, begin: Any, wide: Any) -> Any:
    """The sum of one[at + j] * other[begin + j] over all j below `wide`."""
    whole = wide - wide % LANES
    total = _dot(one, at, other, begin, wide // LANES)
    for j in range(whole, wide):
        total += one[at + j] * other[begin + j]
    return total


@kernel
def relu(numbers: Any, at: Any, count: Any) -> None:
    """What is below 0 becomes 0, of `count` numbers from place `at`."""
    for i in range(at, at + count):
        numbers[i] = max(numbers[i], np.float32(0.0))
