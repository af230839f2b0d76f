# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Kernels that are compiled by themselves, when another kernel first calls them.

A kernel is normally compiled with all others that it calls, and they become part of it. What
only some worlds need, or what is large, is better `separate`: only what is really called is ever
compiled, once, and whatever calls it compiles faster. Such a call goes through a slot in memory
that holds the address of the machine code, or 0 before the first call. Compiled code knows the
slot by name, so that it can be kept on disk. Arguments go by way of memory: see `words`.
"""

from collections.abc import Callable
import ctypes
from functools import cached_property
from types import FunctionType
from typing import Any, get_args, TypeVar

from mvsim_ros2.jit.kernel import InlinedKernel, Kernel, NUMBA, with_numba
from mvsim_ros2.jit.memory import Intrinsic
from mvsim_ros2.jit.words import call_address, words_reader, write_words

F = TypeVar('F', bound=Callable[..., Any])

_PROVIDE = f'{__name__}.provide'


def lazy_kernel(*like: Any, counted: bool = True) -> Callable[[F], F]:
    """
    Return what makes a function a kernel that is compiled separately.

    Otherwise it is like one that is `compiled`: kernels and Python can call it, it gives the same
    numbers, and where numba is not installed it is the function itself.

    :param like: an example of each argument, since callers are compiled before the function.
        What it returns says its annotation: `None`, `float`, `int`, `bool` or a tuple of these.
    :param counted: see `compiled`.
    """
    def make(function: F) -> F:
        if not NUMBA:
            return function
        return SeparateKernel(function, like, counted)  # type: ignore[return-value]
    return make


class SeparateKernel(Kernel):
    """
    A kernel with a slot for its address.

    :ivar slot: is 0 until compiled code calls it.
    """

    def __init__(self, function: Callable[..., Any], like: tuple[Any, ...],
                 counted: bool = True) -> None:
        """Make it; for the parameters see `lazy_kernel`."""
        super().__init__(function, counted)
        self._counted = counted
        self.slot = ctypes.c_void_p()
        self._like = like
        self._symbol = f'{function.__module__}.{function.__qualname__}'
        with_numba(self._name)

    def _name(self) -> None:
        """Make the kernel known to compilation, and its slot to machine code."""
        from llvmlite import binding
        from numba import types
        from numba.extending import lower_builtin
        lower_builtin(self, types.VarArg(types.Any))(self._build)
        _BY_SLOT[ctypes.addressof(self.slot)] = self
        binding.add_symbol(self._symbol, ctypes.addressof(self.slot))
        binding.add_symbol(_PROVIDE, ctypes.cast(_provide, ctypes.c_void_p).value)

    @cached_property
    def signature(self) -> Any:
        """Return what it takes and returns, for numba."""
        from numba import typeof, types
        kinds = {None: types.none, float: types.float64, int: types.int64, bool: types.boolean}
        returned = self.function.__annotations__['return']
        several = tuple(kinds[kind] for kind in get_args(returned))
        return (types.Tuple(several) if several else kinds[returned])(*map(typeof, self._like))

    @cached_property
    def _numba_type_(self) -> Any:
        from numba import types
        from numba.core.typing.templates import make_concrete_template
        return types.Function(make_concrete_template(self._symbol, self, [self.signature]))

    def made_from(self) -> tuple[str, tuple[Any, ...]]:
        """Return what its callers know of it; they stay as they are when its code changes."""
        return f'{self._symbol} {self.signature}', ()

    def provide(self) -> None:
        """Compile it, or take it from disk, and fill the slot."""
        entry = self._entry.dispatcher
        entry.compile((self._word,))
        result, = entry.overloads.values()
        self.slot.value = result.library.get_pointer_to_function(result.fndesc.llvm_func_name)

    @cached_property
    def _entry(self) -> Kernel:
        """Return a kernel of the address of its arguments, which it becomes part of."""
        names = {**_enter.__globals__,
                 _kernel.__name__: InlinedKernel(self.function, self._counted),
                 _arguments_at.__name__: Intrinsic(words_reader, self.signature.args)}
        entry = FunctionType(_enter.__code__, names)
        entry.__module__ = self.function.__module__
        entry.__qualname__ = f'{_enter.__name__}.{self.function.__qualname__}'
        return Kernel(entry, self._counted)

    @cached_property
    def _word(self) -> Any:
        """Return the kind of an address."""
        from numba import types
        return types.int64

    def _build(self, context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        """Build code that calls it."""
        from llvmlite import ir
        from numba.core import cgutils
        convention, module = context.call_conv, builder.module
        slot = module.globals.get(self._symbol) or ir.GlobalVariable(
            module, cgutils.voidptr_t, self._symbol)
        with cgutils.if_unlikely(builder, cgutils.is_null(builder, builder.load(slot))):
            builder.call(cgutils.get_or_insert_function(
                module, ir.FunctionType(ir.VoidType(), [slot.type]), _PROVIDE), [slot])
            with cgutils.if_unlikely(builder, cgutils.is_null(builder, builder.load(slot))):
                convention.return_user_exc(builder, KeyboardInterrupt)
        return call_address(
            context, builder, builder.load(slot), signature.return_type(self._word),
            [write_words(context, builder, signature.args, arguments)])


def _enter(address: int) -> Any:
    return _kernel(*_arguments_at(address))


def _kernel(*arguments: Any) -> Any:
    """Stand for the kernel that `SeparateKernel` puts in place of this."""


def _arguments_at(address: int) -> Any:
    """Stand for what reads the arguments of a call at its address."""


_BY_SLOT: dict[int, SeparateKernel] = {}


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)  # type: ignore[untyped-decorator]
def _provide(slot: int) -> None:
    """Fill the slot of a kernel that compiled code is about to call."""
    try:
        _BY_SLOT[slot].provide()
    except KeyboardInterrupt:  # passed on by the kernel that finds the slot empty
        return
