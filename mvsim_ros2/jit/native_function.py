# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Functions of the shared library of this package, for kernels and for Python."""

import ctypes
from functools import cache, cached_property
from importlib.util import find_spec
from typing import Any

from mvsim_ros2.jit.kernel import Callee, with_numba

NAME = 'mvsim_ros2._native'
# by annotation: what ctypes and what numba call it
_KINDS = {
    None: (None, 'void'), int: (ctypes.c_int64, 'int64'), float: (ctypes.c_double, 'float64')}


@cache
def library() -> ctypes.CDLL:
    """
    Return the shared library, which was built with the package.

    :raises ImportError: where it was not.
    """
    found = find_spec(NAME)
    if found is None or found.origin is None:
        raise ImportError(
            f'{NAME} is not built: "pip install ." builds it, in a working copy also "python3 '
            'setup.py build_ext --inplace"; both need a C++ compiler', name=NAME)
    return ctypes.CDLL(found.origin)


class NativeFunction(Callee):
    """
    A function of the shared library that takes and returns 64-bit integers and floats.

    Pointers are integers: addresses, such as `array.ctypes.data`. Compiled kernels call the
    function by its name, so that their machine code can be kept on disk; Python calls it by
    ctypes.
    """

    def __init__(self, name: str, returned: Any, *parameters: Any) -> None:
        """
        Find the function.

        :param name: of the function; kernels know it as `mvsim_ros2.NAME`.
        :param returned: `int`, `float` or None; `parameters` are the first two of these.
        """
        self._call: Any = getattr(library(), name)
        self._call.restype = _KINDS[returned][0]
        self._call.argtypes = [_KINDS[kind][0] for kind in parameters]
        self._name, self._kinds = f'mvsim_ros2.{name}', (returned, *parameters)
        with_numba(self._register)

    def _register(self) -> None:
        from llvmlite import binding
        binding.add_symbol(self._name, ctypes.cast(self._call, ctypes.c_void_p).value)

    def __call__(self, *arguments: Any) -> Any:
        """Call it from Python."""
        return self._call(*arguments)

    @property
    def plain(self) -> Any:
        """Return what plain Python calls in its place."""
        return self._call

    @cached_property
    def _numba_type_(self) -> Any:
        from numba import types
        returned, *parameters = (getattr(types, _KINDS[kind][1]) for kind in self._kinds)
        return types.ExternalFunction(self._name, returned(*parameters))

    def made_from(self) -> tuple[str, tuple[Any, ...]]:
        """Return what callers know of it."""
        return f'{self._name} {self._kinds}', ()


# call the function at an address with so many integers or pointers, of which it may take fewer
call4 = NativeFunction('call4', None, *[int] * 5)
read_word = NativeFunction('read_word', int, int)
