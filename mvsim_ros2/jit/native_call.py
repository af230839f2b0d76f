# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Calls of native functions by their address, in compiled code and in plain Python."""

from collections.abc import Callable
import ctypes
from typing import Any

from mvsim_ros2.jit.memory import Intrinsic


def _caller(count: int) -> Any:
    """Return what makes code that calls the function at an address with four or ten words."""
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        word = ir.IntType(64)
        kind = ir.FunctionType(ir.VoidType(), [word] * count)
        builder.call(builder.inttoptr(values[0], kind.as_pointer()), values[1:])
        return context.get_dummy_value()

    def call_four(typing: Any, function: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
        return types.void(*[types.int64] * 5), build

    def call_ten(typing: Any, function: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any,
                 g: Any, h: Any, i: Any, j: Any) -> Any:
        return types.void(*[types.int64] * 11), build
    return intrinsic(call_four if count == 4 else call_ten)


def _plain_caller(count: int) -> Callable[..., None]:
    kind = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * count)

    def call(function: int, *words: int) -> None:
        kind(int(function))(*map(int, words))
    return call


# call the function at an address with so many integers or pointers, of which it may take fewer;
# it returns nothing
call4, call10 = (Intrinsic(_caller, count, plain=_plain_caller(count)) for count in (4, 10))
