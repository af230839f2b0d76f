# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Memory of eight records or rows, side by side and apart, for machine code: see `lanes`.

Records that are apart are known by their addresses, which lie one after the other.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from mvsim_ros2.jit.lanes import all_eight, LaneIntrinsic, LANES, WORD


def _beside(dtype: Any) -> Any:
    """Return what makes code that takes an address for that of eight records or rows."""
    from mvsim_ros2.jit import lane_kinds
    from numba import from_dtype, types
    from numba.extending import intrinsic

    def take(typing: Any, address: Any) -> Any:
        kind = lane_kinds.EightRecords(from_dtype(dtype) if dtype.names else None)
        return kind(types.int64), lambda context, builder, signature, arguments: arguments[0]
    return intrinsic(take)


def _apart(builder: Any, addresses: Any, offset: Any) -> list[Any]:
    """Return the eight addresses that lie at one, with an offset."""
    from llvmlite import ir
    word = ir.IntType(64)
    places = builder.inttoptr(addresses, word.as_pointer())
    return [builder.add(builder.load(builder.gep(places, [word(k)])), offset)
            for k in range(LANES)]


def _read(builder: Any, apart: list[Any], place: int) -> Any:
    """Return the eight numbers at addresses, so many bytes behind them."""
    from llvmlite import ir
    double = ir.DoubleType()
    found = ir.Constant(ir.VectorType(double, LANES), ir.Undefined)
    for k, address in enumerate(apart):
        there = builder.inttoptr(
            builder.add(address, ir.IntType(64)(place)), double.as_pointer())
        found = builder.insert_element(found, builder.load(there), ir.IntType(32)(k))
    return found


def _write(builder: Any, apart: list[Any], place: int, eight: Any) -> None:
    """Write eight numbers to addresses, so many bytes behind them."""
    from llvmlite import ir
    for k, address in enumerate(apart):
        there = builder.inttoptr(
            builder.add(address, ir.IntType(64)(place)), ir.DoubleType().as_pointer())
        builder.store(builder.extract_element(eight, ir.IntType(32)(k)), there)


def _read_run(builder: Any, apart: list[Any], place: int) -> list[Any]:
    """
    Return eight times eight numbers: those that follow each other at each address.

    Whole registers are read, and turned by three rounds of exchanges, in a third of the time.
    """
    from llvmlite import ir
    whole = ir.VectorType(ir.DoubleType(), LANES).as_pointer()
    rows = [builder.load(builder.inttoptr(
        builder.add(address, ir.IntType(64)(place)), whole), align=WORD) for address in apart]
    return _turned(builder, rows)


def _write_run(builder: Any, apart: list[Any], place: int, eights: list[Any]) -> None:
    """Write eight times eight numbers to where `_read_run` reads them."""
    from llvmlite import ir
    for address, row in zip(apart, _turned(builder, eights), strict=True):
        there = builder.add(address, ir.IntType(64)(place))
        builder.store(row, builder.inttoptr(there, row.type.as_pointer()), align=WORD)


def _turned(builder: Any, rows: list[Any]) -> list[Any]:
    """Return the columns of eight rows of eight numbers."""
    from llvmlite import ir
    for width in (4, 2, 1):
        low, high = ([k if not k & width else k - width + LANES for k in range(LANES)],
                     [k + width if not k & width else k + LANES for k in range(LANES)])
        turned = list(rows)
        for i in range(LANES):
            if not i & width:
                for place, order in ((i, low), (i + width, high)):
                    turned[place] = builder.shuffle_vector(
                        rows[i], rows[i + width],
                        ir.Constant(ir.VectorType(ir.IntType(32), LANES), order))
        rows = turned
    return rows


def _together(builder: Any, memory: Any, place: int) -> Any:
    """Return the pointer to the numbers of eight records side by side, by their place in one."""
    from llvmlite import ir
    return builder.inttoptr(builder.add(memory, ir.IntType(64)(LANES * place)),
                            ir.VectorType(ir.DoubleType(), LANES).as_pointer())


def _gather() -> Any:
    """Return what makes code that reads a number at each of eight addresses."""
    from mvsim_ros2.jit import lane_kinds
    from numba import types
    from numba.extending import intrinsic

    def read(typing: Any, addresses: Any, offset: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return _read(builder, _apart(builder, *arguments), 0)
        return lane_kinds.NUMBERS(types.int64, types.int64), build
    return intrinsic(read)


def _scatter() -> Any:
    """Return what makes code that writes a number to each of eight addresses."""
    from numba import types
    from numba.extending import intrinsic

    def write(typing: Any, addresses: Any, offset: Any, values: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            eight = all_eight(context, builder, arguments[2], values)
            _write(builder, _apart(builder, *arguments[:2]), 0, eight)
            return context.get_dummy_value()
        return types.void(types.int64, types.int64, values), build
    return intrinsic(write)


def _take(dtype: np.dtype[Any], *names: str) -> Any:
    """Return what makes code that fills eight records side by side from eight that are apart."""
    from numba import types
    from numba.extending import intrinsic

    def take(typing: Any, memory: Any, addresses: Any, offset: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            apart = _apart(builder, *arguments[1:])
            for place, run in _runs(dtype, names):
                found = _read_run(builder, apart, place) if run else [
                    _read(builder, apart, place)]
                for k, each in enumerate(found):
                    builder.store(
                        each, _together(builder, arguments[0], place + WORD * k), align=WORD)
            return context.get_dummy_value()
        return types.void(types.int64, types.int64, types.int64), build
    return intrinsic(take)


def _give(dtype: np.dtype[Any], *names: str) -> Any:
    """Return what makes code that writes eight records side by side into eight that are apart."""
    from numba import types
    from numba.extending import intrinsic

    def give(typing: Any, memory: Any, addresses: Any, offset: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            apart = _apart(builder, *arguments[1:])
            for place, run in _runs(dtype, names):
                found = [builder.load(_together(
                    builder, arguments[0], place + WORD * k), align=WORD)
                    for k in range(LANES if run else 1)]
                if run:
                    _write_run(builder, apart, place, found)
                else:
                    _write(builder, apart, place, found[0])
            return context.get_dummy_value()
        return types.void(types.int64, types.int64, types.int64), build
    return intrinsic(give)


def _runs(dtype: np.dtype[Any], names: tuple[str, ...]) -> Iterator[tuple[int, bool]]:
    """
    Yield the bytes before each number of some fields, of a row without names of all.

    :returns: with them whether seven more numbers follow it, which are not told then.
    """
    fields = [(dtype, 0)] if dtype.fields is None else [dtype.fields[name][:2] for name in names]
    places = sorted(place for field, first in fields
                    for place in range(first, first + field.itemsize, WORD))
    while places:
        run = places[:LANES] == list(range(places[0], places[0] + LANES * WORD, WORD))
        yield places[0], run
        del places[:LANES if run else 1]


# numbers at eight addresses, which lie at an address, each with an offset
gather, scatter = LaneIntrinsic(_gather), LaneIntrinsic(_scatter)


def take_fields(dtype: np.dtype[Any], *names: str) -> Any:
    """
    Return what fills eight records side by side, at an address, from eight that are apart.

    The addresses of these lie one after the other at the second one; the third is an offset.

    :param dtype: of the records; of an array for rows.
    :param names: the fields that are copied, float64.
    """
    return LaneIntrinsic(_take, dtype, *names)


def give_fields(dtype: np.dtype[Any], *names: str) -> Any:
    """Return what writes eight records into eight that are apart: see `take_fields`."""
    return LaneIntrinsic(_give, dtype, *names)


def beside(dtype: np.dtype[Any]) -> Any:
    """Return what takes an address for that of eight records of a kind, or rows of float64."""
    return LaneIntrinsic(_beside, dtype)
