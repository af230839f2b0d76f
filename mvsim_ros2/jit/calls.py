# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Calls of kernels by the address of their machine code, and arguments that lie in memory.

There an integer, a bool, a float or the address of a record takes one word of 64 bits, a tuple its
items. An array takes its address, its sizes and, if it has gaps, its strides. So such a call
passes one word, from compiled code and from Python. By the rules of numba an array is seven to
eleven words. The arrays of a step have more words than a processor can transfer at once.
"""

from collections.abc import Callable, Iterator
import ctypes
from functools import cached_property, update_wrapper
import hashlib
from typing import Any, get_args

import numpy as np

from mvsim_ros2.jit.kernel import Callee, Kernel, MERGED, with_numba
from mvsim_ros2.jit.native_function import read_word


class Addressed(Callee):
    """
    A function that compiled code calls by an address in a table, which it knows by name.

    So its callers stay valid on disk when it changes.

    :ivar like: an example of each argument.
    :ivar table: of addresses of machine code, 0 where there is none yet.
    """

    def __init__(self, function: Callable[..., Any], like: tuple[Any, ...], size: int) -> None:
        """
        Take what names the parameters, and in its annotation what is returned.

        That is `None`, `float`, `int`, `bool` or a tuple of these.

        :param size: of the table.
        """
        named: Any = self
        update_wrapper(named, function)
        self.like, self.table = like, (ctypes.c_void_p * size)()
        self._returned = function.__annotations__['return']
        self._name = f'{function.__module__}.{function.__qualname__}'
        with_numba(self._register)

    def _register(self) -> None:
        """Make the calls known to compilation, and the table to machine code."""
        from llvmlite import binding
        from numba import types
        from numba.extending import lower_builtin
        lower_builtin(self, types.VarArg(types.Any))(self._build)
        binding.add_symbol(self._name, ctypes.addressof(self.table))

    @cached_property
    def signature(self) -> Any:
        """Return what it takes and returns, for numba."""
        from numba import typeof, types
        kinds = {None: types.none, float: types.float64, int: types.int64, bool: types.boolean}
        several = tuple(kinds[kind] for kind in get_args(self._returned))
        returned = types.Tuple(several) if several else kinds[self._returned]
        return returned(*map(typeof, self.like))

    @cached_property
    def _numba_type_(self) -> Any:
        from numba import types
        from numba.core.typing.templates import make_concrete_template
        return types.Function(make_concrete_template(self._name, self, [self.signature]))

    def made_from(self) -> tuple[str, tuple[Any, ...]]:
        """Return what its callers know of it."""
        return f'{self._name} {self.signature}', ()

    def find(self, context: Any, builder: Any, table: Any, arguments: Any,
             ) -> tuple[Any, Any, Any]:
        """Build code that finds the address; return it, and kinds and values that it takes."""
        raise NotImplementedError

    def fill(self, number: int, kernel: Kernel, kinds: Any) -> None:
        """Compile a kernel, or take it from disk, and write where it is."""
        signature = self.signature.return_type(*kinds)
        kernel.inner.compile(signature)
        result = kernel.inner.get_compile_result(signature)
        self.table[number] = result.library.get_pointer_to_function(result.fndesc.llvm_func_name)

    def _build(self, context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        """Build a call, by the rules of numba: what the kernel raises is passed on."""
        from llvmlite import ir
        from numba.core import cgutils
        table = builder.module.globals.get(self._name) or ir.GlobalVariable(
            builder.module, ir.ArrayType(cgutils.voidptr_t, len(self.table)), self._name)
        address, kinds, values = self.find(context, builder, table, arguments)
        convention, returned = context.call_conv, signature.return_type
        called = convention.get_function_type(returned, kinds)
        status, value = convention.call_function(
            builder, builder.bitcast(address, called.as_pointer()), returned, kinds, values)
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return value


ENTER = """
def enter(address):
    arguments = arguments_at(address)
    return kernel({})
"""
ENTER_ALL = """
def enter_all(addresses, count):
    for i in range(count):
        arguments = arguments_at(read_word(addresses + 8 * i))
        kernel({})
"""


def entry(kernel: Kernel, kinds: Any, source: str = ENTER) -> Kernel:
    """
    Return a kernel that takes the address of its arguments, and does with them what another does.

    :param kinds: of the arguments, for numba.
    :param source: of the function, `ENTER` or `ENTER_ALL`: the call in it is to be filled in.
    """
    counted = kernel.options['_nrt']
    inside: Callee = kernel  # by its address, where it is compiled separately
    if source is ENTER or not isinstance(kernel, Addressed):
        inside = Kernel(kernel.function, False, **MERGED)
    names = {'kernel': inside, 'arguments_at': _Reader(tuple(kinds)), 'read_word': read_word}
    call = ', '.join(f'arguments[{i}]' for i in range(len(kinds)))
    exec(compile(source.format(call), __file__, 'exec'), names)
    made: Any = list(names.values())[-1]
    # a name of its own for each, since of the machine code under one name the newest is kept
    kind = hashlib.sha256(repr(kinds).encode()).hexdigest()[:16]
    made.__module__ = kernel.function.__module__
    made.__qualname__ = f'{made.__name__}.{kernel.function.__qualname__}.{kind}'
    return Kernel(made, counted)


class _Reader(Callee):
    """Reads arguments of some kinds at an address; for compiled code only."""

    def __init__(self, kinds: tuple[Any, ...]) -> None:
        self._kinds = kinds

    @cached_property
    def _numba_type_(self) -> Any:
        from numba import types
        from numba.core.registry import cpu_target
        from numba.extending import intrinsic

        def read(typing: Any, address: Any) -> Any:
            return types.Tuple(self._kinds)(types.int64), _build_reader
        self._made = intrinsic(read)  # numba holds it weakly
        cpu_target.typing_context.refresh()
        return cpu_target.typing_context.resolve_value_type(self._made)

    def made_from(self) -> tuple[str, tuple[Any, ...]]:
        """Return what it reads."""
        return repr(self._kinds), ()


def _build_reader(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    from llvmlite import ir
    from numba import types
    from numba.np.arrayobj import make_array, populate_array
    word, place = ir.IntType(64), 0

    def following(kind: Any) -> Any:
        nonlocal place
        place += 1
        at = builder.gep(words, [word(place - 1)])
        return builder.load(builder.bitcast(at, kind.as_pointer()))

    def value(kind: Any) -> Any:
        if isinstance(kind, types.BaseTuple):
            return context.make_tuple(builder, kind, [value(each) for each in kind])
        if isinstance(kind, (types.Integer, types.Boolean)):
            return context.cast(builder, following(word), types.int64, kind)
        if isinstance(kind, types.Array):
            return array(kind)
        return following(context.get_value_type(kind))

    def array(kind: Any) -> Any:
        whole = make_array(kind)(context, builder)
        data, shape = following(whole.data.type), [following(word) for _ in range(kind.ndim)]
        size = word(context.get_abi_sizeof(context.get_data_type(kind.dtype)))
        strides = [size]
        for each in shape[:0:-1]:
            strides.insert(0, builder.mul(strides[0], each))
        if kind.layout != 'C':
            strides = [following(word) for _ in range(kind.ndim)]
        populate_array(whole, data, shape, strides, size, None)
        return whole._getvalue()
    words = builder.inttoptr(arguments[0], word.as_pointer())
    return context.make_tuple(
        builder, signature.return_type, [value(kind) for kind in signature.return_type])


def write_words(context: Any, builder: Any, kinds: Any, arguments: Any) -> Any:
    """Write arguments of some kinds into memory of the calling function; return the address."""
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.np.arrayobj import make_array
    word = ir.IntType(64)
    values: list[Any] = []

    def add(kind: Any, value: Any) -> None:
        if isinstance(kind, types.BaseTuple):
            for each, part in zip(kind, cgutils.unpack_tuple(builder, value), strict=True):
                add(each, part)
        elif isinstance(kind, types.Array):
            array = make_array(kind)(context, builder, value)
            values.extend([array.data, *cgutils.unpack_tuple(builder, array.shape, kind.ndim)])
            if kind.layout != 'C':
                values.extend(cgutils.unpack_tuple(builder, array.strides, kind.ndim))
        elif isinstance(kind, (types.Integer, types.Boolean)):
            values.append(context.cast(builder, value, kind, types.int64))
        else:
            values.append(value)

    for kind, value in zip(kinds, arguments, strict=True):
        add(kind, value)
    words = room_for(builder, ir.ArrayType(word, len(values)))
    for k, value in enumerate(values):
        at = builder.gep(words, [word(0), word(k)], inbounds=True)
        builder.store(value, builder.bitcast(at, value.type.as_pointer()))
    return builder.ptrtoint(words, word)


def room_for(builder: Any, kind: Any) -> Any:
    """
    Return memory of the calling function for a value, which is anything before it is written.

    numba sets its allocations to zero at each entry of a function, used or not. A large kernel
    spends half of its first instructions on this.
    """
    with builder.goto_entry_block():
        return builder.alloca(kind)


def words_of(argument: Any) -> Iterator[int]:
    """Yield the words of an argument that Python gives."""
    if isinstance(argument, tuple):
        for each in argument:
            yield from words_of(each)
    elif isinstance(argument, np.ndarray):
        yield from (argument.ctypes.data, *argument.shape)
        if not argument.flags.c_contiguous:
            yield from argument.strides
    elif isinstance(argument, float):
        yield int(np.float64(argument).view(np.int64))
    else:
        yield int(argument)
