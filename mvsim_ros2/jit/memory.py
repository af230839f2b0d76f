# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Memory at addresses, for compiled code."""

from collections.abc import Callable
import ctypes
from functools import cached_property
from typing import Any

from mvsim_ros2.jit.kernel import Callee


class Intrinsic(Callee):
    """A function for kernels, whose code numba does not compile but is told."""

    def __init__(self, make: Callable[..., Any], *arguments: Any,
                 plain: Callable[..., Any] | None = None) -> None:
        """
        Wait for the first kernel that calls it.

        :param make: returns, for `arguments`, the function that numba knows.
        :param plain: what plain Python calls instead.
        """
        self._make = make
        self._arguments = arguments
        self._plain = plain

    def __call__(self, *arguments: Any) -> Any:
        """Call it from Python."""
        if self._plain is None:
            raise TypeError(f'what {self._make.__qualname__} makes is for compiled code only')
        return self._plain(*arguments)

    @property
    def plain(self) -> Callable[..., Any]:
        """Return what plain Python calls in its place."""
        return self

    @cached_property
    def _numba_type_(self) -> Any:
        from numba.core.registry import cpu_target
        self._made = self._make(*self._arguments)  # numba holds it weakly
        cpu_target.typing_context.refresh()
        return cpu_target.typing_context.resolve_value_type(self._made)

    def made_from(self) -> tuple[str, tuple[Any, ...]]:
        """Return what it is made for, and by which function."""
        return repr(self._arguments), (self._make,)


def _array() -> Any:
    """Return what makes an array of a pointer, a shape and a kind."""
    from numba import carray
    return carray


def _pointer() -> Any:
    """Return what makes code that takes an address for a pointer."""
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    def convert(typing: Any, address: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], cgutils.voidptr_t)
        return types.voidptr(types.int64), build
    return intrinsic(convert)


def _reader(kind: str, wide: str) -> Any:
    """Return what makes code that reads a number of a kind at an address, as a wide one."""
    from numba import types
    from numba.extending import intrinsic
    narrow, result = getattr(types, kind), getattr(types, wide)

    def read(typing: Any, address: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            place = builder.inttoptr(
                arguments[0], context.get_value_type(narrow).as_pointer())
            return context.cast(builder, builder.load(place), narrow, result)
        return result(types.int64), build
    return intrinsic(read)


def _writer(kind: str, wide: str) -> Any:
    """Return what makes code that writes a number of a kind to an address."""
    from numba import types
    from numba.extending import intrinsic
    narrow, given = getattr(types, kind), getattr(types, wide)

    def write(typing: Any, address: Any, value: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            place = builder.inttoptr(
                arguments[0], context.get_value_type(narrow).as_pointer())
            builder.store(context.cast(builder, arguments[1], given, narrow), place)
            return context.get_dummy_value()
        return types.void(types.int64, given), build
    return intrinsic(write)


def _fetcher() -> Any:
    """Return what makes code that adds to a word, in one go for all threads."""
    from numba import types
    from numba.extending import intrinsic

    def fetch(typing: Any, address: Any, more: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            place = builder.inttoptr(
                arguments[0], context.get_value_type(types.int64).as_pointer())
            return builder.atomic_rmw('add', place, arguments[1], 'monotonic')
        return types.int64(types.int64, types.int64), build
    return intrinsic(fetch)


def _copier(count: int) -> Any:
    """Return what makes code that copies so many float64 at once, in whole registers."""
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    def copy(typing: Any, source: Any, target: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            whole = ir.VectorType(ir.DoubleType(), count).as_pointer()
            places = [builder.bitcast(
                context.make_array(kind)(context, builder, value).data, whole)
                for kind, value in zip(signature.args, arguments, strict=True)]
            builder.store(builder.load(places[0], align=8), places[1], align=8)
            return context.get_dummy_value()
        return types.void(source, target), build
    return intrinsic(copy)


def copier(count: int) -> Intrinsic:
    """Return what copies so many float64 of one array into another one, both contiguous."""
    return Intrinsic(_copier, count, plain=_plain_copy)


def _plain_copy(source: Any, target: Any) -> None:
    target[...] = source


def _plain_fetch(address: int, more: int) -> int:
    word = ctypes.c_int64.from_address(address)
    before = word.value
    word.value = before + more
    return before


carray, pointer = Intrinsic(_array), Intrinsic(_pointer)
read_word = Intrinsic(_reader, 'int64', 'int64')
read_double, write_double = (
    Intrinsic(make, 'float64', 'float64') for make in (_reader, _writer))
fetch_add = Intrinsic(_fetcher, plain=_plain_fetch)  # returns the word as it was
write_byte = Intrinsic(_writer, 'uint8', 'int64')
read_int, write_int = (Intrinsic(make, 'int32', 'int64') for make in (_reader, _writer))
read_short, write_short = (Intrinsic(make, 'uint16', 'int64') for make in (_reader, _writer))
read_float, write_float = (Intrinsic(make, 'float32', 'float64') for make in (_reader, _writer))
