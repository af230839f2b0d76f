# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Standard normal numbers from the generators of numpy, drawn by compiled code.

Numpy has functions in C that fill an array; `Generator.standard_normal` calls them, so that the
numbers are the same to the last bit.
"""

import ctypes
from functools import cache
from importlib import import_module
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.native_function import call4

_SYMBOLS = {'float64': 'random_standard_normal_fill', 'float32': 'random_standard_normal_fill_f'}
_FILL = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 4)
_NAME = b'BitGenerator'  # of the capsules in which numpy hands out what draws numbers
_opened = ctypes.PYFUNCTYPE(ctypes.c_int64, ctypes.py_object, ctypes.c_char_p)(
    ('PyCapsule_GetPointer', ctypes.pythonapi))
_closed = ctypes.PYFUNCTYPE(
    ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ('PyCapsule_New', ctypes.pythonapi))


@cache
def filler(kind: str) -> int:
    """
    Return the address of what fills an array from a generator: see `draw_normals`.

    :param kind: of the numbers, `float64` or `float32`.
    """
    address = _of_numpy(_SYMBOLS[kind])
    return address or ctypes.cast(_through_python(kind), ctypes.c_void_p).value or 0


def address_of(generator: np.random.Generator) -> int:
    """Return where what draws a generator's numbers lies in memory, as long as there is one."""
    return int(_opened(generator.bit_generator.capsule, _NAME))


@compiled
def draw_normals(fill: int, generator: int, normals: NDArray[Any]) -> None:
    """
    Draw standard normal numbers, as `Generator.standard_normal` does.

    :param fill: `filler` of their kind.
    :param generator: its `address_of`.
    :param normals: to fill in, contiguous.
    """
    call4(fill, generator, normals.size, normals.ctypes.data, 0)


def _of_numpy(symbol: str) -> int:
    """Return the address of a function of numpy, 0 where a build of it keeps it to itself."""
    try:
        library = ctypes.CDLL(import_module('numpy.random._generator').__file__)
        return ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value or 0
    except (AttributeError, OSError):
        return 0


class _Drawing:
    """What draws numbers, by its address, as numpy takes it for a bit generator."""

    def __init__(self, address: int) -> None:
        self.capsule, self.lock = _closed(address, _NAME, None), Lock()


@cache
def _through_python(kind: str) -> Any:
    """Return what does the same by a generator of numpy."""
    def fill(drawing: int, count: int, address: int, _: int) -> None:
        number = np.ctypeslib.as_ctypes_type(np.dtype(kind))
        normals = np.ctypeslib.as_array((number * count).from_address(address))
        generator = np.random.Generator(_Drawing(drawing))  # type: ignore[arg-type]
        generator.standard_normal(out=normals, dtype=normals.dtype.type)
    return _FILL(fill)
