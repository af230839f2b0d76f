# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Kernels that are compiled by themselves, when another kernel first calls them.

A kernel is normally compiled with all others that it calls, and they become part of it. What
only some worlds need, or what is large, is better `separate`: only what is really called is ever
compiled, once, and whatever calls it compiles faster. Such a call goes through a slot in memory
that holds the address of the machine code, or 0 before the first call. Compiled code knows the
slot by name, so that it can be kept on disk.
"""

from collections.abc import Callable
import ctypes
from functools import update_wrapper
from typing import Any
from typing import get_args
from typing import TypeVar

from mvsim_ros2.jit.kernel import compiled

try:
    from llvmlite import binding
    from llvmlite import ir
    from numba import config
    from numba import typeof
    from numba import types
    from numba.core import cgutils
    from numba.core.typing.templates import make_concrete_template
    from numba.extending import lower_builtin
except ImportError:
    NUMBA = False
else:
    NUMBA = not config.DISABLE_JIT

F = TypeVar('F', bound=Callable[..., Any])


def lazy_kernel(*like: Any) -> Callable[[F], F]:
    """
    Return what makes a function a kernel that is compiled separately.

    Otherwise it is like one that is `compiled`: kernels and Python can call it, it gives the same
    numbers, and where numba is not installed it is the function itself.

    :param like: an example of each argument, since callers are compiled before the function.
        What it returns says its annotation: `None`, `float`, `int`, `bool` or a tuple of these.
    """
    def make(function: F) -> F:
        return _Separate(function, like) if NUMBA else function  # type: ignore[return-value]
    return make


if NUMBA:
    _TYPES = {None: types.none, float: types.float64, int: types.int64, bool: types.boolean}
    _PROVIDE = f'{__name__}.provide'

    class _Separate:
        """A kernel with a slot for its address."""

        def __init__(self, function: Callable[..., Any], like: tuple[Any, ...]) -> None:
            update_wrapper(self, function)
            self.kernel: Any = compiled(function)
            returned = function.__annotations__['return']
            several = tuple(_TYPES[kind] for kind in get_args(returned))
            self.signature = (
                types.Tuple(several) if several else _TYPES[returned])(*map(typeof, like))
            self.slot = ctypes.c_void_p()
            self.symbol = f'{function.__module__}.{function.__qualname__}'
            binding.add_symbol(self.symbol, ctypes.addressof(self.slot))
            _BY_SLOT[ctypes.addressof(self.slot)] = self
            self._numba_type_ = types.Function(make_concrete_template(
                self.symbol, self, [self.signature]))
            lower_builtin(self, types.VarArg(types.Any))(self._build)

        def __call__(self, *arguments: Any) -> Any:
            """Call it from Python."""
            return self.kernel(*arguments)

        def provide(self) -> None:
            """Compile it, or take it from disk, and fill the slot."""
            self.kernel.compile(self.signature)
            result = self.kernel.get_compile_result(self.signature)
            self.slot.value = result.library.get_pointer_to_function(
                result.fndesc.llvm_func_name)

        def _build(self, context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            """Build code that calls it."""
            convention, module = context.call_conv, builder.module
            slot = module.globals.get(self.symbol) or ir.GlobalVariable(
                module, cgutils.voidptr_t, self.symbol)
            with cgutils.if_unlikely(builder, cgutils.is_null(builder, builder.load(slot))):
                builder.call(cgutils.get_or_insert_function(
                    module, ir.FunctionType(ir.VoidType(), [slot.type]), _PROVIDE), [slot])
                with cgutils.if_unlikely(builder, cgutils.is_null(builder, builder.load(slot))):
                    convention.return_user_exc(builder, KeyboardInterrupt)
            kind = convention.get_function_type(signature.return_type, signature.args)
            status, result = convention.call_function(
                builder, builder.bitcast(builder.load(slot), kind.as_pointer()),
                signature.return_type, signature.args, arguments)
            with cgutils.if_unlikely(builder, status.is_error):
                convention.return_status_propagate(builder, status)
            return result

    _BY_SLOT: dict[int, _Separate] = {}

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p)  # type: ignore[untyped-decorator]
    def _provide(slot: int) -> None:
        """Fill the slot of a kernel that compiled code is about to call."""
        try:
            _BY_SLOT[slot].provide()
        except KeyboardInterrupt:  # passed on by the kernel that finds the slot empty
            return

    binding.add_symbol(_PROVIDE, ctypes.cast(_provide, ctypes.c_void_p).value)
