# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Access to memory by address in compiled code, with numba installed and enabled."""

from typing import Any

try:
    from numba import carray
    from numba import config
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic
    from numba.extending import register_jitable
except ImportError:
    NUMBA = False
else:
    NUMBA = not config.DISABLE_JIT

if NUMBA:
    def _build_pointer(typing: Any, address: Any) -> Any:
        """Build code that returns an address as a pointer."""
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], cgutils.voidptr_t)
        return types.voidptr(types.int64), build

    def _reader(kind: Any, wide: Any) -> Any:
        """Return a code generator that reads a `kind` at an address and widens it to `wide`."""
        def read(typing: Any, address: Any) -> Any:
            def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                place = builder.inttoptr(
                    arguments[0], context.get_value_type(kind).as_pointer())
                return context.cast(builder, builder.load(place), kind, wide)
            return wide(types.int64), build
        return intrinsic(read)

    def _writer(kind: Any, wide: Any) -> Any:
        """Return a code generator that writes a number as type `kind` to an address."""
        def write(typing: Any, address: Any, value: Any) -> Any:
            def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                place = builder.inttoptr(
                    arguments[0], context.get_value_type(kind).as_pointer())
                builder.store(context.cast(builder, arguments[1], wide, kind), place)
                return context.get_dummy_value()
            return types.void(types.int64, wide), build
        return intrinsic(write)

    _pointer = intrinsic(_build_pointer)

    @register_jitable  # type: ignore[untyped-decorator]
    def array_at(address: int, shape: tuple[int, ...], kind: Any) -> Any:
        """Return the array of a shape and type at an address."""
        return carray(_pointer(address), shape, kind)

    read_word = _reader(types.int64, types.int64)
    read_int, write_int = (
        make(types.int32, types.int64) for make in (_reader, _writer))
    read_short, write_short = (
        make(types.uint16, types.int64) for make in (_reader, _writer))
    read_float, write_float = (
        make(types.float32, types.float64) for make in (_reader, _writer))
