# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""
Calls by number: which of several kernels is called is a number in an array.

The numbers of the kernels are those that a `Registry` gives. A caller is compiled once, for the
parameters that all of them share; which kernels there are, and under which numbers, it does not
know. So its machine code stays valid on disk when plugins come and go. It finds the address of a
kernel in a table in memory, which it knows by name.
"""

from collections.abc import Callable
import ctypes
from functools import update_wrapper
import inspect
from typing import Any
from typing import Generic
from typing import get_args
from typing import ParamSpec
from typing import TypeVar

from mvsim_ros2.compiled import compiled

try:
    from llvmlite import binding
    from llvmlite import ir
    from numba import config
    from numba import typeof
    from numba import types
    from numba.core import cgutils
    from numba.core.errors import NumbaError
    from numba.core.typing.templates import make_concrete_template
    from numba.extending import lower_builtin
except ImportError:
    NUMBA = False
else:
    NUMBA = not config.DISABLE_JIT

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


class Dispatch(Generic[P, R]):
    """
    Kernels of the same parameters, each under a number.

    :ivar kernels: those that are there.
    """

    def __init__(self, function: Callable[P, R], like: tuple[Any, ...]) -> None:
        """Start without kernels; for the parameters see `by_number`."""
        update_wrapper(self, function)
        self.kernels: dict[int, Callable[..., R]] = {}
        self._code: dict[int, Any] = {}  # kept, since the table has only its address
        self._parameters = list(inspect.signature(function).parameters)[1:]
        self._name = f'{function.__module__}.{function.__qualname__}'
        self._unknown = f'{self._name} is called with a number that stands for no kernel'
        if NUMBA:
            returned = function.__annotations__['return']
            several = tuple(types.float64 for _ in get_args(returned))
            self._signature = (
                types.Tuple(several) if several else types.float64)(*map(typeof, like))
            self._table = (ctypes.c_void_p * CAPACITY)()
            binding.add_symbol(self._name, ctypes.addressof(self._table))
            self._numba_type_ = types.Function(make_concrete_template(
                self._name, self, [self._signature]))
            lower_builtin(self, types.VarArg(types.Any))(self._build)

    def put(self, number: int, kernel: Callable[..., R]) -> None:
        """
        Let a number stand for a kernel, which is compiled now, or taken from disk.

        :param kernel: that is `compiled`, or a plain function.
        :raises TypeError: where it does not take the parameters, or cannot be compiled.
        :raises ValueError: where the table is too small.
        """
        if self.kernels.get(number) is kernel:
            return
        own = list(inspect.signature(getattr(kernel, 'py_func', kernel)).parameters)
        if len(own) != len(self._parameters):
            raise TypeError(f'{kernel.__qualname__} of {kernel.__module__} takes '
                            f'({", ".join(own)}): it must take ({", ".join(self._parameters)})')
        if not 0 <= number < CAPACITY:
            raise ValueError(f'{kernel.__qualname__} of {kernel.__module__} has the number '
                             f'{number}: {self._name} has room for {CAPACITY} kernels')
        if NUMBA:
            self._table[number] = self._address(number, kernel)
        self.kernels[number] = kernel

    def __call__(self, *arguments: P.args, **_: P.kwargs) -> R:
        """
        Call a kernel from Python.

        :raises LookupError: where the number stands for none.
        """
        number, *rest = arguments
        kernel = self.kernels.get(number)  # type: ignore[call-overload]
        if kernel is None:
            raise LookupError(self._unknown)
        return kernel(*rest)  # type: ignore[no-any-return]

    if NUMBA:
        def _address(self, number: int, kernel: Any) -> int:
            """Return where the machine code of a kernel is."""
            self._code[number] = code = kernel if hasattr(kernel, 'compile') else compiled(kernel)
            like = self._signature.return_type(*self._signature.args[1:])
            try:
                code.compile(like)
            except NumbaError as error:
                raise TypeError(f'{kernel.__qualname__} of {kernel.__module__} cannot be compiled '
                                f'for ({", ".join(self._parameters)}): {error}') from error
            result = code.get_compile_result(like)
            address: int = result.library.get_pointer_to_function(result.fndesc.llvm_func_name)
            return address

        def _build(self, context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            """Build code that calls the kernel of a number."""
            convention, module = context.call_conv, builder.module
            number, rest, kinds = arguments[0], arguments[1:], signature.args[1:]
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
            kind = convention.get_function_type(signature.return_type, kinds)
            status, result = convention.call_function(
                builder, builder.bitcast(address, kind.as_pointer()), signature.return_type,
                kinds, rest)
            with cgutils.if_unlikely(builder, status.is_error):
                convention.return_status_propagate(builder, status)
            return result
