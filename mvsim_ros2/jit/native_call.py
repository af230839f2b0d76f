# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Calls of native functions by their address, in compiled code and in plain Python."""

import ctypes
from typing import Any

from mvsim_ros2.jit.memory import Intrinsic


def _call4() -> Any:
    """Return what makes code that calls the function at an address with four words."""
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    def call(typing: Any, function: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            word = ir.IntType(64)
            kind = ir.FunctionType(ir.VoidType(), [word] * 4)
            builder.call(builder.inttoptr(values[0], kind.as_pointer()), values[1:])
            return context.get_dummy_value()
        return types.void(*[types.int64] * 5), build
    return intrinsic(call)


_FUNCTION = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 4)


def _plain_call4(function: int, a: int, b: int, c: int, d: int) -> None:
    _FUNCTION(int(function))(int(a), int(b), int(c), int(d))


# call the function at an address with four integers or pointers; it returns nothing
call4 = Intrinsic(_call4, plain=_plain_call4)
