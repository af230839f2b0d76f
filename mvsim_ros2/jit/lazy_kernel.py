# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Kernels that are compiled by themselves, when another kernel first calls them.

A kernel is normally compiled with all others that it calls, and they become part of it. Large
kernels, and kernels that only some worlds need, are better separate: only called kernels are
compiled, once, and their callers compile faster.
"""

from collections.abc import Callable
import ctypes
from typing import Any, TypeVar

from mvsim_ros2.jit.calls import Addressed, entry, write_words
from mvsim_ros2.jit.kernel import Kernel, NUMBA

F = TypeVar('F', bound=Callable[..., Any])

_PROVIDE = f'{__name__}.provide'


def lazy_kernel(*like: Any, counted: bool = True) -> Callable[[F], F]:
    """
    Return what makes a function a kernel that is compiled separately.

    Otherwise it is like one that is `compiled`: kernels and Python can call it, with the same
    numbers. Without numba it is the function itself.

    :param like: an example of each argument, since callers are compiled before the function. Its
        annotation gives the result: see `Addressed`.
    :param counted: see `compiled`.
    """
    def make(function: F) -> F:
        if not NUMBA:
            return function
        return SeparateKernel(function, like, counted)  # type: ignore[return-value]
    return make


class SeparateKernel(Addressed, Kernel):
    """A kernel whose entry is compiled when compiled code first calls it."""

    def __init__(self, function: Callable[..., Any], like: tuple[Any, ...],
                 counted: bool = True) -> None:
        """Make it; for the parameters see `lazy_kernel`."""
        Kernel.__init__(self, function, counted)
        Addressed.__init__(self, function, like, 1)

    def _register(self) -> None:
        from llvmlite import binding
        super()._register()
        _BY_TABLE[ctypes.addressof(self.table)] = self
        binding.add_symbol(_PROVIDE, ctypes.cast(_provide, ctypes.c_void_p).value)

    def provide(self) -> None:
        """Compile it, or take it from disk."""
        from numba import types
        self.fill(0, entry(self, self.signature.args), (types.int64,))

    def find(self, context: Any, builder: Any, table: Any, arguments: Any,
             ) -> tuple[Any, Any, Any]:
        """Build code that finds the entry, and has it compiled where there is none yet."""
        from llvmlite import ir
        from numba import types
        from numba.core import cgutils
        place = cgutils.gep(builder, table, 0, 0)
        with cgutils.if_unlikely(builder, cgutils.is_null(builder, builder.load(place))):
            builder.call(cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(ir.VoidType(), [place.type]), _PROVIDE), [place])
            with cgutils.if_unlikely(builder, cgutils.is_null(builder, builder.load(place))):
                context.call_conv.return_user_exc(builder, KeyboardInterrupt)
        words = write_words(context, builder, self.signature.args, arguments)
        return builder.load(place), (types.int64,), [words]


_BY_TABLE: dict[int, SeparateKernel] = {}


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)  # type: ignore[untyped-decorator]
def _provide(table: int) -> None:
    """Compile a kernel that compiled code is about to call."""
    try:
        _BY_TABLE[table].provide()
    except KeyboardInterrupt:  # passed on by the kernel that finds the table empty
        return
