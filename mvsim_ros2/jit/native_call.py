# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Calls of native functions by their address, from compiled code or without numba."""

from collections.abc import Callable
import ctypes
from typing import Any

from mvsim_ros2.jit.memory import NUMBA

if NUMBA:
    from llvmlite import ir
    from numba import cfunc
    from numba import types
    from numba.extending import intrinsic

    def _build_call(typing: Any, function: Any, *arguments: Any) -> Any:
        """Build code that calls the function at an address with four words."""
        def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            word = ir.IntType(64)
            kind = ir.FunctionType(ir.VoidType(), [word] * 4)
            builder.call(builder.inttoptr(values[0], kind.as_pointer()), values[1:])
            return context.get_dummy_value()
        return types.void(*[types.int64] * 5), build

    def _call4(typing: Any, function: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
        return _build_call(typing, function, a, b, c, d)

    call4 = intrinsic(_call4)

    def callback(function: Callable[..., None], arguments: int) -> Any:
        """
        Return `function` compiled for native code to call.

        :param arguments: how many it takes: integers or pointers.
        :returns: its `address` is valid as long as it lives.
        """
        return cfunc(types.void(*[types.int64] * arguments))(function)
else:
    _FUNCTION = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 4)

    def call4(function: int, a: int, b: int, c: int, d: int) -> None:
        """Call the function at an address with four integers or pointers; it has no result."""
        _FUNCTION(int(function))(int(a), int(b), int(c), int(d))
