# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Calls by number: which of several kernels is called is a number in an array.

The numbers of the kernels are those that a `Registry` gives. A caller is compiled once, for the
parameters that all of them share; which kernels there are, and under which numbers, it does not
know. So its machine code stays valid on disk when plugins come and go. It finds the address of a
kernel in a table in memory, which it knows by name.
"""

from collections.abc import Callable
import ctypes
from functools import cached_property, partial, update_wrapper
import inspect
from typing import Any, Generic, get_args, ParamSpec, TypeVar

from mvsim_ros2.jit.kernel import Callee, compiled, Kernel, with_numba
from mvsim_ros2.jit.words import call_address

CAPACITY = 256  # kernels of a table

P = ParamSpec('P')
R = TypeVar('R')


def by_number(*like: Any) -> Callable[[Callable[P, R]], 'Dispatch[P, R]']:
    """
    Return what makes a function call one of several kernels, which its first argument chooses.

    The function itself is never run: it says names, types and meaning of the parameters, and in
    its annotation what is returned, a `float` or a tuple of these. The kernels take the same
    ones but for the first. Kernels and Python can call it.

    :param like: an example of each argument; the first is a float.
    """
    return lambda function: Dispatch(function, like)


class Dispatch(Callee, Generic[P, R]):
    """
    Kernels of the same parameters, each under a number.

    :ivar kernels: those that are there.
    :ivar like: an example of each argument.
    """

    def __init__(self, function: Callable[P, R], like: tuple[Any, ...]) -> None:
        """Start without kernels; for the parameters see `by_number`."""
        update_wrapper(self, function)
        self.kernels: dict[int, Callable[..., R]] = {}
        self._code: dict[int, Kernel] = {}  # kept, since the table has only its address
        self._parameters = list(inspect.signature(function).parameters)[1:]
        self.like, self._returned = like, function.__annotations__['return']
        self._name = f'{function.__module__}.{function.__qualname__}'
        self._unknown = f'{self._name} is called with a number that stands for no kernel'
        self._table = (ctypes.c_void_p * CAPACITY)()
        with_numba(self._name_table)

    def _name_table(self) -> None:
        """Make the calls known to compilation, and the table to machine code."""
        from llvmlite import binding
        from numba import types
        from numba.extending import lower_builtin
        lower_builtin(self, types.VarArg(types.Any))(self._build)
        binding.add_symbol(self._name, ctypes.addressof(self._table))

    @cached_property
    def _signature(self) -> Any:
        from numba import typeof, types
        several = tuple(types.float64 for _ in get_args(self._returned))
        return (types.Tuple(several) if several else types.float64)(*map(typeof, self.like))

    @cached_property
    def _numba_type_(self) -> Any:
        from numba import types
        from numba.core.typing.templates import make_concrete_template
        return types.Function(make_concrete_template(self._name, self, [self._signature]))

    def made_from(self) -> tuple[str, tuple[Any, ...]]:
        """Return what its callers know of it; they stay as they are when kernels change."""
        return f'{self._name} {self._signature}', ()

    def put(self, number: int, kernel: Callable[..., R]) -> None:
        """
        Let a number stand for a kernel, which is compiled as soon as numba is imported.

        :param kernel: that is `compiled`, or a plain function.
        :raises TypeError: where it does not take the parameters, or cannot be compiled.
        :raises ValueError: where the table is too small.
        """
        if self.kernels.get(number) is kernel:
            return
        own = list(inspect.signature(kernel).parameters)
        if len(own) != len(self._parameters):
            raise TypeError(f'{kernel.__qualname__} of {kernel.__module__} takes '
                            f'({", ".join(own)}): it must take ({", ".join(self._parameters)})')
        if not 0 <= number < CAPACITY:
            raise ValueError(f'{kernel.__qualname__} of {kernel.__module__} has the number '
                             f'{number}: {self._name} has room for {CAPACITY} kernels')
        with_numba(partial(self._fill, number, kernel))
        self.kernels[number] = kernel

    def __call__(self, *arguments: P.args, **_: P.kwargs) -> R:
        """
        Call a kernel from Python.

        :raises LookupError: where the number stands for none.
        """
        number, *rest = arguments
        return self._kernel(number)(*rest)

    @cached_property
    def plain(self) -> Callable[..., R]:
        """Return what plain Python calls in its place."""
        def call(number: float, *rest: Any) -> R:
            kernel = self._kernel(number)
            return (kernel.plain if isinstance(kernel, Kernel) else kernel)(*rest)
        return call

    def _kernel(self, number: Any) -> Callable[..., R]:
        kernel = self.kernels.get(number)
        if kernel is None:
            raise LookupError(self._unknown)
        return kernel

    def _fill(self, number: int, kernel: Any) -> None:
        """Compile a kernel, or take it from disk, and note where its machine code is."""
        from numba.core.errors import NumbaError
        self._code[number] = kernel if isinstance(kernel, Kernel) else compiled(kernel)
        code = self._code[number].dispatcher
        like = self._signature.return_type(*self._signature.args[1:])
        try:
            code.compile(like)
        except NumbaError as error:
            raise TypeError(f'{kernel.__qualname__} of {kernel.__module__} cannot be compiled '
                            f'for ({", ".join(self._parameters)}): {error}') from error
        result = code.get_compile_result(like)
        self._table[number] = result.library.get_pointer_to_function(
            result.fndesc.llvm_func_name)

    def _build(self, context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        """Build code that calls the kernel of a number."""
        from llvmlite import ir
        from numba.core import cgutils
        convention, module = context.call_conv, builder.module
        number = arguments[0]
        there = builder.and_(*(
            builder.fcmp_ordered(sign, number, ir.Constant(number.type, limit))
            for sign, limit in (('>=', 0.0), ('<', float(CAPACITY)))))
        with cgutils.if_unlikely(builder, builder.not_(there)):
            convention.return_user_exc(builder, LookupError, (self._unknown,))
        index = ir.IntType(64)
        table = module.globals.get(self._name) or ir.GlobalVariable(
            module, ir.ArrayType(cgutils.voidptr_t, CAPACITY), self._name)
        address = builder.load(builder.gep(
            table, [index(0), builder.fptosi(number, index)], inbounds=True))
        with cgutils.if_unlikely(builder, cgutils.is_null(builder, address)):
            convention.return_user_exc(builder, LookupError, (self._unknown,))
        return call_address(
            context, builder, address, signature.return_type(*signature.args[1:]), arguments[1:])
