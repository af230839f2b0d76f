# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Calls of kernels with arguments that lie in memory, prepared once.

To take an array from Python costs a kernel about 0.1 us, which is more than some kernels compute.
Here machine code reads all arguments as 64-bit words: see `words`. One word is all that Python
hands over, where these are.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
import hashlib
from itertools import accumulate
from types import FunctionType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import Kernel
from mvsim_ros2.jit.memory import Intrinsic
from mvsim_ros2.jit.native_function import read_word
from mvsim_ros2.jit.words import words_reader


class PreparedCall:
    """
    A kernel and all that it is called with.

    :ivar words: the arguments, one after the other; a number may be replaced by another one of
        its kind.
    :ivar address: where they lie.
    """

    __slots__ = ('words', 'address', '_kind', '_arguments', '_begins', '_enter', '_together')

    def __init__(self, kernel: Any, *arguments: Any) -> None:
        """
        Prepare a call; the first one compiles the kernel for it or takes it from disk.

        :param kernel: that is `compiled`; numba must have been imported.
        """
        words = [tuple(_words(each)) for each in arguments]
        numbers = np.array([word for each in words for word in each], np.int64)
        self.words: memoryview[int] = numbers.data
        self._arguments = list(arguments)  # which are not to be freed
        self._begins = tuple(accumulate(map(len, words), initial=0))
        self.address = numbers.ctypes.data
        self._kind = kernel, _kind_of(arguments)
        self._enter: Callable[[int], Any] | None = None
        self._together: Callable[[int, int], None] | None = None

    def replace(self, first: int, *arrays: NDArray[Any]) -> None:
        """
        Take other arrays of the same kinds, of any sizes, from argument `first` on.

        :param first: number of the argument.
        """
        for i, array in enumerate(arrays, first):
            if array is not self._arguments[i]:
                self._arguments[i] = array
                for place, word in enumerate(_words(array), self._begins[i]):
                    self.words[place] = word

    @property
    def arguments(self) -> tuple[Any, ...]:
        """Return what the kernel is called with, as it was given."""
        return tuple(self._arguments)

    def __call__(self) -> Any:
        """Call the kernel with the arguments as they are now."""
        if self._enter is None:
            self._enter = _entry(*self._kind)
        return self._enter(self.address)

    @property
    def together(self) -> Callable[[int, int], None]:
        """Return what makes calls of this kind at as many addresses as lie at an address."""
        if self._together is None:
            self._together = _entry_of_all(*self._kind)
        return self._together


class Batch:
    """Calls of kernels that return nothing, in no order, to be made again and again."""

    __slots__ = ('_calls', '_addresses', '_groups')

    def __init__(self, calls: Iterable[PreparedCall]) -> None:
        """Sort the calls by their kinds."""
        self._calls = list(calls)  # kept alive
        places: dict[Callable[[int, int], None], list[int]] = {}
        for each in self._calls:
            places.setdefault(each.together, []).append(each.address)
        self._addresses = [np.array(known, np.int64) for known in places.values()]
        self._groups = [(enter, known.ctypes.data, len(known)) for enter, known in zip(
            places, self._addresses, strict=True)]

    def __call__(self) -> None:
        """Make the calls, those of one kind without a return to Python between them."""
        for enter, addresses, count in self._groups:
            enter(addresses, count)


@cache
def _entry(kernel: Kernel, kinds: Any) -> Callable[[int], Any]:
    """Return what calls a kernel with the arguments that lie at an address."""
    return _compiled(_enter, kernel, kinds, 1)


@cache
def _entry_of_all(kernel: Kernel, kinds: Any) -> Callable[[int, int], None]:
    """Return what calls a kernel with the arguments that lie at each of some addresses."""
    return _compiled(_enter_all, kernel, kinds, 2)


def _compiled(enter: Any, kernel: Kernel, kinds: Any, words: int) -> Callable[..., Any]:
    name = f'{enter.__name__}.{kernel.function.__qualname__}'
    return _reading(enter, kinds, words, name, kernel.options['_nrt'], _kernel=kernel)


def _reading(function: Any, kinds: Any, words: int, name: str, counted: bool, **others: Any,
             ) -> Callable[..., Any]:
    from numba import types
    names = {**function.__globals__, '__name__': __name__, **others,
             arguments_at.__name__: Intrinsic(words_reader, tuple(kinds))}
    entry = FunctionType(function.__code__, names)
    # a name of its own for each, since of the machine code under one name the newest is kept
    kind = hashlib.sha256(repr(kinds).encode()).hexdigest()[:16]
    entry.__qualname__ = f'{name}.{kind}'
    outer = Kernel(entry, counted)
    made: Callable[..., Any] = outer.dispatcher.compile((types.int64,) * words)
    return made


def _enter(address: int) -> Any:
    return _kernel(*arguments_at(address))


def _enter_all(addresses: int, count: int) -> None:
    for i in range(count):
        _kernel(*arguments_at(read_word(addresses + 8 * i)))


def _kernel(*arguments: Any) -> Any:
    """Stand for the kernel that `_entry` puts in place of this."""


def arguments_at(address: int) -> Any:
    """Stand for what reads the arguments of a call at its address: see `_reading`."""


_ARRAYS: dict[tuple[Any, ...], Any] = {}  # kinds of arrays, which take long to find for records


def _kind_of(argument: Any) -> Any:
    """Return what numba calls the kind of an argument."""
    from numba import typeof, types
    if isinstance(argument, tuple):
        return types.BaseTuple.from_types([_kind_of(each) for each in argument], type(argument))
    if not isinstance(argument, np.ndarray):
        return typeof(argument)
    flags = argument.flags
    key = (argument.dtype, argument.ndim, flags.c_contiguous, flags.f_contiguous, flags.writeable,
           flags.aligned)
    if key not in _ARRAYS:
        _ARRAYS[key] = typeof(argument)
    return _ARRAYS[key]


def _words(argument: Any) -> Iterator[int]:
    """Yield the words of an argument."""
    if isinstance(argument, tuple):
        for each in argument:
            yield from _words(each)
    elif isinstance(argument, np.ndarray):
        yield from (argument.ctypes.data, *argument.shape)
        if not argument.flags.c_contiguous:
            yield from argument.strides
    elif isinstance(argument, float):
        yield int(np.float64(argument).view(np.int64))
    else:
        yield int(argument)
