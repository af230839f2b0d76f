# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Calls by number: which of several kernels is called is a number in an array.

The numbers of the kernels are those that a `Registry` gives. A caller is compiled once, for the
parameters that all of them share; which kernels there are, and under which numbers, it does not
know. So its machine code stays valid on disk when plugins come and go.
"""

from collections.abc import Callable
from functools import cached_property, partial
import inspect
from typing import Any, Generic, ParamSpec, TypeVar

from mvsim_ros2.jit.calls import Addressed
from mvsim_ros2.jit.kernel import compiled, Kernel, with_numba

CAPACITY = 256  # kernels of a table

P = ParamSpec('P')
R = TypeVar('R')


def by_number(*like: Any) -> Callable[[Callable[P, R]], 'Dispatch[P, R]']:
    """
    Return what makes a function call one of several kernels, which its first argument chooses.

    The function itself is never run: it says names, types and meaning of the parameters, and in
    its annotation what is returned. The kernels take the same ones but for the first. Kernels and
    Python can call it.

    :param like: an example of each argument; the first is a float.
    """
    return lambda function: Dispatch(function, like)


class Dispatch(Addressed, Generic[P, R]):
    """
    Kernels of the same parameters, each under a number.

    :ivar kernels: those that are there.
    """

    def __init__(self, function: Callable[P, R], like: tuple[Any, ...]) -> None:
        """Start without kernels; for the parameters see `by_number`."""
        super().__init__(function, like, CAPACITY)
        self.kernels: dict[int, Callable[..., R]] = {}
        self._code: dict[int, Kernel] = {}  # kept, since the table has only its address
        self._parameters = list(inspect.signature(function).parameters)[1:]
        self._unknown = f'{self._name} is called with a number that stands for no kernel'

    def put(self, number: int, kernel: Callable[..., R]) -> None:
        """
        Assign a number to a kernel, which is compiled as soon as numba is imported.

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
        with_numba(partial(self._compile, number, kernel))
        self.kernels[number] = kernel

    def __call__(self, *arguments: P.args, **_: P.kwargs) -> R:
        """
        Call a kernel from Python.

        :raises LookupError: if no kernel has this number.
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

    def _compile(self, number: int, kernel: Any) -> None:
        from numba.core.errors import NumbaError
        try:
            self._code[number] = kernel if isinstance(kernel, Kernel) else compiled(kernel)
            self.fill(number, self._code[number], self.signature.args[1:])
        except NumbaError as error:
            raise TypeError(f'{kernel.__qualname__} of {kernel.__module__} cannot be compiled '
                            f'for ({", ".join(self._parameters)}): {error}') from error

    def find(self, context: Any, builder: Any, table: Any, arguments: Any,
             ) -> tuple[Any, Any, Any]:
        """Build code that finds the kernel of a number, or raises a LookupError."""
        from llvmlite import ir
        from numba.core import cgutils
        number, index = arguments[0], ir.IntType(64)
        there = builder.and_(*(
            builder.fcmp_ordered(sign, number, ir.Constant(number.type, limit))
            for sign, limit in (('>=', 0.0), ('<', float(CAPACITY)))))
        convention = context.call_conv
        with cgutils.if_unlikely(builder, builder.not_(there)):
            convention.return_user_exc(builder, LookupError, (self._unknown,))
        address = builder.load(builder.gep(
            table, [index(0), builder.fptosi(number, index)], inbounds=True))
        with cgutils.if_unlikely(builder, cgutils.is_null(builder, address)):
            convention.return_user_exc(builder, LookupError, (self._unknown,))
        return address, self.signature.args[1:], arguments[1:]
