# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Calls of kernels with arguments that lie in memory, prepared once.

To take an array from Python costs a kernel about 0.1 us, which is more than some kernels compute.
Here Python passes one word, the address of the arguments: see `calls`.
"""

from collections.abc import Callable, Iterable
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.calls import ENTER_ALL, entry, words_of


class PreparedCall:
    """
    A kernel that returns nothing, and its arguments.

    :ivar words: the arguments, one after the other; a number may be replaced by another one of
        its kind.
    :ivar address: where they lie.
    """

    __slots__ = ('words', 'address', '_kind', '_arguments', '_begins', '_together')

    def __init__(self, kernel: Any, *arguments: Any) -> None:
        """
        Prepare a call; the first one compiles the kernel for it or takes it from disk.

        :param kernel: that is `compiled`; numba must have been imported.
        """
        words = [tuple(words_of(each)) for each in arguments]
        numbers = np.array([word for each in words for word in each] + [0], np.int64)
        self.words: memoryview[int] = numbers.data
        self._arguments = list(arguments)  # which are not to be freed
        self._begins = tuple(accumulate(map(len, words), initial=0))
        self.address = self.words[-1] = numbers.ctypes.data
        self._kind = kernel, _kind_of(arguments)
        self._together: Callable[[int, int], None] | None = None

    def replace(self, first: int, *arrays: NDArray[Any]) -> None:
        """
        Take other arrays of the same kinds, of any sizes, from argument `first` on.

        :param first: number of the argument.
        """
        for i, array in enumerate(arrays, first):
            if array is not self._arguments[i]:
                self._arguments[i] = array
                for place, word in enumerate(words_of(array), self._begins[i]):
                    self.words[place] = word

    @property
    def arguments(self) -> tuple[Any, ...]:
        """Return the arguments of the kernel, as they were given."""
        return tuple(self._arguments)

    def __call__(self) -> None:
        """Call the kernel with the arguments as they are now."""
        self.together(self.address + 8 * self._begins[-1], 1)

    @property
    def together(self) -> Callable[[int, int], None]:
        """Return what makes calls of this kind at as many addresses as lie at an address."""
        if self._together is None:
            kernel, kinds = self._kind
            key = kernel, id(kinds)
            if key not in _ENTRIES:
                from numba import types
                _ENTRIES[key] = entry(kernel, kinds, ENTER_ALL).dispatcher.compile(
                    (types.int64, types.int64))
            self._together = _ENTRIES[key]
        return self._together


class Batch:
    """Calls in no order, to be made again and again."""

    __slots__ = ('_calls', '_addresses', '_groups')

    def __init__(self, calls: Iterable[PreparedCall]) -> None:
        """Sort the calls by their kinds."""
        self._calls = list(calls)  # kept alive
        places: dict[Callable[[int, int], None], list[int]] = {}
        for each in self._calls:
            places.setdefault(each.together, []).append(each.address)
        self._addresses = [np.array(known, np.int64) for known in places.values()]
        self._groups = [(call, known.ctypes.data, len(known)) for call, known in zip(
            places, self._addresses, strict=True)]

    def __call__(self) -> None:
        """Make the calls, those of one kind without a return to Python between them."""
        for call, addresses, count in self._groups:
            call(addresses, count)


# what takes numba long to find; kinds are kept, so that an `id` tells them apart
_ENTRIES: dict[tuple[Any, int], Callable[[int, int], None]] = {}
_KINDS: dict[Any, Any] = {}


def _kind_of(argument: Any) -> Any:
    """Return what numba calls the kind of an argument."""
    key: Any = type(argument)
    if isinstance(argument, np.ndarray):
        flags = argument.flags
        key = (argument.dtype, argument.ndim, flags.c_contiguous, flags.f_contiguous,
               flags.writeable, flags.aligned)
    elif isinstance(argument, tuple):
        kinds = [_kind_of(each) for each in argument]
        key = key, *map(id, kinds)
    if key not in _KINDS:
        from numba import typeof, types
        _KINDS[key] = types.BaseTuple.from_types(kinds, type(argument)) if isinstance(
            argument, tuple) else typeof(argument)
    return _KINDS[key]
